"""Every rule and special case of rules.md, sections 2 to 6, as tables of (position, moves, outcome).

All positions are on small custom boards. A single column is a line of rings, each of them free; columns a, c, e … without the ones between
are separate groups. ` & ` separates moves.
"""

from typing import NamedTuple

import pytest

from zertz_db.rules import kernel
from zertz_db.rules.errors import REFUSALS, IllegalMove
from zertz_db.rules.kernel import CHAIN_STOPPED, FINE, LENIENCY, RACK_OTHER, RACK_OWN, RACK_POOL, RING_KEPT
from zertz_db.rules.move import PASS, Jump, Move
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

POOL = "6/8/10 0/0/0 0/0/0 1"
"""A full pool, nothing captured, player 1 to move."""
FLOWER = "a-1:oo/b-2:ooo/c-1:oo"
"""The ring b2 and its six neighbours."""
WREATH = "a-1:WG/b-2:BoW/c-1:GB"
"""FLOWER with b2 as the only vacant ring, which is not free; nothing can jump."""
LONG_WREATH = "e-1:WGB/f-2:WooB/g-1:WGB"
"""The wreath with two vacant rings, f2 and f3."""
LOOP = "a-4:oBWGo/b1:GW/c2:o"
"""The marble on a3 can jump round a triangle, back to a3 and on."""


def play(text: str, moves: str) -> Position:
    position = Position.parse(f"custom {text}")
    for move in moves.split(" & "):
        position = position.play(move)
    return position


class Turn(NamedTuple):
    """`after` is the whole position string without the word custom."""

    why: str
    before: str
    moves: str
    after: str


PLACEMENTS = [
    Turn("a marble from the pool, a ring gone", f"standard a0:oooo {POOL}", "Wa1,a4",
         "standard a0:Woo. 5/8/10 0/0/0 0/0/0 2"),
    Turn("any colour on any vacant ring", f"standard a0:oooo {POOL}", "Ga2,a1",
         "standard a0:.Goo 6/7/10 0/0/0 0/0/0 2"),
    Turn("captures are kept while the pool has anything", "standard a0:oooo 0/0/1 1/0/1 0/0/0 1", "Ba1,a4",
         "standard a0:Boo. 0/0/0 1/0/1 0/0/0 2"),
    Turn("the pool being empty, player 1's captures", "standard a0:oooo 0/0/0 0/0/1 0/0/2 1", "Ba1,a4",
         "standard a0:Boo. 0/0/0 0/0/0 0/0/2 2"),
    Turn("the pool being empty, player 2's captures", "standard a0:oooo 0/0/0 0/0/1 0/0/2 2", "Ba1,a4",
         "standard a0:Boo. 0/0/0 0/0/1 0/0/1 1"),
    Turn("the captured marble leaves before claims", "standard a0:oo/c0:Wo 0/0/0 0/1/0 0/0/0 1", "Ga1,c2",
         "standard a0:Go/c0:.. 0/0/0 1/0/0 0/0/0 2"),
    Turn("the captured marble leaves before sets are tested", "standard a0:oo/c0:Wo 0/0/0 3/0/0 0/0/0 1", "Wa1,c2",
         "standard a0:Wo/c0:.. 0/0/0 3/0/0 0/0/0 2"),
    Turn("two gaps side by side make a ring free", f"standard a-1:oo/b-2:ooo {POOL}", "Wa1,b2",
         "standard a-1:Wo/b-2:o.o 5/8/10 0/0/0 0/0/0 2"),
    Turn("so do the last side and the first", f"standard a-1:o/b-2:oo/c-1:oo {POOL}", "Wa1,b2",
         "standard a-1:W/b-2:o./c-1:oo 5/8/10 0/0/0 0/0/0 2"),
    Turn("an isolated vacant ring is free", f"standard {FLOWER}/e1:o {POOL}", "Wb2,e1",
         "standard a-1:oo/b-2:oWo/c-1:oo/e1:. 5/8/10 0/0/0 0/0/0 2"),
    Turn("no ring is free: the turn ends with the placement", f"standard {LONG_WREATH} {POOL}", "Wf2",
         "standard e-1:WGB/f-2:WWoB/g-1:WGB 5/8/10 0/0/0 0/0/0 2"),
    Turn("the marble took the only free ring", f"standard a-1:WG/b-2:BoW/c-1:oG {POOL}", "Wc1",
         "standard a-1:WG/b-2:BoW/c-1:WG 5/8/10 0/0/0 0/0/0 2"),
]  # fmt: skip

