"""Merged games: nothing is lost, other games are unaffected, and they can be split again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ingest.databases import ask, contents, written, zipped
from tests.queries.sample import record
from zertz_db.edit.correct_tags import correct_games
from zertz_db.edit.marks import add_mark
from zertz_db.edit.merge_games import (
    InvalidMerge,
    merge_game,
    postpone_games,
    separate_games,
    split_game,
    undo_separation,
)
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import NoSuchPlayer, anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import copy_games, merge
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.play.generate import generate_games
from zertz_db.queries.duplicates import list_decisions, list_duplicates
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store.annotations import corrections, game_merges, marks
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.folder import generations
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database
from zertz_db.store.partial_dates import utc_now

MOVES = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1 3. Player1 resigns 0-1"
PLAIN = record("plain", "Ada", "Ben", "2010.05.01", MOVES, Board="37")
RICH = record("rich", "Ada L.", "Ben", "2010.05.01", MOVES, Board="37", Annotator="Cy", Section="A", Table="3")
OTHER = record(
    "other", "Eve", "Ben", "2011.05.01", "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g2 3. Player1 resigns 0-1", Board="37"
)
SHORT = record("short", "Eve", "Ben", "2011.05.01", "1. Wd4,d1 Bd3,a1", Board="37")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two imports, each with one of the games to merge. Only to be copied."""
    there = tmp_path_factory.mktemp("original")
    made_up = list(generate_games(4, seed=2))
    import_paths([written(there / "a.txt", [PLAIN, OTHER]), zipped(there / "a.zip", made_up)], there / "db")
    import_paths([written(there / "b.txt", [RICH, SHORT])], there / "db")
    return there / "db"


@pytest.fixture
def db(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original.parent, tmp_path, dirs_exist_ok=True)) / "db"


def ids(db: Path) -> dict[str, str]:
    return dict(ask(db, "SELECT event, id FROM games WHERE event IS NOT NULL"))


def sightings(db: Path, game: str) -> list[str]:
    return [Path(path).name for (path,) in ask(db, "SELECT path FROM sightings WHERE game = ? ORDER BY path", game)]


@pytest.mark.parametrize(("game", "of"), [("plain", "rich"), ("rich", "plain")])
def test_a_merged_game_has_the_records_of_both_and_can_be_split(db: Path, game: str, of: str) -> None:
    before, known = contents(db), ids(db)
    merge_game(db, known[game], known[of], "me", "it is")
    assert examine(db).is_fine
    assert sightings(db, known[of]) == ["a.txt", "b.txt"]
    assert ask(db, "SELECT event, player1 FROM games WHERE id = ?", known[of]) == [("rich", "Ada L.")]
    assert ask(db, "SELECT count(*) FROM games WHERE id = ?", known[game]) == [(0,)]
    assert ask(db, "SELECT sum(stored), sum(duplicate), sum(records) FROM imports") == [(7, 1, 8)]
    split_game(db, known[game][:6].lower(), "me")
    assert contents(db) == before
    assert examine(db).is_fine


