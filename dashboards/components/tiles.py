"""Show a page's main numbers side by side."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

import streamlit as st

STYLE = """<style>
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.2rem, 1fr)); gap: .6rem; margin-bottom: .4rem; }
.tiles > div { border: 1px solid color-mix(in srgb, currentColor 15%, transparent); border-radius: 12px;
  padding: .6rem .8rem .7rem; min-width: 0; }
.tiles span { display: block; font-size: .8rem; opacity: .7; }
.tiles b { display: block; font-weight: 400; font-size: 1.65rem; line-height: 1.25;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.tiles small { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere;
  unicode-bidi: isolate; font-size: .78rem; line-height: 1.3; opacity: .7; }
</style>"""


class Tile(NamedTuple):
    """A number as text, its label, and a text below it."""

    label: str
    value: str
    below: str = ""


def show_tiles(shown: Iterable[Tile]) -> None:
    """Show the tiles in a row, in several rows on a narrow page."""
    parts = [
        f"<div role='listitem'><span>{escape(tile.label)}</span><b>{escape(tile.value)}</b><small>{escape(tile.below)}</small></div>"
        for tile in shown
    ]
    st.html(f'{STYLE}<div class="tiles" role="list">{"".join(parts)}</div>')


def format_percent(share: float | None) -> str:
    """Return a share in per cent, or a dash for too few games."""
    return "–" if share is None else f"{100 * share:.1f} %"
