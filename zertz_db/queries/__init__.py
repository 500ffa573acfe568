"""Query a database: functions over an open one; each returns values or a `Result` (columns, rows, `.df()`, `.arrow()`).

Filters are texts in the filter language (docs/filters.md); `complete_filter` completes one.

- Games: `list_games`, `count_games`; `find_game` returns one with its moves, positions and sightings.
- Openings: `find_openings` returns the continuations of a position and their results, `opening_name` the name of a first move.
- Searches: `find_position`, `find_pattern` (a `Pattern` or its text), `find_reachable` (positions that may come from one), `find_sequence`,
  `find_within` (several searches, each within the games of the others).
- Statistics: `ask_statistics`, `ask_times`, `list_tournaments`, `find_crosstable`, `find_rounds`.
- Insights: `find_insight` (a metric by a dimension), `compare_filters`, `prepare_against` (what to know about an opponent).
- Tactics of analysed games: `find_tactics` lists missed wins and combinations, `review_game` returns a game's plies with them,
  `value_review` adds win chances and marks.
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

from typing import TYPE_CHECKING

from zertz_db.parser.lazy_names import import_on_use

if TYPE_CHECKING:
    from zertz_db.queries.corrections import list_corrections
    from zertz_db.queries.database_info import Info, list_imports, list_reasons, list_rejects, summarise
    from zertz_db.queries.duplicates import list_duplicates
    from zertz_db.queries.errors import QueryError
    from zertz_db.queries.filters.completion import complete_filter
    from zertz_db.queries.filters.terms import Filters
    from zertz_db.queries.games.game_list import count_games, list_games
    from zertz_db.queries.games.one_game import Game, find_game
    from zertz_db.queries.games.relays import compare_with_chance, list_relays
    from zertz_db.queries.insights.comparison import compare_filters
    from zertz_db.queries.insights.one_insight import find_insight
    from zertz_db.queries.marks import list_marks, marked_games, saved_filter
    from zertz_db.queries.openings.names import opening_name
    from zertz_db.queries.openings.tree import Openings, find_openings
    from zertz_db.queries.players.head_to_head import compare_players
    from zertz_db.queries.players.identity.proposals import propose_names
    from zertz_db.queries.players.player_list import list_players
    from zertz_db.queries.players.profile import find_profile
    from zertz_db.queries.players.ratings import rate_players, rating_history
    from zertz_db.queries.preparation.preparation import prepare_against
    from zertz_db.queries.result import Result
    from zertz_db.queries.search.matches import Found
    from zertz_db.queries.search.pattern import Limit, Pattern
    from zertz_db.queries.search.pattern_parser import parse_pattern
    from zertz_db.queries.search.patterns import find_pattern, find_reachable
    from zertz_db.queries.search.positions import find_position
    from zertz_db.queries.search.refinement import find_within
    from zertz_db.queries.search.sequences import find_sequence
    from zertz_db.queries.statistics.registry import ask_statistics
    from zertz_db.queries.statistics.thinking_time import ask_times
    from zertz_db.queries.tactics.examples import find_tactics
    from zertz_db.queries.tactics.review import Review, review_game, value_review
    from zertz_db.queries.tournaments.crosstable import find_crosstable, find_rounds
    from zertz_db.queries.tournaments.tournament_games import list_tournaments
    from zertz_db.queries.user_sql import run_sql

__all__ = [
    "Filters", "Found", "Game", "Info", "Limit", "Openings", "Pattern", "QueryError", "Result", "Review", "ask_statistics",
    "ask_times", "compare_filters", "compare_players", "compare_with_chance", "complete_filter",
    "count_games", "find_crosstable", "find_game", "find_insight",
    "find_openings", "find_pattern", "find_position", "find_profile", "find_reachable", "find_rounds", "find_sequence",
    "find_tactics", "find_within",
    "list_corrections", "list_duplicates",
    "list_games", "list_imports", "list_marks", "list_players", "list_reasons", "list_rejects", "list_relays", "list_tournaments",
    "marked_games", "opening_name", "parse_pattern", "prepare_against", "propose_names", "rate_players",
    "rating_history", "review_game", "run_sql",
    "saved_filter", "summarise", "value_review",
]  # fmt: skip

__getattr__ = import_on_use(
    __name__,
    {
        "corrections": "list_corrections",
        "database_info": "Info list_imports list_reasons list_rejects summarise",
        "duplicates": "list_duplicates",
        "errors": "QueryError",
        "filters.completion": "complete_filter",
        "filters.terms": "Filters",
        "games.game_list": "count_games list_games",
        "games.one_game": "Game find_game",
        "games.relays": "compare_with_chance list_relays",
        "insights.comparison": "compare_filters",
        "insights.one_insight": "find_insight",
        "marks": "list_marks marked_games saved_filter",
        "openings.names": "opening_name",
        "openings.tree": "Openings find_openings",
        "players.head_to_head": "compare_players",
        "players.identity.proposals": "propose_names",
        "players.player_list": "list_players",
        "players.profile": "find_profile",
        "players.ratings": "rate_players rating_history",
        "preparation.preparation": "prepare_against",
        "result": "Result",
        "search.matches": "Found",
        "search.pattern": "Limit Pattern",
        "search.pattern_parser": "parse_pattern",
        "search.patterns": "find_pattern find_reachable",
        "search.positions": "find_position",
        "search.refinement": "find_within",
        "search.sequences": "find_sequence",
        "statistics.registry": "ask_statistics",
        "statistics.thinking_time": "ask_times",
        "tactics.examples": "find_tactics",
        "tactics.review": "Review review_game value_review",
        "tournaments.crosstable": "find_crosstable find_rounds",
        "tournaments.tournament_games": "list_tournaments",
        "user_sql": "run_sql",
    },
)
