"""Positions as values: strings, reading and writing moves, pictures."""

import pytest

from zertz_db.rules import kernel
from zertz_db.rules.board import STANDARD_BOARDS, BoardError
from zertz_db.rules.errors import IllegalMove, PositionError
from zertz_db.rules.move import PASS, Jump, Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSetError

MIDGAME = "37 standard oooo/ooooo/ooWooo/oooooo./oooooo/ooooo/oooo 5/8/10 0/0/0 0/0/0 2"

STRINGS = [
    MIDGAME,
    "37 blitz oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 0/0/0 0/0/0 1",
    "40 standard ooooo/oooooo/ooooooo/oWooGoB/oooooo/ooooo/oooo 5/7/9 0/0/0 0/0/0 1",
    "43 standard ooooo/oooooo/ooooooo/ooooooo/oooooo/ooooo/oooo/oGo 6/7/10 0/0/0 0/0/0 2",
    "44 standard ....o/oooooo/ooooooo/oooooooo/ooooooo/oooooo/ooooo 6/8/10 0/0/0 0/0/0 1",
    "48 standard+tournament ooooo/oooooo/ooooooo/oooooooo/ooooooo/oooooo/ooooo/ooo. 1/2/3 3/2/2 0/4/5 2",
    "61 standard+written ooooo/oooooo/ooooooo/oooooooo/ooooooooo/oooooooo/ooooooo/oooooo/ooooW 5/8/10 0/0/0 0/0/0 2",
    "custom standard a-3:oooo/b-4:oo.oo 6/8/10 0/0/0 0/0/0 1",
    "custom blitz+written c10:.W..o/q-2:G 0/0/0 1/0/1 0/2/0 2 1",
    "custom standard a0:WG/c0:o. 12/0/99 0/0/0 0/0/0 1",
]


@pytest.mark.parametrize("text", STRINGS)
def test_position_strings_come_back_as_they_were(text: str) -> None:
    position = Position.parse(text)
    assert str(position) == position.text == text
    assert eval(repr(position)) == position  # noqa: S307


@pytest.mark.parametrize("other", [MIDGAME, None, 1])
def test_a_position_is_nothing_else(other: object) -> None:
    assert (Position.parse(MIDGAME) == other) is False


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (f"  {MIDGAME}\n", MIDGAME),
        (MIDGAME.replace(" ", "   "), MIDGAME),
        (MIDGAME + " 0", MIDGAME),
        (MIDGAME.replace("standard", "Standard"), MIDGAME),
        (MIDGAME.replace("5/8/10", "05/08/10"), MIDGAME),
        ("custom standard+written+tournament b1:o/a0:oo 6/8/10 0/0/0 0/0/0 1",
         "custom standard+tournament+written a0:oo/b1:o 6/8/10 0/0/0 0/0/0 1"),
    ],
)  # fmt: skip
def test_position_strings_are_read_leniently_and_written_in_one_way(text: str, canonical: str) -> None:
    assert str(Position.parse(text)) == canonical
    assert Position.parse(text) == Position.parse(canonical)