CAPTURES = [
    Turn("the jumped marble is the mover's", f"standard a0:oWGo {POOL}", "x a2Ga4",
         "standard a0:oooW 6/8/10 0/1/0 0/0/0 2"),
    Turn("whoever he is, with any marble", "standard a0:oWGo 6/8/10 0/0/0 0/0/0 2", "x a3Wa1",
         "standard a0:Gooo 6/8/10 0/0/0 1/0/0 1"),
    Turn("over a marble of the same colour", f"standard a0:WWo {POOL}", "x a1Wa3",
         "standard a0:ooW 6/8/10 1/0/0 0/0/0 2"),
    Turn("a chain may cross its own path", f"standard {LOOP} {POOL}", "x a3Ga5Wc1Ga3Ba1",
         "standard a-4:Woooo/b1:oo/c2:o 6/8/10 1/2/1 0/0/0 2"),
    Turn("in either sense", f"standard {LOOP} {POOL}", "x a3Gc1Wa5Ga3Ba1",
         "standard a-4:Woooo/b1:oo/c2:o 6/8/10 1/2/1 0/0/0 2"),
    Turn("the route need not be the longest", f"standard {LOOP} {POOL}", "x a3Ba1",
         "standard a-4:WooGo/b1:GW/c2:o 6/8/10 0/0/1 0/0/0 2"),
    Turn("no full group is claimed by a capture", f"standard a0:WGo/c0:B {POOL}", "x a1Ga3",
         "standard a0:ooW/c0:B 6/8/10 0/1/0 0/0/0 2"),
    Turn("nor a group that the capture leaves behind", f"standard a0:oWG.B {POOL}", "x a3Wa1",
         "standard a0:Goo.B 6/8/10 1/0/0 0/0/0 2"),
]  # fmt: skip

CLAIMS = [
    Turn("cut off by the removal", f"standard a0:oooW {POOL}", "Ba1,a3",
         "standard a0:Bo.. 6/8/9 1/0/0 0/0/0 2"),
    Turn("the placed marble itself cut off", f"standard a0:ooo {POOL}", "Ga3,a2",
         "standard a0:o.. 6/7/10 0/1/0 0/0/0 2"),
    Turn("filled by the marble", f"standard a0:oo/c0:Wo {POOL}", "Gc2,a1",
         "standard a0:.o/c0:.. 6/7/10 1/1/0 0/0/0 2"),
    Turn("filled by the marble, no ring being free", f"standard {WREATH}/{LONG_WREATH} {POOL}", "Wb2",
         f"standard a-1:../b-2:.../c-1:../{LONG_WREATH} 5/8/10 3/2/2 0/0/0 2"),
    Turn("by the removal of its last vacant ring", f"standard a0:oo/c0:Wo {POOL}", "Ga1,c2",
         "standard a0:Go/c0:.. 6/7/10 1/0/0 0/0/0 2"),
    Turn("two cut off by one removal", f"standard a0:WoB/c0:oo {POOL}", "Gc1,a2",
         "standard a0:.../c0:Go 6/7/10 1/0/1 0/0/0 2"),
    Turn("one filled and one cut off", f"standard a0:oW/c0:o/e0:oo {POOL}", "Gc1,a1",
         "standard a0:../c0:./e0:oo 6/7/10 1/1/0 0/0/0 2"),
    Turn("size plays no part", f"standard {WREATH}/e1:oo {POOL}", "Gb2,e1",
         "standard a-1:../b-2:.../c-1:../e1:.o 6/7/10 2/3/2 0/0/0 2"),
    Turn("a vacant ring keeps its group", f"standard a0:oooo {POOL}", "Ba4,a2",
         "standard a0:o.oB 6/8/9 0/0/0 0/0/0 2"),
    Turn("left over from the set-up", f"standard a0:W/c0:ooo {POOL}", "Gc1,c3",
         "standard a0:./c0:Go. 6/7/10 1/0/0 0/0/0 2"),
    Turn("all of them written", f"standard a0:WoB/c0:oo {POOL}", "Gc1,a2 x Wa1Ba3",
         "standard a0:.../c0:Go 6/7/10 1/0/1 0/0/0 2"),
    Turn("one left over from the set-up written", f"standard a0:W/c0:ooo {POOL}", "Gc1,c3 x Wa1",
         "standard a0:./c0:Go. 6/7/10 1/0/0 0/0/0 2"),
    Turn("written claims: taken", f"standard+written a0:oooW {POOL}", "Ba1,a3 x Wa4",
         "standard+written a0:Bo.. 6/8/9 1/0/0 0/0/0 2"),
    Turn("written claims: declined", f"standard+written a0:oooW {POOL}", "Ba1,a3",
         "standard+written a0:Bo.W 6/8/9 0/0/0 0/0/0 2"),
    Turn("written claims: one of two", f"standard+written a0:WoB/c0:oo {POOL}", "Gc1,a2 x Wa1",
         "standard+written a0:..B/c0:Go 6/7/10 1/0/0 0/0/0 2"),
    Turn("written claims: a group with the placed marble", f"standard+written a0:oo/c0:Wo {POOL}", "Gc2,a1 x Wc1Gc2",
         "standard+written a0:.o/c0:.. 6/7/10 1/1/0 0/0/0 2"),
    Turn("written claims: declined for ever", f"standard+written a0:oooW/c0:ooo {POOL}", "Ba1,a3 & Bc1,c3",
         "standard+written a0:Bo.W/c0:Bo. 6/8/8 0/0/0 0/0/0 1"),
]  # fmt: skip

