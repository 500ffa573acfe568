"""Games that reached a position."""

from pathlib import Path

import pytest

from tests.queries.sample import record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import SUMMARY
from zertz_db.queries.openings.games import opening_games
from zertz_db.queries.openings.tree import find_openings
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

START = Position.start("37")


def events(database: Database, position: Position, **wanted: object) -> list[str]:
    found = opening_games(database, position, **{"limit": 10, **wanted})  # type: ignore[arg-type]
    return [row["event"] for row in found.dicts()]


@pytest.mark.parametrize(
    ("moves", "wanted", "expected"),
    [
        ("", {}, ["contradicted", "clocks", "resigned"]),
        ("Wd4,d1", {}, ["clocks", "resigned"]),
        ("Wd4,g4", {}, ["clocks", "resigned"]),
        ("Wd4,d1", {"filters": "ending:resign"}, ["resigned"]),
        ("Wd4,d1", {"limit": 1}, ["clocks"]),
        ("", {"board_only": True}, ["contradicted", "blitz", "clocks", "resigned"]),
        ("Gd4,d1", {}, []),
    ],
)
def test_the_latest(database: Database, moves: str, wanted: dict[str, object], expected: list[str]) -> None:
    position = START.play(moves) if moves else START
    assert events(database, position, **wanted) == expected


def test_they_are_as_many_as_the_opening_tree_counts(database: Database) -> None:
    for moves in ([], ["Wd4,d1"], ["Wd4,d1", "Bd3,a1"]):
        found = find_openings(database, moves)
        assert len(opening_games(database, found.position, limit=100).rows) == found.games


def test_columns_are_those_of_a_list_of_games(database: Database) -> None:
    assert tuple(opening_games(database, START, limit=1).names) == SUMMARY


def test_games_of_the_most_successful_players_come_first(tmp_path: Path) -> None:
    """Ada beats everybody and Ben all but her; Eve has won one game of one."""
    played = [("Ada", "Ben", 3), ("Ada", "Cy", 9), ("Ben", "Cy", 20), ("Eve", "Dan", 1)]
    games = [
        record(f"{one}-{other} {number}", one, other, f"20{10 + number:02}.01.01", "1. Wd4,d1 Bd3,a1 Player2 resigns")
        for one, other, count in played
        for number in range(count)
    ]
    (tmp_path / "games.txt").write_text("".join(games), "utf-8")
    import_paths([tmp_path / "games.txt"], tmp_path / "games.zertz")
    with open_database(tmp_path / "games.zertz") as database:
        found = events(database, START, order="players", limit=3)
    assert found == ["Ada-Ben 2", "Ada-Ben 1", "Ada-Ben 0"]


def test_an_order_that_there_is_not(database: Database) -> None:
    with pytest.raises(QueryError, match="can't be ordered by 'beauty'; valid: date, players"):
        opening_games(database, START, order="beauty", limit=1)
