"""Represent positions and moves as values: the kernel's public API."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.vocabulary.board_names import COLUMNS
from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.rules import kernel
from zertz_db.rules.board import RING, STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.chains import NumberedJump, find_chains
from zertz_db.rules.errors import REFUSALS, IllegalMove, describe_unreadable_move
from zertz_db.rules.move import PASS, Jump, Move
from zertz_db.rules.position_string import read_position
from zertz_db.rules.rule_sets import COLOURS, STANDARD, Count, RuleSet, rule_set
from zertz_db.rules.start import rules_vector, start_state

ENDINGS = {
    kernel.ONGOING: None,
    kernel.BY_SET: Ending.SET,
    kernel.BOARD_FILLED: Ending.BOARD_FILLED,
    kernel.BOTH_LOSE: Ending.BOTH_LOSE,
    kernel.NO_MOVE: Ending.NO_MOVE,
}
"""Names of the endings that the rules themselves cause."""


class Position:
    """The board, both players' captures and the side to move. Immutable: `play` returns a new position.

    >>> position = Position.start("37").play("Wd4,d1").play("Bd3,a1")
    >>> [str(move) for move in position.legal_moves()]
    ['x d3Wd5', 'x d4Bd2']
    """

    __slots__ = ("__dict__", "_state", "board", "rules")

    def __init__(self, board: Board, rules: RuleSet, state: tuple[int, ...]) -> None:
        """Prefer `start` or `parse`."""
        self.board = board
        self.rules = rules
        self._state = state

    @classmethod
    def start(cls, board: Board | str = "37", rules: RuleSet | str = STANDARD) -> Position:
        """Return the position before the first move. Raises BoardError or RuleSetError for an unknown name."""
        board = standard_board(board) if isinstance(board, str) else board
        rules = rule_set(rules) if isinstance(rules, str) else rules
        return cls(board, rules, tuple(start_state(board, rules)))

    @classmethod
    def parse(cls, text: str) -> Position:
        """Return the position that a position string describes (rules, section 8). Raises PositionError."""
        board, rules, state = read_position(text)
        return cls(board, rules, tuple(state))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[str, RuleSet, tuple[int, ...]]:
        """Return what the position string states (without the removed rings of a custom board), and how the game ended."""
        return self.text, self.rules, self._state[kernel.ENDING : kernel.CLAIMED]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Position.parse({self.text!r})"

    @property
    def state(self) -> list[int]:
        """Return the kernel's state, as a new list."""
        return list(self._state)

    @property
    def side(self) -> int:
        """Return the side to move: player 1 or 2."""
        return self._state[kernel.SIDE] + 1

    @property
    def passes(self) -> int:
        """Return the number of passes in a row so far."""
        return self._state[kernel.PASSES]

    @property
    def pool(self) -> Count:
        """Return the marbles in the pool."""
        return Count(*self._state[kernel.POOL : kernel.POOL + 3])

    @property
    def captured(self) -> tuple[Count, Count]:
        """Return the captures of player 1 and player 2."""
        first = self._state[kernel.CAPTURED : kernel.CAPTURED + 3]
        return Count(*first), Count(*self._state[kernel.CAPTURED + 3 : kernel.CAPTURED + 6])

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended by the rules."""
        return self._state[kernel.ENDING] != kernel.ONGOING

    @property
    def ending(self) -> Ending | None:
        """Return the ending: `set`, `board-filled`, `both-lose`, `no-move`; None during the game."""
        return ENDINGS[self._state[kernel.ENDING]]

    @property
    def winner(self) -> int | None:
        """Return the winner, 1 or 2; 0 without a winner; None during the game."""
        return self._state[kernel.WINNER] if self.is_over else None

    @property
    def winning_sets(self) -> tuple[str, ...]:
        """Return the sets that the winner holds, out of `4W 5G 6B 3each` (blitz: `3W 4G 5B 2each`)."""
        return self.rules.set_names(self._state[kernel.SETS])

    @property
    def claimed(self) -> tuple[str, ...]:
        """Return the rings that the last move claimed."""
        return self.names(self._state[kernel.CLAIMED])

    def names(self, rings: int) -> tuple[str, ...]:
        """Return the names of a set of rings, in the board's order."""
        return tuple(name for ring, name in enumerate(self.board.rings) if rings >> ring & 1)

    def on(self, ring: str) -> str | None:
        """Return the content of a ring: `W`, `G`, `B`, `o` for vacant, None without a ring or after its removal."""
        number = self.board.index.get(ring)
        if number is None or not self._state[kernel.RINGS] >> number & 1:
            return None
        colour = kernel.colour_on(self._state, number)
        return "o" if colour < 0 else COLOURS[colour]

    @property
    def rings(self) -> tuple[str, ...]:
        """Return the rings still on the board."""
        return self.names(self._state[kernel.RINGS])

    @property
    def vacant_rings(self) -> tuple[str, ...]:
        """Return the rings without a marble."""
        return self.names(kernel.vacant(self._state))

    @property
    def free_rings(self) -> tuple[str, ...]:
        """Return the vacant rings that could be removed now."""
        return self.names(kernel.free_rings(self.board.tables, self._state))

    @property
    def full_groups(self) -> tuple[str, ...]:
        """Return the rings of groups without a vacant ring."""
        rings = self._state[kernel.RINGS]
        return self.names(kernel.full_groups(self.board.tables, rings, kernel.occupied(self._state)))

    @property
    def capture_is_due(self) -> bool:
        """Return whether the player to move must capture."""
        return not self.is_over and kernel.any_jump(self.board.tables, self._state)

    def marbles(self, rings: tuple[str, ...]) -> str:
        """Return marbles in the form of a claim list: `Wa1Wa2`."""
        return "".join(f"{self.on(ring)}{ring}" for ring in rings)

    @cached_property
    def text(self) -> str:
        """Return the position string: `BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE [PASSES]`."""
        columns = []
        for column in self.board.columns:
            layout = "".join(self.on(f"{column.letter}{k}") or "." for k in range(1, column.length + 1))
            columns.append(f"{column.letter}{column.bottom}:{layout}" if self.board.is_custom else layout)
        first, second = self.captured
        passes = f" {self.passes}" if self.passes else ""
        return f"{self.board.name} {self.rules} {'/'.join(columns)} {self.pool} {first} {second} {self.side}{passes}"

    def legal_moves(self) -> list[Move]:
        """Return every legal move: captures if there is one, else placements, else the pass; none after the end of the game.

        Placements are (colour, ring, removed ring) triples; under written claims they are given without claims.
        """
        return list(self.each_move())

    def each_move(self) -> Iterator[Move]:
        """Yield the legal moves one by one, built on demand."""
        if self.is_over:
            return
        for moves in (self._captures(), self._placements(), iter((PASS,))):
            first = next(moves, None)
            if first is not None:
                yield first
                yield from moves
                return

    def _captures(self) -> Iterator[Move]:
        marbles, vacant = kernel.occupied(self._state), kernel.vacant(self._state)
        for ring, name in enumerate(self.board.rings):
            if marbles >> ring & 1:
                for chain in find_chains(self.board.tables, marbles, vacant, ring):
                    if chain:
                        yield Move(name, jumps=tuple(map(self._jump, chain)))

    def _jump(self, jump: NumberedJump) -> Jump:
        return Jump(COLOURS[kernel.colour_on(self._state, jump.over)], self.board.rings[jump.landing])

    def _placements(self) -> Iterator[Move]:
        rack = self.pool if any(self.pool) else self.captured[self.side - 1]
        free = self.free_rings
        for colour, count in zip(COLOURS, rack, strict=True):
            if count:
                for ring in self.vacant_rings:
                    removable: list[str | None] = [other for other in free if other != ring]
                    for removed in removable or [None]:
                        yield Move(ring, colour=colour, removed=removed)

    def encode(self, move: Move) -> list[int]:
        """Return a move in the kernel's form; a move with a ring only is a capture without a jump.

        Raises IllegalMove for rings that the board never had, and for colours other than `W G B`.
        """
        if not move.ring:
            return [kernel.SKIP]
        if move.jumps or not move.colour:
            code = [kernel.JUMP, self._number(move.ring, kernel.JUMP_BY_NOTHING)]
            for jump in move.jumps:
                code += [_colour_number(jump.colour), self._number(jump.ring, kernel.LANDING_NO_RING)]
            return code
        colour, ring = _colour_number(move.colour), self._number(move.ring, kernel.PLACE_ON_NO_RING)
        removed = self._number(move.removed, kernel.REMOVED_NO_RING) if move.removed else -1
        claims = [0, 0, 0]
        for name in move.claim:
            held = self._held(move, name)
            claims[_colour_number(held) if held else 0] |= 1 << self._number(name, kernel.CLAIM_NO_MARBLE)
        return [kernel.PLACE, colour, ring, removed, kernel.RACK_UNSAID, bool(move.claim), *claims]

    def _number(self, ring: str, refusal: int) -> int:
        """Return a ring's number on the board. Raises IllegalMove if it never had that ring."""
        if ring not in self.board.index:
            raise IllegalMove(f"board {self.board.name} has no ring {ring}", refusal)
        return self.board.index[ring]

    def _held(self, move: Move, ring: str) -> str | None:
        """Return the marble on a ring after a placement."""
        held = move.colour if ring == move.ring else self.on(ring)
        return None if held == "o" else held

    def play(self, move: Move | str, *, lenient: bool = False) -> Position:
        """Return the position after a move (a Move, or one in official notation; the rule set decides the claims).

        lenient: allow a winning move to leave out what no longer matters, as verified records may: the ring, or the rest of a chain.
        Raises IllegalMove.
        """
        if isinstance(move, str):
            move = self.read_move(move)
        code = self.encode(move)
        state = list(self._state)
        refusal = kernel.play(self.board.tables, rules_vector(self.rules, lenient), state, code, 0, len(code))
        if refusal:
            raise IllegalMove(f"{move} is not legal here: {REFUSALS[refusal]}", refusal)
        return Position(self.board, self.rules, tuple(state))

    def move(self, text: str, *, lenient: bool = False) -> Move:
        """Return the legal move with this text, for instance `Wd4,d1`, `x d1Gd3`, `Bd7,b2 x Wa1Wa2`. Raises IllegalMove.

        lenient: see `play`.
        """
        move = self.read_move(text)
        self.play(move, lenient=lenient)
        return move

    def read_move(self, text: str) -> Move:
        """Return the move with this text, as `move` does, without checking that it is legal. Raises IllegalMove for other texts."""
        match = _MOVE.fullmatch(text.strip())
        if not match:
            raise IllegalMove(describe_unreadable_move(text), kernel.FINE)
        jumps = tuple(Jump(*marble) for marble in _MARBLE.findall(match["jumps"] or ""))
        claim = {ring: colour for colour, ring in _MARBLE.findall(match["claim"] or "")}
        move = Move(
            match["ring"] or match["from"] or "", match["colour"] or "", match["removed"], jumps, frozenset(claim)
        )
        for ring, colour in claim.items():
            if self._held(move, ring) not in (colour, None):
                raise IllegalMove(f"{text} is not legal here: {REFUSALS[kernel.CLAIM_COLOUR]}", kernel.CLAIM_COLOUR)
        return move

    def notation(self, move: Move) -> str:
        """Return a legal move in canonical official notation, its claims included."""
        return self.written(move, self.play(move))

    def written(self, move: Move, after: Position) -> str:
        """Return a legal move in canonical official notation, for a known position after the move."""
        claimed = "".join(f"{self._held(move, ring)}{ring}" for ring in sorted(after.claimed, key=_by_ring))
        return f"{move} x {claimed}" if claimed else str(move)

    def _repr_svg_(self) -> str:
        """Return the board as a picture, for notebooks."""
        # Only notebooks draw: the import takes 4 ms of the 65 that every command spends on this module.
        from zertz_db.rules.svg.board_svg import svg

        return svg(self, racks=True)

    def picture(self) -> str:
        """Return the board as text, each ring at its height: `.` vacant, `W G B` marbles, a space without a ring."""
        return _picture(self)


