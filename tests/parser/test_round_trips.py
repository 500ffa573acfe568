"""Every form that is written gives an equal game when it is read again."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.parser.forms import FORMS
from tests.parser.round_trips import (
    completed,
    essence_of,
    expressed,
    forms_of,
    moves_again,
    same_game,
    settings,
    there_and_back,
    unnamed_differences,
)
from zertz_db.check.check_many import check_all, check_text
from zertz_db.check.check_record import check
from zertz_db.parser import dialects
from zertz_db.parser.dialects import DIALECTS, WRITERS, Unwritable, Written, read, write
from zertz_db.parser.dialects import FORMS as FORMS_WRITTEN
from zertz_db.parser.record import Record
from zertz_db.parser.text.encoding import decode
from zertz_db.parser.zen import zip_position
from zertz_db.samples import folder

GAMES = 6
SUFFIXES = (".txt", ".sgf", ".zen", ".rec")


@pytest.mark.parametrize(("setting"), [setting for _, setting in settings()], ids=[name for name, _ in settings()])
@pytest.mark.parametrize("form", WRITERS)
def test_a_game_that_is_written_and_read_again_is_the_same(form: str, setting: dict[str, Any]) -> None:
    outcomes = [there_and_back(form, record) for record in islice(completed(GAMES, 5, **setting), GAMES)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Unwritable)]
    if not expressed(form, setting):
        assert len(refused) == GAMES
    else:
        assert len(refused) <= 1, refused  # a game may end in a way that the form can't express
    for outcome in outcomes:
        if not isinstance(outcome, Unwritable):
            assert outcome[1] == outcome[0]


@pytest.mark.parametrize("players", [(None, None), ("ada", None), (None, "ada"), ("ada", "Ada"), ("draw", "tie")])
def test_missing_or_ambiguous_names_do_not_change_a_game(players: tuple[str | None, str | None]) -> None:
    for record in islice(completed(40, 5, board="37", rule_set="standard"), 40):
        named = replace(record, player1=players[0], player2=players[1])
        outcome = there_and_back("boardspace", named)
        if isinstance(outcome, Unwritable):
            assert named.result in ("1-0", "0-1") and named.ending is None
        else:
            assert outcome[1] == outcome[0]


def test_a_winner_whom_no_name_tells_is_not_lost_in_silence() -> None:
    record = next(completed(1, 5, board="37", rule_set="standard"))
    claimed = replace(record, plies=tuple(record.plies[:4]), result="1-0", ending=None, ending_by=None, player1=None)
    assert there_and_back("boardspace", claimed) == Unwritable(
        "the server names the winner, but these names are ambiguous"
    )


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ('"37"', '"48"', "its board would be read as another one"),
        ("1-0", "0-1", "its result would be read as another one"),
        ("Wd4,d1", "Wd4,g1", "its moves would be read as another one"),
        ("x d3Wd5", "x d3Wd5Wd7", "its moves would be read as another one"),
        ("Bd3,a1", "?,?", "it could not be read again: "),
        ("1. ", '*\n\n[Board "37"]\n\n1. ', "it would be read as 2 records"),
    ],
)
@pytest.mark.parametrize("note", ["", "{without the fast path} "])
def test_a_text_that_would_be_read_as_another_game_is_not_written(
    note: str, old: str, new: str, cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (record,) = read(f'[Board "37"]\n\n1. Wd4,d1 {note}Bd3,a1 2. x d3Wd5 1-0', "gipf")
    written = write(check(record).completed(), "gipf")
    assert isinstance(written, Written)
    wrong = written.text.replace(old, new)
    monkeypatch.setattr(dialects, "_writer", lambda _: lambda _: wrong)
    found = write(check(record).completed(), "gipf")
    assert isinstance(found, Unwritable)
    assert found.cause.startswith(cause)


ANNOTATED = r"""[Player1 "Ada [3d]"]
[Player2 "Ben"]
[Event "Club \"A\" night"]
[Date "2004.05.31"]
[Time "19:30"]
[Round "3"]
[Board "48"]
[TimeControl "600+10"]
[Clock "down"]

