"""Charts of results: bars with their intervals, lines, parts of a whole. What a click on one of them chose comes back as values.

Each chart takes rows with named values, so that nothing in a name or text is read as a formula or a field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from dashboards.components.palette import DEFAULT_COLOURS, get_colour

if TYPE_CHECKING:
    import altair as alt

Rows = Sequence[Mapping[str, Any]]

BAR, GROUPED_BAR = 26, 17
"""Pixels from one horizontal bar to the next, and from one to the next where they stand in groups."""
BAR_SHARE = 0.72
"""How much of its place a bar fills."""
HALF, LABEL_MARGIN = 0.5, 0.08
"""The share against which bars are held, and how far from it a number would stand across its line."""
LEGEND_LETTERS = 45
"""So many letters may stand side by side above a chart, with a symbol as wide as four before each name: they fit on a phone."""
COUNT_FORMAT = ",d"
"""The form of a whole number."""
SELECTION = "picked"


class Axis(NamedTuple):
    """A value that is drawn: its name in the rows, what stands beside it, and its form (as d3 writes forms)."""

    name: str
    title: str
    form: str = ""


def draw_share_bars(
    rows: Rows, category: Axis, told: Sequence[Axis], *, key: str, group: Axis | None = None, half: bool = False
) -> str | None:
    """A bar for each category, as long as `share`, with its interval (`low`, `high`) as a line; with groups a bar for each, side by
    side, with the interval as a shade.

    half: whether the bars are to be held against one half.

    The category whose bar was just clicked, else None.
    """
    import altair as alt

    names = list(dict.fromkeys(str(row[category.name]) for row in rows))
    data = _values(rows, [category, *told, *([group] if group else [])], "share", "low", "high")
    for row in data:
        row["end"] = HALF if half and HALF - LABEL_MARGIN < row["high"] < HALF else row["high"]
    chart = alt.Chart(_data(data))
    place: dict[str, Any] = {
        "y": alt.Y("category:N", sort=names, title=None, axis=alt.Axis(labelLimit=180, ticks=False, domain=False))
    }
    colours, steps = _build_colours(names), alt.Step(BAR)
    if group:
        groups = list(dict.fromkeys(row["group"] for row in data))
        place["yOffset"] = alt.YOffset("group:N", sort=groups)
        colours, steps = _build_colours(groups, "group:N", legend=True), alt.Step(GROUPED_BAR, **{"for": "offset"})
    scale = alt.Scale(domain=[0, 1]) if half else alt.Scale(zero=True)
    along = alt.X("share:Q", title=None, axis=alt.Axis(format="%", grid=True, tickCount=6), scale=scale)
    tip = _build_tooltips([category, *([group] if group else []), *told])
    pick = alt.selection_point(name=SELECTION, fields=["category"], on="click")
    bars = (
        chart.mark_bar(cornerRadiusEnd=4, height=alt.RelativeBandSize(BAR_SHARE), cursor="pointer")
        .encode(
            x=along, tooltip=tip, color=colours, opacity=alt.condition(pick, alt.value(1), alt.value(0.45)), **place
        )
        .add_params(pick)
    )
    thick = alt.RelativeBandSize(BAR_SHARE)
    shade = chart.mark_bar(height=thick, opacity=0.35)  # a line would lie at the edge of its place in a group
    line = shade if group else chart.mark_rule(strokeWidth=2, opacity=0.8)
    whiskers = line.encode(x="low:Q", x2="high:Q", tooltip=tip, **place)
    points = chart.mark_text(align="left", dx=6, dy=GROUPED_BAR / 2 if group else 0, fontSize=11).encode(
        x="end:Q", text=alt.Text("share:Q", format=".1%"), tooltip=tip, **place
    )
    even = [_use_text_colour(chart.mark_rule(strokeDash=[4, 4], opacity=0.5).encode(x=alt.datum(HALF)))] if half else []
    layers = alt.layer(bars, *even, _use_text_colour(whiskers), _use_text_colour(points)).properties(height=steps)
    return _show_selectable(layers, key, f"{category.title}: shares with intervals")


def draw_columns(
    rows: Rows,
    category: Axis,
    height: Axis,
    told: Sequence[Axis],
    *,
    key: str,
    group: Axis | None = None,
    tall: int = 220,
) -> str | None:
    """Upright bars in order, side by side; those of groups stand in each other's place, in colours of their own.

    The category that was just clicked, else None.
    """
    import altair as alt

    data = _values(rows, [category, height, *told, *([group] if group else [])])
    names = list(dict.fromkeys(row["category"] for row in data))
    pick = alt.selection_point(name=SELECTION, fields=["category"], on="click")
    coloured: dict[str, Any] = {}
    if group:
        groups = list(dict.fromkeys(row["group"] for row in data))
        coloured = {
            "color": _build_colours(groups, "group:N", legend=True),
            "xOffset": alt.XOffset("group:N", sort=groups),
        }
    chart = (
        alt.Chart(_data(data))
        .mark_bar(cornerRadiusEnd=3, cursor="pointer")
        .encode(
            x=alt.X("category:N", sort=names, title=category.title, axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y(f"{height.name}:Q", title=height.title, axis=alt.Axis(format=height.form, tickCount=5)),
            tooltip=_build_tooltips([category, *([group] if group else []), height, *told]),
            opacity=alt.condition(pick, alt.value(1), alt.value(0.45)),
            **coloured,
        )
        .add_params(pick)
        .properties(height=tall)
    )
    return _show_selectable(chart, key, f"{height.title} by {category.title}")


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
    """A line for each of the heights (name in the rows: what it is called), for each group a drawing of its own."""
    import altair as alt

    data = [
        {
            "along": row[along.name],
            "height": row[name],
            "line": said,
            "group": "" if group is None else _format_value(row[group]),
        }
        for row in rows
        for name, said in heights.items()
        if row[name] is not None
    ]
    names = list(heights.values())
    base = alt.Chart(_data(data)).encode(
        x=alt.X("along:Q", title=along.title),
        y=alt.Y("height:Q", title=title, axis=alt.Axis(format=form, tickCount=5)),
        color=_build_colours(names, "line:N", legend=True),
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
    st.altair_chart(drawn, key=key, alt=title)


def draw_quantiles(rows: Rows, label: str, quantiles: Sequence[str], *, key: str, title: str) -> None:
    """For each row a line from the first quantile to the last, a bar from the second to the last but one, and the median.

    quantiles: names in the rows, from low to high, the middle one the median.
    """
    import altair as alt

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
    base = alt.Chart(_data(data)).encode(y=place, tooltip=tip)
    layers = alt.layer(
        _use_text_colour(
            base.mark_rule(strokeWidth=2, opacity=0.6).encode(x=alt.X(f"{low}:Q", title=title), x2=f"{high}:Q")
        ),
        base.mark_bar(height=alt.RelativeBandSize(0.6), color=DEFAULT_COLOURS[0], cornerRadius=3).encode(
            x=f"{begin}:Q", x2=f"{end}:Q"
        ),
        _use_text_colour(base.mark_tick(thickness=3, bandSize=20).encode(x=f"{middle}:Q")),
    )
    st.altair_chart(layers.properties(height=alt.Step(BAR)), key=key, alt=title)


def draw_ratings(rows: Rows, *, key: str) -> None:
    """Ratings over time, with the band of two deviations in which the true strength lies with 95 % confidence."""
    import altair as alt

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
    base = alt.Chart(_data(data)).encode(
        x=alt.X("date:T", title=None), color=_build_colours(names, "name:N", legend=len(names) > 1)
    )
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
    st.altair_chart(alt.layer(band, line, points).properties(height=260), key=key, alt="Rating over time")


def draw_stacked_bars(
    rows: Rows, whole: str, part: str, number: str, *, key: str, order: Sequence[str] = ()
) -> str | None:
    """A stacked bar for each whole, its parts in colours of their own: shares of `number`. The part that was just clicked, else None."""
    import altair as alt

    data = [
        {"whole": _format_value(row[whole]), "category": _format_value(row[part]), "number": row[number]}
        for row in rows
        if row[number]
    ]
    totals: dict[str, int] = {}
    for row in data:
        totals[row["whole"]] = totals.get(row["whole"], 0) + row["number"]
    for row in data:
        row |= {"share": row["number"] / totals[row["whole"]], "of": totals[row["whole"]]}
    wholes = list(totals)
    names = list(dict.fromkeys([*order, *(row["category"] for row in data)]))
    ranked = {name: number for number, name in enumerate(names)}
    for row in data:
        row["rank"] = ranked[row["category"]]
    pick = alt.selection_point(name=SELECTION, fields=["category"], on="click")
    chart = (
        alt.Chart(_data(data))
        .mark_bar(height=alt.RelativeBandSize(0.75), cursor="pointer", stroke="white", strokeOpacity=0.25)
        .encode(
            y=alt.Y("whole:N", sort=wholes, title=None, axis=alt.Axis(labelLimit=160, ticks=False, domain=False)),
            x=alt.X("number:Q", stack="normalize", title=None, axis=alt.Axis(format="%", tickCount=5)),
            color=_build_colours(names, legend=True),
            order=alt.Order("rank:Q"),
            opacity=alt.condition(pick, alt.value(1), alt.value(0.45)),
            tooltip=[
                alt.Tooltip("whole:N", title=whole),
                alt.Tooltip("category:N", title=part),
                alt.Tooltip("number:Q", title="games", format=COUNT_FORMAT),
                alt.Tooltip("share:Q", title="share", format=".1%"),
                alt.Tooltip("of:Q", title="of", format=COUNT_FORMAT),
            ],
        )
        .add_params(pick)
        .properties(height=alt.Step(BAR))
    )
    return _show_selectable(chart, key, f"{part} by {whole}")


def _values(rows: Rows, axes: Sequence[Axis], *more: str) -> list[dict[str, Any]]:
    """The rows as the charts name them: the first axis is the category, a group is called so."""
    category = axes[0]
    found = []
    for row in rows:
        value = {name: row[name] for name in more}
        value |= {axis.name: row[axis.name] for axis in axes[1:]}
        value["category"] = _format_value(row[category.name])
        found.append(value)
    return found


def _data(values: list[dict[str, Any]]) -> alt.Data:
    import altair as alt

    data: alt.Data = alt.Data(values=values)  # type: ignore[no-untyped-call]
    return data


def _format_value(value: object) -> str:
    return "unknown" if value is None else str(value)


def _build_tooltips(axes: Sequence[Axis]) -> list[alt.Tooltip]:
    import altair as alt

    category, *others = axes
    tips = [alt.Tooltip("category:N", title=category.title)]
    for axis in others:
        kind = "Q" if axis.form else "N"
        form: Any = axis.form or alt.Undefined
        tips.append(alt.Tooltip(f"{axis.name}:{kind}", title=axis.title, format=form))
    return tips


def _build_colours(names: Sequence[str], field: str = "category:N", legend: bool = False) -> alt.Color:
    import altair as alt

    colours = [get_colour(name, number) for number, name in enumerate(names)]
    shown = (
        alt.Legend(
            title=None,
            orient="top",
            columns=max(1, LEGEND_LETTERS // (4 + max(map(len, names), default=0))),
            labelLimit=160,
            offset=4,
            columnPadding=6,
            symbolSize=90,
            symbolStrokeWidth=0,
        )
        if legend
        else None
    )
    return alt.Color(field, scale=alt.Scale(domain=list(names), range=colours), legend=shown, sort=list(names))


def _use_text_colour(chart: alt.Chart) -> alt.Chart:
    """In the colour of the page's text."""
    import altair as alt

    return chart.encode(color=alt.value(st.get_option("theme.textColor") or _get_text_colour()))


def _get_text_colour() -> str:
    return "#ece7db" if st.context.theme.type == "dark" else "#2a2620"


def _show_selectable(chart: Any, key: str, said: str) -> str | None:
    """Show a chart; the category that was clicked since the last run."""
    event: Any = st.altair_chart(chart, key=key, on_select="rerun", selection_mode=SELECTION, alt=said)
    points = event.selection.get(SELECTION) or []
    chosen = points[0].get("category") if points else None
    before = f"{key}: picked before"
    if chosen == st.session_state.get(before):
        return None
    st.session_state[before] = chosen
    return chosen
