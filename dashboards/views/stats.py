"""Page of win conditions: how games are won and develop, thinking time, tournaments. (`statistics` would hide Python's module.)

The URL has the groups; a click in a chart narrows the filter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import COUNT_FORMAT, Axis, Pick
from zertz_db.dashboards.components.location import bind_widget, show_tabs
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.sections.filter_bar import add_term, build_term, show_absence, show_filter
from zertz_db.dashboards.sections.tournaments.tournament_list import show_tournaments
from zertz_db.dashboards.state.database import stop_page
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.coverage import describe_coverage
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import GROUPS, group
from zertz_db.queries.statistics.registry import STATISTICS, ask_statistics
from zertz_db.queries.statistics.thinking_time import TIMES, ask_times
from zertz_db.queries.wilson import ENOUGH

GROUP = "group"
ALL = "all games"
FIELDS = {
    "board": "board", "rules": "rules", "year": "date", "era": "date", "length": "plies", "kind": "kind", "side": "winner",
}  # fmt: skip
"""Fields of the filter language for the groups."""
GAMES = Axis("games", "games", COUNT_FORMAT)
GROUP_SIZE = Axis("of", "of", COUNT_FORMAT)
SHARE = (Axis("share", "share", ".1%"), Axis("low", "at least (95 %)", ".1%"), Axis("high", "at most", ".1%"))
CLOCKS = {"none": "no clocks", "up": "clocks that count up", "down": "clocks that count down"}
SIDES = {"first": "first mover", "second": "second mover", "winner": "later winner", "loser": "later loser"}


class StatisticsQuery(NamedTuple):
    """A filter and the groups."""

    filters: str
    by: tuple[str, ...]


class StatisticChart(NamedTuple):
    """Chart of a statistic, and the filter field for a click in it."""

    draw: Callable[[str, list[dict[str, Any]], StatisticsQuery], Pick | None]
    field: str | None = None


def show_page() -> None:
    """Draw the page."""
    st.title("Win conditions")
    typed = show_filter("kind:human-human date:2010..2012 not board:37", prefers_humans=True)
    meanings = "; ".join(f"{name}: {group(name).meaning}" for name in GROUPS)
    by = bind_widget(
        "by",
        lambda key, first: st.pills("Group by", GROUPS, selection_mode="multi", default=first, key=key, help=meanings),
        default=[],
        options=list(GROUPS),
    )
    query = StatisticsQuery(typed, tuple(by))
    total = run_query(count_games, typed)
    if not total:
        show_absence(typed)
        return
    st.caption(
        f"**{format_count(total, 'game')}**. Lines and shades on bars are 95 % intervals of the true share; a click narrows the filter."
    )
    try:
        show_tabs("about", {title: partial(show_section, title, query) for title in SECTIONS})
    except QueryError as error:
        stop_page(error)


def show_section(title: str, query: StatisticsQuery) -> None:
    """Show the statistics of a section."""
    for name in SECTIONS[title]:
        show_statistic(name, query)
    if title == "Time":
        st.caption("Left out: games without clocks, and clocks of unknown direction.")
    if title == "Forced wins" and (coverage := run_query(describe_coverage, query.filters)):
        st.caption(coverage)
    if title == "Tournaments":
        show_tournaments(query.filters)


def show_statistic(name: str, query: StatisticsQuery) -> None:
    """Show a statistic: its chart, and its table with the sample size of each row."""
    if name == "first-mover" and "side" in query.by:
        return  # there is nothing to count
    is_time = name in TIMES
    found = (
        run_query(ask_times, name, query.filters, query.by)
        if is_time
        else run_query(ask_statistics, name, query.filters, query.by)
    )
    if not found.rows:
        return
    st.subheader(capitalise((TIMES if is_time else STATISTICS)[name].title))
    chart = CHARTS.get(name)
    if chart is not None:
        pick = chart.draw(name, add_group_labels(found, query.by), query)
        if pick is not None:
            filter_by_click(chart.field, pick, query)
    if chart is None:
        show_table(found)
    else:
        with st.expander("The numbers"):
            show_table(found)


def capitalise(title: str) -> str:
    """Return a title with a capital letter."""
    return title[0].upper() + title[1:]


def add_group_labels(found: Result, by: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows, each with the name of its group."""
    rows = found.dicts()
    for row in rows:
        row[GROUP] = " · ".join("unknown" if row[name] is None else str(row[name]) for name in by) or ALL
    return rows


def filter_by_click(field: str | None, pick: Pick, query: StatisticsQuery) -> None:
    """Add terms for the clicked category and its group, if the filter language has them."""
    terms = [*build_category_terms(field, pick), *build_group_terms(pick, query, of_category=field == GROUP)]
    if not terms:
        return
    for term in terms:
        add_term(term)
    st.rerun()


def build_category_terms(field: str | None, category: str) -> list[str]:
    """Return the term for a category of a field of the filter language, or none."""
    if field == "ending" and category == charts.UNKNOWN:
        return [f"verdict:{Verdict.UNFINISHED}"]
    if field == "plies":
        return [f"plies:{category.replace('-', '..')}"]
    if field == "board":
        return [build_term(field, category.partition(" ")[0])]
    return [build_term(field, category)] if field in ("sets", "ending") else []


