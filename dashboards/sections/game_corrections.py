"""Show the corrections of one game on its page, with authors, and a form for more if the dashboard may write."""

from __future__ import annotations

import getpass
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.sections.mark_form import TYPING_DELAY
from zertz_db.dashboards.state import notices
from zertz_db.dashboards.state.database import WRITE_WAIT, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.notices import Notice
from zertz_db.dashboards.state.write_tokens import write_button
from zertz_db.edit.correct_tags import correct_games, revert_corrections
from zertz_db.errors import ZertzError
from zertz_db.queries.corrections import list_corrections
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.result import Result
from zertz_db.store.annotations.corrections import COLUMNS
from zertz_db.store.folder.database import Database

TITLE = "Corrections"
LABELS = {
    "Player1": "Player 1 (moved first)",
    "Player2": "Player 2",
    "Date": "Date (2026.05.01, ?? for unknown parts)",
}
LISTED_COLUMNS = ("tag", "old", "new", "why", "author", "made_at", "taken_back_by")
_CORRECTED_KEY = "game that was corrected"
"""Session state: the game whose form is reset in the next run."""


def show_corrected_tags(game: Game) -> None:
    """Show the facts of a game that differ from its record, if there are any."""
    if game.corrections.rows:
        changes = [
            (one["tag"], f"has “{one['old']}”" if one["old"] else "has none") for one in game.corrections.dicts()
        ]
        text = ", ".join(f"{tag} (its record {old})" for tag, old in changes)
        st.caption(f":material/edit_note: Corrected: {escape_markdown(text)}")


def show_corrections(database: Database, game: Game) -> None:
    """Show all corrections and reverted ones; draw a form to correct more if the dashboard may write."""
    place = st.container()  # always there, so that the elements below stay in place, and open
    with place:
        notices.show_notice(_get_notice_key(game.id))
    corrections = list_corrections(database, game.id)
    if corrections.rows:
        places = [corrections.names.index(name) for name in LISTED_COLUMNS]
        rows = [tuple(row[at] for at in places) for row in corrections.rows]
        show_table(Result(tuple(corrections.columns[at] for at in places), rows))
    else:
        st.write("No corrections: all facts are those of the record.")
    if not is_writable():
        st.caption(
            f"To correct it, run `zertz correct {game.id} TAG=VALUE`, or start the dashboard with `--allow-import`."
        )
        return
    show_form(database, game)
    if game.corrections.rows:
        show_revert_form(database, game)


def show_form(database: Database, game: Game) -> None:
    """Draw a form with the values of the tags. Typed text stays while tabs and pages change and others correct the game."""
    is_fresh = st.session_state.pop(_CORRECTED_KEY, None) == game.id
    if is_fresh:
        empty = {"other tag": None, "value": "", "why": ""}
        st.session_state.update({f"{name} of {game.id}": value for name, value in empty.items()})
    with st.container(border=True):
        typed: dict[str, str] = {}
        for row in (("Event", "Site", "Round"), ("Date", "Player1", "Player2")):
            for column, tag in zip(st.columns(3), row, strict=True):
                typed |= show_field(column, tag, game, is_fresh)
        tags = {one["name"]: one["value"] for one in game.tags.dicts()}
        left, right = st.columns(2)
        other = left.selectbox(
            "Another tag",
            tags,
            index=None,
            accept_new_options=True,
            key=f"other tag of {game.id}",
            placeholder="e.g. Annotator",
            persist_state="session",
        )
        new_value = right.text_input(
            "New value",
            key=f"value of {game.id}",
            help="Leave it empty to remove the tag.",
            live=TYPING_DELAY,
            persist_state="session",
        )
        why = st.text_input(
            "Why", key=f"why of {game.id}", placeholder="the scoresheet", live=TYPING_DELAY, persist_state="session"
        )
        if write_button("Correct it", icon=":material/edit:", key=f"correct {game.id}"):
            if other:
                typed[other] = new_value
            if typed:
                change_database(game.id, lambda: _save_corrections(database, game, typed, why), is_form=True)


def show_field(column: DeltaGenerator, tag: str, game: Game, is_fresh: bool) -> dict[str, str]:
    """Draw the field of a tag; return its text by the tag if it differs from the tag's value when typing began."""
    key, before = f"{tag} of {game.id}", f"{tag} as it was of {game.id}"
    now = game.row[COLUMNS[tag]] or ""
    is_untouched = st.session_state.get(key) == st.session_state.get(before)
    if is_fresh or (is_untouched and st.session_state.get(before) != now):
        st.session_state[key] = st.session_state[before] = now
    text = column.text_input(LABELS.get(tag, tag), key=key, live=TYPING_DELAY, persist_state="session") or ""
    return {tag: text} if text.strip() != st.session_state[before] else {}


def _save_corrections(database: Database, game: Game, values: dict[str, str], why: str) -> str:
    made = correct_games(database.folder, [game.id], values, getpass.getuser(), why.strip(), WRITE_WAIT)
    return f"Corrected: {', '.join(one.tag for one in made)}" if made else "No change: these are the values already"


def show_revert_form(database: Database, game: Game) -> None:
    """Draw a form to revert the last correction of a tag."""
    with st.popover("Revert a correction", icon=":material/undo:"):
        tags = [one["tag"] for one in game.corrections.dicts()]
        tag = st.selectbox("Tag", tags, key=f"tag to revert {game.id}")
        if write_button("Revert it", key=f"revert {game.id}") and tag:
            change_database(
                game.id,
                lambda: (
                    f"Reverted {revert_corrections(database.folder, game.id, [tag], getpass.getuser(), WRITE_WAIT)[0].tag}"
                ),
            )


def change_database(game_id: str, act: Callable[[], str], *, is_form: bool = False) -> None:
    """Change the database and redraw the page with a notice. is_form: reset the form after a success."""
    try:
        with st.spinner("Correcting …"):
            notices.set_notice(_get_notice_key(game_id), Notice(act()))
    except ZertzError as error:
        notices.set_notice(_get_notice_key(game_id), Notice(str(error), is_error=True))
    else:
        if is_form:
            st.session_state[_CORRECTED_KEY] = game_id
    st.rerun()  # the whole page: its heading may have changed


def _get_notice_key(game_id: str) -> str:
    return f"corrections of {game_id}"
