"""The dashboard without a database, and pages that fail."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Boards
from tests.dashboards.opened_pages import opened
from tests.queries.sample import RECORDS
from zertz_db import dashboards
from zertz_db.dashboards.state import database, markdown_text
from zertz_db.queries.games.game_list import count_games
from zertz_db.store.open_database import open_database

APP = str(Path(dashboards.__file__).parent / "app.py")


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boards: Boards) -> Boards:
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "none"))
    return boards


def test_without_a_database_the_samples_are_offered_and_shown(tmp_path: Path) -> None:
    app = AppTest.from_file(APP, default_timeout=300).run()
    assert app.title[0].value == "Welcome"
    assert [part.value.partition(" ")[2] for part in app.subheader] == ["The samples", "Your records"]
    app.button("samples").click().run()
    assert not app.exception
    assert app.title[0].value != "Welcome"
    assert "temporary" in app.sidebar.info[0].value
    assert not (tmp_path / "none").exists()


def test_the_database_is_created_from_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = AppTest.from_file(APP, default_timeout=300).run()
    assert app.subheader[0].value.endswith("Create it")
    assert app.button("create").disabled
    app.switch_page("views/check.py").run()
    app.text_area("text to check").set_value(RECORDS[0] * 2)
    app.run()
    assert app.button("import").label == "Import 1 game; 1 record of known games"
    app.button("import").click().run()
    assert not app.exception
    assert "1 stored" in app.success[0].value
    with open_database(tmp_path / "none") as found:
        assert count_games(found) == 1


def test_a_game_that_is_entered_creates_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = opened("enter.py", moves="Wd4,d1 Bd3,a1")
    app.button("save").click().run()
    assert "Stored" in app.success[0].value
    with open_database(tmp_path / "none") as found:
        assert count_games(found) == 1


def test_files_create_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    app = AppTest.from_file(APP, default_timeout=300).run()
    app.get("file_uploader")[0].set_value(("games.txt", RECORDS[0].encode(), "text/plain"))
    app.run()
    app.button("create").click().run()
    assert not app.exception
    with open_database(tmp_path / "none") as found:
        assert count_games(found) == 1


def test_what_a_page_does_wrong_is_said_without_a_traceback(monkeypatch: pytest.MonkeyPatch, sample: Path) -> None:
    monkeypatch.setenv("ZERTZ_DB", str(sample))

    class Broken:
        url_path, title = "broken", "Broken"

        def run(self) -> None:
            raise RuntimeError("a secret")

    monkeypatch.setattr(st, "navigation", lambda *_, **__: Broken())
    app = AppTest.from_file(APP, default_timeout=300).run()
    assert not app.exception
    assert "This page failed (RuntimeError)" in app.error[0].value
    assert "secret" not in app.error[0].value


@pytest.mark.parametrize(("allowed", "temporary", "may"), [("1", False, True), ("0", False, False), ("1", True, False)])
def test_who_may_write(monkeypatch: pytest.MonkeyPatch, allowed: str, temporary: bool, may: bool) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", allowed)
    monkeypatch.setattr(st, "session_state", {database.SESSION_KEY: "somewhere"} if temporary else {})
    assert database.is_writable() is may


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada", "Ada"),
        ("<b>*x*", "\\<b\\>\\*x\\*"),
        (":red[a] $b$", "\\:red\\[a\\] \\$b\\$"),
        ("two\n\nlines", "two lines"),
        ("1. e-4", "1\\. e\\-4"),
    ],
)
def test_names_mean_nothing_by_their_signs(text: str, shown: str) -> None:
    assert markdown_text.escape_markdown(text) == shown


@pytest.mark.parametrize(("milliseconds", "shown"), [(None, None), (62_000, "0:01:02"), (3_600_999, "1:00:00")])
def test_clocks(milliseconds: int | None, shown: str | None) -> None:
    assert markdown_text.format_clock(milliseconds) == shown
