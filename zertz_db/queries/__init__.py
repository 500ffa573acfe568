"""Answers from a database: functions over an open one, each giving values or a `Result` (columns, rows, `.df()`, `.arrow()`).

Where a function takes filters, it takes `Filters` or a text in the filter language (docs/filters.md explains it; `complete_filter`
suggests how to go on with one). `list_games` and `count_games` need nothing else; `find_game` gives one game with its moves,
positions and sightings; `find_openings` what followed a position, with what success, and `opening_name` the name of a first
move; `find_position` where a position was, `find_pattern` a `Pattern` (or its text), `find_reachable` what could have come of a
position; `summarise` tells what is in the database; `list_imports`, `list_rejects` and `list_reasons` how it got there;
`ask_statistics`, `ask_times`, `list_tournaments` and `find_crosstable` what many games have in common; `run_sql` answers SQL of
your own. What can't be asked raises `QueryError`, whose message says what could.

>>> import tempfile
>>> from zertz_db import import_paths, open_database, samples
>>> from zertz_db.queries import find_game, list_games
>>> folder = tempfile.TemporaryDirectory()
>>> balance = import_paths([samples.folder() / "blitz.txt"], f"{folder.name}/games.zertz")
>>> with open_database(f"{folder.name}/games.zertz") as database:
...     games = list_games(database, "board:37 ending:set", sort="plies", limit=3).df()
...     shortest = find_game(database, games["id"][0])
>>> games[["rule_set", "ending"]].drop_duplicates().to_dict("records")
[{'rule_set': 'blitz', 'ending': 'set'}]
>>> len(shortest.moves) == games["plies"].min() and shortest.positions[-1].is_over
True
>>> folder.cleanup()
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zertz_db.queries.completing import complete_filter
    from zertz_db.queries.corrections import list_corrections
    from zertz_db.queries.duplicates import list_duplicates
    from zertz_db.queries.errors import QueryError
    from zertz_db.queries.filters import Filters
    from zertz_db.queries.game import Game, find_game
    from zertz_db.queries.games import count_games, list_games
    from zertz_db.queries.head_to_head import compare_players
    from zertz_db.queries.marks import list_marks, marked_games, saved_filter
    from zertz_db.queries.name_proposals import propose_names
    from zertz_db.queries.opening_names import opening_name
    from zertz_db.queries.openings import Openings, find_openings
    from zertz_db.queries.overview import Info, list_imports, list_reasons, list_rejects, summarise
    from zertz_db.queries.pattern import Limit, Pattern
    from zertz_db.queries.pattern_search import find_pattern, find_reachable
    from zertz_db.queries.pattern_text import parse_pattern
    from zertz_db.queries.players import list_players
    from zertz_db.queries.profiles import find_profile
    from zertz_db.queries.ratings import rate_players, rating_history
    from zertz_db.queries.result import Result
    from zertz_db.queries.search import find_position
    from zertz_db.queries.search_found import Found
    from zertz_db.queries.sql import run_sql
    from zertz_db.queries.statistics import ask_statistics
    from zertz_db.queries.times import ask_times
    from zertz_db.queries.tournaments import find_crosstable, list_tournaments

__all__ = [
    "Filters", "Found", "Game", "Info", "Limit", "Openings", "Pattern", "QueryError", "Result", "ask_statistics",
    "ask_times", "compare_players", "complete_filter", "count_games", "find_crosstable", "find_game",
    "find_openings", "find_pattern", "find_position", "find_profile", "find_reachable", "list_corrections", "list_duplicates",
    "list_games", "list_imports", "list_marks", "list_players", "list_reasons", "list_rejects", "list_tournaments",
    "marked_games", "opening_name", "parse_pattern", "propose_names", "rate_players", "rating_history", "run_sql",
    "saved_filter", "summarise",
]  # fmt: skip

_HOMES = {
    "Filters": ("filters", "Filters"),
    "complete_filter": ("completing", "complete"),
    "Found": ("search_found", "Found"),
    "Game": ("game", "Game"),
    "Info": ("overview", "Info"),
    "Limit": ("pattern", "Limit"),
    "Openings": ("openings", "Openings"),
    "Pattern": ("pattern", "Pattern"),
    "QueryError": ("errors", "QueryError"),
    "Result": ("result", "Result"),
    "ask_statistics": ("statistics", "statistics"),
    "ask_times": ("times", "times"),
    "count_games": ("games", "count_games"),
    "find_crosstable": ("tournaments", "crosstable"),
    "find_game": ("game", "game"),
    "find_openings": ("openings", "openings"),
    "find_pattern": ("pattern_search", "find_pattern"),
    "find_position": ("search", "find_position"),
    "find_reachable": ("pattern_search", "find_reachable"),
    "list_corrections": ("corrections", "history"),
    "list_games": ("games", "games"),
    "list_imports": ("overview", "imports"),
    "list_reasons": ("overview", "reasons"),
    "list_rejects": ("overview", "rejects"),
    "list_tournaments": ("tournaments", "tournaments"),
    "opening_name": ("opening_names", "opening_name"),
    "parse_pattern": ("pattern_text", "parse"),
    "compare_players": ("head_to_head", "head_to_head"),
    "find_profile": ("profiles", "profile"),
    "list_duplicates": ("duplicates", "duplicates"),
    "list_marks": ("marks", "marks"),
    "list_players": ("players", "players"),
    "marked_games": ("marks", "marked_games"),
    "propose_names": ("name_proposals", "proposals"),
    "rate_players": ("ratings", "ratings"),
    "rating_history": ("ratings", "history"),
    "saved_filter": ("marks", "saved_filter"),
    "run_sql": ("sql", "sql"),
    "summarise": ("overview", "info"),
}
"""Where the public names live; the modules keep shorter ones, which would hide the modules here."""


def __getattr__(name: str) -> Any:
    """The public names, each loaded when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zertz_db.queries' has no attribute {name!r}")
    module, function = _HOMES[name]
    return getattr(import_module(f"zertz_db.queries.{module}"), function)
