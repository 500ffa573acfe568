"""Show what to know about an opponent: replies, losses, known lines, missed wins, rating and latest games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from zertz_db.dashboards.components import charts
from zertz_db.dashboards.components.charts import COUNT_FORMAT, Axis
from zertz_db.dashboards.components.listing import Column, Row, build_results, show_listing
from zertz_db.dashboards.components.location import bind_widget
from zertz_db.dashboards.components.tables import show_table
from zertz_db.dashboards.components.tiles import Tile, format_percent, show_tiles
from zertz_db.dashboards.sections.filter_bar import build_term
from zertz_db.dashboards.sections.game_rows import COLUMNS, VIEW_COLUMNS, GameList, build_rows
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.plurals import format_count
from zertz_db.queries.filters.coverage import describe_coverage
from zertz_db.queries.filters.terms import join_filters, write_term
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.preparation.known_lines import PLAYER
from zertz_db.queries.preparation.preparation import KNOWN, Preparation, prepare_against
from zertz_db.queries.wilson import ENOUGH

LATEST = 10
"""Number of latest games."""
KNOWN_CHOICES = (1, KNOWN, 10)
REPLIES = (
    Column("First move", "code"),
    Column("In words", "quiet", wide=True),
    Column("Board", "quiet"),
    Column("Met", "number", help="games that began with this first move"),
    Column("Reply", "code"),
    Column("Games", "number"),
    Column("Won, tied, lost; score", "results"),
)
DEPARTURES = (
    Column("Board", "quiet"),
    Column("After ply", "number"),
    Column("Left by", "strong"),
    Column("Games", "number"),
    Column("Other games", "number", help="other games that reached the position"),
    Column("Latest", "quiet", wide=True),
    Column("Won, tied, lost; score", "results"),
)


def show_preparation(name: str, filters: str, show_rating: Callable[[], None]) -> None:
    """Show the preparation for a player, from the games that pass the filter. show_rating: draws the rating curve."""
    known = bind_widget(
        "known",
        lambda key, first: st.segmented_control(
            "A position is known if this number of other games reached it",
            KNOWN_CHOICES,
            default=first,
            key=key,
            required=True,
        ),
        default=KNOWN,
        options=KNOWN_CHOICES,
    )
    found = run_query(prepare_against, name, filters, known)
    show_tiles(list_tiles(found))
    left, right = st.columns(2, gap="medium")
    with left:
        show_losses(found)
    with right:
        show_missed(found, join_filters(write_term("player", found.player.name), filters))
    show_replies(found, filters)
    show_departures(found, known)
    st.subheader("Rating")
    show_rating()
    show_latest(found.player.name, filters)


def list_tiles(found: Preparation) -> list[Tile]:
    """Return the main numbers."""
    losses, missed = found.losses.dicts(), found.missed.dicts()
    chances, let_go = sum(row["chances"] for row in missed), sum(row["missed"] for row in missed)
    leaving = next((row for row in found.leaving.dicts() if row["left_by"] == PLAYER), None)
    tiles = []
    if losses:
        often = losses[0]
        share = f"{format_percent(often['share'])} of {often['of']:,} lost games" if often["share"] is not None else ""
        tiles.append(Tile("Loses most often by", often["ending"] or "unknown", share))
    if leaving:
        tiles.append(
            Tile(
                "Leaves known lines at ply",
                str(leaving["q50"] + 1),
                f"median of {format_count(leaving['games'], 'game')}",
            )
        )
    if chances >= ENOUGH:
        tiles.append(
            Tile(
                "Lets forced wins go", format_percent(let_go / chances), f"{let_go:,} of {chances:,} in analysed games"
            )
        )
    return tiles


def show_losses(found: Preparation) -> None:
    """Show how the player loses, beside all decided games."""
    st.subheader("How they lose")
    rows = found.losses.dicts()
    if not rows:
        st.caption("No lost game.")
        return
    drawn = [row for row in rows if row["share"] is not None]
    if drawn:
        charts.draw_means(
            [{**row, "mean": row["share"], "field": row["usual"]} for row in drawn], Axis("ending", "ending"), Axis("mean", "share", ".1%"),
            [Axis("games", "games", COUNT_FORMAT)], key=f"losses of {found.player.id}", field="all players",
        )  # fmt: skip
        surplus = [row for row in drawn if row["usual"] is not None and row["low"] > row["usual"]]
        if surplus:
            endings = ", ".join(f"{row['ending']} ({format_percent(row['usual'])})" for row in surplus)
            st.caption(escape_markdown(f"More often than all players (their share in parentheses): {endings}."))
    else:
        st.caption(f"Fewer than {ENOUGH} lost games: no share is given.")
    with st.expander("The numbers"):
        show_table(found.losses)


def show_missed(found: Preparation, filters: str) -> None:
    """Show the forced wins that the player let go, by length, and what was analysed."""
    st.subheader("Missed wins")
    rows = [
        {**row, "win": f"in {row['win']} plies" if row["win"] != "1" else "in 1 ply"} for row in found.missed.dicts()
    ]
    drawn = [{**row, "mean": row["share"], "field": row["usual"]} for row in rows if row["share"] is not None]
    if drawn:
        charts.draw_means(
            drawn, Axis("win", "forced win"), Axis("mean", "missed", ".1%"), [Axis("chances", "chances", COUNT_FORMAT)],
            key=f"missed wins of {found.player.id}", field="all players",
        )  # fmt: skip
    elif rows:
        st.caption(f"Fewer than {ENOUGH} chances: no share is given.")
    else:
        st.caption("No forced win in an analysed game.")
    if coverage := run_query(describe_coverage, filters):
        st.caption(escape_markdown(coverage))
    if rows:
        with st.expander("The numbers"):
            show_table(found.missed)


def show_replies(found: Preparation, filters: str) -> None:
    """Show the replies as second player; a click opens the tree after the reply, with the same games."""
    st.subheader("Replies as second player")
    rows = found.replies.dicts()
    if not rows:
        st.caption("No game as second player from an empty board.")
        return
    second = join_filters(build_term("second", found.player.name), filters)
    show_listing(
        REPLIES,
        [
            Row(
                f"{row['board']} {row['rule_set']} {row['move']} {row['reply']}",
                (
                    row["move"],
                    row["name"],
                    f"{row['board']} {row['rule_set']}",
                    f"{row['faced']:,}",
                    row["reply"],
                    f"{row['games']:,}",
                    build_results(row),
                ),
                "openings",
                {
                    "board": row["board"],
                    "rules": row["rule_set"],
                    "moves": f"{row['move']} {row['reply']}",
                    "filter": second,
                },
            )
            for row in rows
        ],
        key="replies",
        label="Replies as second player",
        height=420,
    )


def show_departures(found: Preparation, known: int) -> None:
    """Show the positions where games left known lines; a click opens the latest game there."""
    st.subheader("Where games leave known lines")
    rows = found.departures.dicts()
    if not rows:
        st.caption("No game left a known line.")
        return
    st.caption(
        f"Last positions that {format_count(known, 'other game')} or more reached. A click opens the latest game there."
    )
    show_listing(
        DEPARTURES,
        [
            Row(
                f"{row['game']} {row['at']}",
                (
                    f"{row['board']} {row['rule_set']}",
                    str(row["ply"]),
                    found.player.name if row["left_by"] == PLAYER else "opponent",
                    f"{row['games']:,}",
                    f"{row['others']:,}",
                    None if row["last_date"] is None else str(row["last_date"]),
                    build_results(row),
                ),
                "game",
                {"id": row["game"], "ply": str(row["at"])},
            )
            for row in rows
        ],
        key="departures",
        label="Where games leave known lines",
        height=420,
    )


def show_latest(name: str, filters: str) -> None:
    """Show the latest games."""
    st.subheader("Latest games")
    text = join_filters(write_term("player", name), filters)
    rows: list[dict[str, Any]] = run_query(list_games, text, limit=LATEST, columns=VIEW_COLUMNS).dicts()
    show_listing(COLUMNS, build_rows(rows, GameList(text)), key="latest games", label="Latest games")
