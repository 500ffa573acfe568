"""Readings of the rules that a record can choose (rule sets by any word, ties, repetition, claims), and the notes if it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.check.test_repetition_and_ends import REPEATED
from zertz_db.check import check_many
from zertz_db.check.check_many import check_all, check_text
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.replay.repetition import end_by_repetition
from zertz_db.check.replay.start import under
from zertz_db.parser.dialects import write
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSetError, rule_set

TURNS = "1. Wd4,a1 Bd2,a2"
CUT_OFF = """[SetUp "1"]
{}[Position "37 {} o..o/B.ooo/..oooo/Goooooo/.ooooo/ooooo/oooo 6/7/9 0/0/0 0/0/0 1"]

1. Wa1,d2{} *"""


def only(text: str, dialect: str | None = None) -> CheckedRecord:
    (checked,) = check_text(text, dialect)
    return checked


def codes(checked: CheckedRecord) -> list[str]:
    return [finding.code for finding in checked.findings]


def tagged(*tags: str, moves: str = f"{TURNS} *") -> CheckedRecord:
    return only("".join(f"[{tag}]\n" for tag in tags) + f"\n{moves}")


# Words for rule sets

WORDS = [
    ("standard", "standard"),
    ("Blitz", "blitz"),
    ("blitz variant", "blitz"),
    ("original", "blitz"),
    ("Original Basic Game", "blitz"),
    ("1999", "blitz"),
    ("1999 rules", "blitz"),
    ("5/7/9", "blitz"),
    ("basic", "standard"),
    ("Basic game", "standard"),
    ("6/8/10", "standard"),
    ("tournament", "standard+tournament"),
    ("Tournament rules", "standard+tournament"),
    ("standard+tournament", "standard+tournament"),
    ("standard + written", "standard+written"),
    ("standard, written claims", "standard+written"),
    ("tournament with written claims", "standard+tournament+written"),
    ("blitz+written", "blitz+written"),
    ("standard+automatic", "standard"),
    ("tournament, no ties", "standard+tournament+noties"),
    ("standard+noties+repetition3", "standard+noties+repetition3"),
]


@pytest.mark.parametrize(("word", "meaning"), WORDS)
def test_a_rule_set_is_understood_by_any_word(word: str, meaning: str) -> None:
    assert str(rule_set(word)) == meaning
    read = tagged('Board "48"', f'RuleSet "{word}"')
    assert read.attempt is not None
    assert str(read.attempt.start.rules) == meaning
    assert "N505" not in codes(read)


@pytest.mark.parametrize("word", ["nonsense", "standard+nonsense", "blitz+tournament", "standard+repetition1", "+"])
def test_other_words_are_no_rule_set(word: str) -> None:
    with pytest.raises(RuleSetError):
        rule_set(word)


@pytest.mark.parametrize(
    ("tags", "board", "expected"),
    [
        (['RuleSet "basic"'], "37", ["N550"]),
        (['RuleSet "basic"', 'Board "48"'], "48", ["N550", "W549"]),
        (['Board "37"', 'RuleSet "original"'], "37", ["W733"]),
        (['Board "37"', 'RuleSet "standard+written"'], "37", []),
        (['Board "48"', 'RuleSet "tournament"', 'Tournament "no"'], "48", ["W549", "W733"]),
        (['Board "48"', 'RuleSet "standard+noties"', 'Ties "yes"'], "48", ["W549"]),
        (['Board "37"', 'RuleSet "tournament"'], "37", ["W508", "W733"]),
        (['Board "37"', 'RuleSet "nonsense"'], "37", ["N505", "W528"]),
        (['Board "37"'], "37", ["N505"]),
        (['Board "37"', 'Tournament "no"'], "37", ["N505"]),
        (['Board "48"', 'Tournament "yes"'], "48", []),
    ],
)
def test_what_a_record_says_of_its_rule_set_is_remarked_upon(tags: list[str], board: str, expected: list[str]) -> None:
    read = tagged(*tags)
    assert (read.board, sorted({*codes(read)} - {"N420"})) == (board, expected)


NEWSLETTER = "1. Bd4,a1, Nd6,a2; 2. Nd2, a3, Nf4, a4; 3. Bg5, c1"


@pytest.mark.parametrize(
    ("text", "dialect", "rules", "noted"),
    [
        (NEWSLETTER, "newsletter", "blitz", True),
        (f'[RuleSet "standard"]\n{NEWSLETTER}', "newsletter", "standard", False),
        (f"{TURNS} *", "gipf", "standard", True),
        ("wd4,a1 bd2,a2", "terse", "standard", True),
        ("[Event \"?\"]\n\n1. Wd4-a1 Gd2-a2 *", "zen", "standard", False),
        ("37\nWd4,a1\nBd2,a2\n", "zertz3d", "standard", False),
        ("37 Blitz\nWd4,a1\nBd2,a2\n", "zertz3d", "blitz", False),
        ("(;GM[22]VV[2]SU[Zertz]P0[id \"a\"]P1[id \"b\"];P0[0 Start P0];P0[1 RtoB 2 0 D 4];P0[2 R- A 1];P0[3 Done])",
         "boardspace", "standard", False),
    ],
)  # fmt: skip
def test_a_form_has_a_rule_set_of_its_own(text: str, dialect: str, rules: str, noted: bool) -> None:
    read = only(text, dialect)
    assert (read.rule_set, "N505" in codes(read)) == (rules, noted)


@pytest.mark.parametrize(
    ("more", "verdict", "rules", "noted"),
    [
        ("", "verified", "blitz", ["N505"]),
        ("; 4. Bg4, g3", "unfinished", "standard", ["W707"]),
        ("; 4. Bg4, b4", "illegal", "blitz", ["N505"]),
    ],
)
def test_a_newsletters_game_that_goes_on_after_a_set_of_blitz_is_standard(
    more: str, verdict: str, rules: str, noted: list[str]
) -> None:
    text = '[Coordinates "columns"]\n[Language "en"]\n[Board "37"]\n\n1. Wb4, c1, We2, e6; 2. Gf1, f5, x f1Wd3; 3. Wc3, e5, x d3Wb3Wb5'
    read = only(text + more, "newsletter")
    assert (read.verdict, read.rule_set) == (verdict, rules)
    assert [code for code in codes(read) if code in ("N505", "W707")] == noted


# Ties and repetition


@pytest.mark.parametrize(
    ("tag", "more", "verdict", "ending", "result", "expected"),
    [
        ("", "", "verified", "repetition", "1/2-1/2", []),
        ("", "5. Bd4 Gd5", "illegal", None, None, ["E302"]),
        ('[Repetition "2"]', "", "verified", "repetition", "1/2-1/2", []),
        ('[Repetition "at once"]', "", "verified", "repetition", "1/2-1/2", []),
        ('[Repetition "2"]', "1-0", "verified", "repetition", None, ["W401"]),
        ('[Repetition "2"]', "5. Bd4", "illegal", None, None, ["E301"]),
        ('[Repetition "3"]', "", "unfinished", None, None, ["N420", "N421"]),
        ('[Repetition "3"]', "1/2-1/2", "verified", "agreed", "1/2-1/2", ["N421"]),
        ('[Repetition "open"]', "5. Bd4", "verified", "repetition", "1/2-1/2", []),
        ('[Repetition "never"]', "", "verified", "repetition", "1/2-1/2", ["W528"]),
        ('[Ties "no"]', "", "verified", "repetition", "0-0", []),
        ('[Ties "no"]', "0-0", "verified", "repetition", "0-0", []),
        ('[Ties "no"]', "1/2-1/2", "verified", "repetition", None, ["W401"]),
        ('[Ties "not permitted"]', "", "verified", "repetition", "0-0", []),
        ('[Ties "yes"]', "", "verified", "repetition", "1/2-1/2", []),
    ],
)
def test_ties_and_repetition_are_as_the_record_chooses(
    tag: str, more: str, verdict: str, ending: str | None, result: str | None, expected: list[str]
) -> None:
    read = only(f"{tag}\n{REPEATED} {more}".lstrip())
    assert (read.verdict, read.ending, read.result, sorted(codes(read))) == (verdict, ending, result, expected)


@pytest.mark.parametrize(
    ("tag", "more", "result"),
    [
        ("", "1/2-1/2", "1/2-1/2"),
        ('[Ties "no"]\n', "1/2-1/2", None),
        ('[Ties "no"]\n[Termination "agreed"]\n', "0-0", "0-0"),
    ],
)
def test_an_agreed_tie_is_lost_by_both_where_there_are_none(tag: str, more: str, result: str | None) -> None:
    read = only(f'[Board "37"]\n[RuleSet "standard"]\n{tag}\n{TURNS} {more}')
    assert (read.ending, read.result) == ("agreed", result)


@given(st.lists(st.integers(8, 60), unique=True), st.integers(2, 9))
def test_turns_made_so_often_end_at_the_first_place_where_they_are(repeats: list[int], times: int) -> None:
    repeats.sort()
    end = end_by_repetition(repeats, times)
    runs = [ply for ply in repeats if {ply - 4 * before for before in range(times - 1)} <= {*repeats}]
    assert end == (runs[0] if runs else None)


@pytest.mark.parametrize(
    "tag", ["", '[Repetition "2"]\n', '[Repetition "3"]\n', '[Ties "no"]\n', '[Claims "written"]\n']
)
@pytest.mark.parametrize("more", ["", "1-0", "1/2-1/2", "5. Bd4", "5. Bd4 *"])
def test_compiled_and_interpreted_rules_give_the_same_verdict(
    monkeypatch: pytest.MonkeyPatch, tag: str, more: str
) -> None:
    (read,) = check_text(f"{tag}{REPEATED} {more}")
    monkeypatch.setattr(check_many, "ENOUGH_PLIES", 0)
    (together,) = check_all([read.record])
    assert together.as_json() == check(read.record).as_json()


@pytest.mark.parametrize(
    "rules", ["standard+noties", "blitz+repetition2", "standard+tournament+written+noties+repetition9"]
)
@pytest.mark.parametrize("form", ["gipf", "jsonl"])
def test_chosen_readings_travel_with_the_record(rules: str, form: str) -> None:
    read = tagged('Board "48"', f'RuleSet "{rules}"')
    written = write(read.completed(), form)
    again = only(written.text)  # type: ignore[union-attr]
    assert again.attempt is not None
    assert str(again.attempt.start.rules) == rules
    assert Position.parse(str(Position.start("48", rules))).rules == rule_set(rules)
    for server in ("boardspace", "zen"):
        assert not hasattr(write(read.completed(), server), "text")


# Claims


@pytest.mark.parametrize(
    ("tag", "option", "claim", "captured", "expected"),
    [
        ("", "standard", "", 3, ["N422"]),
        ("", "standard", " x Wa1Bb1Gd1", 3, []),
        ('[Claims "automatic"]\n', "standard", "", 3, []),
        ('[Claims "written"]\n', "standard", "", 0, []),
        ("", "standard+written", "", 0, []),
        ("", "standard+written", " x Wa1Bb1", 2, []),
    ],
)
def test_an_unwritten_claim_is_noted_and_can_be_declined(
    tag: str, option: str, claim: str, captured: int, expected: list[str]
) -> None:
    read = only(CUT_OFF.format(tag, option, claim))
    counts = read.counts()
    assert counts is not None
    assert sum(counts[0]) == captured
    assert [code for code in codes(read) if code not in ("N420", "W509")] == expected


# Rules given for records that leave them open


@pytest.mark.parametrize(
    ("text", "rules", "taken"),
    [
        (f"{TURNS} *", "blitz+written", "blitz+written"),
        (f"{TURNS} *", "tournament", "standard+tournament"),
        (f'[RuleSet "standard"]\n{TURNS} *', "blitz+noties", "standard+noties"),
        (f'[RuleSet "blitz"]\n{TURNS} *', "tournament", "blitz"),
        (f'[Claims "automatic"]\n{TURNS} *', "standard+written", "standard"),
        (REPEATED, "blitz+repetition3", "standard+repetition3"),
    ],
)
def test_given_rules_count_as_far_as_a_record_leaves_them_open(text: str, rules: str, taken: str) -> None:
    read = check(under(only(text).record, rule_set(rules)))
    assert read.attempt is not None
    assert str(read.attempt.start.rules) == taken
    assert "N505" not in codes(read)
