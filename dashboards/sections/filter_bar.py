"""Show a page's filter: switches for frequent terms, its text in the filter language, chips for what could follow, saved filters, help.

The filter is in the URL, and goes along to other pages.
"""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from functools import cache

import streamlit as st

from zertz_db.dashboards.components.location import bind_widget, show_title
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.sections.filter_switches.filter_text import drop_open_field, replace_terms, split_terms
from zertz_db.dashboards.sections.filter_switches.switch_row import show_switches
from zertz_db.dashboards.sections.filter_switches.switch_values import KINDS, read_kind
from zertz_db.dashboards.state.database import get_database, is_writable
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.dashboards.state.write_tokens import write_button
from zertz_db.edit.marks import add_mark
from zertz_db.errors import ZertzError
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.completion import Suggestion, complete_filter
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.filters.fields import FIELDS
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.marks import list_marks

FILTER_KEY = "filter"
"""Key of the text field, and name in the URL."""
NEXT_FILTER_KEY = "filter of the next run"
CHIPS_KEY = "suggestions for the filter"
SUGGESTED_FIELDS = ("ending:", "sets:", "plies:", "winner:", "won:", "event:", "rules:", "label:")
"""Fields offered before anything is typed, the most useful first. Switches have those that are missing here."""
MIN_HUMAN_GAMES = 400
"""Games between humans from which a page counts them by default: a share of 400 games is known within 5 per cent (95 % interval)."""
HELP = """
Games match if every term matches. Combine terms with `or`, `not` (or `-`) and parentheses. A field takes several values separated by
commas, or a range: `2010..2012`, `2010..`, `<20`, `>=20`. Write names in full, in quotation marks if they have a space; `*` matches
any letters. A word without a field is searched in names, events and places. Case is ignored.
"""


def show_filter(
    placeholder: str = "player:ada date:2010..2012 not board:37 plies:<30", *, prefers_humans: bool = False
) -> str:
    """Draw the filter and return its text, "" for all games. For an invalid filter, point at the mistake and end the page.

    prefers_humans: begin with games between humans, if there are enough of them and others too; the page then states which games count.
    """
    if NEXT_FILTER_KEY in st.session_state:
        st.session_state[FILTER_KEY] = st.session_state.pop(NEXT_FILTER_KEY)
    switches = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = bind_widget(
            FILTER_KEY,
            lambda key, first: st.text_input(
                "Filter",
                first,
                key=key,
                type="search",
                live="500ms",
                placeholder=placeholder,
                label_visibility="collapsed",
                icon=":material/filter_alt:",
            ),
            default=choose_default() if prefers_humans else "",
            is_carried=True,
        )
        show_saved_filters()
        with st.popover("", icon=":material/help:", help="The filter language"):
            show_help()
    show_title()
    filter_text = drop_open_field(typed)
    with switches:
        show_switches(filter_text, FILTER_KEY)
    show_chips(typed)
    try:
        condition(filter_text)
    except FilterError as error:
        st.error(escape_markdown(error.problem), icon=":material/error:")
        show_verbatim(error.excerpt, key="fault of filter", wraps=False)
        st.stop()
    except QueryError as error:
        st.error(escape_markdown(error), icon=":material/error:")
        st.stop()
    if prefers_humans:
        show_counted(filter_text)
    return filter_text


def show_absence(filters: str) -> None:
    """Show why no game matches a filter."""
    if filters:
        st.info(escape_markdown(run_query(absence, filters)), icon=":material/search_off:")
    else:
        st.info("No games yet. Run `zertz import RECORDS`.", icon=":material/inbox:")


def choose_default() -> str:
    """Return the filter that a page with totals begins with: games between humans, or all if these are few or there are no others."""
    humans, total = run_query(count_games, KINDS["humans"]), run_query(count_games)
    return KINDS["humans"] if MIN_HUMAN_GAMES <= humans < total else ""


def show_counted(filter_text: str) -> None:
    """Show which games the numbers of a page count."""
    counted, total = run_query(count_games, filter_text), run_query(count_games)
    if counted == total:
        return
    kind = ", those between humans" if read_kind(filter_text) == "humans" else ""
    st.caption(f"These numbers count {counted:,} of {format_count(total, 'game')}{kind}.")


def add_term(filter_text: str) -> None:
    """Add a term to the filter, in place of others with its field, from the next run on."""
    field = filter_text.partition(":")[0]
    typed = st.session_state.get(NEXT_FILTER_KEY) or st.session_state.get(FILTER_KEY) or ""
    st.session_state[NEXT_FILTER_KEY] = replace_terms(drop_open_field(typed), {field}, filter_text)


