"""Select games in their list; mark, correct and download the selected ones. The session has the selection, on all pages of the list."""

from __future__ import annotations

import getpass
from collections.abc import Collection, Sequence

import streamlit as st

from zertz_db.dashboards.components.location import bind_widget
from zertz_db.dashboards.sections.game_list.download_menu import show_downloads
from zertz_db.dashboards.sections.mark_form import TYPING_DELAY, show_fields, take_fields
from zertz_db.dashboards.state import notices
from zertz_db.dashboards.state.database import WRITE_WAIT, get_database, is_writable
from zertz_db.dashboards.state.notices import Notice
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.write_tokens import guard_callback, write_button
from zertz_db.edit.correct_tags import correct_games
from zertz_db.edit.marks import add_mark
from zertz_db.errors import ZertzError
from zertz_db.plurals import format_count
from zertz_db.queries.games.game_list import list_games

SELECTED_KEY = "selected games"
"""Session state: the ids of the selected games, in the order of their selection."""
MAX_SELECTED = 500
"""Maximum number of selected games: their ids still fit in a filter."""
TAGS = ("Event", "Site", "Round", "Date", "Player1", "Player2")
NOTICE_PLACE = "selected games"
ABOUT = "the selected games"
"""What the fields for a mark are about (see `mark_form`)."""


def get_selected() -> list[str]:
    """Return the ids of the selected games."""
    return [*st.session_state.get(SELECTED_KEY, ())]


def select_shown(shown: Collection[str], ticked: str) -> None:
    """Select the ticked ones among the rows shown, as the list reports them; the selection on its other pages stays."""
    chosen = [one for one in ticked.removeprefix("=").split() if one in shown]
    before = get_selected()
    kept = [one for one in before if one not in shown or one in chosen]
    select([*kept, *(one for one in chosen if one not in before)])


def select(games: Sequence[str]) -> None:
    """Select these games and no others."""
    if len(games) > MAX_SELECTED:
        st.toast(f"At most {MAX_SELECTED} games can be selected.", icon=":material/checklist:")
    st.session_state[SELECTED_KEY] = games[:MAX_SELECTED]


def show_toggle() -> bool:
    """Draw the switch that shows boxes in the list; return whether it is on."""
    return bind_widget(
        "select",
        lambda key, first: st.toggle("Select", first, key=key, help="Mark, correct or download selected games."),
        default=False,
        options=(False, True),
    )


def show_actions(filters: str, sort: str, total: int) -> None:
    """Draw what can be done with the selected games."""
    notices.show_notice(NOTICE_PLACE)
    games = get_selected()
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="selected games row"):
        st.markdown(f"**{len(games):,} selected**", width="content")
        if games:
            if is_writable():
                show_mark_form(games)
                show_correction_form(games)
            show_downloads(build_filter(games), sort, len(games), "Download selected")
            st.page_link(
                "views/games.py",
                label="Only these",
                icon=":material/filter_alt:",
                query_params={"filter": build_filter(games), "select": "true"},
            )
            st.button(
                "Clear", icon=":material/close:", type="tertiary", key="clear selection", on_click=select, args=([],)
            )
        if total <= MAX_SELECTED:
            st.button(
                f"Select all {total:,}",
                icon=":material/select_all:",
                type="tertiary",
                key="select all",
                on_click=select_all,
                args=(filters, sort),
            )
    if games and not is_writable():
        st.caption("To mark or correct them here, start the dashboard with `--allow-import`.")


def build_filter(games: Sequence[str]) -> str:
    """Return the filter of these games.

    >>> build_filter(["3T7K", "4FPB"])
    'id:3T7K,4FPB'
    """
    return f"id:{','.join(games)}"


def select_all(filters: str, sort: str) -> None:
    """Select all games that pass a filter, besides those selected already."""
    found = [game for (game,) in run_query(list_games, filters, sort=sort, columns=("id",)).rows]
    select(list(dict.fromkeys([*get_selected(), *found])))


def show_mark_form(games: Sequence[str]) -> None:
    """Draw a label and a note for the selected games."""
    with st.popover("Mark", icon=":material/bookmark_add:"):
        show_fields(ABOUT)
        st.button(
            f"Mark {format_count(len(games), 'game')}",
            icon=":material/bookmark:",
            key="mark selected",
            on_click=guard_callback(mark_games),
            args=(games,),
        )


def mark_games(games: Sequence[str]) -> None:
    """Save the typed label and note for each of these games."""
    label, text = take_fields(ABOUT)
    if not label and not text:
        st.toast("A mark needs a label or a note.", icon=":material/edit:")
        return
    try:
        for game in games:
            add_mark(get_database().folder, getpass.getuser(), label=label, text=text, game=game)
    except ZertzError as error:
        notices.set_notice(NOTICE_PLACE, Notice(str(error), is_error=True))
    else:
        notices.set_notice(
            NOTICE_PLACE,
            Notice(f"Marked {format_count(len(games), 'game')}.", page="views/bookmarks.py", label="Bookmarks"),
        )
        take_fields(ABOUT, is_done=True)


def show_correction_form(games: Sequence[str]) -> None:
    """Draw a form to give a tag of the selected games one value."""
    with st.popover("Correct", icon=":material/edit:"):
        tag = st.selectbox(
            "Tag", TAGS, index=None, key="tag of selected", accept_new_options=True, placeholder="which one"
        )
        value = st.text_input(
            "New value", key="value of selected", help="Leave it empty to remove the tag.", live=TYPING_DELAY
        )
        why = st.text_input("Why", key="why of selected", placeholder="the scoresheet", live=TYPING_DELAY)
        st.caption("Each game keeps its record and its id. Corrections are listed on the page of a game.")
        if (
            write_button(f"Correct {format_count(len(games), 'game')}", icon=":material/edit:", key="correct selected")
            and tag
        ):
            correct_selected(games, tag, value or "", why or "")


def correct_selected(games: Sequence[str], tag: str, value: str, why: str) -> None:
    """Correct a tag of these games, and redraw the page with a notice."""
    try:
        with st.spinner("Correcting …"):
            made = correct_games(get_database().folder, games, {tag: value}, getpass.getuser(), why.strip(), WRITE_WAIT)
    except ZertzError as error:
        notices.set_notice(NOTICE_PLACE, Notice(str(error), is_error=True))
    else:
        text = (
            f"Corrected {tag} of {format_count(len(made), 'game')}" if made else "No change: the games have this value"
        )
        notices.set_notice(NOTICE_PLACE, Notice(f"{text}."))
    st.rerun()
