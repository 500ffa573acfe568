"""Start page: the contents of the database, its last import, its games in charts, and links to the other pages."""

from __future__ import annotations

from typing import Any, NoReturn

import streamlit as st

from zertz_db.dashboards.components.charts import COUNT_FORMAT, Axis, draw_columns, draw_stacked_bars
from zertz_db.dashboards.components.gallery import show_gallery
from zertz_db.dashboards.components.location import open_page
from zertz_db.dashboards.components.tiles import Tile, format_percent, show_tiles
from zertz_db.dashboards.sections.filter_bar import build_ending_term, build_term, show_absence, show_filter
from zertz_db.dashboards.sections.filter_switches.filter_text import replace_terms
from zertz_db.dashboards.sections.game_cards import build_cards
from zertz_db.dashboards.sections.puzzle_choice import show_daily_puzzle
from zertz_db.dashboards.sections.update_notice import format_age
from zertz_db.dashboards.state.database import get_database, get_folder
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.parser.vocabulary.terms import Ending, Verdict
from zertz_db.plurals import format_count
from zertz_db.queries.database_info import Info, list_imports, summarise
from zertz_db.queries.filters.terms import join_filters
from zertz_db.queries.games.game_list import count_games, list_games
from zertz_db.queries.players.player_list import list_players
from zertz_db.queries.statistics.registry import ask_statistics
from zertz_db.store.annotations.faults import MAX_REPORTED
from zertz_db.store.annotations.overlay import faults

MAX_LATEST = 6
"""Maximum number of latest games."""
LINKS = (
    (
        "views/openings.py",
        "Openings",
        ":material/account_tree:",
        "The tree of first moves, with the results of each.",
    ),
    ("views/search.py", "Position search", ":material/search:", "Find a position or a pattern in all games."),
    (
        "views/stats.py",
        "Win conditions",
        ":material/bar_chart:",
        "How games are won, by board, time and kind of player.",
    ),
    ("views/players.py", "Players", ":material/group:", "Profiles, ratings, and two players against each other."),
    (
        "views/check.py",
        "Check records",
        ":material/fact_check:",
        "Drop a file or paste a game to see its findings.",
    ),
)


def show_page() -> None:
    """Draw the page."""
    st.title("ZÈRTZ games")
    warn_of_faults()
    found = run_query(summarise)
    total = sum(row["games"] for row in found.games.dicts())
    if not total:
        show_absence("")
        st.page_link("views/check.py", label="Check records first", icon=":material/fact_check:")
        return
    show_database(found)
    filters = show_filter(prefers_humans=True)
    if not run_query(count_games, filters):
        show_absence(filters)
        return
    by_year = run_query(ask_statistics, "first-mover", filters, ("year",)).dicts()
    show_headline(filters, by_year)
    left, right = st.columns([7, 4], gap="large")
    with left:
        show_years(by_year, filters)
        show_endings(filters)
    with right:
        show_daily_puzzle()
        show_links(filters)
        show_import()
    show_latest(filters)


def warn_of_faults() -> None:
    """Show the first entries of annotation files that are skipped."""
    found = faults(get_database().annotations_dir)
    if found:
        more = f" and {len(found) - MAX_REPORTED:,} more" if len(found) > MAX_REPORTED else ""
        st.warning(f"{' '.join(map(escape_markdown, found[:MAX_REPORTED]))}{more}", icon=":material/rule:")


def show_database(found: Info) -> None:
    """Show what the whole database has, in one line."""
    runs = run_query(list_imports).dicts()
    parts = [
        escape_markdown(get_folder().name),
        format_count(sum(row["games"] for row in found.games.dicts()), "game"),
        f"{format_count(found.plies, 'ply', 'plies')} replayed by the rules",
        format_count(found.positions, "position"),
        f"last import {format_age(runs[0]['made_at'])}" if runs else "",
    ]
    st.caption(" · ".join(filter(None, parts)))


def show_headline(filters: str, by_year: list[dict[str, Any]]) -> None:
    """Show four numbers about the games that pass the filter."""
    years = [row["year"] for row in by_year if row["year"] is not None]
    span = f"played {years[0]}–{years[-1]}" if years else "without dates"
    total, verified = (
        run_query(count_games, text) for text in (filters, join_filters(f"verdict:{Verdict.VERIFIED}", filters))
    )
    [won] = run_query(ask_statistics, "first-mover", filters).dicts()
    [long] = run_query(ask_statistics, "lengths", filters).dicts()
    show_tiles(
        [
            Tile("Games", f"{total:,}", f"{span}; {total - verified:,} unfinished"),
            Tile("Players", f"{len(run_query(list_players, filters).rows):,}", "a player's names count once"),
            Tile("First mover wins", format_percent(won["share"]), format_interval(won)),
            Tile("Length", f"{long['q50'] or '–'} plies", f"the median; the longest game has {long['longest'] or '–'}"),
        ]
    )


