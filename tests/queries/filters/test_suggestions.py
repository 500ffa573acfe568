"""What may have been meant where no games match."""

import pytest

from zertz_db.queries.filters.suggestions import absence, suggest_values
from zertz_db.queries.games.game_list import count_games
from zertz_db.store.folder.database import Database


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("player:bem", ["player:Ben"]),
        ("player=Adda", ["player:Ada"]),
        ("PLAYER:cenek", ["player:Čeněk"]),
        ("first:bem", ["first:Ben"]),
        ("won:bem", ["won:Ben"]),
        ("player:ada vs:bem", ["vs:Ben"]),
        ("player:adda vs:bem", ["player:Ada", "vs:Ben"]),
        ("event:clock", ["event:clocks"]),
        ("code:W402", ["code:W401"]),
        ("source:culb.txt", ["source:club.txt"]),
        ("resignd", ["resigned"]),
        ("not player:ada player:bem", ["player:Ben"]),
        ("player:bem or player:eev", ["player:Ben", "player:Eve"]),
        ("player:ada player:eve", []),
        ("player:*zz*", []),
        ("player:qqqqqqqq", []),
        ("moves:Wa1", []),
        ("date:1999", []),
        ('player:"' + "b" * 5000 + '"', []),
    ],
)
def test_what_may_have_been_meant(database: Database, asked: str, expected: list[str]) -> None:
    assert count_games(database, asked) == 0
    assert suggest_values(database, asked) == expected
    sentence = f"No games match. Did you mean {' or '.join(expected)}?" if expected else "No games match."
    assert absence(database, asked) == sentence
    for one in expected:
        assert count_games(database, one.replace("vs:", "player:"))


def test_an_id_without_its_field(database: Database, ids: dict[str, str]) -> None:
    for text in (ids["large"], ids["large"][:5].lower()):
        assert suggest_values(database, text) == [f"id:{text}"]
        assert count_games(database, f"id:{text}") == 1


def test_options_are_looked_into_as_well(database: Database) -> None:
    assert suggest_values(database, "player:bem board:37") == ["player:Ben"]
