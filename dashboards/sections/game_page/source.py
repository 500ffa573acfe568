"""Show where a game comes from: the places of its records, its tags with links, and its record in official notation."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from dashboards.components.listing import Column, Row, show_listing
from dashboards.components.verbatim import show_verbatim
from dashboards.sections.filter_bar import build_term
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.games.one_game import Game

PLACES = (
    Column("File", "long", help="a click lists the games of this file"),
    Column("Record", "number", help="its number in the file"),
    Column("Line", "number", wide=True),
    Column("Notation", "quiet", wide=True),
    Column("Status", "badge"),
    Column("Import", "number", wide=True, help="the import's number"),
)
TAGS = (Column("Tag", "quiet"), Column("Value", "long", help="a click lists the games that share it"))
FIELDS = {
    "Event": "event",
    "Site": "site",
    "Date": "date",
    "Board": "board",
    "RuleSet": "rules",
    "Result": "result",
}
"""Tags that link to a list of games, and their fields of the filter language."""
PLAYER_TAG = re.compile("Player[12]")


def show_source(game: Game, notation: str | None) -> None:
    """Show the places of the game's records, its tags, and its record in official notation."""
    st.caption(f"Game {game.id}. Found in:")
    places = [build_place(number, row) for number, row in enumerate(game.sightings.dicts())]
    show_listing(PLACES, places, key="places", label="Places of its records")
    tags = [build_tag(row["name"], row["value"]) for row in game.tags.dicts()]
    if tags:
        show_listing(TAGS, tags, key="tags", label="Tags", height=420)
    if notation is None:
        st.write(
            "This version of zertz-db reads its record differently from the version that stored it. Run `zertz recheck` to update it."
        )
        return
    st.download_button(
        "Download official notation", notation, f"{game.id}.txt", icon=":material/download:", on_click="ignore"
    )
    st.page_link(
        "views/analysis.py",
        label="Open with variations",
        icon=":material/account_tree:",
        query_params={"game": game.id},
    )
    show_verbatim(notation, key="notation")


def build_place(number: int, row: dict[str, Any]) -> Row:
    """Return the row of a record's place: the file, and the name inside an archive."""
    place = f"{row['path']}!{row['member']}" if row["member"] else row["path"]
    values = (
        place,
        str(row["index"] + 1),
        None if row["line_from"] is None else str(row["line_from"]),
        row["dialect"],
        row["status"],
        str(row["run"]),
    )
    return Row(str(number), values, "games", {"filter": build_term("source", place)})


def build_tag(name: str, value: str) -> Row:
    """Return the row of a tag, with a link to the player or to the games that share its value."""
    if PLAYER_TAG.fullmatch(name) and value:
        return Row(name, (name, value), "players", {"player": value})
    term = build_term(FIELDS[name], value) if name in FIELDS and value else ""
    try:
        condition(term)
    except QueryError:  # for example a date of which nothing is known
        term = ""
    return Row(name, (name, value), "games", {"filter": term}) if term else Row(name, (name, value))
