"""Repairs: which are offered, their words, and the repaired copies."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.check.repair import mutations
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.explain_illegal import board_at_fault
from zertz_db.check.repair.candidates import candidate_batches
from zertz_db.check.repair.edits import PER_PLY
from zertz_db.check.repair.missing_plies import edit_of
from zertz_db.check.repair.patch_text import repaired_copy, repaired_text
from zertz_db.check.repair.priors import prior_cost
from zertz_db.check.repair.repairs import Repair, apply_repair, find_repairs
from zertz_db.check.repair.replay_edits import Reaches, Replays
from zertz_db.parser.boardspace import reader as boardspace
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.record import Record
from zertz_db.rules import compiled

OPENING = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Ba2,b1 3. Wg4,g1 Gc2,c1"


def record(moves: str, **tags: str) -> Record:
    head = "".join(f'[{name} "{value}"]\n' for name, value in ({"Board": "37"} | tags).items())
    (found,) = gipf.read(f"{head}\n{moves}\n")
    return found


def changes(found: Record | CheckedRecord) -> list[str]:
    return [str(repair).rpartition("; with that ")[0] for repair in find_repairs(found)]


@pytest.mark.parametrize(
    ("right", "wrong", "repaired"),
    [
        ("x d3Wd5", "x d3Wd6", "ply 3: x d3Wd5 for x d3Wd6"),
        ("x d3Wd5", "x d3Gd5", "ply 3: x d3Wd5 for x d3Gd5"),
        ("x d3Wd5", "x d5Wd3", "ply 3: x d3Wd5 for x d5Wd3"),
        ("Bd3,a1", "Ba1,d3", "ply 2: Bd3,a1 for Ba1,d3"),
        ("Ba2,b1", "Ba2,b1 Ba2,b1", "ply 5: without Ba2,b1"),
        ("x d3Wd5 Ba2,b1", "Ba2,b1 x d3Wd5", "ply 3: x d3Wd5 for Ba2,b1; ply 4: Ba2,b1 for x d3Wd5"),
        ("x d3Wd5 ", "", "ply 3: x d3Wd5 put in"),
    ],
)
def test_a_slip_of_the_pen_is_the_first_repair(right: str, wrong: str, repaired: str) -> None:
    assert changes(record(OPENING.replace(right, wrong)))[0] == repaired


@pytest.mark.parametrize(("placed", "neighbours"), [("b2", {"a1", "a2", "b1"}), ("f4", {"f5", "g3", "g4"})])
def test_a_ring_next_to_a_marble_is_more_likely_removed(placed: str, neighbours: set[str]) -> None:
    first_three = find_repairs(record(f"1. W{placed} Bd3,d1"), 3)
    assert {repair.changes[0].new.partition(",")[2] for repair in first_three} == neighbours


def test_it_says_how_far_and_whether_the_result_agrees() -> None:
    faulty = record(OPENING.replace("d5", "d6") + " Player1 resigns 0-1")
    assert str(find_repairs(faulty)[0]).endswith("; with that all 6 plies are legal and the result agrees")
    assert find_repairs(faulty)[0].agrees
    assert str(find_repairs(record(OPENING.replace("d5", "d6") + " 1-0"))[0]).endswith(
        ", but the result does not agree"
    )


def test_two_errors_are_repaired_together() -> None:
    longer = f"{OPENING} 4. We2,f1 Bb4,e1 5. Bf4,a4"
    assert check(record(longer)).is_game
    slips = longer.replace("d5", "d6").replace("Bb4,e1", "Bb4,d1")
    best = find_repairs(record(slips))[0]
    assert best.is_proven
    assert [change.ply for change in best.changes] == [3, 8]
    assert best.changes[0].new == "x d3Wd5"


@pytest.mark.parametrize("moves", [OPENING, "1. Wd4,d1 Bd3,a1 2. x d3Wd5 {", "1. Wd4,d1 hello"])
def test_what_is_legal_or_unreadable_has_no_repair(moves: str) -> None:
    assert find_repairs(record(moves)) == []


def test_the_error_suggests_the_best_repair() -> None:
    finding, *_ = apply_repair(check(record(OPENING.replace("d5", "d6")))).findings
    assert finding.suggestion == "ply 3: x d3Wd5 for x d3Wd6; with that all 6 plies are legal"


def test_without_a_repair_the_verdict_stays() -> None:
    checked = check(record(OPENING))
    assert apply_repair(checked) is checked


def test_move_numbers_that_do_not_fit_speak_for_a_ply_left_out_or_too_many() -> None:
    moves = "{}Wd4,d1 Bd3,a1 {}Ba2,b1 {}Wg4,g1"
    plain, numbered = record(moves.format("", "", "")), record(moves.format("1. ", "2. ", "3. "))
    assert "a ply left out" not in {repair.changes[0].kind for repair in find_repairs(plain)[:2]}
    assert {repair.changes[0].kind for repair in find_repairs(numbered)[:2]} == {"a ply left out"}


def test_a_repaired_copy_keeps_everything_else() -> None:
    text = '[Board "37"]\n[Event "One {of} two"]\n\n1. Wd4,d1 {so far} Bd3,a1 2. x d3Wd6!? Ba2,b1 *\n'
    (faulty,) = gipf.read(text)
    copy = repaired_text(text, faulty, find_repairs(faulty)[0])
    assert copy == text.rstrip("\n").replace("x d3Wd6!?", "x d3Wd5!? {repaired: was x d3Wd6 (the rings of a jump)}")
    (again,) = gipf.read(copy)
    assert check(again).is_game and again.remarks == ()


def test_a_repair_that_adds_a_ply_is_written_anew() -> None:
    text = f'[Board "37"]\n\n{OPENING.replace("x d3Wd5 ", "")} *\n'
    (faulty,) = gipf.read(text)
    copy = repaired_text(text, faulty, find_repairs(faulty)[0])
    assert "x d3Wd5 {repaired: put in (a ply left out)}" in copy.replace("\n", " ")
    (again,) = gipf.read(copy)
    assert check(again).is_game


def test_a_copy_of_a_text_with_several_records() -> None:
    good, bad = f'[Board "37"]\n\n{OPENING} *\n', f'[Board "37"]\n\n{OPENING.replace("d5", "d6")} *\n'
    text = f"{good}\n{bad}\n{good}\n{bad}"
    faulty = [found for found in gipf.read(text) if not check(found).is_game]
    copy = repaired_copy(text, [(found, find_repairs(found)[0]) for found in faulty])
    assert [check(found).is_game for found in gipf.read(copy)] == [True] * 4
    assert copy.count("repaired:") == 2 and copy.startswith(good)


def test_what_is_not_repaired_whole_is_not_written() -> None:
    faulty = record(OPENING.replace("d5", "d6"))
    unproven = Repair((), check(faulty), 0.0)
    assert not unproven.is_proven
    with pytest.raises(ValueError, match="only 2 plies would be legal"):
        repaired_text("", faulty, unproven)


def test_a_repair_that_is_not_proven_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = record(OPENING.replace("d5", "d6"))
    proven = find_repairs(faulty)
    unproven = Repair((), check(faulty), 0.0)
    monkeypatch.setattr("zertz_db.check.repair.repairs._find_repairs", lambda *_: [unproven, *proven, unproven])
    assert find_repairs(faulty) == proven


def test_another_way_to_jump_comes_before_another_capture() -> None:
    kinds = [repair.changes[0].kind for repair in find_repairs(record("1. Wd4,d1 Bd3,a1 2. x d3Bd1Wc2 *"))]
    assert kinds.index("another way to jump") < kinds.index("another capture")


def test_with_written_claims_a_ply_may_be_left_out() -> None:
    assert changes(record("1. Wd4,d1 Bh9,a1 *", Claims="written"))[0] == "ply 2: without Bh9,a1"


def test_two_faults_far_apart_in_a_short_record_have_no_repair() -> None:
    assert find_repairs(record("1. Wd4,d1 Bd3,a1 2. x d3Wd6 Ba2,b1 3. Wh9,g1 Gc2,c1 *")) == []


GOOD_RECORDS = (
    f'[Event "Club night"]\n[Board "37"]\n\n{OPENING} *',
    f'[Board "37"]\n\n{OPENING} {{quoted\n[Event "x"]\n}} Player1 resigns 0-1',
    f'[Event "a "b" c"]\n[Board "37"]\n\n{OPENING}',
)
BAD_RECORDS = (
    OPENING.replace("d5", "d6"),
    OPENING.replace("x d3Wd5 ", ""),
    f'[Board "37"]\n\n{OPENING.replace("d5", "d6")} {{so far}}',
    f'[Board "37"]\n\n{OPENING.replace("x d3Wd5", "x d3Wd5,a2")} *',
)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(GOOD_RECORDS + BAD_RECORDS), min_size=2, max_size=4),
    st.sampled_from(["\n\n", "\n\n\n", "\r\n\r\n", "\n\t\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
)
def test_whatever_is_repaired_other_records_stay_byte_for_byte(records: list[str], between: str, last: str) -> None:
    text = between.join(records) + last
    found = list(gipf.read(text))
    assert len(found) == len(records)
    best_repairs = {}
    for number, one in enumerate(found):
        best = find_repairs(one, 1, text)
        if not check(one).is_game and best and best[0].is_proven:
            best_repairs[number] = best[0]
            alone = repaired_copy(text, [(one, best[0])])
            assert _own(alone, number) == _own(text, number)
            assert check(list(gipf.read(alone))[number]).is_game
    copy = repaired_copy(text, [(found[number], best) for number, best in best_repairs.items()])
    assert _own(copy, *best_repairs) == _own(text, *best_repairs)
    again = list(gipf.read(copy))
    assert [check(again[number]).is_game for number in best_repairs] == [True] * len(best_repairs)


def _own(text: str, *without: int) -> list[str]:
    """Return the records' own texts, without those of some."""
    records = enumerate(gipf.read(text))
    return [text[one.span.start : one.span.end].strip() for number, one in records if number not in without]


