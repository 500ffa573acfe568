"""Show where a game comes from: the places of its records with links, its other tags, and its record in official notation."""

from __future__ import annotations

from typing import Any

import streamlit as st

from zertz_db.dashboards.components.listing import Column, Row, show_listing
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.queries.games.one_game import Game

PLACES = (
    Column("File", "long", help="a click lists the games of this file"),
    Column("Record", "number", help="its number in the file"),
    Column("Line", "number", wide=True),
    Column("Notation", "quiet", wide=True),
    Column("Status", "badge"),
    Column("Import", "number", wide=True, help="the import's number"),
)
TAGS = (Column("Tag", "quiet"), Column("Value", "long"))


def show_source(game: Game, notation: str | None) -> None:
    """Show the places of the game's records, its tags, and its record in official notation."""
    st.caption(f"Game {game.id}. Found in:")
    places = [build_place(number, row) for number, row in enumerate(game.sightings.dicts())]
    show_listing(PLACES, places, key="places", label="Places of its records")
    tags = [Row(row["name"], (row["name"], row["value"])) for row in game.tags.dicts()]
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
