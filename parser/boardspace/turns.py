"""Combine the game server's actions: the last state of a turn, and a start position set up by hand.

The server records every drag and drop, including corrections. This module does not know the rules. It rejects only actions that can't be
combined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from zertz_db.parser.record import CAPTURE, PLACEMENT, Edit, Marble, Ply, Span

COLOURS = "WGB"
POOL = "2"
"""The server's number of the pool; "0" and "1" are the captures of these sides."""

_ARGUMENTS = {
    "rtob": ("rack", "colour", "cell"),
    "r-": ("cell",),
    "btob": ("cell", "cell"),
    "r+": ("cell",),
    "btor": ("cell", "rack"),
    "rtor": ("rack", "colour", "rack"),
    "start": ("side",),
    "setboard": ("variant",),
}


class Unreadable(Exception):
    """The actions make no turn: a fault's code, a message for players, the expected texts."""

    def __init__(self, code: str, message: str, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.expected = expected


class Turn:
    """One player's turn after the actions so far."""

    placed: tuple[str, str, str] | None = None
    """The rack, the colour and the ring of the marble placed."""
    removed: str | None = None
    clock: str | None = None
    """The last clock of the turn, in milliseconds as written."""
    done = False
    excused = False
    """The turn may be empty: the player swapped sides or resigned."""

    def __init__(self, side: str, start: int) -> None:
        """Start a turn of `side` ("0" or "1") whose first action begins at the offset `start`."""
        self.side = side
        self.start = start
        self.end = start
        self.jumps: list[tuple[str, str]] = []
        """Origin and target ring of each jump."""
        self.comments: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Return whether all actions were undone."""
        return not (self.placed or self.removed or self.jumps)

    def place(self, rack: str, colour: str, ring: str) -> None:
        """Put a marble on a ring."""
        if self.jumps:
            raise Unreadable("E353", f"a marble is placed on {ring} in a turn that has jumped to {self.jumps[-1][1]}")
        if self.placed:
            raise Unreadable("E350", f"a second marble is placed, on {ring}, after the one on {self.placed[2]}")
        self.placed = (rack, colour, ring)

    def remove(self, ring: str) -> None:
        """Take a ring away."""
        if self.jumps:
            raise Unreadable("E360", f"ring {ring} is removed in a turn that has jumped to {self.jumps[-1][1]}")
        if self.removed:
            raise Unreadable("E351", f"a second ring is removed, {ring}, after {self.removed}")
        self.removed = ring

    def jump(self, origin: str, target: str) -> None:
        """Jump; or move a marble placed in this turn; or undo the last jump."""
        if origin == target:
            return
        if self.placed:
            rack, colour, ring = self.placed
            if origin != ring:
                raise Unreadable("E353", f"a jump from {origin} in a turn that has placed a marble on {ring}")
            self.placed = (rack, colour, target)
        elif self.removed:
            raise Unreadable("E360", f"a jump from {origin} in a turn that has removed ring {self.removed}")
        elif self.jumps and origin != self.jumps[-1][1]:
            raise Unreadable("E352", f"the marble jumped to {self.jumps[-1][1]}, but the next jump starts at {origin}")
        elif self.jumps and target == self.jumps[-1][0]:
            self.jumps.pop()
        else:
            self.jumps.append((origin, target))

    def put_back(self, ring: str) -> None:
        """Restore the removed ring."""
        if ring != self.removed:
            raise Unreadable("E354", f"ring {ring} is put back, but it was not removed in this turn")
        self.removed = None

    def return_marble(self, ring: str, _rack: str) -> None:
        """Undo the placement."""
        if not self.placed or self.placed[2] != ring:
            raise Unreadable("E354", f"the marble on {ring} is taken back, but it was not placed in this turn")
        self.placed = None

    def hand_over(self, rack: str, _colour: str, other: str) -> None:
        """Pick a marble up and put it down again."""
        if rack != other:
            raise Unreadable("E357", "a marble is handed from one stock to another in the middle of the game")

    def finish(self) -> None:
        """Mark the turn as done."""
        self.done = True

    def ply(self, mover: int, span: Span) -> Ply:
        """Return the turn as a Ply. The turn must have a placement or a jump."""
        comment = "\n".join(self.comments) or None
        clock = int(self.clock) if self.clock else None
        if self.placed:
            rack, colour, ring = self.placed
            source = "pool" if rack == POOL else "own" if rack == self.side else "other"
            return Ply(PLACEMENT, span, ring, colour, self.removed, (), (), mover, source, clock, comment)
        jumps = tuple(Marble(None, target) for _, target in self.jumps)
        return Ply(CAPTURE, span, self.jumps[0][0], None, None, jumps, (), mover, None, clock, comment)


class SetUp:
    """A start position in progress: the changes to the variant's board, by sides."""

    def __init__(self) -> None:
        """Start without changes."""
        self._changes: list[tuple[str, str, str | None, str | None]] = []
        self._marbles: dict[str, str] = {}

    def edits(self, first: str) -> tuple[Edit, ...]:
        """Return the changes in order, for a game in which the side `first` moves first."""
        players = {first: 1, "1" if first == "0" else "0": 2}
        return tuple(
            Edit(action, ring, colour, None if side is None else players[side])
            for action, ring, colour, side in self._changes
        )

    def __bool__(self) -> bool:
        """Return whether anything was changed."""
        return bool(self._changes)

    def place(self, rack: str, colour: str, ring: str) -> None:
        """Put a marble from the pool or a player's captures on a ring."""
        self._marbles[ring] = colour
        self._change("place", ring, colour, None if rack == POOL else rack)

    def remove(self, ring: str) -> None:
        """Take a ring away."""
        self._change("remove ring", ring)

    def put_back(self, ring: str) -> None:
        """Add a ring."""
        self._change("add ring", ring)

    def jump(self, origin: str, target: str) -> None:
        """Move a marble to another ring."""
        if origin != target:
            colour = self._pick_up(origin)
            self.place(POOL, colour, target)

    def return_marble(self, ring: str, rack: str) -> None:
        """Move a marble from the board to the pool or to a player's captures."""
        colour = self._pick_up(ring)
        self.hand_over(POOL, colour, rack)

    def hand_over(self, rack: str, colour: str, other: str) -> None:
        """Move a marble between the pool and the players' captures: a handicap."""
        if rack == other:
            return
        if rack != POOL:
            self._change("return", "", colour, rack)
        if other != POOL:
            self._change("give", "", colour, other)

    def _pick_up(self, ring: str) -> str:
        if ring not in self._marbles:
            raise Unreadable("E354", f"a marble is taken from {ring}, which has none")
        self._change("lift", ring)
        return self._marbles.pop(ring)

    def _change(self, action: str, ring: str = "", colour: str | None = None, side: str | None = None) -> None:
        self._changes.append((action, ring, colour, side))


IN_TURN: dict[str, Callable[..., None]] = {
    "rtob": Turn.place,
    "r-": Turn.remove,
    "btob": Turn.jump,
    "r+": Turn.put_back,
    "btor": Turn.return_marble,
    "rtor": Turn.hand_over,
    "done": Turn.finish,
}
"""The effect of an action in a turn."""

IN_SET_UP: dict[str, Callable[..., None]] = {
    "rtob": SetUp.place,
    "r-": SetUp.remove,
    "btob": SetUp.jump,
    "r+": SetUp.put_back,
    "btor": SetUp.return_marble,
    "rtor": SetUp.hand_over,
}
"""The effect of an action while the start position is set up."""


@lru_cache(maxsize=16384)
def read_action(text: str) -> tuple[str, Callable[..., None] | None, tuple[str, ...]]:
    """Return an action's word in lower case, its effect in a Turn (None for other actions), and its arguments.

    `RtoB 2 1 D 4` is ("rtob", Turn.place, ("2", "G", "d4")). `text` must match the grammar's COMMAND. Cached: there are only some thousand
    different ones.
    """
    word, *rest = text.split()
    word = word.lower()
    words = iter(rest)
    return word, IN_TURN.get(word), tuple(_argument(kind, next(words), words) for kind in _ARGUMENTS.get(word, ()))


def _argument(kind: str, word: str, following: Iterator[str]) -> str:
    if kind == "cell":
        return word.lower() + next(following)
    if kind == "colour":
        return COLOURS[int(word)]
    return word[1:] if kind == "side" else word
