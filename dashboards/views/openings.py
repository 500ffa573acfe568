"""Page of the opening tree: a position, its continuations with their results, and the way back. The URL has the moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dashboards.components.board import show_choices
from dashboards.components.charts import draw_stacked_bars
from dashboards.components.listing import Column, Row, build_results, show_listing
from dashboards.components.location import bind_tabs, bind_widget, get_value, set_values
from dashboards.sections.filter_bar import add_term, build_term, show_filter
from dashboards.sections.mark_form import mark_position
from dashboards.state.database import stop_page
from dashboards.state.markdown_text import escape_markdown
from dashboards.state.query_cache import run_query
from parser.vocabulary.terms import GameResult
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.continuations import ORDERS
from zertz_db.queries.openings.tree import Openings, find_openings
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.rules.svg.move_marks import trace
from zertz_db.variations.move_tree import MoveTree, add_moves
from zertz_db.variations.short_text import write_short

MAX_CONTINUATIONS, MAX_GAMES = 100, 12
"""Maximum number of continuations, and of games that reached the position."""
MAX_BARS = 10
"""Maximum number of continuations in the chart of endings."""
INTERVAL = "a tie counts half; the line is the interval that holds the true score with 95 % confidence"
CONTINUATIONS = (
    Column("Move", "code", help="in official notation, turned as this position; moves that the board's symmetry makes equal are one"),
    Column("Games", "number", sort="games", help="games with this continuation"),
    Column("By these moves", "number", wide=True, help="games that reached the position by the moves above"),
    Column("Won, tied, lost by who plays it; score", "results", sort="result", help=INTERVAL),
    Column("Plies", "number", wide=True, help="mean length of these games"),
    Column("Last", "quiet", sort="date", wide=True, help="latest date"),
    Column("Name", "quiet", wide=True, help="name of the move"),
)  # fmt: skip
GAMES = (
    Column("Date", "quiet"),
    Column("First"),
    Column("Second"),
    Column("Result", "code"),
    Column("Ply", "number", wide=True),
    Column("Then", "code", help="the continuation, turned as this position"),
)


def show_page() -> None:
    """Draw the page."""
    st.title("Openings")
    filters = show_filter("player:ada kind:human-human date:2010.. not ending:resign")
    board, rules = show_settings()
    moves = get_value("moves")
    try:
        found = run_query(
            find_openings, moves, board=board, rules=rules, filters=filters, order=get_order(), limit=MAX_CONTINUATIONS
        )
    except QueryError as error:
        st.button("Back to the start", key="start over", on_click=open_line, args=("",))
        stop_page(error)
    show_breadcrumb(found)
    picture, results = st.columns([5, 7], gap="medium")
    with picture:
        show_choices(
            found.position,
            found.position.legal_moves(),
            found.moves[-1] if found.moves else None,
            key="opening",
            height=430,
            on_move=lambda move: open_line(" ".join((*found.moves, move))),
        )
        st.caption("Click a move on the board, or one in the list.")
        link_to_analysis(found, board, rules)
        mark_position(found.position)
    with results:
        if found.name:
            st.subheader(escape_markdown(found.name.capitalize()))
        show_continuations(found)
    if not found.absence:
        show_more(found, filters)


def link_to_analysis(found: Openings, board: str, rules: str) -> None:
    """Link to the analysis board with these moves."""
    tree, node = add_moves(MoveTree(Position.start(board, rules)), 0, found.moves)
    st.page_link(
        "views/analysis.py",
        label="Analyse from here",
        icon=":material/biotech:",
        query_params={"board": board, "rules": rules, "tree": write_short(tree), "at": str(node)},
    )


def show_settings() -> tuple[str, str]:
    """Draw the choice of board and rule set; a change goes back to the start."""
    with st.container(horizontal=True, vertical_alignment="center"):
        board = bind_widget(
            "board",
            lambda key, first: st.segmented_control(
                "Board", STANDARD_BOARDS, default=first, required=True, key=key, on_change=open_line, args=("",)
            ),
            default=STANDARD_BOARDS[0],
            options=STANDARD_BOARDS,
        )
        rules = bind_widget(
            "rules",
            lambda key, first: st.segmented_control(
                "Rule set", list(RULE_SETS), default=first, required=True, key=key, on_change=open_line, args=("",)
            ),
            default="standard",
            options=list(RULE_SETS),
        )
    return board or STANDARD_BOARDS[0], rules or "standard"


def get_order() -> str:
    """Return the order in the URL."""
    named = get_value("order", "games")
    return named if named in ORDERS else "games"


def show_breadcrumb(found: Openings) -> None:
    """Show the moves so far as buttons; each leads back to the position after it."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for number in range(len(found.moves) + 1):
            if number:
                st.markdown("→", width="content")
            is_here = number == len(found.moves)
            st.button(
                escape_markdown(found.moves[number - 1]) if number else "start",
                key=f"back to {number}",
                on_click=open_line,
                args=(" ".join(found.moves[:number]),),
                type="secondary" if is_here else "tertiary",
                disabled=is_here,
                help=escape_markdown(trace(found.moves[number - 1])) if number else None,
            )


