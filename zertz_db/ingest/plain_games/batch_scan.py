"""Scan the texts of a batch together with the compiled scanner."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from zertz_db.parser.boardspace import scan
from zertz_db.rules import compiled

_LARGE_FUNCTIONS = frozenset(
    {
        "skip_value",
        "read_cell",
        "read_rare_command",
        "read_action",
        "take_action",
        "write_ply",
        "scan_header",
        "scan_times",
        "scan_game",
    }
)


class ScannedBatch(NamedTuple):
    """Texts and what the scanner found in them.

    data: the texts, joined. edges: their offsets. facts: int64, (texts, FACTS_SIZE); `zertz_db.parser.boardspace.scan` defines the columns.
    numbers, begins, clocks: the plies of the plain games, one after the other.
    """

    data: bytes
    edges: Any
    facts: Any
    numbers: Any
    begins: Any
    clocks: Any


@cache
def _scanner() -> Any:
    return compiled.batch_function("scan_games", "zertz_db.parser.boardspace", ("scan",), _LARGE_FUNCTIONS)


def scan_batch(texts: Sequence[bytes]) -> ScannedBatch:
    """Scan texts. Raise CompilerMissing without numba."""
    scan_games = _scanner()
    import numpy as np  # takes 90 ms, and few records don't need it

    data = b"".join(texts)
    edges = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    most = len(data) // scan.LEAST_PLY_BYTES + 1
    numbers = np.empty(most * scan.PLACEMENT_SIZE, np.int64)
    begins, clocks = np.empty(most + 1, np.int64), np.empty(most, np.int64)
    facts = np.empty((len(texts), scan.FACTS_SIZE), np.int64)
    action, turn = np.zeros(scan.ACTION_SIZE, np.int64), np.zeros(scan.TURN_SIZE, np.int64)
    plies = scan_games(np.frombuffer(data, np.uint8), edges, numbers, begins, clocks, facts, action, turn)
    return ScannedBatch(data, edges, facts, numbers[: begins[plies]], begins[: plies + 1], clocks[:plies])