PASSES = [
    Turn("no vacant ring", "standard a0:W/c0:G 1/0/0 0/0/0 0/0/0 1", "-",
         "standard a0:W/c0:G 1/0/0 0/0/0 0/0/0 2 1"),
    Turn("no marble to place", "standard a0:ooo 0/0/0 0/0/0 1/0/0 1", "-",
         "standard a0:ooo 0/0/0 0/0/0 1/0/0 2 1"),
    Turn("a placement breaks the row of passes", "standard a0:ooo 0/0/0 0/0/0 1/0/0 1", "- & Wa1,a3",
         "standard a0:Wo. 0/0/0 0/0/0 0/0/0 1"),
    Turn("a capture breaks it too", "standard a0:WWo 0/0/0 0/0/0 1/0/0 2 1", "x a1Wa3",
         "standard a0:ooW 0/0/0 0/0/0 2/0/0 1"),
    Turn("two passes with a move between them", "standard a0:ooooo 0/0/0 0/0/0 2/0/0 1", "- & Wa1,a5 & - & Wa3,a4",
         "standard a0:WoW.. 0/0/0 0/0/0 0/0/0 1"),
]  # fmt: skip

NO_ENDS = [
    Turn("one short of 4 white, 5 grey and 3 of each", "standard a0:WWo 0/0/1 2/4/2 0/0/0 1", "x a1Wa3",
         "standard a0:ooW 0/0/1 3/4/2 0/0/0 2"),
    Turn("one short of 6 black", "standard a0:WBo 0/0/1 2/4/4 0/0/0 1", "x a1Ba3",
         "standard a0:ooW 0/0/1 2/4/5 0/0/0 2"),
    Turn("the standard sets are not those of blitz", "standard a0:WWo 6/8/10 2/2/1 0/0/0 1", "x a1Wa3",
         "standard a0:ooW 6/8/10 3/2/1 0/0/0 2"),
    Turn("the last marble, one having been captured", "standard+tournament a0:oooo 1/0/0 0/0/0 1/0/0 1", "Wa1,a4",
         "standard+tournament a0:Woo. 0/0/0 0/0/0 1/0/0 2"),
    Turn("the last marble, with a claim", "standard+tournament a0:oooW 0/0/1 0/0/0 0/0/0 1", "Ba1,a3",
         "standard+tournament a0:Bo.. 0/0/0 1/0/0 0/0/0 2"),
    Turn("the last marble, without the option", "standard a0:oooo 1/0/0 0/0/0 0/0/0 1", "Wa1,a4",
         "standard a0:Woo. 0/0/0 0/0/0 0/0/0 2"),
]  # fmt: skip


@pytest.mark.parametrize(
    "turn", PLACEMENTS + CAPTURES + CLAIMS + PASSES + NO_ENDS, ids=lambda turn: turn.why.replace(" ", "-")
)
def test_what_a_turn_makes_of_a_position(turn: Turn) -> None:
    after = play(turn.before, turn.moves)
    assert str(after) == f"custom {turn.after}"
    assert (after.is_over, after.ending, after.winner, after.winning_sets) == (False, None, None, ())


class Ending(NamedTuple):
    why: str
    before: str
    moves: str
    ending: str
    winner: int
    sets: str
    captured: str


