"""A game whose record and moves contradict each other has no result, wherever results are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.queries.sample import played, record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries import (
    compare_players,
    count_games,
    find_crosstable,
    find_game,
    find_openings,
    find_position,
    find_profile,
    list_games,
    list_players,
    list_tournaments,
    rate_players,
)
from zertz_db.queries.players.points_share import find_points_shares
from zertz_db.queries.statistics.registry import STATISTICS, ask_statistics
from zertz_db.rules.position import Position
from zertz_db.store.folder import migrations
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta

MOVES = played(Position.start("37"), 11)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One game that the moves end with a set and the record calls a win of the other player."""
    folder = tmp_path_factory.mktemp("contradicted")
    end = Position.start("37")
    for move in MOVES:
        end = end.play(move)
    assert end.winner in (1, 2)
    claimed = "0-1" if end.winner == 1 else "1-0"
    text = record("cup", "Eve", "Ben", "2013.01.01", " ".join([*MOVES, claimed]), Board="37")
    (folder / "cup.txt").write_text(text, "utf-8")
    import_paths([folder / "cup.txt"], folder / "games.zertz")
    with open_database(folder / "games.zertz") as opened:
        yield opened


def test_the_game_has_no_result_and_no_winner(database: Database) -> None:
    columns = ["result", "winner", "ending", "verdict"]
    assert list_games(database, columns=columns).rows == [(None, None, "set", "verified")]
    game = find_game(database, list_games(database, columns=["id"]).rows[0][0])
    assert "the record states" in game.outcome
    assert str(game.end).startswith("Player ")  # the moves' end


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("won:eve", 0),
        ("won:ben", 0),
        ("lost:eve", 0),
        ("lost:ben", 0),
        ("winner:first", 0),
        ("winner:second", 0),
        ("winner:none", 1),
        ("result:1-0", 0),
        ("result:0-1", 0),
        ("result:none", 1),
        ("ending:set", 1),
        ("code:W401", 1),
    ],
)
def test_filters(database: Database, asked: str, count: int) -> None:
    assert count_games(database, asked) == count


def test_openings_and_positions(database: Database) -> None:
    found = find_openings(database)
    assert (found.games, found.wins, found.ties, found.losses) == (1, 0, 0, 0)
    [continuation] = find_position(database, Position.start("37")).continuations.dicts()
    assert (continuation["matches"], continuation["wins"], continuation["ties"], continuation["losses"]) == (1, 0, 0, 0)


def test_statistics(database: Database) -> None:
    [row] = ask_statistics(database, "first-mover").dicts()
    assert [row[name] for name in ("games", "first", "second", "ties", "unknown", "decided")] == [1, 0, 0, 0, 1, 0]
    [row] = ask_statistics(database, "endings").dicts()
    assert (row["ending"], row["games"], row["first"], row["second"]) == ("set", 1, 0, 0)
    for name in ("leads", "lead-changes"):
        assert all(row["games"] == 0 for row in ask_statistics(database, name).dicts())
    for name in ("captures", "captures-by-ply", "sacrifices"):
        for row in ask_statistics(database, name).dicts():
            assert (row["winner"], row.get("loser")) == (None, None)
    for name in STATISTICS:
        if name != "first-mover":
            assert {row["side"] for row in ask_statistics(database, name, by=["side"]).dicts()} <= {None}


def test_players_and_ratings(database: Database) -> None:
    assert [(row["games"], row["wins"], row["ties"], row["losses"]) for row in list_players(database).dicts()] == [
        (1, 0, 0, 0)
    ] * 2
    assert find_points_shares(database).by_name == {}
    assert rate_players(database).rows == []
    profile = find_profile(database, "eve")
    assert [(row["wins"], row["losses"]) for row in profile.results.dicts()] == [(0, 0)]
    assert profile.conditions.rows == []
    both = compare_players(database, "eve", "ben")
    assert [(row["wins"], row["losses"]) for row in both.results.dicts()] == [(0, 0)]


def test_tournaments(database: Database) -> None:
    [listed] = list_tournaments(database).dicts()
    assert (listed["games"], listed["unfinished"]) == (1, 1)
    rows = find_crosstable(database, listed["tournament"]).dicts()
    assert [(row["points"], row["games"], row["unfinished"]) for row in rows] == [(0, 0, 1)] * 2


def test_a_database_of_before_is_brought_to_this_rule(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "old.duckdb"
    database.copy_to(file)
    with duckdb.connect(file) as connection:
        connection.execute("UPDATE _game SET winner = 1")
        meta.write(connection, {"schema_version": 2})
        migrations.bring_up_to_date(connection, file)
        assert connection.execute("SELECT winner FROM _game").fetchall() == [(None,)]
