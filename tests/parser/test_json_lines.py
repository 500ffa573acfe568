"""JSON lines: a written line is read again, and nothing in a line does harm."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parser.round_trips import completed, essence
from tests.parser.round_trips import settings as game_settings
from zertz_db.check.check_record import check
from zertz_db.parser.dialects import detect
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.json_lines import SCHEMA, described, read, write
from zertz_db.parser.record import HalfTurn, Ply, Record, Span
from zertz_db.parser.vocabulary.terms import GameResult
from zertz_db.rules.position import Position

NOWHERE = Span(0, 0, 1, 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
MARKS = st.sampled_from(["!", "?", "!?", "$5"])


def one(text: str) -> Record:
    (record,) = read(text)
    return record


def line(**values: Any) -> str:
    return json.dumps({"moves": ["Wd4,d1", "Bd3,a1", "x d3Wd5"], **values})


def codes(record: Record) -> list[str]:
    return [remark.code for remark in record.remarks]


def noted(record: Record) -> list[Any]:
    """Return all notes on a record and its plies, without spans."""
    plies = [ply._replace(span=NOWHERE, colour=None, mover=None, taken_from=None) for ply in record.plies]
    facts = (record.comment, record.clock, record.event, record.site, record.date, record.round, record.ending_by)
    half = record.half_turn and record.half_turn[0::2]
    return [plies, facts, half, {name: value for name, value in record.tags if name.startswith("Own")}]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_record_that_is_written_and_read_again_is_the_same(data: st.DataObject) -> None:
    _, setting = data.draw(st.sampled_from(list(game_settings())))
    record = next(islice(completed(1, data.draw(st.integers(0, 50)), **setting), 1))
    plies = list(record.plies[: data.draw(st.integers(0, len(record.plies)))])
    for number in range(min(4, len(plies))):
        plies[number] = _annotated(data, plies[number])
    record = replace(
        record,
        plies=tuple(plies),
        comment=data.draw(st.none() | TEXTS),
        event=data.draw(st.sampled_from([None, 'A "quoted" \\ \U0001f600 event', "é"])),
        clock=data.draw(st.sampled_from([None, "up", "down"])),
        result=data.draw(st.sampled_from(GameResult)),
        ending=data.draw(st.sampled_from([None, "resign", "time", "agreed"])),
        ending_by=None,
        tags=(("Own tag", data.draw(TEXTS)),),
        half_turn=data.draw(st.sampled_from([None, HalfTurn("Wd4", NOWHERE, 2), HalfTurn("x", NOWHERE)])),
    )
    if record.ending in ("resign", "time"):
        record = replace(record, ending_by=data.draw(st.sampled_from([1, 2])))
    written = write(record)
    again = one(written)
    assert again.fault is None
    assert (written.count("\n"), noted(again)) == (1, noted(record))
    assert {**essence(again), "players": None} == {**essence(record), "players": None}
    assert detect(written) == "jsonl"


def _annotated(data: st.DataObject, ply: Ply) -> Ply:
    return ply._replace(
        clock=data.draw(st.none() | st.integers(0, 10**9)),
        comment=data.draw(st.none() | TEXTS),
        marks=tuple(data.draw(st.lists(MARKS, max_size=2))),
        variations=tuple(data.draw(st.lists(TEXTS, max_size=2))),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"moves": []},', True), ('{"moves": []},', True), ('{"moves": []}]', True), ('[{"moves": []}', True), ("]", True), ("[", True),
        ('{"moves": [', False), ('{"moves": [}', False), ("{", False), ('"moves": [],', False),
    ],
)  # fmt: skip
def test_a_line_of_a_list_names_the_way_to_write_lines(text: str, expected: bool) -> None:
    fault = one(text).fault
    assert fault is not None
    assert (fault.code, "jq -c '.[]'" in (fault.suggestion or "")) == ("E226", expected)


@pytest.mark.parametrize(
    "text",
    ["1. Bd2,a3 Nf4,a4 2. Gg2,c1 *", '[Language "it"]\n1. Bd2,a3 Gf4,a4 *', '[Language "German"]\n1. Sd2,a3 Gf4,a4 *'],
)
def test_letters_of_another_language_are_english_in_an_object(text: str) -> None:
    (record,) = gipf.read(text)
    game = check(record, full=False).completed()
    again = one(write(game))
    assert check(again, full=False).moves == check(record, full=False).moves
    assert not {"W750", "W752", "N751"} & set(codes(again))


def test_letters_of_a_language_that_is_stated_are_read() -> None:
    record = one(line(moves=["Bd4,d1", "Nd3,a1"], tags={"Language": "Italian"}))
    assert [ply.colour for ply in record.plies] == ["W", "B"]
    assert "W750" in codes(record)


def test_an_object_of_a_broken_record_is_not_read_as_a_game() -> None:
    (record,) = gipf.read('[Player1 "Ada"]\n\n1. Wd4,d1 Bd4,a1 Wa2,b1')
    checked = check(record, full=False)
    found = described(checked.played()) | {"verdict": checked.verdict}
    assert found["moves"] == ["Wd4,d1"]
    again = one(json.dumps(found))
    assert again.fault is not None and (again.fault.code, again.player1) == ("E228", "Ada")


def test_facts_outside_the_tags_count_if_tags_are_missing() -> None:
    record = one(line(player1="Ada", event="Open", result="0 - 1", tags={"Event": "Club night"}))
    assert (record.player1, record.event, record.result) == ("Ada", "Club night", "0-1")


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"colour of the board": "blue"}, ["N538"]),
        ({"weather": {"rain": True}}, ["N538"]),
        ({"tags": {"Board": [37]}}, ["W547"]),
        ({"tags": {"Round": 3}}, []),
        ({"tags": {"Event": None}}, []),
        ({"tags": {"Event": "\ud800"}}, ["W547"]),
        ({"tags": "none"}, ["W547"]),
        ({"clocks": [1, None, True]}, ["W547"]),
        ({"clocks": [1, -5]}, ["W547"]),
        ({"clocks": [10**30]}, ["W547"]),
        ({"clocks": [1.5]}, ["W547"]),
        ({"clocks": [1, 2, 3, 4]}, ["W547"]),
        ({"clocks": "fast"}, ["W547"]),
        ({"comments": [1]}, ["W547"]),
        ({"comment": []}, ["W547"]),
        ({"marks": [["hm"]]}, ["W547"]),
        ({"variations": [[1]]}, ["W547"]),
        ({"resigned": 3}, ["W547"]),
        ({"half_turn": "Wd4"}, ["W547"]),
        ({"verdict": "verified", "plies": "many", "pool": {}}, []),
        ({"position": Position.start("37").text}, []),
    ],
)
def test_values_that_are_not_understood_are_remarked_upon(values: dict[str, Any], found: list[str]) -> None:
    record = one(line(**values))
    assert (codes(record), record.fault, len(record.plies)) == (found, None, 3)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "E226"),
        ("[]", "E226"),
        ('"moves"', "E226"),
        ("17", "E226"),
        ("null", "E226"),
        ('{"moves": [}', "E226"),
        ('{"moves": [], "x": NaN}', "E226"),
        ('{"moves": [], "x": -Infinity}', "E226"),
        (f'{{"moves": [], "x": {"9" * 5000}}}', "E226"),
        (f'{{"moves": [], "x": {"[" * 100_000}}}', "E226"),
        (f'{{"moves": [], "x": {"[" * 100_000}{"]" * 100_000}}}', "E226"),
        ('{"moves": [], "x": ' + '{"a":' * 50_000 + "1" + "}" * 50_001, "E226"),
        ("{}", "E227"),
        ('{"moves": "Wd4,d1"}', "E227"),
        ('{"moves": ["Wd4,d1", 5]}', "E227"),
        ('{"moves": ["Wd4,d1 Bd3,a1"]}', "E227"),
        ('{"moves": ["Wd4,d1", "oops"]}', "E227"),
        ('{"moves": ["1-0"]}', "E227"),
        ('{"moves": [""]}', "E227"),
        ('{"moves": [], "verdict": "unreadable"}', "E228"),
        (json.dumps({"moves": ["Wd4"] * 3000}), "E260"),
        (json.dumps({"moves": [], "comment": "x" * 600_000}), "E261"),
    ],
)
def test_a_damaged_line_is_a_fault_of_its_own_record(text: str, code: str) -> None:
    before, damaged, behind = read(f"{line()}\n{text}\n\n{line(comment='good')}\n")
    assert damaged.fault is not None and damaged.fault.code == code
    assert damaged.span.line == 2
    assert [(len(record.plies), record.fault) for record in (before, behind)] == [(3, None)] * 2


def test_the_first_of_two_equal_keys_counts() -> None:
    record = one('{"moves": ["Wd4,d1"], "moves": [], "tags": {"Event": "a", "Event": "b"}}')
    assert (len(record.plies), record.event, codes(record)) == (1, "a", ["W548", "W548"])


def test_numbers_without_bounds_are_no_harm() -> None:
    assert one('{"moves": ["Wd4,d1"], "clocks": [1e999], "n": 1e999}').plies[0].clock is None


def test_plies_have_their_places_in_the_line() -> None:
    text = line()
    record = one(text)
    assert [text[ply.span.start : ply.span.end] for ply in record.plies] == ["Wd4,d1", "Bd3,a1", "x d3Wd5"]
    fault = one('{"moves": ["Wd4,d1", "Bz3"]}').fault
    assert fault is not None and (fault.span.line, fault.span.column) == (1, 23)


def test_a_lenient_move_is_read_with_a_remark() -> None:
    record = one(line(moves=["wd4, d1", "Вd3,a1"]))  # noqa: RUF001 - a Cyrillic letter
    assert set(codes(record)) == {"W717", "W719", "W740"}
    assert [(ply.colour, ply.ring, ply.removed) for ply in record.plies] == [("W", "d4", "d1"), ("B", "d3", "a1")]


@given(st.text() | st.text('{}[]":,movestagW d41null-eE.\\u'))
def test_no_text_raises(text: str) -> None:
    for record in read(text):
        assert 0 <= record.span.start <= record.span.end <= len(text)


def test_the_schema_names_every_key_that_is_written() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    record = next(islice(completed(1, 3, board="37"), 1))
    found = described(record) | check(record).as_json()
    assert found.keys() - schema["properties"].keys() == set()
    assert schema["required"] == ["moves"]


@pytest.mark.parametrize("before", ['{"foo": 1}\n', "[]\n", "# made up\n\n", '{"a": 1}\n' * 19])
def test_json_lines_are_detected_after_other_lines(before: str) -> None:
    assert detect(before + '{"moves": ["Wd4,d1"]}\n') == "jsonl"
