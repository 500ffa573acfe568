"""The page with pairings to print."""

from __future__ import annotations

import re

from zertz_db.export.pairings_page import format_pairings_page
from zertz_db.queries.tournaments.round_robin import pair_players


def test_each_round_has_its_games_and_the_bye() -> None:
    page = format_pairings_page(pair_players(["Ada", "<i>Ben", "Cy"]), "Club & Open")
    rounds = re.findall(r"<h2>(.*?)</h2>\n<table>(.*?)</table>", page, re.DOTALL)
    cells = {
        title: [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td.*?</td>", rows)] for title, rows in rounds
    }
    assert cells == {
        "Round 1": ["Ada", "", "bye", "&lt;i&gt;Ben", ":", "Cy"],
        "Round 2": ["Cy", "", "bye", "Ada", ":", "&lt;i&gt;Ben"],
        "Round 3": ["&lt;i&gt;Ben", "", "bye", "Cy", ":", "Ada"],
    }
    assert "<h1>Club &amp; Open</h1>\n<p>3 players · 3 games" in page
