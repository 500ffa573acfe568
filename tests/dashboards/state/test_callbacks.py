"""What a component reports to the callbacks of a page."""

from typing import Any

import pytest

from zertz_db.dashboards.state import callbacks


@pytest.mark.parametrize(
    ("report", "called"),
    [
        ({"row": "2"}, ["2"]),
        ({"row": 0}, ["0"]),
        ({"row": {"row": "2", "at": 17}}, ["2"]),  # with the time of the report
        ({"row": {"at": 17}}, []),
        ({"row": None}, []),
        ({"sort": "date"}, []),
        (None, []),
    ],
)
def test_an_action_gets_the_report_of_its_name_as_text(
    report: Any, called: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callbacks.st, "session_state", {"list": report})
    got: list[str] = []
    acts = callbacks.build_callbacks("list", {"row": got.append, "select": None})
    for act in acts.values():
        act()
    assert (list(acts), got) == (["on_row_change", "on_select_change"], called)
