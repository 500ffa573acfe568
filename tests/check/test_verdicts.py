"""Records and their correct verdicts."""

from __future__ import annotations

import pytest

from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import catalogue
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf.writer import write

# A row of rings: a marble on a1 can jump b1 to c1. All columns of the custom boards are half a step apart.
ROW = "custom standard a0:{a}/b1:{b}/c2:{c}/d3:{d} {pool} {first} {second} 1"


def row(layout: str, pool: str = "6/8/10", first: str = "0/0/0", second: str = "0/0/0") -> str:
    a, b, c, d = layout
    return ROW.format(a=a, b=b, c=c, d=d, pool=pool, first=first, second=second)


def record(moves: str, **tags: str) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n" + moves + "\n"


def from_position(position: str, moves: str, **tags: str) -> str:
    return record(moves, SetUp="1", Position=position, **tags)


def judged(text: str) -> CheckedRecord:
    (found,) = list(gipf.read(text))
    return check(found)


def codes(checked: CheckedRecord) -> list[str]:
    """Return the codes of all findings but N505 (the rule set is not stated): no record here is about that."""
    return [finding.code for finding in checked.findings if finding.code != "N505"]


# text, verdict, ending, winner, codes
CASES = {
    "nothing but an opening": (record("1. Wd4,d1 Bd3,a1", Board="37"), "unfinished", None, None, ["N420"]),
    "a resignation": (record("1. Wd4,d1 resigns", Board="37"), "verified", "resign", 1, []),
    "a resignation by tag": (
        record("1. Wd4,d1 1-0", Board="37", Termination="resign"), "verified", "resign", 1, []),
    "time": (record("1. Wd4,d1 0-1", Board="37", Termination="time"), "verified", "time", 2, []),
    "a draw by agreement": (record("1. Wd4,d1 1/2-1/2", Board="37"), "verified", "agreed", 0, []),
    "a result that nothing explains": (record("1. Wd4,d1 1-0", Board="37"), "verified", None, 1, ["W412"]),
    "abandoned": (
        record("1. Wd4,d1 *", Board="37", Termination="abandoned"), "unfinished", "abandoned", None, ["N420"]),
    "the rules' own example of the notation": (
        record("Wd4,d1\nGe5,c3\nBf6,d2\nx c2We4\n-", Board="37"), "illegal", None, None, ["E313"]),
    "a ring of another board": (record("1. Wd4,h1", Board="37"), "illegal", None, None, ["E331"]),
    "a custom board without a position": (record("1. Wd4,d1", Board="custom"), "illegal", None, None, ["E333"]),
    "no such rule set": (
        record("1. Wd4,d1", Board="37", RuleSet="blitz", Tournament="yes"), "illegal", None, None, ["E334"]),
    "a position that is none": (from_position("37 standard oo 1/1/1 0/0/0 0/0/0 1", "Wd4,d1"), "illegal", None, None, ["E332"]),
    "a placement where a capture is compulsory": (
        record("1. Wd4,d1 Bd3,a1 2. Wa2,b1", Board="37"), "illegal", None, None, ["E302"]),
    "the winning jump": (
        from_position(row("WWoo", "0/8/10", "3/0/0", "1/0/0"), "x a1Wc1 1-0"), "verified", "set", 1, []),
    "the winning jump, and the result says otherwise": (
        from_position(row("WWoo", "0/8/10", "3/0/0", "1/0/0"), "x a1Wc1 0-1"), "verified", "set", None, ["W401"]),
    "the winning jump, and the ending says otherwise": (
        from_position(row("WWoo", "0/8/10", "3/0/0", "1/0/0"), "x a1Wc1 1-0", Termination="time"),
        "verified", "set", 1, ["W415"]),
    "a move after the end": (
        from_position(row("WWoo", "0/8/10", "3/0/0", "1/0/0"), "x a1Wc1 Gb1,d1"), "illegal", None, None, ["E301"]),
    "marbles are missing": (
        from_position(row("WWoo", "0/0/0", "3/0/0", "0/0/0"), "x a1Wc1 1-0"), "verified", "set", 1, ["W509"]),
    "position and tags contradict each other": (
        from_position(row("WWoo", "0/8/10", "3/0/0", "1/0/0"), "x a1Wc1 1-0", Board="37"),
        "verified", "set", 1, ["W514"]),
    "blitz elsewhere": (record("1. Wd4,d1", Board="48", RuleSet="blitz"), "unfinished", None, None, ["W507", "N420"]),
    "tournament on 37 rings": (
        record("1. Wd4,d1", Board="37", Tournament="yes"), "unfinished", None, None, ["W508", "N420"]),
    "the board is left open": (record("1. Wd4,d8"), "unfinished", None, None, ["N420", "N503", "W572"]),
    "an unclosed comment": (record("1. Wd4,d1 {so far", Board="37"), "unreadable", None, None, ["E211"]),
    "the last ring is missing, but filling a group won": (
        from_position("custom standard a0:o/c2:o/e0:W 2/8/10 3/0/0 0/0/0 1", "Wa1 1-0"),
        "verified", "set", 1, ["W703", "N422"]),
    "the last chain stops with a set": (
        from_position("custom standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1", "x a1Wa3 1-0"),
        "verified", "set", 1, ["W509", "W704"]),
    "a ring is missing, and filling a group did not win": (
        from_position("custom standard a0:o/c2:o/e0:o 4/8/10 2/0/0 0/0/0 1", "Wa1 Wc1,e1"),
        "illegal", None, None, ["E310"]),
    "it stops inside a turn": (record("1. Wd4,d1 Bb1", Board="37"), "unfinished", None, None, ["W410"]),
    "it stops inside a chain": (
        from_position(row("WWoo", "0/8/10").replace("d3:o", "d3:W/e4:o"), "x a1Wc1"),
        "unfinished", None, None, ["W509", "W410"]),
    "a resignation inside a turn": (record("1. Wd4,d1 Bb1 Player2 resigns", Board="37"), "verified", "resign", 1, ["W702"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_verdict(case: str) -> None:
    text, verdict, ending, winner, expected = CASES[case]
    checked = judged(text)
    assert (checked.verdict, checked.ending, checked.winner, codes(checked)) == (verdict, ending, winner, expected)


def test_every_code_is_in_the_catalogue() -> None:
    for case in CASES.values():
        assert set(codes(judged(case[0]))) <= catalogue().keys()


def test_catalogue_names_each_code_once() -> None:
    assert all(kind.code == code and kind.title for code, kind in catalogue().items())
    assert {kind.severity for kind in catalogue().values()} == {"error", "warning", "note"}


def test_an_illegal_move_says_what_the_rules_ask_for() -> None:
    checked = judged(record("1. Wd4,d1 Bd3,a1 2. Wa2,b1", Board="37"))
    finding, _ = checked.findings
    assert "x d3Wd5" in finding.message and "x d4Bd2" in finding.message
    assert finding.ply == 3
    assert finding.span is not None and (finding.span.line, finding.span.column) == (3, 21)
    assert finding.rule == "3.1"


@pytest.mark.parametrize(
    ("move", "suggestion"),
    [("x d3Wd6", "x d3Wd5"), ("x d4Bd1", "x d4Bd2"), ("x c3Wc5", None), ("Wd3,e1", None), ("Wd4,e1", None)],
)
def test_the_only_near_move_is_suggested(move: str, suggestion: str | None) -> None:
    checked = judged(record(f"1. Wd4,d1 Bd3,a1 2. {move}", Board="37"))
    assert checked.findings[0].suggestion == suggestion


class TestClaims:
    """A record that writes claims is read as automatic first, and as written if that fails."""

    # Two single rings are cut off from the rest: playing on one makes a full group at once.
    START = "custom standard a0:o/c2:o/e0:ooo/f1:ooo 6/8/10 0/0/0 0/0/0 1"

    def test_automatic(self) -> None:
        checked = judged(from_position(self.START, "Wa1,e1 1-0", Termination="resign"))
        assert checked.moves == ["Wa1,e1 x Wa1"]
        assert codes(checked) == ["N422"]

    def test_a_written_claim_that_agrees(self) -> None:
        checked = judged(from_position(self.START, "Wa1,e1 x Wa1", Termination="resign", Result="1-0"))
        assert (checked.verdict, codes(checked)) == ("verified", [])

    def test_one_claimed_and_one_declined(self) -> None:
        checked = judged(from_position(self.START, "Wa1,e1 x Wa1 Gc1,f3 Be2,e3 1-0", Termination="resign"))
        assert checked.verdict == "verified"
        assert checked.attempt is not None and not checked.attempt.start.rules.written_claims
        declined = judged(
            from_position(self.START, "Wa1,e1 Gc1,f3 x Gc1 Be2,e3 1-0", Claims="written", Termination="resign")
        )
        assert declined.moves == ["Wa1,e1", "Gc1,f3 x Gc1", "Be2,e3"]
        assert declined.final is not None and declined.final.on("a1") == "W"

    def test_a_wrong_colour_is_an_error_either_way(self) -> None:
        assert codes(judged(from_position(self.START, "Wa1,e1 x Ga1"))) == ["E323"]

    def test_a_vacant_ring_is_an_error_either_way(self) -> None:
        assert codes(judged(from_position(self.START, "Wa1,e1 x Wc1"))) == ["E322"]


@pytest.mark.parametrize(
    ("options", "moves", "code", "suggestion"),
    [
        ("", "Wa1,e1 x Ga1", "E323", "Wa1,e1 x Wa1"),
        ("", "Wa1,e1 x Wc1", "E322", "Wa1,e1 x Wa1"),
        ("", "Wa1,e1 x Wf1", "E322", "Wa1,e1 x Wa1"),
        ("", "We2,f3 x We2", "E324", "We2,f3"),
        ("", "Wa1,d9 x Wa1", "E331", None),
        ("+written", "Wa1,e1 x Ga1", "E323", "Wa1,e1 x Wa1"),
        ("+written", "Wa1,e1 Gc1,f3 x Wa1", "E326", "Gc1,f3 x Gc1"),
        ("+written", "Wa1,e1 Gc1,f3 x Wa1Gc1", "E326", "Gc1,f3 x Gc1"),
        ("+written", "Wa1,e1 Ge2,f3 x Wa1", "E326", "Ge2,f3"),
    ],
)
def test_a_wrong_claim_gets_the_right_one_as_suggestion(
    options: str, moves: str, code: str, suggestion: str | None
) -> None:
    start = TestClaims.START.replace("standard", f"standard{options}")
    (finding,) = judged(from_position(start, moves)).findings
    assert (finding.code, finding.suggestion) == (code, suggestion)


class TestBlitz:
    MOVES = "x a1Wc1 1-0"

    def test_stated(self) -> None:
        start = row("WWoo", "0/7/9", "2/0/0", "1/0/0").replace("standard", "blitz")
        checked = judged(from_position(start, self.MOVES))
        assert (checked.winning_sets, checked.winner, codes(checked)) == (("3W",), 1, ["W507"])


def test_a_pass_may_be_left_out() -> None:
    # Player 2 has nothing to place and nothing to jump with; player 1 has a captured marble and a vacant ring.
    start = "custom standard a0:o/c2:o/e0:o 0/0/0 3/0/0 0/0/0 1"
    checked = judged(from_position(start, "Wa1,e1 Wc1"))
    assert "W711" in codes(checked)
    assert checked.moves[1] == "-"


def test_it_is_a_tie_if_neither_player_can_move() -> None:
    start = "custom standard a0:o/c2:W/e0:o 0/0/0 0/0/0 0/0/0 1"
    checked = judged(from_position(start, "-"))
    assert (checked.ending, checked.winner, checked.moves) == ("no-move", 0, ["-", "-"])


@pytest.mark.parametrize("ending", ["set", "board-filled", "both-lose"])
def test_what_only_moves_can_bring_about_is_not_believed(ending: str) -> None:
    checked = judged(record("1. Wd4,d1 *", Board="37", Termination=ending))
    assert (checked.verdict, checked.ending, codes(checked)) == ("unfinished", None, ["W415", "N420"])


def test_a_loss_without_a_named_loser() -> None:
    checked = judged(record("1. Wd4,d1 *", Board="37", Termination="resign"))
    assert (checked.verdict, checked.winner, codes(checked)) == ("verified", None, ["W416"])


def test_a_player_who_resigns_inside_his_turn_loses() -> None:
    checked = judged(record("1. Wd4 resigns", Board="37"))
    assert (checked.verdict, checked.winner, codes(checked)) == ("verified", 2, ["W702"])
    assert judged(record("1. Wd4,d1 resigns", Board="37")).winner == 1


@pytest.mark.parametrize(
    ("rules", "tags", "taken", "found"),
    [
        ("standard+tournament", {"RuleSet": "standard"}, "standard+tournament", []),
        ("standard+written", {"RuleSet": "standard"}, "standard+written", []),
        ("standard", {"Tournament": "yes"}, "standard+tournament", []),
        ("standard", {"Claims": "written"}, "standard+written", []),
        ("standard+tournament", {"Tournament": "no"}, "standard+tournament", ["W514"]),
        ("standard+written", {"Claims": "automatic"}, "standard+written", ["W514"]),
        ("blitz", {"Tournament": "yes"}, "blitz", ["W514"]),
        ("standard", {"RuleSet": "blitz"}, "standard", ["W514"]),
    ],
)
def test_the_position_counts_where_tags_contradict_it(
    rules: str, tags: dict[str, str], taken: str, found: list[str]
) -> None:
    supply = "5/7/9" if rules == "blitz" else "6/8/10"
    start = f"48 {rules} ooooo/oooooo/ooooooo/oooooooo/ooooooo/oooooo/ooooo/oooo {supply} 0/0/0 0/0/0 1"
    checked = judged(from_position(start, "Wd4,d1 resigns", **tags))
    assert checked.attempt is not None
    assert str(checked.attempt.start.rules) == taken
    assert [code for code in codes(checked) if code != "W507"] == found
    (again,) = gipf.read(write(checked.completed()))
    assert check(again).verdict == "verified"
