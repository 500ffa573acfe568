"""The filter of a page, in the filter language, with what could follow as chips, filters that were saved, and help. It is in the URL."""

from __future__ import annotations

import getpass
import re
from collections.abc import Sequence
from functools import cache

import streamlit as st

from dashboards.answers import ask
from dashboards.database import database, may_write
from dashboards.location import bound
from dashboards.verbatim import verbatim
from dashboards.words import plain
from dashboards.writing import write_button
from zertz_db.errors import ZertzError
from zertz_db.ingest.marking import mark
from zertz_db.queries.completing import Suggestion, complete
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_errors import FilterError
from zertz_db.queries.filter_fields import FIELDS
from zertz_db.queries.filters import condition
from zertz_db.queries.marks import marks

KEY = "filter"
"""Of the text field, and in the address."""
NEXT = "filter of the next run"
CHIPS = "what could follow in the filter"
USUAL = ("player:", "board:", "date:", "ending:", "sets:", "kind:", "plies:", "winner:", "event:", "rules:")
"""Fields that are offered before anything is typed, the most useful first."""
EXPLAINED = """
Terms side by side all hold; `or`, `not` (or `-`) and parentheses join them otherwise. A field has several values to choose from with
commas between, a range as `2010..2012`, `2010..`, `<20`, `>=20`. Names are given whole, in quotation marks where they have a blank;
`*` stands for any letters. A word without a field is looked for in names, events and places. Capital and small letters are alike.
"""


def filters(placeholder: str = "player:ada date:2010..2012 not board:37 plies:<30") -> str:
    """What is asked for, in the filter language; "" for all games. What can't be asked is pointed at, and the page ends there."""
    if NEXT in st.session_state:
        st.session_state[KEY] = st.session_state.pop(NEXT)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = bound(
            KEY,
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
            default="",
        )
        kept()
        with st.popover("", icon=":material/help:", help="The filter language"):
            explain()
    chips(typed)
    asked = finished(typed)
    try:
        condition(asked)
    except FilterError as error:
        st.error(plain(error.problem), icon=":material/error:")
        verbatim(error.excerpt, key="fault of filter", wraps=False)
        st.stop()
    except QueryError as error:
        st.error(plain(error), icon=":material/error:")
        st.stop()
    return asked


def finished(typed: str) -> str:
    """The filter without a field at its end that has no value yet: it is being written.

    >>> finished("board:37 player:")
    'board:37'
    """
    words = words_of(typed)
    unfinished = bool(words) and words[-1].endswith(":") and words[-1].lstrip("(-").removesuffix(":") in FIELDS
    return " ".join(words[:-1] if unfinished else words)


def words_of(text: str) -> list[str]:
    """The words of a filter; what stands in quotation marks is together.

    >>> words_of('player:"Ada L" board:37')
    ['player:"Ada L"', 'board:37']
    """
    return re.findall(r'(?:[^\s"]|"[^"]*"?)+', text)


def narrow_by(asked: str) -> None:
    """Ask for this term too, instead of others with its field; in the next run, before the filter is shown."""
    field, colon, _ = asked.partition(":")
    words = words_of(finished(st.session_state.get(KEY) or ""))
    st.session_state[NEXT] = " ".join([*(word for word in words if not word.startswith(field + colon)), asked])


def term(field: str, value: object) -> str:
    """A field with a value, in quotation marks where it needs them. Asterisks and quotation marks in it stand for any letters.

    >>> term("player", "Ada L"), term("board", 37)
    ('player:"Ada L"', 'board:37')
    """
    text = str(value).replace('"', "*")
    is_plain = text.isalnum() or (text.replace("-", "").replace("/", "").replace("+", "").isalnum() and text[0] != "-")
    return f"{field}:{text}" if is_plain and field != "player" else f'{field}:"{text}"'


def chips(typed: str) -> None:
    """What could follow, to click."""
    offered = suggestions(typed)
    shown = [suggestion.text for suggestion in offered]
    if not shown:
        return
    st.session_state.pop(CHIPS, None)
    st.pills(
        "What could follow",
        range(len(shown)),
        format_func=lambda number: plain(shown[number]),
        key=CHIPS,
        label_visibility="collapsed",
        on_change=take,
        args=(typed, offered),
    )


def suggestions(typed: str) -> Sequence[Suggestion]:
    """Chips for a text: fields at its beginning and behind what is finished, values behind a field."""
    begun = typed if typed.endswith(":") or not typed else f"{typed} " if finished_word(typed) else typed
    found = complete(database(), begun)
    if begun.strip() and not begun.endswith(" "):
        return [one for one in found if one.text != begun[one.start :]]
    return [Suggestion(field, "", len(begun), len(begun)) for field in USUAL if f" {field}" not in f" {begun}"]


def finished_word(typed: str) -> bool:
    """Whether the last word is a term that can be asked."""
    try:
        condition(finished(typed))
    except QueryError:
        return False
    return any(":" in word for word in words_of(typed)[-1:])


def take(typed: str, offered: Sequence[Suggestion]) -> None:
    """Put the chip that was clicked into the filter."""
    number = st.session_state.get(CHIPS)
    if number is None:
        return
    chosen = offered[number]
    before = typed[: chosen.start] if chosen.end <= len(typed) else f"{typed.rstrip()} " if typed.strip() else ""
    st.session_state[KEY] = before + chosen.text


def kept() -> None:
    """Filters that people saved, to take or to save."""
    with st.popover("", icon=":material/bookmark:", help="Saved filters and labels"):
        found = ask(marks).dicts()
        saved = {row["label"]: row["filter"] for row in reversed(found) if row["filter"] is not None}
        labels = dict.fromkeys(row["label"] for row in found if row["game"] and row["label"])
        st.markdown("**Saved filters**")
        for label, text in saved.items():
            st.button(
                plain(label), key=f"saved {label}", help=plain(text), on_click=choose, args=(text,), type="tertiary"
            )
        if not saved:
            st.caption("None yet.")
        if labels:
            st.markdown("**Games with a label**")
            for label in labels:
                st.button(
                    plain(label), key=f"label {label}", on_click=choose, args=(term("label", label),), type="tertiary"
                )
        if may_write():
            name = st.text_input("Save this filter as", key="name of the filter", placeholder="my opponents")
            if write_button("Save", icon=":material/save:", key="save filter", disabled=not name.strip()):
                save(name.strip(), finished(st.session_state.get(KEY) or ""))
        else:
            st.caption("To save this one: `zertz mark --filter`, or start the dashboard with `--allow-import`.")


def choose(text: str) -> None:
    """Ask this."""
    st.session_state[KEY] = text


def save(label: str, text: str) -> None:
    """Keep a filter under a name."""
    try:
        mark(database().folder, getpass.getuser(), label=label, words=text)
    except ZertzError as error:
        st.error(plain(error), icon=":material/error:")
    else:
        st.rerun()


def explain() -> None:
    """The filter language."""
    st.markdown(EXPLAINED)
    st.markdown(fields())


@cache
def fields() -> str:
    """A table of the fields, in Markdown."""
    lines = ["| field | games | for example | values |", "|---|---|---|---|"]
    for name, field in FIELDS.items():
        choices = " ".join(f"`{choice}`" for choice in field.choices)
        lines.append(f"| `{name}` | {field.meaning} | `{field.example}` | {choices} |".replace("||", "| |"))
    return "\n".join(lines)
