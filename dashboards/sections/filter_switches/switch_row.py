"""One row of switches above a filter: kinds of players, board, years, a player, ratings. Each shows a term of the text, and writes it."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from zertz_db.dashboards.sections.filter_switches.filter_text import drop_open_field, replace_terms
from zertz_db.dashboards.sections.filter_switches.switch_values import (
    BOARD_FIELDS,
    KIND_FIELDS,
    KINDS,
    OTHER,
    PLAYER_FIELDS,
    RATING_FIELDS,
    YEAR_FIELDS,
    PlayerChoice,
    Years,
    read_boards,
    read_kind,
    read_player,
    read_rating,
    read_years,
    write_boards,
    write_rating,
    write_years,
)
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.queries.database_info import GameRange, find_range
from zertz_db.queries.filters.terms import write_term
from zertz_db.queries.players.player_list import list_players

ROW_KEY = "switches"
"""Key of the row; app.py has its style for narrow windows."""
MAX_NAMES = 300
"""Maximum number of names to choose from, those with most games; others can be typed."""
MAX_RATING = 4000
KIND_LABELS = {"all": "All", "humans": "Humans only", "bots": "With bots", OTHER: "Other"}
SIDE_LABELS = {"player": "on either side", "first": "moving first", "second": "moving second"}
IN_TEXT = "The text below has more than this switch can show. A choice here replaces it."


def show_switches(text: str, text_key: str) -> None:
    """Draw the switches of a filter's text. text_key: of the text's field, which a click changes before the page runs again."""
    known = run_query(find_range)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=ROW_KEY):
        show_kinds(text, text_key)
        show_boards(text, text_key, known)
        show_years(text, text_key, known)
        show_player(text, text_key)
        show_rating(text, text_key)


def replace_in_field(text_key: str, fields: Collection[str], term: str) -> None:
    """Replace terms of the text as it is now: it may have been typed since the switches were drawn."""
    st.session_state[text_key] = replace_terms(drop_open_field(st.session_state.get(text_key) or ""), fields, term)


def show_kinds(text: str, text_key: str) -> None:
    """Draw the switch for kinds of players."""
    key, now = "switch for kinds", read_kind(text)
    labels = {kind: label for kind, label in KIND_LABELS.items() if kind in (*KINDS, now)}
    st.session_state[key] = now

    def apply() -> None:
        chosen = st.session_state[key]
        if chosen in KINDS:
            replace_in_field(text_key, KIND_FIELDS, KINDS[chosen])

    st.segmented_control(
        "Players",
        list(labels),
        default=now,
        required=True,
        format_func=lambda kind: KIND_LABELS[kind],
        key=key,
        on_change=apply,
        label_visibility="collapsed",
        help="Humans only: neither player is a bot or a guest.",
    )


def show_boards(text: str, text_key: str, known: GameRange) -> None:
    """Draw the switch for boards."""
    key, now = "switch for boards", read_boards(text)
    chosen = [] if now == OTHER else [*now]
    options = list(dict.fromkeys((*known.boards, *chosen)))
    st.session_state[key] = chosen

    def apply() -> None:
        replace_in_field(text_key, BOARD_FIELDS, write_boards(st.session_state[key]))

    label = "Board: other" if now == OTHER else f"Board {escape_markdown(', '.join(chosen))}" if chosen else "Any board"
    with st.popover(label, icon=":material/grid_view:", type="secondary"):
        st.pills(
            "Boards",
            options,
            selection_mode="multi",
            default=chosen,
            format_func=escape_markdown,
            key=key,
            on_change=apply,
        )
        note(now == OTHER)


def show_years(text: str, text_key: str, known: GameRange) -> None:
    """Draw the switch for years."""
    keys, now = ("switch for the first year", "switch for the last year"), read_years(text)
    shown = Years() if now == OTHER else now
    for key, year in zip(keys, shown, strict=True):
        st.session_state[key] = year
    span = range(known.first_year or 0, (known.last_year or -1) + 1)
    options = sorted({*span, *(year for year in shown if year is not None)})

    def apply() -> None:
        first, last = (st.session_state[key] for key in keys)
        if first is not None and last is not None and first > last:
            first, last = last, first
        replace_in_field(text_key, YEAR_FIELDS, write_years(Years(first, last)))

    with st.popover(describe_years(now), icon=":material/calendar_month:"):
        for label, key, year in zip(("From", "To"), keys, shown, strict=True):
            st.selectbox(
                label,
                options,
                index=None if year is None else options.index(year),
                key=key,
                on_change=apply,
                placeholder="any year",
            )
        note(now == OTHER)


def describe_years(years: Years | str) -> str:
    """Return the label of the switch for years.

    >>> describe_years(Years(2010, 2012)), describe_years(Years(None, 2012)), describe_years(Years(2010, 2010))
    ('2010–2012', 'Until 2012', '2010')
    """
    if isinstance(years, str):
        return "Years: other"
    first, last = years
    if first is None and last is None:
        return "Any year"
    if first is None or last is None:
        return f"Until {last}" if first is None else f"Since {first}"
    return f"{first}" if first == last else f"{first}–{last}"


def show_player(text: str, text_key: str) -> None:
    """Draw the switch for a player and the side."""
    name_key, side_key, now = "switch for the player", "switch for the side", read_player(text)
    choice = now if isinstance(now, PlayerChoice) else None
    st.session_state[name_key], st.session_state[side_key] = (
        choice and choice.name,
        choice.field if choice else "player",
    )
    names = list_names({choice.name} if choice else ())

    def apply() -> None:
        name, side = (st.session_state[name_key] or "").strip(), st.session_state[side_key] or "player"
        replace_in_field(text_key, PLAYER_FIELDS, write_term(side, name) if name else "")

    side = f", {SIDE_LABELS[choice.field]}" if choice and choice.field != "player" else ""
    label = f"{escape_markdown(choice.name)}{side}" if choice else "Player: other" if now == OTHER else "Any player"
    with st.popover(label, icon=":material/person:"):
        st.selectbox(
            "Player",
            names,
            index=names.index(choice.name) if choice else None,
            key=name_key,
            on_change=apply,
            accept_new_options=True,
            placeholder="any player",
        )
        st.segmented_control(
            "Side",
            list(SIDE_LABELS),
            default=choice.field if choice else "player",
            required=True,
            format_func=lambda field: SIDE_LABELS[field],
            key=side_key,
            on_change=apply,
            disabled=choice is None,
        )
        note(now == OTHER)


def show_rating(text: str, text_key: str) -> None:
    """Draw the switch for ratings."""
    key, now = "switch for ratings", read_rating(text)
    least = now if isinstance(now, int) else None
    st.session_state[key] = least

    def apply() -> None:
        typed = st.session_state[key]
        replace_in_field(text_key, RATING_FIELDS, write_rating(None if typed is None else int(typed)))

    label = "Rating: other" if now == OTHER else "Any rating" if least is None else f"Rated {least:d} or more"
    with st.popover(label, icon=":material/leaderboard:"):
        st.number_input(
            "Both players rated at least",
            min_value=0,
            max_value=MAX_RATING,
            step=50,
            value=least,
            key=key,
            on_change=apply,
            placeholder="any rating",
        )
        note(now == OTHER)


def list_names(also: Collection[str]) -> list[str]:
    """Return names of players to choose from, those with most games first, and others."""
    found = run_query(list_players)
    at = found.names.index("name")
    return list(dict.fromkeys([*also, *(row[at] for row in found.rows[:MAX_NAMES])]))


def note(is_other: bool) -> None:
    """Show that the text has more than a switch can show."""
    if is_other:
        st.caption(IN_TEXT)
