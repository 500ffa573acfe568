"""Build moves for the kernel from its state: chains, choices for a placement, claims, and random moves; turn them into public moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from zertz_db.play import random_kernel
from zertz_db.play.seeded_random import Dice
from zertz_db.rules import kernel
from zertz_db.rules.board import Board, Tables
from zertz_db.rules.chains import find_chains
from zertz_db.rules.kernel import CAPTURED, JUMP, PLACE, POOL, RACK_OWN, RACK_POOL, RINGS, SIDE, SKIP, State
from zertz_db.rules.move import PASS, Jump, Move
from zertz_db.rules.rule_sets import COLOURS

Code: TypeAlias = list[int]


class Game(NamedTuple):
    """A player's view of a game: the board's tables, the rule set's vector (`kernel`), and the state, which the player must not change."""

    tables: Tables
    rules: list[int]
    state: State


class Placements(NamedTuple):
    """The choices for a placement: colours, vacant rings, rings that may be removed, and the marble's rack."""

    colours: list[int]
    vacant: list[int]
    free: list[int]
    rack: int

    def removable(self, ring: int) -> list[int]:
        """Return the rings of which one must be removed once a marble is on `ring`; -1 for none."""
        return [free for free in self.free if free != ring] or [-1]


def list_rings(rings: int) -> list[int]:
    """Return the rings of a set, in the board's order."""
    members = []
    while rings:
        lowest = rings & -rings
        members.append(lowest.bit_length() - 1)
        rings ^= lowest
    return members


def list_captures(game: Game) -> Iterator[Code]:
    """Yield every complete chain of jumps, with the jumped colours."""
    tables, state = game.tables, game.state
    marbles, vacant = kernel.occupied(state), kernel.vacant(state)
    for ring in list_rings(marbles):
        for chain in find_chains(tables, marbles, vacant, ring):
            if chain:
                jumps = ((kernel.colour_on(state, jump.over), jump.landing) for jump in chain)
                yield [JUMP, ring, *(number for jump in jumps for number in jump)]


def find_placements(game: Game) -> Placements | None:
    """Return the choices for a placement, or None without a marble or a vacant ring."""
    state = game.state
    vacant = kernel.vacant(state)
    if not vacant or not kernel.has_marble(state):
        return None
    from_pool = any(state[POOL : POOL + 3])
    rack = POOL if from_pool else CAPTURED + 3 * state[SIDE]
    return Placements(
        colours=[colour for colour in range(3) if state[rack + colour]],
        vacant=list_rings(vacant),
        free=list_rings(kernel.free_rings(game.tables, state)),
        rack=RACK_POOL if from_pool else RACK_OWN,
    )


def build_placement(rack: int, colour: int, ring: int, removed: int) -> Code:
    """Return a placement without a written claim."""
    return [PLACE, colour, ring, removed, rack, 0, 0, 0, 0]


def build_pass() -> Code:
    """Return a pass."""
    return [SKIP]


def find_new_groups(game: Game, move: Code) -> list[int]:
    """Return the groups that a placement fills, each as a set of rings."""
    tables, state = game.tables, game.state
    marbles = kernel.occupied(state)
    rings = state[RINGS]
    before = kernel.full_groups(tables, rings, marbles)
    if move[3] >= 0:
        rings &= ~(1 << move[3])
    full = kernel.full_groups(tables, rings, marbles | 1 << move[2]) & ~before
    groups = []
    while full:
        groups.append(kernel.whole_groups(tables, rings, full & -full))
        full &= ~groups[-1]
    return groups


def add_claim(game: Game, move: Code, rings: int) -> Code:
    """Return a placement that writes the claim of a set of rings (the empty set declines all)."""
    claim = [game.state[kernel.MARBLES + colour] & rings for colour in range(3)]
    claim[move[1]] |= 1 << move[2] & rings
    return [*move[:5], int(rings > 0), *claim]


def to_move(board: Board, code: Code) -> Move:
    """Return a move in the kernel's form as a public move."""
    names = board.rings
    if code[0] == SKIP:
        return PASS
    if code[0] == JUMP:
        pairs = zip(code[2::2], code[3::2], strict=True)
        return Move(names[code[1]], jumps=tuple(Jump(COLOURS[colour], names[landing]) for colour, landing in pairs))
    _, colour, ring, removed, _, _, *claims = code
    claim = frozenset(names[number] for held in claims for number in list_rings(held))
    return Move(names[ring], COLOURS[colour], names[removed] if removed >= 0 else None, claim=claim)


def random_move(game: Game, dice: Dice) -> Code:
    """Return any legal move; under written claims, it claims a random choice of the groups that it fills."""
    room = random_kernel.get_max_move_length(game.tables)
    dice.draw_ahead(room)
    move = [0] * room
    length = random_kernel.random_move(game.tables, game.rules, game.state, dice.numbers, dice.used, move)
    return move[:length]


def random_placement(game: Game, dice: Dice) -> Code:
    """Return a placement of a marble of any colour on any ring, with any ring removed. A placement must be possible."""
    dice.draw_ahead(random_kernel.get_max_move_length(game.tables))
    move = [0] * kernel.PLACEMENT_SIZE
    random_kernel.random_placement(game.tables, game.state, dice.numbers, dice.used, move)
    return move
