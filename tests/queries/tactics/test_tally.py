"""Forced wins in the profile of a player: the numbers of the statistic."""

from __future__ import annotations

import pytest

from zertz_db.queries.players.profile import find_profile
from zertz_db.queries.statistics.forced_wins import count_forced_wins
from zertz_db.store.folder.database import Database


@pytest.mark.parametrize("name", ["ada", "ben", "Cy", "greedybot", "guest7"])
@pytest.mark.parametrize("filters", ["", "board:37"])
def test_a_profile_has_the_row_of_the_statistic(judged: Database, name: str, filters: str) -> None:
    rows = {row["player"]: row for row in count_forced_wins(judged, filters, ["player"]).dicts()}
    (row,) = find_profile(judged, name, filters).tactics.dicts()
    assert row == {column: rows[name][column] for column in row}
    assert row["games"] > 0


def test_few_moves_have_no_rate(judged: Database) -> None:
    for row in (find_profile(judged, name).tactics.dicts()[0] for name in ("ada", "ben", "Cy", "guest")):
        assert (row["share"] is None) == (row["of"] < 10)
        assert (row["per_100"] is None) == (row["free"] < 10)
        assert row["accuracy"] is None


def test_a_player_without_analysed_games_has_no_row(judged: Database, database: Database) -> None:
    assert find_profile(judged, "ada", "analysed:no").tactics.rows == []
    assert find_profile(database, "ada").tactics.rows == []
