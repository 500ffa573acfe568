"""Write the positions of a board as arrays for learning (`.npz`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from zertz_db.export.dataset.dictionary import DictionaryRow
from zertz_db.export.dataset.public_ids import CHOSEN
from zertz_db.export.dataset.table_files import SPLIT_SQL
from zertz_db.parser.vocabulary.terms import MoveKind
from zertz_db.rules.board import STANDARD_BOARDS, standard_board
from zertz_db.rules.rule_sets import COLOURS, RULE_SETS
from zertz_db.store.schema.position_columns import COUNTS, STATE_COLUMNS

Array = npt.NDArray[Any]

SPLITS = ("train", "validation", "test")
KINDS = ("end", *map(str, MoveKind))
UNKNOWN_SCORE = -2
_ARRAYS = (
    ("rings", "text (rings)", "names of the rings, in the order of `board` and `move`"),
    ("board", "uint8 (positions, rings)", "0 no ring, 1 vacant, 2 white, 3 grey, 4 black"),
    ("counts", "uint8 (positions, 3, 3)", "pool, captures of player 1 and of player 2; each white, grey, black"),
    ("side", "uint8 (positions)", "the player to move: 1 or 2"),
    (
        "move",
        "int16 (positions, 4)",
        "the move played: kind (0 the game ended here, 1 placement, 2 capture, 3 pass); colour of a placed marble (0 white, 1 grey, "
        "2 black); its ring, or the ring where a capture begins; the removed ring, or the ring where a capture ends; -1 for none",
    ),
    ("score", "int8 (positions)", "result for the side to move: 1 won, 0 a tie or both lost, -1 lost, -2 unknown"),
    ("ply", "int16 (positions)", "number of plies before the position"),
    ("game", "int32 (positions)", "number of the game in `games`"),
    ("games", "text (games)", "ids of the games"),
    ("split", "uint8 (games)", "0 train, 1 validation, 2 test; as in games.parquet"),
    ("rule_set", "uint8 (games)", "0 standard, 1 blitz"),
)
_UNITS = {"counts": "marbles", "ply": "plies", "score": "points"}


def describe_arrays() -> list[DictionaryRow]:
    """Return the rows of the dictionary about the arrays of a file of positions."""
    return [
        DictionaryRow(
            "positions-BOARD.npz", name, kind, _UNITS.get(name, "code" if "int" in kind else ""), False, meaning
        )
        for name, kind, meaning in _ARRAYS
    ]


def write_arrays(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, int]:
    """Write a file for each standard board that the chosen games have; return the numbers of positions by the files' names."""
    written = {}
    for board in STANDARD_BOARDS:
        arrays = _build_arrays(connection, board)
        if len(arrays["ply"]):
            name = f"positions-{board}.npz"
            np.savez_compressed(folder / name, **arrays)
            written[name] = len(arrays["ply"])
    return written


def _build_arrays(connection: duckdb.DuckDBPyConnection, board: str) -> dict[str, Any]:
    rings = standard_board(board).rings
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE dataset_board AS "
        f"SELECT id, public, {SPLIT_SQL} AS split, rule_set, row_number() OVER (ORDER BY number) - 1 AS place "
        f"FROM {CHOSEN} JOIN _game USING (id) WHERE board = ?",
        [board],
    )
    games = connection.execute("SELECT public, split, rule_set FROM dataset_board ORDER BY place").fetchall()
    columns: dict[str, Any] = connection.execute(_POSITIONS, [list(rings)]).fetchnumpy()
    return {
        "rings": np.array(rings),
        "board": _unpack(columns, len(rings)),
        "counts": np.stack([columns[name] for name in COUNTS], axis=1).reshape(-1, 3, 3).astype(np.uint8),
        "side": _plain(columns["side"]).astype(np.uint8),
        "move": np.stack([_plain(columns[name]) for name in ("kind", "colour", "ring", "other")], axis=1).astype(
            np.int16
        ),
        "score": _plain(columns["score"]).astype(np.int8),
        "ply": _plain(columns["ply"]).astype(np.int16),
        "game": _plain(columns["place"]).astype(np.int32),
        "games": np.array([public for public, _, _ in games], dtype="U13"),
        "split": np.array([SPLITS.index(split) for _, split, _ in games], np.uint8),
        "rule_set": np.array([list(RULE_SETS).index(rules) for _, _, rules in games], np.uint8),
    }


def _unpack(columns: dict[str, Any], rings: int) -> Array:
    """Return the content of each ring of each position."""
    held = np.zeros((len(columns["ply"]), rings), np.uint8)
    bits = np.arange(rings, dtype=np.int64)
    for content, name in enumerate(_CONTENTS, start=1):
        for begin in range(
            0, len(held), _AT_ONCE
        ):  # the bits of all positions at once would take eight times the memory
            some = slice(begin, begin + _AT_ONCE)
            held[some][(_plain(columns[name])[some, None] >> bits & 1).astype(bool)] = content
    return held


def _plain(values: Array) -> Array:
    """Return a column as a plain array; none of these has a NULL."""
    return np.ma.getdata(values)


_CONTENTS = ("rings", "white", "grey", "black")
_AT_ONCE = 100_000
_PLACED, _REMOVED = "^[WGB]([a-q][0-9]+)", "^[WGB][a-q][0-9]+,([a-q][0-9]+)"
_FROM, _TO = "^x ([a-q][0-9]+)", "^x .*[WGB]([a-q][0-9]+)$"


def _ring(placement: str, capture: str) -> str:
    """Return SQL for the number of the ring that matches one of these patterns in the notation of a ply; -1 without one."""
    pattern = f"CASE kind WHEN 'placement' THEN '{placement}' ELSE '{capture}' END"
    return f"coalesce(list_position(ring_names, regexp_extract(notation, {pattern}, 1)), 0) - 1"


_POSITIONS = f"""
    WITH named AS (SELECT ?::VARCHAR[] AS ring_names)
    SELECT
        {STATE_COLUMNS}, side, p.ply, place, coalesce(score, {UNKNOWN_SCORE}) AS score,
        coalesce(list_position({list(KINDS)}, kind) - 1, 0) AS kind,
        CASE kind WHEN 'placement' THEN strpos('{COLOURS}', notation[1]) - 1 ELSE -1 END AS colour,
        {_ring(_PLACED, _FROM)} AS ring,
        {_ring(_REMOVED, _TO)} AS other
    FROM _position p JOIN dataset_board ON p.game = dataset_board.id LEFT JOIN _ply USING (game, ply), named
    ORDER BY place, p.ply
"""
