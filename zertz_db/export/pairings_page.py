"""Write the pairings of a round robin as HTML to print: the games of each round, with room for the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from zertz_db.plurals import format_count
from zertz_db.queries.tournaments.round_robin import Pairing

STYLE = """
.pairings { font-size: 11pt; line-height: 1.35; columns: 16rem auto; column-gap: 12mm; }
.pairings h1 { font-size: 17pt; margin: 0; padding: 0; column-span: all; }
.pairings p { margin: 1mm 0 4mm; column-span: all; }
.pairings section { break-inside: avoid; margin: 0 0 5mm; }
.pairings h2 { font-size: 12pt; margin: 0 0 1mm; padding: 0; }
.pairings table { border-collapse: collapse; width: 100%; table-layout: fixed; }
.pairings td { border: 0; border-bottom: 1px solid #8886; padding: 1mm 1.4mm; overflow-wrap: anywhere; }
.pairings .result { width: 22mm; text-align: center; }
.pairings .bye { font-style: italic; }
@media print {
  .pairings, .pairings * { color: #000 !important; background: #fff !important; }
  .pairings td { border-color: #999 !important; }
}
"""
"""CSS of the fragment. Its colours are those of the page around it, on paper black on white."""

_PAGE_STYLE = """
@page { size: A4; margin: 14mm; }
body { background: #fff; color: #222; margin: 8mm; font-family: system-ui, sans-serif; }
@media print { body { margin: 0; } }
"""


def format_pairings(pairings: Sequence[Pairing], title: str = "Pairings") -> str:
    """Return pairings as a fragment of HTML without style: a table for each round."""
    players = {name for one in pairings for name in (one.first, one.second) if name}
    games = sum(one.second is not None for one in pairings)
    rounds = "".join(
        _format_round(number, tuple(games)) for number, games in groupby(pairings, key=lambda one: one.round)
    )
    facts = f"{format_count(len(players), 'player')} · {format_count(games, 'game')} · the first player of a row moves first"
    return f'<div class="pairings"><h1>{escape(title)}</h1>\n<p>{facts}</p>\n{rounds}</div>\n'


def format_pairings_page(pairings: Sequence[Pairing], title: str = "Pairings") -> str:
    """Return an HTML page with the pairings that needs no other file."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n"
        f"{format_pairings(pairings, title)}</body>\n</html>\n"
    )


def _format_round(number: int, games: Sequence[Pairing]) -> str:
    return f"<section><h2>Round {number}</h2>\n<table>{''.join(_list_rows(games))}</table></section>\n"


def _list_rows(games: Sequence[Pairing]) -> Iterator[str]:
    for one in games:
        if one.second is None:
            yield f'<tr><td>{escape(one.first)}</td><td class="result"></td><td class="bye">bye</td></tr>\n'
        else:
            yield f'<tr><td>{escape(one.first)}</td><td class="result">:</td><td>{escape(one.second)}</td></tr>\n'
