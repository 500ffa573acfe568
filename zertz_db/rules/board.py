"""Build boards: rings on a hexagonal lattice, with every table that follows from their places.

A ring's name is its column (a letter, from the left) and its number in the column (from the bottom). Its place on the lattice is (column,
height), with heights in half steps: the six neighbours of (x, y) are (x, y±2) and (x±1, y±1). Source: rules, section 1.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, wraps
from threading import Lock
from typing import NamedTuple, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from zertz_db.errors import UserMistake
from zertz_db.parser.vocabulary.board_names import COLUMNS, board_named

LARGEST_COLUMN = 12
LARGEST_BOARD = 128
LARGEST_COMPILED_BOARD = 63
"""Maximum number of rings for which a set fits a signed 64-bit integer."""

RING = re.compile(r"[a-q](?:1[0-2]|[1-9])")

DIRECTIONS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""The six neighbours in a circle: consecutive sides of a ring are consecutive directions."""

SHAPE_SPAN = 64
"""Side in lattice steps of the square on which shapes are hashed. Every board must fit it in every orientation."""

_STANDARD: dict[str, tuple[tuple[int, ...], tuple[int, ...] | None]] = {
    "37": ((4, 5, 6, 7, 6, 5, 4), None),
    "40": ((5, 6, 7, 7, 6, 5, 4), (-5, -6, -7, -6, -5, -4, -3)),
    "43": ((5, 6, 7, 7, 6, 5, 4, 3), (-5, -6, -7, -6, -5, -4, -3, -2)),
    "44": ((5, 6, 7, 8, 7, 6, 5), None),
    "48": ((5, 6, 7, 8, 7, 6, 5, 4), None),
    "61": ((5, 6, 7, 8, 9, 8, 7, 6, 5), None),
}
"""Column lengths, and the height of each column's first ring if the board is not centred."""

STANDARD_BOARDS = tuple(_STANDARD)


class BoardError(UserMistake):
    """The rings are not a board: off the lattice, too many, or named twice."""


class Column(NamedTuple):
    """A column's letter, the height of its ring number 1 in half steps, and its number of ring numbers (rings or gaps)."""

    letter: str
    bottom: int
    length: int


class Tables(NamedTuple):
    """A board's tables for the kernel, as flat sequences of integers (lists, or int64 arrays once compiled).

    neighbour, landing: for ring r and direction d at 6r+d, the adjacent ring and the next one in that direction, -1 without one (or after a
    hole).
    around: for each ring the set of its neighbours. image: for symmetry s and ring r at s*rings+r, the image of r. zobrist: for each ring r
    holding k (0 vacant, 1 to 3 a marble), under each symmetry s, a random number for its image, at (4r+k)*symmetries+s.

    The others describe the 12 turns and reflections t of the lattice. axes: the rings' coordinates on the three axes of the lattice, at 3r.
    line: the sets of rings with equal coordinate on one of these axes, at 3r. turned: the axes (0 to 2, or reversed 3 to 5) that become the
    first and second coordinate, at 2t. shape_place: the number of the place at (first, second) coordinates, at 12r+t. shape_zobrist: a
    random number for each place and holding.
    """

    rings: int
    symmetries: int
    neighbour: Sequence[int]
    landing: Sequence[int]
    around: Sequence[int]
    image: Sequence[int]
    zobrist: Sequence[int]
    axes: Sequence[int]
    line: Sequence[int]
    turned: Sequence[int]
    shape_place: Sequence[int]
    shape_zobrist: Sequence[int]


def random_numbers(seed: str, count: int) -> list[int]:
    """Return `count` signed 64-bit numbers, equal on every machine and in every version: databases store them."""
    stream = hashlib.shake_256(f"zertz {seed}".encode()).digest(8 * count)
    return [int.from_bytes(stream[i : i + 8], "little", signed=True) for i in range(0, 8 * count, 8)]


@cache
def _shape_numbers() -> list[int]:
    return random_numbers("shape", SHAPE_SPAN * SHAPE_SPAN * 4)


def _turn(q: int, r: int, sixths: int, mirrored: bool) -> tuple[int, int]:
    """Return axial coordinates after a number of sixths of a turn, optionally mirrored first."""
    if mirrored:
        q, r = r, q
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r


def _turned_axes(sixths: int, mirrored: bool) -> tuple[int, int]:
    """Return the axes (q, r, -q-r, or their negatives) of the coordinates after a turn, found with a point whose coordinates differ."""
    q, r = 1, 10
    axes = (q, r, -q - r, -q, -r, q + r)
    first, second = _turn(q, r, sixths, mirrored)
    return axes.index(first), axes.index(second)


