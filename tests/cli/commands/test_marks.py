"""`zertz mark`, `marks` and `duplicates`, run as a user runs them."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import copied
from tests.queries.sample import RECORDS, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.queries.marks import marked_games, saved_filter
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.position import Position
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    again = record("again", "Eve", "Ben", "2011.05.01", "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1", Board="37")
    (folder / "a.txt").write_text("".join([*RECORDS, again]), "utf-8")
    import_paths([folder / "a.txt"], folder / "db")
    return folder / "db"


@pytest.fixture
def db(imported: Path, tmp_path: Path) -> Path:
    return copied(imported, tmp_path)


@pytest.fixture
def ids(run: Run) -> dict[str, str]:
    return {game["event"]: game["id"] for game in json.loads(run("games", "--json")[1])}


def listed(run: Run, *options: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run("marks", "--json", *options)[1])
    return found


def test_games_are_marked_and_found_by_their_label(run: Run, db: Path, ids: dict[str, str]) -> None:
    assert run("mark", ids["resigned"], "--label", "Study", "--note", "why not b4?", "--author", "Cy")[0] == 0
    assert run("mark", ids["large"], "--label", "study")[0] == 0
    assert run("mark", ids["blitz"])[0] == 0
    assert {(one["label"], one["note"], one["author"] == "Cy") for one in listed(run)} == {
        ("Study", "why not b4?", True),
        ("study", "", False),
        ("bookmark", "", False),
    }
    assert {game["event"] for game in json.loads(run("games", "label:study", "--json")[1])} == {"resigned", "large"}
    with open_database(db) as database:
        assert marked_games(database, "STUDY") == [from_text(ids["resigned"]), from_text(ids["large"])]
    assert len(listed(run, "--label", "study")) == 2


def test_a_position_is_marked_with_its_string_and_key(run: Run, ids: dict[str, str]) -> None:
    run("mark", ids["resigned"], "--ply", 2, "--note", "forced from here")
    [mark] = listed(run)
    position = Position.start("37").play("Wd4,d1").play("Bd3,a1")
    assert (mark["about"], mark["ply"], mark["position"], mark["label"]) == ("position", 2, position.text, "")
    key = json.loads(run("sql", "select position from marks", "--json")[1])
    assert key == [{"position": canonicalise(position).key}]


def test_a_mark_is_taken_back(run: Run, ids: dict[str, str]) -> None:
    run("mark", ids["resigned"], "--label", "study")
    [mark] = listed(run)
    status, out, _ = run("marks", "--remove", str(mark["mark"])[:6].lower())
    assert (status, out) == (0, f"removed mark {mark['mark']}: study\n")
    assert listed(run) == []
    assert "no marks yet" in run("marks")[2]
    assert json.loads(run("games", "label:study", "--json")[1]) == []


def test_filters_are_saved_under_a_name(run: Run, db: Path) -> None:
    run("mark", "--filter", "player:ada board:48", "--label", "Ada at large")
    with open_database(db) as database:
        assert saved_filter(database, "ada at LARGE") == "player:ada board:48"
        with pytest.raises(QueryError, match="no filter is saved as 'x'; saved: Ada at large"):
            saved_filter(database, "x")
    assert run("marks")[1].splitlines()[1].split()[4:6] == ["filter", "player:ada"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["mark"], "mark a game: zertz mark ID"),
        (["mark", "0000", "--filter", "x", "--label", "y"], "mark a game: zertz mark ID"),
        (["mark", "--filter", "player:ada"], "a saved filter needs a name"),
        (["mark", "--filter", "board:99", "--label", "y"], "99"),
        (["mark", "0000000000000"], "there is no game"),
        (["mark", "{id}", "--ply", "9"], "--ply takes 0 (the start) to 4"),
        (["marks", "--remove", "AAAA"], "No mark has an id that begins with AAAA"),
        (["duplicates", "board:99"], "99"),
        (["duplicates", "--merge", "{id}"], "give --merge ID --into ID"),
        (["duplicates", "--merge", "{id}", "--into", "{id}"], "can't be merged into itself"),
        (["duplicates", "--split", "{id}"], "merged game has"),
        (["duplicates", "--separate", "{id}"], "--separate ID --from ID"),
        (["duplicates", "--separate", "{id}", "--from", "{id}", "--undo"], "Nothing is noted about"),
    ],
)
def test_what_is_impossible_is_a_sentence(
    run: Run, db: Path, ids: dict[str, str], command: list[str], words: str
) -> None:
    status, out, err = run(*(word.format(id=ids["resigned"]) for word in command))
    assert (status, out) == (2, "")
    assert words in err
    assert not (db / "marks.jsonl").exists()


def test_duplicates_are_listed_in_every_form(run: Run, ids: dict[str, str]) -> None:
    assert "no duplicates found" in run("duplicates")[2]
    [row] = json.loads(run("duplicates", "--shortest", 4, "--json")[1])
    assert (row["tier"], row["game"], row["other"]) == ("moves", ids["again"], ids["resigned"])
    rows = list(csv.DictReader(io.StringIO(run("duplicates", "--shortest", 4, "--csv")[1])))
    assert rows[0]["evidence"] == row["evidence"]
    assert row["evidence"] in run("duplicates", "--shortest", 4)[1]


def test_games_that_are_two_are_not_listed_again(run: Run, ids: dict[str, str]) -> None:
    two = ids["again"], ids["resigned"]
    named = ("duplicates", "--separate", two[0][:8], "--from", two[1][:8])
    assert run(*named) == (0, f"{two[0]} and {two[1]} are two games\n", "")
    assert json.loads(run("duplicates", "--shortest", 4, "--json")[1]) == []
    assert run(*named, "--undo")[0] == 0
    assert len(json.loads(run("duplicates", "--shortest", 4, "--json")[1])) == 1


def test_games_are_merged_and_split(run: Run, ids: dict[str, str]) -> None:
    again, first = ids["again"], ids["resigned"]
    status, out, _ = run("duplicates", "--merge", again[:8], "--into", first[:8], "--author", "Cy")
    assert (
        status,
        out.startswith(f"merged {again} into {first} (the same moves; but the results are none and 0-1)"),
    ) == (
        0,
        True,
    )
    assert again not in run("games", "--csv")[1]
    assert len(json.loads(run("sql", f"from sightings where game = '{first}'", "--json")[1])) == 2
    [row] = json.loads(run("duplicates", "--merged", "--json")[1])
    assert (row["game"], row["of"], row["author"]) == (again, first, "Cy")
    assert run("duplicates", "--split", again[:6])[1] == f"{again} is split from {first}\n"
    assert again in run("games", "--csv")[1]
    assert "no merged games" in run("duplicates", "--merged")[2]


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("marks.jsonl", "mark {blitz} --label study"),
        ("marks.jsonl", "marks --remove {mark}"),
        ("people.jsonl", "players ada --is ben"),
        ("corrections.jsonl", "correct {blitz} round=7"),
        ("unions.jsonl", "duplicates --merge {again} --into {resigned}"),
    ],
)
def test_on_a_full_disk_the_file_is_named_which_stays_as_it_was(
    run: Run, db: Path, ids: dict[str, str], monkeypatch: pytest.MonkeyPatch, file: str, command: str
) -> None:
    run("mark", ids["large"])
    words = command.format(**ids, mark=listed(run)[0]["mark"]).split()
    before = {path.name: path.read_bytes() for path in db.iterdir()}

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        assert run(*words) == (
            2,
            "",
            f"zertz: No space left on the disk of {db / file}; nothing was changed. Free some space and try again.\n",
        )
    assert {path.name: path.read_bytes() for path in db.iterdir() if path.stat().st_size} == before
    assert run(*words)[0] == 0
