"""Save the tree as a study; rename, remove and restore studies; list them."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.components.listing import Column, Row, show_listing
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.sections.analysis_board.url_tree import Origin, is_changed, is_overtaken
from zertz_db.dashboards.state import notices
from zertz_db.dashboards.state.database import get_folder, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.notices import Notice
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.write_tokens import guard_callback
from zertz_db.edit.studies import MAX_NAME, remove_study, rename_study, restore_study, save_study
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count
from zertz_db.queries.studies import list_studies
from zertz_db.store.annotations.studies import Study
from zertz_db.variations.move_tree import MoveTree, TreeError
from zertz_db.variations.notation import write_tree

Result = TypeVar("Result")

NAME_KEY = "name of the study"
SAVED = "study that was saved"
"""Place of the notice about a change."""
REMOVED_KEY = "study that was removed"
COLUMNS = (
    Column("Study", "strong"),
    Column("By", "quiet"),
    Column("Saved (UTC)", "quiet", wide=True),
)


def show_study_tools(origin: Origin, tree: MoveTree, node: int) -> None:
    """Draw the menus to save the tree as a study and to export it."""
    if is_writable():
        if origin.study and is_changed():
            st.button(
                "Save changes",
                icon=":material/save:",
                type="primary",
                key="save changes",
                on_click=guard_callback(save_changes),
                args=(origin, tree, node),
            )
        with st.popover("Study", icon=":material/school:", help="Save, rename or delete"):
            show_study_form(origin, tree, node)
    with st.popover("Export", icon=":material/download:", help="Official notation with variations"):
        show_export(origin, tree)


def show_study_form(origin: Origin, tree: MoveTree, node: int) -> None:
    """Draw the name of a study, and the buttons that write."""
    location.seed_widget(f"{NAME_KEY} {origin.study}", origin.title if origin.study else "")
    key = f"{NAME_KEY} {origin.study}"
    st.text_input("Name", key=key, max_chars=MAX_NAME, placeholder="Answers to a sacrifice on d4", live="500ms")
    if origin.study:
        st.button("Rename", icon=":material/edit:", key="rename", on_click=guard_callback(rename), args=(origin, key))
        st.button(
            "Save as a new study",
            icon=":material/save_as:",
            key="save new",
            on_click=guard_callback(save_new),
            args=(origin, tree, node, key),
        )
        st.button(
            "Delete this study",
            icon=":material/delete:",
            key="delete study",
            on_click=guard_callback(delete),
            args=(origin,),
        )
    else:
        st.button(
            "Save as a study",
            icon=":material/save:",
            type="primary",
            key="save new",
            on_click=guard_callback(save_new),
            args=(origin, tree, node, key),
        )


def show_export(origin: Origin, tree: MoveTree) -> None:
    """Draw the tree in official notation, to download or to copy."""
    try:
        text = write_tree(tree, origin.facts)
    except TreeError as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return
    st.download_button("Download official notation", text, "moves.txt", icon=":material/download:", on_click="ignore")
    show_verbatim(text, key="tree in official notation")


def show_studies() -> None:
    """List all studies, each as a link; tell how to save one."""
    st.subheader("Studies")
    found = run_query(list_studies).dicts()
    if found:
        rows = [
            Row(
                row["study"],
                (row["name"], row["author"], f"{row['made_at']:%Y-%m-%d %H:%M}"),
                "analysis",
                {"study": row["study"]},
            )
            for row in found
        ]
        show_listing(COLUMNS, rows, key="studies", label="Studies", height=400)
        st.caption(format_count(len(found), "study", "studies") + ".")
    else:
        st.write("No studies yet." + (" The menu Study saves these moves as one." if is_writable() else ""))
    if not is_writable():
        st.caption("To save studies into the database, start the dashboard with `--allow-import`.")


def show_study_notices() -> None:
    """Show the result of the last change, and a button that restores a removed study."""
    notices.show_notice(SAVED)
    gone: Study | None = st.session_state.get(REMOVED_KEY)
    if gone is not None and is_writable():
        st.button(
            f"Restore {escape_markdown(gone.name)}",
            icon=":material/undo:",
            key="restore study",
            on_click=guard_callback(restore),
        )


def save_new(origin: Origin, tree: MoveTree, node: int, key: str) -> None:
    """Save the tree as a new study with the typed name, and open it."""
    name = st.session_state[key]
    saved = _try(lambda: save_study(get_folder(), name, tree, getpass.getuser(), facts=dict(origin.facts)))
    if saved:
        location.replace_all({"study": [saved.id], "at": [str(node)]})
        notices.set_notice(SAVED, Notice(f"Saved as the study {saved.name}."))


def save_changes(origin: Origin, tree: MoveTree, node: int) -> None:
    """Save the tree in place of the study's, unless another window has saved it meanwhile."""
    if origin.study and _try(lambda: is_overtaken(origin.study or "")):
        text = "Another window has saved this study meanwhile. Save your moves as a new study, or reload the study."
        notices.set_notice(SAVED, Notice(text, is_error=True))
        return
    saved = _try(
        lambda: save_study(
            get_folder(), origin.title, tree, getpass.getuser(), facts=dict(origin.facts), study=origin.study
        )
    )
    if saved:
        location.replace_all({"study": [saved.id], "at": [str(node)]})
        notices.set_notice(SAVED, Notice(f"Saved the changes of {saved.name}."))


def rename(origin: Origin, key: str) -> None:
    """Give the study the typed name."""
    saved = _try(lambda: rename_study(get_folder(), origin.study or "", st.session_state[key], getpass.getuser()))
    if saved:
        notices.set_notice(SAVED, Notice(f"The study is now called {saved.name}."))


def delete(origin: Origin) -> None:
    """Remove the study, and show an empty board."""
    gone = _try(lambda: remove_study(get_folder(), origin.study or "", getpass.getuser()))
    if gone:
        st.session_state[REMOVED_KEY] = gone
        location.replace_all({})
        notices.set_notice(SAVED, Notice(f"Deleted the study {gone.name}."))


def restore() -> None:
    """Restore the study that was removed last, and open it."""
    gone: Study = st.session_state.pop(REMOVED_KEY)
    saved = _try(lambda: restore_study(get_folder(), gone.id, getpass.getuser()))
    if saved:
        location.replace_all({"study": [saved.id]})
        notices.set_notice(SAVED, Notice(f"Restored the study {saved.name}."))


def _try(change: Callable[[], Result]) -> Result | None:
    """Return what the change returns, or show why it failed."""
    try:
        return change()
    except ZertzError as error:
        notices.set_notice(SAVED, Notice(str(error), is_error=True))
        return None