def test_a_repaired_record_is_parted_from_the_next_one_as_before() -> None:
    text = f'{OPENING.replace("d5", "d6")}\n\n[Event "Club night"]\n\n{OPENING} *\n'
    faulty, good = gipf.read(text)
    copy = repaired_copy(text, [(faulty, find_repairs(faulty, 1, text)[0])])
    assert copy.endswith("\n\n" + text[good.span.start :])
    assert [check(one).is_game for one in gipf.read(copy)] == [True, True]


@pytest.mark.parametrize(
    ("actions", "repaired"),
    [
        ("P0[RtoB 2 0 D 4];P0[R- D 1];P0[RtoB 2 2 D 3];P0[R- A 1];P0[Done];P0[BtoB D 3 D 5];P0[Done]", ["Wd4,d1", "Bd3,a1", "x d3Wd5"]),
        ("P0[RtoB 2 0 D 4];P0[R- D 1];P0[Done];P1[Done];P1[RtoB 2 2 B 2];P1[R- A 1];P1[Done]", ["Wd4,d1", "Bb2,a1"]),
        ("P0[RtoB 2 0 D 4];P0[R- D 1];P0[R- D 1];P0[Done];P1[RtoB 2 2 B 2];P1[R- A 1];P1[Done]", ["Wd4,d1", "Bb2,a1"]),
        ("P0[RtoB 2 0 D 4];P0[R- D 1];P0[Done];P1[RtoB 2 2 B 2];P1[R- A 1];P1[R+ A 2];P1[R- C 1];P1[Done]", ["Wd4,d1", "Bb2,c1"]),
    ],
)  # fmt: skip
def test_invalid_turns_are_repaired_from_their_remains(actions: str, repaired: list[str]) -> None:
    text = f"(;GM[22]SU[Zertz];{actions})"
    (faulty,) = boardspace.read(text)
    best = find_repairs(faulty, 1, text)[0]
    assert best.is_proven and best.checked.moves == repaired
    assert text[best.changes[0].span.start : best.changes[0].span.end].replace(";", " ") == best.changes[0].old
    (again,) = gipf.read(repaired_text(text, faulty, best))
    assert check(again).moves == repaired


