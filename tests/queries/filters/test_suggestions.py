"""What may have been meant where no games match."""

import zipfile
from collections.abc import Iterator

import pytest

from zertz_db.edit.marks import add_mark
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.filters.suggestions import absence, suggest_values
from zertz_db.queries.games.game_list import count_games
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


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
        ("source:clbu", ["source:club"]),
        ("player:*bem*", ["player:Ben"]),
        ("resignd", ["resigned"]),
        ("not player:ada player:bem", ["player:Ben"]),
        ("player:bem or player:eev", ["player:Ben", "player:Eve"]),
        ("player:ada player:eve", []),
        ("player:*zz*", []),
        ("player:qqqqqqqq", []),
        ("won:eve", []),
        ("second:Čeněk", []),
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


def test_a_misspelt_id(database: Database, ids: dict[str, str]) -> None:
    right = ids["large"]
    wrong = right[:-1] + ("7" if right[-1] == "3" else "3")
    for asked in (
        wrong,
        wrong.lower(),
        right + "3",
        right[:5] + right[6:],
        f"id:{wrong}",
        f"id:{right[:4] + right[5] + right[4]}",
    ):
        assert suggest_values(database, asked) == [f"id:{right}"]
    assert suggest_values(database, "id:ZZZZ") == []
    assert suggest_values(database, "Championships") == []


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A game in a folder of an archive, marked, and a rejected record."""
    folder = tmp_path_factory.mktemp("places")
    with zipfile.ZipFile(folder / "years.zip", "w") as archive:
        archive.writestr("winter/open-2010.txt", "1. wd4,a1 *\n")
        archive.writestr("rejected/ruined.txt", "1. Wd4,a1 Bd4,a2 *\n")
    import_paths([folder / "years.zip"], folder / "games.zertz")
    with open_database(folder / "games.zertz") as opened:
        ((game,),) = opened.connection().execute("SELECT id FROM games").fetchall()
    add_mark(folder / "games.zertz", "Ada", label="opening trap", game=game)
    with open_database(folder / "games.zertz") as opened:
        yield opened


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("source:wintr", ["source:winter"]),
        ("source:opne-2010", ["source:open-2010"]),
        ("source:open2010.txt", ["source:open-2010.txt"]),
        ("source:winter/opne-2010", ["source:winter/open-2010"]),
        ("source:winnter/open-2010.txt", ["source:winter/open-2010.txt"]),
        ("source:yaers.zip!winter", ["source:years.zip!winter"]),
        ("source:ruind", []),
        ("source:" + "x/" * 50, []),
        ("code:W77", ["code:W717"]),
        ("code:E304", []),
        ("label:openingtrap", ['label:"opening trap"']),
        ("label:traps", ['label:"opening trap"']),
        ("label:tarpit", []),
    ],
)
def test_values_that_other_games_have(archive: Database, asked: str, expected: list[str]) -> None:
    assert suggest_values(archive, asked) == expected
    assert all(count_games(archive, one) for one in expected)


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("W717x", "W717"),
        ("w-717", "W717"),
        ("W7l7", "W717"),
        ("n42O", "N420"),
        ("W 717", "W717"),
        ("W7172", None),
        ("717", None),
    ],
)
def test_a_misspelt_code_is_an_error_with_a_suggestion(archive: Database, code: str, meant: str | None) -> None:
    with pytest.raises(FilterError) as error:
        count_games(archive, f'code:"{code}"')
    assert error.value.problem.partition("; did you mean ")[2] == (f"{meant}?" if meant else "")


def test_options_are_looked_into_as_well(database: Database) -> None:
    assert suggest_values(database, "player:bem board:37") == ["player:Ben"]