def test_a_stopped_split_is_made_when_it_is_repeated(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, known = contents(db), ids(db)
    merge_game(db, known["rich"], known["plain"], "me")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(generations, "publish", stop)
        split_game(db, known["rich"], "me")
    split_game(db, known["rich"], "me")
    assert contents(db) == before
    assert game_merges.read(db) == []


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def test_merged_games_stay_merged_when_records_come_and_go(db: Path, tmp_path: Path) -> None:
    known = ids(db)
    merge_game(db, known["rich"], known["plain"], "me")
    again = import_paths([written(tmp_path / "c.txt", [RICH])], db)
    assert (again.stored, again.duplicate) == (0, 1)
    assert sightings(db, known["plain"]) == ["a.txt", "b.txt", "c.txt"]
    undo(db, 1)
    assert sightings(db, known["plain"]) == ["b.txt", "c.txt"]
    assert examine(db).is_fine
    undo(db, 2)
    undo(db, 3)
    import_paths([tmp_path / "b.txt", tmp_path / "a.txt"], db)
    assert sightings(db, known["plain"]) == ["a.txt", "b.txt"]
    assert examine(db).is_fine


def test_merges_of_the_file_are_applied_by_a_recheck_and_in_a_new_database(db: Path, tmp_path: Path) -> None:
    known = ids(db)
    other = tmp_path / "other"
    other.mkdir()
    merge_game(db, known["rich"], known["plain"], "me")
    (other / game_merges.FILE).write_bytes((db / game_merges.FILE).read_bytes())
    import_paths([tmp_path / "a.txt", tmp_path / "b.txt"], other)
    assert sightings(other, known["plain"]) == ["a.txt", "b.txt"]
    (other / game_merges.FILE).unlink()
    recheck_database(other)
    assert ids(other) == known
    assert examine(other).is_fine


def test_merges_are_copied(db: Path, original: Path, tmp_path: Path) -> None:
    known = ids(db)
    import_paths([original.parent / "b.txt"], tmp_path / "all")
    merge_game(db, known["rich"], known["plain"], "me")
    merge([db], tmp_path / "all")
    with open_database(db) as database:
        copy_games(database, game_ids(database, f"id:{known['plain']}"), tmp_path / "part", "some")
    for place in (tmp_path / "all", tmp_path / "part"):
        assert sightings(place, known["plain"]) == ["a.txt", "b.txt"]
        assert examine(place).is_fine


@pytest.mark.parametrize(("game", "of"), [("plain", "rich"), ("rich", "plain")])
@pytest.mark.parametrize("name", ["Ada", "Ada L.", "Ben"])
@pytest.mark.long
def test_merged_games_stay_merged_when_a_player_is_anonymised(db: Path, game: str, of: str, name: str) -> None:
    known = ids(db)
    merge_game(db, known[game], known[of], name, f"{name} says so")
    anonymise_player(db, name)
    assert f"{name} says".encode() not in (db / game_merges.FILE).read_bytes()
    assert sightings(db, known[of]) == ["a.txt", "b.txt"]
    assert examine(db).is_fine
    with pytest.raises(NoSuchPlayer):
        anonymise_player(db, name)


@pytest.mark.parametrize(
    ("game", "of", "words"),
    [
        ("plain", "plain", "can't be merged into itself"),
        ("plain", "short", "is longer than"),
        ("plain", "0000000000000", "There is no game 0000000000000"),
    ],
)
def test_an_invalid_merge_is_reported(db: Path, game: str, of: str, words: str) -> None:
    known = ids(db)
    with pytest.raises(InvalidMerge, match=words):
        merge_game(db, known[game], known.get(of, of), "me")
    with pytest.raises(InvalidMerge, match="No merged game has an id that begins with"):
        split_game(db, known[game], "me")
    assert not (db / game_merges.FILE).exists()


@pytest.mark.parametrize("way", ["merge", "copy"])
def test_annotations_of_a_merged_game_are_copied(db: Path, tmp_path: Path, way: str) -> None:
    known = ids(db)
    correct_games(db, [known["plain"]], {"Round": "7"}, "me")
    add_mark(db, "me", label="study", game=known["plain"])
    merge_game(db, known["plain"], known["rich"], "me")
    merge_game(db, known["rich"], known["other"], "me")
    there = tmp_path / "there"
    if way == "merge":
        merge([db], there)
    else:
        with open_database(db) as database:
            copy_games(database, [from_text(known["other"])], there, "one")
    assert (corrections.read(there), marks.read(there)) == (corrections.read(db), marks.read(db))
    assert set(ids(there)) & {"plain", "rich", "other"} == {"rich"}
    for game in ("rich", "plain"):
        split_game(there, known[game], "me")
    assert ask(there, "SELECT event, round FROM games WHERE id = ?", known["plain"]) == [("plain", "7")]
    assert examine(there).is_fine


def proposed(folder: Path) -> set[frozenset[str]]:
    with open_database(folder) as database:
        return {frozenset((row["game"], row["other"])) for row in list_duplicates(database, shortest=2).dicts()}


def test_games_that_are_two_are_not_proposed_again(db: Path, tmp_path: Path) -> None:
    one, other = ids(db)["plain"], ids(db)["rich"]
    pair = frozenset((one, other))
    assert pair in proposed(db)
    separate_games(db, one, other, "ada", "two rounds")
    separate_games(db, other, one, "ben")
    assert pair not in proposed(db)
    with open_database(db) as database:
        [decision] = list_decisions(database).dicts()
    assert (decision["verdict"], decision["author"], decision["evidence"]) == ("rejected", "ada", "two rounds")
    merge([db], tmp_path / "copy")
    assert pair not in proposed(tmp_path / "copy")
    undo_separation(db, other, one, "cy")
    assert pair in proposed(db)
    with pytest.raises(InvalidMerge, match="Nothing is noted"):
        undo_separation(db, other, one, "cy")
    with pytest.raises(InvalidMerge, match="There is no game"):
        separate_games(db, one, "A05S0N8XJ2Q7C", "ada")
    with pytest.raises(InvalidMerge, match="is one game: give the ids of two"):
        separate_games(db, one, one, "ada")


def test_a_pair_is_put_off_decided_and_opened_again(db: Path, tmp_path: Path) -> None:
    one, other = ids(db)["plain"], ids(db)["rich"]
    verdicts = []
    for act in (postpone_games, postpone_games, separate_games, postpone_games):
        act(db, one, other, "ada")
        with open_database(db) as database:
            verdicts.append([row["verdict"] for row in list_decisions(database).dicts()])
    assert verdicts == [["later"], ["later"], ["rejected"], ["later"]]
    assert frozenset((one, other)) in proposed(db)
    merge([db], tmp_path / "copy")
    with open_database(tmp_path / "copy") as database:
        assert [row["verdict"] for row in list_decisions(database).dicts()] == ["later"]
    undo_separation(db, other, one, "cy")
    with open_database(db) as database:
        assert list_decisions(database).rows == []


def test_decisions_of_one_second_are_listed_latest_first(db: Path) -> None:
    game, other, third = sorted(ids(db).values())[:3]
    at = utc_now()
    gone = "A05S0N8XJ2Q7C"
    decided = [(game, other, "later"), (gone, game, "accepted"), (third, other, "rejected"), (game, third, "later")]
    with open_database(db) as database:
        for *pair, verdict in decided:
            game_merges.append(database.annotations_dir, [GameMerge(*pair, verdict, "", "ada", at)])
        found = [(row["game"], row["other"], row["verdict"]) for row in list_decisions(database).dicts()]
    assert found == decided[::-1]


def test_a_third_equal_game_is_still_proposed(db: Path) -> None:
    third = PLAIN.replace("plain", "third").replace("2010.05.01", "2012.05.01")
    import_paths([written(db.parent / "c.txt", [third])], db)
    found = ids(db)
    game = {name: found[name] for name in ("plain", "rich", "third")}
    earliest = next(name for name in ("plain", "rich") if frozenset((game["third"], game[name])) in proposed(db))
    other = {"plain": "rich", "rich": "plain"}[earliest]
    separate_games(db, game["third"], game[earliest], "ada")
    assert frozenset((game["third"], game[other])) in proposed(db)
