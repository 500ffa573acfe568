"""Page to search for positions and patterns: painted, written, or taken from a game. The URL has the target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import streamlit as st

from zertz_db.dashboards.components.board_frames import draw_preview
from zertz_db.dashboards.components.charts import COUNT_FORMAT, Axis, draw_columns
from zertz_db.dashboards.components.gallery import show_gallery
from zertz_db.dashboards.components.listing import (
    PAGE_SIZE,
    RESULTS_TITLE,
    Column,
    Pages,
    Row,
    build_results,
    count_pages,
    cut_page,
    show_listing,
)
from zertz_db.dashboards.components.location import (
    bind_pages,
    bind_select,
    bind_widget,
    get_number,
    get_value,
    list_values,
    parse_number,
    seed_widget,
    set_values,
    show_tabs,
)
from zertz_db.dashboards.components.verbatim import show_verbatim
from zertz_db.dashboards.sections.filter_bar import add_term, show_filter
from zertz_db.dashboards.sections.forced_win import show_forced_win
from zertz_db.dashboards.sections.game_cards import build_cards
from zertz_db.dashboards.sections.game_page.links import build_game_link
from zertz_db.dashboards.sections.mark_form import mark_position
from zertz_db.dashboards.sections.possible_moves import show_moves
from zertz_db.dashboards.sections.search_editor import (
    PAGE_KEY,
    get_painted,
    play_pattern_move,
    set_target,
    show_controls,
    show_holdings,
    show_limits,
    show_pattern_board,
    show_placement,
    show_position_board,
)
from zertz_db.dashboards.state.callbacks import Callback
from zertz_db.dashboards.state.database import get_database, stop_page
from zertz_db.dashboards.state.markdown_text import describe_position, escape_markdown
from zertz_db.dashboards.state.painted_search import LetteredMove, letter_moves
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.pattern_moves import group_pattern_moves
from zertz_db.queries.search.refinement import (
    MAX_SEARCHES,
    PATTERN,
    REACHABLE,
    SAME,
    Search,
    find_within,
    parse_search,
)
from zertz_db.queries.search.targets import parse_target
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

PER_PAGE = 12
"""Number of matches per page."""
PER_SEARCH = 20 * PER_PAGE
"""Number of matches that one search lists; a later page searches again."""
HELP = """A position string, or a pattern: rows of cells. `W G B` marbles, `o` vacant, `.` no ring, `*` any marble, `#` any ring,
`?` anything, `!W` all but white, `[Wo]` white or vacant. Each row begins half a cell to the right of the one above, or with `<` to
the left. Or named rings, `d4:W e4:o`. Then limits: `rings<20 pool.white=0`."""
MODES = {
    "symmetry": "Also turned or mirrored",
    "exact": "Only in this orientation",
    "shape": "This shape anywhere, on any board",
    "reachable": "Positions that it can lead to",
}
SAME_LABELS = {"pool": "Same pool", "captures": "Same captures", "side": "Same player to move"}
WITHIN = "in"
"""Name in the URL of the searches within whose games this page searches, as texts (see `Search`)."""
MAX_SHOWN = 40
"""Maximum number of characters of such a search on its button."""
RESULTS = Column(RESULTS_TITLE, "results", help="a tie counts half; the line is the 95 % interval")
CONTINUATION_COLUMNS = (
    Column("Played next", "code", help="turned as the target; without claims"),
    Column("Matches", "number"),
    RESULTS,
)
LETTERED_COLUMNS = (
    Column("", "letter", help="the letter on the board"),
    Column("Played next", "code", help="turned as the pattern: a marble and its ring, whatever ring was removed, or a capture"),
    Column("Matches", "number"),
    RESULTS,
)  # fmt: skip


def show_page() -> None:
    """Draw the page."""
    st.title("Position search")
    use_game_position()
    filters = show_filter("player:ada date:2010..2012 not ending:resign")
    text = get_value("what")
    show_text_field(text)
    try:
        target = parse_target(text) if text else Pattern({})
    except FilterError as error:
        st.error(escape_markdown(error.problem), icon=":material/error:")
        show_verbatim(error.excerpt, key="fault of pattern", wraps=False)
        st.stop()
    except QueryError as error:
        stop_page(error)
    before = list_values(WITHIN)
    left, right = st.columns([5, 7], gap="medium")
    with left:
        show_controls(target)
        search, every = show_options(text, target)
        board = st.container()
    searches = (*before, *([str(search)] if text else []))
    found, fault = None, None
    with right:
        show_searches(before)
        if searches:
            try:
                found = run_search(searches, filters, every=every)
            except QueryError as error:
                fault = error

    @cache
    def list_moves() -> Sequence[LetteredMove]:
        if text and found and isinstance(target, Pattern):
            return letter_continuations(target, found, searches, filters, every)
        return ()

    with right:
        if found:
            show_results(found, target if text else None, list_moves, searches, filters, every=every)
        elif not fault:
            st.info("Pick a brush and paint rings: the games appear here.", icon=":material/brush:")
    with board:
        show_board(target, list_moves())  # after the games: a browser draws these while the letters are found
    with right:
        if fault:
            stop_page(fault)
    if isinstance(target, Position):
        show_more(target)


def show_board(target: Position | Pattern, moves: Sequence[LetteredMove]) -> None:
    """Draw the board to paint on, with the letters of moves."""
    if isinstance(target, Position):
        show_position_board(target)
        return
    board, cells = get_painted(target)
    if cells is None:
        st.caption("This pattern does not fit on this board; the search uses its text.")
    show_pattern_board(target, board, cells or {}, moves)


def show_more(target: Position) -> None:
    """Show what can be done with a position."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "views/analysis.py",
            label="Analyse this position",
            icon=":material/biotech:",
            query_params={"start": target.text},
        )
        mark_position(target)
    if show_checkbox("playable", "What can be played here"):
        show_moves(target)
    if show_checkbox("forced", "Forced win"):
        show_forced_win(target)


