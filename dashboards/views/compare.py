"""Page that compares the games of two filters, A and B. The URL has both."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import COUNT_FORMAT, Axis
from zertz_db.dashboards.components.location import bind_select, bind_widget, get_value, show_tabs
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.sections.filter_bar import show_absence
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.errors import FilterError
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.insights.comparison import NO_MOVES, Comparison, Line, compare_filters
from zertz_db.queries.insights.significance import LEVEL
from zertz_db.queries.openings.starts import list_played_boards, list_played_rules
from zertz_db.queries.wilson import ENOUGH

MAX_BARS = 12
"""Maximum number of categories in a chart; the table has all."""
SECTIONS = {"Who wins": ("first-mover", "sets"), "Endings": ("endings",), "Openings": ("continuations",)}
LABELS = {"a": "Filter A", "b": "Filter B"}
EXAMPLES = {"a": "kind:human-human", "b": "kind:human-bot"}
SHARE = (Axis("share", "share", ".1%"), Axis("low", "at least (95 %)", ".1%"), Axis("high", "at most", ".1%"))
SIGNIFICANT = "*"
NEXT_MOVES_KEY = "moves of the next run"


def show_page() -> None:
    """Draw the page."""
    st.title("A against B")
    if not run_query(count_games):
        show_absence("")
        return
    left, right = st.columns(2)
    with left:
        one = show_filter_field("a")
    with right:
        other = show_filter_field("b")
    if one is None or other is None:
        return
    if one == other:
        st.info(
            "Write two filters, for example board:37 and board:48. An empty filter means all games.",
            icon=":material/compare_arrows:",
        )
        return
    show_tabs("about", {title: partial(show_section, title, one, other) for title in SECTIONS})


def show_section(title: str, one: str, other: str) -> None:
    """Show the comparisons of a section between the games of two filters."""
    line = show_line_fields() if title == "Openings" else NO_MOVES
    for subject in SECTIONS[title]:
        show_comparison(subject, one, other, line)


def show_filter_field(name: str) -> str | None:
    """Draw the field of one filter, with its number of games; return the filter, or None if it is invalid or matches no game."""
    typed = bind_widget(
        name,
        lambda key, first: st.text_input(
            LABELS[name], first, key=key, placeholder=EXAMPLES[name], icon=":material/filter_alt:"
        ),
        default="",
    ).strip()
    try:
        condition(typed)
    except QueryError as error:
        st.error(escape_markdown(error.problem if isinstance(error, FilterError) else error), icon=":material/error:")
        return None
    found = run_query(count_games, typed)
    st.caption(escape_markdown(f"{LABELS[name]}: {format_count(found, 'game')}"))
    return typed if found else None


def show_line_fields() -> Line:
    """Draw the fields of a position: board, rule set and the moves so far."""
    one, two, three = st.columns([1, 1, 3])
    boards = run_query(list_played_boards, get_value("board"))
    with one:
        board = bind_select("Board", "board", boards)
    rules = run_query(list_played_rules, board, get_value("rules"))
    with two:
        rule_set = bind_select("Rules", "rules", rules)
    with three:
        if NEXT_MOVES_KEY in st.session_state:
            st.session_state["moves"] = st.session_state.pop(NEXT_MOVES_KEY)
        moves = bind_widget(
            "moves",
            lambda key, first: st.text_input("Moves so far", first, key=key, placeholder="none: first moves"),
            default="",
        )
    return Line(moves.strip(), board, rule_set)


def show_comparison(subject: str, one: str, other: str, line: Line) -> None:
    """Draw the shares of both filters side by side, with the significant differences marked, and their table."""
    try:
        found = run_query(compare_filters, subject, one, other, line)
    except QueryError as error:
        st.error(escape_markdown(error), icon=":material/error:")
        return
    st.subheader(escape_markdown(found.subject.title[0].upper() + found.subject.title[1:]))
    rows = build_rows(found, one, other)
    if not rows:
        st.caption(f"One of the filters has fewer than {ENOUGH} such games: nothing is drawn.")
    else:
        picked = charts.draw_share_bars(
            rows,
            Axis("category", found.subject.category),
            [*SHARE, Axis("games", "games", COUNT_FORMAT), Axis("of", "of", COUNT_FORMAT)],
            key=f"compare {subject} {one} {other} {line}",
            group=Axis("group", "filter"),
        )
        if picked is not None and subject == "continuations":
            st.session_state[NEXT_MOVES_KEY] = f"{line.moves} {picked.removesuffix(SIGNIFICANT)}".strip()
            st.rerun()
        show_significance(found)
    with st.expander("The numbers"):
        show_table(found.table)


def build_rows(found: Comparison, one: str, other: str) -> list[dict[str, Any]]:
    """Return a row for each bar: categories with a share in both filters, the significant ones with a star."""
    labels = {"a": f"A: {one or 'all games'}", "b": f"B: {other or 'all games'}"}
    rows = []
    known = [row for row in found.table.dicts() if row["difference"] is not None]
    for row in known[:MAX_BARS]:
        category = f"{row[found.subject.category]}{SIGNIFICANT * bool(row['significant'])}"
        for which, label in labels.items():
            shown = {name: row[f"{name}_{which}"] for name in ("share", "low", "high", "games", "of")}
            rows.append({"category": category, "group": label, **shown})
    return rows


def show_significance(found: Comparison) -> None:
    """Show what the star means, and what limits the test."""
    rows = found.table.dicts()
    tested = [row for row in rows if row["significant"] is not None]
    marked = sum(row["significant"] for row in tested)
    st.caption(
        f"A star marks a significant difference: {marked:,} of {len(tested)} tested. The test compares two proportions, with Holm's "
        f"correction for {format_count(len(tested), 'test')}: the chance of any false star is below {100 * LEVEL:.0f} %."
    )
    if found.common:
        st.caption(
            f"Both filters match {format_count(found.common, 'game')}. The test assumes different games; exclude them from one filter."
        )


show_page()
