"""The page with the players: all of them, ratings, names and games that may be one. Filter and order are in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.components.listing import PAGE_SIZE, Column, Pages, Row, build_results, show_listing, sort_rows
from dashboards.components.location import bind_tabs, bind_widget, get_number, get_value, open_page
from dashboards.sections.filter_bar import show_filter
from dashboards.sections.player_profile import show_head_to_head, show_player
from dashboards.sections.review_pairs import show_duplicates, show_names
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.players.player_list import list_players
from zertz_db.queries.players.ratings import rate_players

INTERVAL = "a tie counts half; the line is the interval that holds the true score with 95 % confidence"
PLAYER_COLUMNS = (
    Column("Name", sort="name"),
    Column("Kind", "quiet", sort="kind", wide=True, help="human, bot, or guest: a seat that many persons take"),
    Column("Games", "number", sort="games"),
    Column("Won, tied, lost; score", "results", sort="share", help=INTERVAL),
    Column("Since", "quiet", sort="first_date", wide=True),
    Column("Last game", "quiet", sort="last_date", wide=True),
    Column("Names", "number", sort="names", wide=True, help="how many spellings and names of the player's the games have"),
)  # fmt: skip
RATING_COLUMNS = (
    Column("Name", sort="name"),
    Column("Kind", "quiet", sort="kind", wide=True),
    Column("At least", "number", sort="at_least", help="the rating less two deviations"),
    Column(
        "Rating",
        "number",
        sort="rating",
        help="a player of whom nothing is known has 1500; 400 points more are odds of ten to one",
    ),
    Column(
        "± 95 %", "number", sort="deviation", help="two deviations: the true strength lies so near with 95 % confidence"
    ),
    Column("Games", "number", sort="games"),
    Column("Last game", "quiet", sort="last_date", wide=True),
)


def show_page() -> None:
    """The page. A name in the URL (`?player=`) opens that player, another one (`&vs=`) the two against each other."""
    named, versus = get_value("player"), get_value("vs")
    st.title(escape_markdown(f"{named} against {versus}" if named and versus else named or "Players"))
    if named and st.button("All players", icon=":material/arrow_back:", type="tertiary", key="back"):
        open_page("players", {})
    words = show_filter("board:37 date:2010..2012 kind:human-human")
    if named and versus:
        show_head_to_head(named, versus, words)
    elif named:
        show_player(named, words)
    else:
        show_all(words)


def show_all(words: str) -> None:
    """Lists, of which only the open one is asked for."""
    everybody, rated, names, games = bind_tabs("about", ("Players", "Ratings", "Names to review", "Games to review"))
    if everybody.open:
        with everybody:
            show_all_players(words)
    if rated.open:
        with rated:
            show_ratings(words)
    if names.open:
        with names:
            show_names()
    if games.open:
        with games:
            show_duplicates(words)


def show_all_players(words: str) -> None:
    """All players, by name where a part of one is typed."""
    found = run_query(list_players, words).dicts()
    if not found:
        st.info(
            escape_markdown(run_query(absence, words)) if words else "No game names its players yet.",
            icon=":material/group_off:",
        )
        return
    part = bind_widget(
        "name",
        lambda key, first: st.text_input(
            "Find a name",
            first,
            key=key,
            type="search",
            live=True,
            placeholder="a part of a name",
            label_visibility="collapsed",
            icon=":material/person_search:",
        ),
        default="",
    )
    found = [row for row in found if part.strip().casefold() in row["name"].casefold()]
    st.caption(format_count(len(found), "player"))
    show_player_list(
        PLAYER_COLUMNS,
        found,
        "-games",
        lambda row: (
            row["name"],
            row["kind"],
            f"{row['games']:,}",
            build_results(row),
            _day(row["first_date"]),
            _day(row["last_date"]),
            str(row["names"]),
        ),
    )


def show_player_list(columns: Sequence[Column], found: list[dict[str, Any]], usual: str, values: Any) -> None:
    """A list of players in the order and at the page that the URL names; choosing one opens him."""
    known = {column.sort for column in columns if column.sort}
    sort = get_value("sort", usual)
    sort = sort if sort.removeprefix("-") in known else usual
    ordered = sort_rows(found, sort)
    at = get_number("page", -(-len(found) // PAGE_SIZE))
    shown = [
        Row(row["name"], values(row), "players", {"player": row["name"]})
        for row in ordered[(at - 1) * PAGE_SIZE : at * PAGE_SIZE]
    ]
    show_listing(columns, shown, key=f"list {usual}", sort=sort, pages=Pages(at, len(found)), label="Players")


def show_ratings(words: str) -> None:
    """The ratings after all games."""
    st.caption(
        "Ratings after all games whose date and result are known, the surest strong players first. Humans and bots are on one scale; "
        "humans among themselves are rated with the filter `kind:human-human`."
    )
    found = run_query(rate_players, words).dicts()
    if not found:
        st.info("No such game can be rated.", icon=":material/leaderboard:")
        return
    kinds = list(dict.fromkeys(row["kind"] for row in found))
    kind = (
        bind_widget(
            "kind",
            lambda key, first: st.segmented_control(
                "Kind", kinds, default=first, key=key, label_visibility="collapsed"
            ),
            default=kinds[0],
            options=(*kinds, None),
        )
        if len(kinds) > 1
        else None
    )
    show_player_list(
        RATING_COLUMNS,
        [row for row in found if kind in (None, row["kind"])],
        "-at_least",
        lambda row: (
            row["name"],
            row["kind"],
            str(row["at_least"]),
            str(row["rating"]),
            f"± {2 * row['deviation']}",
            f"{row['games']:,}",
            _day(row["last_date"]),
        ),
    )


def _day(value: Any) -> str | None:
    return None if value is None else str(value)


show_page()
