"""A record that ends early becomes a sighting of the whole game, counts for nothing else, and can become a game of its own again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ingest.databases import ask, contents, written
from tests.queries.sample import record
from zertz_db.edit.merge_games import InvalidMerge, merge_game, split_game
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import copy_games, merge
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.queries.duplicates import evidence, list_duplicates
from zertz_db.queries.games.game_list import game_ids
from zertz_db.queries.openings.tree import find_openings
from zertz_db.queries.players.player_list import list_players
from zertz_db.queries.players.ratings import rate_players
from zertz_db.queries.statistics.registry import ask_statistics
from zertz_db.store.annotations import game_merges
from zertz_db.store.open_database import open_database

WHOLE = record(
    "whole", "Ada", "Ben", "2010.05.01", "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1 3. Player1 resigns 0-1", Board="37"
)
CUT = record(
    "cut", "Eva", "Ben", "2010.05.02", "1. Wd4,d1 Bd3,a1 2. Player2 resigns 1-0", Board="37", Annotator="Cy", A="1", B="2", C="3"
)  # fmt: skip
"""More data than the whole game has, and fewer moves."""
TURNED = CUT.replace("cut", "turned").replace("Wd4,d1 Bd3,a1", "Wd4,a4 Bc4,d7")
OTHER = record(
    "other", "Ada", "Eva", "2011.05.01", "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g2 3. Player1 resigns 0-1", Board="37"
)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two imports: records that end early, and the whole game with another one. Only to be copied."""
    there = tmp_path_factory.mktemp("lengths")
    import_paths([written(there / "a.txt", [CUT, TURNED])], there / "db")
    import_paths([written(there / "b.txt", [WHOLE, OTHER])], there / "db")
    return there


@pytest.fixture
def db(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path, dirs_exist_ok=True)) / "db"


def ids(db: Path) -> dict[str, str]:
    return dict(ask(db, "SELECT event, id FROM games"))


def sightings(db: Path, game: str) -> list[str]:
    return [Path(path).name for (path,) in ask(db, "SELECT path FROM sightings WHERE game = ? ORDER BY path", game)]


def is_whole(db: Path, game: str) -> bool:
    """Return whether the whole game, with its moves, represents its records, and the doctor finds nothing."""
    rows = ask(db, "SELECT event, plies FROM games WHERE id = ?", game)
    return rows == [("whole", 4)] and examine(db).is_fine


def numbers(db: Path) -> list[object]:
    """Return what statistics, the explorer, the list of players and ratings count."""
    with open_database(db) as database:
        return [
            ask_statistics(database, "first-mover").rows,
            find_openings(database, board="37").continuations.rows,
            list_players(database).rows,
            rate_players(database).rows,
        ]


@pytest.mark.parametrize("cut", [pytest.param("cut", marks=pytest.mark.long), "turned"])
def test_a_record_that_ends_early_counts_no_more_and_returns(db: Path, tmp_path: Path, cut: str) -> None:
    before, known = contents(db), ids(db)
    other = {"cut": TURNED, "turned": CUT}[cut]
    import_paths([written(tmp_path / "without.txt", [other, WHOLE, OTHER])], tmp_path / "without")
    merge_game(db, known[cut], known["whole"], "me", "it is")
    assert is_whole(db, known["whole"])
    assert sightings(db, known["whole"]) == ["a.txt", "b.txt"]
    assert numbers(db) == numbers(tmp_path / "without")
    assert recheck_database(db) == []
    split_game(db, known[cut], "me")
    assert contents(db) == before
    assert examine(db).is_fine


def test_the_whole_game_stays_when_records_come_and_go(db: Path, tmp_path: Path) -> None:
    known = ids(db)
    merge_game(db, known["cut"], known["whole"], "me")
    merge_game(db, known["turned"], known["whole"], "me")
    again = import_paths([written(tmp_path / "c.txt", [CUT])], db)
    assert (again.stored, again.duplicate) == (0, 1)
    assert is_whole(db, known["whole"])
    undo(db, 2)
    assert ask(db, "SELECT plies FROM games WHERE id = ?", known["whole"]) == [(2,)]
    assert examine(db).is_fine
    import_paths([tmp_path / "b.txt"], db)
    assert is_whole(db, known["whole"])
    assert sightings(db, known["whole"]) == ["a.txt", "a.txt", "b.txt", "c.txt"]


@pytest.mark.parametrize("names", [pytest.param("ab", marks=pytest.mark.long), "ba"])
def test_decisions_count_in_new_databases(db: Path, tmp_path: Path, names: str) -> None:
    known = ids(db)
    merge_game(db, known["cut"], known["whole"], "me")
    new = tmp_path / "new"
    new.mkdir()
    (new / game_merges.FILE).write_bytes((db / game_merges.FILE).read_bytes())
    for name in names:
        import_paths([tmp_path / f"{name}.txt"], new)
    assert is_whole(new, known["whole"])
    split_game(new, known["cut"], "me")
    assert ids(new) == known


def test_decisions_are_copied(db: Path, original: Path, tmp_path: Path) -> None:
    known = ids(db)
    import_paths([original / "a.txt"], tmp_path / "all")
    merge_game(db, known["cut"], known["whole"], "me")
    merge([db], tmp_path / "all")
    with open_database(db) as database:
        copy_games(database, game_ids(database, f"id:{known['whole']}"), tmp_path / "part", "some")
    for place in (tmp_path / "all", tmp_path / "part"):
        assert {*sightings(place, known["whole"])} == {"a.txt", "b.txt"}
        assert is_whole(place, known["whole"])
    split_game(tmp_path / "part", known["cut"], "me")
    assert {*ids(tmp_path / "part")} == {"cut", "whole"}
    assert examine(tmp_path / "part").is_fine


@pytest.mark.parametrize(
    ("game", "of", "words"),
    [
        ("whole", "cut", "is longer than .*, and the longer game stays: merge {cut} into {whole}"),
        ("late", "whole", "does not begin with the moves of {late}.*Mark one"),
        ("large", "whole", "differ in board or rule set.*Mark one"),
    ],
)
def test_an_invalid_merge_is_reported(db: Path, tmp_path: Path, game: str, of: str, words: str) -> None:
    late = record("late", "Eva", "Ben", "2010.05.02", "1. Wd4,d1 Ba3,a1", Board="37")
    large = record("large", "Eva", "Ben", "2010.05.02", "1. Wd4,d1 Ba3,a1", Board="48")
    import_paths([written(tmp_path / "c.txt", [late, large])], db)
    known = ids(db)
    with pytest.raises(InvalidMerge, match=words.format(**known)):
        merge_game(db, known[game], known[of], "me")


def test_a_pair_of_unequal_length_has_evidence_and_leaves_the_list(db: Path) -> None:
    known = ids(db)
    with open_database(db) as database:
        assert evidence(database, known["whole"], known["cut"]) == "all 2 plies begin the other's 4"
        assert evidence(database, known["whole"], known["other"]) == ""
        pairs = {(row["game"], row["other"]) for row in list_duplicates(database, shortest=2).dicts()}
    assert (known["cut"], known["whole"]) in pairs
    merge_game(db, known["cut"], known["whole"], "me")
    with open_database(db) as database:
        assert known["cut"] not in repr(list_duplicates(database, shortest=2).rows)