_MARBLE = compile_on_use(rf"([WGB])({RING.pattern})")
_MOVE = compile_on_use(
    rf"(?P<colour>[WGB])(?P<ring>{RING.pattern})(?:,(?P<removed>{RING.pattern}))?(?: x (?P<claim>(?:{_MARBLE.pattern})+))?"
    rf"|x (?P<from>{RING.pattern})(?P<jumps>(?:{_MARBLE.pattern})+)"
    r"|-"
)


def _colour_number(colour: str) -> int:
    if colour not in tuple(COLOURS):
        raise IllegalMove(f"{colour!r} is not a colour; the colours are W, G and B", kernel.FINE)
    return COLOURS.index(colour)


def _by_ring(ring: str) -> tuple[str, int]:
    return ring[0], int(ring[1:])


def _picture(position: Position) -> str:
    board = position.board
    top, bottom = max(y for _, y in board.places), min(y for _, y in board.places)
    lines = []
    for height in range(top, bottom - 1, -1):
        line = [" "] * len(COLUMNS)
        for ring, (x, y) in zip(board.rings, board.places, strict=True):
            if y == height:
                line[x] = {None: " ", "o": "."}.get(position.on(ring), position.on(ring)) or " "
        lines.append("  ".join(line).rstrip())
    left, right = min(x for x, _ in board.places), max(x for x, _ in board.places)
    legend = "  ".join(COLUMNS[left : right + 1])
    return "\n".join([line[3 * left :] for line in lines] + [legend])


__all__ = ["STANDARD_BOARDS", "Position"]
