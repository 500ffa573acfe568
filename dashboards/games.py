"""The page with the list of games: filter, sort, open one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import choose
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filter_fields import BOARDS, ENDINGS, RESULTS, VERDICTS
from zertz_db.queries.filters import Filters
from zertz_db.queries.games import SUMMARY, count_games, games
from zertz_db.rules.ruleset import RULE_SETS

LIMITS = (100, 1000, 10_000)
DATE = "A year, a month or a day: 2010, 2010.05, 2010-05-01."
NAME = "The whole name; * stands for any letters."


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
    )


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
        found = games(opened, asked, sort=f"-{column}" if descending else column, limit=limit)
        total = count_games(opened, asked)
    except QueryError as error:
        stop(str(error))
    if not total:
        st.info("No game is like that." if asked.any else "There are no games yet: zertz import RECORDS brings some.")
        return
    shown = f"{len(found.rows):,} of " if len(found.rows) < total else ""
    st.caption(f"{shown}{counted(total, 'game')}. The box before a game opens it.")
    chosen = choose(found, "chosen game")
    if chosen is not None:
        st.switch_page("game.py", query_params={"id": found.rows[chosen][0]})


page()
