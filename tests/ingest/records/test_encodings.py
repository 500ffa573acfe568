"""A record's own bytes are a part of its file: read again they give the same text, even if they don't show their encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from zertz_db import samples
from zertz_db.export.notation import write_notations
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.discover import list_places
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.maintain.doctor import examine
from zertz_db.parser.text.encoding import encode
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store.open_database import open_database

GAMES = '[Player1 "{}"]\n[Board "37"]\n\n1. Wd4,d1 resigns\n\n[Player1 "plain"]\n[Board "37"]\n\n1. Wd4,a1 resigns\n'


@pytest.mark.parametrize(
    ("name", "encoding", "tail"),
    [
        ("Ren\u00e9", "latin-1", ""),
        ("Игорь", "cp1251", ""),
        ("Ren\u00e9 – €", "cp1252", ""),
        ("Ren\u00e9", "utf-8", ""),
        ("Ren\u00e9", "utf-8-sig", ""),
        ("Ren\u00e9", "utf-16", ""),
    ],
)
def test_records_are_reread_unchanged(tmp_path: Path, name: str, encoding: str, tail: str) -> None:
    db = tmp_path / "games.zertz"
    text = GAMES.format(name) + (f"{{{tail}}}\n" if tail else "")
    (tmp_path / "games.txt").write_bytes(text.encode(encoding))
    import_paths([tmp_path / "games.txt"], db)
    with open_database(db) as database:
        written = "".join(notation or "" for _, notation in write_notations(database, game_ids(database)))
    assert f'[Player1 "{name}"]' in written
    assert examine(db).is_fine


def sighted(path: Path) -> list[SourceRecord]:
    found = (place for place in list_places([(str(path), True)]) if isinstance(place, Place))
    return [one for one in read_and_check(read_contents(found)) if isinstance(one, SourceRecord)]


def codes(found: SourceRecord) -> list[str]:
    return [finding.code for finding in found.checked.findings if finding.code.startswith("N1")]


GAME = '[Player1 "{}"]\n[Board "37"]\n\n1. Wd4,d1 resigns\n\n'


def test_each_record_of_a_file_has_its_own_encoding(tmp_path: Path) -> None:
    written = [
        ("plain", "utf-8", []),
        ("Ren\u00e9", "utf-8", []),
        ("Ren\u00e9", "latin-1", ["N112"]),
        ("Игорь", "cp1251", ["N112"]),
        ("“Ren\u00e9”", "cp1252", ["N112"]),
        ("Игорь", "latin-1-lost", ["N113"]),
    ]
    data = b"".join(encode(GAME.format(name), encoding) for name, encoding, _ in written)
    (tmp_path / "games.txt").write_bytes(data)
    found = sighted(tmp_path / "games.txt")
    assert [(one.checked.record.player1, one.encoding, codes(one)) for one in found] == written
    assert [one.checked.record.span.line for one in found] == [1, 6, 11, 16, 21, 26]
    assert b"\n\n".join(one.data for one in found) + b"\n\n" == data
    notes = [finding for one in found for finding in one.checked.findings if finding.code.startswith("N1")]
    assert [(note.span.line, note.span.column) for note in notes if note.span] == [
        (11, 14),
        (16, 11),
        (21, 11),
        (26, 11),
    ]


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        (GAME.format("Ada").encode("utf-16"), ["N111"]),
        (GAME.format("Ada").encode("utf-16-be"), ["N111"]),
        (GAME.format("Ada").encode("utf-16-le"), ["N111"]),
        (GAME.format("Ada").encode("utf-8-sig"), []),
        (GAME.format("Ada").replace("\n", "\r\n").encode(), []),
        (GAME.format("Ada").replace("\n", "\r").encode(), ["N114"]),
        (GAME.format("Ada").rstrip().encode(), []),
    ],
)
def test_every_kind_of_line_end_and_of_unicode_gives_the_game(tmp_path: Path, data: bytes, notes: list[str]) -> None:
    (tmp_path / "games.txt").write_bytes(data)
    (found,) = sighted(tmp_path / "games.txt")
    assert (found.checked.verdict, found.checked.record.player1, codes(found)) == ("verified", "Ada", notes)
    assert found.data == data


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_and_columns_are_right_with_any_line_ends(tmp_path: Path, end: str) -> None:
    text = f"{{one{end}two}}{end}1. Wd4,d1 Bd3,a1{end}  2. Wa2,b1 *"
    (tmp_path / "games.txt").write_bytes(text.encode())
    (found,) = sighted(tmp_path / "games.txt")
    (fault,) = [finding for finding in found.checked.findings if finding.code == "E302"]
    assert fault.span is not None
    assert (fault.span.line, fault.span.column) == (4, 6)


@pytest.mark.parametrize("where", [0, 20, 40])
def test_a_zero_byte_is_a_fault_at_its_place(tmp_path: Path, where: int) -> None:
    text = GAME.format("Ada") + GAME.format("Ben")
    data = (text[:where] + "\0" + text[where:]).encode()
    (tmp_path / "games.txt").write_bytes(data)
    found = sighted(tmp_path / "games.txt")
    assert found[-1].checked.record.player1 == "Ben"


def test_a_database_of_the_samples_is_fine(tmp_path: Path) -> None:
    import_paths([samples.folder()], tmp_path / "games.zertz")
    found = examine(tmp_path / "games.zertz")
    assert (found.is_fine, tuple(found.problems), tuple(found.differences)) == (True, (), ())
