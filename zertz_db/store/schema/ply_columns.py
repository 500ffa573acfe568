"""Plies of games in columns of `_game`: clocks, and a letter for each ply. The view `_ply` computes a row for each ply from them.

A row for each ply would take three times the space, and a tenth of an import's time. The view is lazy: DuckDB splits the text of moves
only for queries that read the notation, and only for the games that a condition on `game` selects. A join selects no games: for the
plies of few games use `plies_sql`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from zertz_db.parser.vocabulary.terms import MoveKind

COLUMNS = ("ply_letters", "ply_clocks")
"""The columns of `_game` that only the view reads."""
KINDS = tuple(str(kind) for kind in MoveKind)
_FLAGS = ("mover", "forced", "sacrifice", "claim")
"""The lowest bits of a letter's number, from the first on; those of the kind follow. mover: player 2."""
_KIND_SHIFT = len(_FLAGS)
_FIRST_LETTER = ord("@")
"""The letter of a placement of player 1 with no flag; its lowest bits are 0."""
LETTERS_MEANING = (
    "a letter for each ply: its code is 64, plus 1 for player 2, 2 if no other move was legal, 4 if the opponent had to capture after it, "
    "8 if it claimed a group, and 16 for a capture or 32 for a pass"
)

NOTATIONS = r"""string_split(
                regexp_replace(replace(replace(movetext, ' ', '_'), 'x_', 'x '), '_x ([WGB])', ' x \1', 'g'), '_'
            )"""
"""SQL that splits a game's `movetext`: at each space except those behind an x, and before the x of a claim. An empty text has one part."""


def plies_sql(games: str = "_game") -> str:
    """Return SQL of the plies of some games: the columns of `_ply`. games: `_game`, or SQL of some of its rows."""
    kinds = " ".join(f"WHEN {number} THEN '{kind}'" for number, kind in enumerate(KINDS))
    return f"""
    SELECT game, ply::INTEGER AS ply, (1 + {_flag("mover")})::UTINYINT AS mover,
        CASE (letter >> {_KIND_SHIFT}) & 3 {kinds} END AS kind, notations[ply + 1] AS notation, clocks[ply + 1] AS clock,
        {_flag("forced")} = 1 AS forced, {_flag("claim")} = 1 AS claim, {_flag("sacrifice")} = 1 AS sacrifice
    FROM (
        SELECT game, ply, notations, clocks, ascii(letters[ply + 1]) AS letter FROM (
            SELECT id AS game, unnest(range(plies)) AS ply, {NOTATIONS} AS notations,
                ply_clocks AS clocks, string_split(ply_letters, '') AS letters
            FROM {games}
        )
    )
    """


def _flag(name: str) -> str:
    return f"((letter >> {_FLAGS.index(name)}) & 1)"


def plies_of(games: str) -> str:
    """Return SQL of the plies of games. games: SQL of their ids, in parentheses."""
    return f"({plies_sql(f'(FROM _game WHERE id IN {games})')})"


def build_ply_columns(lengths: Any, kinds: Any, clocks: pa.Array, **flags: Any) -> dict[str, pa.Array]:
    """Return the columns `ply_letters` and `ply_clocks` of games.

    lengths: each game's number of plies. Of all plies, one game after the other: the numbers of their kinds in KINDS, their clocks
    (int64, NULL for none), and mover (1 for player 2), forced, sacrifice and claim, each 0 or 1.
    """
    letters = np.full(len(clocks), _FIRST_LETTER, np.uint8) + (np.asarray(kinds).astype(np.uint8) << _KIND_SHIFT)
    for place, name in enumerate(_FLAGS):
        letters += np.asarray(flags[name]).astype(np.uint8) << place
    ends = np.cumsum(np.concatenate(([0], lengths))).astype(np.int32)
    clocked = np.concatenate(([0], np.cumsum(np.asarray(clocks.is_valid()))))
    has_none = clocked[ends[1:]] == clocked[ends[:-1]]
    return {
        "ply_letters": pa.StringArray.from_buffers(len(lengths), pa.py_buffer(ends), pa.py_buffer(letters)),
        "ply_clocks": pa.ListArray.from_arrays(ends, clocks, mask=pa.array(has_none)),
    }
