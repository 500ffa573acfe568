"""Page of players: all players, ratings, names and games that may be one. The URL has filter and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.listing import (
    PAGE_SIZE,
    Column,
    Pages,
    Row,
    build_results,
    count_pages,
    cut_page,
    show_listing,
    sort_rows,
)
from zertz_db.dashboards.components.location import (
    bind_widget,
    check_value,
    get_number,
    get_value,
    open_page,
    show_tabs,
)
from zertz_db.dashboards.sections.decisions.game_pairs import show_game_pairs
from zertz_db.dashboards.sections.decisions.name_pairs import show_name_pairs
from zertz_db.dashboards.sections.decisions.relayed_games import show_relays
from zertz_db.dashboards.sections.filter_bar import show_filter
from zertz_db.dashboards.sections.player_profile import show_head_to_head, show_player
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.players.player_list import list_players
from zertz_db.queries.players.ratings import rate_players

INTERVAL = "a tie counts half; the line is the interval that contains the true score with 95 % confidence"
PLAYER_COLUMNS = (
    Column("Name", sort="name"),
    Column("Kind", "quiet", sort="kind", wide=True, help="human, bot, or guest: a name that many people share"),
    Column("Games", "number", sort="games"),
    Column("Won, tied, lost; score", "results", sort="share", help=INTERVAL),
    Column("Since", "quiet", sort="first_date", wide=True),
    Column("Last game", "quiet", sort="last_date", wide=True),
    Column("Names", "number", sort="names", wide=True, help="number of the player's names and spellings in the games"),
)  # fmt: skip
RATING_COLUMNS = (
    Column("Name", sort="name"),
    Column("Kind", "quiet", sort="kind", wide=True),
    Column("At least", "number", sort="at_least", help="the rating less two deviations"),
    Column(
        "Rating",
        "number",
        sort="rating",
        help="an unknown player has 1500; 400 points more mean odds of ten to one",
    ),
    Column(
        "± 95 %", "number", sort="deviation", help="two deviations: the true strength is this near with 95 % confidence"
    ),
    Column("Games", "number", sort="games"),
    Column("Last game", "quiet", sort="last_date", wide=True),
)


def show_page() -> None:
    """Draw the page. A name in the URL (`?player=`) opens that player; a second one (`&vs=`) compares the two."""
    named, versus = get_value("player"), get_value("vs")
    st.title(escape_markdown(f"{named} against {versus}" if named and versus else named or "Players"))
    if named and st.button("All players", icon=":material/arrow_back:", type="tertiary", key="back"):
        open_page("players", {})
    filters = show_filter("board:37 date:2010..2012 kind:human-human")
    if named and versus:
        show_head_to_head(named, versus, filters)
    elif named:
        show_player(named, filters)
    else:
        show_all(filters)


def show_all(filters: str) -> None:
    """Draw tabs with lists. Only the open one is queried."""
    show_tabs(
        "about",
        {
            "Players": lambda: show_all_players(filters),
            "Ratings": lambda: show_ratings(filters),
            "Names to review": show_name_pairs,
            "Games to review": lambda: show_game_pairs(filters),
            "Relayed games": lambda: show_relays(filters),
        },
    )


def show_all_players(filters: str) -> None:
    """Show all players, or those whose name has the typed part."""
    players = run_query(list_players, filters).dicts()
    if not players:
        st.info(
            escape_markdown(run_query(absence, filters)) if filters else "No players yet.",
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
    players = [row for row in players if part.strip().casefold() in row["name"].casefold()]
    st.caption(format_count(len(players), "player"))
    show_player_list(
        PLAYER_COLUMNS,
        players,
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


def show_player_list(columns: Sequence[Column], players: list[dict[str, Any]], usual: str, values: Any) -> None:
    """Show a list of players in the order and at the page of the URL; a click opens a player."""
    known = {column.sort for column in columns if column.sort}
    sort = get_value("sort", usual)
    check_value("sort", is_known=sort.removeprefix("-") in known)
    sort = sort if sort.removeprefix("-") in known else usual
    ordered = sort_rows(players, sort)
    at = get_number("page", count_pages(len(players), PAGE_SIZE))
    shown = [
        Row(row["name"], values(row), "players", {"player": row["name"]}) for row in cut_page(ordered, at, PAGE_SIZE)
    ]
    show_listing(columns, shown, key=f"list {usual}", sort=sort, pages=Pages(at, len(players)), label="Players")


def show_ratings(filters: str) -> None:
    """Show the ratings after all games."""
    st.caption(
        "Ratings after all games with a date and a result; players who are surely strong come first. Humans and bots share one scale. "
        "To rate humans among themselves, use the filter `kind:human-human`."
    )
    players = run_query(rate_players, filters).dicts()
    if not players:
        st.info("None of these games can be rated.", icon=":material/leaderboard:")
        return
    kinds = list(dict.fromkeys(row["kind"] for row in players))
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
        [row for row in players if kind in (None, row["kind"])],
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
