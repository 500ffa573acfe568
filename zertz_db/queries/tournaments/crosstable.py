"""Make the crosstable of a tournament, and its table by rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from zertz_db.queries.result import Column, Result
from zertz_db.queries.tournaments.round_names import order_rounds
from zertz_db.queries.tournaments.standings import TIE_BREAKS, Standing, TournamentGame, rank_players
from zertz_db.queries.tournaments.tournament_games import Tournament, read_tournament
from zertz_db.store.folder.database import Database


def find_crosstable(database: Database, name: str, filters: str = "") -> Result:
    """Return the crosstable of a tournament, sorted by points, then by the tie-breaks in the order of `TIE_BREAKS`.

    name: as `list_tournaments` has it, capital and small letters alike. A win is a point, a tie half a point; games without a result
    count apart and are shown as `*`. Games with a player who is not known, or the same on both sides, are left out. QueryError for an
    unknown name.
    """
    return build_crosstable(read_tournament(database, name, filters))


def build_crosstable(tournament: Tournament) -> Result:
    """Return the crosstable of a tournament; see `find_crosstable`."""
    games = tournament.games
    standings = rank_players(games, tournament.unplayed)
    outcomes = _collect_outcomes(games)
    meaning = "results against {}: 1 won, = a tie, 0 lost, * without a result"
    against = tuple(Column(str(number), meaning.format(one.player)) for number, one in enumerate(standings, 1))
    rows = [
        (
            number,
            *(getattr(one, column.name) for column in _STANDING[1:]),
            *("".join(outcomes[one.player, other.player]) for other in standings),
        )
        for number, one in enumerate(standings, 1)
    ]
    return Result((*_STANDING, *against), rows)


def find_rounds(database: Database, name: str, filters: str = "") -> Result:
    """Return the standings of a tournament with a column for each round that its games state: opponents by number, and outcomes.

    Cells: `3+` won against number 3, `3=` a tie, `3-` lost, `3*` without a result; several games of a round with spaces between
    them. Games without a round are left out of these columns. name, QueryError: as `find_crosstable`.
    """
    return build_rounds(read_tournament(database, name, filters))


def build_rounds(tournament: Tournament) -> Result:
    """Return the standings and rounds of a tournament; see `find_rounds`."""
    games = tournament.games
    standings = rank_players(games, tournament.unplayed)
    rounds = order_rounds({game.round for game in games if game.round})
    cells = _collect_rounds(games, standings)
    meaning = "the opponent's number, and + won, = a tie, - lost, * without a result"
    columns = tuple(Column(f"round {text}", meaning) for text in rounds)
    rows = [
        (number, one.rank, one.player, one.points, *(" ".join(cells[one.player, text]) for text in rounds))
        for number, one in enumerate(standings, 1)
    ]
    return Result((*_STANDING[:4], *columns), rows)


def _collect_outcomes(games: Iterable[TournamentGame]) -> dict[tuple[str, str], list[str]]:
    """Return the symbols of the games of each player against each opponent, in their order."""
    outcomes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for game in games:
        for own in (0, 1):
            outcomes[game.players[own], game.players[1 - own]].append(_get_symbol(game, own, "10"))
    return outcomes


def _collect_rounds(games: Iterable[TournamentGame], standings: Sequence[Standing]) -> dict[tuple[str, str], list[str]]:
    """Return the cells of each player in each round."""
    numbers = {one.player: number for number, one in enumerate(standings, 1)}
    cells: dict[tuple[str, str], list[str]] = defaultdict(list)
    for game in games:
        if game.round:
            for own in (0, 1):
                cell = f"{numbers[game.players[1 - own]]}{_get_symbol(game, own, '+-')}"
                cells[game.players[own], game.round].append(cell)
    return cells


def _get_symbol(game: TournamentGame, own: int, won_lost: str) -> str:
    if game.points is None:
        return "*"
    points = game.points[own]
    return "=" if points == 0.5 else won_lost[0] if points else won_lost[1]


_MEANINGS = {
    "sonneborn_berger": "Sonneborn-Berger, first tie-break: the opponent's points times the own points, over all games",
    "buchholz": "Buchholz, second tie-break: the opponents' points, over all games",
    "direct": "direct encounter, third tie-break: points among players equal so far, if each has met all the others",
    "wins": "games won, fourth tie-break",
}
_STANDING = (
    Column("number", "the player's number in this table"),
    Column("rank", "the rank, shared by players who are equal in points and all tie-breaks"),
    Column("player", "the player, under his chief name"),
    Column("points", "a win is one, a tie half a point"),
    Column("games", "games with a result"),
    Column("unfinished", "games without a result"),
    *(Column(name, _MEANINGS[name]) for name in TIE_BREAKS),
    Column(
        "performance", "the rating that the score suggests, against opponents whose ratings before the games are known"
    ),
)
