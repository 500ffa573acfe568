"""Moves of a board as numbers: made from the stored codes of many positions at once, and written in official notation.

A number is one for one with a notation without claims, so that moves can be counted before they are written. It has the kind in its two
lowest bits. A placement adds 4 x (colour + 4 x (ring + 256 x (removed ring + 1))). A capture adds 4 x (ring + 256 x its jumps), five
bits each, the first lowest: the direction plus one, and 8 x the colour of the marble.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.rules.bit_counts import count_bits
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.kernel import JUMP, PLACE
from zertz_db.rules.position_keys import NO_MOVE_CODE
from zertz_db.rules.rule_sets import COLOURS
from zertz_db.store.schema.ply_columns import plies_of
from zertz_db.store.schema.position_columns import RING_SETS

UNCLEAR = -1
"""The number of a move that a code does not tell: in a position with symmetries of its own, on a wide board, or of very many jumps."""
_JUMPS = 9
"""Maximum number of jumps of a number."""
_LARGEST = 4 * 256 * 7**_JUMPS
_STEP = 5
"""Number of bits of a jump."""
_CACHED_BOARDS = 256
_BLOCK = 1 << 15
"""Number of positions whose moves are found at once."""
_FEW_GAMES = 500


class StoredMoves(NamedTuple):
    """Moves of some positions on a board.

    codes, symmetries: `next_move` and `symmetry` of `_position`, NO_MOVE_CODE where the game ended. sets: the positions' sets of rings
    (RING_SETS). All are arrays with an element for each position.
    """

    codes: Any
    symmetries: Any
    sets: Sequence[Any]


def number_moves(
    connection: duckdb.DuckDBPyConnection, matching: pa.Table, parts: Sequence[tuple[Board, StoredMoves]]
) -> Callable[[Board, int], str]:
    """Create the temporary view `found` of matches with the numbers of their next moves, in a column `next`.

    parts: the moves, in the order of the matches, which have at least the columns game and ply. Return what writes a move of a board
    without claims. Moves that their codes don't tell are read from the table of plies.
    """
    by_board: dict[Board, list[int]] = defaultdict(list)
    for place, (board, _) in enumerate(parts):
        by_board[board].append(place)
    numbers: dict[int, Any] = {}
    for board, places in by_board.items():
        found = find_move_numbers(board).find_all([parts[place][1] for place in places])
        numbers.update(zip(places, found, strict=True))
    following = pa.chunked_array([numbers[place] for place in range(len(parts))], pa.int64())
    connection.register("matching", matching.add_column(matching.num_columns - 1, "next", following))
    connection.execute("CREATE OR REPLACE TEMP VIEW found AS FROM matching")
    unclear = _read_unclear(connection)

    def write(board: Board, number: int) -> str:
        return unclear.get(number) or find_move_numbers(board).write(number)

    return write


def _read_unclear(connection: duckdb.DuckDBPyConnection) -> dict[int, str]:
    """Number the unclear moves of the view `found` by their notations; return these by their numbers."""
    games = [str(game) for (game,) in connection.execute(_UNCLEAR_GAMES).fetchall()]
    if not games:
        return {}
    # A join would read the moves of every game.
    plies = plies_of(f"({', '.join(games)})") if len(games) <= _FEW_GAMES else "_ply"
    connection.execute(_READ_UNCLEAR.format(plies))
    return dict(connection.execute("SELECT DISTINCT number, notation FROM unclear").fetchall())


class MoveNumbers:
    """The moves of a board."""

    def __init__(self, board: Board) -> None:
        """board: of any size; on more than 63 rings all moves are unclear."""
        self._board = board
        self._is_narrow = len(board.rings) <= LARGEST_COMPILED_BOARD

    def find_all(self, parts: Sequence[StoredMoves]) -> list[pa.Array]:
        """Return the numbers of all moves, or UNCLEAR, empty where a game ended; an array for each part."""
        codes, symmetries = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
        sets = [np.concatenate([part.sets[place] for part in parts]) for place in range(len(RING_SETS))]
        starts = range(0, len(codes), _BLOCK)
        blocks = (slice(start, start + _BLOCK) for start in starts)
        found = [self.find(StoredMoves(codes[at], symmetries[at], [held[at] for held in sets])) for at in blocks]
        numbers = pa.array(np.concatenate([*found, np.empty(0, np.int64)]), mask=codes == NO_MOVE_CODE)
        ends = np.cumsum([0, *(len(part.codes) for part in parts)])
        return [numbers[start:end] for start, end in pairwise(ends)]

    def find(self, moves: StoredMoves) -> Any:
        """Return the number of each move, or UNCLEAR; any number where a game ended."""
        codes, symmetries, sets = moves
        if not self._is_narrow:
            return np.full(len(codes), UNCLEAR)
        kinds, rests = codes & 3, codes >> 2
        numbers = codes.copy()
        for kind, find in ((PLACE, self._placements), (JUMP, self._captures)):
            rows = np.flatnonzero(kinds == kind)
            numbers[rows] = 4 * find(rests[rows], symmetries[rows], [held[rows] for held in sets]) + kind
        numbers[codes >= _LARGEST] = UNCLEAR
        numbers[self._symmetric(sets)] = UNCLEAR
        return numbers

    def write(self, number: int) -> str:
        """Return a move in official notation without claims."""
        kind, rest = number % 4, number // 4
        names = self._board.rings
        if kind == PLACE:
            colour, ring, removed = rest % 4, rest // 4 % 256, rest // 1024
            return f"{COLOURS[colour]}{names[ring]}" + (f",{names[removed - 1]}" if removed else "")
        if kind != JUMP:
            return "-"
        ring, jumps = rest % 256, rest // 256
        text = f"x {names[ring]}"
        while jumps:
            jumps, jump = divmod(jumps, 1 << _STEP)
            ring = self._board.tables.landing[6 * ring + jump % 8 - 1]
            text += f"{COLOURS[jump // 8]}{names[ring]}"
        return text

    def _placements(self, rests: Any, symmetries: Any, _: Sequence[Any]) -> Any:
        colours, rests = rests & 3, rests >> 2
        rings, removed = self._back[symmetries, rests & 255], rests >> 8
        removed = np.where(removed, self._back[symmetries, removed - 1] + 1, 0)
        return colours + 4 * (rings + 256 * removed)

    def _captures(self, rests: Any, symmetries: Any, sets: Sequence[Any]) -> Any:
        rings, digits = self._back[symmetries, rests & 255], rests >> 8
        numbers = rings.copy()
        for jump in range(_JUMPS):
            rows = np.flatnonzero(digits)
            if not len(rows):
                break
            digits, digit = np.divmod(digits, 7)
            directions = self._directions[symmetries[rows], digit[rows] - 1]
            places = 6 * rings[rows] + directions
            over = self._neighbour[places]
            white_or_black, grey_or_black = (held[rows] >> over & 1 for held in sets[1:])
            colours = grey_or_black + (white_or_black & grey_or_black)
            numbers[rows] |= (directions + 1 + 8 * colours) << (8 + _STEP * jump)
            rings[rows] = self._landing[places]
        return numbers

    def _symmetric(self, sets: Sequence[Any]) -> Any:
        """Return the rows of positions that a symmetry of the board leaves as they are."""
        found = []
        for image, half, other in self._balances:
            rows: Any = slice(None)
            for held in sets:
                some = held[rows]
                equal = np.flatnonzero(count_bits(some & half) == count_bits(some & other))
                rows = equal if isinstance(rows, slice) else rows[equal]
            for held in sets:
                if len(rows):
                    some = held[rows]
                    rows = rows[some == sum((some >> ring & 1) << turned for ring, turned in enumerate(image))]
            found.append(rows)
        return np.concatenate(found) if found else np.empty(0, np.int64)

    @cached_property
    def _balances(self) -> list[tuple[tuple[int, ...], int, int]]:
        """Return symmetries, each with two sets of rings, of which it lays one onto the other.

        The symmetries of a position include one that returns after two or three times: those are enough.
        """
        balances = []
        for image in self._board.symmetries[1:]:
            twice = [image[turned] for turned in image]
            if any(ring != turned for ring, turned in enumerate(twice)) and any(
                ring != image[turned] for ring, turned in enumerate(twice)
            ):
                continue
            half = other = 0
            for ring, turned in enumerate(image):
                if not (half | other) >> ring & 1 and not (half | other) >> turned & 1 and turned != ring:
                    half, other = half | 1 << ring, other | 1 << turned
            balances.append((image, half, other))
        return balances

    @cached_property
    def _back(self) -> Any:
        """Return for each symmetry the ring that it lays onto each ring."""
        return np.argsort(self._board.symmetries, axis=1)

    @cached_property
    def _directions(self) -> Any:
        """Return for each symmetry the direction that it turns into each direction."""
        found = np.zeros((len(self._board.symmetries), 6), np.int64)
        neighbours = self._neighbour.reshape(-1, 6)
        for number, image in enumerate(self._board.symmetries):
            for ring, direction in np.argwhere(neighbours >= 0):
                start, end = image[ring], image[neighbours[ring, direction]]
                found[number, int(np.flatnonzero(neighbours[start] == end)[0])] = direction
        return found

    @cached_property
    def _neighbour(self) -> Any:
        return np.array(self._board.tables.neighbour)

    @cached_property
    def _landing(self) -> Any:
        return np.array(self._board.tables.landing)


@lru_cache(_CACHED_BOARDS)
def find_move_numbers(board: Board) -> MoveNumbers:
    """Return the moves of a board."""
    return MoveNumbers(board)


_UNCLEAR_GAMES = f"SELECT DISTINCT game FROM matching WHERE next = {UNCLEAR}"
_READ_UNCLEAR = f"""
    CREATE OR REPLACE TEMP TABLE unclear AS
        SELECT game, ply, notation, {UNCLEAR} - dense_rank() OVER (ORDER BY notation) AS number
        FROM (SELECT game, ply FROM matching WHERE next = {UNCLEAR}) JOIN {{}} USING (game, ply);
    CREATE OR REPLACE TEMP VIEW found AS
        SELECT matching.* REPLACE (coalesce(number, next) AS next) FROM matching LEFT JOIN unclear USING (game, ply)
"""
