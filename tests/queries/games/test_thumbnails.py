"""Positions of many games at once."""

from pathlib import Path

import pytest

from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.games.thumbnails import list_thumbnails
from zertz_db.store.open_database import open_database


@pytest.mark.parametrize("ply", [0, 1, None])
def test_they_are_those_of_the_games(sample: Path, ply: int | None) -> None:
    with open_database(sample) as database:
        ids = [name for (name,) in list_games(database, columns=["id"]).rows]
        found = list_thumbnails(database, [(name, ply) for name in ids])
        assert [one.game for one in found] == ids
        for one in found:
            whole = find_game(database, one.game)
            assert one.ply == (len(whole.moves) if ply is None else ply)
            assert one.position == whole.positions[one.ply]
            assert one.move == (whole.moves[one.ply - 1] if one.ply else None)
            assert one.next == (whole.moves[one.ply] if one.ply < len(whole.moves) else None)


def test_places_that_are_none_are_left_out(sample: Path) -> None:
    with open_database(sample) as database:
        name = list_games(database, columns=["id"], limit=1).rows[0][0]
        assert [
            one.ply for one in list_thumbnails(database, [(name, 1), (name, 10_000), (name, -1), ("0" * 13, 0)])
        ] == [1]
        assert list_thumbnails(database, []) == []
