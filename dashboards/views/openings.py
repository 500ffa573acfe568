"""Page of the opening tree: a position, its continuations with their results, and the way back. The URL has the moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.board import show_choices
from zertz_db.dashboards.components.board_frames import draw_preview
from zertz_db.dashboards.components.charts import draw_stacked_bars
from zertz_db.dashboards.components.listing import (
    PAGE_SIZE,
    RESULTS_TITLE,
    Column,
    Pages,
    Row,
    build_results,
    count_pages,
    show_listing,
)
from zertz_db.dashboards.components.location import (
    bind_widget,
    check_value,
    get_number,
    get_value,
    parse_number,
    set_values,
    show_tabs,
)
from zertz_db.dashboards.sections.filter_bar import add_term, build_term, show_filter
from zertz_db.dashboards.sections.game_page.explorer_rows import describe_first
from zertz_db.dashboards.sections.game_rows import POSITION_COLUMNS, build_position_rows
from zertz_db.dashboards.sections.mark_form import mark_position
from zertz_db.dashboards.state.database import stop_page
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.openings.continuations import DETAIL_ORDERS, ORDERS
from zertz_db.queries.openings.starts import list_played_boards, list_played_rules
from zertz_db.queries.openings.tree import Openings, find_openings
from zertz_db.queries.search.refinement import SAME, Search, find_within
from zertz_db.queries.wilson import ENOUGH
from zertz_db.rules.position import Position
from zertz_db.rules.svg.move_marks import trace
from zertz_db.variations.move_tree import MoveTree, add_moves
from zertz_db.variations.short_text import write_short

GAMES_PER_PAGE = 25
MAX_BARS = 10
"""Maximum number of continuations in the chart of endings."""
INTERVAL = "a tie counts half; the line is the interval that holds the true score with 95 % confidence"
KEYS = "Keys, on the board or in the list: → plays the marked continuation or the first, ← goes back, ↑ ↓ mark one."
CONTINUATIONS = (
    Column("Move", "code", help="in official notation, turned as this position; moves that the board's symmetry makes equal are one"),
    Column("Games", "number", sort="games", help="games with this continuation"),
    Column("By these moves", "number", wide=True, help="games that reached the position by the moves above"),
    Column(RESULTS_TITLE, "results", sort="result", help=INTERVAL),
    Column("Plies", "number", wide=True, help=f"mean length of these games; ≈ for fewer than {ENOUGH} games"),
    Column("Rating", "number", sort="rating", wide=True, help=f"mean rating of the movers then; ≈ for fewer than {ENOUGH} games"),
    Column("First", "quiet", sort="first", wide=True, help="date of the first of these games, and the player who made the move"),
    Column("Last", "quiet", sort="date", wide=True, help="latest date"),
    Column("Name", "quiet", wide=True, help="name of the move"),
)  # fmt: skip


def show_page() -> None:
    """Draw the page."""
    st.title("Openings")
    filters = show_filter("player:ada kind:human-human date:2010.. not ending:resign")
    board, rules = show_settings()
    moves = get_value("moves")
    try:
        found = list_page(parse_number(get_value("page")) or 1, moves, board=board, rules=rules, filters=filters)
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
            is_compact=True,
        )
    with results:
        if found.name:
            st.subheader(escape_markdown(found.name.capitalize()))
        show_continuations(found)
        st.caption(KEYS)
    with st.container(horizontal=True, vertical_alignment="center"):
        link_to_analysis(found, board, rules)
        if not found.absence:
            link_to_search(found, filters)
        mark_position(found.position)
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


def link_to_search(found: Openings, filters: str) -> None:
    """Link to a search within the games that reached the position."""
    st.page_link(
        "views/search.py",
        label="Search within these games",
        icon=":material/manage_search:",
        query_params={"in": build_search(found), **({"filter": filters} if filters else {})},
    )


def build_search(found: Openings) -> str:
    """Return the search for the position as the opening tree counts it."""
    return str(Search(found.position.text, "symmetry", SAME))


def show_settings() -> tuple[str, str]:
    """Draw the choice of board and rule set, of those with games; a change goes back to the start."""
    boards = run_query(list_played_boards, get_value("board"))
    with st.container(horizontal=True, vertical_alignment="center"):
        board = bind_widget(
            "board",
            lambda key, first: st.segmented_control(
                "Board", boards, default=first, required=True, key=key, on_change=open_board
            ),
            default=boards[0],
            options=boards,
        )
        board = board or boards[0]
        rule_sets = run_query(list_played_rules, board, get_value("rules"))
        rules = bind_widget(
            "rules",
            lambda key, first: st.segmented_control(
                "Rule set", rule_sets, default=first, required=True, key=key, on_change=open_line, args=("",)
            ),
            default=rule_sets[0],
            options=rule_sets,
        )
    return board, rules or rule_sets[0]


def open_board() -> None:
    """Go back to the start on another board, with a rule set that was played on it."""
    played = run_query(list_played_rules, st.session_state["board"])
    if st.session_state.get("rules") not in played:
        st.session_state["rules"] = played[0]
    open_line("")


def list_page(page: int, moves: str, **conditions: str) -> Openings:
    """Return the opening tree with a page of continuations; the last page if there are fewer. QueryError."""
    offset = (page - 1) * PAGE_SIZE
    found: Openings = run_query(find_openings, moves, order=get_order(), limit=PAGE_SIZE, offset=offset, **conditions)
    last = max(1, count_pages(found.choices, PAGE_SIZE))
    return found if page <= last else list_page(last, moves, **conditions)


def get_order() -> str:
    """Return the order in the URL."""
    named = get_value("order", "games")
    check_value("order", is_known=named in (*ORDERS, *DETAIL_ORDERS))
    return named if named in (*ORDERS, *DETAIL_ORDERS) else "games"


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
        show_listing((), (), key="continuations", **build_walk(found))
        return
    transposed = (
        ""
        if found.by_line in (None, found.games)
        else f", {found.by_line:,} of them by these moves, the others transposed"
    )
    listed = f"; {format_count(found.choices, 'continuation')}" if found.choices > PAGE_SIZE else ""
    turn = "the game is over" if found.position.is_over else f"player {found.position.side} to move"
    st.caption(
        f"**{format_count(found.games, 'game')}**{transposed}; {turn}{listed}. "
        f"Scores are those of the side to move; they need at least {ENOUGH} games."
    )
    rows = found.continuations.dicts()
    is_transposed = any(row["by_line"] not in (None, row["games"]) for row in rows)
    page = get_number("page", count_pages(found.choices, PAGE_SIZE))
    show_listing(
        CONTINUATIONS,
        [build_row(found.position, row, is_transposed) for row in rows],
        key="continuations",
        sort=f"-{get_order()}",
        label="Continuations",
        pages=Pages(page, found.choices, PAGE_SIZE) if found.choices > PAGE_SIZE else None,
        height=640,
        on_row=lambda move: open_line(" ".join((*found.moves, move))),
        on_sort=lambda sort: set_values(page=None, order=sort.removeprefix("-")),
        **build_walk(found),
    )


def build_walk(found: Openings) -> dict[str, Any]:
    """Return what the list needs for arrow keys."""
    return {"on_back": lambda _: open_line(" ".join(found.moves[:-1])), "is_at_start": not found.moves}


def build_row(position: Position, row: dict[str, Any], is_transposed: bool) -> Row:
    """Return a row of the list; the row of games that ended here can't be chosen."""
    values = (
        row["move"] or "ended here",
        f"{row['games']:,}",
        f"{row['by_line']:,}" if is_transposed else None,
        build_results(row, "score", "score_low", "score_high"),
        write_mean(row["mean_plies"], row["games"]),
        write_mean(row["rating"], row["rated"]),
        describe_first(row),
        row["last_date"] and str(row["last_date"]),
        row["name"],
    )
    return Row(row["move"] or "", values, preview=draw_preview(position, row["move"]) if row["move"] else "")