EMPTY_37 = "oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position is written BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE"),
        (MIDGAME + " 0 0", "a position is written BOARD RULES"),
        (MIDGAME + " 2", "a position is written BOARD RULES"),
        (MIDGAME[:-1] + "3", "a position is written BOARD RULES"),
        (MIDGAME[:-2], "a position is written BOARD RULES"),
        ("38" + MIDGAME[2:], "no standard board is called '38'; there are 37, 40, 43, 44, 48, 61"),
        (MIDGAME.replace("standard", "chess"), "no rule set is called 'chess'; there are standard and blitz"),
        (MIDGAME.replace("standard", "standard+touch"), "'touch' is not an option of a rule set"),
        (MIDGAME.replace("standard", "blitz+tournament"), "tournament is an option of standard, not of blitz"),
        (MIDGAME.replace("37", "48"), "board 48 has 8 columns, the layout 7"),
        (MIDGAME.replace("ooWooo", "ooWoo"), "column c of board 37 takes 6 of the characters o W G B . but is 'ooWoo'"),
        (
            MIDGAME.replace("ooWooo", "ooXooo"),
            "column c of board 37 takes 6 of the characters o W G B . but is 'ooXooo'",
        ),
        (
            MIDGAME.replace("ooWooo", "oowooo"),
            "column c of board 37 takes 6 of the characters o W G B . but is 'oowooo'",
        ),
        (MIDGAME.replace("5/8/10", "5/8"), "the pool is written as three numbers such as 5/8/10, not '5/8'"),
        (MIDGAME.replace("5/8/10", "5/8/-1"), "the pool is written as three numbers such as 5/8/10, not '5/8/-1'"),
        (MIDGAME.replace("0/0/0 0/0/0", "x 0/0/0"), "player 1's captures is written as three numbers"),
        (MIDGAME.replace("0/0/0 0/0/0", "0/0/0 x"), "player 2's captures is written as three numbers"),
        (MIDGAME.replace("0/0/0 0/0/0", "4/0/0 0/0/0"), "player 1 already holds a winning set .4W.: the game is over"),
        (MIDGAME.replace("0/0/0 0/0/0", "0/0/0 3/5/3"), "player 2 already holds a winning set .5G and 3each."),
        (f"custom standard {EMPTY_37} 6/8/10 0/0/0 0/0/0 1", "a custom board's column is written like a-3:oooo"),
        ("custom standard a0:oo/ 6/8/10 0/0/0 0/0/0 1", "a custom board's column is written like a-3:oooo, not ''"),
        ("custom standard r0:oo 6/8/10 0/0/0 0/0/0 1", "a custom board's column is written like a-3:oooo, not 'r0:oo'"),
        ("custom standard a0:oo/a4:o 6/8/10 0/0/0 0/0/0 1", "a column is named twice"),
        ("custom standard a0:oo/b0:o 6/8/10 0/0/0 0/0/0 1", "neighbouring columns must be half a step apart"),
        ("custom standard a0:.. 6/8/10 0/0/0 0/0/0 1", "a board has 1 to 128 rings, not 0"),
        ("custom standard a0:ooooooooooooo 6/8/10 0/0/0 0/0/0 1", "a custom board's column is written like"),
        ("custom standard a-99:o/b98:o 6/8/10 0/0/0 0/0/0 1", "the rings are too far apart"),
    ],
)
def test_invalid_position_strings_are_rejected(text: str, message: str) -> None:
    with pytest.raises(PositionError, match=message.replace("+", r"\+")):
        Position.parse(text)


def test_no_start_on_a_board_or_by_rules_that_there_are_not() -> None:
    with pytest.raises(BoardError):
        Position.start("38")
    with pytest.raises(RuleSetError):
        Position.start("37", "lightning")


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_the_start(board: str) -> None:
    start = Position.start(board)
    assert (start.side, start.passes, start.is_over, start.ending, start.winner) == (1, 0, False, None, None)
    assert (start.pool, start.captured) == ((6, 8, 10), ((0, 0, 0), (0, 0, 0)))
    assert len(start.rings) == len(start.vacant_rings) == int(board)
    assert not start.capture_is_due
    assert start.full_groups == start.claimed == ()


def test_a_start_by_other_rules() -> None:
    assert Position.start(rules="blitz").pool == (5, 7, 9)
    assert Position.start("48", "standard+tournament").rules.tournament


def test_playing_leaves_a_position_unchanged() -> None:
    start = Position.start("37")
    text, moves = str(start), start.legal_moves()
    after = start.play("Wd4,d1")
    start.state[kernel.RINGS] = 0  # a copy
    with pytest.raises(IllegalMove):
        start.play("Wd4")
    assert (str(start), start.legal_moves()) == (text, moves)
    assert str(after) == "37 standard oooo/ooooo/oooooo/.ooWooo/oooooo/ooooo/oooo 5/8/10 0/0/0 0/0/0 2"
    with pytest.raises(AttributeError):
        start.side = 2  # type: ignore[misc]


