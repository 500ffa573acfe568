"""The page with win conditions: how games are won and go on, thinking time, tournaments. (`statistics` would hide Python's module.)

What is divided how is in the URL; a click in a chart narrows the filter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from dashboards import charts
from dashboards.answers import ask
from dashboards.charts import COUNT, Axis
from dashboards.database import stop
from dashboards.filtering import filters, narrow_by, term
from dashboards.listing import Column, Row, in_url, listing
from dashboards.location import bound, bound_tabs, value
from dashboards.tables import show
from dashboards.words import plain
from zertz_db.cli.words import counted
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games import count_games
from zertz_db.queries.result import Result
from zertz_db.queries.statistics import STATISTICS, statistics
from zertz_db.queries.statistics_groups import GROUPS, group
from zertz_db.queries.suggestions import absence
from zertz_db.queries.times import TIMES, times
from zertz_db.queries.tournaments import crosstable, tournaments

GROUP = "group"
ALL = "all games"
FIELDS = {"board": "board", "rules": "rules", "year": "date", "kind": "kind", "side": "winner"}
"""The fields of the filter language that ask for one of the groups."""
GAMES = Axis("games", "games", COUNT)
OF = Axis("of", "of", COUNT)
SHARE = (Axis("share", "share", ".1%"), Axis("low", "at least (95 %)", ".1%"), Axis("high", "at most", ".1%"))
CLOCKS = {"none": "no clocks", "up": "clocks that count up", "down": "clocks that count down"}
SIDES = {"first": "first mover", "second": "second mover", "winner": "later winner", "loser": "later loser"}


class Asked(NamedTuple):
    """Which games, divided by what."""

    filters: str
    by: tuple[str, ...]


class Shown(NamedTuple):
    """A statistic on the page: the chart, and how a click in it is a filter."""

    draw: Callable[[str, list[dict[str, Any]], Asked], str | None]
    field: str | None = None


def page() -> None:
    """The page."""
    st.title("Win conditions")
    typed = filters("kind:human-human date:2010..2012 not board:37")
    meanings = "; ".join(f"{name}: {group(name).meaning}" for name in GROUPS)
    by = bound(
        "by",
        lambda key, first: st.pills(
            "Divided by", GROUPS, selection_mode="multi", default=first, key=key, help=meanings
        ),
        default=[],
        options=list(GROUPS),
    )
    asked = Asked(typed, tuple(by))
    total = ask(count_games, typed)
    if not total:
        st.info(
            plain(ask(absence, typed)) if typed else "There are no games yet: `zertz import RECORDS` brings some.",
            icon=":material/search_off:",
        )
        return
    st.caption(
        f"**{counted(total, 'game')}**. Lines and shades on bars are 95 % intervals of the true share; a click narrows the filter."
    )
    try:
        sections(asked)
    except QueryError as error:
        stop(error)


def sections(asked: Asked) -> None:
    """Tabs, of which only the open one is asked for."""
    tabs = dict(zip(SECTIONS, bound_tabs("about", list(SECTIONS)), strict=True))
    for (title, names), tab in zip(SECTIONS.items(), tabs.values(), strict=True):
        if tab.open:
            with tab:
                for name in names:
                    show_statistic(name, asked)
                if title == "Time":
                    st.caption("Left out are games without clocks, and clocks of which nobody knows how they count.")
                if title == "Tournaments":
                    show_tournaments(asked)


def show_statistic(name: str, asked: Asked) -> None:
    """A statistic: its chart, and its table with the sample size of each row."""
    if name == "first-mover" and "side" in asked.by:
        return  # there is nothing to count
    is_time = name in TIMES
    found = ask(times, name, asked.filters, asked.by) if is_time else ask(statistics, name, asked.filters, asked.by)
    if not found.rows:
        return
    st.subheader(sentence((TIMES if is_time else STATISTICS)[name].title))
    shown = CHARTS.get(name)
    if shown is not None:
        chosen = shown.draw(name, labelled(found, asked.by), asked)
        if chosen is not None:
            narrow_to(shown.field, chosen, asked)
    if shown is None:
        show(found)
    else:
        with st.expander("The numbers"):
            show(found)


def sentence(title: str) -> str:
    """A title with a capital letter."""
    return title[0].upper() + title[1:]


def labelled(found: Result, by: Sequence[str]) -> list[dict[str, Any]]:
    """The rows, each with the name of its group."""
    rows = found.dicts()
    for row in rows:
        row[GROUP] = " · ".join("unknown" if row[name] is None else str(row[name]) for name in by) or ALL
    return rows


def narrow_to(field: str | None, chosen: str, asked: Asked) -> None:
    """Ask for the games that were clicked, where the filter language can."""
    if field == "ending" and chosen == "unknown":
        narrow_by("verdict:unfinished")
    elif field == "plies":
        narrow_by(f"plies:{chosen.replace('-', '..')}")
    elif field == GROUP and len(asked.by) == 1 and asked.by[0] in FIELDS and chosen not in ("unknown", "neither"):
        narrow_by(term(FIELDS[asked.by[0]], chosen))
    elif field in ("sets", "ending"):
        narrow_by(term(field, chosen))
    else:
        return
    st.rerun()


def key(name: str, asked: Asked) -> str:
    """A key that changes with what is asked, so that what was clicked before counts no more."""
    return f"chart {name} {asked}"


def of_groups(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
    """A share for each group."""
    told = {"first-mover": ("first", "decided"), "leads": ("behind", "games"), "trouble": ("short", "seats")}[name]
    axes = [Axis(one, one, COUNT) for one in told]
    kept = [row for row in rows if row["share"] is not None]
    if not kept:
        few()
        return None
    return charts.shares(kept, Axis(GROUP, "games"), [*SHARE, *axes], key=key(name, asked), half=name != "trouble")


def of_leads(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
    """How often the winner was behind, and how he stood after half of the plies."""
    chosen = of_groups(name, rows, asked)
    st.caption("How the later winner stood after half of the plies:")
    halves = [
        {GROUP: row[GROUP], "stood": said, "games": row[half]}
        for row in rows
        for half, said in (("half_ahead", "ahead"), ("half_level", "level"), ("half_behind", "behind"))
    ]
    charts.parts(halves, GROUP, "stood", "games", key=key("half", asked), order=("ahead", "level", "behind"))
    return chosen


def few() -> None:
    """Where there is no share to draw."""
    st.caption("Fewer than ten games: no share is given.")


def of_category(category: str) -> Callable[[str, list[dict[str, Any]], Asked], str | None]:
    """A share for each category, apart for each group."""

    def draw(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
        kept = [row for row in rows if row["share"] is not None]
        if not kept:
            few()
            return None
        divided = Axis(GROUP, "of") if asked.by else None
        return charts.shares(kept, Axis(category, category), [*SHARE, GAMES, OF], key=key(name, asked), group=divided)

    return draw


def of_columns(category: str) -> Callable[[str, list[dict[str, Any]], Asked], str | None]:
    """Games in upright bars; of groups their shares, so that groups of any size compare."""

    def draw(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
        if not asked.by:
            return charts.columns(rows, Axis(category, category), GAMES, [SHARE[0], OF], key=key(name, asked))
        divided = [{**row, "share": row["games"] / row["of"]} for row in rows]
        share = Axis("share", "share", ".0%")
        return charts.columns(
            divided, Axis(category, category), share, [GAMES, OF], key=key(name, asked), group=Axis(GROUP, "of")
        )

    return draw


def of_quantiles(
    quantiles: Sequence[str], title: str, category: str = GROUP
) -> Callable[[str, list[dict[str, Any]], Asked], None]:
    """How values are spread, for each group."""

    def draw(name: str, rows: list[dict[str, Any]], asked: Asked) -> None:
        if category != GROUP:
            rows = [
                {**row, GROUP: f"{row[category]} · {row[GROUP]}" if asked.by else str(row[category])} for row in rows
            ]
        if all(row[quantiles[0]] is None for row in rows):
            st.caption("It is known of none of these games.")
            return
        charts.spans(rows, GROUP, quantiles, key=key(name, asked), title=title)

    return draw


def of_sides(along: str, title: str) -> Callable[[str, list[dict[str, Any]], Asked], None]:
    """Lines for both movers, the winner and the loser."""

    def draw(name: str, rows: list[dict[str, Any]], asked: Asked) -> None:
        charts.lines(
            rows,
            Axis(along, title),
            SIDES,
            key=key(name, asked),
            title="marbles captured, mean",
            group=GROUP if asked.by else None,
        )

    return draw


def sacrificed(name: str, rows: list[dict[str, Any]], asked: Asked) -> None:
    """Sacrifices of both movers, the winner and the loser."""
    bars = [
        {"whose": said, "mean": row[side], "games": row["games"], GROUP: row[GROUP]}
        for row in rows
        for side, said in SIDES.items()
        if row[side] is not None
    ]
    divided = Axis(GROUP, "of") if asked.by else None
    mean = Axis("mean", "sacrifices a game", ".2f")
    charts.columns(bars, Axis("whose", "of whom"), mean, [GAMES], key=key(name, asked), group=divided)


def of_first_moves(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
    """Distinct first moves that were played, for each board."""
    played, told = Axis("played", "distinct first moves played", COUNT), [Axis("possible", "possible", COUNT), GAMES]
    divided = Axis(GROUP, "of") if asked.by else None
    return charts.columns(rows, Axis("board", "board"), played, told, key=key(name, asked), group=divided)


def of_rings(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
    """Shares of the first mover, for each first ring of each board."""
    kept = [{**row, "ring": f"{row['board']} · {row['ring']}"} for row in rows if row["share"] is not None]
    if not kept:
        few()
        return None
    told = [Axis("first", "first", COUNT), Axis("decided", "decided", COUNT)]
    divided = Axis(GROUP, "of") if asked.by else None
    return charts.shares(kept, Axis("ring", "ring"), [*SHARE, *told], key=key(name, asked), group=divided, half=True)


def of_clocks(name: str, rows: list[dict[str, Any]], asked: Asked) -> None:
    """Games by their clocks."""
    said = [{**row, "clocks": CLOCKS.get(row["clocks"], row["clocks"])} for row in rows]
    charts.parts(said, GROUP, "clocks", "games", key=key(name, asked))


def short(name: str, rows: list[dict[str, Any]], asked: Asked) -> str | None:
    """Shares of players who got short of time."""
    said = [{**row, GROUP: f"under {row['below']} s" + (f" · {row[GROUP]}" if asked.by else "")} for row in rows]
    return of_groups(name, said, asked)


SECTIONS: Mapping[str, Sequence[str]] = {
    "Who wins": ("first-mover", "sets"),
    "Endings": ("endings", "lengths", "histogram", "minutes", "isolations"),
    "First moves": ("first-moves", "first-rings"),
    "Leads": ("leads", "lead-changes"),
    "Captures": ("captures", "captures-by-ply", "sacrifices"),
    "Time": ("clocks", "phases", "turns", "trouble", "players"),
    "Tournaments": (),
}
CHARTS: Mapping[str, Shown] = {
    "first-mover": Shown(of_groups, GROUP),
    "sets": Shown(of_category("set"), "sets"),
    "endings": Shown(of_category("ending"), "ending"),
    "lengths": Shown(of_quantiles(("q10", "q25", "q50", "q75", "q90"), "plies")),
    "histogram": Shown(of_columns("plies"), "plies"),
    "minutes": Shown(of_quantiles(("q10", "q25", "q50", "q75", "q90"), "minutes")),
    "isolations": Shown(of_columns("captures")),
    "first-moves": Shown(of_first_moves),
    "first-rings": Shown(of_rings),
    "leads": Shown(of_leads, GROUP),
    "lead-changes": Shown(of_columns("changes")),
    "captures": Shown(of_sides("part", "per cent of the game")),
    "captures-by-ply": Shown(of_sides("ply", "plies played")),
    "sacrifices": Shown(sacrificed),
    "clocks": Shown(of_clocks),
    "phases": Shown(of_quantiles(("q25", "q25", "q50", "q75", "q90"), "seconds for a turn", "phase")),
    "turns": Shown(of_quantiles(("q25", "q25", "q50", "q75", "q90"), "seconds for a turn", "turn")),
    "trouble": Shown(short),
}


def show_tournaments(asked: Asked) -> None:
    """The tournaments, and the crosstable of the one that was chosen."""
    found = ask(tournaments, asked.filters).dicts()
    if not found:
        st.info("No game belongs to a tournament.", icon=":material/trophy:")
        return
    names = {row["tournament"] for row in found}
    named = value("tournament")
    if named in names:
        st.subheader(plain(named))
        show(ask(crosstable, named, asked.filters))
        st.caption("1 won, = a tie, 0 lost, * without a result; who scored most comes first.")
    columns = (
        Column("Tournament"),
        Column("Since", "quiet", wide=True),
        Column("Until", "quiet"),
        Column("Games", "number"),
        Column("Players", "number"),
    )
    rows = [
        Row(
            row["tournament"],
            (row["tournament"], _day(row["since"]), _day(row["until"]), f"{row['games']:,}", f"{row['players']:,}"),
        )
        for row in found
    ]
    listing(columns, rows, key="tournaments", label="Tournaments", height=420, on_row=in_url("tournament"))


def _day(value: Any) -> str | None:
    return None if value is None else str(value)


page()
