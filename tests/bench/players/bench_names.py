"""Measure the proposals of names that may be one person's: precision and recall on planted second names.

Players of made-up games, and of a database if there is one, are split in two (`tests.queries.players.planted_names`). Weights are fitted on
some made-up players and on half of the pairs of the database (`--fit`). They are measured on other made-up players, of which some are more
or fewer, and on the other half of the pairs with other splits. Pairs of a database that were not planted count as wrong, although some of
them may be one person's, so its precision is a lower bound.

With `--unlike`, active players get second names that have nothing of the first, which are not proposed: how well would the rest of the
evidence do?

python -m tests.bench.players.bench_names [--db FOLDER] [--fit] [--unlike]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tests.queries.players.planted_names import make_players, plant_names
from zertz_db.queries.players.identity.careers import PlayedGame, build_field, read_games
from zertz_db.queries.players.identity.evidence import Evidence, gather_evidence
from zertz_db.queries.players.identity.score import GRADES, list_features, score_evidence
from zertz_db.queries.players.identity.spelling import Likeness
from zertz_db.store.open_database import open_database

FIT_SEEDS, TEST_SEEDS = range(10), range(100, 110)
MADE_PLAYERS, MADE_GAMES = 600, 12_000
MADE_TRIALS = 6
"""Splits of each group of made-up players."""
MADE_FITTED = (1, 3, 5), (2, 4, 6)
"""Seeds of the groups on which weights are fitted: with ordinary and with confusable names."""
MADE_MEASURED: dict[str, tuple[int, int, tuple[int, ...], bool]] = {
    "made-up players": (600, 12_000, (11, 13, 15), False),
    "made-up players, confusable names": (600, 12_000, (12, 14, 16), True),
    "1,500 made-up players": (1500, 25_000, (21,), False),
    "1,500 made-up players, confusable names": (1500, 25_000, (22,), True),
}
"""Number of players and of games, seeds, and whether the names are confusable."""
_PENALTY = 1.0
"""Of the squares of the weights, so that a kind without examples gets a weight of zero."""


class Case(NamedTuple):
    """A pair of names that are alike; planted: the spelling and the way of the split, or None."""

    found: Evidence
    planted: tuple[str, str] | None


class Trial(NamedTuple):
    """The pairs of half of a field: those that can be proposed, and the kinds of all that were planted."""

    cases: list[Case]
    planted: list[tuple[str, str]]
    humans: int


def main() -> None:
    """Print the tables, and fit weights if asked to."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--db", help="a database of real games")
    options.add_argument("--fit", action="store_true", help="fit weights and print them")
    options.add_argument("--unlike", action="store_true", help="rank pairs of unlike names (a minute)")
    chosen = options.parse_args()
    real = read_players(chosen.db) if chosen.db else None
    if chosen.fit:
        print_weights([case for trial in list_fitted(real) for case in trial.cases])
    for title, (players, games, fields, confusable) in MADE_MEASURED.items():
        made = [make_players(players, games, field, confusable=confusable) for field in fields]
        print_table(title, [try_names(*one, seed) for one in made for seed in TEST_SEEDS[:MADE_TRIALS]])
    if real:
        print_table("players of the database", [try_names(*real, seed, half=1) for seed in TEST_SEEDS])
        if chosen.unlike:
            print_unlike(*real)


def read_players(folder: str) -> tuple[dict[int, str], list[PlayedGame]]:
    """Return the humans of a database and all games."""
    with open_database(folder) as database:
        connection = database.connection()
        names = dict(connection.execute("SELECT id, name FROM _player WHERE kind = 'human'").fetchall())
        return names, read_games(connection)


def list_fitted(real: tuple[dict[int, str], list[PlayedGame]] | None) -> Iterator[Trial]:
    """Yield the trials on which weights are fitted."""
    for confusable, fields in enumerate(MADE_FITTED):
        for field in fields:
            made = make_players(MADE_PLAYERS, MADE_GAMES, field, confusable=bool(confusable))
            yield from (try_names(*made, seed) for seed in FIT_SEEDS[:MADE_TRIALS])
    if real:
        yield from (try_names(*real, seed, half=0) for seed in FIT_SEEDS)


