"""Show one player, or two against each other, on the page of players."""

from __future__ import annotations

from collections import Counter
from typing import Any

import streamlit as st

from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.listing import PAGE_SIZE, Column, Row, build_results, show_listing
from zertz_db.dashboards.components.location import set_values, show_tabs
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.components.tiles import Tile, format_percent, show_tiles
from zertz_db.dashboards.sections.decisions.player_kind import show_kind_choice
from zertz_db.dashboards.sections.filter_bar import add_term, build_ending_term, build_term
from zertz_db.dashboards.sections.game_rows import COLUMNS, VIEW_COLUMNS, GameList, build_rows
from zertz_db.dashboards.sections.players.preparation import show_preparation
from zertz_db.dashboards.state.database import stop_page
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.players.head_to_head import HeadToHead, compare_players
from zertz_db.queries.players.player_list import list_players
from zertz_db.queries.players.profile import Profile, find_profile
from zertz_db.queries.players.ratings import rating_history
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.thinking_time import ask_times

MOVE_ORDERS = {1: "moving first", 2: "moving second"}
OUTCOMES = ("won", "tied", "lost")
RESULTS = (
    Column("Board"),
    Column("Rules", "quiet", wide=True),
    Column("Side", "quiet"),
    Column("Games", "number"),
    Column("Won, tied, lost; score", "results"),
)
OPPONENTS = (
    Column("Opponent"),
    Column("Kind", "quiet", wide=True),
    Column("Games", "number"),
    Column("Won, tied, lost; score", "results"),
)
MOVES = (
    Column("First move", "code"),
    Column("Board", "quiet"),
    Column("Games", "number"),
    Column("Won, tied, lost; score", "results"),
)
TIMES = ("q25", "q25", "q50", "q75", "q90")
MAX_COMPARED = 6
"""Maximum number of opponents whose thinking times are compared with the player's."""


def show_player(name: str, filters: str) -> None:
    """Show a profile: numbers, then tabs. Only the open tab is queried."""
    found = get_profile(name, filters)
    player = found.player
    others = [one for one in player.names if one != player.name]
    st.caption(escape_markdown(f"{player.kind}{'; also ' + ', '.join(others) if others else ''}"))
    show_kind_choice(player.name, player.kind)
    if player.kind == "guest":
        st.info(
            f"“{escape_markdown(player.name)}” is shared by many people, so its statistics mean little. Guests are not rated.",
            icon=":material/groups:",
        )
    row = next((row for row in run_query(list_players, filters).dicts() if row["name"] == player.name), None)
    if row is None:
        st.info("No games of this player match.", icon=":material/search_off:")
        return
    show_headline(found, row)
    st.page_link(
        "views/insights.py",
        label="Insights: when this player wins, misses wins and thinks",
        icon=":material/insights:",
        query_params={"of": player.name, **({"filter": filters} if filters else {})},
    )
    show_tabs(
        "profile",
        {
            "Results": lambda: show_results(found),
            "Rating": lambda: show_rating([player.name], filters),
            "Opponents": lambda: show_opponents(found),
            "First moves": lambda: show_first_moves(found),
            "Thinking time": lambda: show_time(player.name, filters),
            "Games": lambda: show_games(player.name, filters),
            "Prepare": lambda: show_preparation(player.name, filters, lambda: show_rating([player.name], filters)),
        },
    )


def get_profile(name: str, filters: str) -> Profile:
    """Return the profile; for an unknown player, show an error and end the page."""
    try:
        return run_query(find_profile, name, filters)
    except QueryError as error:
        stop_page(error)


def show_headline(found: Profile, row: dict[str, Any]) -> None:
    """Show a player's main numbers."""
    span = "" if row["share"] is None else f"{100 * row['low']:.1f}–{100 * row['high']:.1f} % with 95 % confidence"
    best = next((one for one in found.opponents.dicts()), None)
    show_tiles(
        [
            Tile("Games", f"{row['games']:,}", f"{row['wins']:,} won, {row['ties']:,} tied, {row['losses']:,} lost"),
            Tile("Score", format_percent(row["share"]), span or "fewer than ten games"),
            Tile("Opponents", f"{len(found.opponents.rows):,}", f"most often {best['opponent']}" if best else ""),
            Tile("Last game", str(row["last_date"] or "–"), f"the first one {row['first_date'] or 'without a date'}"),
        ]
    )


