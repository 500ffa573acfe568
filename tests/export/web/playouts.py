"""Random games of the compiled rules, and what the rules say of each position in them, as lines that the site's rules are to repeat.

A position with its list of moves takes 3 ms as objects, 10 µs here. Lists of rings and of moves are compared by their hashes, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zertz_db.rules import compiled, kernel
from zertz_db.rules.canonical import decoded
from zertz_db.rules.position import ENDINGS, Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.rule_sets import COLOURS
from zertz_db.rules.start import rules_vector

MOST_TURNS = 200
LONGEST_CHAIN = 40
FACTS = (
    "key",
    "symmetry",
    "equal",
    "due",
    "free",
    "free2",
    "full",
    "full2",
    "count",
    "legal",
    "legal2",
    "code",
    "claimed",
    "claimed2",
)
LONGEST_EXACT_CHAIN = 15
"""Jumps in the longest chain whose code the site can write and read (`frontend/rules/keys.js`)."""


class Question(NamedTuple):
    """A position of a game, as an object and as text; the random number that picks a move; and the answer."""

    start: Position
    state: list[int]
    text: str
    pick: int
    answer: str

    @property
    def position(self) -> Position:
        """Return the position."""
        return Position(self.start.board, self.start.rules, tuple(self.state))


def hash_words(words: Iterable[int]) -> str:
    """Return the hash of a list of numbers, as the compiled games and the site's side of the comparison write it."""
    one = other = 0
    for word in words:
        one = (one ^ word) * 16777619 & 0xFFFFFFFF
        other = ((other ^ other >> 15) + word) * 0x2C1B3C6D & 0xFFFFFFFF
    return f"{one}.{other}"


def hash_moves(position: Position) -> str:
    """Return the hash of the list of legal moves."""
    words: list[int] = []
    for kind, *rest in map(position.encode, position.legal_moves()):
        if kind == kernel.PLACE:
            words.append(rest[0] << 16 | rest[1] << 8 | rest[2] + 1)
        elif kind == kernel.JUMP:
            words.append(1 << 20 | rest[0])
            words += [1 << 21 | colour << 8 | ring for colour, ring in zip(rest[1::2], rest[2::2], strict=True)]
        else:
            words.append(1 << 22)
    return hash_words(words)