def print_unlike(names: dict[int, str], games: list[PlayedGame]) -> None:
    """Rank all pairs of players with 20 games or more who never met, of which active ones have a second name that is invented."""
    ranked, total = [], 0
    for seed in range(3):
        planted = plant_names(names, games, seed, share=0.01, spellings=("invent",), least_games=80)
        field = build_field(planted.names, planted.games)
        active = sorted(player for player, career in field.careers.items() if career.games >= 20)
        total += len(planted.pairs)
        ranked += [
            (score_evidence(gather_evidence(field, one, other)), (one, other) in planted.pairs)
            for one, other in combinations(active, 2)
            if other not in field.careers[one].opponents
        ]
    ranked.sort(reverse=True)
    print(f"unlike names: {total} planted pairs among {len(ranked):,}")
    for number in (10, 20, 50, 100):
        right = sum(is_planted for _, is_planted in ranked[:number])
        print(f"the best {number}: {right / number:.0%} right, recall {right / max(1, total):.0%}")


def try_names(names: dict[int, str], games: list[PlayedGame], seed: int, half: int | None = None) -> Trial:
    """Plant second names, and gather the evidence about all pairs that can be proposed; half: of the pairs only this half."""
    planted = plant_names(names, games, seed)
    field = build_field(planted.names, planted.games)
    pairs = {pair: how for pair, how in planted.pairs.items() if half is None or pair[0] % 2 == half}
    cases = [
        Case(gather_evidence(field, *pair), pairs.get(pair))
        for pair in field.neighbours.pairs
        if pair in pairs or (pair not in planted.pairs and half in (None, sum(pair) % 2))
    ]
    return Trial([case for case in cases if not case.found.meetings], list(pairs.values()), len(field.names))


def measure(trials: list[Trial], least: float, most: float = 101) -> tuple[int, float, float]:
    """Return the number of pairs with a score from `least` to below `most` in percent, their precision, and the share of planted pairs."""
    shown = [case for trial in trials for case in trial.cases if least <= 100 * score_evidence(case.found) < most]
    right = sum(case.planted is not None for case in shown)
    return len(shown), right / max(1, len(shown)), right / max(1, sum(len(trial.planted) for trial in trials))


def print_table(title: str, trials: list[Trial]) -> None:
    """Print precision and recall for each score, for each grade, and recall by kind."""
    planted = Counter(kind for trial in trials for how in trial.planted for kind in how)
    total = sum(len(trial.planted) for trial in trials)
    print(f"\n{title}: {total} planted pairs in {len(trials)} trials, {trials[0].humans} names each")
    print("score at least | pairs | precision | recall")
    for least in (95, 90, 80, 70, 60, 50, 40, 30, 20, 10):
        number, precision, recall = measure(trials, least)
        print(f"{least:>14} | {number:>5} | {precision:>9.1%} | {recall:>6.1%}")
    most = 101
    for grade in GRADES:
        number, precision, _ = measure(trials, grade.least, most)
        print(f"{grade.name}: {number} pairs, {precision:.1%} right, {grade.precision} % stated")
        most = grade.least
    shown = [case for trial in trials for case in trial.cases if is_similar_and_linked(case.found)]
    right = sum(case.planted is not None for case in shown)
    print(f"without a score: {len(shown)} pairs, {right / max(1, len(shown)):.1%} right, recall {right / total:.1%}")
    found = Counter(
        kind
        for trial in trials
        for case in trial.cases
        if case.planted and score_evidence(case.found) >= 0.5
        for kind in case.planted
    )
    print(
        "recall at 50: " + ", ".join(f"{kind} {found[kind] / number:.0%}" for kind, number in sorted(planted.items()))
    )


def is_similar_and_linked(found: Evidence) -> bool:
    """Return whether the rule without a score proposes a pair: alike by 85, with a common opponent or equal but for digits."""
    return found.similarity >= 85 and (found.common > 0 or found.likeness in (Likeness.letters, Likeness.numbers))


def print_weights(cases: list[Case]) -> None:
    """Fit a logistic regression, and print its weights as the dictionary of `score`."""
    features = [list_features(case.found) for case in cases]
    values = np.array([list(one.values()) for one in features])
    right = np.array([case.planted is not None for case in cases], float)
    weights = np.zeros(values.shape[1])
    for step in _list_steps(values, right, weights):
        weights += step
    print("WEIGHTS = {")
    for name, weight in zip(features[0], weights, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print("}")


def _list_steps(values: np.ndarray, right: np.ndarray, weights: np.ndarray) -> Iterator[np.ndarray]:
    """Yield Newton's steps until they are small; the caller adds each to the weights."""
    for _ in range(60):
        chance = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (right - chance) - _PENALTY * weights
        curve = (values * (chance * (1 - chance))[:, None]).T @ values + _PENALTY * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        yield step
        if abs(step).max() < 1e-8:
            return


if __name__ == "__main__":
    main()
