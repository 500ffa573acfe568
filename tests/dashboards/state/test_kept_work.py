"""Work on pages persists: the session's copy of the URL, drafts, results, forms; without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboards.conftest import Lists
from tests.dashboards.opened_pages import opened, ran
from tests.queries.sample import RECORDS
from zertz_db.dashboards.components import location
from zertz_db.dashboards.state import import_job
from zertz_db.dashboards.state.check_uploads import replace_record
from zertz_db.edit.correct_tags import correct_games
from zertz_db.store.errors import StoreError

LINE = ["Wd4,d1", "Bd3,a1", "x d3Wd5"]


pytestmark = pytest.mark.usefixtures("own")


def gone_to(app: AppTest, monkeypatch: pytest.MonkeyPatch, **query: str) -> AppTest:
    """Return the page after a step in the browser's history to this URL."""
    app.query_params.clear()
    app.query_params.update(query)
    with monkeypatch.context() as patched:
        patched.setattr(location, "_is_navigation", lambda: True)
        return ran(app)


def test_an_address_that_comes_late_from_the_browser_changes_nothing() -> None:
    app = opened("enter.py", moves=LINE[0])
    app.text_input("event").set_value("Cup")
    ran(app)
    del app.query_params["event"]  # as it was before the page had written it
    ran(app)
    assert app.query_params["moves"] == LINE[0]
    assert app.query_params["event"] == "Cup"


def test_an_address_that_the_page_never_sent_is_a_navigation() -> None:
    """Streamlit may join a click on a link with a report of a component, and forgets that it was a link."""
    app = opened("enter.py", moves=LINE[0])
    app.text_input("event").set_value("Cup")
    ran(app)
    app.query_params.clear()
    app.query_params.update(moves=LINE[0], event="Open")
    ran(app)
    assert app.text_input("event").value == app.query_params["event"] == "Open"


