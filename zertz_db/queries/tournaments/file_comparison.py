"""Compare a tournament's file, such as TRF, with the games that a database has of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import duckdb

from zertz_db.parser.vocabulary.terms import GameResult
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.close_texts import close_to
from zertz_db.queries.players.player_list import find_player
from zertz_db.queries.result import Column, Result
from zertz_db.queries.tournaments.standings import TournamentGame
from zertz_db.queries.tournaments.tournament_games import Tournament, read_tournament
from zertz_db.store.folder.database import Database

ISSUES = {
    "player": "a player who is only in the file, or only in the database; such a player's games are not compared",
    "missing": "the database lacks a game of the file",
    "extra": "the file lacks a game of the database",
    "result": "the results differ",
    "first": "the other player moved first",
}
"""Kinds of differences, in the order of the table."""
COLUMNS = (
    Column("issue", "; ".join(f"{name}: {meaning}" for name, meaning in ISSUES.items())),
    Column("round", "the round, as the file states it; for extra games, as the database does"),
    Column("player1", "the player who moved first, by the file; for extra games, by the database"),
    Column("player2", "the other player"),
    Column("file", "the result in the file"),
    Column("database", "the result in the database, for player1 as player 1"),
    Column("note", "what may help"),
)

_Key = Callable[[TournamentGame], Any]


def compare_with_file(database: Database, name: str, file: Tournament, filters: str = "") -> Result:
    """Compare a tournament of the database, by its name in `list_tournaments`, with its file; no rows if both agree.

    A player of the file is one of the database if the name or an alias is equal, ignoring case; `Last, First` is tried as `First Last` too.
    Games of the same two players are matched by result and first mover, then by round, then in their order. Dates and ratings are not
    compared. QueryError for an unknown tournament.
    """
    stored = read_tournament(database, name, filters)
    there = {player for game in stored.games for player in game.players}
    names = {player: _find_name(database.connection(), player) for player in _list_players(file)}
    absent = there - {*names.values()}
    rows = [
        ("player", None, player, None, None, None, _advise(player, main, absent, file.games))
        for player, main in names.items()
        if main not in there
    ]
    rows += [
        ("player", None, one, None, None, None, _count_games(one, stored.games, "database")) for one in sorted(absent)
    ]
    compared = [
        game._replace(players=(names[game.players[0]] or "", names[game.players[1]] or ""))
        for game in file.games
        if {names[game.players[0]], names[game.players[1]]} <= there
    ]
    known = [game for game in stored.games if not absent & {*game.players}]
    rows += sorted(_compare_games(compared, known), key=lambda row: [*ISSUES].index(row[0]))
    return Result(COLUMNS, rows)


def _list_players(file: Tournament) -> list[str]:
    return list(dict.fromkeys([*(file.unplayed or ()), *(name for game in file.games for name in game.players)]))


def _find_name(connection: duckdb.DuckDBPyConnection, name: str) -> str | None:
    """Return the main name of a player, None for an unknown one."""
    last, _, first = name.partition(",")
    for text in (name, f"{first.strip()} {last.strip()}"):
        try:
            return find_player(connection, text).name
        except QueryError:
            pass
    return None


def _advise(player: str, main: str | None, free: Iterable[str], games: Sequence[TournamentGame]) -> str:
    """Return what is known about a player who is not matched. free: players of the tournament who are not matched either."""
    known = f"known as {main}, without a game here; " if main else ""
    close = close_to(player, sorted(free), 2)
    guess = f"did you mean {' or '.join(close)}? " if close else ""
    return f"{known}{guess}{_count_games(player, games, 'file')}"


def _count_games(player: str, games: Sequence[TournamentGame], place: str) -> str:
    return f"{format_count(sum(player in game.players for game in games), 'game')} in the {place} only"


def _compare_games(file: Sequence[TournamentGame], stored: Sequence[TournamentGame]) -> Iterator[tuple[Any, ...]]:
    for ours, theirs in _pair_up(file, stored):
        if ours is None and theirs is not None:
            yield ("extra", theirs.round, *theirs.players, None, _write_result(theirs.points), None)
        elif ours is not None and theirs is None:
            yield ("missing", ours.round, *ours.players, _write_result(ours.points), None, None)
        elif ours is not None and theirs is not None:
            points = _turn(theirs.points) if theirs.players != ours.players else theirs.points
            issue = "result" if points != ours.points else "first" if theirs.players != ours.players else None
            if issue:
                yield (issue, ours.round, *ours.players, _write_result(ours.points), _write_result(points), None)


def _pair_up(
    file: Sequence[TournamentGame], stored: Sequence[TournamentGame]
) -> Iterator[tuple[TournamentGame | None, TournamentGame | None]]:
    """Yield each game of the file with that of the database, or with None, and the other games of the database with None."""
    left = list(stored)
    open_games = list(file)
    for key in _KEYS:
        by_key: dict[Any, list[TournamentGame]] = defaultdict(list)
        for game in left:
            by_key[key(game)].append(game)
        unmatched = []
        for game in open_games:
            if alike := by_key[key(game)]:
                yield game, alike.pop(0)
            else:
                unmatched.append(game)
        open_games, left = unmatched, [game for games in by_key.values() for game in games]
    yield from ((game, None) for game in open_games)
    yield from ((None, game) for game in left)


_KEYS: tuple[_Key, ...] = (
    lambda game: (game.players, game.points, game.round),
    lambda game: (game.players, game.points),
    lambda game: (frozenset(game.players), game.round or id(game)),
    lambda game: frozenset(game.players),
)
"""What matched games have in common, the strictest first."""


def _turn(points: tuple[float, float] | None) -> tuple[float, float] | None:
    return points and (points[1], points[0])


def _write_result(points: tuple[float, float] | None) -> str:
    return GameResult.UNKNOWN if points is None else _RESULTS[points]


_RESULTS = {
    (1.0, 0.0): GameResult.FIRST_WINS,
    (0.0, 1.0): GameResult.SECOND_WINS,
    (0.5, 0.5): GameResult.TIE,
    (0.0, 0.0): GameResult.BOTH_LOSE,
}
