"""A stated language of colour letters holds: for the import, and whenever the records are read again."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.ingest.databases import ask, contents
from zertz_db.export.notation import write_notations
from zertz_db.ingest import importer
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import reader_version
from zertz_db.ingest.sources import discover
from zertz_db.ingest.stored.source_lookup import read_stored_record
from zertz_db.ingest.tally import Tally
from zertz_db.maintain import doctor, recheck
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import copy_games, merge
from zertz_db.maintain.recheck import preview_changes, recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database

OPEN = "bd4,d1; gd3,a1; d3-d5\n"
"""A record whose letter B may be black, or white as in Italian; it is legal as both."""
AS_ENGLISH, AS_ITALIAN = "Bd4,d1 Gd3,a1 x d3Bd5", "Wd4,d1 Gd3,a1 x d3Wd5"
PLAIN, ITALIAN, ENGLISH = (reader_version.format_reader_version(letters) for letters in (None, "it", "en"))

WHEN = ("source.read_at", "record.run")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(OPEN)
    return path


def held(db: Path) -> list[tuple[str, str, str]]:
    """Return the games' moves, with the reader versions of their records and files."""
    query = """
        SELECT movetext, r.reader_version, s.reader_version
        FROM _game g JOIN _record r ON r.game = g.id JOIN _source s ON s.id = r.source ORDER BY ALL
    """
    return ask(db, query)


def assert_sound(db: Path) -> None:
    """Check that reading the records again changes nothing."""
    found = examine(db)
    assert (found.problems, found.differences) == ((), ())
    assert recheck_database(db) == []


def newer_readers(patch: pytest.MonkeyPatch) -> None:
    for module in (importer, reader_version, doctor, recheck):
        patch.setattr(module, "READER_VERSION", "newer")


@pytest.mark.parametrize(
    ("stated", "moves", "noted", "has_read"),
    [
        pytest.param([None], AS_ENGLISH, PLAIN, True, marks=pytest.mark.long),
        pytest.param(["it"], AS_ITALIAN, ITALIAN, True, marks=pytest.mark.long),
        ([None, "it"], AS_ITALIAN, ITALIAN, True),
        ([None, "it", None], AS_ITALIAN, ITALIAN, False),
        pytest.param(["it", "it"], AS_ITALIAN, ITALIAN, False, marks=pytest.mark.long),
        (["it", "en"], AS_ENGLISH, ENGLISH, True),
        pytest.param([None, "en"], AS_ENGLISH, ENGLISH, True, marks=pytest.mark.long),
    ],
)
def test_the_last_statement_holds(
    tmp_path: Path, file: Path, stated: Sequence[str | None], moves: str, noted: str, has_read: bool
) -> None:
    db = tmp_path / "db"
    for letters in stated:
        balance = import_paths([file], db, letters=letters)
    assert (balance.read, balance.run is not None) == (1, has_read)
    assert held(db) == [(moves, noted, noted)]
    codes = {code for (code,) in ask(db, "SELECT code FROM findings")}
    assert ("N751" in codes) == (noted == PLAIN)
    last = next(letters for letters in reversed(stated) if letters or noted == PLAIN)
    import_paths([file], tmp_path / "again", letters=last)
    assert contents(db, *WHEN) == contents(tmp_path / "again", *WHEN)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("1. Nd2,a3 Bf4,a4\n", {"W750"}),
        ('[Language "it"]\n1. Bd2,a3 Gf4,a4\n', {"W750"}),
        ("1. Wd2,a3 Bf4,a4\n", {"W752"}),  # the statement is contradicted
    ],
)
def test_if_the_record_decides_the_game_is_the_same(tmp_path: Path, text: str, codes: set[str]) -> None:
    (tmp_path / "games.txt").write_text(text)
    for db, letters in (("with", "it"), ("without", None)):
        import_paths([tmp_path / "games.txt"], tmp_path / db, letters=letters)
    assert_sound(tmp_path / "with")
    games = "SELECT id, movetext, verdict FROM games"
    assert ask(tmp_path / "with", games) == ask(tmp_path / "without", games) != []
    assert codes <= {code for (code,) in ask(tmp_path / "with", "SELECT code FROM findings")}


def test_a_language_that_does_not_exist_is_refused(tmp_path: Path, file: Path) -> None:
    with pytest.raises(ValueError, match="there are no letters 'la'"):
        import_paths([file], tmp_path / "db", letters="la")
    assert not (tmp_path / "db").exists()


