"""Charts of results: bars with their intervals, lines, stacked shares. Functions return the value that a click chose.

Each chart takes rows with named values, so that no name or text is read as a formula or a field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import altair as alt
import streamlit as st
from altair.utils import schemapi

from zertz_db.dashboards.components.palette import DEFAULT_COLOURS, get_colour

alt.theme.enable("none")  # the page sets sizes and colours
schemapi.disable_debug_mode()  # validates each part of a chart

Rows = Sequence[Mapping[str, Any]]

BAR, GROUPED_BAR = 26, 17
"""Pixels from one horizontal bar to the next: single bars, and bars in groups."""
GROUP_GAP = 1.25
"""Factor for the gaps between groups of bars."""
MIN_HEIGHT = 44
"""Minimum height of a chart of stacked bars in pixels."""
BAR_SHARE = 0.72
"""Share of its slot that a bar fills."""
HALF, LABEL_MARGIN = 0.5, 0.08
"""The share that bars are compared with, and the distance from it within which a number would cover its line."""
COUNT_FORMAT = ",d"
"""Format of a whole number."""
SELECTION = "picked"
_LEGEND_STYLE = """<style>
.chart-legend { display: flex; flex-wrap: wrap; gap: .1rem .9rem; font-size: .8rem; line-height: 1.35; }
.chart-legend > span { display: inline-flex; align-items: center; gap: .35rem; overflow-wrap: anywhere; }
.chart-legend i { width: .7rem; height: .7rem; border-radius: 3px; flex: none;
  border: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
</style>"""
UNKNOWN = "unknown"
"""Category of rows without a value."""


class Pick(str):
    """The category that was clicked in a chart. group: its group, or the bar of a stacked bar's part; None for a chart without groups."""

    group: str | None

    def __new__(cls, category: str, group: str | None = None) -> Pick:
        """Return the category with its group."""
        found = super().__new__(cls, category)
        found.group = group
        return found


class Axis(NamedTuple):
    """A value to draw: its name in the rows, its title, and its format (in d3's notation)."""

    name: str
    title: str
    form: str = ""


def draw_share_bars(
    rows: Rows, category: Axis, extras: Sequence[Axis], *, key: str, group: Axis | None = None, half: bool = False
) -> Pick | None:
    """Draw a bar for each category, as long as `share`, with its interval (`low`, `high`) as a line. With groups, draw a bar for each
    group, side by side, with the interval as a shade. Return the category of the bar that was just clicked, or None.

    half: whether to compare the bars with one half. extras: more values for the tooltips.
    """
    names = list(dict.fromkeys(str(row[category.name]) for row in rows))
    data = _values(rows, [category, *extras, *([group] if group else [])], "share", "low", "high")
    for row in data:
        row["end"] = HALF if half and HALF - LABEL_MARGIN < row["high"] < HALF else row["high"]
    chart = alt.Chart(_ROWS)
    place: dict[str, Any] = {
        "y": alt.Y("category:N", sort=names, title=None, axis=alt.Axis(labelLimit=180, ticks=False, domain=False))
    }
    colours, tall = _build_colours(names), BAR * len(names)
    if group:
        groups = list(dict.fromkeys(row["group"] for row in data))
        place["yOffset"] = alt.YOffset("group:N", sort=groups)
        colours, tall = _build_colours(groups, "group:N"), round(GROUPED_BAR * len(groups) * len(names) * GROUP_GAP)
        _show_legend(groups)
    scale = alt.Scale(domain=[0, 1]) if half else alt.Scale(zero=True)
    along = alt.X("share:Q", title=None, axis=alt.Axis(format="%", grid=True, tickCount=6), scale=scale)
    tip = _build_tooltips([category, *([group] if group else []), *extras])
    pick = _build_pick(data)
    bars = (
        chart.mark_bar(cornerRadiusEnd=4, height=alt.RelativeBandSize(BAR_SHARE), cursor="pointer")
        .encode(
            x=along, tooltip=tip, color=colours, opacity=alt.condition(pick, alt.value(1), alt.value(0.45)), **place
        )
        .add_params(pick)
    )
    thick = alt.RelativeBandSize(BAR_SHARE)
    shade = chart.mark_bar(height=thick, opacity=0.35)  # a line would be at the edge of its slot in a group
    line = shade if group else chart.mark_rule(strokeWidth=2, opacity=0.8)
    whiskers = line.encode(x="low:Q", x2="high:Q", tooltip=tip, **place)
    points = chart.mark_text(align="left", dx=6, dy=GROUPED_BAR / 2 if group else 0, fontSize=11).encode(
        x="end:Q", text=alt.Text("share:Q", format=".1%"), tooltip=tip, **place
    )
    even = [_use_text_colour(chart.mark_rule(strokeDash=[4, 4], opacity=0.5).encode(x=alt.datum(HALF)))] if half else []
    layers = alt.layer(bars, *even, _use_text_colour(whiskers), _use_text_colour(points)).properties(height=tall)
    return _show_selectable(layers, data, key, f"{category.title}: shares with intervals")


def draw_means(
    rows: Rows, category: Axis, mean: Axis, extras: Sequence[Axis], *, key: str, field: str, unit: str = ""
) -> Pick | None:
    """Draw the mean of each category with its interval (`low`, `high`), beside that of the field (`field`). Return the category that was
    just clicked, or None.

    Shares (no unit) are bars from zero; other means are points, on an axis that need not begin at zero.
    field: the group whose mean the diamond shows.
    """
    data = _values(rows, [category, mean, *extras], "low", "high", "field")
    is_share = not unit
    names = [row["category"] for row in data]
    place: dict[str, Any] = {
        "y": alt.Y("category:N", sort=names, title=None, axis=alt.Axis(labelLimit=220, ticks=False, domain=False))
    }
    along = alt.X(
        f"{mean.name}:Q",
        title=unit or None,
        axis=alt.Axis(format="%" if is_share else ",.4~g", grid=True, tickCount=6),
        scale=alt.Scale(zero=is_share, padding=0 if is_share else 12),
    )
    tip = _build_tooltips(
        [category, mean, Axis("low", "at least (95 %)", mean.form), Axis("high", "at most", mean.form),
         Axis("field", field, mean.form), *extras]
    )  # fmt: skip
    pick = _build_pick(data)
    base = alt.Chart(_ROWS).encode(tooltip=tip, **place)
    shape = (
        base.mark_bar(cornerRadiusEnd=4, height=alt.RelativeBandSize(BAR_SHARE), cursor="pointer")
        if is_share
        else base.mark_point(filled=True, size=110, opacity=1, cursor="pointer")
    )
    means = shape.encode(
        x=along,
        color=alt.value(DEFAULT_COLOURS[0]),
        opacity=alt.condition(pick, alt.value(1), alt.value(0.45)),
    ).add_params(pick)
    whiskers = _use_text_colour(base.mark_rule(strokeWidth=2, opacity=0.8).encode(x="low:Q", x2="high:Q"))
    others = base.mark_point(shape="diamond", filled=True, size=80, opacity=1, stroke="white", strokeWidth=1).encode(
        x="field:Q", color=alt.value(DEFAULT_COLOURS[1])
    )
    numbers = _use_text_colour(
        base.mark_text(align="left", dx=8, fontSize=11).encode(
            x=alt.value("width"), text=alt.Text(f"{mean.name}:Q", format=mean.form)
        )
    )
    chart = alt.layer(means, whiskers, others, numbers).properties(height=BAR * len(names))
    clicked = _show_selectable(chart, data, key, f"{mean.title} by {category.title}")
    st.caption(f"The diamond is the mean of {field}.")
    return clicked


def draw_columns(
    rows: Rows,
    category: Axis,
    height: Axis,
    extras: Sequence[Axis],
    *,
    key: str,
    group: Axis | None = None,
    tall: int = 220,
) -> Pick | None:
    """Draw upright bars in order; the bars of groups share a place, in colours of their own.

    Return the category that was just clicked, or None. extras: more values for the tooltips. tall: height in pixels.
    """
    data = _values(rows, [category, height, *extras, *([group] if group else [])])
    names = list(dict.fromkeys(row["category"] for row in data))
    pick = _build_pick(data)
    coloured: dict[str, Any] = {}
    if group:
        groups = list(dict.fromkeys(row["group"] for row in data))
        coloured = {
            "color": _build_colours(groups, "group:N"),
            "xOffset": alt.XOffset("group:N", sort=groups),
        }
        _show_legend(groups)
    chart = (
        alt.Chart(_ROWS)
        .mark_bar(cornerRadiusEnd=3, cursor="pointer")
        .encode(
            x=alt.X("category:N", sort=names, title=category.title, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y(f"{height.name}:Q", title=height.title, axis=alt.Axis(format=height.form, tickCount=5)),
            tooltip=_build_tooltips([category, *([group] if group else []), height, *extras]),
            opacity=alt.condition(pick, alt.value(1), alt.value(0.45)),
            **coloured,
        )
        .add_params(pick)
        .properties(height=tall)
    )
    return _show_selectable(chart, data, key, f"{height.title} by {category.title}")


def draw_lines(
    rows: Rows,
    along: Axis,
    heights: Mapping[str, str],
    *,
    key: str,
    title: str,
    form: str = ",.4~g",
    group: str | None = None,
) -> None:
    """Draw a line for each of the heights (label by name in the rows), in a separate chart for each group."""
    data = [
        {
            "along": row[along.name],
            "height": row[name],
            "line": label,
            "group": "" if group is None else _format_value(row[group]),
        }
        for row in rows
        for name, label in heights.items()
        if row[name] is not None
    ]
    names = list(heights.values())
    _show_legend(names)
    base = alt.Chart(_ROWS).encode(
        x=alt.X("along:Q", title=along.title),
        y=alt.Y("height:Q", title=title, axis=alt.Axis(format=form, tickCount=5)),
        color=_build_colours(names, "line:N"),
        tooltip=[
            alt.Tooltip("line:N", title="of"),
            alt.Tooltip("along:Q", title=along.title),
            alt.Tooltip("height:Q", title=title, format=form),
        ],
    )
    drawn: Any = alt.layer(base.mark_line(strokeWidth=2.5), base.mark_point(filled=True, size=40)).properties(
        height=240
    )
    if group is not None:
        drawn = drawn.facet(facet=alt.Facet("group:N", title=None), columns=2)
    _draw(drawn, data, key=key, alt=title)


def draw_quantiles(rows: Rows, label: str, quantiles: Sequence[str], *, key: str, title: str) -> None:
    """Draw a line from the first quantile to the last, a bar from the second to the last but one, and the median, for each row.

    quantiles: names in the rows, from low to high, the middle one the median.
    """
    low, *inner, high = quantiles
    begin, middle, end = inner[0], quantiles[len(quantiles) // 2], inner[-1]
    data = [
        {"label": _format_value(row[label]), "games": row["games"], **{name: row[name] for name in quantiles}}
        for row in rows
        if row[middle] is not None
    ]
    names = list(dict.fromkeys(row["label"] for row in data))
    place = alt.Y("label:N", sort=names, title=None, axis=alt.Axis(labelLimit=180, ticks=False, domain=False))
    tip = [alt.Tooltip("label:N", title=label), alt.Tooltip("games:Q", title="games", format=COUNT_FORMAT)]
    tip += [alt.Tooltip(f"{name}:Q", title=f"{name[1:]} % have at most", format=",.4~g") for name in quantiles]
    base = alt.Chart(_ROWS).encode(y=place, tooltip=tip)
    layers = alt.layer(
        _use_text_colour(
            base.mark_rule(strokeWidth=2, opacity=0.6).encode(x=alt.X(f"{low}:Q", title=title), x2=f"{high}:Q")
        ),
        base.mark_bar(height=alt.RelativeBandSize(0.6), color=DEFAULT_COLOURS[0], cornerRadius=3).encode(
            x=f"{begin}:Q", x2=f"{end}:Q"
        ),
        _use_text_colour(base.mark_tick(thickness=3, bandSize=20).encode(x=f"{middle}:Q")),
    )
    _draw(layers.properties(height=BAR * len(names)), data, key=key, alt=title)


def draw_ratings(rows: Rows, *, key: str) -> None:
    """Draw ratings over time, with the band of two deviations that contains the true strength with 95 % confidence."""
    data = [
        {
            "date": row["date"].isoformat(),
            "rating": row["rating"],
            "low": row["rating"] - 2 * row["deviation"],
            "high": row["rating"] + 2 * row["deviation"],
            "name": row["name"],
        }
        for row in rows
    ]
    names = list(dict.fromkeys(row["name"] for row in data))
    if len(names) > 1:
        _show_legend(names)
    base = alt.Chart(_ROWS).encode(x=alt.X("date:T", title=None), color=_build_colours(names, "name:N"))
    tip = [
        alt.Tooltip("name:N", title="player"),
        alt.Tooltip("date:T", title="date"),
        alt.Tooltip("rating:Q", title="rating"),
        alt.Tooltip("low:Q", title="from"),
        alt.Tooltip("high:Q", title="to"),
    ]
    scale = alt.Scale(zero=False)
    band = base.mark_area(opacity=0.2, line=False).encode(y=alt.Y("low:Q", title="rating", scale=scale), y2="high:Q")
    line = base.mark_line(strokeWidth=2.2, interpolate="step-after").encode(
        y=alt.Y("rating:Q", scale=scale), tooltip=tip
    )
    points = base.mark_point(size=60, opacity=0).encode(y="rating:Q", tooltip=tip)
    chart = alt.layer(band, line, points).properties(height=260)
    _draw(chart, data, key=key, alt="Rating over time")


def draw_stacked_bars(
    rows: Rows, whole: str, part: str, number: str, *, key: str, order: Sequence[str] = ()
) -> Pick | None:
    """Draw a stacked bar for each whole, with parts as shares of `number`. Return the part that was just clicked (its category,
    and its whole as the group), or None.
    """
    data = [
        {"group": _format_value(row[whole]), "category": _format_value(row[part]), "number": row[number]}
        for row in rows
        if row[number]
    ]
    totals: dict[str, int] = {}
    for row in data:
        totals[row["group"]] = totals.get(row["group"], 0) + row["number"]
    for row in data:
        row |= {"share": row["number"] / totals[row["group"]], "of": totals[row["group"]]}
    wholes = list(totals)
    names = list(dict.fromkeys([*order, *(row["category"] for row in data)]))
    ranked = {name: number for number, name in enumerate(names)}
    for row in data:
        row["rank"] = ranked[row["category"]]
    _show_legend(names)
    pick = _build_pick(data)
    chart = (
        alt.Chart(_ROWS)
        .mark_bar(height=alt.RelativeBandSize(0.75), cursor="pointer", stroke="white", strokeOpacity=0.25)
        .encode(
            y=alt.Y("group:N", sort=wholes, title=None, axis=alt.Axis(labelLimit=160, ticks=False, domain=False)),
            x=alt.X("number:Q", stack="normalize", title=None, axis=alt.Axis(format="%", tickCount=5)),
            color=_build_colours(names),
            order=alt.Order("rank:Q"),
            opacity=alt.condition(pick, alt.value(1), alt.value(0.45)),
            tooltip=[
                alt.Tooltip("group:N", title=whole),
                alt.Tooltip("category:N", title=part),
                alt.Tooltip("number:Q", title="games", format=COUNT_FORMAT),
                alt.Tooltip("share:Q", title="share", format=".1%"),
                alt.Tooltip("of:Q", title="of", format=COUNT_FORMAT),
            ],
        )
        .add_params(pick)
        .properties(height=max(BAR * len(wholes), MIN_HEIGHT))
    )
    return _show_selectable(chart, data, key, f"{part} by {whole}")


def _values(rows: Rows, axes: Sequence[Axis], *more: str) -> list[dict[str, Any]]:
    """Return the rows with the names that the charts use: the first axis is `category`."""
    category = axes[0]
    found = []
    for row in rows:
        value = {name: row[name] for name in more}
        value |= {axis.name: row[axis.name] for axis in axes[1:]}
        value["category"] = _format_value(row[category.name])
        found.append(value)
    return found


def _draw(chart: Any, values: list[dict[str, Any]], **settings: Any) -> Any:
    """Draw the chart with its rows, fitted to the width of the page. settings: of `st.vega_lite_chart`; return what that returns.

    The rows have a name, so the browser has them when it draws the chart: rows without a name come later, and Vega warns of empty axes.
    Heights are those of the bars and lines alone; axes come on top. Altair does not validate the chart, which would take most of the time.
    """
    if not isinstance(chart, alt.FacetChart):
        chart = chart.properties(autosize=alt.AutoSizeParams(type="fit-x", contains="padding"))
    spec = chart.properties(datasets={_ROWS.name: values}).to_dict(validate=False)
    return st.vega_lite_chart(spec=spec, **settings)


_ROWS = alt.NamedData(name="rows")
"""The rows of a chart, by name."""


def _format_value(value: object) -> str:
    return UNKNOWN if value is None else str(value)


def _build_tooltips(axes: Sequence[Axis]) -> list[alt.Tooltip]:
    category, *others = axes
    tips = [alt.Tooltip("category:N", title=category.title)]
    for axis in others:
        kind = "Q" if axis.form else "N"
        form: Any = axis.form or alt.Undefined
        tips.append(alt.Tooltip(f"{axis.name}:{kind}", title=axis.title, format=form))
    return tips


def _build_colours(names: Sequence[str], field: str = "category:N") -> alt.Color:
    return alt.Color(
        field, scale=alt.Scale(domain=list(names), range=_list_colours(names)), legend=None, sort=list(names)
    )


def _build_pick(values: list[dict[str, Any]]) -> alt.Parameter:
    return alt.selection_point(
        name=SELECTION, fields=[name for name in ("category", "group") if name in values[0]], on="click"
    )


def _list_colours(names: Sequence[str]) -> list[str]:
    return [get_colour(name, number, is_dark=_is_dark()) for number, name in enumerate(names)]


def _show_legend(names: Sequence[str]) -> None:
    """Show the colours of names above a chart; the line breaks where the page is narrow, and takes nothing from the chart."""
    entries = zip(names, _list_colours(names), strict=True)
    parts = [
        f'<span role="listitem"><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in entries
    ]
    st.html(f'{_LEGEND_STYLE}<div class="chart-legend" role="list" aria-label="Colours">{"".join(parts)}</div>')


def _use_text_colour(chart: alt.Chart) -> alt.Chart:
    """Return the chart in the colour of the page's text."""
    return chart.encode(color=alt.value(st.get_option("theme.textColor") or _get_text_colour()))


def _get_text_colour() -> str:
    return "#ece7db" if _is_dark() else "#2a2620"


def _is_dark() -> bool:
    return st.context.theme.type == "dark"


def _show_selectable(chart: Any, values: list[dict[str, Any]], key: str, description: str) -> Pick | None:
    """Show a chart; return the category that was clicked since the last run, or None."""
    event: Any = _draw(chart, values, key=key, on_select="rerun", selection_mode=SELECTION, alt=description)
    points = event.selection.get(SELECTION) or []
    picked = (points[0]["category"], points[0].get("group")) if points else None
    before = f"{key}: picked before"
    if picked == st.session_state.get(before):
        return None
    st.session_state[before] = picked
    return None if picked is None else Pick(*picked)
