"""Fit the win chance to results of games with LightGBM, and measure it on held-out games.

A fifth of the games, selected by their ids, is held out; the trees are fitted to the free turns of the others. Two more fits to the earlier
games are measured on the later ones: with equal weights, and with recent games weighing more, because the players of a server change.
Positions of games without a winner are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zertz_db.errors import BrokenEnvironment, UserMistake
from zertz_db.extras import install_hint
from zertz_db.rules.board import Board
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.win_chance.captures import FREE
from zertz_db.tactics.win_chance.engine import (
    Engine,
    Trees,
    features_of,
    open_engine,
    propagate_values,
    resolve_captures,
)
from zertz_db.tactics.win_chance.features import FEATURES_SIZE
from zertz_db.tactics.win_chance.forest import LEAF
from zertz_db.tactics.win_chance.intervals import calibrated_group
from zertz_db.tactics.win_chance.measures import calibrate, summarise
from zertz_db.tactics.win_chance.model import SCORE_UNIT, Model

HELD_OUT = 5
"""One game in so many is held out."""
FEWEST_GAMES = 20
FORECAST_HALF_LIFE = 1.5
"""Years after which a game weighs half as much, in the fit that forecasts later games."""
TREES = 200
SETTINGS = {
    "objective": "binary",
    "learning_rate": 0.1,
    "num_leaves": 31,
    "min_data_in_leaf": 100,
    "max_bin": 63,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "feature_fraction": 0.7,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 1,
    "verbose": -1,
}


class LightgbmMissing(BrokenEnvironment):
    """LightGBM is not installed."""


class TooFewGames(UserMistake):
    """There are too few games to fit a win chance."""


class Sample(NamedTuple):
    """Positions of games on one board under one rule set that somebody won; arrays with an element for each position.

    states: (n, STATE_SIZE). won: 1 if the side to move won, else 0. plies: plies played before. left: plies until the end. games: ids.
    dates: days since some day, ascending with time. bots: number of the players that are bots.
    """

    board: Board
    rules: RuleSet
    states: Any
    won: Any
    plies: Any
    left: Any
    games: Any
    dates: Any
    bots: Any


@dataclass(frozen=True)
class _Batch:
    """A part of a sample with its captures resolved: trees, the features of their rows without captures, and the heads' numbers."""

    engine: Engine
    trees: Trees
    rows: Any
    begin: int


class _Prepared(NamedTuple):
    sample: Sample
    batches: list[_Batch]

    @property
    def free(self) -> tuple[Any, Any]:
        """Return the numbers of the sample's free turns, and their features."""
        numbers, rows = [], []
        for batch in self.batches:
            valued = np.flatnonzero(batch.trees.kinds == FREE)
            is_head = np.isin(valued, batch.trees.heads)
            numbers.append(batch.begin + np.searchsorted(batch.trees.heads, valued[is_head]))
            rows.append(batch.rows[is_head])
        return np.concatenate(numbers), np.concatenate(rows)


def fit_model(
    samples: Sequence[Sample],
    *,
    trees: int = TREES,
    threads: int = 0,
    half_life: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> Model:
    """Return a model fitted to four fifths of the games, with the tables of the others. `report` receives what is being done.

    threads: of LightGBM; 0 for all cores. half_life: years after which a game weighs half as much; None for equal weights. Raises
    LightgbmMissing, TooFewGames, SearchError.
    """
    _import_lightgbm()
    games = np.concatenate([sample.games for sample in samples]) if samples else np.zeros(0, np.int64)
    count = len(np.unique(games))
    if count < FEWEST_GAMES:
        raise TooFewGames(
            f"a win chance needs at least {FEWEST_GAMES} games with a winner, not {count}: select more games"
        )
    report("computing features")
    prepared = [_prepare(sample) for sample in samples]
    report("fitting")
    held_out = [is_held_out(sample.games) for sample in samples]
    model = _fit(prepared, [~out for out in held_out], trees, threads, half_life)
    card, bins = _measure(model, prepared, held_out)
    later = _later(samples)
    for years_to_half, group in ((None, "later games"), (FORECAST_HALF_LIFE, "later games, recent ones weigh more")):
        report(f"fitting to the earlier games: {group}")
        earlier_model = _fit(prepared, [~out for out in later], trees, threads, years_to_half)
        card.append(_measure(earlier_model, prepared, later)[0][0] | {"group": group})
    years = f"{count:,} games; a fifth of them held out; later games: the last fifth by date"
    return Model(model.features, model.thresholds, tuple(bins), tuple(card), years)


def is_held_out(games: Any) -> Any:
    """Return which games are held out: a fifth, by the hash of their ids."""
    mixed = np.asarray(games).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(33)) % np.uint64(HELD_OUT) == 0