def write_mean(mean: float | None, games: int | None) -> str | None:
    """Return a mean; `≈` marks one of few games."""
    return None if mean is None else f"{'≈ ' if (games or 0) < ENOUGH else ''}{mean:.0f}"


def show_more(found: Openings, filters: str) -> None:
    """Show how the games ended, and some of them."""
    show_tabs(
        "more",
        {"How the games ended": lambda: show_endings(found, filters), "Games": lambda: show_games(found, filters)},
    )


def show_endings(found: Openings, filters: str) -> None:
    """Show the endings after the most frequent continuations, to filter by."""
    moves = [row["move"] for row in found.continuations.dicts()[:MAX_BARS]]
    rows = [{**row, "move": row["move"] or "ended here"} for row in found.endings.dicts() if row["move"] in moves]
    if not rows:
        st.write("None of these games has an end.")
        return
    ending = draw_stacked_bars(
        rows, "move", "ending", "games", key=f"endings {filters} {found.moves}", order=rank_endings(rows)
    )
    st.caption(
        "Winning sets, and other endings. A game with several sets counts for each. A click on one filters by it."
    )
    if ending:
        add_term(build_term("sets" if ending[0].isdigit() else "ending", ending))
        st.rerun()
    table = st.expander("Table with intervals", key="endings table", on_change="rerun")
    if table.open:  # drawing it takes a tenth of the page's time
        table.dataframe(found.endings.df(), hide_index=True, placeholder="")


def rank_endings(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the endings, the most frequent first."""
    games: dict[str, int] = {}
    for row in rows:
        games[row["ending"]] = games.get(row["ending"], 0) + row["games"]
    return sorted(games, key=lambda ending: -games[ending])


def show_games(found: Openings, filters: str) -> None:
    """Show the games that reached the position, the latest first; each opens there."""
    page = get_number("games", count_pages(found.games, GAMES_PER_PAGE))
    matches = run_query(
        find_within,
        (build_search(found),),
        filters,
        limit=GAMES_PER_PAGE,
        offset=(page - 1) * GAMES_PER_PAGE,
    )
    rows = build_position_rows(matches.hits.dicts())
    pages = Pages(page, matches.games, GAMES_PER_PAGE)
    show_listing(POSITION_COLUMNS, rows, key="games that came here", label="Games", pages=pages, page_name="games")


def open_line(moves: str) -> None:
    """Show the position after these moves."""
    set_values(moves=moves, page=None, games=None)


show_page()