SAME = [
    (["Wd4,d1", "Ba1,g4"], ["Wd4,g4", "Ba1,d1"]),  # another order
    (["Wd4,d1"], ["Wd4,d1"]),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_positions(one: list[str], other: list[str]) -> None:
    positions = [Position.start("37"), Position.start("37")]
    for left, right in zip(one, other, strict=True):
        positions = [positions[0].play(left), positions[1].play(right)]
    assert positions[0] == positions[1]
    assert len(set(positions)) == 1


@pytest.mark.parametrize(
    "other",
    [
        MIDGAME.replace("ooWooo", "ooGooo"),
        MIDGAME.replace("ooWooo", "oWoooo"),
        MIDGAME.replace("oooooo.", "ooooooo"),
        MIDGAME.replace("5/8/10", "5/8/9"),
        MIDGAME.replace("0/0/0 0/0/0", "0/0/1 0/0/0"),
        MIDGAME.replace("0/0/0 0/0/0", "0/0/0 0/0/1"),
        MIDGAME.replace("standard", "blitz"),
        MIDGAME.replace("standard", "standard+written"),
        MIDGAME[:-1] + "1",
        MIDGAME + " 1",
        "custom standard a-3:oooo/b-4:ooooo/c-5:ooWooo/d-6:oooooo./e-5:oooooo/f-4:ooooo/g-3:oooo 5/8/10 0/0/0 0/0/0 2",
    ],
)
def test_what_makes_positions_differ(other: str) -> None:
    assert Position.parse(other) != Position.parse(MIDGAME)
    assert len({Position.parse(other), Position.parse(MIDGAME)}) == 2


def test_a_position_is_equal_to_what_its_string_describes_whatever_rings_went_before() -> None:
    after = Position.parse("custom standard a0:oooo/b1:ooo 6/8/10 0/0/0 0/0/0 1").play("Wa1,a4")
    assert Position.parse(str(after)) == after
    assert len({Position.parse(str(after)), after}) == 1


def test_a_position_is_equal_to_nothing_else() -> None:
    assert Position.parse(MIDGAME) != MIDGAME


CLAIMING = "custom standard a0:WoB/c0:oo 6/8/10 0/0/0 0/0/0 1"

MOVES = [  # position, as written, the move, and as it is written canonically
    (str(Position.start()), "Wd4,d1", Move("d4", "W", "d1"), "Wd4,d1"),
    (str(Position.start()), " Wd4,d1\n", Move("d4", "W", "d1"), "Wd4,d1"),
    ("custom standard a0:oBWo 6/8/10 0/0/0 0/0/0 1", "x a3Ba1", Move("a3", jumps=(Jump("B", "a1"),)), "x a3Ba1"),
    ("custom standard a0:BWoGo 6/8/10 0/0/0 0/0/0 1", "x a1Wa3Ga5",
     Move("a1", jumps=(Jump("W", "a3"), Jump("G", "a5"))), "x a1Wa3Ga5"),
    ("custom standard a0:o/c0:W 6/8/10 0/0/0 0/0/0 1", "Ba1", Move("a1", "B"), "Ba1 x Ba1Wc1"),
    (CLAIMING, "Gc1,a2", Move("c1", "G", "a2"), "Gc1,a2 x Wa1Ba3"),
    (CLAIMING, "Gc1,a2 x Ba3Wa1", Move("c1", "G", "a2", claim=frozenset({"a1", "a3"})), "Gc1,a2 x Wa1Ba3"),
    (CLAIMING.replace("standard", "standard+written"), "Gc1,a2 x Ba3",
     Move("c1", "G", "a2", claim=frozenset({"a3"})), "Gc1,a2 x Ba3"),
    (CLAIMING.replace("standard", "standard+written"), "Gc1,a2", Move("c1", "G", "a2"), "Gc1,a2"),
    ("custom standard a0:oo.........W/c0:oo 6/8/10 0/0/0 0/0/0 1", "Ga2,a1", Move("a2", "G", "a1"), "Ga2,a1 x Ga2Wa12"),
    ("custom standard a0:o 0/0/0 0/0/0 0/0/1 1", "-", PASS, "-"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "written", "move", "canonical"), MOVES)
def test_moves_are_read_and_written(text: str, written: str, move: Move, canonical: str) -> None:
    position = Position.parse(text)
    assert position.move(written) == move
    assert position.notation(move) == canonical
    assert position.play(written) == position.play(move) == position.play(canonical)


@pytest.mark.parametrize(
    "text", ["", "d4", "Wd4,", "wd4,d1", "Wd4 d1", "Wd0,d1", "Wd13,d1", "Rd4,d1", "Wd4,d1 x", "Wd4,d1 x a1", "x d4",
             "x d4d6", "xd4Wd6", "--", "Wd4,d1 Bd3,a1", "x d4Wd6 x Wa1", "Wd4,d1\nWd4,d1"],
)  # fmt: skip
def test_invalid_moves_are_rejected(text: str) -> None:
    with pytest.raises(IllegalMove, match="is not a move; moves are written like Wd4,d1 or x d1Gd3") as refused:
        Position.start().play(text)
    assert refused.value.refusal == kernel.FINE


@pytest.mark.parametrize("colour", ["o", "WG", "w", "R"])
def test_invalid_colours_are_rejected(colour: str) -> None:
    start = Position.start()
    for move in (Move("d4", colour, "d1"), Move("d4", jumps=(Jump(colour, "d6"),))):
        with pytest.raises(IllegalMove, match=f"'{colour}' is not a colour"):
            start.play(move)


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        (Move("z9", "W", "d1"), kernel.PLACE_ON_NO_RING),
        (Move("d4", "W", "d9"), kernel.REMOVED_NO_RING),
        (Move("d4", "W", "d1", claim=frozenset({"h1"})), kernel.CLAIM_NO_MARBLE),
        (Move("h1", jumps=(Jump("W", "d4"),)), kernel.JUMP_BY_NOTHING),
        (Move("d4", jumps=(Jump("W", "h1"),)), kernel.LANDING_NO_RING),
    ],
)
def test_rings_that_the_board_never_had(move: Move, refusal: int) -> None:
    with pytest.raises(IllegalMove, match=r"board 37 has no ring (z9|d9|h1)") as refused:
        Position.start().play(move)
    assert refused.value.refusal == refusal


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("Wd4", "Wd4 is not legal here: a free ring must be removed"),
        ("Wd4,d2", "Wd4,d2 is not legal here: the ring to remove is not free"),
        ("-", "- is not legal here: a pass is legal only without another move"),
    ],
)
def test_a_refusal_says_why(move: str, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        Position.start().play(move)


BOARD = "37 standard oGoo/ooooo/ooW.oo/.oBooo./oooooo/ooooo/.oo. 5/7/9 0/0/0 0/0/0 2"


@pytest.mark.parametrize(
    ("ring", "held"), [("a1", "o"), ("a2", "G"), ("c3", "W"), ("d3", "B"), ("c4", None), ("d1", None), ("h1", None), ("", None)]
)  # fmt: skip
def test_what_a_ring_holds(ring: str, held: str | None) -> None:
    assert Position.parse(BOARD).on(ring) == held


def test_full_and_free_rings() -> None:
    position = Position.parse("custom standard a0:WG/c0:ooo/e0:B/g0:Go 6/8/10 0/0/0 0/0/0 1")
    assert position.full_groups == ("a1", "a2", "e1")
    assert position.free_rings == position.vacant_rings == ("c1", "c2", "c3", "g2")
    assert Position.parse("custom standard a-1:oo/b-2:ooo/c-1:Wo 6/8/10 0/0/0 0/0/0 1").free_rings == (
        "a1", "a2", "b1", "b3", "c2",
    )  # fmt: skip


PICTURE = """

      .     .
   .     .     .
.     .     .
   .     .     .
.           .     .
   .     .     .
G     W     .     .
   .     B     .
.     .     .
   .     .     .
      .     .

a  b  c  d  e  f  g"""

CUSTOM_PICTURE = """
W
   .
.     B
   G


.
b  c  d"""


@pytest.mark.parametrize(
    ("text", "picture"),
    [(BOARD, PICTURE), ("custom standard b-2:o.oW/c-1:.Go/d2:B 0/0/0 0/0/0 0/0/0 1", CUSTOM_PICTURE)],
    ids=["37", "custom"],
)
def test_pictures(text: str, picture: str) -> None:
    assert Position.parse(text).picture() == picture[1:]
