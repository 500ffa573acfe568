"""Show accuracy and counts of both players of a reviewed game, or what is missing for them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import streamlit as st

from zertz_db.dashboards.sections.review.game_review import ANALYSE, is_live, want_analysis
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.queries.games.one_game import Game
from zertz_db.queries.tactics.marks import COUNTED, ERRORS, ESTIMATES, MEANINGS, Mark
from zertz_db.queries.tactics.review import Review

UNKNOWN = "–"
STYLE = """<style>
.counts { border-collapse: collapse; table-layout: fixed; width: 100%; max-width: 40rem; font-variant-numeric: tabular-nums; }
.counts thead th span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.counts th, .counts td { text-align: left; padding: .3rem .6rem .3rem 0; vertical-align: baseline; overflow-wrap: anywhere;
  border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent); font-weight: 400; unicode-bidi: isolate; }
.counts thead th { font-weight: 600; }
.counts .estimated { opacity: .75; font-style: italic; }
.counts caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
</style>"""


class Row(NamedTuple):
    """A row of counts: what is counted, the texts for both players, and whether it is an estimate."""

    label: str
    first: str
    second: str
    is_estimate: bool = False


def show_summary(game: Game, review: Review) -> None:
    """Show the counts of both players; without an analysis the remedy, and a button that analyses the game for the session."""
    if review.problem is None:
        names = [game.row[f"player{side}"] or f"Player {side}" for side in (1, 2)]
        st.html(write_table(build_summary(review), names))
    if review.unvalued:
        st.caption(escape_markdown(review.unvalued))
    if review.problem is not None:
        st.caption(escape_markdown(review.problem))
        if review.analysis is None:
            st.button(
                ANALYSE,
                key="analyse game",
                icon=":material/psychology:",
                on_click=want_analysis,
                args=(game.id,),
                help="It takes seconds; the first time on a machine up to a minute, because the search is compiled. "
                "The result is known to this session only.",
            )
        return
    source = "Analysed for this session" if is_live(game, review) else "Analysed"
    st.caption(
        f"{source} for forced wins within {escape_markdown(review.limits)}. Italics mark estimates from win chances."
    )


def build_summary(review: Review) -> list[Row]:
    """Return the counts of both players."""
    first, second = (review.counts(side) for side in (1, 2))
    proven = [(name, mark) for name, mark in COUNTED.items() if mark in ERRORS]
    estimated = [(name, mark) for name, mark in COUNTED.items() if mark in ESTIMATES]
    return [
        *(Row(_name(mark), _format(first[name]), _format(second[name])) for name, mark in proven),
        Row("Only moves found", _format_only(first), _format_only(second)),
        *(Row(_name(mark), _format(first[name]), _format(second[name]), True) for name, mark in estimated),
        Row("Accuracy", _format_accuracy(first), _format_accuracy(second), True),
    ]


def write_table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return the counts as HTML. names: of both players, any text."""
    heads = "<td></td>" + "".join(
        f'<th scope="col"><span title="{escape(name)}">{escape(name)}</span></th>' for name in names
    )
    lines = "".join(
        f'<tr{" class=estimated" if row.is_estimate else ""}><th scope="row">{escape(row.label)}</th>'
        f"<td>{escape(row.first)}</td><td>{escape(row.second)}</td></tr>"
        for row in rows
    )
    return f'{STYLE}<table class="counts" aria-label="Counts of both players"><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>'


def _name(mark: Mark) -> str:
    return MEANINGS[mark].several.capitalize()


def _format_accuracy(counts: dict[str, Any]) -> str:
    if counts["accuracy"] is not None:
        return f"{counts['accuracy']:.0f} % of {counts['free_moves']} free moves"
    return UNKNOWN if counts["free_moves"] is None else f"{UNKNOWN} ({counts['free_moves']} free moves: too few)"


def _format_only(counts: dict[str, Any]) -> str:
    return UNKNOWN if counts["only_moves"] is None else f"{counts['only_found']} of {counts['only_moves']}"


def _format(count: int | None) -> str:
    return UNKNOWN if count is None else str(count)
