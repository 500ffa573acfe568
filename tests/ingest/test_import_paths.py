"""Imports: what is stored and counted, and that nothing is lost."""

from __future__ import annotations

import os
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.ingest import import_paths as import_paths_module
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import batch, id_collisions
from zertz_db.ingest.records import rows as columns
from zertz_db.ingest.sources import discover
from zertz_db.ingest.sources.place import SourceError
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.undo_import import undo
from zertz_db.parser.record import Record
from zertz_db.store.folder import lock, tails
from zertz_db.store.loading import compaction
from zertz_db.store.open_database import open_database

TAGS = '[Event "Cup"]\n[Date "{date}"]\n[Player1 "{first}"]\n[Player2 "{second}"]\n[Result "1-0"]\n[Board "37"]\n\n'
MOVES = "1. Wd4,d1 {note}Bd3,a1 2. x d3Wd5 resigns 1-0\n"
ILLEGAL = '[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. Wa2,b1\n'


def game(first: str = "Ada", second: str = "Ben", date: str = "2020.01.02", note: str = "") -> str:
    return TAGS.format(first=first, second=second, date=date) + MOVES.replace("{note}", note)


def rows(db: Path, query: str) -> list[tuple[Any, ...]]:
    with open_database(db) as database:
        return database.connection().execute(query).fetchall()


def counts(db: Path) -> dict[str, int]:
    return {
        table: rows(db, f"SELECT count(*) FROM _{table}")[0][0]
        for table in ("game", "ply", "position", "record", "import")
    }


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.zertz"


