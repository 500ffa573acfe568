"""Records that leave facts open: which reading is chosen, and which findings report it."""

from dataclasses import replace

import pytest

from zertz_db.check import check_many
from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.inference import best_reading
from zertz_db.parser import read
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.record import Record
from zertz_db.parser.text.ring_names import DIAGONAL_NUMBERS, MIRRORED, official_names, rename_rings
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.play.generate import generate_games


def one(text: str) -> Record:
    (record,) = gipf.read(text)
    return record


def codes(checked: CheckedRecord) -> list[str]:
    """Return the codes of all findings but N505 (the rule set is not stated): no record here is about that."""
    return [finding.code for finding in checked.findings if finding.code != "N505"]


@pytest.mark.parametrize(
    ("text", "verdict", "board", "found"),
    [
        ("1. Wd4,d1 *", Verdict.UNFINISHED, "37", ["N420", "N503", "W572"]),
        ("1. Wd4,a4 Bb2,a3 2. Gf1,g4 *", Verdict.UNFINISHED, "37", ["N420", "N503"]),
        ("1. Wd4,a5 *", Verdict.UNFINISHED, "48", ["N420", "N503", "W572"]),
        ("1. Wd4,h1 *", Verdict.UNFINISHED, "48", ["N420", "N503", "W572"]),
        ("1. Wb2,d7 Gf2,h1 *", Verdict.UNFINISHED, "43", ["N420", "N503"]),
        ("1. Wd4,i1 *", Verdict.UNFINISHED, "61", ["N420", "N503"]),
        ("1. Wd4,d8 Wd5,a5 2. Wd4,d1 *", Verdict.ILLEGAL, "48", ["E302", "N503"]),  # legal furthest
        ("1. Wd4,q9 *", Verdict.ILLEGAL, "37", ["E331", "N503"]),
        ('[Board "37"]\n1. Wd4,a5 *', Verdict.ILLEGAL, "37", ["E331"]),
        ('[Board "48"]\n1. Wd4,e8 *', Verdict.UNFINISHED, "48", ["N420", "N504"]),
        ('[Board "37"]\n1. Wd4,e7 Bd4,g7 *', Verdict.ILLEGAL, "37", ["E331"]),  # nor is it legal with other names
        ('[Board "37"]\n1. Wd4,e7 Bb2,g1 *', Verdict.ILLEGAL, "37", ["E331"]),  # no coordinates have e7 and g1
        ('[Board "37"]\n1. Wd4,e7 Bb2,g7 *', Verdict.UNFINISHED, "37", ["N420", "N504"]),
        ('[Board "37"]\n[Coordinates "columns"]\n1. Wd4,e7 Bb2,g7 *', Verdict.ILLEGAL, "37", ["E331"]),
        ('[Board "37"]\n[Coordinates "diagonals"]\n1. Wd4,e2 Bb2,g4 *', Verdict.UNFINISHED, "37", ["N420", "N504"]),
        ('[Board "37"]\n[Coordinates "diagonals"]\n1. Wd4,e1 *', Verdict.ILLEGAL, "37", ["E331", "N504"]),
        ('[Coordinates "diagonals"]\n1. Wd4,i9 *', Verdict.UNFINISHED, "61", ["N420", "N504", "N503"]),
    ],
)  # fmt: skip
def test_which_reading_is_taken(text: str, verdict: str, board: str, found: list[str]) -> None:
    checked = check(one(text))
    assert (checked.verdict, checked.board, codes(checked)) == (verdict, board, found)


def games() -> list[tuple[Record, str]]:
    boards = (("37", DIAGONAL_NUMBERS), ("48", MIRRORED), ("61", DIAGONAL_NUMBERS))
    return [(record, coordinates) for board, coordinates in boards for record in generate_games(4, board, seed=3)]


def named_otherwise(record: Record, coordinates: str) -> Record:
    """Return a record with rings named in these coordinates, which states neither them nor the board."""
    names = {ring: name for name, ring in official_names(record.board or "", coordinates).items()}
    plies = tuple(rename_rings(ply, names.__getitem__) for ply in record.plies)
    return replace(record, plies=plies, board=None)


@pytest.mark.parametrize(("record", "coordinates"), games())
def test_whole_games_in_other_coordinates_are_found_out(record: Record, coordinates: str) -> None:
    checked = check(named_otherwise(record, coordinates), full=False)
    assert (checked.verdict, checked.board, checked.moves) == (
        Verdict.VERIFIED,
        record.board,
        check(record, full=False).moves,
    )
    assert set(codes(checked)) >= {"N503", "N504"}


@pytest.mark.parametrize(
    ("text", "note", "warning"),
    [
        ("1. Wd4,a5 Gd5,h1 *", "read on board 48; boards 61 and 43 fit as well", "48 or 61; read on 48"),
        ("1. Wd4,i1 *", "read on board 61", None),
        ("1. Wb2,d7 Gf2,h1 *", "read on board 43", None),
        ("1. Wb2,d7 Gf2,a5 *", "read on board 40; board 43 fits as well", "40 or 43; read on 40"),
        ("1. Wd4,q9 *", "read on board 37", None),
        ('[Board "48"]\n1. Wd4,a5 *', None, None),
    ],
)
def test_the_other_boards_that_fit_are_named(text: str, note: str | None, warning: str | None) -> None:
    messages = {finding.code: finding.message for finding in check(one(text)).findings}
    assert messages.get("N503") == (note and f"the board is not stated; {note}")
    assert messages.get("W572") == (warning and f"the record does not state whether the board is {warning}")


