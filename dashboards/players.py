"""The page with the players: all of them, ratings, names and games that may be one. Filter and order are in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.answers import ask
from dashboards.filtering import filters
from dashboards.listing import PAGE, Column, Pages, Row, listing, ordered_by, results_of
from dashboards.location import bound, bound_tabs, number, open_page, value
from dashboards.profile import show_both, show_player
from dashboards.reviewing import show_doubles, show_names
from dashboards.words import plain
from zertz_db.cli.words import counted
from zertz_db.queries.players import players
from zertz_db.queries.ratings import ratings
from zertz_db.queries.suggestions import absence

INTERVAL = "a tie counts half; the line is the interval that holds the true score with 95 % confidence"
ALL = (
    Column("Name", sort="name"),
    Column("Kind", "quiet", sort="kind", wide=True, help="human, bot, or guest: a seat that many persons take"),
    Column("Games", "number", sort="games"),
    Column("Won, tied, lost; score", "results", sort="share", help=INTERVAL),
    Column("Since", "quiet", sort="first_date", wide=True),
    Column("Last game", "quiet", sort="last_date", wide=True),
    Column("Names", "number", sort="names", wide=True, help="how many spellings and names of the player's the games have"),
)  # fmt: skip
RATED = (
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


def page() -> None:
    """The page. A name in the URL (`?player=`) opens that player, another one (`&vs=`) the two against each other."""
    named, versus = value("player"), value("vs")
    st.title(plain(f"{named} against {versus}" if named and versus else named or "Players"))
    if named and st.button("All players", icon=":material/arrow_back:", type="tertiary", key="back"):
        open_page("players", {})
    words = filters("board:37 date:2010..2012 kind:human-human")
    if named and versus:
        show_both(named, versus, words)
    elif named:
        show_player(named, words)
    else:
        show_all(words)


def show_all(words: str) -> None:
    """Lists, of which only the open one is asked for."""
    everybody, rated, names, games = bound_tabs("about", ("Players", "Ratings", "Names to review", "Games to review"))
    if everybody.open:
        with everybody:
            show_everybody(words)
    if rated.open:
        with rated:
            show_ratings(words)
    if names.open:
        with names:
            show_names()
    if games.open:
        with games:
            show_doubles(words)


def show_everybody(words: str) -> None:
    """All players, by name where a part of one is typed."""
    found = ask(players, words).dicts()
    if not found:
        st.info(plain(ask(absence, words)) if words else "No game names its players yet.", icon=":material/group_off:")
        return
    part = bound(
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
    st.caption(counted(len(found), "player"))
    show_sorted(
        ALL,
        found,
        "-games",
        lambda row: (
            row["name"],
            row["kind"],
            f"{row['games']:,}",
            results_of(row),
            _day(row["first_date"]),
            _day(row["last_date"]),
            str(row["names"]),
        ),
    )


def show_sorted(columns: Sequence[Column], found: list[dict[str, Any]], usual: str, values: Any) -> None:
    """A list of players in the order and at the page that the URL names; choosing one opens him."""
    known = {column.sort for column in columns if column.sort}
    sort = value("sort", usual)
    sort = sort if sort.removeprefix("-") in known else usual
    ordered = ordered_by(found, sort)
    at = number("page", -(-len(found) // PAGE))
    shown = [
        Row(row["name"], values(row), "players", {"player": row["name"]})
        for row in ordered[(at - 1) * PAGE : at * PAGE]
    ]
    listing(columns, shown, key=f"list {usual}", sort=sort, pages=Pages(at, len(found)), label="Players")


def show_ratings(words: str) -> None:
    """The ratings after all games."""
    st.caption(
        "Ratings after all games whose date and result are known, the surest strong players first. Humans and bots are on one scale; "
        "humans among themselves are rated with the filter `kind:human-human`."
    )
    found = ask(ratings, words).dicts()
    if not found:
        st.info("No such game can be rated.", icon=":material/leaderboard:")
        return
    kinds = list(dict.fromkeys(row["kind"] for row in found))
    kind = (
        bound(
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
    show_sorted(
        RATED,
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


page()