def test_every_record_is_stored_duplicate_or_rejected(tmp_path: Path, db: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("\n".join([game(), game(first="Cem"), ILLEGAL, game()]))
    balance = import_paths([file], db)
    assert (balance.read, balance.stored, balance.duplicate, balance.rejected) == (4, 2, 1, 1)
    assert dict(balance.reasons) == {"E302": 1}
    assert [status for (status,) in rows(db, "SELECT status FROM records ORDER BY index")] == [
        "stored", "stored", "rejected", "duplicate",
    ]  # fmt: skip
    assert counts(db) == {"game": 2, "ply": 6, "position": 8, "record": 4, "import": 1}


def test_all_bytes_are_stored_once(tmp_path: Path, db: Path) -> None:
    texts = [game(), ILLEGAL, game()]
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.txt").write_text(text)
    import_paths([tmp_path / f"{number}.txt" for number in range(3)], db)
    stored = [data and data.decode() for (data,) in rows(db, "SELECT bytes FROM _record ORDER BY run, source, id")]
    assert sorted(filter(None, stored)) == sorted({*texts})


def test_importing_the_same_again_changes_nothing(tmp_path: Path, db: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text(game() + "\n" + ILLEGAL)
    import_paths([file], db)
    before, generation = counts(db), (db / "CURRENT").read_text()
    again = import_paths([file], db)
    assert (again.read, again.stored, again.duplicate, again.rejected, again.run) == (2, 0, 1, 1, None)
    assert (counts(db), (db / "CURRENT").read_text()) == (before, generation)


def test_an_unchanged_file_is_noted_once_even_if_another_lacks_records_now(tmp_path: Path, db: Path) -> None:
    same, changed = tmp_path / "same.txt", tmp_path / "changed.txt"
    same.write_text(game())
    for first in ("Cem", "Eva"):
        changed.write_text(game(first=first))
        tally = import_paths([same, changed], db, replace=True)
    assert tally.withdrawn and tally.withdrawn.records == 1
    assert rows(db, "SELECT run, path FROM revisits JOIN sources ON id = source") == [(2, str(same))]


def test_a_copy_elsewhere_is_known_too(tmp_path: Path, db: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text(game())
    balance = import_paths([tmp_path / "one.txt", tmp_path / "two.txt"], db)
    assert (balance.read, balance.stored, balance.duplicate) == (2, 1, 1)


def test_the_record_with_the_most_data_represents_the_game(tmp_path: Path, db: Path) -> None:
    (tmp_path / "plain.txt").write_text(game())
    (tmp_path / "rich.txt").write_text(game(note="{[%clk 0:01:00] why} ").replace("Cup", "Grand Cup"))
    import_paths([tmp_path / "plain.txt"], db)
    import_paths([tmp_path / "rich.txt"], db)
    assert rows(db, "SELECT event FROM games") == [("Grand Cup",)]
    assert rows(db, "SELECT clock FROM plies ORDER BY ply") == [(60_000,), (None,), (None,)]
    assert counts(db) == {"game": 1, "ply": 3, "position": 4, "record": 2, "import": 2}
    assert rows(db, "SELECT count(DISTINCT record) FROM sightings") == [(2,)]


def test_names_differ_by_case_only_in_one_game(tmp_path: Path, db: Path) -> None:
    (tmp_path / "games.txt").write_text(game(first="Ada") + "\n" + game(first="ADA") + "\n" + game(first="Eva"))
    balance = import_paths([tmp_path / "games.txt"], db)
    assert (balance.stored, balance.duplicate) == (2, 1)
    assert sorted(name for (name,) in rows(db, "SELECT name FROM players")) == ["Ada", "Ben", "Eva"]


@pytest.mark.long
def test_readers_see_each_state_whole_while_imports_run(tmp_path: Path, db: Path) -> None:
    for number, names in enumerate(("AB", "CDE", "F", "GHIJ")):
        (tmp_path / f"{number}.txt").write_text("\n".join(game(first=name) for name in names))
    states = {(1, 2, 2, 8), (2, 5, 5, 20), (3, 6, 6, 24), (4, 10, 10, 40)}
    import_paths([tmp_path / "0.txt"], db)
    over = Event()

    def read() -> list[tuple[int, ...]]:
        seen = []
        while not over.is_set():
            connection = database.connection()
            seen.append(tuple(connection.execute(f"SELECT count(*) FROM _{table}").fetchall()[0][0] for table in asked))
        return seen

    asked = ("import", "record", "game", "position")
    with open_database(db) as database, ThreadPoolExecutor(8) as pool:
        readers = [pool.submit(read) for _ in range(8)]
        for number in (1, 2, 3):
            import_paths([tmp_path / f"{number}.txt"], db)
        over.set()
        for reader in readers:
            seen = reader.result()
            assert {*seen} <= states
            assert seen == sorted(seen)
        assert rows(db, "SELECT count(*) FROM _game") == [(10,)]


def test_the_position_before_each_ply_and_the_final_one(tmp_path: Path, db: Path) -> None:
    (tmp_path / "games.txt").write_text(game())
    import_paths([tmp_path / "games.txt"], db)
    found = rows(
        db,
        "SELECT ply, side, pool_white, pool_black, captured1_white, score, next_move IS NULL FROM positions ORDER BY ply",
    )
    assert found == [
        (0, 1, 6, 10, 0, 1, False),
        (1, 2, 5, 10, 0, -1, False),
        (2, 1, 5, 9, 0, 1, False),
        (3, 2, 5, 9, 1, -1, True),
    ]


def test_a_stated_result_that_contradicts_the_moves_is_stored_with_the_computed_one(tmp_path: Path, db: Path) -> None:
    start = "custom standard a0:W/b1:W/c2:o/d3:o 0/8/10 3/0/0 1/0/0 1"
    (tmp_path / "game.txt").write_text(f'[SetUp "1"]\n[Position "{start}"]\n\nx a1Wc1 0-1\n')
    balance = import_paths([tmp_path / "game.txt"], db)
    assert balance.stored == 1
    assert rows(db, "SELECT result_claimed, result_computed, result FROM games") == [("0-1", "1-0", None)]
    assert ("W401",) in rows(db, "SELECT code FROM findings")


def test_a_record_without_result_gets_the_computed_one(tmp_path: Path, db: Path) -> None:
    start = "custom standard a0:W/b1:W/c2:o/d3:o 0/8/10 3/0/0 1/0/0 1"
    (tmp_path / "game.txt").write_text(f'[SetUp "1"]\n[Position "{start}"]\n\nx a1Wc1\n')
    import_paths([tmp_path / "game.txt"], db)
    query = "SELECT result_claimed, result_computed, result, ending, winning_sets, won_by FROM games"
    assert rows(db, query) == [(None, "1-0", "1-0", "set", "4W", "jump")]


def test_files_without_records_are_skipped_and_named(tmp_path: Path, db: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "game.txt").write_text(game())
    (folder / "notes.md").write_text("Shopping list: milk, bread.")
    (folder / "picture.bin").write_bytes(bytes(range(256)))
    (folder / "empty.txt").write_bytes(b"")
    balance = import_paths([folder], db)
    assert (balance.stored, balance.rejected, dict(balance.reasons)) == (1, 1, {"E101": 1})
    assert sorted(Path(passed.place.path).name for passed in balance.skipped) == ["notes.md", "picture.bin"]


def test_a_truncated_archive_is_rejected_and_the_rest_goes_on(tmp_path: Path, db: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("game.txt", game() * 20)
    path.write_bytes(path.read_bytes()[:-40])
    (tmp_path / "good.txt").write_text(game())
    balance = import_paths([path, tmp_path / "good.txt"], db)
    assert (balance.stored, balance.rejected, dict(balance.reasons)) == (1, 1, {"E104": 1})


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_of_one_name_get_unique_names(tmp_path: Path, db: Path) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as target:
        for name, first in (("game.txt", "Ada"), ("game.txt", "Cem"), ("game (2).txt", "Eva"), ("game.txt", "Zoe")):
            target.writestr(name, game(first=first))
    assert import_paths([tmp_path / "games.zip"], db).stored == 4
    found = rows(db, "SELECT member, player1 FROM sightings JOIN games ON games.id = game ORDER BY player1")
    assert found == [
        ("game.txt", "Ada"), ("game (2).txt", "Cem"), ("game (2) (3).txt", "Eva"), ("game (4).txt", "Zoe"),
    ]  # fmt: skip


def test_one_id_for_two_games_is_noticed(tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id only locates: with a hash of three values, eight games still are eight games."""

    def poor_hash(data: bytes) -> int:
        return sum(data) % 3

    names = [f"Player {letter}" for letter in "ABCDEFGH"]
    for number, name in enumerate(names):
        (tmp_path / f"{number}.txt").write_text(game(first=name))
    calls = iter(range(3, 1000))
    monkeypatch.setattr(batch, "id_of", poor_hash)
    for module in (batch, id_collisions):
        monkeypatch.setattr(module, "get_next_id", lambda _: next(calls))
    import_paths(sorted(tmp_path.glob("[0-3].txt")), db)
    import_paths(sorted(tmp_path.glob("[4-7].txt")), db)
    assert sorted(name for (name,) in rows(db, "SELECT player1 FROM _game")) == names
    stored = sorted(data.decode() for (data,) in rows(db, "SELECT bytes FROM _record"))
    assert stored == [game(first=name) for name in names]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2004.02.29", ("2004-02-29", "2004-02-29")),
        ("2004.02.??", ("2004-02-01", "2004-02-29")),
        ("2004.12.??", ("2004-12-01", "2004-12-31")),
        ("2004.??.??", ("2004-01-01", "2004-12-31")),
        ("2004.??.17", ("2004-01-01", "2004-12-31")),
        ("2004.02.31", ("None", "None")),
        ("????.??.??", ("None", "None")),
        ("99999999999.01.01", ("None", "None")),
        ("20²0.01.01", ("None", "None")),
        (None, ("None", "None")),
    ],
)
def test_date_ranges(text: str | None, expected: tuple[str, str]) -> None:
    first, last = columns.date_range(text)
    assert (str(first), str(last)) == expected


def test_an_internal_error_costs_one_record(tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from zertz_db.ingest.records import read_records

    whole = read_records.check_all

    def fragile(records: list[Record], full: bool) -> list[CheckedRecord]:
        if any(record.player1 == "Zoe" for record in records):
            raise RuntimeError("no idea")
        return whole(records, full)

    monkeypatch.setattr(read_records, "check_all", fragile)
    (tmp_path / "games.txt").write_text("\n".join([game(), game(first="Zoe"), game(first="Cem")]))
    balance = import_paths([tmp_path / "games.txt"], db)
    assert (balance.stored, balance.rejected, dict(balance.reasons)) == (2, 1, {"E109": 1})


def test_what_cannot_be_read_is_rejected_with_its_bytes_and_its_reason(tmp_path: Path, db: Path) -> None:
    for name in ("one.zip", "two.zip"):
        (tmp_path / name).write_bytes(b"PK\x03\x04" + name.encode())
    (tmp_path / "nul.txt").write_text(game() + "\n{\0}\n")
    balance = import_paths([tmp_path / "one.zip", tmp_path / "two.zip", tmp_path / "nul.txt"], db)
    assert (balance.stored, balance.rejected) == (1, 2)
    stored = rows(db, "SELECT r.bytes, f.code FROM _record r JOIN _finding f ON f.record = r.id WHERE r.game IS NULL")
    assert sorted(stored) == [
        (b"PK\x03\x04one.zip", "E104"),
        (b"PK\x03\x04two.zip", "E104"),
    ]


def test_a_name_that_is_no_text_is_shown_escaped(tmp_path: Path, db: Path) -> None:
    name = os.fsdecode(b"a\xff.txt")
    (tmp_path / name).write_text(game())
    import_paths([tmp_path / name], db)
    assert rows(db, "SELECT path LIKE '%a\\udcff.txt' FROM sources") == [(True,)]


def test_without_records_no_database_is_created(tmp_path: Path, db: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("Dear Sir,\nyours.\n")
    with pytest.raises(SourceError, match="no records found"):
        import_paths([tmp_path / "letters"], db)
    assert not db.exists()


def test_an_import_of_known_files_removes_what_a_killed_import_left(tmp_path: Path, db: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text(game())
    import_paths([file], db)
    before = sorted(path.name for path in db.iterdir())
    left = [db / name for name in (lock.FILE, "working-12ab34.duckdb", "working-12ab34.duckdb.wal")]
    for path in left:
        path.touch()
    with lock.importers_lock(db):  # another import is running
        assert import_paths([file], db).run is None
        assert all(path.exists() for path in left)
    (db / lock.FILE).touch()
    assert import_paths([file], db).run is None
    assert sorted(path.name for path in db.iterdir()) == before


def test_files_have_their_display_names(tmp_path: Path, db: Path) -> None:
    file = tmp_path / "x7f3"
    file.write_text(game() + ILLEGAL)
    import_paths([file], db, called={str(file): "the club's\ngames.txt"})
    assert rows(db, "SELECT path FROM sources") == [("the club's\\ngames.txt",)]
    assert rows(db, "SELECT what FROM imports") == [("the club's\\ngames.txt",)]
    before = counts(db)
    again = import_paths([file], db)  # known files are known by their bytes
    assert (again.run, again.duplicate, again.rejected) == (None, 1, 1)
    assert counts(db) == before
    assert examine(db).is_fine
    undo(db, 1)
    assert rows(db, "SELECT path FROM sources") == []
    other = tmp_path / "x7f4"
    other.mkdir()
    (other / "letter.txt").write_text("Dear Ada, let us play.")
    with pytest.raises(SourceError, match=r"in what was sent$"):
        import_paths([other], db, called={str(other): "what was sent"})


def test_the_importer_is_loaded_while_a_tail_is_opened(
    tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(import_paths_module, "_IMPORTER", "zertz_db.no_module")
    monkeypatch.setattr(import_paths_module, "_load_importer", lambda: loaded.append(threading.current_thread().name))
    monkeypatch.setattr(tails, "MIN_FILE", 0)
    monkeypatch.setattr(compaction, "MAX_UNSORTED", 1)
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f'[Round "{number}"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n', "utf-8")
        assert import_paths([tmp_path / f"{number}.txt"], db).read == 1
    assert len(loaded) == 1  # by the third import: before it, no state had a tail
    assert loaded != [threading.main_thread().name]


def test_copies_in_later_batches_are_duplicates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discover, "BATCH_BYTES", 1)
    for number in range(8):
        (tmp_path / f"{number}.txt").write_text(game(first=f"Ada{number % 4}"))
    tally = import_paths([tmp_path], tmp_path / "db")
    assert (tally.read, tally.stored, tally.duplicate) == (8, 4, 4)
