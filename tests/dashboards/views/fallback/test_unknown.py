"""The page for a path that is no page."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.opened_pages import APP, ran, texts
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.open_database import open_database


@pytest.fixture(autouse=True)
def of_sample(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(sample))


def opened_path(path: str) -> tuple[str, list[str]]:
    """Return the texts and the links of a page's path."""
    app = AppTest.from_file(APP, default_timeout=300)
    app.session_state["path that is no page"] = path
    app.run().switch_page("views/fallback/unknown.py")
    return texts(ran(app)), [link.proto.label for link in app.get("page_link")]


@pytest.mark.parametrize(
    ("path", "words", "links"),
    [
        ("opennings", "Did you mean:", ["Openings"]),
        ("qqq", "Go on with:", ["Overview", "Games", "Players", "Position search"]),
    ],
)
def test_pages_of_similar_names_are_offered_or_the_usual_ones(path: str, words: str, links: list[str]) -> None:
    said, offered = opened_path(path)
    assert f"no page “{path}”" in said
    assert words in said
    assert offered == links


def test_the_id_of_a_game_leads_to_the_game(sample: Path) -> None:
    with open_database(sample) as database:
        ((game,),) = list_games(database, columns=["id"], limit=1).rows
    assert opened_path(game)[1][0] == f"The game {game}"
