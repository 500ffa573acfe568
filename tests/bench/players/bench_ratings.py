"""How well ratings predict: the log loss of each model on the last fifth of the rated games, which it has not seen.

    python -m tests.bench.players.bench_ratings --db FOLDER

Without a database it imports the private archive, or reports that there is none: made-up games are played by chance.

A loss of 0.693 is that of tossing a coin. A tie counts as half a win and half a loss. The first rows have learned from the first four
fifths alone. Those with "updated" learn again before each twentieth of the unseen games, from all games before it. "Game by game" goes on
learning after each game that it has predicted, as a list of ratings does.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import exp, log, sqrt
from pathlib import Path

from openskill.models import PlackettLuce

from tests.bench.material import real_archives
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.players.whole_history import WholeHistory
from zertz_db.store.open_database import open_database
from zertz_db.store.ratings.dated_games import read_dated_games
from zertz_db.store.ratings.model import NEWCOMER, Belief, DatedGame, rate_in_order
from zertz_db.store.ratings.rating_kernel import DRIFT, SPREAD, START, UNKNOWN

HELD_OUT = 0.2
UPDATES = 20
VARIANCES = (3.0, 10.0, 30.0, 100.0, 300.0)
"""Variances of whole histories a day, in points."""
_LEAST = 1e-6

Predict = Callable[[DatedGame], float]
"""The expected score of player 1."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, help="a database with games of many players")
    folder = parser.parse_args().db
    if folder is not None:
        bench(folder)
    elif archives := real_archives():
        with tempfile.TemporaryDirectory() as work:
            import_paths(archives, Path(work) / "real.zertz")
            bench(Path(work) / "real.zertz")
    else:
        print("ratings: there is no archive of real games, and --db names no database")


def bench(folder: Path) -> None:
    """Print the losses of each model in the games of a database."""
    with open_database(folder) as database:
        connection = database.connection()
        games = [game for game in read_dated_games(connection) if game.is_rated]
        kinds = dict(connection.execute("SELECT id, kind FROM _player").fetchall())
    cut = round(len(games) * (1 - HELD_OUT))
    seen, unseen = games[:cut], games[cut:]
    groups = {name: [name in ("all", group_of(game, kinds)) for game in unseen] for name in GROUPS}
    print(f"{len(games)} rated games; the last {len(unseen)}, from {unseen[0].date} on, are held out")
    print(f"{'model':<44}" + "".join(f"{name:>16}" for name in GROUPS) + f"{'seconds':>10}")
    print(f"{'games':<44}" + "".join(f"{sum(chosen):>16}" for chosen in groups.values()))
    for name, losses, seconds in evaluate(seen, unseen):
        means = (mean_of(losses, chosen) for chosen in groups.values())
        print(f"{name:<44}" + "".join(f"{mean:>16}" for mean in means) + f"{seconds:>10.1f}")


def mean_of(losses: Sequence[float], chosen: Sequence[bool]) -> str:
    """Return the mean loss of the chosen games, a dash without one."""
    found = [loss for loss, is_in in zip(losses, chosen, strict=True) if is_in]
    return f"{sum(found) / len(found):.4f}" if found else "–"


GROUPS = ("human-human", "human-bot", "bot-bot", "all")


def group_of(game: DatedGame, kinds: dict[int, str]) -> str:
    """The kinds of both players."""
    both = sorted((kinds[player] for player in game.players if player is not None), reverse=True)
    return "-".join(both)


def evaluate(seen: Sequence[DatedGame], unseen: Sequence[DatedGame]) -> Iterator[tuple[str, list[float], float]]:
    """Yield for each model its name, its loss for each unseen game, and the processor time that learning took."""
    began = time.process_time()
    yield "coin", [log(2)] * len(unseen), 0.0
    known = learn_incrementally(seen)
    yield "incremental", losses(unseen, predict_by(known)), time.process_time() - began
    began = time.process_time()
    steps = [*rate_in_order([*seen, *unseen])][len(seen) :]
    found = [loss(step.game, expect_score(step.before[0] or NEWCOMER, step.before[1] or NEWCOMER)) for step in steps]
    yield "incremental, game by game", found, time.process_time() - began
    began = time.process_time()
    beliefs = learn_by_openskill(seen)
    yield "openskill, Plackett and Luce", losses(unseen, predict_by(beliefs)), time.process_time() - began
    for variance in VARIANCES:
        began = time.process_time()
        history = WholeHistory(seen, variance)
        found = losses(unseen, predict_by_history(history))
        yield f"whole history, variance {variance:g} a day", found, time.process_time() - began
    models: dict[str, Callable[[Sequence[DatedGame]], Predict]] = {
        "incremental": lambda games: predict_by(learn_incrementally(games)),
        "openskill": lambda games: predict_by(learn_by_openskill(games)),
        "whole history": lambda games: predict_by_history(WholeHistory(games)),
    }
    for name, learn in models.items():
        began = time.process_time()
        found = learn_again([*seen, *unseen], len(seen), learn)
        yield f"{name}, updated {UPDATES} times", found, time.process_time() - began


def learn_again(games: Sequence[DatedGame], cut: int, learn: Callable[[Sequence[DatedGame]], Predict]) -> list[float]:
    """The losses of the games after the cut; before each part of them a model learns from all games before it."""
    ends = [cut + (len(games) - cut) * part // UPDATES for part in range(UPDATES + 1)]
    return [
        one for first, end in pairwise(ends) if end > first for one in losses(games[first:end], learn(games[:first]))
    ]


def learn_incrementally(games: Sequence[DatedGame]) -> dict[int | None, Belief]:
    known: dict[int | None, Belief] = {}
    for step in rate_in_order(games):
        known.update((player, belief) for player, belief in zip(step.game.players, step.after, strict=True) if belief)
    return known


def learn_by_openskill(games: Sequence[DatedGame]) -> dict[int | None, Belief]:
    model = PlackettLuce(mu=START, sigma=UNKNOWN, beta=SPREAD, tau=DRIFT)
    known = {player: model.rating() for game in games for player in game.players}
    for game in games:
        teams = [[known[player]] for player in game.players]
        ranks = [1.0, 1.0] if game.winner == 0 else [float(game.winner or 0), float(3 - (game.winner or 0))]
        for player, [after] in zip(game.players, model.rate(teams, ranks=ranks), strict=True):
            known[player] = after
    return {player: Belief(rating.mu, rating.sigma) for player, rating in known.items()}


def expect_score(one: Belief, other: Belief) -> float:
    """Return the expected score of the first of two players, from 0 to 1."""
    scale = sqrt(one.deviation**2 + other.deviation**2 + 2 * SPREAD**2)
    return 1 / (1 + exp((other.strength - one.strength) / scale))


def predict_by(known: dict[int | None, Belief]) -> Predict:
    return lambda game: expect_score(*(known.get(player, NEWCOMER) for player in game.players))


def predict_by_history(history: WholeHistory) -> Predict:
    return lambda game: expect_score(*(history.rate(player or 0, game.date) for player in game.players))


def losses(games: Sequence[DatedGame], predict: Predict) -> list[float]:
    return [loss(game, predict(game)) for game in games]


def loss(game: DatedGame, expected: float) -> float:
    """The log loss of a prediction: of the result, or of half a win and half a loss."""
    share = min(max(expected, _LEAST), 1 - _LEAST)
    points = 0.5 if game.winner == 0 else float(game.winner == 1)
    return -points * log(share) - (1 - points) * log(1 - share)


if __name__ == "__main__":
    main()
