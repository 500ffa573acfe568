"""Read the games of tournaments. A tournament is an edition of an event, or the marked games of a server's month."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from zertz_db.parser.vocabulary.terms import GameResult
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.close_texts import close_to
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.terms import write_term
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.tournament_editions import TOURNAMENTS
from zertz_db.queries.tournaments.standings import TournamentGame
from zertz_db.store.folder.database import Database


class Tournament(NamedTuple):
    """Name of a tournament and its games between two different, known players, in the order of their days.

    The other fields are of a tournament that a file describes. unplayed: by player, points from rounds without a game, such as byes and
    wins by default; it has all players. first_day, last_day: as stated. doubts: statements of the file that its games contradict.
    """

    name: str
    games: list[TournamentGame]
    unplayed: Mapping[str, float] | None = None
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    doubts: tuple[str, ...] = ()


def list_tournaments(database: Database, filters: str = "") -> Result:
    """List the tournaments of the games that pass the filters, latest first.

    A game belongs to the event that it names, or to that one's edition of the year (see `tournament_editions`); if it names none and
    has the flag `tournament`, to the tournament of its month, called `tournament 2010.05` (`tournament ????.??` if the month is not
    known). Other games belong to none. Names that differ only in capitals are one tournament. The column `filter` has the term that
    selects exactly its games.
    """
    where, values = condition(filters)
    found = run_query(database.connection(), f"WITH {_PLAYED.format(where=where)} {_LIST}", values)
    return Result(_LISTED, [(*row, write_term("edition", row[0])) for row in found.rows])


def read_tournament(database: Database, name: str, filters: str = "") -> Tournament:
    """Return a tournament by its name in `list_tournaments`, capital and small letters alike. QueryError for an unknown name."""
    where, values = condition(filters)
    found = run_query(database.connection(), f"WITH {_PLAYED.format(where=where)} {_GAMES}", [*values, name.strip()])
    if not found.rows:
        raise QueryError(
            _explain_unknown(name, [row["tournament"] for row in list_tournaments(database, filters).dicts()])
        )
    rows = found.dicts()
    known = [row for row in rows if row["first"] and row["second"] and row["first"] != row["second"]]
    return Tournament(min(row["tournament"] for row in rows), [_convert_row(row) for row in known])


def _convert_row(row: dict[str, Any]) -> TournamentGame:
    return TournamentGame(
        players=(row["first"], row["second"]),
        points=_get_points(row["winner"], row["result"]),
        round=row["round"],
        ratings=(row["rating1"], row["rating2"]),
        day=row["date_from"] if row["date_from"] == row["date_to"] else None,
        site=row["site"],
    )


def _get_points(winner: int | None, result: str | None) -> tuple[float, float] | None:
    if winner is None:
        return None
    if winner == 0:
        return (0.0, 0.0) if result == GameResult.BOTH_LOSE else (0.5, 0.5)
    return (1.0, 0.0) if winner == 1 else (0.0, 1.0)


def _explain_unknown(name: str, known: list[str]) -> str:
    if not known:
        return "no tournaments among these games"
    near = close_to(name, known, most=3)
    if near:
        return f"no tournament is called {name!r}; did you mean {' or '.join(map(repr, near))}?"
    examples = f"{', for example' if len(known) > 3 else ':'} {', '.join(map(repr, known[:3]))}"
    return f"no tournament is called {name!r}; the games have {format_count(len(known), 'tournament')}{examples}"


_PLAYED = f"""
    chosen AS (SELECT * FROM _game WHERE {{where}}),
    known AS (SELECT _alias.name AS alias, _player.name FROM _alias JOIN _player ON _player.id = player WHERE status = 'accepted'),
    named AS ({TOURNAMENTS}),
    played AS (
        SELECT tournament_name AS tournament, date_from, date_to, coalesce(one.name, player1) AS first,
            coalesce(two.name, player2) AS second, winner, result, round, site,
            chosen.id
        FROM chosen JOIN named ON named.id = chosen.id
        LEFT JOIN known AS one ON one.alias = player1 LEFT JOIN known AS two ON two.alias = player2
    )
"""
_LIST = """
    SELECT min(tournament) AS name, min(date_from), max(date_to), count(*), count(*) FILTER (winner IS NULL),
        len(list_distinct(flatten(list([first, second]))))
    FROM played GROUP BY lower(tournament) ORDER BY max(date_to) DESC NULLS LAST, name
"""
_GAMES = """
    SELECT tournament, first, second, winner, result, round, site, date_from, date_to, rating1, rating2
    FROM played LEFT JOIN _rating ON game = id WHERE lower(tournament) = lower(?) ORDER BY date_from, id
"""
_LISTED = (
    Column(
        "tournament",
        "the event, with a year if it has several editions; or the month of games with the flag `tournament`",
    ),
    Column("since", "the earliest day that its games may have been played"),
    Column("until", "the latest day"),
    Column("games", "games"),
    Column("unfinished", "of these, games without a result"),
    Column("players", "players, under their chief names"),
    Column("filter", "the filter term that selects exactly the games of this tournament"),
)
