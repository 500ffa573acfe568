"""The page with the list of games: filter, sort, open one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import choose
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_errors import FilterError
from zertz_db.queries.filter_fields import BOARDS, ENDINGS, FIELDS, RESULTS, VERDICTS
from zertz_db.queries.filters import Filters
from zertz_db.queries.games import SUMMARY, count_games, games
from zertz_db.rules.ruleset import RULE_SETS

LIMITS = (100, 1000, 10_000)
DATE = "A year, a month or a day: 2010, 2010.05, 2010-05-01."
NAME = "The whole name; * stands for any letters."
EXPLAINED = """
Terms side by side all hold; `or`, `not` (or `-`) and parentheses join them otherwise. A field has several values to choose from with
commas between, a range as `2010..2012`, `2010..`, `<20`, `>=20`. Names are given whole, in quotation marks where they have a blank;
`*` stands for any letters. A word without a field is looked for in names, events and places. Capital and small letters are alike.
"""


def text(label: str, explained: str) -> str | None:
    """What is typed into a field of the sidebar, None for nothing."""
    return st.sidebar.text_input(label, help=explained).strip() or None


def one_of(label: str, values: Sequence[str]) -> str | None:
    """What is chosen in the sidebar, None for anything."""
    return st.sidebar.selectbox(label, values, index=None, placeholder="any")


def filters() -> Filters:
    """The filters set in the sidebar."""
    return Filters(
        player=text("Player", f"Played, on either side. {NAME}"),
        versus=text("Opponent", f"The opponent of that player. {NAME}"),
        first=text("Moved first", NAME),
        second=text("Moved second", NAME),
        since=text("Since", DATE),
        until=text("Until", DATE),
        board=one_of("Board", BOARDS),
        rule_set=one_of("Rule set", list(RULE_SETS)),
        result=one_of("Result", RESULTS),
        ending=one_of("Ending", ENDINGS),
        verdict=one_of("Verdict", VERDICTS),
        source=text("Source", "Found in a file with this in its path."),
        words=words(),
    )


def words() -> str | None:
    """What is typed in the filter language, None for nothing."""
    typed = st.text_input("Filter", placeholder="player:ada vs:ben date:2010..2012 not board:37 plies:<30")
    with st.expander("The filter language"):
        st.markdown(EXPLAINED)
        st.table(
            {
                "field": [f"`{name}`" for name in FIELDS],
                "games": [field.meaning for field in FIELDS.values()],
                "for example": [f"`{field.example}`" for field in FIELDS.values()],
                "values": [" ".join(f"`{choice}`" for choice in field.choices) for field in FIELDS.values()],
            }
        )
    return typed.strip() or None


def beginning(total: int, limit: int) -> int:
    """How many games come before the page of the list that is chosen."""
    pages = max(1, -(-total // limit))
    if pages == 1:
        return 0
    return limit * (int(st.number_input(f"Page (of {pages:,})", 1, pages)) - 1)


def page() -> None:
    """The page."""
    st.title("Games")
    asked = filters()
    opened = database()
    by, order, most = st.columns(3)
    column = by.selectbox("Sort by", SUMMARY, index=SUMMARY.index("date"))
    descending = order.selectbox("Order", ("greatest or latest first", "least or earliest first")).startswith(
        "greatest"
    )
    limit = most.selectbox("Show at most", LIMITS)
    try:
        total = count_games(opened, asked)
        offset = beginning(total, limit)
        found = games(opened, asked, sort=f"-{column}" if descending else column, limit=limit, offset=offset)
    except FilterError as error:
        st.code(error.excerpt, language=None)
        stop(error.problem)
    except QueryError as error:
        stop(str(error))
    if not total:
        st.info("No game is like that." if asked.any else "There are no games yet: zertz import RECORDS brings some.")
        return
    shown = f"{offset + 1:,} to {offset + len(found.rows):,} of " if len(found.rows) < total else ""
    st.caption(f"{shown}{counted(total, 'game')}. The box before a game opens it.")
    chosen = choose(found, "chosen game")
    if chosen is not None:
        st.switch_page("game.py", query_params={"id": found.rows[chosen][0]})


page()