@cache
def _player() -> Any:
    """Return the compiled function that plays one game."""
    import numba

    rules_of = compiled.functions()
    occupied, vacant, free_rings = rules_of.occupied, rules_of.vacant, rules_of.free_rings
    full_groups, any_jump, colour_on, play = rules_of.full_groups, rules_of.any_jump, rules_of.colour_on, rules_of.play
    can_jump, count_moves = rules_of.can_jump, rules_of.count_moves
    toggle, holding, least_key, least_move_code = (
        rules_of.toggle,
        rules_of.holding,
        rules_of.least_key,
        rules_of.least_move_code,
    )
    skip, place_size = kernel.SKIP, kernel.PLACEMENT_SIZE
    rings_at, ending_at, pool_at, captured_at, side_at = (
        kernel.RINGS,
        kernel.ENDING,
        kernel.POOL,
        kernel.CAPTURED,
        kernel.SIDE,
    )
    claimed_at = kernel.CLAIMED

    @numba.njit
    def add(hashes: Any, word: int) -> None:
        hashes[0] = (hashes[0] ^ word) * 16777619 & 0xFFFFFFFF
        mixed = (hashes[1] ^ hashes[1] >> 15) + word & 0xFFFFFFFF
        hashes[1] = mixed * 0x2C1B3C6D & 0xFFFFFFFF

    @numba.njit
    def add_rings(hashes: Any, rings: int) -> None:
        hashes[:] = 0
        ring = 0
        while rings >> ring:
            if rings >> ring & 1:
                add(hashes, ring)
            ring += 1

    @numba.njit
    def list_captures(tables: Any, state: Any, chosen: int, move: Any, hashes: Any, chain: Any) -> int:
        """Hash all captures, depth first; write the chosen one as a move, and return its length (0 without a capture)."""
        number, length = 0, 0
        before = occupied(state)
        for start in range(tables.rings):
            if not before >> start & 1 or not can_jump(tables, before, vacant(state), start):
                continue
            depth = 0
            chain[0, 0], chain[0, 1], chain[0, 2], chain[0, 3] = start, before, vacant(state), 0
            while depth >= 0:
                ring, marbles, empty, direction = chain[depth, 0], chain[depth, 1], chain[depth, 2], chain[depth, 3]
                if direction == 0 and not can_jump(tables, marbles, empty, ring):
                    add(hashes, 1 << 20 | start)
                    for jump in range(1, depth + 1):
                        add(hashes, 1 << 21 | chain[jump, 4] << 8 | chain[jump, 0])
                    if number == chosen:
                        move[0], move[1] = 1, start
                        for jump in range(1, depth + 1):
                            move[2 * jump], move[2 * jump + 1] = chain[jump, 4], chain[jump, 0]
                        length = 2 + 2 * depth
                    number += 1
                    depth -= 1
                    continue
                if direction == 6:
                    depth -= 1
                    continue
                chain[depth, 3] += 1
                over, landing = tables.neighbour[6 * ring + direction], tables.landing[6 * ring + direction]
                if landing >= 0 and empty >> landing & 1 and marbles >> over & 1:
                    moved, jumped = 1 << ring | 1 << landing, 1 << over
                    depth += 1
                    chain[depth, 0], chain[depth, 1], chain[depth, 2] = (
                        landing,
                        (marbles ^ moved) & ~jumped,
                        empty ^ moved | jumped,
                    )
                    chain[depth, 3], chain[depth, 4] = 0, colour_on(state, over)
        return length

    @numba.njit
    def list_placements(tables: Any, state: Any, chosen: int, move: Any, hashes: Any) -> int:
        """Hash all placements; write the chosen one as a move, and return its length (0 without a placement)."""
        number, length = 0, 0
        racks = pool_at
        if state[pool_at] + state[pool_at + 1] + state[pool_at + 2] == 0:
            racks = captured_at + 3 * state[side_at]
        empty, free = vacant(state), free_rings(tables, state)
        for colour in range(3):
            if state[racks + colour] == 0:
                continue
            for ring in range(tables.rings):
                if not empty >> ring & 1:
                    continue
                others = free & ~(1 << ring)
                for removed in range(-1, tables.rings):
                    if (removed < 0 and others) or (removed >= 0 and not others >> removed & 1):
                        continue
                    add(hashes, colour << 16 | ring << 8 | removed + 1)
                    if number == chosen:
                        move[0], move[1], move[2], move[3], move[4] = 0, colour, ring, removed, -1
                        move[5], move[6], move[7], move[8] = 0, 0, 0, 0
                        length = place_size
                    number += 1
        return length

    @numba.njit
    def play_game(
        tables: Any, rules: Any, state: Any, seed: int, states: Any, moves: Any, facts: Any, picks: Any
    ) -> int:
        """Play a random game; write states (with the last one), the length and words of each move, facts and picks. Return the turns."""
        keys, hashes = np.zeros(KEYS_SIZE, np.int64), np.zeros(2, np.int64)
        chain = np.zeros((LONGEST_CHAIN, 5), np.int64)
        turn = 0
        while turn < MOST_TURNS:
            states[turn] = state
            if state[ending_at]:
                break
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            pick = seed >> 11
            keys[:] = 0
            for ring in range(tables.rings):
                if state[rings_at] >> ring & 1:
                    toggle(tables, keys, ring, holding(state, ring))
            least = least_key(tables, keys)
            equal = 0
            for symmetry in range(tables.symmetries):
                equal += keys[symmetry] == keys[least]
            fact, move = facts[turn], moves[turn]
            fact[0], fact[1], fact[2], fact[3] = keys[least], least, equal, any_jump(tables, state)
            add_rings(hashes, free_rings(tables, state))
            fact[4], fact[5] = hashes[0], hashes[1]
            add_rings(hashes, full_groups(tables, state[rings_at], occupied(state)))
            fact[6], fact[7] = hashes[0], hashes[1]
            fact[8] = count_moves(tables, state)
            hashes[:] = 0
            words = move[1:]
            length = list_captures(tables, state, pick % fact[8], words, hashes, chain)
            if length == 0:
                length = list_placements(tables, state, pick % fact[8], words, hashes)
            if length == 0:
                words[0], length = skip, 1
                add(hashes, 1 << 22)
            fact[9], fact[10] = hashes[0], hashes[1]
            move[0] = length
            fact[11] = least_move_code(tables, keys, words, 0, length)
            if play(tables, rules, state, words, 0, length):
                return -1 - turn
            add_rings(hashes, state[claimed_at])
            fact[12], fact[13] = hashes[0], hashes[1]
            picks[turn] = pick
            turn += 1
        return turn

    return play_game