@pytest.mark.parametrize(
    ("shown", "first", "second"),
    [
        ("openings.py", {"board": "48", "more": "Games"}, {"board": "61", "rules": "blitz"}),
        ("stats.py", {"by": "side", "about": "Endings", "filter": "board:37"}, {"filter": "board:61"}),
        ("enter.py", {"board": "61", "moves": "Wd4,e1", "event": "Cup"}, {"event": "Open", "player1": "Ada"}),
        ("search.py", {"what": "d4:W", "every": "true"}, {"what": "d4:B", "board": "48"}),
        ("players.py", {"name": "a"}, {"about": "Ratings", "kind": ""}),
        ("check.py", {"text": RECORDS[0]}, {"text": RECORDS[1]}),
    ],
)
def test_a_step_in_the_history_restores_what_the_address_says(
    shown: str, first: dict[str, str], second: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def widgets(app: AppTest) -> dict[str, Any]:
        found = [*app.text_input, *app.text_area, *app.checkbox, *app.selectbox]
        return {str(one.key): one.value for one in found if one.key} | dict(app.query_params)

    app = opened(shown, **first)
    before = widgets(app)
    there = widgets(gone_to(app, monkeypatch, **second))
    assert there == widgets(opened(shown, **second))
    assert widgets(gone_to(app, monkeypatch, **first)) == before != there


def test_a_faulty_filter_leaves_the_rest_of_the_page_as_it_was() -> None:
    """While it is faulty, nothing below it is shown."""
    app = opened("openings.py", board="48", more="Games")
    app.text_input("filter").set_value("nofield:1")
    ran(app)
    assert app.error
    app.text_input("filter").set_value("")
    ran(app)
    assert dict(app.query_params) == {"board": "48", "more": "Games"}


def test_what_can_be_played_of_an_address_is_saved() -> None:
    app = opened("enter.py", moves=f"{' '.join(LINE[:2])} Wd4,d1", board="37", event="Cup")
    app.button("legal part").click()
    ran(app)
    assert app.query_params["moves"] == " ".join(LINE[:2])
    assert app.text_input("event").value == "Cup"


@pytest.mark.parametrize(
    "query", [{"board": "61", "moves": "Wd4,d4", "player1": "Ada"}, {"start": "37", "event": "Cup"}]
)
def test_starting_over_empties_the_sheet_and_can_be_taken_back(query: dict[str, str]) -> None:
    app = opened("enter.py", **query)
    app.button("start over").click()
    ran(app)
    assert dict(app.query_params) == {}
    assert not app.error
    assert [app.text_input(name).value for name in ("player1", "event")] == ["", ""]
    app.button("back").click()
    ran(app)
    assert dict(app.query_params) == query


def test_the_board_can_be_chosen_until_the_game_has_begun() -> None:
    assert opened("enter.py").selectbox("board").options
    app = opened("enter.py", moves=LINE[0])
    assert "board" not in {one.key for one in app.selectbox}
    assert "Board: 37. Start over to change it." in [one.value.replace("\\", "") for one in app.caption]


def test_the_answer_about_a_saved_game_stays_until_it_is_dismissed() -> None:
    app = opened("enter.py", moves=" ".join(LINE))
    app.button("save").click()
    for _ in range(3):
        ran(app)
        assert "Stored" in app.success[0].value
    app.switch_page("views/games.py").run()
    app.switch_page("views/enter.py").run()
    assert "Stored" in app.success[0].value
    next(button for button in app.button if button.label == "Dismiss").click()
    assert not ran(app).success


def test_an_import_goes_on_and_its_failure_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_files: object, **_named: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(import_job, "write_uploads", fail)
    app = opened("check.py", text=RECORDS[0])
    app.button("import").click()
    for _ in range(2):
        app.run()
        assert "The import failed" in app.error[0].value
    assert not app.button("import").disabled


def test_an_example_takes_nobodys_place() -> None:
    app = opened("check.py")
    assert not app.button("example").disabled
    assert opened("check.py", text=RECORDS[0]).button("example").disabled


@pytest.mark.parametrize(
    ("pasted", "start", "record", "text", "expected"),
    [
        ("A1 \n\nB1\n", 0, "A1 \n\n", "A2\n", "A2 \n\nB1\n"),
        ("A1 \n\nB1\n", 5, "B1\n", "B2", "A1 \n\nB2\n"),
        ("A1B1", 0, "A1", "A2\n", "A2\n\nB1"),
        ("x\nA1\n\nB1", 0, "A1\n\n", "A2", "x\nA2\n\nB1"),
        ("A1\nA1\n", 1, "A1\n", "A2", None),
        ("B1", 0, "A1", "A2", None),
    ],
)
def test_a_record_is_replaced_and_nothing_else(
    pasted: str, start: int, record: str, text: str, expected: str | None
) -> None:
    assert replace_record(pasted, start, record, text) == expected


def test_a_mark_that_can_not_be_kept_stays_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("openings.py", moves=LINE[0])
    next(field for field in app.text_input if field.label == "Label").set_value("study")
    next(field for field in app.text_area if field.label == "Note").set_value("a fine start")

    def press() -> list[str]:
        next(button for button in app.button if button.label == "Mark it").click()
        ran(app)
        fields = [*app.text_input, *app.text_area]
        return [field.value for field in fields if field.label in ("Label", "Note")]

    def refuse(*_: object, **__: object) -> None:
        raise StoreError("somebody else writes")

    with monkeypatch.context() as patch:
        patch.setattr("zertz_db.dashboards.sections.mark_form.add_mark", refuse)
        assert press() == ["study", "a fine start"]
    assert press() == ["", ""]


def test_others_corrections_leave_a_form_as_it_was_typed(tmp_path: Path, lists: Lists) -> None:
    opened("games.py")
    game = lists.keys("games")[0]
    app = opened("game.py", id=game, about="Corrections")

    def field(label: str) -> Any:
        return next(one for one in app.text_input if one.label == label)

    field("Event").set_value("half typed")
    ran(app)
    correct_games(tmp_path / "db", [game], {"Event": "Other", "Round": "7"}, "somebody")
    ran(app)
    assert (field("Event").value, field("Round").value) == ("half typed", "7")
    next(button for button in app.button if button.label == "Correct it").click()
    ran(app)
    assert app.success[0].value.replace("\\", "") == "Corrected: Event"
    assert (field("Event").value, field("Round").value) == ("half typed", "7")
