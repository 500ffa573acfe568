"""Plies as numbers, for those who read records by the thousand; as Plies only when somebody looks at them.

A placement is `0, colour, ring, removed ring or -1, rack, 0, 0, 0, 0`, a capture `1, ring, (jumped colour or -1, landing ring)…`, a pass
`2`. Colours are 0 white, 1 grey, 2 black. Racks are -1 not said, 0 the pool, 1 the mover's captures, 2 the opponent's. Rings are
numbered over all boards, from FIRST_RING on (`ring_number`), so that whoever knows the board can translate them at a stroke.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import overload

from parser.record import Ply

PLACE, JUMP, SKIP = 0, 1, 2
RACK_UNSAID, RACK_POOL, RACK_OWN, RACK_OTHER = -1, 0, 1, 2

FIRST_RING = 1000
ROWS = 12
"""Rings in the longest column."""
COLUMNS = "abcdefghijklmnopq"
LAST_RING = FIRST_RING + ROWS * len(COLUMNS)


def ring_number(ring: str) -> int:
    """The number of a ring's name, whatever the board.

    >>> ring_number("a1"), ring_number("b12")
    (1000, 1023)
    """
    return FIRST_RING + ROWS * COLUMNS.index(ring[0]) + int(ring[1:]) - 1


class PackedPlies(Sequence[Ply]):
    """Plies without comments, marks or variations, of players that take turns; player 1 begins.

    numbers, begins: ply p is numbers[begins[p]:begins[p+1]]. times: each ply's clock in milliseconds as written, or an empty text.
    claims: what plies say they claim, by the ply's index: (colour, ring) each. `read` gives the Plies themselves, the slow way; it is
    called when the first of them is looked at.
    """

    __slots__ = ("_plies", "_read", "begins", "claims", "numbers", "times")

    def __init__(
        self,
        numbers: list[int],
        begins: list[int],
        times: list[str],
        read: Callable[[], tuple[Ply, ...]],
        claims: Mapping[int, tuple[tuple[int, int], ...]] = MappingProxyType({}),
    ) -> None:
        self.numbers = numbers
        self.begins = begins
        self.times = times
        self.claims = claims
        self._read = read
        self._plies: tuple[Ply, ...] | None = None

    @property
    def clocks(self) -> list[int | None]:
        """Each ply's clock in milliseconds, or None, as `Ply.clock`."""
        return [int(time) if time else None for time in self.times]

    @property
    def has_clocks(self) -> bool:
        """Whether any ply has a clock."""
        return any(self.times)

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The Plies themselves."""
        if self._plies is None:
            self._plies = self._read()
        return self._plies

    def __len__(self) -> int:
        return len(self.begins) - 1

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
