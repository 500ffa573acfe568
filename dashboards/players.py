"""The page with the players: all of them, one of them or two against each other, ratings, and games that may be one."""

from __future__ import annotations

import streamlit as st

from dashboards.database import database, stop
from dashboards.tables import choose, show
from zertz_db.cli.words import counted
from zertz_db.queries.duplicates import duplicates
from zertz_db.queries.errors import QueryError
from zertz_db.queries.head_to_head import head_to_head
from zertz_db.queries.name_proposals import proposals
from zertz_db.queries.players import claims, players
from zertz_db.queries.profiles import profile
from zertz_db.queries.ratings import history, ratings
from zertz_db.queries.result import Result
from zertz_db.store.opening import Database


def page() -> None:
    """The page. A name in the URL (`?player=`) opens that player."""
    st.title("Players")
    opened = database()
    words = st.text_input("Filter", placeholder="board:37 date:2010..2012 kind:human-human").strip()
    one, other = st.columns(2)
    name = one.text_input("Player", value=st.query_params.get("player", "")).strip()
    versus = other.text_input("against", disabled=not name).strip()
    try:
        if name and versus:
            show_both(opened, name, versus, words)
        elif name:
            show_player(opened, name, words)
        else:
            show_all(opened, words)
    except QueryError as error:
        stop(str(error))


def show_all(opened: Database, words: str) -> None:
    """Lists; what is chosen in the first one is opened."""
    everybody, rated, names, games = st.tabs(["Players", "Ratings", "Names", "Duplicates"])
    with everybody:
        found = players(opened, words)
        if not found.rows:
            st.info("No game is like that." if words else "No game names its players yet.")
        chosen = choose(found, "chosen player")
        if chosen is not None:
            st.query_params["player"] = found.rows[chosen][0]
            st.rerun()
    with rated:
        st.caption(
            "The surest strong players first; the true strength lies within two deviations with 95 % confidence."
        )
        show(ratings(opened, words))
    with names:
        st.caption(
            "Names that may be one player's. To decide: `zertz players NAME --is OTHER` or `--is-not`; to take back: `--undo`."
        )
        show(proposals(opened))
        st.subheader("What was decided")
        show(claims(opened))
    with games:
        st.caption("Games that may be one, with what speaks for it.")
        show(duplicates(opened, words))


def show_player(opened: Database, name: str, words: str) -> None:
    """A profile."""
    found = profile(opened, name, words)
    others = [one for one in found.player.names if one != found.player.name]
    st.header(found.player.name)
    st.caption(
        f"{found.player.kind}, {counted(found.games, 'game')}" + (f"; also {', '.join(others)}" if others else "")
    )
    if found.player.kind == "guest":
        st.info("A guest's seat is many persons': these are not one player's games, and they are not rated.")
    tables = {
        "Results": found.results,
        "How games ended": found.conditions,
        "First moves": found.first_moves,
        "Opponents": found.opponents,
        "Years": found.years,
    }
    show_tables(tables)
    moved = history(opened, words, [name])
    if moved.rows:
        st.subheader("Rating")
        st.line_chart(moved.df().groupby("date", as_index=False).last(), x="date", y="rating")


def show_both(opened: Database, name: str, versus: str, words: str) -> None:
    """Two players against each other."""
    found = head_to_head(opened, name, versus, words)
    st.header(f"{found.one.name} against {found.other.name}")
    st.caption(f"{counted(len(found.games.rows), 'game')}; wins and losses are those of {found.one.name}.")
    show_tables({"Results": found.results, "Years": found.years, "Games": found.games})


def show_tables(tables: dict[str, Result]) -> None:
    """Each under its title, those without rows left out."""
    for title, table in tables.items():
        if table.rows:
            st.subheader(title)
            show(table)


page()
