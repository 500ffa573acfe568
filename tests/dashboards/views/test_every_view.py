"""Properties of every page, without a browser."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.dashboards.conftest import Boards, Lists
from tests.dashboards.opened_pages import opened, texts
from zertz_db.store.folder.build import next_generation

PAGES = {
    "overview.py": "No games yet",
    "games.py": "No games yet",
    "players.py": "No players yet",
    "bookmarks.py": "No marks yet",
    "openings.py": "No game reached this position",
    "analysis.py": "No game has this position",
    "search.py": "paint rings",
    "puzzles.py": "There are no such puzzles",
    "stats.py": "No games yet",
    "insights.py": "No games yet",
    "compare.py": "No games yet",
    "check.py": "Drop files, or paste a record",
    "imports.py": "No imports yet",
}
"""Message of each page for a database without games."""


@pytest.fixture(autouse=True)
def without_a_browser(lists: Lists, boards: Boards) -> None:
    assert lists.given == boards.given == {}


@pytest.mark.parametrize(("page", "said"), PAGES.items())
def test_an_empty_database_is_explained(page: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with next_generation(tmp_path / "empty"):
        pass
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "empty"))
    assert said in texts(opened(page))


@pytest.mark.parametrize(
    ("page", "query", "said"),
    [
        ("overview.py", {"filter": "colour:red"}, "colour"),
        ("games.py", {"sort": "beauty"}, "are ignored: sort=beauty"),
        ("games.py", {"page": "99"}, "are ignored: page=99"),
        ("game.py", {"id": "0000000000000"}, "No such game"),
        ("players.py", {"player": "nobody"}, "no player is called 'nobody'"),
        ("players.py", {"about": "Everybody", "sort": "-beauty"}, "are ignored: about=Everybody, sort=-beauty"),
        ("bookmarks.py", {"label": "lost"}, "No marks yet"),
        ("openings.py", {"board": "99", "order": "beauty"}, "are ignored: board=99, order=beauty"),
        ("openings.py", {"moves": "Wz9"}, "Wz9"),
        ("analysis.py", {"at": "77"}, "are ignored: at=77"),
        ("analysis.py", {"game": "0000000000000"}, "no game"),
        ("analysis.py", {"study": "lost"}, "lost"),
        ("search.py", {"what": "W B", "answer": "Weather"}, "are ignored: answer=Weather"),
        ("puzzles.py", {"id": "0000000000000"}, "puzzle"),
        ("stats.py", {"about": "Tournaments", "tournament": "No Cup"}, "has no tournament “No Cup”"),
        ("stats.py", {"by": "weather"}, "are ignored: by=weather"),
        ("insights.py", {"metric": "luck"}, "are ignored: metric=luck"),
        ("insights.py", {"of": "nobody"}, "nobody"),
        ("compare.py", {"a": "board:37", "b": "board:48", "about": "Weather"}, "are ignored: about=Weather"),
        ("imports.py", {"run": "99"}, "are ignored: run=99"),
    ],
)
def test_what_the_address_names_and_is_not_there_is_said(
    page: str, query: dict[str, str], said: str, read_only: Path
) -> None:
    assert read_only
    assert said in texts(opened(page, **query)).replace("\\", "")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"player": "Ada", "sort": "-date"}, "Unknown names in the address are ignored: player"),
        ({"x": "1", "y": "2", "filter": "board:37"}, "Unknown names in the address are ignored: x, y"),
        ({"filter": "no:such"}, None),
    ],
)
def test_unknown_names_in_the_address_are_said(query: dict[str, str], said: str | None, read_only: Path) -> None:
    assert read_only
    app = opened("overview.py")
    app.query_params.update(query)
    app.run()
    assert [warning.value.replace("\\", "") for warning in app.warning] == ([said] if said else [])


def test_a_taken_port_is_named(sample: Path) -> None:
    from zertz_db.cli.errors import Stop
    from zertz_db.cli.servers.dashboard import serve_dashboard

    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(Stop, match=f"port {port} is taken"):
            serve_dashboard(port=port, no_browser=True, folder=sample)
