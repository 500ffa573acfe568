"""The page with the players: all of them, ratings, names and games that may be one. Filter and order are in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.answers import ask
from dashboards.database import database, may_write
from dashboards.filtering import filters
from dashboards.listing import PAGE, Column, Pages, Row, listing, ordered_by, results_of
from dashboards.location import number, put
from dashboards.profile import show_both, show_player
from dashboards.tables import show
from dashboards.words import plain
from zertz_db.cli.words import counted
from zertz_db.ingest.claiming import claim
from zertz_db.queries.duplicates import duplicates
from zertz_db.queries.name_proposals import proposals
from zertz_db.queries.players import claims, players
from zertz_db.queries.ratings import ratings
from zertz_db.store.errors import StoreError

INTERVAL = "a tie counts half; the line is the interval that holds the true score with 95 % confidence"
TIERS = "bytes: the same record; game: the same players, date and moves; moves: the same moves; contained: one begins the other"
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
DOUBLES = (
    Column("How sure", "badge", help=TIERS),
    Column("Players"),
    Column("Date", "quiet"),
    Column("Perhaps the same as", wide=True),
    Column("Of", "quiet", wide=True),
    Column("What speaks for it", "long"),
)  # fmt: skip
REVIEWED = 8
"""So many pairs of names are shown at a time."""


def page() -> None:
    """The page. A name in the URL (`?player=`) opens that player, another one (`&vs=`) the two against each other."""
    named, versus = st.query_params.get("player", ""), st.query_params.get("vs", "")
    st.title(plain(f"{named} against {versus}" if named and versus else named or "Players"))
    if named:
        whole = {"player": None, "vs": None}
        st.button("All players", icon=":material/arrow_back:", type="tertiary", on_click=put, kwargs=whole, key="back")
    words = filters("board:37 date:2010..2012 kind:human-human")
    if named and versus:
        show_both(named, versus, words)
    elif named:
        show_player(named, words)
    else:
        show_all(words)


def show_all(words: str) -> None:
    """Lists, of which only the open one is asked for."""
    everybody, rated, names, games = st.tabs(
        ["Players", "Ratings", "Names to review", "Games to review"], key="about", bind="query-params"
    )
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
        st.info("No game is like that." if words else "No game names its players yet.", icon=":material/group_off:")
        return
    part = st.text_input(
        "Find a name",
        key="name",
        bind="query-params",
        type="search",
        live=True,
        placeholder="a part of a name",
        label_visibility="collapsed",
        icon=":material/person_search:",
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
    sort = st.query_params.get("sort", usual)
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
        st.segmented_control(
            "Kind", kinds, default=kinds[0], key="kind", bind="query-params", label_visibility="collapsed"
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


def show_names() -> None:
    """Names that may be one player's, to decide on; what was decided."""
    st.caption(
        "Names that may be one player's: alike, never met, with opponents in common or different in signs only. People decide."
    )
    found = ask(proposals).dicts()
    if not found:
        st.info("No two names look like one player's.", icon=":material/check:")
    pages = max(1, -(-len(found) // REVIEWED))
    at = min(st.session_state.get("page of names", 1), pages)
    for row in found[(at - 1) * REVIEWED : at * REVIEWED]:
        show_pair(row)
    if pages > 1:
        st.pagination(pages, key="page of names")
    said = ask(claims)
    if said.rows:
        st.subheader("What was decided")
        show(said)
    if not may_write():
        st.caption(
            "To decide here, start the dashboard with `--allow-import`; or `zertz players NAME --is OTHER`, `--is-not`, `--undo`."
        )


def show_pair(row: dict[str, Any]) -> None:
    """Two names, and the decision."""
    name, player = row["name"], row["player"]
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.markdown(f"**{plain(name)}** ({row['games']:,}) and **{plain(player)}**")
            st.caption(plain(row["evidence"]))
        for label, verdict, icon in (("One player", "accepted", "check"), ("Two players", "rejected", "close")):
            st.button(
                label, key=f"{verdict} {name} {player}", icon=f":material/{icon}:", disabled=not may_write(),
                on_click=decide, args=(name, player, verdict, row["evidence"]),
            )  # fmt: skip


def decide(name: str, player: str, verdict: str, evidence: str) -> None:
    """Say whether two names are one player's."""
    try:
        claim(database().folder, name, player, verdict, evidence)
    except StoreError as error:
        st.toast(plain(error), icon=":material/error:")
    else:
        st.toast(
            f"Noted: {plain(name)} {'is' if verdict == 'accepted' else 'is not'} {plain(player)}.",
            icon=":material/check:",
        )


def show_doubles(words: str) -> None:
    """Games that may be one."""
    st.caption(
        "Games that may be one, the surest first. `zertz duplicates --merge` makes one of them; it can be parted again."
    )
    found = ask(duplicates, words).dicts()
    if not found:
        st.info("No two games look like one.", icon=":material/check:")
        return
    at = number("page", -(-len(found) // PAGE))
    shown = [
        Row(
            row["game"],
            (row["tier"], row["players"], row["date"], row["other_players"], row["other_date"], row["evidence"]),
            "game",
            {"id": row["game"]},
        )
        for row in found[(at - 1) * PAGE : at * PAGE]
    ]
    listing(DOUBLES, shown, key="doubles", pages=Pages(at, len(found)), label="Games that may be one")


def _day(value: Any) -> str | None:
    return None if value is None else str(value)


page()