def build_tactic_tiles(row: dict[str, Any]) -> list[Tile]:
    """Return the numbers of `tally_tactics` as tiles."""
    span = "" if row["share"] is None else f", {100 * row['low']:.1f}–{100 * row['high']:.1f} % with 95 % confidence"
    accuracy = None if row["accuracy"] is None else row["accuracy"] / 100
    return [
        Tile("Analysed games", f"{row['games']:,}"),
        Tile("Forced wins kept", format_percent(row["share"]), f"{row['kept']:,} kept, {row['missed']:,} missed{span}"),
        Tile(
            "Blunders",
            "–" if row["per_100"] is None else f"{row['per_100']:.1f}",
            f"per 100 free moves; {row['blunders']:,} in {row['free']:,}",
        ),
        Tile("Accuracy", format_percent(accuracy), f"the mean of {format_count(row['accuracies'], 'game')}"),
    ]


def show_results(found: Profile) -> None:
    """Show results by board and side, by year, and how the games ended."""
    show_results_by_order(found.results)
    show_years(found.years, found.player.name)
    for row in found.tactics.dicts():
        st.subheader("Forced wins in analysed games")
        show_tiles(build_tactic_tiles(row))
    st.subheader("How games ended")
    endings = [
        {**row, "ending": "several" if "+" in (row["winning_sets"] or "") else row["winning_sets"] or row["ending"]}
        for row in found.conditions.dicts()
    ]
    summed: Counter[tuple[str, str]] = Counter()
    for row in endings:
        summed[row["outcome"], row["ending"]] += row["games"]
    bars = [{"outcome": outcome, "ending": ending, "games": games} for (outcome, ending), games in summed.items()]
    order = [ending for (_, ending), _ in summed.most_common()]
    picked = charts.draw_stacked_bars(
        bars, "outcome", "ending", "games", key=f"endings of {found.player.id}", order=order
    )
    if picked:
        narrow_filter(build_ending_term(picked), build_outcome_term(found.player.name, picked.group))


def show_results_by_order(found: Result) -> None:
    """Show results by board, rule set and side."""
    show_listing(
        RESULTS,
        [
            Row(
                "",
                (
                    f"board {row['board']}" if row["board"] != "custom" else "custom",
                    row["rule_set"],
                    MOVE_ORDERS[row["side"]],
                    f"{row['games']:,}",
                    build_results(row),
                ),
            )
            for row in found.dicts()
        ],
        key="results by side",
        label="Results by board and side",
    )


def show_years(found: Result, name: str) -> None:
    """Show games by year."""
    st.subheader("By year")
    bars = [
        {"year": row["year"] or "no date", "outcome": outcome, "games": row[name]}
        for row in found.dicts()
        for name, outcome in zip(("wins", "ties", "losses"), OUTCOMES, strict=True)
        if row[name]
    ]
    if bars:
        picked = charts.draw_stacked_bars(bars, "year", "outcome", "games", key="results by year", order=OUTCOMES)
        if picked:
            year = f"date:{picked.group}" if picked.group and picked.group.isdigit() else ""
            narrow_filter(year, build_outcome_term(name, picked))


def build_outcome_term(name: str, outcome: str | None) -> str:
    """Return the filter for an outcome of a player's games, one of OUTCOMES; "" for another one."""
    return {"won": build_term("won", name), "tied": "winner:none", "lost": build_term("lost", name)}.get(
        outcome or "", ""
    )


def narrow_filter(*terms: str) -> None:
    """Add terms to the filter, and run the page again."""
    for term in filter(None, terms):
        add_term(term)
    st.rerun()


def show_rating(names: list[str], filters: str) -> None:
    """Show ratings over time."""
    moved = run_query(rating_history, filters, tuple(names)).dicts()
    if not moved:
        st.info(
            "None of these games can be rated. A rated game has a date, a result, and two players who are not guests.",
            icon=":material/show_chart:",
        )
        return
    last = {(row["name"], row["date"]): row for row in moved}
    charts.draw_ratings(list(last.values()), key=f"rating of {names}")
    st.caption(
        "The band contains the true strength with 95 % confidence. 400 points more mean odds of ten to one. "
        f"{escape_markdown('; '.join(describe_ratings(moved)))}."
    )