{[%csl Gd4] before all} 1. Wd4,d1! $5 {[%clk 0:10:05]} {a \{brace\} [%cal Gb3c4]} (1. Wd5,d1 {so}) Bd3,a1 {[%clk 0:10:08]}
2. x d3Wd5?! {[%clk 0:10:12]} {two
lines ] and \\} Wh1,a5 {[%clk 0:10:01]} 3. Wg2,g1 {[%clk 0:10:20]} """


@pytest.mark.parametrize(
    ("end", "lost"),
    [
        ("*", ""),
        ("Player2 resigns 1-0", ""),
        ("{half turn 2: Gb3} Player2 resigns 1-0", "unfinished turns"),
    ],
)
@pytest.mark.parametrize(
    ("form", "losses"),
    [
        ("gipf", set()),
        ("zen", {"clocks", "variations", "braces in comments", "quotation marks and line breaks in tags"}),
        ("boardspace", {"variations", "marks", "events", "rounds", "other tags"}),
    ],
)
def test_what_a_form_has_no_place_for_is_named(form: str, losses: set[str], end: str, lost: str) -> None:
    record = check(next(iter(read(ANNOTATED + end)))).completed()
    written = write(record, form)
    assert isinstance(written, Written)
    also = {lost} - {""} if form != "gipf" else set()
    assert set(written.losses) == losses | also
    outcome = there_and_back(form, record)
    assert not isinstance(outcome, Unwritable)
    assert outcome[0] == outcome[1]


@pytest.mark.parametrize(
    ("tags", "clocks", "named"),
    [
        ({"Clock": "down", "TimeControl": "600"}, [10_000, 2_000, 30_000], False),
        ({"Clock": "down", "TimeControl": "10|10"}, [20_000, 12_000, 50_000], False),
        ({"Clock": "up"}, [590_000, 598_000, 570_000], False),
        ({"Clock": "down"}, [None] * 3, True),
        ({"TimeControl": "600"}, [None] * 3, True),
        ({"Clock": "down", "TimeControl": "G/10;d5"}, [None] * 3, True),
        ({"Clock": "down", "TimeControl": "40/600:300"}, [None] * 3, True),
        ({"Clock": "down", "TimeControl": "500"}, [None] * 3, True),
    ],
)
def test_the_server_s_clocks_show_the_time_used(tags: dict[str, str], clocks: list[int | None], named: bool) -> None:
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    text = "1. Wd4,d1 {[%clk 0:09:50]} Bd3,a1 {[%clk 0:09:58]} 2. x d3Wd5 {[%clk 0:09:30]} Player2 resigns 1-0"
    record = check(next(iter(read(f'[Player1 "ada"]\n[Board "37"]\n{head}\n{text}')))).completed()
    written = write(record, "boardspace")
    assert isinstance(written, Written)
    (again,) = read(written.text)
    assert [ply.clock for ply in again.plies] == clocks
    assert ("clocks" in written.losses) is named


def test_the_mirrored_board_loses_nothing_that_zen_has() -> None:
    start = zip_position.write("48", None)[0]
    text = f'[ZIP "{start}"]\n\n1. Wa4-h1! {{[%cal Ga1b2][%csl Rh5] so}} (1. We8-a1 {{or}} (1. Gb2-h5)) 1... Gd5-h2 *\n'
    record = check(next(iter(read(text, "zen")))).completed()
    written = write(record, "zen")
    assert isinstance(written, Written)
    assert written.losses == ()
    assert written.text.split("\n\n")[1].split() == text.split("\n\n")[1].split()
    (again,) = read(written.text, "zen")
    assert [ply[1:] for ply in notes(again)] == [ply[1:] for ply in notes(record)]


def notes(record: Record) -> list[tuple[object, ...]]:
    return [(ply.ring, ply.comment, ply.marks, ply.variations) for ply in record.plies]


def test_a_marble_from_the_player_s_captures_comes_from_there() -> None:
    position = "37 standard WoWo/ooooo/GoGoGo/ooooooo/BoBoBo/ooooo/BoBo 0/0/0 2/2/3 2/3/2 1"
    text = f'[SetUp "1"]\n[Position "{position}"]\n\n1. Wd7,g4 Gd1,a4 *\n'
    record = check(next(iter(read(text)))).completed()
    assert [ply.taken_from for ply in record.plies] == ["own"] * 2
    written = write(record, "boardspace")
    assert isinstance(written, Written)
    assert "RtoB 0 0 D 7" in written.text
    assert "RtoB 1 1 D 1" in written.text
    (again,) = read(written.text)
    assert check(again).moves == check(record).moves


def test_a_game_lost_on_time_is_written_as_win_on_time_alone() -> None:
    text = '[Player1 "ada"]\n[Player2 "bo"]\n[Board "37"]\n[Termination "time"]\n\n1. Wd4,d1 0-1\n'
    record = check(next(iter(read(text)))).completed()
    written = write(record, "boardspace")
    assert isinstance(written, Written)
    assert "WinOnTime" in written.text
    assert not any(word in written.text for word in ("Resign", "RE[", "] Done"))
    (again,) = read(written.text)
    assert (again.ending, again.ending_by, again.result) == ("time", 1, "0-1")


def samples() -> list[tuple[str, Path]]:
    return [(form, path) for form in FORMS_WRITTEN for path in sorted(folder().rglob("*")) if path.suffix in SUFFIXES]


@pytest.mark.parametrize(("form", "path"), samples(), ids=lambda value: getattr(value, "stem", value))
def test_every_sample_comes_back_or_its_loss_is_named(form: str, path: Path) -> None:
    checked = [one for one in check_text(decode(path.read_bytes())[0]) if one.is_game]
    written = [(one, write(one.completed(), form)) for one in checked]
    done = [(one, text) for one, text in written if isinstance(text, Written)]
    again = check_all([record for _, text in done for record in read(text.text, form)])
    assert len(again) == len(done)
    for (one, text), other in zip(done, again, strict=True):
        assert same_game(essence_of(one), essence_of(other), text.losses), (essence_of(one), essence_of(other))
        assert unnamed_differences(one.completed(), other.completed(), text.losses) == []


ONLY_READ = [(form, setting) for _, setting in settings() for form in forms_of(setting)]


@pytest.mark.parametrize(("form", "setting"), ONLY_READ, ids=[f"{form} {kind}" for form, kind in ONLY_READ])
def test_forms_that_are_only_read_are_read_as_they_were_written(form: str, setting: dict[str, Any]) -> None:
    for record in islice(completed(GAMES, 5, **setting), GAMES):
        written, again = moves_again(form, record)
        assert again == written


def test_every_dialect_makes_a_round_trip() -> None:
    read_back = {dialect for dialect, *_ in FORMS.values()} | WRITERS.keys()
    assert read_back == {dialect.name for dialect in DIALECTS}


def test_whatever_is_written_can_be_read() -> None:
    assert WRITERS.keys() <= {dialect.name for dialect in DIALECTS}
