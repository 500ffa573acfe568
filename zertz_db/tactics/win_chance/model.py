"""The fitted numbers: decision trees, how well they are calibrated, and the tables of the model card. Read from and written to JSON.

The score of a position is the sum of a leaf of each tree, in units of SCORE_UNIT; the chance is the logistic function of it. Leaves and
thresholds are integers, so every machine finds equal scores.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zertz_db.errors import UserMistake
from zertz_db.tactics.win_chance.engine import Engine
from zertz_db.tactics.win_chance.features import FEATURES
from zertz_db.tactics.win_chance.forest import LEAF

SCORE_UNIT = 1e-4
_SHIPPED = Path(__file__).with_name("trees.json")
_FORMAT = 1


class ModelError(UserMistake):
    """The file has no numbers that this version can use; the message says why."""


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


CARD: dict[str, Callable[[Any], Any]] = {
    "group": str, "positions": index, "games": index, "log_loss": _number, "auc": _number, "calibration_error": _number,
}  # fmt: skip
"""Columns of the model card's table, with the functions that check their values."""
_BIN: tuple[Callable[[Any], Any], ...] = (str, float, index, index, float, float)
"""The functions that check the values of a bin."""


class Bin(NamedTuple):
    """Held-out positions of one board with chances from `begin` on: their number, that of their games, and how they ended."""

    board: str
    begin: float
    positions: int
    games: int
    chance: float
    """Mean of the chances."""
    won: float
    """Share of the positions that the side to move won."""


@dataclass(frozen=True)
class Model:
    """Decision trees and their tables.

    features, thresholds: of all nodes of all trees, each tree in depth-first order, the way for small numbers first; a leaf has the feature
    LEAF, and its score for a threshold. bins: the calibration. card: rows of the model card's table.
    """

    features: tuple[int, ...]
    thresholds: tuple[int, ...]
    bins: tuple[Bin, ...]
    card: tuple[dict[str, Any], ...]
    description: str

    @cached_property
    def nodes(self) -> tuple[Any, Any, Any, Any]:
        """Return the root of each tree, and feature, threshold and right branch of each node: int64 arrays."""
        roots, right = link_nodes(self.features)
        return tuple(np.array(one, np.int64) for one in (roots, self.features, self.thresholds, right))  # type: ignore[return-value]

    def scores(self, engine: Engine, rows: Any) -> Any:
        """Return the scores of positions by their features, in units of SCORE_UNIT."""
        written = engine.given(np.zeros(len(rows), np.int64))
        engine.functions.add_trees(*map(engine.given, self.nodes), engine.given(rows), written)
        return np.asarray(written, np.int64)

    def chances(self, engine: Engine, rows: Any) -> Any:
        """Return the chances of positions by their features."""
        return 1 / (1 + np.exp(-SCORE_UNIT * self.scores(engine, rows)))

    def write(self, file: Path) -> None:
        """Write the numbers to a file."""
        content = {
            "format": _FORMAT,
            "description": self.description,
            "names": list(FEATURES),
            "features": self.features,
            "thresholds": self.thresholds,
            "bins": self.bins,
            "card": self.card,
        }
        lines = (f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in content.items())
        file.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def link_nodes(features: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the roots of trees, and the right branch of each node (0 for a leaf). Raises ModelError if the nodes are no trees."""
    roots = []
    right = [0] * len(features)
    waiting: list[int] = []
    for node, feature in enumerate(features):
        follows_leaf = node > 0 and features[node - 1] == LEAF
        if follows_leaf and waiting:
            right[waiting.pop()] = node
        elif follows_leaf or node == 0:
            roots.append(node)
        if feature != LEAF:
            waiting.append(node)
    if waiting or (features and features[-1] != LEAF):
        raise ModelError("the last tree of the file is incomplete: copy the file again, or fit it anew")
    return roots, right


def read_model(file: Path) -> Model:
    """Return the model of a file. Raises ModelError."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelError(
            f"{file} can't be read ({error.strerror}): name a file that `zertz winchance --fit` wrote"
        ) from error
    except ValueError as error:
        raise _damaged(file) from error
    try:
        content = json.loads(text)
        if (content["format"], content["names"]) != (_FORMAT, list(FEATURES)):
            raise ModelError(
                f"{file} is of another version: fit it anew with `zertz winchance --fit --output {file} --force`"
            )
        model = _build_model(content)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise _damaged(file) from error
    link_nodes(model.features)
    return model


def _damaged(file: Path) -> ModelError:
    return ModelError(
        f"{file} can't be read as a win chance, because its content is damaged: copy the file again, "
        f"or fit it anew with `zertz winchance --fit --output {file} --force`"
    )


def _build_model(content: dict[str, Any]) -> Model:
    """Return the model of a file's content. Raises an error of Python for a wrong type or number: compiled code trusts the numbers."""
    features, thresholds = (tuple(map(index, content[name])) for name in ("features", "thresholds"))
    if not features or len(features) != len(thresholds) or not all(LEAF <= one < len(FEATURES) for one in features):
        raise ValueError("no trees of these features")
    np.array(thresholds, np.int64)  # an OverflowError for greater numbers
    bins = tuple(Bin(*(check(value) for check, value in zip(_BIN, row, strict=True))) for row in content["bins"])
    card = tuple({name: check(row[name]) for name, check in CARD.items()} for row in content["card"])
    return Model(features, thresholds, bins, card, str(content["description"]))


@cache
def shipped_model() -> Model:
    """Return the model that comes with zertz-db."""
    return read_model(_SHIPPED)