def use_game_position() -> None:
    """Set a position of a game as the target, if the URL names one."""
    named = get_value("id")
    if not named:
        return
    try:
        positions = run_query(find_game, named).positions
    except QueryError as error:
        stop_page(error)
    ply = parse_number(get_value("ply"))
    set_values(id=None, ply=None)
    set_target(positions[-1 if ply is None else min(ply, len(positions) - 1)].text)


def show_text_field(text: str) -> None:
    """Draw the text of the target, to paste and change."""
    key = "typed target"
    first = seed_widget(key, text)
    if st.session_state.get("target before") != text:
        st.session_state[key] = st.session_state["target before"] = text
    st.text_input(
        "Position or pattern",
        first,
        key=key,
        help=HELP,
        placeholder="Paint below, or write: W o / < o B . / o * rings<20",
        on_change=lambda: set_target(st.session_state[key].strip()),
        label_visibility="collapsed",
        icon=":material/edit_note:",
    )


def show_options(text: str, target: Position | Pattern) -> tuple[Search, bool]:
    """Draw how the target matches; return the search, and whether all matches of a game count."""
    menu = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    with menu:
        if isinstance(target, Pattern):
            mode = PATTERN
            show_placement(target)
        else:
            mode = show_modes()
        with st.popover("Options", icon=":material/tune:"):
            every = show_checkbox(
                "every", "All matches of a game", help_text="Without this, only the first match of each game counts."
            )
            same: list[str] = []
            if isinstance(target, Pattern):
                show_limits(target)
            else:
                if mode != REACHABLE:
                    same = [name for name in SAME if show_checkbox(name, SAME_LABELS[name])]
                show_holdings(target)
    return Search(text, mode, tuple(same)), every


def show_modes() -> str:
    """Draw the choice of a mode for a position; return the mode."""
    return bind_select(
        "Mode", "mode", list(MODES), format_func=lambda mode: MODES[mode], label_visibility="collapsed", width=250
    )


def show_searches(searches: Sequence[str]) -> None:
    """Show the searches within whose games this one searches; a click removes one."""
    if not searches:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Within the games with", width="content")
        for number, search in enumerate(searches):
            st.button(
                escape_markdown(shorten_search(search)),
                icon=":material/close:",
                icon_position="right",
                key=f"within {number}",
                help=f"Remove this condition: {escape_markdown(search)}",
                on_click=remove_search,
                args=(number,),
            )


def shorten_search(text: str) -> str:
    """Return a search in a few words: its pattern, or the marbles of its position."""
    try:
        target = parse_search(text).target
    except QueryError:
        return text[:MAX_SHOWN]
    words = describe_position(target) if isinstance(target, Position) else parse_search(text).what
    return words if len(words) <= MAX_SHOWN else f"{words[:MAX_SHOWN]}…"


def remove_search(number: int) -> None:
    """Remove one of the searches within whose games this one searches."""
    left = list_values(WITHIN)
    set_values(**{WITHIN: [*left[:number], *left[number + 1 :]]})


def search_within(searches: Sequence[str]) -> None:
    """Search within the games of these searches, for a target that is still to be painted."""
    set_values(**{WITHIN: list(searches)})
    set_target("")


def run_search(searches: tuple[str, ...], filters: str, *, every: bool, page: int | None = None) -> Found:
    """Return the matches, listed from the page in the URL on. QueryError."""
    number = page or max(1, parse_number(get_value(PAGE_KEY)) or 1)
    offset = (number - 1) * PER_PAGE // PER_SEARCH * PER_SEARCH
    with st.spinner("Searching all positions …"):
        return run_query(find_within, searches, filters, every=every, limit=PER_SEARCH, offset=offset)


def letter_continuations(target: Pattern, found: Found, *conditions: Any) -> list[LetteredMove]:
    """Return the continuations of a pattern as moves on the painted board; none for a pattern without cells there.

    conditions: the searches and the filter that found them.
    """
    board, cells = get_painted(target)
    if not cells:
        return []

    def group(_database: Database, *_conditions: Any) -> list[dict[str, Any]]:
        return group_pattern_moves(found.continuations, target, cells, board)

    return letter_moves(run_query(group, *conditions, board.name, get_value("at")), cells, board)


