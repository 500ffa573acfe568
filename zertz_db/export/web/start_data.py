"""Collect what a page shows before it has all games: facts of the whole, and the continuations of each empty board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zertz_db.export.web.game_data import GameRow, SiteGames
from zertz_db.queries.openings.tree import find_openings
from zertz_db.store.folder.database import Database

_LATEST = 10
"""Number of games in the list of the latest ones."""
_CONTINUATION = ("move", "games", "wins", "ties", "losses", "mean_plies")


def collect_start(database: Database, filters: str, games: SiteGames) -> dict[str, Any]:
    """Return plain values for JSON: `facts`, and `openings`, which `frontend/archive/questions.js` reads."""
    return {"facts": _find_facts(games.rows), "openings": list(_find_openings(database, filters, games.rows))}


def _find_facts(rows: list[GameRow]) -> dict[str, Any]:
    years = [row.date_from.year for row in rows if row.date_from]
    verdicts = dict.fromkeys(row.verdict for row in rows)
    return {
        "games": len(rows),
        "boards": [*dict.fromkeys(row.board for row in rows)],
        "rules": [*dict.fromkeys(row.rule_set for row in rows)],
        "endings": [*dict.fromkeys(row.ending for row in rows if row.ending)],
        "results": [*dict.fromkeys(row.result for row in rows if row.result)],
        "years": [min(years), max(years)] if years else [None, None],
        "verdicts": [(verdict, sum(row.verdict == verdict for row in rows)) for verdict in verdicts],
    }


def _find_openings(database: Database, filters: str, rows: list[GameRow]) -> Iterator[dict[str, Any]]:
    """Yield the continuations of the empty boards, and the latest games on each."""
    begun = [row for row in rows if row.start is None and row.board != "custom"]
    for board, rules in dict.fromkeys((row.board, row.rule_set) for row in begun):
        some = [row for row in begun if (row.board, row.rule_set) == (board, rules)]
        found = find_openings(database, board=board, rules=rules, filters=filters, details=False)
        if found.games != len(some):
            continue  # a game that begins later reached it too: the browser answers when it has replayed all games
        yield {
            "board": board,
            "rules": rules,
            **{name: getattr(found, name) for name in ("games", "wins", "ties", "losses")},
            "continuations": [[row[name] for name in _CONTINUATION] for row in found.continuations.dicts()],
            "latest": [{**row.describe(), "ply": 0} for row in sorted(some, key=_order)[:_LATEST]],
        }


def _order(row: GameRow) -> tuple[bool, int, int]:
    """Return a key that puts the latest game first and unknown dates last, as `Archive.sortByDate` does."""
    day = row.date_from
    return day is None, -day.toordinal() if day else 0, row.id
