"""Convert a record's plies to the integers that the kernel plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from zertz_db.parser.packed_plies import FIRST_RING, LAST_RING, PackedPlies, ring_number
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply
from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.kernel import JUMP, PLACE, RACK_OTHER, RACK_OWN, RACK_POOL, RACK_UNSAID, SKIP

_COLOUR = {"W": 0, "G": 1, "B": 2, None: -1}
_RACK = {None: RACK_UNSAID, "pool": RACK_POOL, "own": RACK_OWN, "other": RACK_OTHER}


class Code(NamedTuple):
    """Plies as integers: ply p is numbers[begins[p]:begins[p+1]].

    `unknown_ring` names the ring that the board never had at which encoding stopped: the next ply after the last one names it.
    """

    numbers: list[int]
    begins: list[int]
    unknown_ring: str | None = None

    def __len__(self) -> int:
        """Return the number of plies."""
        return len(self.begins) - 1


def encode(board: Board, plies: Sequence[Ply]) -> Code:
    """Encode plies for a board."""
    if isinstance(plies, PackedPlies):
        return _translated(board, plies)
    return encoded(board.index, plies)


@for_each_board
def translation(board: Board) -> list[int | None]:
    """Return the meaning of each number of a packed ply on a board: rings become the board's, None if it never had them."""
    table: list[int | None] = list(range(FIRST_RING))
    table += [None] * (LAST_RING - FIRST_RING)
    for ring, number in board.index.items():
        table[ring_number(ring)] = number
    return [*table, -1]  # the last one is found at -1


def _translated(board: Board, plies: PackedPlies) -> Code:
    table = translation(board)
    numbers = [table[number] for number in plies.numbers]
    claims = [(ply, colour, table[ring]) for ply, claim in plies.claims.items() for colour, ring in claim]
    if None in numbers or any(ring is None for _, _, ring in claims):
        return encoded(board.index, plies)
    for ply, colour, ring in claims:
        at = plies.begins[ply] + 5
        numbers[at] = 1
        numbers[at + 1 + colour] |= 1 << ring  # type: ignore[operator]
    return Code(cast(list[int], numbers), plies.begins)


def encoded(index: Mapping[str, int], plies: Iterable[Ply]) -> Code:
    """Encode plies one by one, by the numbers of a board's rings."""
    numbers: list[int] = []
    begins = [0]
    try:
        for ply in plies:
            if ply.kind == PLACEMENT:
                removed = index[ply.removed] if ply.removed else -1
                claims = _claims(index, ply.claim) if ply.claim else (0, 0, 0, 0)
                numbers += (PLACE, _COLOUR[ply.colour], index[ply.ring], removed, _RACK[ply.taken_from], *claims)
            elif ply.kind == CAPTURE:
                code_of_jumps = [JUMP, index[ply.ring]]
                for jump in ply.jumps:
                    code_of_jumps += (_COLOUR[jump.colour], index[jump.ring])
                numbers += code_of_jumps
            else:
                numbers.append(SKIP)
            begins.append(len(numbers))
    except KeyError as missing:
        return Code(numbers[: begins[-1]], begins, missing.args[0])
    return Code(numbers, begins)


def _claims(index: Mapping[str, int], claim: tuple[Marble, ...]) -> tuple[int, int, int, int]:
    sets = [0, 0, 0]
    for marble in claim:
        sets[_COLOUR[marble.colour]] |= 1 << index[marble.ring]
    return 1, sets[0], sets[1], sets[2]
