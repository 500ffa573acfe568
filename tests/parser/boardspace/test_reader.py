"""The game server's SGF: turns from drags and drops, and its statements of players, dates, results and endings."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.parser.boardspace.reader import CODES, parse_fully, read
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import CAPTURE, Edit, Ply, Record
from zertz_db.parser.text.encoding import decode

TURN = ["P0 RtoB 2 0 D 4", "P0 R- A 1", "P0 Done"]
REPLY = ["P1 RtoB 2 1 C 3", "P1 R- G 1", "P1 Done"]
LAST = ["P0 RtoB 2 2 B 2", "P0 R- G 4", "P0 Done"]


def node(action: str) -> str:
    """Return `P0 R- A 1` as the node `; P0[R- A 1]`; any other text unchanged."""
    seat, _, words = action.partition(" ")
    return f"; {seat}[{words}]" if seat in ("P0", "P1", "P-1") else action


def sgf(*actions: str, variant: str = "Zertz", names: tuple[str, str] = ("ada", "bo"), head: str = "") -> str:
    """Return a file of the server; each action is a seat and its text."""
    root = f'GM[22] VV[2]\n{head}SU[{variant}]\nP0[id "{names[0]}"]\nP1[id "{names[1]}"]'
    tail = ";\nP0[time 0:01:02 ]\nP1[time 0:00:59 ]"
    return "\n".join([f" (;\n{root}", *map(node, actions), tail, ")\n "])


def one(text: str, name: str = "") -> Record:
    (record,) = read(text, name)
    return record


def brief(ply: Ply) -> str:
    """Return a ply in few letters: `1:Ge4,a2` or `2:d1>d3>d5`."""
    if ply.kind == CAPTURE:
        return f"{ply.mover}:" + ">".join([ply.ring, *(jump.ring for jump in ply.jumps)])
    return f"{ply.mover}:{ply.colour}{ply.ring}" + (f",{ply.removed}" if ply.removed else "")


def briefs(record: Record) -> list[str]:
    return [brief(ply) for ply in record.plies]


def codes(record: Record) -> list[str]:
    return [remark.code for remark in record.remarks]


@pytest.mark.parametrize(
    ("actions", "plies"),
    [
        ([], []),
        (TURN, ["1:Wd4,a1"]),
        ([*TURN, *REPLY], ["1:Wd4,a1", "2:Gc3,g1"]),
        (["P0 0 Start P0", "P0 1 RtoB 2 0 D 4", "P0 2 R- A 1", "P0 3 Done "], ["1:Wd4,a1"]),
        (["P-1 0 Start P0", *TURN], ["1:Wd4,a1"]),
        (["P0 RtoB 2 0 D 4", "P0 R- A 1", "P1 RtoB 2 1 C 3", "P1 R- G 1"], ["1:Wd4,a1", "2:Gc3,g1"]),
        (["P0 r- A 1", "P0 rtob 2 0 d 4", "P0 done"], ["1:Wd4,a1"]),
        (["P0 RtoB 2 0 D 4", "P0 Done", "P1 BtoB D 4 B 2", "P1 Done"], ["1:Wd4", "2:d4>b2"]),
        ([*TURN, "P1 BtoB E 1 E 3", "P1 BtoB E 3 E 5", "P1 Done"], ["1:Wd4,a1", "2:e1>e3>e5"]),
        (["P0 BtoB E 1 E 3", "P0 BtoB E 3 E 5"], ["1:e1>e3>e5"]),
        (["P0 RtoB 2 0 Q 12", "P0 R- A 10", "P0 Done"], ["1:Wq12,a10"]),
        # an undone action leaves no trace
        (["P0 RtoR 2 1 2", *TURN], ["1:Wd4,a1"]),
        (["P0 RtoB 2 1 D 4", "P0 BtoB D 4 E 4", "P0 R- A 1", "P0 R+ A 1", "P0 R- A 2"], ["1:Ge4,a2"]),
        (["P0 R- A 3", "P0 RtoB 2 1 D 4", "P0 BtoR D 4 2", "P0 RtoB 2 2 D 5", "P0 Done"], ["1:Bd5,a3"]),
        (["P0 BtoB E 1 E 1", "P0 BtoB E 1 E 3", "P0 BtoB E 3 E 3"], ["1:e1>e3"]),
        (["P0 BtoB E 1 E 3", "P0 BtoB E 3 E 1", "P0 BtoB C 1 C 3"], ["1:c1>c3"]),
        (["P0 BtoB E 1 E 3", "P0 BtoB E 3 E 5", "P0 BtoB E 5 E 3", "P0 BtoB E 3 G 3"], ["1:e1>e3>g3"]),
        # the server's own actions
        (["P0 Reset", *TURN], ["1:Wd4,a1"]),
        ([*TURN, "P-1 vcr:@-1 doScrollTo -6", r"P-1 edit: P0\[undo\] deleted", *REPLY], ["1:Wd4,a1", "2:Gc3,g1"]),
        ([*TURN, "P1 RtoR 2 0 2"], ["1:Wd4,a1"]),
        ([*TURN, ";", *REPLY], ["1:Wd4,a1", "2:Gc3,g1"]),
        (["; P0 [ 1 RtoB  2 0 D 4 ] TM[12]", "; P0[2 R- A 1]P0[3 Done]"], ["1:Wd4,a1"]),
    ],
)
def test_turns_are_what_is_left_of_the_actions(actions: list[str], plies: list[str]) -> None:
    record = one(sgf(*actions))
    assert (briefs(record), record.fault, codes(record)) == (plies, None, [])


@pytest.mark.parametrize(
    ("actions", "names"),
    [
        ([*TURN, *REPLY], ("ada", "bo")),
        (["P1 RtoB 2 0 D 4", "P1 R- A 1", "P0 RtoB 2 1 C 3", "P0 R- G 1"], ("bo", "ada")),
        (["P0 0 Start P1"], ("bo", "ada")),
        (["P0 0 Start P1", "P1 RtoB 2 0 D 4", "P1 Resign", "P1 Done"], ("bo", "ada")),
    ],
)
def test_player_1_moves_first(actions: list[str], names: tuple[str, str]) -> None:
    record = one(sgf(*actions))
    assert (record.player1, record.player2) == names
    assert [ply.mover for ply in record.plies] == [1, 2][: len(record.plies)]


@pytest.mark.parametrize(
    ("seat", "rack", "source"), [("P0", 2, "pool"), ("P0", 0, "own"), ("P0", 1, "other"), ("P1", 1, "own")]
)
def test_the_rack_says_where_a_marble_comes_from(seat: str, rack: int, source: str) -> None:
    assert one(sgf(f"{seat} RtoB {rack} 2 D 4", f"{seat} Done")).plies[0].taken_from == source


def test_the_clock_of_a_turn_is_that_of_its_last_action() -> None:
    record = one(sgf("; P0[1 RtoB 2 0 D 4]TM[100]", "; P0[2 R- A 1]TM[200]", "; P0[3 Done ]AN[(A1)]TM[350]", *REPLY))
    assert [ply.clock for ply in record.plies] == [350, None]
    assert record.clock == "up"
    assert one(sgf(*TURN)).clock is None


def test_comments_belong_to_their_turn() -> None:
    text = sgf(
        "; C[before]", "; P0[1 RtoB 2 0 D 4]C[bold]", "; P0[2 R- A 1]", "; P0[3 Done]", r"; C[so [far\] \\]", *REPLY
    )
    record = one(text)
    assert record.comment == "before"
    assert [ply.comment for ply in record.plies] == ["bold\nso [far] \\", None]
    assert one(sgf(*TURN, "; C[well]P1[Resign]")).plies[0].comment == "well"


def test_the_full_parse_gives_the_same_plies() -> None:
    actions = ["P0 Start P0", *TURN, *REPLY, *LAST, "P1 BtoB C 3 A 1", "P1 Done"]
    drawn = [f"{node(action)}AN[(A1 Left on 1 2)]" for action in actions]
    assert briefs(one(sgf(*drawn))) == briefs(one(sgf(*actions)))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_spans_are_those_of_the_actions(line_end: str) -> None:
    text = sgf(*TURN, *REPLY).replace("\n", line_end) * 2
    lines = text.split("\n")
    for record in read(text):
        for ply in record.plies:
            start, end, line, column = ply.span
            assert text[start:].startswith("P0[RtoB" if ply.mover == 1 else "P1[RtoB")
            assert text[:end].endswith("Done]")
            assert lines[line - 1][column - 1 :].startswith(text[start : start + 9])
        assert text[record.span.start : record.span.end].startswith("(;")
        assert text[: record.span.end].endswith(")")


def test_a_file_that_holds_its_game_twice_gives_two_records() -> None:
    text = sgf(*TURN, *REPLY)
    first, second = read(text.rstrip() + text)
    assert briefs(first) == briefs(second) == ["1:Wd4,a1", "2:Gc3,g1"]


# Start positions


@pytest.mark.parametrize(
    ("variant", "board"),
    [
        ("Zertz", "37"),
        ("Zertz+11", "48"),
        ("Zertz+24", "61"),
        ("Zertz+H", "48"),
        ("Zertz+xx", "custom"),
        ("zertz", "37"),
    ],
)
def test_the_variant_says_the_board(variant: str, board: str) -> None:
    record = one(sgf(variant=variant))
    assert (record.board, record.rule_set, record.claims) == (board, "standard", "automatic")


def test_an_unknown_variant_has_an_unknown_board() -> None:
    record = one(sgf(*TURN, variant="Zertz+99"))
    assert (record.board, codes(record), briefs(record)) == ("Zertz+99", ["W545"], ["1:Wd4,a1"])


@pytest.mark.parametrize(
    ("actions", "edits"),
    [
        (["P0 Edit", "P0 Start P0"], []),
        (["P1 RtoR 2 0 1"], [Edit("give", "", "W", 2)]),
        (["P0 RtoR 0 2 2"], [Edit("return", "", "B", 1)]),
        (["P0 RtoR 0 2 1"], [Edit("return", "", "B", 1), Edit("give", "", "B", 2)]),
        (["P0 RtoR 2 0 2"], []),
        (["P0 R- H 1", "P0 R+ H 1"], [Edit("remove ring", "h1"), Edit("add ring", "h1")]),
        (["P0 RtoB 2 1 C 3"], [Edit("place", "c3", "G", None)]),
        (["P0 RtoB 1 1 C 3"], [Edit("place", "c3", "G", 2)]),
        (["P0 RtoB 2 1 C 3", "P0 BtoR C 3 2"], [Edit("place", "c3", "G", None), Edit("lift", "c3")]),
        (
            ["P0 RtoB 2 1 C 3", "P0 BtoR C 3 0"],
            [Edit("place", "c3", "G", None), Edit("lift", "c3"), Edit("give", "", "G", 1)],
        ),
        (
            ["P0 RtoB 2 1 C 3", "P0 BtoB C 3 D 4"],
            [Edit("place", "c3", "G", None), Edit("lift", "c3"), Edit("place", "d4", "G", None)],
        ),
        (["P0 R- H 1", "P0 SetBoard Zertz+11", "P0 R- H 2"], [Edit("remove ring", "h2")]),
    ],
)
def test_a_start_position_is_edited_until_start(actions: list[str], edits: list[Edit]) -> None:
    record = one(sgf("P0 Edit", *actions, "P0 Start P0", *TURN, variant="Zertz+H"))
    assert (list(record.edits), briefs(record), record.fault) == (edits, ["1:Wd4,a1"], None)


def test_edits_number_players_in_the_order_of_moves() -> None:
    record = one(sgf("P0 Edit", "P1 RtoR 2 0 1", "P1 Start P1", "P1 RtoB 2 0 D 4", "P1 Done", variant="Zertz+H"))
    assert (record.player1, record.edits) == ("bo", (Edit("give", "", "W", 1),))


@pytest.mark.parametrize(("opening", "first"), [([], "bo"), (["P1 Swap", "P1 Done"], "ada")])
def test_the_rings_of_a_custom_board_are_laid_before_the_first_turn(opening: list[str], first: str) -> None:
    mover = "P1" if first == "bo" else "P0"
    moves = [f"{mover} R- E 9", f"{mover} RtoB 2 2 E 10", f"{mover} Done"]
    laid = ["P0 R+ E 9", "P0 R+ E 10", "P0 R+ F 9", "P0 R- F 9", "P0 Done"]
    record = one(sgf("P0 Start P0", *laid, *opening, *moves, variant="Zertz+xx"))
    assert record.edits == (
        Edit("add ring", "e9"), Edit("add ring", "e10"), Edit("add ring", "f9"), Edit("remove ring", "f9")
    )  # fmt: skip
    assert (record.player1, briefs(record), record.fault) == (first, ["1:Be10,e9"], None)


# Endings and results


@pytest.mark.parametrize(
    ("actions", "ending", "by", "result"),
    [
        ([*TURN, *REPLY], None, None, None),
        ([*TURN, "P1 Resign", "P1 Done"], "resign", 2, "1-0"),
        ([*TURN, "P1 Resign"], "resign", 2, "1-0"),
        ([*TURN, "P1 RtoR 2 0 2", "P1 Resign", "P1 Done"], "resign", 2, "1-0"),
        ([*TURN, *REPLY, "P1 resign", "P1 done"], "resign", 2, "1-0"),
        (["P0 Start P0", "P0 Resign", "P0 Done"], "resign", 1, "0-1"),
        ([*TURN, *REPLY, "P0 WinOnTime"], "time", 2, "1-0"),
        ([*TURN, "P1 WinOnTime "], "time", 1, "0-1"),
        ([*TURN, *REPLY, "P0 Edit"], "abandoned", None, None),
    ],
)
def test_endings(actions: list[str], ending: str | None, by: int | None, result: str | None) -> None:
    record = one(sgf(*actions))
    assert (record.ending, record.ending_by, record.result) == (ending, by, result)
    assert (record.fault, record.half_turn, codes(record)) == (None, None, [])


ENDS = [["P1 Resign", "P1 Done"], ["P1 Resign"], ["P0 Resign", "P0 Done"], ["P0 WinOnTime"]]


@pytest.mark.parametrize("end", ENDS)
def test_a_ring_removed_without_a_marble_before_the_end_stays_text(end: list[str]) -> None:
    record = one(sgf(*TURN, "P1 R- G 1", *end))
    assert record.half_turn is not None
    assert (record.half_turn.text, record.half_turn.mover) == ("P1[R- G 1]", 2)
    assert (len(record.plies), record.fault, record.ending) == (1, None, "time" if "Win" in end[0] else "resign")


@pytest.mark.parametrize("half", [["P1 RtoB 2 1 C 3"], ["P1 RtoR 2 1 2", "P1 RtoB 2 1 D 3", "P1 BtoB D 3 C 3"]])
@pytest.mark.parametrize("end", ENDS)
def test_a_marble_placed_before_the_end_is_a_ply(half: list[str], end: list[str]) -> None:
    # The rules decide if a ring was due.
    record = one(sgf(*TURN, *half, *end))
    assert (briefs(record), record.half_turn) == (["1:Wd4,a1", "2:Gc3"], None)


@pytest.mark.parametrize(
    ("turn", "ply"),
    [
        (["P1 RtoB 2 1 C 3", "P1 R- G 1"], "2:Gc3,g1"),
        (["P1 R- G 1", "P1 RtoB 2 1 C 3"], "2:Gc3,g1"),
        (["P1 BtoB D 4 B 2"], "2:d4>b2"),
    ],
)
def test_a_whole_turn_counts_though_a_resignation_follows(turn: list[str], ply: str) -> None:
    record = one(sgf(*TURN, *turn, "P1 Resign", "P1 Done"))
    assert (briefs(record)[1:], record.half_turn, record.ending_by) == ([ply], None, 2)


def test_a_file_may_end_within_a_turn_without_any_ending() -> None:
    assert one(sgf(*TURN, "P1 R- G 1")).half_turn is not None
    assert briefs(one(sgf(*TURN, "P1 RtoB 2 1 C 3"))) == ["1:Wd4,a1", "2:Gc3"]


def test_a_resignation_may_be_withdrawn() -> None:
    record = one(sgf(*TURN, "P1 RtoB 2 1 C 3", "P1 Resign", "P1 Resign", "P1 R- G 1", "P1 Done", *LAST))
    assert (briefs(record), record.ending, codes(record)) == (["1:Wd4,a1", "2:Gc3,g1", "1:Bb2,g4"], None, ["W444"])


def test_what_follows_an_abandoned_game_is_not_read() -> None:
    record = one(sgf(*TURN, *REPLY, "P0 Edit", "P0 R- A 4", "P0 RtoB 2 0 A 3", "P0 Done"))
    assert (len(record.plies), record.ending, codes(record)) == (2, "abandoned", ["W748"])


@pytest.mark.parametrize(
    ("text", "names", "result"),
    [
        ("Game won by ada", ("ada", "bo"), "1-0"),
        ("Game won by bo", ("ada", "bo"), "0-1"),
        ("Game won by Bo", ("ada", "bo"), "0-1"),
        ("Игру выиграл(а) bo.", ("ada", "bo"), "0-1"),  # noqa: RUF001
        ("\xf018\xf033\xf040\xf043 \xf032\xf04b\xf038\xf033\xf040\xf030\xf03b(\xf030) bo.", ("ada", "bo"), "0-1"),
        ("ada hat gewonnen", ("ada", "bo"), "1-0"),
        ("Partida ganada por bo", ("ada", "bo"), "0-1"),
        ("Partida vencida por bo", ("ada", "bo"), "0-1"),
        ("Partie gagnée par ada", ("ada", "bo"), "1-0"),
        ("De partij is gewonnen door ada", ("ada", "bo"), "1-0"),
        ("Gra wygrana przez bo", ("ada", "bo"), "0-1"),
        ("Vyhrál bo", ("ada", "bo"), "0-1"),
        ("adaが勝利", ("ada", "bo"), "1-0"),
        ("bo获胜", ("ada", "bo"), "0-1"),
        ("Joc câştigat de ada", ("ada", "bo"), "1-0"),
        ("ada vann spelet", ("ada", "bo"), "1-0"),
        ("Partion venkis bo", ("ada", "bo"), "0-1"),
        ("???? ???????(?) bo.", ("ada", "bo"), "0-1"),
        ("ada?b7<dc", ("ada", "bo"), "1-0"),
        ("Game won by won", ("by", "won"), "0-1"),
        ("vinse bo.ada", ("ada", "bo.ada"), "0-1"),
        ("Game won by guest77", ("guest", "bo"), "1-0"),
        ("Game won by guest.cy", ("ada", "guest"), "0-1"),
        ("Gast77 hat gewonnen", ("guest", "bo"), "1-0"),
        ("Partida ganada por invitado.cy", ("ada", "guest"), "0-1"),
        ("Игру выиграл(а) гость.cy.", ("guest", "bo"), "1-0"),  # noqa: RUF001
        ("Game won by guest77", ("guest", "guest77"), "0-1"),
        ("Game won by robo", ("robo1", "bo"), "1-0"),
        ("The game is a draw", ("ada", "bo"), "1/2-1/2"),
        ("Unentschieden", ("ada", "bo"), "1/2-1/2"),
        (" ", ("ada", "bo"), None),
    ],
)
def test_results_in_many_languages(text: str, names: tuple[str, str], result: str | None) -> None:
    record = one(sgf(*TURN, names=names, head=f"RE[{text}]\n"))
    assert (record.result, codes(record)) == (result, [])
    assert record.ending == ("agreed" if result == "1/2-1/2" else None)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Game won by guest77", ("guest", "guest")),
        ("Game won by cy", ("ada", "bo")),
        ("ada against bo", ("ada", "bo")),
        ("???????", ("ada", "bo")),
    ],
)
def test_a_result_without_a_clear_name_is_none(text: str, names: tuple[str, str]) -> None:
    record = one(sgf(*TURN, names=names, head=f"RE[{text}]\n"))
    assert (record.result, codes(record)) == (None, ["W542"])


def test_a_result_is_counted_from_who_moves_first() -> None:
    record = one(sgf("P1 RtoB 2 0 D 4", "P1 R- A 1", "P1 Done", head="RE[Game won by bo]\n"))
    assert (record.player1, record.result) == ("bo", "1-0")


@pytest.mark.parametrize(
    ("written", "actions", "result", "remarks"),
    [
        ("Game won by ada", ["P1 Resign"], "1-0", []),
        ("Game won by bo", ["P1 Resign"], "0-1", ["W443"]),
        ("The game is a draw", ["P0 WinOnTime"], "1/2-1/2", ["W443"]),
        ("The game is a draw", ["P1 Edit"], "1/2-1/2", []),
    ],
)
def test_a_written_result_counts_before_the_ending(
    written: str, actions: list[str], result: str, remarks: list[str]
) -> None:
    record = one(sgf(*TURN, *actions, head=f"RE[{written}]\n"))
    assert (record.result, codes(record)) == (result, remarks)
    assert record.ending != "agreed"


# Brackets and backslashes that are not escaped

AS_USUAL = sgf(*TURN, *REPLY, head="RE[Game won by bo]\nDT[May 7, 2021]\n")


@pytest.mark.parametrize(
    ("usual", "written", "field", "value"),
    [
        ('[id "ada"]', '[id "Ada [3d]"]', "player1", "Ada [3d]"),
        ('[id "ada"]', '[id "Ada 3d]"]', "player1", "Ada 3d]"),
        ('[id "ada"]', '[id "Ada [3d"]', "player1", "Ada [3d"),
        ('[id "ada"]', '[id "[]]"]', "player1", "[]]"),
        ('[id "ada"]', "[id ada\\]", "player1", "ada\\"),
        ('[id "bo"]', "[id bo\\]", "player2", "bo\\"),
        ('[id "bo"]', '[id "bo]]"]', "player2", "bo]]"),
        ("DT[", "C[see [this], \\[that\\] and P0[x]: fine]DT[", "comment", "see [this], [that] and P0[x]: fine"),
        ("DT[", "C[see [3d] AN[y] there]DT[", "comment", "see [3d] AN[y] there"),
        ("DT[", "C[a [ b]DT[", "comment", "a [ b"),
        ("DT[", "C[a ] b \\]DT[", "comment", "a ] b \\"),
        ("DT[", 'C[quote: P0[id "x"\\]\nP1[id "y"\\] end]DT[', "comment", 'quote: P0[id "x"]\nP1[id "y"] end'),
        ("DT[May 7, 2021]", "DT[May 7, 2021]]", "date", "2021.05.07"),
        ("DT[May 7, 2021]", "DT[May 7, 2021\\]", "date", "2021.05.07"),
        ("RE[Game won by bo]", "RE[Game won by [bo]]", "result", "0-1"),
        ("RE[Game won by bo]", "RE[Game won by bo\\]", "result", "0-1"),
        ("RE[Game won by bo]", "RE[Game won by [bo\\]", "result", "0-1"),
    ],
)
def test_a_value_ends_where_the_game_goes_on(usual: str, written: str, field: str, value: str | None) -> None:
    text = AS_USUAL.replace(usual, written, 1)
    record, plain = one(text), one(AS_USUAL)
    assert record.fault is None
    assert getattr(record, field) == value
    assert briefs(record) == briefs(plain)
    is_plain = written in ('[id "Ada [3d"]', "C[a [ b]DT[") or "quote" in written
    assert [code for code in codes(record) if code != "W542"] == ([] if is_plain else ["W560"])
    for remark in record.remarks[:1]:
        assert text[remark.span.start] in "PCDR" and text[remark.span.end - 1] == "]"
    assert list(read(text)) == list(parse_fully(text))


@pytest.mark.parametrize("comment", ["well [done]", "well done]", "well \\", "[[a] b]c"])
def test_a_comment_on_a_ply_takes_no_ply_along(comment: str) -> None:
    text = sgf(*TURN, f"; C[{comment}]", *REPLY, *LAST)
    record = one(text)
    assert record.fault is None
    assert briefs(record) == briefs(one(sgf(*TURN, *REPLY, *LAST)))
    assert record.plies[0].comment == comment
    assert codes(record) == ["W560"]


@pytest.mark.parametrize("written", ['[id "ada"] x', '[id "ada" x]]\nP1[id "eve"]]x'])
def test_where_a_value_ends_may_stay_in_doubt(written: str) -> None:
    record = one(AS_USUAL.replace('[id "ada"]', written, 1))
    assert record.fault is not None
    assert record.fault.code == "E241"


@given(st.text(st.sampled_from("ab[]\\ \n;"), max_size=12))
def test_any_comment_written_as_it_is_is_read_or_a_fault(comment: str) -> None:
    for record in read(sgf(*TURN, f"; C[{comment}]", *REPLY)):
        assert record.fault is not None or [ply.kind for ply in record.plies[:1]] == ["placement"]


# Names, dates, tags


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ('id "ada"', "ada"),
        (' id "ada"', "ada"),
        ("id ada", "ada"),
        (' id  ""ada""', "ada"),
        ('id ""', None),
        ("x", None),
    ],
)
def test_names_are_found_in_odd_quotes(written: str, name: str | None) -> None:
    assert one(f'(;GM[22]SU[Zertz]P1[id "bo"]P0[{written}]P0[ranking 1200]\n;)').player1 == name


@pytest.mark.parametrize(
    ("file", "written", "date", "remarks"),
    [
        ("Z-ada-bo-2021-05-06-0708.sgf", "May 7, 2021", "2021.05.06", []),
        ("games/2004/Z-ada-bo-2021-05-06-0708.sgf", "", "2021.05.06", []),
        ("ada-bo-2005-03-32-0424.sgf", "Wed Mar 30 20:24:08 PST 2005", "2005.03.??", ["W540"]),
        ("Z-ada-bo-2105-05-06-0708.sgf", "", "????.05.06", ["W540"]),
        ("Z-ada-bo-2001-13-06-0708.sgf", "", "????.??.??", ["W540"]),
        ("Z-ada-bo-0-01-00-0000.sgf", "26 March 2016", "2016.03.26", []),
        ("", "Wed Oct 29 08:02:18 ADT 2025", "2025.10.29", []),
        ("", "Thu Jan 28 00:51:11 GMT-07:00 2005", "2005.01.28", []),
        ("", "October 16, 2024", "2024.10.16", []),
        ("", "10 January 2024", "2024.01.10", []),
        ("", "1. April 2024", "2024.04.01", []),
        ("", "2022. May 14.", "2022.05.14", []),
        ("", "29. Oktober 2017", "2017.10.29", []),
        ("", "24 de junio de 2017", "2017.06.24", []),
        ("", "28 luglio 2017", "2017.07.28", []),
        ("", "17 février 2018", "2018.02.17", []),
        ("", "18 апреля 2021 г.", "2021.04.18", []),  # noqa: RUF001
        ("", "30 \xf041\xf035\xf03d\xf042\xf04f\xf031\xf040\xf04f 2016 \xf033.", "2016.09.30", []),
        ("", "2019年3月21日", "2019.03.21", []),
        ("", "29 February 2023", "2023.02.??", ["W540"]),
        ("", "Raw History", None, ["W541"]),
        ("", "2017t5\x0824å", None, ["W541"]),
        ("", "", None, []),
        ("foo.sgf", "", None, []),
    ],
)
def test_dates(file: str, written: str, date: str | None, remarks: list[str]) -> None:
    record = one(sgf(*TURN, head=f"DT[{written}]\n"), file)
    assert (record.date, codes(record)) == (date, remarks)


@pytest.mark.parametrize(
    ("file", "written", "says", "taken"),
    [
        ("Z-ada-bo-2005-03-32-0424.sgf", "", "the file's name says 2005-03-32;", "2005.03.?? is taken"),
        ("Z-ada-bo-2004-03-32-0424.sgf", "", "the file's name says 2004-03-32;", "2004.03.31 is taken"),
        ("", "29 February 2023", "DT says '29 February 2023';", "2023.02.?? is taken"),
        ("", "Raw History", "DT says 'Raw History',", "none is stored"),
    ],
)
def test_a_doubtful_date_is_quoted_with_its_place_and_what_was_made_of_it(
    file: str, written: str, says: str, taken: str
) -> None:
    (remark,) = one(sgf(*TURN, head=f"DT[{written}]\n"), file).remarks
    assert remark.message.startswith(says)
    assert remark.message.endswith(taken)


@pytest.mark.parametrize(
    ("name", "written", "date"),
    [
        ("2004-03-32-0424", "Tue Mar 30 20:24:08 PST 2004", "2004.03.31"),
        ("2004-05-32-1500", "Mon May 31 17:00:40 CEST 2004", "2004.05.31"),
        ("2004-05-32-1500", "", "2004.05.31"),
        ("2004-05-32-1500", "who knows", "2004.05.31"),
        ("2004-04-01-0105", "", "2004.03.31"),
        ("2004-06-04-2000", "Thu Jun 03 22:00:40 CEST 2004", "2004.06.03"),
        ("2004-06-04-2000", "Fri Jun 04 22:00:40 CEST 2004", None),
        ("2004-06-05-0300", "Thu Jun 03 20:00:40 PDT 2004", "2004.06.04"),
        ("2004-06-05-0300", "Fri Jun 04 20:00:40 PDT 2004", None),
        ("2004-06-05-0300", "Sat Jun 05 12:00:40 JST 2004", None),
        ("2004-06-05-0300", "", "2004.06.04"),
        ("2004-05-03-1000", "Mon May 03 00:00:00 HST 2004", "2004.05.02"),
        ("2004-05-03-1000", "Mon May 03 10:00:00 GMT 2004", None),
        ("2004-06-06-0300", "", None),
        ("2004-06-06-0300", "Fri Jun 04 22:00:40 CEST 2004", None),
        ("2004-02-29-0300", "", None),
        ("2005-04-10-0300", "Sat Apr 09 03:00:00 GMT 2005", None),
    ],
)
def test_names_of_early_2004_carry_the_day_after(name: str, written: str, date: str | None) -> None:
    for text, file in ((f"DT[{written}]\n", f"Z-ada-bo-{name}.sgf"), (f"DT[{written}]\nGN[Z-ada-bo-{name}]\n", "")):
        record = one(sgf(*TURN, head=text), file)
        assert record.date == (date or name[:10].replace("-", "."))
        assert codes(record) == (["N540"] if date else [])


@pytest.mark.parametrize(
    ("file", "written", "time"),
    [
        ("Z-ada-bo-2021-05-06-0708.sgf", "Thu May 06 09:08:01 CEST 2021", "07:08"),
        ("ada-bo-2004-03-32-0424.sgf", "", "04:24"),
        ("Z-ada-bo-2021-05-06-2460.sgf", "Thu May 06 09:08:01 CEST 2021", None),
        ("", "Wed Oct 29 08:02:18 ADT 2025", "08:02:18"),
        ("", "Thu Jan 28 00:51:11 GMT-07:00 2005", "00:51:11"),
        ("", "Thu Jan 28 GMT-07:00 2005", None),
        ("", "Oct 16, 2024 12:05 AM", "00:05"),
        ("", "Oct 16, 2024 3:05:09 pm", "15:05:09"),
        ("", "October 16, 2024", None),
        ("", "", None),
    ],
)
def test_the_time_of_day_comes_from_where_the_date_does(file: str, written: str, time: str | None) -> None:
    assert one(sgf(*TURN, head=f"DT[{written}]\n"), file).time == time


def test_the_game_s_own_name_gives_the_date_of_a_file_without_stamp() -> None:
    assert one(sgf(head="DT[May 7, 2021]\nGN[Z-ada-bo-2021-05-06-0708]\n"), "foo.sgf").date == "2021.05.06"


@pytest.mark.parametrize(
    ("file", "flags"),
    [
        ("Z-ada-bo-2021-05-06-0708.sgf", []),
        ("U!Z11-ada-bo-2021-05-06-0708.sgf", ["unranked"]),
        ("T!Z-ada-bo-2021-05-06-0708.sgf", ["tournament"]),
        ("TU!Z24-ada-bo-2021-05-06-0708.sgf", ["tournament unranked"]),
        ("wwwA!Z-ada-bo-2021-05-06-0708.sgf", ["turn-based"]),
        ("U-Z-ada-bo-2021-05-06-0708.sgf", ["unranked"]),
        ("U-ada-2021-05-06-0708.sgf", []),
    ],
)
def test_flags_of_the_file_name_become_a_tag(file: str, flags: list[str]) -> None:
    tags = one(sgf(head="TC[None]\n"), file).tags
    assert [value for name, value in tags if name == "Flags"] == flags
    assert tags[:5] == (("GM", "22"), ("VV", "2"), ("TC", "None"), ("SU", "Zertz"), ("P0", 'id "ada"'))


# Faults


@pytest.mark.parametrize(
    ("actions", "code", "place", "plies"),
    [
        ([*TURN, "P1 RtoB 2 0 C 3", "P1 RtoB 2 0 E 5"], "E350", "P1[RtoB 2 0 E 5]", 1),
        ([*TURN, "P1 R- G 1", "P1 RtoB 2 0 C 3", "P1 R- G 1"], "E351", "P1[R- G 1]", 1),
        ([*TURN, "P1 R- G 1", "P1 RtoB 2 0 C 3", "P1 R- G 2"], "E351", "P1[R- G 2]", 1),
        ([*TURN, "P1 BtoB D 4 B 2", "P1 BtoB C 2 C 4"], "E352", "P1[BtoB C 2 C 4]", 1),
        ([*TURN, "P1 RtoB 2 0 C 3", "P1 BtoB D 4 B 2"], "E353", "P1[BtoB D 4 B 2]", 1),
        ([*TURN, "P1 R- G 1", "P1 BtoB D 4 B 2"], "E360", "P1[BtoB D 4 B 2]", 1),
        ([*TURN, "P1 BtoB D 4 B 2", "P1 R- G 1"], "E360", "P1[R- G 1]", 1),
        ([*TURN, "P1 BtoB D 4 B 2", "P1 RtoB 2 0 C 3"], "E353", "P1[RtoB 2 0 C 3]", 1),
        ([*TURN, "P1 R+ G 1"], "E354", "P1[R+ G 1]", 1),
        ([*TURN, "P1 BtoR D 4 2"], "E354", "P1[BtoR D 4 2]", 1),
        ([*TURN, "P1 Done", *LAST], "E355", "P1[Done]", 1),
        ([*TURN, "P1 Done"], "E355", "P1[Done]", 1),
        ([*TURN, "P1 BtoB D 7 D 7", "P0 BtoB C 5 E 4"], "E355", "P1[BtoB D 7 D 7]", 1),
        ([*TURN, "P1 R- G 1", "P1 Done", *LAST], "E356", "P1[R- G 1]\n; P1[Done]", 1),
        ([*TURN, "P1 RtoR 2 0 1"], "E357", "P1[RtoR 2 0 1]", 1),
        ([*TURN, "P1 SetBoard Zertz+11", *REPLY], "E357", "P1[SetBoard Zertz+11]", 1),
        ([*TURN, "P1 Resign", "P1 Done", *LAST], "E358", "P0[RtoB 2 2 B 2]", 1),
        ([*TURN, *REPLY, "P0 WinOnTime", *LAST], "E358", "P0[RtoB 2 2 B 2]", 2),
        ([*TURN, "P1 Hop D 4 B 2"], "E244", "P1[Hop D 4 B 2]", 1),
        ([*TURN, "P1 RtoB 2 3 C 3"], "E244", "P1[RtoB 2 3 C 3]", 1),
        ([*TURN, "P1 RtoB 2 0 R 3"], "E244", "P1[RtoB 2 0 R 3]", 1),
        ([*TURN, "P1 R- A 13"], "E244", "P1[R- A 13]", 1),
        ([*TURN, "P-1 RtoB 2 0 C 3"], "E244", "P-1[RtoB 2 0 C 3]", 1),
        ([*TURN, "stray words", *REPLY], "E241", "s", 1),
    ],
)
def test_actions_that_make_no_turn_stop_the_reading(actions: list[str], code: str, place: str, plies: int) -> None:
    text = sgf(*actions)
    record = one(text)
    assert record.fault is not None
    assert (record.fault.code, len(record.plies)) == (code, plies)
    assert text[record.fault.span.start : record.fault.span.end] == place
    assert record.fault.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("just words", "E240"),
        ("(:GM[22])", "E240"),
        ("(;GM[1]SU[Go]\n; P0[RtoB 2 0 D 4])", "E243"),
        ("(;GM[22]SU[Hive]\n; P0[RtoB 2 0 D 4])", "E243"),
        ("(;GM[22]SU[Zertz", "E242"),
        ("(;GM[22]SU[Zertz]\n; P0[Rto", "E242"),
        ("(;GM[22]SU[Zertz]\n; P0", "E242"),
    ],
)
def test_texts_that_are_no_game(text: str, code: str) -> None:
    record = one(text)
    assert record.fault is not None
    assert (record.fault.code, record.plies) == (code, ())


def test_a_truncated_file_has_its_readable_part() -> None:
    text = sgf(*TURN, *REPLY, "P0 RtoB 2 2 B 2", "P0 R- G 4")
    record = one(text[: text.index("R- G 4")])
    assert record.fault is not None
    assert (record.fault.code, record.fault.span.line) == ("E242", 13)
    assert briefs(record) == ["1:Wd4,a1", "2:Gc3,g1"]
    assert record.half_turn is not None
    assert record.half_turn.text == "P0[RtoB 2 2 B 2]"


def test_a_missing_last_parenthesis_is_only_remarked_upon() -> None:
    record = one(sgf(*TURN).rstrip().removesuffix(")"))
    assert (briefs(record), record.fault, codes(record)) == (["1:Wd4,a1"], None, ["W746"])


def test_text_around_the_games_is_remarked_upon() -> None:
    record = one("Our game:\n" + sgf(*TURN) + "Thanks!")
    assert (briefs(record), record.fault, codes(record)) == (["1:Wd4,a1"], None, ["W747", "W747"])


def test_a_damaged_game_does_not_take_the_next_along() -> None:
    first, second, third = read(sgf(*TURN, "P1[") + sgf(*TURN, *REPLY) + sgf(*TURN))
    assert first.fault is not None
    assert [briefs(record) for record in (first, second, third)] == [
        ["1:Wd4,a1"],
        ["1:Wd4,a1", "2:Gc3,g1"],
        ["1:Wd4,a1"],
    ]
    assert (second.fault, third.fault) == (None, None)


@pytest.mark.parametrize("text", ["", " ", "\r\n\n"])
def test_nothing_holds_no_records(text: str) -> None:
    assert list(read(text)) == []


# Properties

CELLS = st.builds("{} {}".format, st.sampled_from("ABCDEFG"), st.integers(1, 4))
NOISE = st.sampled_from(
    [["RtoR 2 1 2"], ["R- A 1", "R+ A 1"], ["RtoB 2 1 D 4", "BtoR D 4 2"], ["BtoB A 1 A 1"], ["Reset"]]
)


@st.composite
def turns(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Return the actions of some turns, plain, and with corrections among them that change nothing."""
    plain: list[str] = []
    noisy: list[str] = []
    for number in range(draw(st.integers(0, 6))):
        cell, ring = draw(CELLS), draw(CELLS)
        deeds = (
            [f"RtoB 2 {draw(st.integers(0, 2))} {cell}", f"R- {ring}"] if draw(st.booleans()) else [f"BtoB {cell} F 9"]
        )
        before = [word for noise in draw(st.lists(NOISE, max_size=2)) for word in noise]
        plain += [f"P{number % 2} {deed}" for deed in [*deeds, "Done"]]
        noisy += [f"P{number % 2} {deed}" for deed in [*before, *deeds, "Done"]]
    return plain, noisy


