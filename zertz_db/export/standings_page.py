"""Write the standings of a tournament as HTML to read and to print: black on white, on A4."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from zertz_db.plurals import format_count
from zertz_db.queries.result import Result
from zertz_db.queries.tournaments.crosstable import build_crosstable, build_rounds
from zertz_db.queries.tournaments.tournament_games import Tournament

MAX_CROSSTABLE = 20
"""Maximum number of players of a page with a crosstable: more columns don't fit on a sheet."""
_LANDSCAPE = 10
"""Number of players from which on a sheet lies on its long side."""

STYLE = """
.standings { font-size: 11pt; line-height: 1.35; }
.standings h1 { font-size: 17pt; margin: 0 0 1mm; padding: 0; }
.standings h2 { font-size: 12pt; margin: 6mm 0 2mm; padding: 0; }
.standings p { margin: 0 0 4mm; }
.standings .scroll { overflow-x: auto; }
.standings table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 10pt; }
.standings th, .standings td {
  border: 0; border-bottom: 1px solid #8886; padding: 1mm 1.4mm; text-align: right; white-space: nowrap;
}
.standings thead th { border-bottom: 2px solid currentColor; }
.standings .name { text-align: left; max-width: 60mm; overflow: hidden; text-overflow: ellipsis; }
.standings .game { text-align: center; }
.standings .self { background: #8884; }
.standings .points { font-weight: 700; }
.standings .key { font-size: 9pt; margin-top: 3mm; }
@media print {
  .standings, .standings * { color: #000 !important; background: #fff !important; }
  .standings .self { background: #ccc !important; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .standings .scroll { overflow: visible; break-inside: avoid; }
  .standings h2 { break-after: avoid; }
  .standings table { font-size: 8.5pt; }
  .standings th, .standings td { border-color: #999 !important; }
  .standings th, .standings td { padding: .7mm 1.1mm; }
  .standings tr { break-inside: avoid; }
  .standings thead { display: table-header-group; }
}
"""
"""CSS of the fragment. Its colours are those of the page around it, on paper black on white."""

_PAGE_STYLE = """
body { background: #fff; color: #222; margin: 8mm; font-family: system-ui, sans-serif; }
@media print { body { margin: 0; } }
"""
_HEADS = {
    "rank": "Rank",
    "player": "Player",
    "points": "Points",
    "games": "Games",
    "unfinished": "Open",
    "sonneborn_berger": "S-B",
    "buchholz": "Buchholz",
    "direct": "Direct",
    "wins": "Won",
    "performance": "Performance",
}
_KEY = (
    "1 won, = tied, 0 lost, * without a result. Players are ranked by points, then Sonneborn-Berger (S-B), Buchholz, "
    "direct encounter and games won. Players who are equal in all of them share a rank."
)


def format_standings(tournament: Tournament) -> str:
    """Return the standings as a fragment of HTML without style: crosstable, tie-breaks, rounds. Up to 20 players have a crosstable."""
    table = build_crosstable(tournament)
    rounds = build_rounds(tournament)
    has_rounds = any(name.startswith("round ") for name in rounds.names)
    shown = "".join(_format_rounds(rounds)) if has_rounds else ""
    return (
        f'<div class="standings"><h1>{escape(tournament.name)}</h1>\n<p>{escape(" · ".join(_list_facts(tournament, table)))}</p>\n'
        f'<div class="scroll">{"".join(_format_crosstable(table))}</div>\n<p class="key">{_KEY}</p>\n{shown}</div>\n'
    )


def format_standings_page(tournament: Tournament) -> str:
    """Return an HTML page with the standings that needs no other file."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(tournament.name)}</title>\n<style>{build_page_rule(tournament)}{_PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n"
        f"{format_standings(tournament)}</body>\n</html>\n"
    )


def build_page_rule(tournament: Tournament) -> str:
    """Return the CSS rule for the sheet: A4, on its long side for a wide table."""
    players = {name for game in tournament.games for name in game.players} | {*(tournament.unplayed or ())}
    return f"@page {{ size: {'A4 landscape' if len(players) >= _LANDSCAPE else 'A4'}; margin: 14mm; }}"


def _list_facts(tournament: Tournament, table: Result) -> Iterator[str]:
    days = [game.day for game in tournament.games if game.day]
    since, until = tournament.first_day or min(days, default=None), tournament.last_day or max(days, default=None)
    sites = {game.site for game in tournament.games}
    if len(sites) == 1 and (site := sites.pop()):
        yield site
    if since and until:
        yield f"{since}" if since == until else f"{since} to {until}"
    yield format_count(len(table.rows), "player")
    yield format_count(len(tournament.games), "game")


def _format_crosstable(table: Result) -> Iterator[str]:
    rows = table.dicts()
    against = [str(number) for number in range(1, len(rows) + 1)] if len(rows) <= MAX_CROSSTABLE else []
    after = [name for name in _HEADS if name not in ("rank", "player") and any(row[name] for row in rows)]
    yield "<table><thead><tr><th>Nr</th>" + _head("rank") + _head("player", "name")
    yield "".join(f'<th class="game">{number}</th>' for number in against)
    yield "".join(map(_head, after)) + "</tr></thead>\n<tbody>\n"
    for row in rows:
        yield f"<tr>{_cell(row['number'])}{_cell(row['rank'])}{_cell(row['player'], 'name')}"
        for number in against:
            yield _cell(row[number], "game self" if number == str(row["number"]) else "game")
        yield "".join(_cell(row[name], "points" if name == "points" else "") for name in after) + "</tr>\n"
    yield "</tbody></table>"


def _format_rounds(rounds: Result) -> Iterator[str]:
    names: Sequence[str] = [name for name in rounds.names if name.startswith("round ")]
    yield '<h2>Rounds</h2>\n<div class="scroll"><table><thead><tr><th>Nr</th><th class="name">Player</th>'
    yield (
        "".join(f'<th class="game">{escape(name.removeprefix("round "))}</th>' for name in names)
        + "</tr></thead>\n<tbody>\n"
    )
    for row in rounds.dicts():
        yield f"<tr>{_cell(row['number'])}{_cell(row['player'], 'name')}"
        yield "".join(_cell(row[name], "game") for name in names) + "</tr>\n"
    yield '</tbody></table></div>\n<p class="key">3+ is a win against number 3, 3= a tie, 3- a loss, 3* a game without a result.</p>\n'


def _head(name: str, style: str = "") -> str:
    return f'<th class="{style}">{_HEADS[name]}</th>' if style else f"<th>{_HEADS[name]}</th>"


def _cell(value: Any, style: str = "") -> str:
    text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return f'<td class="{style}">{escape(text)}</td>' if style else f"<td>{escape(text)}</td>"
