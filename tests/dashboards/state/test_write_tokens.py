"""Controls that write: with the token of the page that drew them, once; run without a browser."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from zertz_db import dashboards
from zertz_db.dashboards.state import write_tokens

WRITERS = {
    "import_paths", "add_mark", "remove_mark", "correct_games", "revert_corrections", "set_alias", "merge_game", "split_game",
    "save_study", "rename_study", "remove_study", "restore_study",
    "add_attempt", "undo", "recheck_database", "separate_games", "postpone_games", "undo_separation", "set_kind",
}  # fmt: skip
"""Functions that change a database, as pages call them."""
TEMPORARY = {("welcome.py", "import_samples"), ("welcome.py", "import_uploads")}
"""Functions that change only a temporary database."""


def page() -> None:
    import streamlit as st

    from zertz_db.dashboards.state.write_tokens import guard_callback, write_button

    st.session_state.setdefault("written", [])
    st.button(
        "Callback", key="callback", on_click=guard_callback(st.session_state["written"].append), args=("callback",)
    )
    if write_button("Inline", key="inline"):
        st.session_state["written"].append("inline")


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    return AppTest.from_function(page, default_timeout=300).run()


def test_each_press_writes_once(app: AppTest) -> None:
    app.button("callback").click().run()
    app.button("inline").click().run()
    app.run()
    app.button("callback").click().run()
    assert app.session_state["written"] == ["callback", "inline", "callback"]


def test_a_used_token_writes_nothing(app: AppTest) -> None:
    for key in ("callback", "inline"):
        app.session_state[write_tokens.TOKEN_KEY] = "another page's"
        app.button(key).click().run()
        assert "out of date" in app.toast[0].value
    assert app.session_state["written"] == []


def test_without_a_page_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "1")
    drawn = AppTest.from_function(page, default_timeout=300).run()
    session = AppTest.from_function(page, default_timeout=300)
    session._tree = drawn.button("inline").click().root  # the first message of this session is a click
    session._run(drawn._tree.get_widget_states())
    assert session.session_state["written"] == []


def test_a_page_that_may_only_read_writes_nothing(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_ALLOW_IMPORT", "0")
    app.button("callback").click().run()
    app.button("inline").click().run()
    assert app.session_state["written"] == []


def test_every_function_that_writes_is_behind_a_token() -> None:
    found = set()
    for path in Path(dashboards.__file__).parent.rglob("*.py"):
        source = path.read_text("utf-8")
        for function in ast.walk(ast.parse(source)):
            if isinstance(function, ast.FunctionDef) and called(function) & WRITERS:
                found.add((path.name, function.name))
                by_page, control = CONTROLS.get((path.name, function.name), (path.name, function.name))
                page_source = next(Path(dashboards.__file__).parent.rglob(by_page)).read_text("utf-8")
                is_behind = f"guard_callback({control})" in page_source or "write_button(" in source
                assert is_behind or (path.name, function.name) in TEMPORARY, f"{path.name}: {function.name}"
    assert len(found) >= 10


CONTROLS = {
    ("import_job.py", "_import_files"): ("check.py", "start_import"),
    ("import_job.py", "_import_text"): ("enter.py", "save_record"),
    ("import_job.py", "_undo_import"): ("imports.py", "start_undo"),
    ("import_job.py", "_recheck"): ("imports.py", "start_recheck"),
    ("player_kind.py", "save_kind"): ("player_kind.py", "report_errors"),
    **{
        ("game_pairs.py", act): ("pair_controls.py", "report_errors")
        for act in ("merge_pair", "separate_pair", "postpone_pair", "split_pair", "reopen_pair")
    },
    **{
        ("name_pairs.py", act): ("pair_controls.py", "report_errors")
        for act in ("accept_pair", "reject_pair", "postpone_pair", "undo_pair")
    },
}
"""Functions that write in the background or for shared controls, and what calls them: a page's file, and a function of it."""


def called(function: ast.FunctionDef) -> set[str]:
    """Return the names of the functions that are called in a function."""
    return {
        node.func.id for node in ast.walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
