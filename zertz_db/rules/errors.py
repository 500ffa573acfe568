"""Errors about a position or a move."""

from __future__ import annotations

from zertz_db.errors import UserMistake
from zertz_db.rules import kernel


class PositionError(UserMistake):
    """The position string is unreadable or describes an invalid position; the message says what is wrong."""


class SetHeldError(PositionError):
    """A player of the position already holds a winning set: nothing can be played from there."""


class IllegalMove(UserMistake):
    """The rules reject the move in this position; `refusal` is the kernel's number of the reason, FINE for an invalid move."""

    def __init__(self, message: str, refusal: int) -> None:
        """Store the sentence to show, and the refusal."""
        super().__init__(message)
        self.refusal = refusal


_LONGEST_SHOWN = 60


def describe_unreadable_move(text: str) -> str:
    """Return the message for a text that is not a move. A long text is cut.

    >>> describe_unreadable_move("W" * 100).count("W")
    61
    """
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return f"{shown!r} is not a move; moves are written like Wd4,d1 or x d1Gd3"


REFUSALS = {
    kernel.GAME_OVER: "the game is over",
    kernel.MUST_CAPTURE: "a capture is possible and so compulsory",
    kernel.PLACE_ON_NO_RING: "there is no such ring",
    kernel.PLACE_ON_MARBLE: "the ring holds a marble already",
    kernel.NOT_IN_POOL: "the pool has no marble of this colour left",
    kernel.NOT_IN_CAPTURES: "the pool is empty and the player has captured no marble of this colour",
    kernel.POOL_NOT_EMPTY: "captured marbles are placed only when the whole pool is empty",
    kernel.POOL_EMPTY: "the pool is empty",
    kernel.OTHERS_MARBLE: "the opponent's captures can't be placed",
    kernel.RING_DUE: "a free ring must be removed",
    kernel.REMOVED_NO_RING: "the ring to remove is not on the board",
    kernel.REMOVED_OCCUPIED: "the ring to remove holds a marble",
    kernel.REMOVED_NOT_FREE: "the ring to remove is not free: it can't be slid out between its neighbours",
    kernel.NO_RING_IS_FREE: "no ring is free, so none is removed",
    kernel.JUMP_BY_NOTHING: "there is no marble to jump with",
    kernel.JUMP_CROOKED: "a jump goes straight over one ring to the next",
    kernel.JUMP_OVER_NOTHING: "there is no marble to jump over",
    kernel.LANDING_NO_RING: "there is no ring to land on",
    kernel.LANDING_OCCUPIED: "the landing ring holds a marble",
    kernel.JUMPED_COLOUR: "the jumped marble has another colour",
    kernel.CHAIN_UNFINISHED: "the marble can jump on, so it must",
    kernel.CLAIM_NO_MARBLE: "a claimed ring holds no marble",
    kernel.CLAIM_COLOUR: "a claimed marble has another colour",
    kernel.CLAIM_NOT_FULL: "a claimed ring is not in a group without a vacant ring",
    kernel.CLAIM_PARTIAL: "a full group is claimed whole or not at all",
    kernel.CLAIM_OLD_GROUP: "the group was full before this turn and had been declined",
    kernel.CLAIM_INCOMPLETE: "the claim leaves out a full group",
    kernel.PASS_WITH_MOVES: "a pass is legal only without another move",
    kernel.NO_JUMP: "a capture needs at least one jump",
}
"""The kernel's refusals in words."""