def test_a_part_too_many_is_taken_out_in_place() -> None:
    text = f'[Board "37"]\n\n{OPENING.replace("x d3Wd5", "x d3Wd5,a2")} *\n'
    (faulty,) = gipf.read(text)
    copy = repaired_text(text, faulty, find_repairs(faulty, 1, text)[0])
    assert copy == text.rstrip().replace("d5,a2", "d5 {repaired: was x d3Wd5,a2 (a part too many)}")


def test_without_its_text_a_turn_that_is_none_has_no_repair() -> None:
    (faulty,) = boardspace.read("(;GM[22]SU[Zertz];P0[RtoB 2 0 D 4];P0[R- D 1];P0[Done];P0[Done])")
    assert find_repairs(faulty) == []


def test_the_board_at_the_fault() -> None:
    picture = board_at_fault(check(record(OPENING.replace("d5", "d6"))))
    assert picture.splitlines()[-1] == (
        "pool 5/8/9, player 1 0/0/0, player 2 0/0/0 (white/grey/black); player 1 to move"
    )
    assert picture.count("W\n") + picture.count("W ") >= 1
    assert board_at_fault(check(record(OPENING))) == ""


def test_the_board_at_a_turn_that_is_none() -> None:
    (faulty,) = boardspace.read("(;GM[22]SU[Zertz];P0[RtoB 2 0 D 4];P0[R- D 1];P0[Done];P1[Done])")
    assert board_at_fault(check(faulty)).splitlines()[-1].endswith("player 2 to move")