def _later(samples: Sequence[Sample]) -> list[Any]:
    """Return which positions are of the last fifth of the games by date."""
    games, first = np.unique(np.concatenate([sample.games for sample in samples]), return_index=True)
    dates = np.sort(np.concatenate([sample.dates for sample in samples])[first])
    since = dates[len(games) - len(games) // HELD_OUT - 1]
    return [sample.dates > since for sample in samples]


def _prepare(sample: Sample) -> _Prepared:
    engine = open_engine(sample.board, sample.rules)
    batches = []
    begin = 0
    while begin < len(sample.states):
        trees = resolve_captures(engine, sample.states, begin)
        rows, _ = features_of(engine, trees.states[trees.kinds == FREE])
        batches.append(_Batch(engine, trees, rows.astype(np.int16), begin))
        begin += len(trees.heads)
    return _Prepared(sample, batches)


def _fit(
    prepared: Sequence[_Prepared], selected: Sequence[Any], trees: int, threads: int, half_life: float | None
) -> Model:
    """Return a model fitted to the free turns of selected positions."""
    rows, won, dates = [], [], []
    for one, chosen in zip(prepared, selected, strict=True):
        numbers, features = one.free
        here = chosen[numbers]
        rows.append(features[here])
        won.append(one.sample.won[numbers[here]])
        dates.append(one.sample.dates[numbers[here]])
    weights = None if half_life is None else weigh_by_date(np.concatenate(dates), half_life)
    return model_of(boost(np.concatenate(rows), np.concatenate(won), trees, threads, weights))


def weigh_by_date(dates: Any, half_life: float) -> Any:
    """Return the weights of positions by their dates in days: 1 for the latest, half as much for each half-life in years before."""
    return 0.5 ** ((dates.max() - dates) / (half_life * _DAYS))


_DAYS = 365
"""Days of a year."""


def boost(rows: Any, won: Any, trees: int, threads: int = 0, weights: Any = None) -> Any:
    """Return a booster of LightGBM, fitted to features and results, whose leaves are multiples of SCORE_UNIT. Raises LightgbmMissing."""
    lightgbm = _import_lightgbm()
    settings = SETTINGS | {"num_threads": threads, "min_data_in_leaf": min(100, max(len(rows) // 100, 1))}
    booster = lightgbm.train(settings, lightgbm.Dataset(rows, won, weight=weights), trees)
    for number, tree in enumerate(booster.dump_model()["tree_info"]):
        for leaf, score in _leaves(tree["tree_structure"]):
            booster.set_leaf_output(number, leaf, round(score / SCORE_UNIT) * SCORE_UNIT)
    return booster


def _leaves(node: dict[str, Any]) -> list[tuple[int, float]]:
    if "leaf_value" in node:
        return [(node.get("leaf_index", 0), node["leaf_value"])]
    return _leaves(node["left_child"]) + _leaves(node["right_child"])


def model_of(booster: Any) -> Model:
    """Return the trees of a booster as a model without tables."""
    features: list[int] = []
    thresholds: list[int] = []

    def add(node: dict[str, Any]) -> None:
        if "leaf_value" in node:
            features.append(LEAF)
            thresholds.append(round(node["leaf_value"] / SCORE_UNIT))
            return
        features.append(node["split_feature"])
        thresholds.append(int(np.floor(node["threshold"])))
        add(node["left_child"])
        add(node["right_child"])

    for tree in booster.dump_model()["tree_info"]:
        add(tree["tree_structure"])
    if features and max(features) >= FEATURES_SIZE:
        raise ValueError("the booster has features that positions have not")
    return Model(tuple(features), tuple(thresholds), (), (), "")


class _Valued(NamedTuple):
    """Held-out positions with their chances."""

    chances: Any
    won: Any
    plies: Any
    left: Any
    games: Any
    bots: Any


def _measure(
    model: Model, prepared: Sequence[_Prepared], held_out: Sequence[Any]
) -> tuple[list[dict[str, Any]], list[Any]]:
    """Return the rows of the held-out table, the first for all positions, and the calibration by board."""
    by_board: dict[str, list[_Valued]] = {}
    for one, out in zip(prepared, held_out, strict=True):
        by_board.setdefault(calibrated_group(one.sample.board, one.sample.rules), []).append(_value(model, one, out))
    boards = {board: _join(parts) for board, parts in by_board.items()}
    bins = []
    for board, some in boards.items():
        bins += calibrate(board, some.chances, some.won, some.games)
    whole = _join(list(boards.values()))
    groups = [("all", whole, np.ones(len(whole.won), bool))]
    groups += [(f"board {board}", some, np.ones(len(some.won), bool)) for board, some in boards.items()]
    for begin, end in ((0, 5), (5, 10), (10, 15), (15, 20), (20, 25), (25, 1000)):
        name = f"ply {begin} to {end - 1}" if end < 1000 else f"ply {begin} and later"
        groups.append((name, whole, (whole.plies >= begin) & (whole.plies < end)))
    groups.append(("more than 6 plies from the end", whole, whole.left > 6))
    for bots, name in enumerate(("no bot", "one bot", "two bots")):
        groups.append((name, whole, whole.bots == bots))
    card = [
        summarise(name, some.chances[here], some.won[here], some.games[here])
        for name, some, here in groups
        if here.any()
    ]
    return card, bins


def _value(model: Model, one: _Prepared, out: Any) -> _Valued:
    """Return the chances of the held-out positions of a sample, without proofs."""
    chances = np.zeros(len(one.sample.states))
    for batch in one.batches:
        values = np.zeros(len(batch.trees.kinds))
        values[batch.trees.kinds == FREE] = model.chances(batch.engine, batch.rows.astype(np.int64))
        chances[batch.begin : batch.begin + len(batch.trees.heads)] = propagate_values(
            batch.engine, batch.trees, values
        )
    sample = one.sample
    return _Valued(*(part[out] for part in (chances, sample.won, sample.plies, sample.left, sample.games, sample.bots)))


def _join(parts: list[_Valued]) -> _Valued:
    return _Valued(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _import_lightgbm() -> Any:
    try:
        import lightgbm
    except ImportError as error:
        raise LightgbmMissing(f"fitting needs LightGBM, which is not installed: {install_hint('fit')}") from error
    return lightgbm