def show_checkbox(name: str, label: str, help_text: str | None = None) -> bool:
    """Draw a checkbox; return whether it is ticked."""
    return bind_widget(
        name,
        lambda key, first: st.checkbox(label, first, key=key, help=help_text),
        default=False,
        options=(False, True),
    )


def show_results(
    found: Found,
    target: Position | Pattern | None,
    list_moves: Callable[[], Sequence[LetteredMove]],
    searches: tuple[str, ...],
    filters: str,
    *,
    every: bool,
) -> None:
    """Show the matches as small boards, the continuations, and the years.

    target: None for results of the searches before. list_moves: gives the continuations of a pattern as moves on the painted board.
    """
    times = f", {found.plies:,} times" if found.plies > found.games else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{format_count(found.games, 'game')}**{times}", width="content")
        if found.games and target is not None and len(searches) < MAX_SEARCHES:
            st.button(
                "Search within these",
                icon=":material/manage_search:",
                key="search within",
                type="tertiary",
                on_click=search_within,
                args=(searches,),
                help="Keeps these games, for another position or pattern",
            )
    if not found.games:
        st.info(
            "No game matches. Try a wider mode, fewer symbols or conditions, or no filter.",
            icon=":material/search_off:",
        )
        return
    if found.first is not None:
        first = found.first
        players = (first["player1"], first["player2"])
        st.caption(f"First played: {build_game_link(first['id'], first['ply'], players, first['date'])}")
    if target is None:
        st.caption("Paint a position or a pattern: it is searched in these games.")
    show_tabs(
        "answer",
        {
            "Games": lambda: show_hits(found, searches, filters, every=every),
            "Played next": lambda: show_continuations(found, target, list_moves()),
            "By year": lambda: show_years(found),
        },
    )


def show_years(found: Found) -> None:
    """Show the matches by year; a click filters by one."""
    rows = [{**row, "year": row["year"] or "no date"} for row in found.years.dicts()]
    year = draw_columns(
        rows,
        Axis("year", "year"),
        Axis("matches", "matches", COUNT_FORMAT),
        [Axis("wins", "won by the side to move", COUNT_FORMAT)],
        key="hits by year",
    )
    if year and year.isdigit():
        add_term(f"date:{year}")
        st.rerun()


def show_hits(found: Found, searches: tuple[str, ...], filters: str, *, every: bool) -> None:
    """Show a page of the matches. All pages can be reached; those that the search did not list are searched for."""
    total = found.plies if every else found.games
    above = st.container()
    number = bind_pages(PAGE_KEY, count_pages(total, PER_PAGE))
    with above:
        listed = run_search(searches, filters, every=every, page=number).hits.dicts()
        first = (number - 1) * PER_PAGE % PER_SEARCH
        show_gallery(
            build_cards(get_database(), listed[first : first + PER_PAGE]), key="hits", width=150, label="Matches"
        )
    if total > PER_PAGE:
        last = min(number * PER_PAGE, total)
        st.caption(f"{(number - 1) * PER_PAGE + 1:,}–{last:,} of {total:,}, the latest first.")


def show_continuations(found: Found, target: Position | Pattern | None, moves: Sequence[LetteredMove]) -> None:
    """Show the continuations: a click plays one in a position, and adds it to a pattern."""
    if isinstance(target, Pattern) and moves:
        board, cells = get_painted(target)
        columns: Sequence[Column] = LETTERED_COLUMNS
        rows = [build_lettered_row(one) for one in moves]
        on_row: Callback | None = lambda move: play_pattern_move(target, board, cells or {}, move)  # noqa: E731
    else:
        columns = CONTINUATION_COLUMNS
        rows = [build_row(target, row) for row in found.continuations.dicts()]
        on_row = (lambda move: play_continuation(target, move)) if isinstance(target, Position) else None
    page = get_number("next", count_pages(len(rows), PAGE_SIZE))
    show_listing(
        columns,
        cut_page(rows, page, PAGE_SIZE),
        key="followed",
        label="Continuations",
        height=520,
        pages=Pages(page, len(rows)) if len(rows) > PAGE_SIZE else None,
        page_name="next",
        on_row=on_row,
    )


def build_row(target: Position | Pattern | None, row: dict[str, Any]) -> Row:
    """Return a row of the continuations."""
    values = (row["move"] or "ended here", f"{row['matches']:,}", build_results(row))
    preview = draw_preview(target, row["move"]) if isinstance(target, Position) and row["move"] else ""
    return Row(row["move"] or "", values, preview=preview)


def build_lettered_row(one: LetteredMove) -> Row:
    """Return a row of a pattern's continuations; moves that the board shows can be chosen."""
    letter = (one.letter, one.kind) if one.letter else None
    values = (letter, one.move or "ended here", f"{one.row['matches']:,}", build_results(one.row))
    return Row(one.move if one.ring else "", values, preview=one.preview)


def play_continuation(target: Position, move: str) -> None:
    """Search for the position after this move."""
    try:
        set_target(target.play(move, lenient=True).text)
    except IllegalMove:
        st.toast(
            f"{escape_markdown(move)} was played with other captures or another pool; in this position it is illegal."
        )


show_page()
