"""The page of standings: its table, its rounds, and that foreign text stays text."""

import re

import pytest

from tests.export.test_trf import CUP
from zertz_db.export.standings_page import format_standings, format_standings_page
from zertz_db.queries.tournaments.standings import TournamentGame
from zertz_db.queries.tournaments.tournament_games import Tournament


def cells(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]


def test_the_table_and_the_rounds() -> None:
    assert cells(format_standings(CUP)) == [
        ["Nr", "Rank", "Player", "1", "2", "3", "Points", "Games", "Open", "S-B", "Buchholz", "Won", "Performance"],
        ["1", "1", "Ada", "", "=", "1", "1.5", "2", "0", "0.25", "0.5", "1", ""],
        ["2", "2", "Cy", "=", "", "*", "0.5", "1", "1", "0.75", "1.5", "0", "1650"],
        ["3", "3", "Ben", "0", "*", "", "0", "1", "1", "0", "1.5", "0", "1409"],
        ["Nr", "Player", "1", "2", "3"],
        ["1", "Ada", "3+", "2=", ""],
        ["2", "Cy", "", "1=", "3*"],
        ["3", "Ben", "1-", "", "2*"],
    ]
    assert "club · 2010-05-01 to 2010-05-03 · 3 players · 3 games" in format_standings(CUP)


@pytest.mark.parametrize("place", ["name", "player", "site", "round"])
def test_foreign_text_stays_text(place: str) -> None:
    evil = "<script>alert(1)</script>&"
    game = TournamentGame((evil if place == "player" else "Ada", "Ben"), (1.0, 0.0))
    game = game._replace(site=evil if place == "site" else None, round=evil if place == "round" else "1")
    page = format_standings_page(Tournament(evil if place == "name" else "Cup", [game]))
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;" in page


@pytest.mark.parametrize(
    ("players", "size", "columns"),
    [(2, "A4", 2), (9, "A4", 9), (10, "A4 landscape", 10), (20, "A4 landscape", 20), (21, "A4 landscape", 0)],
)
def test_a_wide_table_lies_on_the_long_side_or_loses_the_crosstable(players: int, size: str, columns: int) -> None:
    names = [f"P{number:02}" for number in range(players)]
    games = [TournamentGame((one, names[0]), (1.0, 0.0)) for one in names[1:]]
    page = format_standings_page(Tournament("Open", games))
    assert f"size: {size};" in page
    assert page.count('<th class="game">') == columns
    assert page.count("<tbody>\n<tr>") == 1