def show_continuations(found: Openings) -> None:
    """Show the continuations with their results; a click plays one."""
    if found.absence:
        st.info(f"{escape_markdown(found.absence[0].upper() + found.absence[1:])}.", icon=":material/search_off:")
        return
    transposed = (
        ""
        if found.by_line in (None, found.games)
        else f", {found.by_line:,} of them by these moves, the others transposed"
    )
    listed = (
        f"; the first {MAX_CONTINUATIONS} of {format_count(found.choices, 'continuation')}"
        if found.choices > MAX_CONTINUATIONS
        else ""
    )
    turn = "the game is over" if found.position.is_over else f"player {found.position.side} to move"
    st.caption(
        f"**{format_count(found.games, 'game')}**{transposed}; {turn}{listed}. "
        "Scores are those of the side to move; they need at least ten games."
    )
    is_transposed = any(row["by_line"] not in (None, row["games"]) for row in found.continuations.dicts())
    show_listing(
        CONTINUATIONS,
        [build_row(row, is_transposed) for row in found.continuations.dicts()],
        key="continuations",
        sort=f"-{get_order()}",
        label="Continuations",
        height=640,
        on_row=lambda move: open_line(" ".join((*found.moves, move))),
        on_sort=lambda sort: set_values(order=sort.removeprefix("-")),
    )


def build_row(row: dict[str, Any], is_transposed: bool) -> Row:
    """Return a row of the list; the row of games that ended here can't be chosen."""
    values = (
        row["move"] or "ended here",
        f"{row['games']:,}",
        f"{row['by_line']:,}" if is_transposed else None,
        build_results(row, "score", "score_low", "score_high"),
        f"{row['mean_plies']:.0f}",
        row["last_date"] and str(row["last_date"]),
        row["name"],
    )
    return Row(row["move"] or "", values)


def show_more(found: Openings, filters: str) -> None:
    """Show how the games ended, and some of them."""
    ended, samples = bind_tabs("more", ("How the games ended", "Games"))
    if ended.open:
        with ended:
            show_endings(found, filters)
    if samples.open:
        with samples:
            show_games(found, filters)


def show_endings(found: Openings, filters: str) -> None:
    """Show the endings after the most frequent continuations, to filter by."""
    moves = [row["move"] for row in found.continuations.dicts()[:MAX_BARS]]
    rows = [{**row, "move": row["move"] or "ended here"} for row in found.ways.dicts() if row["move"] in moves]
    if not rows:
        st.write("None of these games has an end.")
        return
    ending = draw_stacked_bars(
        rows, "move", "way", "games", key=f"endings {filters} {found.moves}", order=rank_endings(rows)
    )
    st.caption(
        "Winning sets, and other endings. A game with several sets counts for each. A click on one filters by it."
    )
    if ending:
        add_term(build_term("sets" if ending[0].isdigit() else "ending", ending))
        st.rerun()
    with st.expander("Table with intervals"):
        st.dataframe(found.ways.df(), hide_index=True, placeholder="")


def rank_endings(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the endings, the most frequent first."""
    games: dict[str, int] = {}
    for row in rows:
        games[row["way"]] = games.get(row["way"], 0) + row["games"]
    return sorted(games, key=lambda ending: -games[ending])


def show_games(found: Openings, filters: str) -> None:
    """Show the latest games that reached the position; each opens there."""
    hits = run_query(
        find_position, found.position.text, filters=filters, pool=True, captures=True, side=True, limit=MAX_GAMES
    ).hits.dicts()
    rows = [
        Row(
            hit["id"],
            (
                hit["date"],
                hit["player1"] or "?",
                hit["player2"] or "?",
                hit["result"] or GameResult.UNKNOWN,
                str(hit["ply"]),
                hit["next"],
            ),
            "game",
            {"id": hit["id"], "ply": str(hit["ply"])},
        )
        for hit in hits
    ]
    show_listing(GAMES, rows, key="games that came here", label="Games")
    st.page_link(
        "views/search.py",
        label="All of them, and other ways to search",
        icon=":material/search:",
        query_params={"what": found.position.text},
    )


def open_line(moves: str) -> None:
    """Show the position after these moves."""
    set_values(moves=moves)


show_page()
