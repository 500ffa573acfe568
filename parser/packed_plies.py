"""Pack plies as numbers, for readers of thousands of records; build Ply objects only on demand.

A placement is `0, colour, ring, removed ring or -1, rack, 0, 0, 0, 0`, a capture `1, ring, (jumped colour or -1, landing ring)…`, a pass
`2`. Colours are 0 white, 1 grey, 2 black. Racks are -1 not stated, 0 the pool, 1 the mover's captures, 2 the opponent's. Rings are numbered
over all boards, from FIRST_RING on (`ring_number`), so a caller who knows the board can translate them in one operation. The numbers of a
ply are stored as bytes (`pack`), so those of thousands can be joined in one operation too.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Any, overload

from zertz_db.parser.record import Ply
from zertz_db.parser.vocabulary.board_names import COLUMNS

PLACE, JUMP, SKIP = 0, 1, 2
RACK_UNSAID, RACK_POOL, RACK_OWN, RACK_OTHER = -1, 0, 1, 2

FIRST_RING = 1000
ROWS = 12
"""Rings in the longest column."""
LAST_RING = FIRST_RING + ROWS * len(COLUMNS)


def ring_number(ring: str) -> int:
    """Return the number of a ring's name, whatever the board.

    >>> ring_number("a1"), ring_number("b12")
    (1000, 1023)
    """
    return FIRST_RING + ROWS * COLUMNS.index(ring[0]) + int(ring[1:]) - 1


def ring_name(number: int) -> str:
    """Return the name of a ring by its number.

    >>> ring_name(1000), ring_name(1023)
    ('a1', 'b12')
    """
    column, row = divmod(number - FIRST_RING, ROWS)
    return f"{COLUMNS[column]}{row + 1}"


NUMBER_SIZE = 8
"""Bytes of a number."""


def pack(*numbers: int) -> bytes:
    """Return numbers as bytes, signed and of 64 bits."""
    return struct.pack(f"={len(numbers)}q", *numbers)


class PackedPlies(Sequence[Ply]):
    """Plies without comments, marks or variations, of alternating players; player 1 begins.

    codes: each ply's numbers as bytes. times: each ply's clock in milliseconds as written, or an empty text. claims: the claims that plies
    state, by the ply's index: (colour, ring) each. `read` returns the Plies themselves by the full parse; it is called on the first access
    to one of them.
    """

    def __init__(
        self,
        codes: list[bytes],
        times: list[str],
        read: Callable[[], tuple[Ply, ...]],
        claims: Mapping[int, tuple[tuple[int, int], ...]] = MappingProxyType({}),
    ) -> None:
        self.codes = codes
        self.times = times
        self.claims = claims
        self._read = read

    @cached_property
    def begins(self) -> list[int]:
        """Return the index of each ply's first number, and the end of the last ply."""
        return [size // NUMBER_SIZE for size in accumulate(map(len, self.codes), initial=0)]

    @cached_property
    def numbers(self) -> Sequence[int]:
        """Return the numbers of all plies: ply p is numbers[begins[p]:begins[p+1]]."""
        return memoryview(b"".join(self.codes)).cast("q")

    @property
    def clocks(self) -> list[int | None]:
        """Return each ply's clock in milliseconds, or None, as `Ply.clock`."""
        return [int(time) if time else None for time in self.times]

    @property
    def has_clocks(self) -> bool:
        """Return whether any ply has a clock."""
        return any(self.times)

    @cached_property
    def plies(self) -> tuple[Ply, ...]:
        """Return the Plies themselves."""
        return self._read()

    def __len__(self) -> int:
        return len(self.codes)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without derived values; `read` must be picklable."""
        return PackedPlies, (self.codes, self.times, self._read, dict(self.claims))

    @overload
    def __getitem__(self, index: int) -> Ply: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Ply, ...]: ...
    def __getitem__(self, index: int | slice) -> Ply | tuple[Ply, ...]:
        return self.plies[index]

    def __eq__(self, other: object) -> bool:
        return self.plies == (other.plies if isinstance(other, PackedPlies) else other)

    def __hash__(self) -> int:
        return hash(self.plies)

    def __repr__(self) -> str:
        return repr(self.plies)
