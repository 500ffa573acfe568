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


def test_a_taken_port_is_named(sample: Path) -> None:
    from zertz_db.cli.errors import Stop
    from zertz_db.cli.servers.dashboard import serve_dashboard

    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(Stop, match=f"port {port} is taken"):
            serve_dashboard(port=port, no_browser=True, folder=sample)
