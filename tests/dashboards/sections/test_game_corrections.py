"""Corrections on the page of a game, run without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Boards
from tests.dashboards.opened_pages import opened, ran
from tests.queries.sample import RECORDS
from zertz_db.dashboards.sections.game_corrections import TITLE
from zertz_db.edit.correct_tags import correct_games
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.corrections import list_corrections
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.store.folder.lock import importers_lock
from zertz_db.store.open_database import open_database

EVIL = "<script>alert(1)</script> *[x](http://y) $a$ :red[b]"


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boards: Boards) -> Path:
    """Return a database with one game; the dashboard may write."""
    assert boards
    (tmp_path / "game.txt").write_text(RECORDS[0], "utf-8")
    import_paths([tmp_path / "game.txt"], tmp_path / "db")
    monkeypatch.setenv("ZERTZ_DB", str(tmp_path / "db"))
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    return tmp_path / "db"


@pytest.fixture
def resigned(db: Path) -> str:
    with open_database(db) as database:
        return str(list_games(database, columns=["id"]).rows[0][0])


def corrections_of(game_id: str) -> AppTest:
    app = opened("game.py", id=game_id)
    app.session_state["about"] = TITLE
    return ran(app)


def type_in(app: AppTest, label: str, text: str) -> None:
    next(field for field in app.text_input if field.label.startswith(label)).set_value(text)


def press(app: AppTest, label: str) -> AppTest:
    next(button for button in app.button if button.label == label).click()
    return ran(app)


def test_tags_are_corrected_and_taken_back(db: Path, resigned: str) -> None:
    app = corrections_of(resigned)
    assert "No corrections" in app.markdown[-1].value
    type_in(app, "Event", EVIL)
    type_in(app, "Player 1", "Ada L.")
    type_in(app, "Why", "the scoresheet")
    next(box for box in app.selectbox if box.label == "Another tag").set_value("Annotator")
    type_in(app, "New value", "Dee")
    app = press(app, "Correct it")
    assert app.success[0].value.replace("\\", "") == "Corrected: Event, Player1, Annotator"
    assert app.title[0].value == "[Ada L\\.](players?player=Ada+L.) – [Ben](players?player=Ben)"
    said = " ".join(text.value for text in app.caption)
    assert "\\<script\\>" in said
    assert "<script>" not in said
    assert "Event \\(its record has “resigned”\\)" in said
    shown = next(table.value for table in app.dataframe if "why" in table.value)
    assert shown["tag"].tolist() == ["Annotator", "Player1", "Event"]
    assert shown["why"].tolist() == ["the scoresheet"] * 3
    app.selectbox(key=f"tag to revert {resigned}").set_value("Player1")
    app = press(app, "Revert it")
    assert app.success[0].value == "Reverted Player1"
    assert app.title[0].value == "[Ada](players?player=Ada) – [Ben](players?player=Ben)"
    with open_database(db) as database:
        found = find_game(database, resigned)
        assert found.row["event"] == " ".join(EVIL.split())
        assert [one["taken_back_by"] is None for one in list_corrections(database, resigned).dicts()] == [
            True,
            False,
            True,
        ]


def test_what_can_not_be_is_said_and_what_was_typed_stays(db: Path, resigned: str) -> None:
    app = corrections_of(resigned)
    type_in(app, "Date", "some day")
    app = press(app, "Correct it")
    assert "the date 'some day' can't be read" in app.error[0].value.replace("\\", "")
    assert next(field.value for field in app.text_input if field.label.startswith("Date")) == "some day"
    type_in(app, "Date", "2010-05-02")
    with importers_lock(db):
        app = press(app, "Correct it")
        assert "is being changed by" in app.error[0].value
    assert press(app, "Correct it").success[0].value.replace("\\", "") == "Corrected: Date"


def test_who_only_reads_sees_what_was_corrected_and_no_form(
    db: Path, resigned: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "0")
    correct_games(db, [resigned], {"Round": "7"}, "me")
    app = corrections_of(resigned)
    assert any("Corrected: Round (its record has none)" in text.value.replace("\\", "") for text in app.caption)
    assert any(f"zertz correct {resigned} TAG=VALUE" in text.value for text in app.caption)
    assert not [button for button in app.button if button.label in ("Correct it", "Revert it")]