def build_group_terms(pick: Pick, query: StatisticsQuery, *, of_category: bool) -> list[str]:
    """Return the term for the group of the clicked bar, or none. of_category: whether the categories of the chart are the groups."""
    group = pick if of_category else pick.group
    if len(query.by) != 1 or query.by[0] not in FIELDS or group is None or group in (charts.UNKNOWN, "neither", ALL):
        return []
    is_span = query.by[0] in ("era", "length")
    return [f"{FIELDS[query.by[0]]}:{group.replace('-', '..')}" if is_span else build_term(FIELDS[query.by[0]], group)]


def build_chart_key(name: str, query: StatisticsQuery) -> str:
    """Return a key that changes with the query, so that earlier clicks no longer count."""
    return f"chart {name} {query}"


def draw_groups(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
    """Draw a share for each group."""
    extras = {
        "first-mover": ("first", "decided"),
        "leads": ("behind", "games"),
        "trouble": ("short", "seats"),
        "tactics": ("kept", "of"),
    }[name]
    axes = [Axis(one, one, COUNT_FORMAT) for one in extras]
    with_share = [row for row in rows if row["share"] is not None]
    if not with_share:
        show_too_few()
        return None
    return charts.draw_share_bars(
        with_share,
        Axis(GROUP, "games"),
        [*SHARE, *axes],
        key=build_chart_key(name, query),
        half=name not in ("trouble", "tactics"),
    )


def draw_leads(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
    """Draw how often the winner was behind, and the winner's state after half of the plies."""
    category = draw_groups(name, rows, query)
    st.caption("The later winner after half of the plies:")
    halves = [
        {GROUP: row[GROUP], "state": state, "games": row[half]}
        for row in rows
        for half, state in (("half_ahead", "ahead"), ("half_level", "level"), ("half_behind", "behind"))
    ]
    charts.draw_stacked_bars(
        halves, GROUP, "state", "games", key=build_chart_key("half", query), order=("ahead", "level", "behind")
    )
    return category


def show_too_few() -> None:
    """Show that there is no share to draw."""
    st.caption("Fewer than ten games: nothing is drawn.")


def make_category_chart(category: str) -> Callable[[str, list[dict[str, Any]], StatisticsQuery], Pick | None]:
    """Return a function that draws a share for each category, by group."""

    def draw(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
        with_share = [row for row in rows if row["share"] is not None]
        if not with_share:
            show_too_few()
            return None
        divided = Axis(GROUP, "of") if query.by else None
        return charts.draw_share_bars(
            with_share,
            Axis(category, category),
            [*SHARE, GAMES, GROUP_SIZE],
            key=build_chart_key(name, query),
            group=divided,
        )

    return draw


def make_column_chart(category: str) -> Callable[[str, list[dict[str, Any]], StatisticsQuery], Pick | None]:
    """Return a function that draws games as upright bars; for groups it draws shares, so that groups of any size compare."""

    def draw(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
        if not query.by:
            return charts.draw_columns(
                rows, Axis(category, category), GAMES, [SHARE[0], GROUP_SIZE], key=build_chart_key(name, query)
            )
        divided = [{**row, "share": row["games"] / row["of"]} for row in rows if row["of"] >= ENOUGH]
        if not divided:
            show_too_few()
            return None
        share = Axis("share", "share", ".0%")
        return charts.draw_columns(
            divided,
            Axis(category, category),
            share,
            [GAMES, GROUP_SIZE],
            key=build_chart_key(name, query),
            group=Axis(GROUP, "of"),
        )

    return draw


def make_quantile_chart(
    quantiles: Sequence[str], title: str, category: str = GROUP
) -> Callable[[str, list[dict[str, Any]], StatisticsQuery], None]:
    """Return a function that draws the distribution of values for each group."""

    def draw(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> None:
        if category != GROUP:
            rows = [
                {**row, GROUP: f"{row[category]} · {row[GROUP]}" if query.by else str(row[category])} for row in rows
            ]
        if all(row[quantiles[0]] is None for row in rows):
            st.caption("None of these games has this value.")
            return
        rows = [row for row in rows if row["games"] >= ENOUGH]
        if not rows:
            show_too_few()
            return
        charts.draw_quantiles(rows, GROUP, quantiles, key=build_chart_key(name, query), title=title)

    return draw


def make_side_chart(along: str, title: str) -> Callable[[str, list[dict[str, Any]], StatisticsQuery], None]:
    """Return a function that draws lines for both movers, the winner and the loser."""

    def draw(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> None:
        rows = [row for row in rows if (row["games"] if "games" in row else row["positions"]) >= ENOUGH]
        if not rows:
            show_too_few()
            return
        charts.draw_lines(
            rows,
            Axis(along, title),
            SIDES,
            key=build_chart_key(name, query),
            title="marbles captured, mean",
            group=GROUP if query.by else None,
        )

    return draw


def draw_sacrifices(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> None:
    """Draw sacrifices of both movers, the winner and the loser."""
    bars = [
        {"player": label, "mean": row[side], "games": row["games"], GROUP: row[GROUP]}
        for row in rows
        for side, label in SIDES.items()
        if row[side] is not None and row["games"] >= ENOUGH
    ]
    if not bars:
        show_too_few()
        return
    divided = Axis(GROUP, "of") if query.by else None
    mean = Axis("mean", "sacrifices a game", ".2f")
    charts.draw_columns(bars, Axis("player", "player"), mean, [GAMES], key=build_chart_key(name, query), group=divided)


def draw_forced_wins(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
    """Draw the share of forced wins that players kept, and their blunders per 100 free moves."""
    category = draw_groups(name, rows, query)
    blunders = [row for row in rows if row["per_100"] is not None]
    if blunders:
        rate, free = (
            Axis("per_100", "proven blunders per 100 free moves", ".1f"),
            Axis("free", "free moves", COUNT_FORMAT),
        )
        charts.draw_columns(blunders, Axis(GROUP, "games"), rate, [free, GAMES], key=build_chart_key("blunders", query))
    return category


def draw_first_moves(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
    """Draw the number of distinct first moves, for each board."""
    played, extras = (
        Axis("played", "distinct first moves played", COUNT_FORMAT),
        [Axis("possible", "possible", COUNT_FORMAT), GAMES],
    )
    divided = Axis(GROUP, "of") if query.by else None
    return charts.draw_columns(
        rows, Axis("board", "board"), played, extras, key=build_chart_key(name, query), group=divided
    )


def draw_first_rings(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
    """Draw shares of the first mover, for each first ring of each board."""
    with_share = [{**row, "ring": f"{row['board']} · {row['ring']}"} for row in rows if row["share"] is not None]
    if not with_share:
        show_too_few()
        return None
    extras = [Axis("first", "first", COUNT_FORMAT), Axis("decided", "decided", COUNT_FORMAT)]
    divided = Axis(GROUP, "of") if query.by else None
    return charts.draw_share_bars(
        with_share, Axis("ring", "ring"), [*SHARE, *extras], key=build_chart_key(name, query), group=divided, half=True
    )


def draw_clocks(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> None:
    """Draw games by their clocks."""
    labelled = [{**row, "clocks": CLOCKS.get(row["clocks"], row["clocks"])} for row in rows]
    charts.draw_stacked_bars(labelled, GROUP, "clocks", "games", key=build_chart_key(name, query))


def draw_time_trouble(name: str, rows: list[dict[str, Any]], query: StatisticsQuery) -> Pick | None:
    """Draw shares of players who got short of time."""
    labelled = [{**row, GROUP: f"under {row['below']} s" + (f" · {row[GROUP]}" if query.by else "")} for row in rows]
    return draw_groups(name, labelled, query)


SECTIONS: Mapping[str, Sequence[str]] = {
    "Who wins": ("first-mover", "sets"),
    "Endings": ("endings", "lengths", "histogram", "minutes", "isolations"),
    "First moves": ("first-moves", "first-rings"),
    "Leads": ("leads", "lead-changes"),
    "Captures": ("captures", "captures-by-ply", "sacrifices"),
    "Forced wins": ("tactics",),
    "Time": ("clocks", "phases", "turns", "trouble", "players"),
    "Tournaments": (),
}
CHARTS: Mapping[str, StatisticChart] = {
    "first-mover": StatisticChart(draw_groups, GROUP),
    "sets": StatisticChart(make_category_chart("set"), "sets"),
    "endings": StatisticChart(make_category_chart("ending"), "ending"),
    "lengths": StatisticChart(make_quantile_chart(("q10", "q25", "q50", "q75", "q90"), "plies")),
    "histogram": StatisticChart(make_column_chart("plies"), "plies"),
    "minutes": StatisticChart(make_quantile_chart(("q10", "q25", "q50", "q75", "q90"), "minutes")),
    "isolations": StatisticChart(make_column_chart("captures")),
    "first-moves": StatisticChart(draw_first_moves, "board"),
    "first-rings": StatisticChart(draw_first_rings, "board"),
    "leads": StatisticChart(draw_leads, GROUP),
    "lead-changes": StatisticChart(make_column_chart("changes")),
    "captures": StatisticChart(make_side_chart("part", "per cent of the game")),
    "captures-by-ply": StatisticChart(make_side_chart("ply", "plies played")),
    "sacrifices": StatisticChart(draw_sacrifices),
    "tactics": StatisticChart(draw_forced_wins, GROUP),
    "clocks": StatisticChart(draw_clocks),
    "phases": StatisticChart(make_quantile_chart(("q25", "q25", "q50", "q75", "q90"), "seconds for a turn", "phase")),
    "turns": StatisticChart(make_quantile_chart(("q25", "q25", "q50", "q75", "q90"), "seconds for a turn", "turn")),
    "trouble": StatisticChart(draw_time_trouble),
}


show_page()