class Games:
    """Plays random games, and writes what the rules say of their positions."""

    def __init__(self) -> None:
        """Make room for one game."""
        self._play = _player()
        self._states = np.zeros((MOST_TURNS + 1, kernel.STATE_SIZE), np.int64)
        self._moves = np.zeros((MOST_TURNS, 3 + 2 * LONGEST_CHAIN), np.int64)
        self._facts = np.zeros((MOST_TURNS, len(FACTS)), np.int64)
        self._picks = np.zeros(MOST_TURNS, np.int64)

    def play(self, start: Position, seed: int) -> Iterator[Question]:
        """Yield each position of one random game with its answer."""
        tables, rules = compiled.board_arrays(start.board), np.array(rules_vector(start.rules), np.int64)
        state = np.array(start.state, np.int64)
        turns = self._play(tables, rules, state, seed, self._states, self._moves, self._facts, self._picks)
        assert turns >= 0, f"the kernel refused turn {-turns} of its own moves from {start.text}, seed {seed}"
        texts = _texts(start, self._states[: turns + 1])
        states, facts, picks = (
            self._states[: turns + 1].tolist(),
            self._facts[:turns].tolist(),
            self._picks[:turns].tolist(),
        )
        for turn in range(turns):
            words = self._moves[turn, 1 : 1 + self._moves[turn, 0]].tolist()
            answer = _answer(start, texts[turn : turn + 2], states[turn : turn + 2], words, facts[turn])
            yield Question(start, states[turn], texts[turn], picks[turn], answer)


def _answer(start: Position, texts: list[str], states: list[list[int]], words: list[int], facts: list[int]) -> str:
    known = dict(zip(FACTS, facts, strict=True))
    board, (before, after) = start.board, states
    move = write_move(board.rings, words)
    position = None
    back = move
    if known["equal"] > 1 or len(words) > 2 + 2 * LONGEST_EXACT_CHAIN:  # another move can have this number
        position = Position(board, start.rules, tuple(before))
        back = str(decoded(position, known["code"]))
    claimed = after[kernel.CLAIMED]
    if claimed:
        earlier, later = (
            position or Position(board, start.rules, tuple(before)),
            Position(board, start.rules, tuple(after)),
        )
        move = earlier.written(earlier.move(move), later)
    ending = ENDINGS[after[kernel.ENDING]]
    fields = [
        texts[0],
        known["key"],
        known["symmetry"],
        known["due"],
        f"{known['free']}.{known['free2']}",
        f"{known['full']}.{known['full2']}",
        known["count"],
        f"{known['legal']}.{known['legal2']}",
        move,
        known["code"],
        back,
        texts[1],
        ending or "",
        after[kernel.WINNER] if ending else "",
        ",".join(start.rules.set_names(after[kernel.SETS])),
        f"{known['claimed']}.{known['claimed2']}",
    ]
    return "\t".join(map(str, fields))


def write_move(names: tuple[str, ...], words: list[int]) -> str:
    """Return a move of the kernel in notation, without claims."""
    if words[0] == kernel.SKIP:
        return "-"
    if words[0] == kernel.JUMP:
        jumps = (COLOURS[colour] + names[ring] for colour, ring in zip(words[2::2], words[3::2], strict=True))
        return f"x {names[words[1]]}{''.join(jumps)}"
    removed = f",{names[words[3]]}" if words[3] >= 0 else ""
    return f"{COLOURS[words[1]]}{names[words[2]]}{removed}"


def _texts(start: Position, states: Any) -> list[str]:
    """Return the position strings of the states of one game."""
    board = start.board
    signs = np.full((len(states), len(board.rings) + 1), ".", "U1")
    place = np.arange(len(board.rings))
    for sign, rings in (("o", states[:, 0]), *((COLOURS[colour], states[:, 1 + colour]) for colour in range(3))):
        signs[:, :-1][(rings[:, None] >> place & 1).astype(bool)] = sign
    columns = []
    for letter, bottom, length in board.columns:
        rings = [board.index.get(f"{letter}{k}", -1) for k in range(1, length + 1)]
        columns.append((f"{letter}{bottom}:" if board.is_custom else "", rings))
    texts = []
    for row, state in zip(signs.tolist(), states.tolist(), strict=True):
        layout = "/".join(head + "".join([row[ring] for ring in rings]) for head, rings in columns)
        pool, first, second = (
            "/".join(map(str, state[at : at + 3])) for at in (kernel.POOL, kernel.CAPTURED, kernel.CAPTURED + 3)
        )
        passes = f" {state[kernel.PASSES]}" if state[kernel.PASSES] else ""
        texts.append(f"{board.name} {start.rules} {layout} {pool} {first} {second} {state[kernel.SIDE] + 1}{passes}")
    return texts