def test_newer_readers_use_the_stated_letters(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import_paths([file], tmp_path / "db", letters="it")
    newer_readers(monkeypatch)
    assert preview_changes(tmp_path / "db") == []
    assert recheck_database(tmp_path / "db") == []
    assert held(tmp_path / "db") == [(AS_ITALIAN, "newer, letters it", "newer, letters it")]
    assert import_paths([file], tmp_path / "db").run is None
    assert import_paths([file], tmp_path / "db", letters="it").run is None


def test_an_import_by_newer_readers_uses_the_stated_letters(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.txt"
    other.write_text(OPEN.replace("a1", "a2"))
    import_paths([file], tmp_path / "db", letters="it")
    newer_readers(monkeypatch)
    assert import_paths([other, file], tmp_path / "db").stored == 2
    assert [noted for _, noted, _ in held(tmp_path / "db")] == ["newer", "newer, letters it"]
    assert held(tmp_path / "db")[1][0] == AS_ITALIAN
    assert_sound(tmp_path / "db")


def test_the_same_bytes_may_be_read_both_ways(tmp_path: Path, file: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(file, "notes.txt")
    db = tmp_path / "db"
    import_paths([tmp_path / "all.zip"], db)
    import_paths([file], db, letters="it")
    both = [(AS_ENGLISH, PLAIN, PLAIN), (AS_ITALIAN, ITALIAN, ITALIAN)]
    assert held(db) == both
    notes = "SELECT movetext FROM _game g JOIN _finding f ON f.record = g.record WHERE code = 'N751'"
    assert ask(db, notes) == [(AS_ENGLISH,)]
    assert_sound(db)
    import_paths([tmp_path / "all.zip"], db, letters="it")
    assert held(db) == [(AS_ITALIAN, ITALIAN, ITALIAN)] * 2
    assert_sound(db)
    undo(db, 2)
    assert held(db) == [(AS_ITALIAN, ITALIAN, ITALIAN)]
    assert_sound(db)


def test_an_undone_import_forgets_its_letters(tmp_path: Path, file: Path) -> None:
    db = tmp_path / "db"
    import_paths([file], db, letters="it")
    undo(db, 1)
    import_paths([file], db)
    assert held(db) == [(AS_ENGLISH, PLAIN, PLAIN)]


@pytest.mark.parametrize("first", [None, "it"])
@pytest.mark.long
def test_letters_stated_in_one_of_several_databases_hold(tmp_path: Path, file: Path, first: str | None) -> None:
    for db, letters in (("a", first), ("b", None if first else "it")):
        import_paths([file], tmp_path / db, letters=letters)
    merge([tmp_path / "a", tmp_path / "b"], tmp_path / "both")
    merge([tmp_path / "b"], tmp_path / "a")
    for db in ("both", "a"):
        assert held(tmp_path / db) == [(AS_ITALIAN, ITALIAN, ITALIAN)]
        assert_sound(tmp_path / db)
    current = (tmp_path / "a" / "CURRENT").read_text()
    assert [one.records for one in merge([tmp_path / "both"], tmp_path / "a")] == [0]
    assert (tmp_path / "a" / "CURRENT").read_text() == current


def test_the_target_s_language_wins_over_another(tmp_path: Path, file: Path) -> None:
    for letters in ("en", "it"):
        import_paths([file], tmp_path / letters, letters=letters)
    merge([tmp_path / "it"], tmp_path / "en")
    assert held(tmp_path / "en") == [(AS_ENGLISH, ENGLISH, ENGLISH)]


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Make a file with two records, of which the filter of `part` selects one."""
    path = tmp_path / "two.txt"
    games = ("Ada", "d4,d1 Gd3,a1"), ("Ben", "d4,d1 Gd2,a1")
    path.write_text("".join(f'[Player1 "{name}"]\n[Board "37"]\n\n1. B{plies} *\n\n' for name, plies in games))
    return path


def part(db: Path, into: Path) -> Path:
    with open_database(db) as database:
        copy_games(database, game_ids(database, "player:ada"), into, "ada's games")
    return into


def colours(db: Path) -> str:
    """Return the colour of the first marble in each game, by its player."""
    return "".join(letter for (letter,) in ask(db, "SELECT movetext[1] FROM games ORDER BY player1"))


def test_a_copy_of_some_games_has_the_stated_letters(tmp_path: Path, two: Path) -> None:
    import_paths([two], tmp_path / "all", letters="it")
    copy = part(tmp_path / "all", tmp_path / "copy")
    (noted,) = ask(copy, "SELECT reader_version FROM sources")
    assert noted == ("in part, letters it",)
    assert_sound(copy)
    assert import_paths([two], copy).read == 2
    assert contents(copy, *WHEN) == contents(tmp_path / "all", *WHEN)


@pytest.mark.parametrize(
    ("here", "there", "noted", "found"),
    [
        (None, "it", ITALIAN, "WW"),
        ("it", "it", ITALIAN, "WW"),
        (None, None, PLAIN, "BB"),
        ("it", None, "in part, letters it", "WB"),  # the next import of the file reads both with these letters
    ],
)
@pytest.mark.long
def test_a_part_becomes_whole_if_the_same_was_stated(
    tmp_path: Path, two: Path, here: str | None, there: str | None, noted: str, found: str
) -> None:
    import_paths([two], tmp_path / "a", letters=here)
    import_paths([two], tmp_path / "b", letters=there)
    copy = part(tmp_path / "a", tmp_path / "copy")
    merge([tmp_path / "b"], copy)
    assert (ask(copy, "SELECT reader_version FROM sources"), colours(copy)) == ([(noted,)], found)
    assert_sound(copy)
    import_paths([two], copy)
    assert colours(copy) == ("BB" if noted == PLAIN else "WW")


def test_a_part_with_letters_replaces_no_more_than_it_has(tmp_path: Path, two: Path) -> None:
    import_paths([two], tmp_path / "a", letters="it")
    import_paths([two], tmp_path / "b")
    merge([part(tmp_path / "a", tmp_path / "copy")], tmp_path / "b")
    assert colours(tmp_path / "b") == "WB"
    assert ask(tmp_path / "b", "SELECT reader_version FROM sources") == [("in part, letters it",)]
    assert_sound(tmp_path / "b")
    import_paths([two], tmp_path / "b")
    assert colours(tmp_path / "b") == "WW"


class Stopped(Exception):
    """An interruption of an import."""


@pytest.mark.parametrize("before", [None, "it"])
@pytest.mark.parametrize("after", [None, "it"])
@pytest.mark.long
def test_an_import_is_resumed_only_with_the_same_letters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None, after: str | None
) -> None:
    monkeypatch.setattr(discover, "BATCH_BYTES", 1)
    files = []
    for ring in ("a1", "a2", "b1"):
        files.append(tmp_path / f"{ring}.txt")
        files[-1].write_text(OPEN.replace("a1", ring))

    def stop(balance: Tally) -> None:
        if balance.done:
            raise Stopped

    with pytest.raises(Stopped):
        import_paths(files, tmp_path / "db", stop, letters=before)
    done: list[int] = []
    import_paths(files, tmp_path / "db", lambda balance: done.append(balance.done), letters=after)
    assert (done[0] > 0) == (before == after)
    import_paths(files, tmp_path / "whole", letters=after)
    assert contents(tmp_path / "db", *WHEN) == contents(tmp_path / "whole", *WHEN)


def test_an_import_with_earlier_letters_is_resumed(
    tmp_path: Path, two: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discover, "BATCH_BYTES", 1)
    import_paths([file, two], tmp_path / "db", letters="it")
    newer_readers(monkeypatch)

    def stop(balance: Tally) -> None:
        if balance.done:
            raise Stopped

    with pytest.raises(Stopped):
        import_paths([file, two], tmp_path / "db", stop)
    done: list[int] = []
    import_paths([file, two], tmp_path / "db", lambda balance: done.append(balance.done))
    assert done[0] > 0
    assert {noted for _, noted, _ in held(tmp_path / "db")} == {"newer, letters it"}


def test_exports_and_shown_records_use_the_stated_letters(tmp_path: Path, file: Path) -> None:
    import_paths([file], tmp_path / "db", letters="it")
    with open_database(tmp_path / "db") as database:
        ((game, notation),) = write_notations(database, game_ids(database))
        found = read_stored_record(database, 1, str(file), "", 0)
    assert from_text(game)
    assert notation is not None
    assert "1. Wd4,d1 Gd3,a1 2. x d3Wd5" in notation
    assert found is not None
    assert " ".join(found.checked.moves) == AS_ITALIAN
