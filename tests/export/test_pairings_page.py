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
        "Round 1": ["&lt;i&gt;Ben", ":", "Cy", "Ada", "", "bye"],
        "Round 2": ["Ada", ":", "&lt;i&gt;Ben", "Cy", "", "bye"],
        "Round 3": ["Cy", ":", "Ada", "&lt;i&gt;Ben", "", "bye"],
    }
    assert "<h1>Club &amp; Open</h1>\n<p>3 players · 3 games" in page
