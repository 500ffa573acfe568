"""The page with statistics: how games are won and go on, thinking time, tournaments. (A module called `statistics` would hide Python's.)"""

from __future__ import annotations

import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import show
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games import count_games
from zertz_db.queries.result import Result
from zertz_db.queries.statistics import STATISTICS, statistics
from zertz_db.queries.statistics_groups import GROUPS, group
from zertz_db.queries.times import TIMES, times
from zertz_db.queries.tournaments import crosstable, tournaments
from zertz_db.store.opening import Database

WINS = ("first-mover", "sets", "endings")
COURSE = ("lengths", "histogram", "leads", "lead-changes", "captures", "sacrifices")
BARS = {
    "sets": ("set", "share"),
    "endings": ("ending", "share"),
    "histogram": ("plies", "share"),
    "lead-changes": ("changes", "share"),
}
"""Tables drawn as bars: what stands below, and how high the bars are."""
LINES = {"captures": ("part", ("first", "second", "winner", "loser"))}
"""Tables drawn as lines."""


def page() -> None:
    """The page."""
    st.title("Statistics")
    opened = database()
    asked = st.text_input("Filter", placeholder="player:ada date:2010..2012 not board:37").strip()
    by = st.multiselect("Divided by", GROUPS, help="; ".join(f"{name}: {group(name).meaning}" for name in GROUPS))
    try:
        total = count_games(opened, asked)
        if not total:
            st.info("No game is like that." if asked else "There are no games yet: zertz import RECORDS brings some.")
            return
        st.caption(f"{counted(total, 'game')}. What a column means is shown when the pointer rests on its name.")
        wins, course, thinking, events = st.tabs(["Wins", "Course of the game", "Thinking time", "Tournaments"])
        with wins:
            show_tables(opened, WINS, asked, by)
        with course:
            show_tables(opened, COURSE, asked, by)
        with thinking:
            show_times(opened, asked, by)
        with events:
            show_tournaments(opened, asked)
    except QueryError as error:
        stop(str(error))


def show_tables(opened: Database, names: tuple[str, ...], asked: str, by: list[str]) -> None:
    """Some of the statistics, each with its drawing."""
    for name in names:
        if name == "first-mover" and "side" in by:
            continue  # there is nothing to count
        st.subheader(STATISTICS[name].title.capitalize())
        found = statistics(opened, name, asked, by)
        draw(name, found, len(by))
        show(found)


def draw(name: str, found: Result, groups: int) -> None:
    """Bars, those of a group in a colour of their own; lines only where games are not divided."""
    frame = found.df()
    if name in BARS and len(frame):
        below, high = BARS[name]
        frame["group"] = [" ".join(map(str, row[:groups])) for row in found.rows]
        frame[below] = frame[below].astype("string").fillna("none")
        st.bar_chart(frame, x=below, y=high, color="group" if groups else None, stack=False, sort=False)
    elif name in LINES and not groups:
        along, lines = LINES[name]
        st.line_chart(frame, x=along, y=list(lines))


def show_times(opened: Database, asked: str, by: list[str]) -> None:
    """The tables about time."""
    for name, table in TIMES.items():
        found = times(opened, name, asked, by)
        if found.rows:
            st.subheader(table.title.capitalize())
            show(found)
    st.caption(
        "What clocks don't settle is left out: games without clocks, and with clocks of which nobody knows how they count."
    )


def show_tournaments(opened: Database, asked: str) -> None:
    """The tournaments, and the crosstable of one."""
    found = tournaments(opened, asked)
    if not found.rows:
        st.write("No game belongs to a tournament.")
        return
    show(found)
    name = st.selectbox("Crosstable", [row["tournament"] for row in found.dicts()])
    show(crosstable(opened, name, asked))


page()