def format_interval(row: dict[str, Any]) -> str:
    """Return a share's interval in words."""
    if row["share"] is None:
        return "fewer than ten games"
    return f"{100 * row['low']:.1f}–{100 * row['high']:.1f} % of {row['decided']:,} decided games"


def show_years(by_year: list[dict[str, Any]], filters: str) -> None:
    """Show games by year; a click lists those of one."""
    st.subheader("Games by year")
    rows = [{**row, "year": row["year"] or "no date"} for row in by_year]
    extras = [Axis("decided", "decided", COUNT_FORMAT), Axis("unknown", "without a result", COUNT_FORMAT)]
    year = draw_columns(
        rows, Axis("year", "year"), Axis("games", "games", COUNT_FORMAT), extras, key="games by year", tall=200
    )
    if year and year.isdigit():
        open_games(filters, f"date:{year}")


def open_games(filters: str, *terms: str) -> NoReturn:
    """Show the list of the games that pass the filter and have these terms."""
    for term in terms:
        filters = replace_terms(filters, {term.partition(":")[0]}, term)
    open_page("games", {"filter": filters})


def show_endings(filters: str) -> None:
    """Show how games end on each board; a click lists the games with that ending."""
    st.subheader("How games end")
    rows = [
        {
            "board": f"board {row['board']}" if row["board"] != "custom" else "custom boards",
            "ending": way,
            "games": row["games"],
        }
        for row, way in count_endings(filters)
    ]
    part = draw_stacked_bars(rows, "board", "ending", "games", key="endings by board", order=get_ending_order(filters))
    st.caption("Four white, five grey or six black marbles win, or three of each. A click on a part lists its games.")
    if part:
        board = (part.group or "").removeprefix("board ")
        open_games(filters, build_ending_term(str(part)), build_term("board", "custom" if " " in board else board))


def count_endings(filters: str) -> list[tuple[dict[str, Any], str]]:
    """Return counts of games by board, each with its winning set, or its ending if that is not a set."""
    sets = [(row, row["set"]) for row in run_query(ask_statistics, "sets", filters, ("board",)).dicts()]
    others = [
        (row, row["ending"] or Verdict.UNFINISHED)
        for row in run_query(ask_statistics, "endings", filters, ("board",)).dicts()
        if row["ending"] != Ending.SET
    ]
    return sorted([*sets, *others], key=lambda pair: str(pair[0]["board"]))


def get_ending_order(filters: str) -> list[str]:
    """Return winning sets, then other endings, each by number of games."""
    sets = [row["set"] for row in run_query(ask_statistics, "sets", filters).dicts()]
    return [
        *sets,
        *(
            row["ending"] or Verdict.UNFINISHED
            for row in run_query(ask_statistics, "endings", filters).dicts()
            if row["ending"] != Ending.SET
        ),
    ]


def show_links(filters: str) -> None:
    """Draw links to other pages, with the filter for those that have one."""
    st.subheader("Explore")
    for page_file, label, icon, description in LINKS:
        with st.container(gap=None):
            query = {"filter": filters} if filters and page_file != "views/check.py" else None
            st.page_link(page_file, label=f"**{label}**", icon=icon, query_params=query)
            st.caption(description)


def show_import() -> None:
    """Show the last import's tally."""
    runs = run_query(list_imports).dicts()
    if not runs:
        return
    last = runs[0]
    st.subheader("Last import")
    st.caption(f"Number {last['run']}, {last['made_at']:%Y-%m-%d %H:%M} UTC, {format_count(last['sources'], 'file')}")
    st.markdown(
        f"**{last['records']:,}** records read = **{last['stored']:,}** stored + **{last['duplicate']:,}** duplicate + "
        f"**{last['rejected']:,}** rejected"
    )
    if last["records"]:
        st.progress(last["stored"] / last["records"])
    st.page_link("views/imports.py", label="All imports, and what they rejected", icon=":material/download:")


def show_latest(filters: str) -> None:
    """Show the last positions of the latest games that pass the filter."""
    st.subheader("Latest games")
    latest = run_query(
        list_games, filters, limit=MAX_LATEST, columns=("id", "player1", "player2", "date", "result", "board")
    ).dicts()
    show_gallery(build_cards(get_database(), latest), key="latest games", label="Latest games", width=150)


show_page()
