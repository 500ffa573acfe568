"""Page of insights: a metric of games or moves by a dimension, of all players or one. The URL has the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import COUNT_FORMAT, Axis
from zertz_db.dashboards.components.location import bind_select, bind_widget, get_all, get_value, replace_all
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.components.tiles import Tile, format_percent, show_tiles
from zertz_db.dashboards.sections.filter_bar import add_term, build_ending_term, build_term, show_absence, show_filter
from zertz_db.dashboards.state.database import stop_page
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.insights.dimensions import DIMENSIONS
from zertz_db.queries.insights.metrics import METRICS
from zertz_db.queries.insights.one_insight import Insight, Mean, find_insight
from zertz_db.queries.insights.presets import OF_ALL, OF_ONE, Preset
from zertz_db.queries.wilson import ENOUGH

MAX_BARS = 24
"""Maximum number of bars in a chart; the table has all groups."""
QUESTION_KEY = "question"
MIN_GAMES = f"fewer than {ENOUGH} games"


def show_page() -> None:
    """Draw the page."""
    st.title("Insights")
    filters = show_filter("board:37 kind:human-human date:2010..2012", prefers_humans=True)
    if not run_query(count_games, filters):
        show_absence(filters)
        return
    show_questions(OF_ONE if get_value("of") else OF_ALL)
    metric, by, player = choose_question()
    try:
        found = run_query(find_insight, metric, by, filters, player.strip() or None)
    except QueryError as error:
        stop_page(error)
    show_insight(found)


def show_questions(presets: Sequence[Preset]) -> None:
    """Draw the questions as sentences; a click sets metric and dimension."""
    shown = get_value("metric", "points"), get_value("by", "side")
    st.session_state[QUESTION_KEY] = next((one.question for one in presets if (one.metric, one.by) == shown), None)
    st.pills(
        "Questions",
        [one.question for one in presets],
        key=QUESTION_KEY,
        label_visibility="collapsed",
        format_func=escape_markdown,
        on_change=open_question,
        args=(presets,),
    )


def open_question(presets: Sequence[Preset]) -> None:
    """Set the metric and the dimension of the chosen question; keep the filter and the player."""
    chosen = next((one for one in presets if one.question == st.session_state[QUESTION_KEY]), None)
    if chosen is not None:
        replace_all({**get_all(), "metric": [chosen.metric], "by": [chosen.by]})


def choose_question() -> tuple[str, str, str]:
    """Draw the choices; return the names of the metric and the dimension, and the typed player."""
    one, two, three = st.columns([1, 1, 1.2])
    with one:
        metric = bind_select(
            "Metric", "metric", list(METRICS), default="points", format_func=lambda name: METRICS[name].title
        )
    names = [name for name, one in DIMENSIONS.items() if METRICS[metric].of_moves or not one.of_moves]
    with two:
        by = bind_select("By", "by", names, default="side", format_func=lambda name: DIMENSIONS[name].title)
    with three:
        player = bind_widget(
            "of",
            lambda key, first: st.text_input(
                "Of one player", first, key=key, placeholder="all players", icon=":material/person_search:"
            ),
            default="",
        )
    return metric, by, player


def show_insight(found: Insight) -> None:
    """Draw the numbers, the chart and the table."""
    st.subheader(escape_markdown(found.title[0].upper() + found.title[1:]))
    st.caption(escape_markdown(f"{found.metric.meaning[0].upper()}{found.metric.meaning[1:]}."))
    if found.coverage:
        st.info(escape_markdown(found.coverage), icon=":material/biotech:")
    if not found.table.rows:
        st.info("None of these games has a value.", icon=":material/search_off:")
        return
    if found.player is None:
        st.caption(f"All groups together: **{format_mean(found, found.total.mean)}** in {describe_total(found)}.")
    else:
        show_tiles(list_tiles(found, found.player.name))
    rows = [row for row in build_rows(found) if row["mean"] is not None]
    if not rows:
        st.caption(f"Every group has {MIN_GAMES}: no mean is drawn.")
    else:
        shown = rows[:MAX_BARS] if found.dimension.is_ranked else rows
        clicked = charts.draw_means(
            shown,
            Axis("group", found.dimension.title),
            Axis("mean", found.metric.title, ".1%" if found.metric.is_share else ",.1f"),
            [Axis("games", "games", COUNT_FORMAT)],
            key=f"insight {found.metric.name} {found.dimension.name} {found.player} {get_value('filter')}",
            field="all players" if found.player else "all groups together",
            unit="" if found.metric.is_share else found.metric.unit,
        )
        if len(rows) > len(shown):
            st.caption(f"The chart has the {len(shown)} groups with most games; the table has all {len(rows)}.")
        if clicked is not None:
            filter_by_click(found, clicked)
    with st.expander("The numbers", expanded=not rows):
        show_table(found.table)
    st.caption(
        f"Lines are 95 % intervals. Groups with {MIN_GAMES} are not drawn. The URL of this page holds the question."
    )


def build_rows(found: Insight) -> list[dict[str, Any]]:
    """Return the rows of the table with the names that the chart uses."""
    of_mean = "share" if found.metric.is_share else "mean"
    return [{**row, "group": row[found.dimension.name], "mean": row[of_mean]} for row in found.table.dicts()]


def list_tiles(found: Insight, player: str) -> list[Tile]:
    """Return the numbers of a player in all groups together."""
    total = found.total
    place, below = "–", f"fewer than {ENOUGH} other players with {ENOUGH} games"
    if total.percentile is not None:
        place = f"{100 * total.percentile:.0f}"
        below = f"higher than {format_percent(total.percentile)} of {total.players:,} players with {ENOUGH} games"
    return [
        Tile(player, format_mean(found, total.mean), describe_total(found)),
        Tile("Field", format_mean(found, found.field), "all players in these games"),
        Tile("Percentile", place, below),
    ]


def describe_total(found: Insight) -> str:
    """Return the number of games and the interval of all groups together, in words."""
    return f"{format_count(found.total.games, 'game')}{format_bounds(found, found.total)}"


def format_mean(found: Insight, mean: float | None) -> str:
    """Return a mean with its unit, a dash for none."""
    if found.metric.is_share or mean is None:
        return format_percent(mean)
    return f"{mean:,.1f} {found.metric.unit}"


def format_bounds(found: Insight, mean: Mean) -> str:
    """Return the interval of a mean in words."""
    if mean.low is None or mean.high is None:
        return ""
    scale = 100 if found.metric.is_share else 1
    unit = "%" if found.metric.is_share else found.metric.unit
    return f", {scale * mean.low:.1f}–{scale * mean.high:.1f} {unit} with 95 % confidence"


def filter_by_click(found: Insight, group: str) -> None:
    """Narrow the filter to the clicked group, if the filter language can."""
    term = "" if group == charts.UNKNOWN else build_group_term(found, group)
    if term:
        add_term(term)
        st.rerun()


def build_group_term(found: Insight, group: str) -> str:
    """Return the filter for a group, "" if the filter language has no field for it."""
    name, player = found.dimension.name, found.player and found.player.name
    if name == "side":
        return build_term(group, player) if player else ""
    if name == "ending":
        return build_ending_term(group)
    if name in ("rating", "opponent"):
        return build_band_term(group, player, is_own=name == "rating")
    fields = {"board": "board", "rules": "rules", "kind": "kind", "year": "date"}
    return build_term(fields[name], group) if name in fields else ""


def build_band_term(band: str, player: str | None, *, is_own: bool) -> str:
    """Return the filter for a band of ratings: a player's own or the opponent's; without a player, of either side.

    >>> build_band_term("1400-1599", "Ada", is_own=False)
    '(first:Ada rating-second:1400..1599 or second:Ada rating-first:1400..1599)'
    >>> build_band_term("<1200", None, is_own=True)
    '(rating-first:<1200 or rating-second:<1200)'
    """
    sides = []
    for side, other in (("first", "second"), ("second", "first")):
        rated = f"rating-{side if is_own or player is None else other}:{band.replace('-', '..')}"
        sides.append(f"{build_term(side, player)} {rated}" if player else rated)
    return f"({' or '.join(sides)})"


show_page()