ENDINGS = [
    # Section 2, 5: Sets
    Ending("4 white", "standard a0:WWo 0/0/1 3/0/0 0/0/0 1", "x a1Wa3", "set", 1, "4W", "4/0/0 0/0/0"),
    Ending("5 grey", "standard a0:WGo 0/0/1 0/4/0 0/0/0 1", "x a1Ga3", "set", 1, "5G", "0/5/0 0/0/0"),
    Ending("6 black", "standard a0:WBo 0/0/1 0/0/5 0/0/0 1", "x a1Ba3", "set", 1, "6B", "0/0/6 0/0/0"),
    Ending("3 of each", "standard a0:WWo 0/0/1 2/3/3 0/0/0 1", "x a1Wa3", "set", 1, "3each", "3/3/3 0/0/0"),
    Ending("by player 2", "standard a0:WWo 0/0/1 0/0/0 3/0/0 2", "x a1Wa3", "set", 2, "4W", "0/0/0 4/0/0"),
    Ending("blitz: 3 white", "blitz a0:WWo 0/0/1 2/0/0 0/0/0 1", "x a1Wa3", "set", 1, "3W", "3/0/0 0/0/0"),
    Ending("blitz: 4 grey", "blitz a0:WGo 0/0/1 0/3/0 0/0/0 1", "x a1Ga3", "set", 1, "4G", "0/4/0 0/0/0"),
    Ending("blitz: 5 black", "blitz a0:WBo 0/0/1 0/0/4 0/0/0 1", "x a1Ba3", "set", 1, "5B", "0/0/5 0/0/0"),
    Ending("blitz: 2 of each", "blitz a0:WBo 0/0/1 2/2/1 0/0/0 1", "x a1Ba3", "set", 1, "2each", "2/2/2 0/0/0"),
    Ending("two at once", "standard a0:BWoGo 0/0/1 3/2/3 0/0/0 1", "x a1Wa3Ga5", "set", 1, "4W 3each", "4/3/3 0/0/0"),
    Ending("all four at once", "standard a0:o/c0:WGBBB 0/0/1 3/4/2 0/0/0 1", "Ba1", "set", 1, "4W 5G 6B 3each",
           "4/5/6 0/0/0"),
    Ending("a set in the middle of a chain", "standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1", "x a1Wa3Ga5", "set", 1, "4W",
           "4/1/0 0/0/0"),
    Ending("by a claim", "standard a0:oooW 0/0/1 3/0/0 0/0/0 1", "Ba1,a3", "set", 1, "4W", "4/0/0 0/0/0"),
    Ending("by filling, the ring removed all the same", "standard a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1", "Wc2,a1", "set", 1,
           "4W", "4/0/0 0/0/0"),
    Ending("the placed marble from one's captures comes back with the group", "standard a0:oo/c0:Wo 0/0/0 3/0/0 0/0/0 1",
           "Wc2,a1", "set", 1, "4W", "4/0/0 0/0/0"),
    # Section 4: The board filled
    Ending("the mover takes all", "standard a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1", "Ga1,a2", "board-filled", 1, "",
           "1/1/0 0/0/0"),
    Ending("no ring being left to remove", "standard a0:o/c0:W 0/1/0 0/0/0 0/0/0 2", "Ga1", "board-filled", 2, "",
           "0/0/0 1/1/0"),
    Ending("in one group", f"standard {WREATH} 1/0/0 0/0/0 0/0/0 1", "Wb2", "board-filled", 1, "", "3/2/2 0/0/0"),
    Ending("and holds a set", "standard a0:oo/c0:W 0/1/0 3/0/0 0/0/0 1", "Ga1,a2", "set", 1, "4W", "4/1/0 0/0/0"),
    Ending("whatever the opponent has", "standard a0:oo/c0:W 0/1/0 0/0/0 2/4/5 1", "Ga1,a2",
           "board-filled", 1, "", "1/1/0 2/4/5"),
    Ending("under written claims, unwritten", "standard+written a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1", "Ga1,a2",
           "board-filled", 1, "", "1/1/0 0/0/0"),
    Ending("written in part", "standard+written a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1", "Ga1,a2 x Ga1", "board-filled", 1, "",
           "1/1/0 0/0/0"),
    Ending("an old declined group included", "standard+written a0:oooW 0/0/2 0/0/0 0/0/0 1", "Ba1,a3 & Ba2",
           "board-filled", 2, "", "0/0/0 1/0/2"),
    # Section 6: Both lose
    Ending("every marble on the board", "standard+tournament a0:oooo 1/0/0 0/0/0 0/0/0 1", "Wa1,a4", "both-lose", 0, "",
           "0/0/0 0/0/0"),
    Ending("even with a jump to come", "standard+tournament a0:Gooo 1/0/0 0/0/0 0/0/0 2", "Wa2,a4", "both-lose", 0, "",
           "0/0/0 0/0/0"),
    Ending("before the board is claimed", "standard+tournament a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1", "Ga1,a2", "both-lose",
           0, "", "0/0/0 0/0/0"),
    Ending("after a claim was declined", "standard+tournament+written a0:oooW 0/0/1 0/0/0 0/0/0 1", "Ba1,a3",
           "both-lose", 0, "", "0/0/0 0/0/0"),
    Ending("a filled board with something captured", "standard+tournament a0:oo/c0:W 0/1/0 0/0/1 0/0/0 1", "Ga1,a2",
           "board-filled", 1, "", "1/1/1 0/0/0"),
    # Section 3.5, 5: Passes
    Ending("two passes, no vacant ring", "standard a0:W/c0:G 1/0/0 0/0/0 0/0/0 1", "- & -", "no-move", 0, "",
           "0/0/0 0/0/0"),
    Ending("two passes, nothing to place", "standard a0:oo 0/0/0 0/0/0 0/0/0 1", "- & -", "no-move", 0, "",
           "0/0/0 0/0/0"),
    Ending("the second pass", "standard a0:W 1/0/0 0/0/0 0/0/0 2 1", "-", "no-move", 0, "", "0/0/0 0/0/0"),
]  # fmt: skip


