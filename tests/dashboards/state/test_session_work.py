"""Bounded work of a session: it ends when the visitor leaves."""

from __future__ import annotations

import time
from multiprocessing import active_children

import pytest

from zertz_db.dashboards.state import session_work
from zertz_db.dashboards.state.session_work import cache_in_session

LONG = 600
"""Seconds that no test waits for."""


class Left(Exception):
    """Error for a visitor who left."""


def stop() -> None:
    raise Left


def test_work_ends_when_its_visitor_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_work, "is_disconnected", lambda: True)
    monkeypatch.setattr(session_work.st, "stop", stop)
    before = {*active_children()}
    with pytest.raises(Left):
        cache_in_session(("sleep",), "Sleeping …", time.sleep, LONG)
    assert {*active_children()} <= before
