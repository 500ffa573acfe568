"""Tables that are summed from the rows of a few games equal those that the database sums."""

from collections.abc import Iterator

import pytest

from tests.queries.openings.conftest import GAMES
from zertz_db.queries.openings import few_games
from zertz_db.queries.openings.games import opening_games
from zertz_db.queries.openings.tree import Openings, find_openings
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database


def look(database: Database) -> Iterator[tuple[object, ...]]:
    """Ask about positions early and late in games, with filters and without."""
    for number, game in enumerate(GAMES[::24]):
        moves, start = game.moves[: number % 7], game.start
        for filters, board_only in (("", False), ("ending:resign", False), ("plies:<9", True)):
            found = find_openings(
                database, moves, position=start, filters=filters, board_only=board_only, order="first"
            )
            yield found.few is None, found.as_json(), *listed(database, found, filters, board_only)


def listed(database: Database, found: Openings, filters: str, board_only: bool) -> Iterator[object]:
    for order in ("date", "players"):
        yield opening_games(
            database, found.position, filters, order=order, limit=3, board_only=board_only, few=found.few
        ).rows


def test_tables_of_few_games_are_those_of_the_database(archive: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    few = list(look(archive))
    assert not any(is_none for is_none, *_ in few)
    monkeypatch.setattr(few_games, "MAX_GAMES", 0)
    many = list(look(archive))
    assert [row[1:] for row in few] == [row[1:] for row in many]
    assert sum(is_none for is_none, *_ in many) > len(many) / 2


def test_a_position_of_more_games_than_the_maximum_is_summed_by_the_database(
    archive: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Position.start("37")
    games = find_openings(archive, position=start).games
    monkeypatch.setattr(few_games, "MAX_GAMES", games)
    assert find_openings(archive, position=start).few is not None
    monkeypatch.setattr(few_games, "MAX_GAMES", games - 1)
    assert find_openings(archive, position=start).few is None
