"""Corrections of one game, on its page: what was corrected, by whom, and a form for more where the dashboard may write."""

from __future__ import annotations

import getpass
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboards.components.tables import show_table
from dashboards.sections.mark_form import TYPING_DELAY
from dashboards.state import notices
from dashboards.state.database import WRITE_WAIT, is_writable
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.notices import Notice
from dashboards.state.write_tokens import write_button
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
    "Date": "Date (2026.05.01, ?? for what is not known)",
}
LISTED_COLUMNS = ("tag", "old", "new", "why", "author", "made_at", "taken_back_by")
_CORRECTED_KEY = "game that was corrected"
"""In the session's state: the form about it begins anew in the next run."""


def show_corrected_tags(found: Game) -> None:
    """Which facts of a game are not those of its record; nothing where all are."""
    if found.corrections.rows:
        said = [(one["tag"], f"has “{one['old']}”" if one["old"] else "has none") for one in found.corrections.dicts()]
        told = ", ".join(f"{tag} (its record {instead})" for tag, instead in said)
        st.caption(f":material/edit_note: Corrected: {escape_markdown(told)}")


def show_corrections(opened: Database, found: Game) -> None:
    """All that was corrected and taken back, for everybody; a form to correct more where that is allowed."""
    place = st.container()  # there in any case, so that what is below stays where it is, and open
    with place:
        notices.show_notice(_get_notice_key(found.id))
    said = list_corrections(opened, found.id)
    if said.rows:
        places = [said.names.index(name) for name in LISTED_COLUMNS]
        show_table(
            Result(tuple(said.columns[at] for at in places), [tuple(row[at] for at in places) for row in said.rows])
        )
    else:
        st.write("Nothing was corrected: all this is what its record says.")
    if not is_writable():
        st.caption(
            f"To correct it: `zertz correct {found.id} TAG=VALUE`, or start the dashboard with `--allow-import`."
        )
        return
    show_form(opened, found)
    if found.corrections.rows:
        show_revert_form(opened, found)


def show_form(opened: Database, found: Game) -> None:
    """Draw a form with what the tags say. What is typed stays while tabs and pages change and others correct the game."""
    is_fresh = st.session_state.pop(_CORRECTED_KEY, None) == found.id
    if is_fresh:
        empty = {"other tag": None, "value": "", "why": ""}
        st.session_state.update({f"{name} of {found.id}": value for name, value in empty.items()})
    with st.container(border=True):
        typed: dict[str, str] = {}
        for row in (("Event", "Site", "Round"), ("Date", "Player1", "Player2")):
            for column, tag in zip(st.columns(3), row, strict=True):
                typed |= show_field(column, tag, found, is_fresh)
        tags = {one["name"]: one["value"] for one in found.tags.dicts()}
        left, right = st.columns(2)
        other = left.selectbox(
            "Another tag",
            tags,
            index=None,
            accept_new_options=True,
            key=f"other tag of {found.id}",
            placeholder="such as Annotator",
            persist_state="session",
        )
        said = right.text_input(
            "What it should say",
            key=f"value of {found.id}",
            help="Nothing: the game has no such tag.",
            live=TYPING_DELAY,
            persist_state="session",
        )
        why = st.text_input(
            "Why", key=f"why of {found.id}", placeholder="the scoresheet", live=TYPING_DELAY, persist_state="session"
        )
        if write_button("Correct it", icon=":material/edit:", key=f"correct {found.id}"):
            if other:
                typed[other] = said
            if typed:
                change_database(found.id, lambda: _save_corrections(opened, found, typed, why), is_form=True)


def show_field(column: DeltaGenerator, tag: str, found: Game, is_fresh: bool) -> dict[str, str]:
    """Draw the field of a tag; return what was typed there instead of what the tag said when that began, by tag."""
    key, before = f"{tag} of {found.id}", f"{tag} as it was of {found.id}"
    now = found.row[COLUMNS[tag]] or ""
    is_untouched = st.session_state.get(key) == st.session_state.get(before)
    if is_fresh or (is_untouched and st.session_state.get(before) != now):
        st.session_state[key] = st.session_state[before] = now
    text = column.text_input(LABELS.get(tag, tag), key=key, live=TYPING_DELAY, persist_state="session") or ""
    return {tag: text} if text.strip() != st.session_state[before] else {}


def _save_corrections(opened: Database, found: Game, values: dict[str, str], why: str) -> str:
    made = correct_games(opened.folder, [found.id], values, getpass.getuser(), why.strip(), WRITE_WAIT)
    return f"Corrected: {', '.join(one.tag for one in made)}" if made else "That is what it says already"


def show_revert_form(opened: Database, found: Game) -> None:
    """Take the last correction of a tag back."""
    with st.popover("Take a correction back", icon=":material/undo:"):
        tags = [one["tag"] for one in found.corrections.dicts()]
        tag = st.selectbox("Of which tag", tags, key=f"tag to take back {found.id}")
        if write_button("Take it back", key=f"take back {found.id}") and tag:
            change_database(
                found.id,
                lambda: (
                    f"{revert_corrections(opened.folder, found.id, [tag], getpass.getuser(), WRITE_WAIT)[0].tag} is as before"
                ),
            )


def change_database(game_id: str, act: Callable[[], str], *, is_form: bool = False) -> None:
    """Change the database, and show the page as it is then, with the answer. is_form: where that worked, the form begins anew."""
    try:
        with st.spinner("Correcting …"):
            notices.set_notice(_get_notice_key(game_id), Notice(act()))
    except ZertzError as error:
        notices.set_notice(_get_notice_key(game_id), Notice(str(error), is_error=True))
    else:
        if is_form:
            st.session_state[_CORRECTED_KEY] = game_id
    st.rerun()  # all of the page, whose heading may be another now


def _get_notice_key(game_id: str) -> str:
    return f"corrections of {game_id}"
