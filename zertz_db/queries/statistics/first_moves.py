"""How games begin: how many of a board's first moves were played, and how the first mover did by the ring that he removed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from zertz_db.queries.openings.names import place
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped, with_shares
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS
from zertz_db.store.folder.database import Database


def count_first_moves(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Count the distinct first moves of games that began on an empty standard board: those played, and those there are.

    Moves that are turned or mirrored into one another are one.
    """
    return grouped(
        database,
        filters,
        by,
        _MOVES,
        source="started JOIN boards USING (begun)",
        columns=_COLUMNS,
        tables=_boards(),
        divided=_divided(by),
    )


def first_rings(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Tell how often the first mover won by the ring that he removed first, in games that began on an empty standard board.

    Rings that are turned or mirrored into one another are one, which is called by the first of them.
    """
    source = f"started JOIN rings ON rings.begun = started.begun AND number = {_REMOVED}"
    divided = [*_divided(by, "started.begun"), _RING]
    order = "".join(f"{group.key}, " for group in divided[:-1]) + "games DESC, ring"
    found = grouped(
        database, filters, by, _RINGS, source=source, columns=_COLUMNS, tables=_rings(), divided=divided, order=order
    )
    return with_shares(found, "first", "decided", "share that the first mover won")


def distinct_first_moves(board: Board) -> int:
    """Count the first moves of a board that no symmetry makes equal: pairs of rings that a symmetry leaves in place (Burnside).

    >>> distinct_first_moves(standard_board("37"))
    171
    """
    start = Position.start(board)
    free = [board.index[ring] for ring in start.free_rings]
    kept = [
        sum(image[ring] == ring for ring in free) * (sum(image[ring] == ring for ring in range(len(image))) - 1)
        for image in board.symmetries
    ]
    return len(COLOURS) * sum(kept) // len(board.symmetries)


def ring_names(board: Board) -> dict[int, str]:
    """Name each ring, by its number, after the first one that a symmetry of the board takes it to."""
    return {ring: board.rings[min(image[ring] for image in board.symmetries)] for ring in range(len(board.rings))}


DISTINCT_FIRST_MOVES = {"37": 171, "40": 1116, "43": 1260, "44": 660, "48": 498, "61": 378}
"""Results of `distinct_first_moves` for the standard boards: finding them takes a tenth of the time of `zertz stats`."""


@cache
def _boards() -> str:
    rows = [f"('{name}', {moves})" for name, moves in DISTINCT_FIRST_MOVES.items()]
    return f"{_STARTED}, boards(begun, possible) AS (VALUES {', '.join(rows)})"


@cache
def _rings() -> str:
    """Return the table of games, and that of rings. DuckDB plans texts that it splits in a tenth of the time that rows of values take."""
    rows = [
        (name, str(number), ring, place(standard_board(name), ring))
        for name in STANDARD_BOARDS
        for number, ring in ring_names(standard_board(name)).items()
    ]
    texts = (",".join(column) for column in zip(*rows, strict=True))
    begun, number, ring, places = (f"unnest(string_split('{text}', ','))" for text in texts)
    columns = f"{begun} AS begun, {number}::INTEGER AS number, {ring} AS ring, {places} AS place"
    return f"{_STARTED}, rings AS (SELECT {columns})"


def _divided(by: Sequence[str], key: str = "begun") -> list[Group]:
    """The board, unless the games are divided by it already."""
    return [] if "board" in by else [Group("board", "the board", key)]


_COLUMNS = ("first_move", "board AS begun", "start")
_STARTED = "started AS (SELECT * FROM chosen WHERE start IS NULL AND first_move IS NOT NULL)"
_REMOVED = "first_move // 4096 - 1"
"""The ring that a placement removes, by its number on the board in canonical orientation (`zertz_db.rules.position_keys.move_code`)."""
_MOVES = (
    Measure("games", "games with a first move", "count(*)"),
    Measure("played", "distinct first moves in these games", "count(DISTINCT first_move)"),
    Measure("possible", "distinct first moves that there are on this board", "any_value(possible)"),
)
_RING = Group("ring", "the ring removed first, or one that a symmetry of the board takes there", "ring")
_RINGS = (
    Measure("place", "where it lies: a corner of the board, or elsewhere on its edge", "any_value(place)"),
    Measure("games", "games that began so", "count(*)"),
    Measure("first", "won by the first mover", "count(*) FILTER (winner = 1)"),
    Measure("decided", "won by the first or the second mover", "count(*) FILTER (winner IN (1, 2))"),
)