@pytest.mark.parametrize("end", ENDINGS, ids=lambda end: end.why.replace(" ", "-"))
def test_how_a_game_ends(end: Ending) -> None:
    after = play(end.before, end.moves)
    assert (after.is_over, after.ending, after.winner) == (True, end.ending, end.winner)
    assert " ".join(after.winning_sets) == end.sets
    assert " ".join(map(str, after.captured)) == end.captured
    if end.ending == "board-filled":
        assert after.rings == ()


@pytest.mark.parametrize("end", ENDINGS, ids=lambda end: end.why.replace(" ", "-"))
def test_nothing_follows_the_end(end: Ending) -> None:
    after = play(end.before, end.moves)
    assert after.legal_moves() == []
    assert not after.capture_is_due
    for move in (PASS, Move(after.board.rings[0], "W"), Move(after.board.rings[0], jumps=(Jump("W", "a1"),))):
        with pytest.raises(IllegalMove) as refused:
            after.play(move)
        assert refused.value.refusal == kernel.GAME_OVER


def test_only_the_movers_sets_are_tested() -> None:
    position = Position.parse(f"custom standard a0:oooo {POOL}")
    state = position.state
    state[kernel.CAPTURED + 3] = 4  # a position string can't express that
    after = Position(position.board, position.rules, tuple(state)).play("Wa1,a4")
    assert (after.is_over, after.winning_sets) == (False, ())
    after = after.play("Wa3,a2")
    assert (after.winner, after.winning_sets) == (2, ("4W",))