@given(turns())
def test_corrections_leave_no_trace(actions: tuple[list[str], list[str]]) -> None:
    plain, noisy = (one(sgf(*some)) for some in actions)
    assert briefs(plain) == briefs(noisy)
    assert (plain.fault, noisy.fault) == (None, None)


SAMPLE = sgf(
    "P0 Start P0", *TURN, *REPLY, "P0 BtoB E 1 E 3", "P0 BtoB E 3 E 5", "P0 Done", "; C[a]P1[Resign]", head="RE[x]\n"
)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Return the sample with pieces cut out, doubled or put in."""
    text = SAMPLE
    for _ in range(draw(st.integers(1, 4))):
        start, end = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
        end = min(end, start + 40)
        put_in = draw(
            st.sampled_from(["", text[start:end] * 2, "(;", ")", "[", "]", "\\", ";", "P1[", "TM[5]"]) | st.text()
        )
        text = text[:start] + put_in + text[end:]
    return text


@given(st.text() | st.text(alphabet="(;)[]\\P01-RtoB D4\n") | mangled())
def test_any_text_is_read_without_an_exception(text: str) -> None:
    for record in read(text, text[:20]):
        assert 0 <= record.span.start <= record.span.end <= len(text)
        ends = [0]
        for ply in record.plies:
            assert ends[-1] <= ply.span.start < ply.span.end <= len(text)
            assert ply.mover in (1, 2)
            ends.append(ply.span.end)
        assert {remark.code for remark in record.remarks} <= {*CODES, "W524"}  # a clock, as in official notation
        assert record.fault is None or record.fault.code in CODES


# The archive of real games, where there is one

ARCHIVE = Path(os.environ.get("ZERTZ_ARCHIVE", Path(__file__).parents[4] / "shared" / "archive" / "boardspace"))


def archived() -> Iterator[tuple[str, bytes]]:
    """Yield the files of every fortieth zip of the archive."""
    for path in sorted(ARCHIVE.rglob("*.zip"))[::40]:
        with zipfile.ZipFile(path) as files:
            for name in files.namelist():
                yield name, files.read(name)


@pytest.mark.skipif(not ARCHIVE.is_dir(), reason="the archive of real games is not here (ZERTZ_ARCHIVE)")
def test_real_games_are_read() -> None:
    count = faulty = 0
    for name, data in archived():
        text, _ = decode(data)
        for record in read(text, name):
            count += 1
            faulty += record.fault is not None
            assert record.board is not None
            assert record.date is not None
            assert [record.plies[0].mover] == [1] if record.plies else True
            for ply in record.plies:
                assert text[ply.span.start : ply.span.end].startswith(("P0", "P1"))
    assert count > 100
    assert faulty <= count / 500


PLAIN = sgf(*TURN, *REPLY, head="DT[2021.05.06]\n")
RESIGNED = sgf(*TURN, *REPLY, *LAST, "P1 Resign", "P1 Done", names=("cy", "(d"))
TAKEN_BACK = sgf("P0 RtoB 2 0 D 4", "P0 R- A 1", "P0 +R A 1", "P0 R- A 2", "P0 Done")


@pytest.mark.parametrize("before", ["", "\n\n ", "letters (; and such\n"])
@pytest.mark.parametrize(
    ("games", "quick"),
    [
        ([PLAIN], 1),
        ([RESIGNED, PLAIN, RESIGNED], 3),
        ([PLAIN, TAKEN_BACK, RESIGNED], 2),
        ([PLAIN, "(;\nGM[1]\n)\n", PLAIN], 2),
        ([PLAIN, RESIGNED, PLAIN[:-30]], 2),
    ],
)
def test_games_of_a_file_are_read_the_quick_way_one_by_one_which_gives_the_same_records(
    games: list[str], quick: int, before: str
) -> None:
    text = before + "".join(games)
    found = list(read(text))
    assert sum(isinstance(record.plies, PackedPlies) for record in found) == quick
    assert found == list(parse_fully(text))
    for record in reversed(found):  # every caller finds its plies there
        assert [text[ply.span.start : ply.span.end][:1] for ply in record.plies] == ["P"] * len(record.plies)


@pytest.mark.parametrize("cut", [2, 4, 12, 30, 45, 70, 90, 104, 130, -20, -5])
@pytest.mark.parametrize("between", ["", " ", "\n"])
def test_a_game_after_one_that_is_cut_off_is_read(cut: int, between: str) -> None:
    text = sgf(*TURN, *REPLY).strip()
    *_, last = read(text[:cut] + between + text)
    assert last.fault is None
    assert briefs(last) == briefs(one(text))


@pytest.mark.parametrize("comment", ["(;GM[22]SU[Zertz])", r"(;GM[22\]SU[Zertz\])", "see (; GM[22]"])
def test_a_game_within_a_comment_is_no_game(comment: str) -> None:
    assert len(list(read(sgf(*TURN, f"; C[{comment}]", *REPLY)))) == 1
