"""Corrected files: stored records that are missing from them, and their withdrawal."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.ingest.databases import ask
from tests.ingest.test_import_paths import ILLEGAL, game
from zertz_db.edit.marks import add_mark
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.undo_import import undo
from zertz_db.store.annotations import marks
from zertz_db.store.folder import generations

A, B, C, D = (game(first=name) for name in ("Ada", "Ben", "Cem", "Dan"))
NOTES = "Shopping list: milk, bread."
GAMES = "SELECT player1 FROM games ORDER BY player1"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "games.zertz"


def write(path: Path, content: str | bytes | Mapping[str, str]) -> Path:
    """Write a text, bytes, or a zip of members."""
    path.parent.mkdir(exist_ok=True)
    if isinstance(content, str):
        path.write_text(content)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in content.items():
                archive.writestr(zipfile.ZipInfo(name), text)
    return path


def games(db: Path) -> str:
    """Return the first letters of the players who moved first."""
    return "".join(name[0] for (name,) in ask(db, GAMES))


ALL = "\n".join([A, B, C])

CORRECTED = [
    ("a record was corrected", ALL, "\n".join([A, D, C]), ["B"], "ACD"),
    ("a file shrank", ALL, A, ["B", "C"], "A"),
    ("a file grew", A, ALL, [], "ABC"),
    ("records changed places", ALL, "\n".join([C, B, A]), [], "ABC"),
    ("spaces were added", ALL, "\n\n" + "\n\n\n".join([A, B, C]) + "\n\n", [], "ABC"),
    ("a tag was corrected", A, A.replace("Cup", "Grand Cup"), ["A"], "A"),
    ("a record became illegal", "\n".join([A, B]), "\n".join([A, ILLEGAL]), ["B"], "A"),
    ("an illegal record was corrected", "\n".join([A, ILLEGAL]), "\n".join([A, B]), ["-"], "AB"),
    ("a record became unreadable", "\n".join([A, B]), A + "\n" + B.replace("Wd4,d1", "W?9,d1"), ["B"], "A"),
    ("a file became empty", ALL, "", ["A", "B", "C"], ""),
    ("a file is no record any more", ALL, NOTES, ["A", "B", "C"], ""),
    ("a member was removed", {"a.txt": A, "b.txt": B}, {"a.txt": A}, ["B"], "A"),
    ("a member was renamed", {"a.txt": A, "b.txt": B}, {"a.txt": A, "c.txt": B}, [], "AB"),
    ("a member is no record any more", {"a.txt": A, "b.txt": B}, {"a.txt": A, "b.txt": NOTES}, ["B"], "A"),
]


@pytest.mark.parametrize("in_folder", [pytest.param(False, marks=pytest.mark.long), True])
@pytest.mark.parametrize(
    ("before", "after", "missing", "left"),
    [
        pytest.param(*values, id=name, marks=pytest.mark.long if number % 2 else ())
        for number, (name, *values) in enumerate(CORRECTED)
    ],
)
def test_missing_records(
    tmp_path: Path, db: Path, before: str, after: str, missing: list[str], left: str, in_folder: bool
) -> None:
    path = tmp_path / "files" / ("games.txt" if isinstance(before, str) else "games.zip")
    wanted = path.parent if in_folder else path
    write(path, before)
    import_paths([wanted], db)
    before_that = games(db)
    write(path, after)
    tally = import_paths([wanted], db)
    first = dict(ask(db, "SELECT id, player1 FROM _game"))
    assert sorted("-" if one.game is None else first[one.game][0] for one in tally.missing) == sorted(missing)
    assert all(one.path == str(path) for one in tally.missing)
    assert {*before_that} <= {*games(db)}
    done = import_paths([wanted], db, replace=True)
    assert games(db) == left
    assert (done.withdrawn.records if done.withdrawn else 0) == len(missing)
    assert import_paths([wanted], db, replace=True).missing == [] if left else True
    found = examine(db)
    assert (found.problems, found.differences) == ((), ())


def test_the_tally_is_that_of_the_existing_records(tmp_path: Path, db: Path) -> None:
    path = write(tmp_path / "games.txt", "\n".join([A, B, C, ILLEGAL]))
    import_paths([path], db)
    write(path, "\n".join([A, D, C, ILLEGAL]))
    done = import_paths([path], db, replace=True)
    assert (done.read, done.stored, done.duplicate, done.rejected, done.run) == (4, 1, 2, 1, 2)
    query = "SELECT records, stored, duplicate, rejected, withdrawn FROM imports ORDER BY run"
    assert ask(db, query) == [(3, 2, 0, 1, 0), (4, 1, 2, 1, 1)]


def test_records_of_other_files_stay(tmp_path: Path, db: Path) -> None:
    path, copy = write(tmp_path / "games.txt", ALL), write(tmp_path / "copy.txt", B)
    import_paths([path, copy], db)
    write(path, "\n".join([A, C]))
    done = import_paths([path], db, replace=True)
    assert [one.is_last for one in done.missing] == [False]
    assert (done.withdrawn and done.withdrawn.games, games(db)) == (0, "ABC")
    assert ask(db, "SELECT path FROM sightings JOIN games ON games.id = game WHERE player1 = 'Ben'") == [(str(copy),)]


def test_the_earlier_version_can_be_imported_again(tmp_path: Path, db: Path) -> None:
    path = write(tmp_path / "games.txt", ALL)
    import_paths([path], db)
    write(path, "\n".join([A, D]))
    import_paths([path], db, replace=True)
    write(path, ALL)
    back = import_paths([path], db, replace=True)
    assert (back.read, back.withdrawn and back.withdrawn.records, games(db)) == (3, 1, "ABC")
    undone = undo(db, 3)
    assert undone.withdrawn == 1
    assert examine(db).is_fine


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("{folder}/games.txt", "games.txt", True),
        pytest.param("games.txt", "{folder}/games.txt", True, marks=pytest.mark.long),
        pytest.param("games.txt", "./games.txt", True, marks=pytest.mark.long),
        ("games.txt", "other/games.txt", False),
        pytest.param("games.txt", "other.txt", False, marks=pytest.mark.long),
    ],
)
def test_a_file_is_known_by_its_absolute_path(
    tmp_path: Path, db: Path, first: str, second: str, is_same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = (Path(name.format(folder=tmp_path)) for name in (first, second))
    import_paths([str(write(one, A))], db)
    write(other, A)
    again = import_paths([second.format(folder=tmp_path)], db)
    assert (again.run is None) == is_same
    write(other, B)
    assert len(import_paths([second.format(folder=tmp_path)], db).missing) == 1


def test_files_of_one_name_in_two_folders_are_two(tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, text in (("one", A), ("two", B)):
        write(tmp_path / folder / "games.txt", text)
        monkeypatch.chdir(tmp_path / folder)
        assert import_paths(["games.txt"], db, replace=True).missing == []
    assert games(db) == "AB"


@pytest.mark.parametrize(("name", "missing"), [("club.txt", 1), ("upload.txt", 0), ("pasted.txt", 0)])
def test_an_upload_is_known_by_its_name(tmp_path: Path, db: Path, name: str, missing: int) -> None:
    for number, text in enumerate((A, B)):
        path = write(tmp_path / str(number) / "file", text)
        balance = import_paths([path], db, called={str(path): name}, replace=True)
    assert (len(balance.missing), games(db)) == (missing, "B" if missing else "AB")


def test_bytes_that_can_not_be_read_may_still_hold_them(tmp_path: Path, db: Path) -> None:
    path = write(tmp_path / "games.zip", {"a.txt": A, "b.txt": B * 20})
    import_paths([path], db)
    path.write_bytes(path.read_bytes()[:-30])
    done = import_paths([path], db, replace=True)
    assert (dict(done.reasons), done.missing, games(db)) == ({"E104": 1}, [], "AB")


def test_annotations_of_withdrawn_games_are_counted_and_stay(tmp_path: Path, db: Path) -> None:
    path = write(tmp_path / "games.txt", "\n".join([A, B]))
    import_paths([path], db)
    ((ben,),) = ask(db, "SELECT id FROM games WHERE player1 = 'Ben'")
    add_mark(db, "me", label="study", game=ben)
    write(path, A)
    done = import_paths([path], db, replace=True)
    assert done.withdrawn == (1, 1, 1)
    assert [one.label for one in marks.read(db)] == ["study"]
    assert ask(db, "FROM marks") == []
    write(path, "\n".join([A, B]))
    import_paths([path], db)
    assert len(ask(db, "FROM marks")) == 1


class Stopped(Exception):
    """An interruption of an import."""


@pytest.mark.parametrize(("replace", "left"), [(True, "AC"), (False, "ABC")])
@pytest.mark.long
def test_a_stopped_import_withdraws_only_on_request(
    tmp_path: Path, db: Path, replace: bool, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "games.txt", "\n".join([A, B]))
    import_paths([path], db)
    write(path, "\n".join([A, C]))

    def stop(*_: object) -> None:
        raise Stopped

    with monkeypatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(generations, "publish", stop)
        import_paths([path], db, replace=True)
    assert games(db) == "AB"
    import_paths([path], db, replace=replace)
    assert games(db) == left
    assert examine(db).is_fine


def test_it_is_published_at_once(tmp_path: Path, db: Path) -> None:
    path = write(tmp_path / "games.txt", A)
    import_paths([path], db)
    write(path, B)
    import_paths([path], db, replace=True)
    assert ask(db, "SELECT value FROM meta WHERE name = 'generation'") == [("2",)]