@settings(max_examples=15, deadline=None)
@given(
    game=st.sampled_from(list(mutations.made_up(14))),
    kind=st.sampled_from(sorted(mutations.KINDS)),
    chance=st.randoms(),
)
def test_a_repair_is_what_it_says(game: mutations.Game, kind: str, chance: object) -> None:
    fault = mutations.KINDS[kind](game, chance)  # type: ignore[arg-type]
    if fault is None:
        return
    text = game.text(fault.plies, fault.board, fault.rule_set)
    (faulty,) = gipf.read(text)
    found = find_repairs(faulty)
    assert [repair.cost for repair in found] == sorted(repair.cost for repair in found)
    if found:  # a caller who wants only one gets the best one, sooner
        assert find_repairs(faulty, 1)[0].changes == found[0].changes
    for repair in found:
        assert repair.is_proven
        assert check(repair.record).is_game
        (again,) = gipf.read(repaired_text(text, faulty, repair))
        assert check(again).moves == repair.checked.moves


@pytest.mark.parametrize("moves", [OPENING.replace("Ba2", "Bd5"), OPENING.replace("d5", "d6"), f"{OPENING} 4. Wd4,d4"])
def test_no_edit_is_likelier_than_its_wave(moves: str) -> None:
    tried = check(record(moves)).attempt
    assert tried is not None
    found = list(candidate_batches(tried))
    assert [wave.least for wave in found] == sorted(wave.least for wave in found)
    for wave in found:
        some = [*wave.edits, *(edit_of(tried, lost) for lost in wave.placements)]
        assert all(edit.cost + PER_PLY * (tried.played - edit.at) >= wave.least for edit in some)


def test_compiled_and_interpreted_reach_equally_far(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = check(record(OPENING.replace("Ba2,b1", "Bd5,b1"))).attempt
    assert tried is not None
    edits = [edit for wave in candidate_batches(tried) for edit in wave.edits]
    placements = [lost for wave in candidate_batches(tried) for lost in wave.placements]

    def reaches(is_loaded: bool) -> list[Reaches]:
        monkeypatch.setattr(compiled, "is_loaded", lambda: is_loaded)
        replays = Replays(tried)
        return [replays.of_edits(edits), replays.of_placements(placements)]

    found = reaches(is_loaded=False)
    assert reaches(is_loaded=True) == found
    assert all(len(set(some.left())) > 2 for some in found)


@pytest.mark.parametrize(
    ("before", "likelier", "rarer"),
    [
        ("Wd4,d1", "Bb2,a1", "Bb2,g1"),  # no marble next to the removed ring
        ("Wd4,d1", "Bb2,a1", "Gb2,a1"),  # a grey marble
        ("Wd2,a1", "Bd3,d1", "Bd3,c1"),  # each marble can jump the other
    ],
)
def test_of_equal_edits_the_more_common_one_costs_less(before: str, likelier: str, rarer: str) -> None:
    checked = check(record(f"1. {before}"))
    assert checked.final is not None
    more, less = (prior_cost(checked.final, *record(f"1. {ply}").plies) for ply in (likelier, rarer))
    assert more == 0.0 < less


@pytest.mark.parametrize("ply", ["x d4Wd6", "Wa9,a1", "Wd4,a1", "-"])
def test_priors_ignore_illegal_placements(ply: str) -> None:
    checked = check(record("1. Wd4,d1"))
    assert checked.final is not None
    assert prior_cost(checked.final, *record(f"1. {ply}").plies) == 0.0


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ("1. Wd4,d9", {"the only ply is legal"}),
        ("1. x d4Wd5", set()),
        ("1. Wd4,d4", {"the only ply is legal"}),
        ("1. Wd4,d1 Bd3,d3", {"the only ply is legal", "all 2 plies are legal"}),
    ],
)
def test_a_repair_leaves_plies_and_counts_them(moves: str, legal: set[str]) -> None:
    (record,) = gipf.read(f'[Board "37"] {moves} *')
    sentences = [str(repair).partition("; with that ")[2] for repair in find_repairs(record)]
    assert set(sentences) == legal
