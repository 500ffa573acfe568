"""Query a database: functions over an open one; each returns values or a `Result` (columns, rows, `.df()`, `.arrow()`).

Filters are texts in the filter language (docs/filters.md); `complete_filter` completes one.

- Games: `list_games`, `count_games`; `find_game` returns one with its moves, positions and sightings.
- Openings: `find_openings` returns the continuations of a position and their results, `opening_name` the name of a first move.
- Searches: `find_position`, `find_pattern` (a `Pattern` or its text), `find_reachable` (positions that may come from one), `find_sequence`.
- Statistics: `ask_statistics`, `ask_times`, `list_tournaments`, `find_crosstable`.
- Tactics of analysed games: `find_tactics` lists missed wins and combinations, `review_game` returns a game's plies with them.
- The database: `summarise`, `list_imports`, `list_rejects`, `list_reasons`; `run_sql` runs your own SQL.

QueryError for an invalid question; its message names the valid ones.

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
    from zertz_db.queries.corrections import list_corrections
    from zertz_db.queries.database_info import Info, list_imports, list_reasons, list_rejects, summarise
    from zertz_db.queries.duplicates import list_duplicates
    from zertz_db.queries.errors import QueryError
    from zertz_db.queries.filters.completion import complete_filter
    from zertz_db.queries.filters.terms import Filters
    from zertz_db.queries.games.game_list import count_games, list_games
    from zertz_db.queries.games.one_game import Game, find_game
    from zertz_db.queries.marks import list_marks, marked_games, saved_filter
    from zertz_db.queries.openings.names import opening_name
    from zertz_db.queries.openings.tree import Openings, find_openings
    from zertz_db.queries.players.head_to_head import compare_players
    from zertz_db.queries.players.player_list import list_players
    from zertz_db.queries.players.profile import find_profile
    from zertz_db.queries.players.ratings import rate_players, rating_history
    from zertz_db.queries.players.same_player import propose_names
    from zertz_db.queries.result import Result
    from zertz_db.queries.search.matches import Found
    from zertz_db.queries.search.pattern import Limit, Pattern
    from zertz_db.queries.search.pattern_parser import parse_pattern
    from zertz_db.queries.search.patterns import find_pattern, find_reachable
    from zertz_db.queries.search.positions import find_position
    from zertz_db.queries.search.sequences import find_sequence
    from zertz_db.queries.statistics.registry import ask_statistics
    from zertz_db.queries.statistics.thinking_time import ask_times
    from zertz_db.queries.tactics.examples import find_tactics
    from zertz_db.queries.tactics.review import Review, review_game
    from zertz_db.queries.tournaments import find_crosstable, list_tournaments
    from zertz_db.queries.user_sql import run_sql

__all__ = [
    "Filters", "Found", "Game", "Info", "Limit", "Openings", "Pattern", "QueryError", "Result", "Review", "ask_statistics",
    "ask_times", "compare_players", "complete_filter", "count_games", "find_crosstable", "find_game",
    "find_openings", "find_pattern", "find_position", "find_profile", "find_reachable", "find_sequence", "find_tactics", "list_corrections",
    "list_duplicates",
    "list_games", "list_imports", "list_marks", "list_players", "list_reasons", "list_rejects", "list_tournaments",
    "marked_games", "opening_name", "parse_pattern", "propose_names", "rate_players", "rating_history", "review_game", "run_sql",
    "saved_filter", "summarise",
]  # fmt: skip

_HOMES = {
    "Filters": "filters.terms",
    "complete_filter": "filters.completion",
    "Found": "search.matches",
    "Game": "games.one_game",
    "Info": "database_info",
    "Limit": "search.pattern",
    "Openings": "openings.tree",
    "Pattern": "search.pattern",
    "QueryError": "errors",
    "Result": "result",
    "ask_statistics": "statistics.registry",
    "ask_times": "statistics.thinking_time",
    "count_games": "games.game_list",
    "find_crosstable": "tournaments",
    "find_game": "games.one_game",
    "find_openings": "openings.tree",
    "find_pattern": "search.patterns",
    "find_position": "search.positions",
    "find_reachable": "search.patterns",
    "find_sequence": "search.sequences",
    "find_tactics": "tactics.examples",
    "Review": "tactics.review",
    "review_game": "tactics.review",
    "list_corrections": "corrections",
    "list_games": "games.game_list",
    "list_imports": "database_info",
    "list_reasons": "database_info",
    "list_rejects": "database_info",
    "list_tournaments": "tournaments",
    "opening_name": "openings.names",
    "parse_pattern": "search.pattern_parser",
    "compare_players": "players.head_to_head",
    "find_profile": "players.profile",
    "list_duplicates": "duplicates",
    "list_marks": "marks",
    "list_players": "players.player_list",
    "marked_games": "marks",
    "propose_names": "players.same_player",
    "rate_players": "players.ratings",
    "rating_history": "players.ratings",
    "saved_filter": "marks",
    "run_sql": "user_sql",
    "summarise": "database_info",
}
"""The module of each public name."""


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import zertz_db.queries` stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'zertz_db.queries' has no attribute {name!r}")
    return getattr(import_module(f"zertz_db.queries.{_HOMES[name]}"), name)
