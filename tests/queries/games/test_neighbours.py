"""The games before and after one in a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from zertz_db.queries.games.game_list import find_neighbours, list_games
from zertz_db.store.open_database import open_database


@pytest.mark.parametrize("filters", ["", "player:ada", "ada or ben"])
@pytest.mark.parametrize("sort", ["-date", "plies", "-player1"])
def test_steps_follow_the_list(sample: Path, filters: str, sort: str) -> None:
    with open_database(sample) as database:
        listed = [game for (game,) in list_games(database, filters, sort=sort, columns=["id"]).rows]
        assert len(listed) > 1
        for number, (before, game, following) in enumerate(
            zip([None, *listed], listed, [*listed[1:], None], strict=False), 1
        ):
            assert find_neighbours(database, game, filters, sort) == (number, len(listed), before, following)


def test_a_game_that_the_list_lacks(sample: Path) -> None:
    with open_database(sample) as database:
        [(game,)] = list_games(database, "board:48", columns=["id"]).rows
        assert find_neighbours(database, game, "board:37") is None