LEGAL_MOVES = [
    ("chains are complete, and all routes count", f"standard {LOOP} {POOL}",
     "x a3Ba1 | x a3Ga5Wc1Ga3Ba1 | x a3Gc1Wa5Ga3Ba1"),
    ("a capture is compulsory", f"standard a0:oWGo {POOL}", "x a2Ga4 | x a3Wa1"),
    ("also with nothing to place", "standard a0:WGo 0/0/0 0/0/0 0/0/0 1", "x a1Ga3"),
    ("also for the other player's marble and next turn", "standard a0:WGo/c0:oo 6/8/10 0/0/0 0/0/0 2", "x a1Ga3"),
    ("no jump over a gap", "standard a0:WG.o 0/0/0 0/0/1 0/0/0 1", "Ba4"),
    ("no jump over two", "standard a0:WGBo.o 0/0/1 0/0/0 0/0/0 1", "x a2Ba4"),
    ("no jump onto a marble, none round a corner", "standard a0:WG/b1:o 0/0/1 0/0/0 0/0/0 1", "Bb1"),
    ("from the pool what it has", "standard a0:oo 1/0/2 0/4/0 0/0/0 1",
     "Wa1,a2 | Wa2,a1 | Ba1,a2 | Ba2,a1"),
    ("from one's own captures when it is empty", "standard a0:oo 0/0/0 0/4/0 1/0/1 1", "Ga1,a2 | Ga2,a1"),
    ("the marble's own ring can't go", "standard a0:o/c0:o 1/0/0 0/0/0 0/0/0 1", "Wa1,c1 | Wc1,a1"),
    ("no ring goes where none is free", f"standard {LONG_WREATH} 1/0/0 0/0/0 0/0/0 1", "Wf2 | Wf3"),
    ("the last free ring may be filled", "standard a-1:WG/b-2:BoW/c-1:oG 1/0/0 0/0/0 0/0/0 1", "Wb2,c1 | Wc1"),
    ("a pass if there is nothing else", "standard a0:oo 0/0/0 0/0/0 1/0/0 1", "-"),
    ("claims don't multiply moves", "standard+written a0:oW/c0:o 1/0/0 0/0/0 0/0/0 1", "Wa1,c1 | Wc1,a1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "moves"), [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in LEGAL_MOVES]
)
def test_legal_moves(text: str, moves: str) -> None:
    position = Position.parse(f"custom {text}")
    legal = position.legal_moves()
    assert sorted(map(str, legal)) == sorted(moves.split(" | "))
    assert kernel.count_moves(position.board.tables, position.state) == len(legal)


ILLEGAL_MOVES = [
    # Section 3.1: Captures are compulsory
    (kernel.MUST_CAPTURE, f"standard a0:WGo {POOL}", "Wa3"),
    (kernel.MUST_CAPTURE, f"standard a0:WGo/c0:oo {POOL}", "Wc1,c2"),
    # Section 3.2: Placements
    (kernel.PLACE_ON_NO_RING, f"standard a0:oooo {POOL}", "Wb1,a1"),
    (kernel.PLACE_ON_NO_RING, f"standard a0:oo.o {POOL}", "Wa3,a1"),
    (kernel.PLACE_ON_MARBLE, f"standard a0:Wooo {POOL}", "Wa1,a4"),
    (kernel.NOT_IN_POOL, "standard a0:oooo 0/1/0 3/0/0 0/0/0 1", "Wa1,a4"),
    (kernel.NOT_IN_CAPTURES, "standard a0:oooo 0/0/0 0/1/0 3/0/0 1", "Wa1,a4"),
    (kernel.NOT_IN_CAPTURES, "standard a0:oo/c0:Wo 0/0/0 0/1/0 0/0/0 1", "Wa1,c2 x Wc1"),  # a claim comes too late
    # Section 3.3: The ring
    (kernel.RING_DUE, f"standard a0:oooo {POOL}", "Wa1"),
    (kernel.RING_DUE, "standard a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1", "Wc2"),  # even where the fill wins
    (kernel.RING_DUE, f"standard {FLOWER}/e1:W/g1:o {POOL}", "Wb2"),
    (kernel.REMOVED_NO_RING, f"standard a0:oooo {POOL}", "Wa1,b1"),
    (kernel.REMOVED_NO_RING, f"standard a0:oooo {POOL}", "Wa1,a4 & Wa3,a4"),
    (kernel.REMOVED_OCCUPIED, f"standard a0:ooWo {POOL}", "Wa1,a3"),
    (kernel.REMOVED_OCCUPIED, f"standard a0:oooo {POOL}", "Wa1,a1"),
    (kernel.REMOVED_NOT_FREE, f"standard {FLOWER} {POOL}", "Wa1,b2"),
    (kernel.REMOVED_NOT_FREE, f"standard a-1:oo/b-2:oo/c-1:oo {POOL}", "Wa1,b2"),  # one gap
    (kernel.REMOVED_NOT_FREE, f"standard a-1:oo/b0:o/c-1:oo {POOL}", "Wa1,b1"),  # two, but opposite each other
    (kernel.REMOVED_NOT_FREE, f"standard a-1:o/b-2:ooo/c-1:o {POOL}", "Wa1,b2"),  # two, with a ring between them
    (kernel.REMOVED_NOT_FREE, f"standard a-1:o/b-2:.oo/c-1:o {POOL}", "Wa1,b2"),  # every second side
    (kernel.NO_RING_IS_FREE, f"standard {LONG_WREATH} {POOL}", "Wf2,f3"),
    # Section 3.4: Jumps
    (kernel.JUMP_BY_NOTHING, f"standard a0:ooGo {POOL}", "x a2Ga4"),
    (kernel.JUMP_BY_NOTHING, f"standard a0:oWGo {POOL}", "x b1Ga4"),
    (kernel.JUMP_CROOKED, f"standard a0:WG/b1:o {POOL}", "x a1Gb1"),
    (kernel.JUMP_CROOKED, f"standard a0:WGBo {POOL}", "x a1Ga4"),
    (kernel.JUMP_CROOKED, f"standard a0:oWGo {POOL}", "x a2Ga2"),
    (kernel.JUMP_CROOKED, f"standard a0:W.o {POOL}", "x a1Wa3"),  # over a hole
    (kernel.JUMP_OVER_NOTHING, f"standard a0:WooW {POOL}", "x a1Wa3"),
    (kernel.JUMP_OVER_NOTHING, f"standard a0:Woooo {POOL}", "Wa4,a5 & x a1Wa3"),
    (kernel.JUMP_OVER_NOTHING, f"standard {LOOP} {POOL}", "x a3Ga5Ga3"),  # the jumped marble is gone
    (kernel.LANDING_NO_RING, f"standard a0:oWG. {POOL}", "x a2Ga4"),
    (kernel.LANDING_NO_RING, f"standard a0:ooooo {POOL}", "Wa2,a5 & Ga3,a4 & x a2Ga4"),
    (kernel.LANDING_OCCUPIED, f"standard a0:oWGB {POOL}", "x a2Ga4"),
    (kernel.JUMPED_COLOUR, f"standard a0:oWGo {POOL}", "x a2Ba4"),
    (kernel.CHAIN_UNFINISHED, f"standard {LOOP} {POOL}", "x a3Ga5"),
    (kernel.CHAIN_UNFINISHED, f"standard {LOOP} {POOL}", "x a3Ga5Wc1Ga3"),  # back where it began
    (kernel.CHAIN_UNFINISHED, "standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1", "x a1Wa3"),  # even with a set in hand
    (kernel.NO_JUMP, f"standard a0:oWGo {POOL}", Move("a2")),
    # Section 4: Claims
    (kernel.CLAIM_NO_MARBLE, f"standard a0:oooo {POOL}", "Wa1,a4 x Wa2"),
    (kernel.CLAIM_NO_MARBLE, f"standard a0:oooo {POOL}", "Wa1,a4 x Wa4"),
    (kernel.CLAIM_NO_MARBLE, f"standard+written a0:oooo {POOL}", "Wa1,a4 x Wb1"),
    (kernel.CLAIM_COLOUR, f"standard a0:oooW {POOL}", "Ba1,a3 x Ga4"),
    (kernel.CLAIM_COLOUR, f"standard+written a0:ooo {POOL}", "Ga3,a2 x Wa3"),
    (kernel.CLAIM_NOT_FULL, f"standard a0:oooo {POOL}", "Wa1,a4 x Wa1"),
    (kernel.CLAIM_NOT_FULL, f"standard+written a0:oooW {POOL}", "Ba1,a3 x Wa4Ba1"),
    (kernel.CLAIM_PARTIAL, f"standard a0:oo/c0:Wo {POOL}", "Gc2,a1 x Wc1"),
    (kernel.CLAIM_PARTIAL, f"standard+written a0:oo/c0:Wo {POOL}", "Gc2,a1 x Gc2"),
    (kernel.CLAIM_OLD_GROUP, f"standard+written a0:W/c0:ooo {POOL}", "Gc1,c3 x Wa1"),
    (kernel.CLAIM_OLD_GROUP, f"standard+written a0:oooW/c0:ooo {POOL}", "Ba1,a3 & Bc1,c3 x Wa4"),
    (kernel.CLAIM_OLD_GROUP, f"standard+written a0:oooW/c0:W {POOL}", "Ba1,a3 x Wa4Wc1"),
    (kernel.CLAIM_INCOMPLETE, f"standard a0:WoB/c0:oo {POOL}", "Gc1,a2 x Wa1"),
    (kernel.CLAIM_INCOMPLETE, f"standard a0:W/c0:oooW {POOL}", "Gc1,c3 x Wc4"),
    # Section 3.5: Passes
    (kernel.PASS_WITH_MOVES, f"standard a0:oooo {POOL}", "-"),
    (kernel.PASS_WITH_MOVES, "standard a0:WGo 0/0/0 0/0/0 0/0/0 1", "-"),
    (kernel.PASS_WITH_MOVES, "standard a0:oo 0/0/0 0/0/1 0/0/0 1", "-"),
    # Section 5: The end
    (kernel.GAME_OVER, "standard a0:WWo 0/0/1 3/0/0 0/0/0 1", "x a1Wa3 & Ba1,a2"),
]  # fmt: skip


@pytest.mark.parametrize(("refusal", "before", "moves"), ILLEGAL_MOVES)
def test_refusals(refusal: int, before: str, moves: str | Move) -> None:
    position = Position.parse(f"custom {before}")
    *legal, last = moves.split(" & ") if isinstance(moves, str) else [moves]
    for move in legal:
        position = position.play(move)
    with pytest.raises(IllegalMove) as refused:
        position.play(last)
    assert REFUSALS.get(refused.value.refusal) == REFUSALS[refusal]


RACKS = [  # stated origins of a marble
    (RACK_POOL, "1/0/0 1/0/0 1/0/0 1", FINE),
    (RACK_OWN, "1/0/0 1/0/0 1/0/0 1", kernel.POOL_NOT_EMPTY),
    (RACK_OWN, "0/1/0 1/0/0 1/0/0 1", kernel.POOL_NOT_EMPTY),
    (RACK_OTHER, "1/0/0 1/0/0 1/0/0 1", kernel.OTHERS_MARBLE),
    (RACK_POOL, "0/1/0 1/0/0 1/0/0 1", kernel.NOT_IN_POOL),
    (RACK_POOL, "0/0/0 1/0/0 1/0/0 1", kernel.POOL_EMPTY),
    (RACK_OWN, "0/0/0 1/0/0 1/0/0 1", FINE),
    (RACK_OWN, "0/0/0 0/1/0 1/0/0 1", kernel.NOT_IN_CAPTURES),
    (RACK_OTHER, "0/0/0 1/0/0 1/0/0 1", kernel.OTHERS_MARBLE),
]


def tried(position: Position, code: list[int], lenient: bool) -> tuple[int, list[int]]:
    """Return the kernel's answer to a move, and the new state."""
    state = position.state
    return kernel.play(position.board.tables, rules_vector(position.rules, lenient), state, code, 0, len(code)), state


@pytest.mark.parametrize(("rack", "counts", "refusal"), RACKS)
def test_the_rack_that_a_record_names(rack: int, counts: str, refusal: int) -> None:
    position = Position.parse(f"custom standard a0:oooo {counts}")
    code = position.encode(Move("a1", "W", "a4"))
    code[4] = rack
    assert tried(position, code, lenient=False)[0] == refusal


def test_every_refusal_is_in_a_table() -> None:
    tested = {row[0] for row in ILLEGAL_MOVES} | {row[2] for row in RACKS}
    assert tested - {FINE} == set(REFUSALS) == set(range(1, kernel.NO_JUMP + 1))


LENIENT = [  # leniencies: the refusal without leniency, the refusal with it, the tolerated slip
    ("a chain may stop with a set in hand", "standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1",
     Move("a1", jumps=(Jump("W", "a3"),)), kernel.CHAIN_UNFINISHED, FINE, CHAIN_STOPPED),
    ("or be written to its end", "standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1",
     Move("a1", jumps=(Jump("W", "a3"), Jump("G", "a5"))), FINE, FINE, 0),
    ("but not stop without a set", "standard a0:BWoGo 0/0/1 2/4/2 0/0/0 1",
     Move("a1", jumps=(Jump("W", "a3"),)), kernel.CHAIN_UNFINISHED, kernel.CHAIN_UNFINISHED, 0),
    ("the opponent's marbles make no set", "standard a0:BWoGo 0/0/1 0/0/0 3/2/2 1",
     Move("a1", jumps=(Jump("W", "a3"),)), kernel.CHAIN_UNFINISHED, kernel.CHAIN_UNFINISHED, 0),
    ("the ring may be lacking where the fill wins", "standard a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1",
     Move("c2", "W"), kernel.RING_DUE, FINE, RING_KEPT),
    ("with the claim written", "standard+written a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1",
     Move("c2", "W", claim=frozenset({"c1", "c2"})), kernel.RING_DUE, FINE, RING_KEPT),
    ("but not with the claim declined", "standard+written a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1",
     Move("c2", "W"), kernel.RING_DUE, kernel.RING_DUE, 0),
    ("not where the fill does not win", "standard a0:oo/c0:Wo 1/0/0 1/0/0 0/0/0 1",
     Move("c2", "W"), kernel.RING_DUE, kernel.RING_DUE, 0),
    ("not where nothing was filled", "standard a0:ooo 1/0/0 3/0/0 0/0/0 1",
     Move("a1", "W"), kernel.RING_DUE, kernel.RING_DUE, 0),
    ("not where another group wins", "standard a0:ooo/c0:W 1/0/0 3/0/0 0/0/0 1",
     Move("a1", "W"), kernel.RING_DUE, kernel.RING_DUE, 0),
    ("the ring removed, nothing is tolerated", "standard a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1",
     Move("c2", "W", "a1"), FINE, FINE, 0),
    ("a missing ring excuses nothing else", "standard a0:oo/c0:Wo 0/1/0 3/0/0 0/0/0 1",
     Move("c2", "W"), kernel.NOT_IN_POOL, kernel.NOT_IN_POOL, 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "move", "strictly", "leniently", "tolerated"),
    [pytest.param(*row[1:], id=row[0].replace(" ", "-")) for row in LENIENT],
)
def test_leniency(before: str, move: Move, strictly: int, leniently: int, tolerated: int) -> None:
    position = Position.parse(f"custom {before}")
    code = position.encode(move)
    assert tried(position, code, lenient=False)[0] == strictly
    refusal, state = tried(position, code, lenient=True)
    assert refusal == leniently
    if refusal == FINE:
        assert state[LENIENCY] == tolerated
        assert (state[kernel.ENDING], state[kernel.WINNER]) == (kernel.BY_SET, 1)
    assert (move in position.legal_moves()) == (strictly == FINE)


def test_leniency_is_for_the_turn_that_needs_it() -> None:
    position = Position.parse("custom standard a0:oooo/c0:oo 6/8/10 0/0/0 0/0/0 1")
    state = position.state
    state[LENIENCY] = RING_KEPT
    code = position.encode(Move("a1", "W", "a4"))
    assert kernel.play(position.board.tables, rules_vector(position.rules), state, code, 0, len(code)) == FINE
    assert state[LENIENCY] == 0


@pytest.mark.parametrize(
    ("before", "moves", "claimed"),
    [
        (f"standard a0:WoB/c0:oo {POOL}", "Gc1,a2", "a1 a3"),
        (f"standard a0:oooW/c0:oooo {POOL}", "Ba1,a3 & Bc1,c4", ""),
        (f"standard+written a0:oooW {POOL}", "Ba1,a3", ""),
        ("standard a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1", "Ga1,a2", "a1 c1"),
    ],
)
def test_what_the_last_turn_claimed(before: str, moves: str, claimed: str) -> None:
    assert " ".join(play(before, moves).claimed) == claimed