TURNS = tuple((sixths, mirrored) for mirrored in (False, True) for sixths in range(6))
"""The twelve symmetries of the lattice around a point."""


def _places_of(columns: Iterable[Column]) -> dict[str, tuple[int, int]]:
    return {
        f"{column.letter}{number}": (COLUMNS.index(column.letter), column.bottom + 2 * (number - 1))
        for column in columns
        for number in range(1, column.length + 1)
    }


class Board:
    """A set of rings and the tables computed from it. `standard_board` and `custom_board` make boards, which never change.

    >>> board = standard_board("37")
    >>> len(board.rings), board.rings[0], len(board.symmetries)
    (37, 'a1', 12)
    """

    def __init__(self, name: str, columns: Iterable[Column], present: Iterable[str] | None = None) -> None:
        """Build a board of the rings `present` (default: all of its columns'); prefer `standard_board` or `custom_board`."""
        self.name = name
        self.columns = tuple(sorted(columns))
        places = _places_of(self.columns)
        selected = places.keys() if present is None else frozenset(present)
        unplaced = selected - places.keys()
        if unplaced:
            raise BoardError(f"no column has a place for ring {min(unplaced)}")
        self.rings: tuple[str, ...] = tuple(ring for ring in places if ring in selected)
        """The rings' names, column by column from the left, each from the bottom."""
        self.places: tuple[tuple[int, int], ...] = tuple(places[ring] for ring in self.rings)
        """(column, height) of each ring."""
        if not 1 <= len(self.rings) <= LARGEST_BOARD:
            raise BoardError(f"a board has 1 to {LARGEST_BOARD} rings, not {len(self.rings)}")
        if len({(x + y) % 2 for x, y in self.places}) > 1:
            raise BoardError("neighbouring columns must be half a step apart: a column's height is off by one")
        axes = zip(*((q, r, q + r) for q, r in self.axial), strict=True)
        if any(max(axis) - min(axis) >= SHAPE_SPAN for axis in axes):
            raise BoardError(f"the rings are too far apart: a board spans at most {SHAPE_SPAN} in every direction")
        self.index: dict[str, int] = {ring: number for number, ring in enumerate(self.rings)}

    def __repr__(self) -> str:
        return f"<Board {self.name}, {len(self.rings)} rings>"

    @cached_property
    def ring_places(self) -> dict[str, tuple[int, int]]:
        """Return the place of each ring and of each gap in a column: (column, height)."""
        return _places_of(self.columns)

    @property
    def is_custom(self) -> bool:
        """Return whether only the position string describes the rings."""
        return self.name == "custom"

    @cached_property
    def everything(self) -> int:
        """Return the set of all rings."""
        return (1 << len(self.rings)) - 1

    @cached_property
    def axial(self) -> tuple[tuple[int, int], ...]:
        """Return axial lattice coordinates of each ring: neighbours differ by (0, 1), (1, 0), (1, -1) or their negatives."""
        odd = sum(self.places[0]) % 2
        return tuple((x, (y - x - odd) // 2) for x, y in self.places)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Return the turns and reflections of the board onto itself, each as the image of every ring. The first leaves all in place."""
        images = []
        at = {place: ring for ring, place in enumerate(self.axial)}
        corner = (min(q for q, _ in self.axial), min(r for _, r in self.axial))
        for sixths, mirrored in TURNS:
            turned = [_turn(q, r, sixths, mirrored) for q, r in self.axial]
            q0 = corner[0] - min(q for q, _ in turned)
            r0 = corner[1] - min(r for _, r in turned)
            image = tuple(at.get((q + q0, r + r0), -1) for q, r in turned)
            if -1 not in image:
                images.append(image)
        return tuple(images)

    @cached_property
    def around(self) -> list[int]:
        """Return for each ring the set of its neighbours."""
        at = {place: ring for ring, place in enumerate(self.places)}
        return [sum(1 << at[x + dx, y + dy] for dx, dy in DIRECTIONS if (x + dx, y + dy) in at) for x, y in self.places]

    @cached_property
    def tables(self) -> Tables:
        """Return the board's tables for the kernel."""
        at = {place: ring for ring, place in enumerate(self.places)}
        neighbour = [at.get((x + dx, y + dy), -1) for x, y in self.places for dx, dy in DIRECTIONS]
        beyond = [at.get((x + 2 * dx, y + 2 * dy), -1) for x, y in self.places for dx, dy in DIRECTIONS]
        landing = [far if near >= 0 else -1 for near, far in zip(neighbour, beyond, strict=True)]
        count = len(self.rings)
        numbers = random_numbers(self.description, 4 * count)
        coordinates = [(q, r, -q - r) for q, r in self.axial]
        lines: dict[tuple[int, int], int] = defaultdict(int)
        for ring, place in enumerate(coordinates):
            for axis_and_coordinate in enumerate(place):
                lines[axis_and_coordinate] |= 1 << ring
        turned = [_turn(q, r, sixths, mirrored) for q, r in self.axial for sixths, mirrored in TURNS]
        return Tables(
            rings=count,
            symmetries=len(self.symmetries),
            neighbour=neighbour,
            landing=landing,
            around=self.around,
            image=[ring for image in self.symmetries for ring in image],
            zobrist=[
                numbers[4 * image[ring] + held]
                for ring in range(count)
                for held in range(4)
                for image in self.symmetries
            ],
            axes=[coordinate for place in coordinates for coordinate in place],
            line=[lines[at] for place in coordinates for at in enumerate(place)],
            turned=[axis for sixths, mirrored in TURNS for axis in _turned_axes(sixths, mirrored)],
            shape_place=[q * SHAPE_SPAN + r for q, r in turned],
            shape_zobrist=_shape_numbers(),
        )

    @cached_property
    def description(self) -> str:
        """Return the identity of the board: its name, and for a custom one every ring with its place."""
        if not self.is_custom:
            return self.name
        return "custom " + " ".join(f"{ring}:{y}" for ring, (_, y) in zip(self.rings, self.places, strict=True))

    def adjacencies(self) -> int:
        """Return the number of adjacent pairs of rings."""
        return sum(n >= 0 for n in self.tables.neighbour) // 2


Made = TypeVar("Made")


def for_each_board(make: Callable[[Board], Made]) -> Callable[[Board], Made]:
    """Cache a function's result for each board as long as the board exists. The result must not refer to the board."""
    made: WeakKeyDictionary[Board, Made] = WeakKeyDictionary()

    @wraps(make)
    def get_or_make(board: Board) -> Made:
        cached = made.get(board)
        return cached if cached is not None else made.setdefault(board, make(board))

    return get_or_make


def standard_board(name: str) -> Board:
    """Return the board 37, 40, 43, 44, 48 or 61, by any name that `board_named` knows, as `ZÈRTZ+11` or `48 rings`.

    Raises BoardError for any other name.
    """
    known = board_named(name)
    if known not in _STANDARD:
        raise BoardError(f"no standard board is called {name!r}; there are {', '.join(STANDARD_BOARDS)}")
    return _standard_board(known)


@cache
def _standard_board(name: str) -> Board:
    lengths, bottoms = _STANDARD[name]
    bottoms = bottoms or tuple(1 - length for length in lengths)
    return Board(name, map(Column, COLUMNS, bottoms, lengths))


def custom_board(columns: tuple[Column, ...], present: frozenset[str]) -> Board:
    """Return a board of the rings `present` in `columns` (which give each ring's place; gaps have a number but no ring).

    Equal calls return one object while it is in use. Unused boards are dropped: clients may send a service any number of them.
    """
    with _making:
        board = _custom.get((columns, present))
        if board is None:
            board = _custom[columns, present] = _custom_board(columns, present)
        return board


_making = Lock()
_custom: WeakValueDictionary[tuple[tuple[Column, ...], frozenset[str]], Board] = WeakValueDictionary()


def _custom_board(columns: tuple[Column, ...], present: frozenset[str]) -> Board:
    if len({column.letter for column in columns}) < len(columns):
        raise BoardError("a column is named twice")
    for column in columns:
        if column.letter not in COLUMNS:
            raise BoardError(f"no column is called {column.letter!r}; they are a to {COLUMNS[-1]}")
        if not 1 <= column.length <= LARGEST_COLUMN:
            raise BoardError(f"column {column.letter} has {column.length} places; 1 to {LARGEST_COLUMN} are possible")
    return Board("custom", columns, present)


def server_board(rings: Iterable[str]) -> Board:
    """Return the custom board of the game server's variant Zertz+xx: row k of columns a, c, e … at height 2k+1, of b, d, f … at 2k+2.

    Rows keep their numbers, so a column's gaps below its first ring count. Raises BoardError. Source: formats, section 0.1.
    """
    present = frozenset(rings)
    for ring in present:
        if not RING.fullmatch(ring):
            raise BoardError(f"no ring is called {ring!r}; they are a1 to {COLUMNS[-1]}{LARGEST_COLUMN}")
    tops: dict[str, int] = {}
    for ring in present:
        tops[ring[0]] = max(tops.get(ring[0], 0), int(ring[1:]))
    columns = tuple(Column(letter, 3 + COLUMNS.index(letter) % 2, top) for letter, top in sorted(tops.items()))
    return custom_board(columns, present)
