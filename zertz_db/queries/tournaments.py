"""List tournaments and their crosstables. A tournament is an edition of an event, or the marked games of a server's month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from parser.vocabulary.terms import GameResult
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.close_texts import close_to
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.tournament_editions import TOURNAMENTS
from zertz_db.store.folder.database import Database


def list_tournaments(database: Database, filters: str = "") -> Result:
    """List the tournaments of the games that pass the filters, latest first.

    A game belongs to the event that it names, or to that one's edition of the year (see `editions`); if it names none and has the flag
    `tournament`, to the tournament of its month, called `tournament 2010.05` (`tournament ????.??` if the month is not known). Other
    games belong to none. The filter `event:` finds the games by this name.
    """
    where, values = condition(filters)
    found = run_query(database.connection(), f"WITH {_ROUNDS.format(where=where)} {_LIST}", values)
    return Result(_LISTED, found.rows)


def find_crosstable(database: Database, name: str, filters: str = "") -> Result:
    """Return the crosstable of a tournament, sorted by points, then by fewer games.

    name: as `tournaments` has it, capital and small letters alike. A win is a point, a tie half a point; games without a result count
    apart and are shown as `*`. Games with a player who is not known, or the same on both sides, are left out. QueryError for an
    unknown name.
    """
    where, values = condition(filters)
    found = run_query(database.connection(), f"WITH {_ROUNDS.format(where=where)} {_GAMES}", [*values, name.strip()])
    if not found.rows:
        raise QueryError(_unknown(name, [row["tournament"] for row in list_tournaments(database, filters).dicts()]))
    return _table(_scores(row for row in found.rows if None not in row[:2] and row[0] != row[1]))


@dataclass(slots=True)
class _Score:
    """Score of a player: points, games with a result, games without one, and the outcomes by opponent, in order."""

    points: float = 0
    games: int = 0
    unfinished: int = 0
    against: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, opponent: str, points: float | None) -> None:
        self.against[opponent].append(_SYMBOLS[points])
        if points is None:
            self.unfinished += 1
        else:
            self.games += 1
            self.points += points


def _scores(games: Iterable[tuple[str, str, int | None, str | None]]) -> dict[str, _Score]:
    scores: dict[str, _Score] = defaultdict(_Score)
    for first, second, winner, result in games:
        for side, player, opponent in ((1, first, second), (2, second, first)):
            scores[player].add(opponent, _points(side, winner, result))
    ordered = sorted(scores.items(), key=lambda item: (-item[1].points, item[1].games, item[0].casefold(), item[0]))
    return dict(ordered)


def _points(side: int, winner: int | None, result: str | None) -> float | None:
    if winner is None:
        return None
    if winner == 0:
        return 0.0 if result == GameResult.BOTH_LOSE else 0.5
    return 1.0 if winner == side else 0.0


def _table(scores: dict[str, _Score]) -> Result:
    meaning = "results against {}: 1 won, = a tie, 0 lost, * without a result"
    against = tuple(Column(str(number), meaning.format(player)) for number, player in enumerate(scores, 1))
    rows = [
        (number, player, score.points, score.games, score.unfinished, *_outcomes(score, scores))
        for number, (player, score) in enumerate(scores.items(), 1)
    ]
    return Result((*_STANDING, *against), rows)


def _outcomes(score: _Score, opponents: Iterable[str]) -> Iterator[str]:
    return ("".join(score.against.get(opponent, ())) for opponent in opponents)


def _unknown(name: str, known: list[str]) -> str:
    if not known:
        return "no tournaments among these games"
    likely = close_to(name, known, most=3) or known[:3]
    return f"no tournament is called {name!r}; there are {len(known):,}, for example {', '.join(map(repr, likely))}"


_SYMBOLS = {1.0: "1", 0.5: "=", 0.0: "0", None: "*"}
_ROUNDS = f"""
    chosen AS (SELECT * FROM _game WHERE {{where}}),
    known AS (SELECT _alias.name AS alias, _player.name FROM _alias JOIN _player ON _player.id = player WHERE status = 'accepted'),
    named AS ({TOURNAMENTS}),
    played AS (
        SELECT tournament_name AS tournament, date_from, date_to, coalesce(one.name, player1) AS first,
            coalesce(two.name, player2) AS second, winner, result,
            chosen.id
        FROM chosen JOIN named ON named.id = chosen.id
        LEFT JOIN known AS one ON one.alias = player1 LEFT JOIN known AS two ON two.alias = player2
    )
"""
_LIST = """
    SELECT tournament, min(date_from), max(date_to), count(*), count(*) FILTER (winner IS NULL),
        len(list_distinct(flatten(list([first, second]))))
    FROM played GROUP BY tournament ORDER BY max(date_to) DESC NULLS LAST, tournament
"""
_GAMES = """
    SELECT first, second, winner, result FROM played WHERE lower(tournament) = lower(?) ORDER BY date_from, id
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
)
_STANDING = (
    Column("number", "the player's number in this table"),
    Column("player", "the player, under his chief name"),
    Column("points", "a win is one, a tie half a point"),
    Column("games", "games with a result"),
    Column("unfinished", "games without a result"),
)