def describe_ratings(moved: list[dict[str, Any]]) -> list[str]:
    """Return for each player the number of rated games, against anyone, and the rating after the last one.

    moved: rows of `rating_history`. Names are omitted for one player.
    """
    found = {}
    for row in moved:
        rated = f"{format_count(row['number'], 'rated game')}, now {row['rating']} ± {2 * row['deviation']}"
        found[row["name"]] = rated
    return [f"{name}: {text}" if len(found) > 1 else text for name, text in found.items()]


def show_opponents(found: Profile) -> None:
    """Show the opponents, the most frequent first; a click compares the two."""
    show_listing(
        OPPONENTS,
        [
            Row(
                row["opponent"],
                (row["opponent"], row["kind"], f"{row['games']:,}", build_results(row)),
                "players",
                {"player": found.player.name, "vs": row["opponent"]},
            )
            for row in found.opponents.dicts()[:200]
        ],
        key="opponents",
        label="Opponents",
        height=640,
    )


def show_first_moves(found: Profile) -> None:
    """Show the first moves; a click opens the tree at one."""
    moves = found.first_moves.dicts()
    if not moves:
        st.info(
            "In none of these games did this player move first from an empty board.", icon=":material/account_tree:"
        )
        return
    first = build_term("first", found.player.name)
    show_listing(
        MOVES,
        [
            Row(
                row["move"],
                (row["move"], f"{row['board']} {row['rule_set']}", f"{row['games']:,}", build_results(row)),
                "openings",
                {"board": row["board"], "rules": row["rule_set"], "moves": row["move"], "filter": first},
            )
            for row in moves[:200]
        ],
        key="first moves",
        label="First moves",
        height=640,
    )


def show_time(name: str, filters: str) -> None:
    """Show thinking time for a turn, with that of the opponents in the same games."""
    text = (
        f"{filters} {build_term('player', name)}".strip()
        if " or " not in filters
        else f"({filters}) {build_term('player', name)}"
    )
    found = run_query(ask_times, "players", text)
    own = [row for row in found.dicts() if row["player"] == name]
    if not own:
        st.info("None of these games has clocks of known direction.", icon=":material/timer_off:")
        return
    others = [row for row in found.dicts() if row["player"] not in (name, None)][:MAX_COMPARED]
    charts.draw_quantiles([*own, *others], "player", TIMES, key=f"time of {name}", title="seconds for a turn")
    st.caption(
        "Bars span the middle half of the turns, with the median marked; lines reach to nine tenths. Opponents are below."
    )
    with st.expander("The numbers"):
        show_table(Result(found.columns, found.rows[:50]))


def show_games(name: str, filters: str, versus: str | None = None) -> None:
    """Show the latest games."""
    terms = [
        f"({filters})" if " or " in filters else filters,
        build_term("player", name),
        *([build_term("vs", versus)] if versus else []),
    ]
    text = " ".join(filter(None, terms))
    found = run_query(list_games, text, limit=PAGE_SIZE, columns=VIEW_COLUMNS)
    show_listing(COLUMNS, build_rows(found.dicts(), GameList(text)), key="games of the player", label="Games")
    st.page_link(
        "views/games.py",
        label="All games, to sort and to download",
        icon=":material/view_list:",
        query_params={"filter": text},
    )


def show_head_to_head(name: str, versus: str, filters: str) -> None:
    """Compare two players; wins and losses are those of the first one."""
    try:
        found: HeadToHead = run_query(compare_players, name, versus, filters)
    except QueryError as error:
        stop_page(error)
    one, other = found.one.name, found.other.name
    if not found.games.rows:
        st.info(
            f"{escape_markdown(one)} and {escape_markdown(other)} have no games against each other that match.",
            icon=":material/search_off:",
        )
        return
    st.caption(f"{format_count(len(found.games.rows), 'game')}; wins and losses are those of {escape_markdown(one)}.")
    st.button(
        escape_markdown(f"All about {one}"),
        key="only one",
        on_click=set_values,
        kwargs={"vs": None},
        type="tertiary",
        icon=":material/person:",
    )
    show_results_by_order(found.results)
    left, right = st.columns(2, gap="medium")
    with left:
        show_years(found.years, found.one.name)
    with right:
        st.subheader("Ratings")
        show_rating([one, other], filters)
    st.subheader("Games")
    show_games(one, filters, other)
