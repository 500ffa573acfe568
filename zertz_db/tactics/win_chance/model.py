"""The fitted numbers: decision trees, how well they are calibrated, and the tables of the model card. Read from and written to JSON.

The score of a position is the sum of a leaf of each tree, in units of SCORE_UNIT; the chance is the logistic function of it. Leaves and
thresholds are integers, so every machine finds equal scores.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
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
        content = json.loads(file.read_text(encoding="utf-8"))
        model = Model(
            tuple(content["features"]),
            tuple(content["thresholds"]),
            tuple(Bin(*row) for row in content["bins"]),
            tuple(content["card"]),
            content["description"],
        )
        names, version = content["names"], content["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{file} can't be read as a win chance ({type(error).__name__}: {error})") from error
    if version != _FORMAT or names != list(FEATURES) or len(model.features) != len(model.thresholds):
        raise ModelError(f"{file} is of another version: fit it anew with `zertz winchance --fit --output {file}`")
    link_nodes(model.features)
    return model


@cache
def shipped_model() -> Model:
    """Return the model that comes with zertz-db."""
    return read_model(_SHIPPED)