def build_term(field: str, value: object) -> str:
    """Return a field with a value, in quotation marks if it needs them. Quotation marks in it become `*`, which matches any letters.

    >>> build_term("player", "Ada L"), build_term("board", 37)
    ('player:"Ada L"', 'board:37')
    """
    text = str(value).replace('"', "*")
    is_plain = text.isalnum() or (text.replace("-", "").replace("/", "").replace("+", "").isalnum() and text[0] != "-")
    return f"{field}:{text}" if is_plain and field != "player" else f'{field}:"{text}"'


def build_ending_term(ending: str) -> str:
    """Return the term for a winning set or another ending.

    >>> build_ending_term("4W"), build_ending_term("time"), build_ending_term("unfinished")
    ('sets:4W', 'ending:time', 'verdict:unfinished')
    """
    if ending[0].isdigit() or ending == "several":
        return build_term("sets", ending)
    return build_term("verdict" if ending == Verdict.UNFINISHED else "ending", ending)


def show_chips(typed: str) -> None:
    """Draw chips of what could follow, to click."""
    offered = suggest_chips(typed)
    shown = [suggestion.text for suggestion in offered]
    if not shown:
        return
    st.session_state.pop(CHIPS_KEY, None)
    st.pills(
        "Suggestions",
        range(len(shown)),
        format_func=lambda number: escape_markdown(shown[number]),
        key=CHIPS_KEY,
        label_visibility="collapsed",
        on_change=apply_chip,
        args=(typed, offered),
    )


def suggest_chips(typed: str) -> Sequence[Suggestion]:
    """Return chips for a text: fields at its start and after a complete term, values after a field."""
    begun = typed if typed.endswith(":") or not typed else f"{typed} " if is_complete(typed) else typed
    found = complete_filter(get_database(), begun)
    if begun.strip() and not begun.endswith(" "):
        return [one for one in found if one.text != begun[one.start :]]
    return [
        Suggestion(field, "", len(begun), len(begun)) for field in SUGGESTED_FIELDS if f" {field}" not in f" {begun}"
    ]


def is_complete(typed: str) -> bool:
    """Return whether the last word is a complete term."""
    try:
        condition(drop_open_field(typed))
    except QueryError:
        return False
    return any(":" in word for word in split_terms(typed)[-1:])


def apply_chip(typed: str, offered: Sequence[Suggestion]) -> None:
    """Insert the clicked chip into the filter."""
    number = st.session_state.get(CHIPS_KEY)
    if number is None:
        return
    chosen = offered[number]
    before = typed[: chosen.start] if chosen.end <= len(typed) else f"{typed.rstrip()} " if typed.strip() else ""
    st.session_state[FILTER_KEY] = before + chosen.text


def show_saved_filters() -> None:
    """Draw a menu of the saved filters, to use or to save one."""
    with st.popover("", icon=":material/bookmark:", help="Saved filters and labels"):
        found = run_query(list_marks).dicts()
        saved = {row["label"]: row["filter"] for row in reversed(found) if row["filter"] is not None}
        labels = dict.fromkeys(row["label"] for row in found if row["game"] and row["label"])
        st.markdown("**Saved filters**")
        for label, text in saved.items():
            st.button(
                escape_markdown(label),
                key=f"saved {label}",
                help=escape_markdown(text),
                on_click=set_filter,
                args=(text,),
                type="tertiary",
            )
        if not saved:
            st.caption("None yet.")
        if labels:
            st.markdown("**Games with a label**")
            for label in labels:
                st.button(
                    escape_markdown(label),
                    key=f"label {label}",
                    on_click=set_filter,
                    args=(build_term("label", label),),
                    type="tertiary",
                )
        if is_writable():
            name = st.text_input("Save this filter as", key="name of the filter", placeholder="my opponents")
            if write_button("Save", icon=":material/save:", key="save filter", disabled=not name.strip()):
                save_filter(name.strip(), drop_open_field(st.session_state.get(FILTER_KEY) or ""))
        else:
            st.caption("To save this one: `zertz mark --filter`, or start the dashboard with `--allow-import`.")


def set_filter(text: str) -> None:
    """Set the filter."""
    st.session_state[FILTER_KEY] = text


def save_filter(label: str, text: str) -> None:
    """Save a filter under a name."""
    try:
        add_mark(get_database().folder, getpass.getuser(), label=label, words=text)
    except ZertzError as error:
        st.error(escape_markdown(error), icon=":material/error:")
    else:
        st.rerun()


def show_help() -> None:
    """Draw the help of the filter language."""
    st.markdown(HELP)
    st.markdown(build_field_table())


@cache
def build_field_table() -> str:
    """Return a table of the fields, in Markdown."""
    lines = ["| field | games | example | values |", "|---|---|---|---|"]
    for name, field in FIELDS.items():
        choices = " ".join(f"`{choice}`" for choice in field.choices)
        lines.append(f"| `{name}` | {field.meaning} | `{field.example}` | {choices} |".replace("||", "| |"))
    return "\n".join(lines)