def test_a_verified_game_that_fits_several_boards_says_so() -> None:
    checked = check(one("1. Wd4,a5 Gd5,b6 Player1 resigns 0-1"))
    assert (checked.verdict, checked.board) == (Verdict.VERIFIED, "48")
    (messages,) = (finding for finding in checked.findings if finding.code == "W572")
    assert (messages.severity, messages.suggestion) == ("warning", '[Board "48"]')


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("gipf", '[Board "38"]\n1. Wd4,d1 *'),
        ("gipf", '[Board "huge"]\n1. Wd4,d1 resigns 0-1'),
        ("gipf", '[SU "Zertz+99"]\n1. Wd4,d1 *'),
        ("newsletter", '[Board "38"]\n1. Nd2, a3, Nf4, a4'),
        ("terse", '[Board "38"]\nwd4,d1'),
        ("zen", '[Board "38"]\n1. Wd4-d1'),
        ("jsonl", '{"board": "38", "moves": ["Wd4,d1"]}'),
        ("jsonl", '{"tags": {"Board": "zertz+12"}, "moves": ["Wd4,d1"]}'),
        (
            "boardspace",
            '(;GM[22]SU[Zertz+99]P0[id "ada"]P1[id "bo"]; P0[RtoB 2 0 D 4]; P0[R- D 1]; P0[Done]; P1[Resign])',
        ),
        ("transcript", "# Rings: 38\nPlayer 1: {'action': 'PUT', 'marble': 'w', 'dst': 'D4', 'remove': 'D1'}\n"),
    ],
)
def test_no_board_is_guessed_in_place_of_one_that_is_not_understood(dialect: str, text: str) -> None:
    (record,) = read(text, dialect)
    for checked in (check(record), *check_many.check_all([record])):
        assert (checked.verdict, checked.attempt) == (Verdict.ILLEGAL, None)
        assert {"E333"} <= {*codes(checked)}
        assert not {"N503", "W572"} & {*codes(checked)}


def test_a_board_on_which_the_end_agrees_comes_before_the_others() -> None:
    """All boards have the rings of a game on 37. Its sets may be won on another one only, where other rings are free."""
    boards = []

    def check_on(_record: Record, board: str) -> CheckedRecord:
        boards.append(board)
        text = "1. Wd4,d1 *" if board != "44" else "1. Wd4,d1"
        checked = check(one(f'[Board "{board}"]\n{text}'))
        contradicted = check(one(f'[Board "{board}"]\n1. Wd4,d1 1-0'))
        return checked if board == "44" else contradicted

    assert best_reading(one("1. Wd4,d1 1-0"), check_on).board == "44"
    assert boards == ["37", "48", "61", "40", "43", "44"]


@pytest.mark.parametrize(
    ("is_open", "verdict", "code"), [(True, Verdict.UNFINISHED, "N506"), (False, Verdict.ILLEGAL, "E320")]
)
def test_open_letters_are_read_as_it_is_legal(is_open: bool, verdict: str, code: str) -> None:
    record = one('[Board "37"]\n1. Bd4,d1 Bd3,a1 2. x d3Wd5 *')  # the jumped marble is white only if B is
    checked = check(replace(record, letters_open=is_open))
    assert (checked.verdict, code in codes(checked)) == (verdict, True)
    assert checked.completed_plies[0].colour == ("W" if is_open else "B")


def test_english_letters_stay_where_they_are_legal() -> None:
    checked = check(replace(one('[Board "37"]\n1. Bd4,d1 Bd3,a1 *'), letters_open=True))
    assert [ply.colour for ply in checked.completed_plies] == ["B", "B"]
    assert "N506" not in codes(checked)


def test_many_at_once_are_read_like_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_many, "ENOUGH_PLIES", 1)
    records = [
        one(text)
        for text in ("1. Wd4,e8 Gd3,a1 *", "1. Wd4,d1 1-0", '[Coordinates "diagonals"]\n1. Wd4,e2 *', "1. Wd4,d1 *")
    ]
    together = [(found.verdict, found.board, codes(found)) for found in check_many.check_all(records, full=False)]
    assert together == [
        (found.verdict, found.board, codes(found)) for found in (check(one, full=False) for one in records)
    ]


@pytest.mark.parametrize(
    ("moves", "verdict", "code"),
    [("1. Wd4,e7 Bb2,g7 *", Verdict.UNFINISHED, "N504"), ("1. Wd4,e7 Bb2,g7 2. Wd4,d1 *", Verdict.ILLEGAL, "E331")],
)
def test_the_numbers_of_a_language_are_taken_where_all_is_legal_by_them(moves: str, verdict: str, code: str) -> None:
    checked = check(replace(one(f'[Board "37"]\n{moves}'), language="it"))
    assert (checked.verdict, code in codes(checked)) == (verdict, True)
