"""Corrections of one game, on its page: what was corrected, by whom, and a form for more where the dashboard may write."""

from __future__ import annotations

import getpass
from collections.abc import Callable

import streamlit as st

from dashboards.database import PATIENCE, may_write
from dashboards.tables import show
from dashboards.words import plain
from dashboards.writing import write_button
from zertz_db.ingest.correcting import correct, take_back
from zertz_db.queries.corrections import history
from zertz_db.queries.game import Game
from zertz_db.queries.result import Result
from zertz_db.store.corrections import COLUMNS
from zertz_db.store.errors import StoreError
from zertz_db.store.opening import Database

TITLE = "Corrections"
LABELS = {
    "Player1": "Player 1 (moved first)",
    "Player2": "Player 2",
    "Date": "Date (2026.05.01, ?? for what is not known)",
}
SHOWN = ("tag", "old", "new", "why", "author", "made_at", "taken_back_by")
_DONE = "what was corrected"
"""In the session's state: a sentence for the next run, which shows the page as it is by then."""


def say_corrected(found: Game) -> None:
    """Which facts of a game are not those of its record; nothing where all are."""
    if found.corrections.rows:
        said = [(one["tag"], f"has “{one['old']}”" if one["old"] else "has none") for one in found.corrections.dicts()]
        told = ", ".join(f"{tag} (its record {instead})" for tag, instead in said)
        st.caption(f":material/edit_note: Corrected: {plain(told)}")


def show_corrections(opened: Database, found: Game) -> None:
    """All that was corrected and taken back, for everybody; a form to correct more where that is allowed."""
    place = st.container()  # there in any case, so that what is below stays where it is, and open
    if done := st.session_state.pop(_DONE, None):
        place.success(plain(done), icon=":material/check:")
    said = history(opened, found.id)
    if said.rows:
        places = [said.names.index(name) for name in SHOWN]
        show(Result(tuple(said.columns[at] for at in places), [tuple(row[at] for at in places) for row in said.rows]))
    else:
        st.write("Nothing was corrected: all this is what its record says.")
    if not may_write():
        st.caption(
            f"To correct it: `zertz correct {found.id} TAG=VALUE`, or start the dashboard with `--allow-import`."
        )
        return
    fields(opened, found, f"{found.id} {len(said.rows)} {len(found.corrections.rows)}")
    if found.corrections.rows:
        taking_back(opened, found)


def fields(opened: Database, found: Game, state: str) -> None:
    """A form with what the tags say; `state` is another one after each correction, so that the form begins anew."""
    with st.form(f"correct {state}"):
        typed = {}
        for row in (("Event", "Site", "Round"), ("Date", "Player1", "Player2")):
            for column, tag in zip(st.columns(3), row, strict=True):
                value = found.row[COLUMNS[tag]] or ""
                typed[tag] = column.text_input(LABELS.get(tag, tag), value, key=f"{tag} of {state}")
        tags = {one["name"]: one["value"] for one in found.tags.dicts()}
        left, right = st.columns(2)
        other = left.selectbox(
            "Another tag",
            tags,
            index=None,
            accept_new_options=True,
            key=f"tag of {state}",
            placeholder="such as Annotator",
        )
        said = right.text_input(
            "What it should say", key=f"value of {state}", help="Nothing: the game has no such tag."
        )
        why = st.text_input("Why", key=f"why of {state}", placeholder="the scoresheet")
        if write_button("Correct it", widget=st.form_submit_button, icon=":material/edit:"):
            values = {tag: text for tag, text in typed.items() if text.strip() != (found.row[COLUMNS[tag]] or "")}
            if other:
                values[other] = said
            if values:
                change(lambda: _corrected(opened, found, values, why))


def _corrected(opened: Database, found: Game, values: dict[str, str], why: str) -> str:
    made = correct(opened.folder, [found.id], values, getpass.getuser(), why.strip(), PATIENCE)
    return f"Corrected: {', '.join(one.tag for one in made)}" if made else "That is what it says already"


def taking_back(opened: Database, found: Game) -> None:
    """Take the last correction of a tag back."""
    with st.popover("Take a correction back", icon=":material/undo:"):
        tags = [one["tag"] for one in found.corrections.dicts()]
        tag = st.selectbox("Of which tag", tags, key=f"tag to take back {found.id}")
        if write_button("Take it back", key=f"take back {found.id}") and tag:
            change(
                lambda: f"{take_back(opened.folder, found.id, [tag], getpass.getuser(), PATIENCE)[0].tag} is as before"
            )


def change(act: Callable[[], str]) -> None:
    """Change the database, and show the page as it is then; what is wrong is said, and what was typed stays."""
    try:
        with st.spinner("Correcting …"):
            st.session_state[_DONE] = act()
    except StoreError as error:
        st.error(plain(error), icon=":material/error:")
        return
    st.rerun()  # all of the page, whose heading may be another now
