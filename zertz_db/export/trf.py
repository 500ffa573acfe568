"""Write a tournament in FIDE's Tournament Report File format of 2016 (TRF16), for programs that read it.

The format has fixed columns and was made for chess: the player who moved first is `w`, the other `b`. Ratings are zertz-db's, not FIDE's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from zertz_db.queries.tournaments.round_names import number_rounds
from zertz_db.queries.tournaments.standings import Standing, TournamentGame, rank_players
from zertz_db.queries.tournaments.tournament_games import Tournament

_NAME_WIDTH = 33
_FREE = "0000 - Z"
"""A round without a game."""
_RESULTS = {1.0: "1", 0.5: "=", 0.0: "0"}


def format_trf(tournament: Tournament) -> str:
    """Return a tournament as lines of TRF16. Players are numbered by their ranks; names longer than 33 characters are cut.

    `parse_trf` reads the same tournament back, with the first day of each round as the day of its games, and the first rating of each
    player. A game without a result has a blank result. Rounds are those of `number_rounds`; byes are omitted. ValueError for more than
    9,999 players, or a score of 1,000 points or more: their columns are too narrow.
    """
    tournament = tournament._replace(games=_shorten_names(tournament.games))
    standings = rank_players(tournament.games)
    if len(standings) > 9999 or any(one.points >= 1000 for one in standings):
        raise ValueError("TRF16 has room for 9,999 players and scores below 1,000 points")
    rounds = number_rounds(tournament.games)
    ratings = _find_ratings(tournament.games)
    cells = _build_cells(tournament.games, rounds, {one.player: number for number, one in enumerate(standings, 1)})
    lines = _build_header(tournament, standings, ratings)
    if dates := _build_dates(tournament.games, rounds):
        lines.append(dates)
    for number, one in enumerate(standings, 1):
        played = [cells.get((one.player, at), _FREE) for at in range(1, max(rounds, default=0) + 1)]
        lines.append(_build_player(number, one, ratings.get(one.player)) + "".join(f"  {cell}" for cell in played))
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _build_header(tournament: Tournament, standings: Sequence[Standing], ratings: dict[str, int]) -> list[str]:
    days = [game.day for game in tournament.games if game.day]
    sites = {game.site for game in tournament.games if game.site}
    facts = {
        "012": tournament.name,
        "022": sites.pop() if len(sites) == 1 else None,
        "042": _write_day(tournament.first_day or min(days, default=None)),
        "052": _write_day(tournament.last_day or max(days, default=None)),
        "062": len(standings),
        "072": len(ratings),
    }
    return [f"{code} {_clean(str(fact))}" for code, fact in facts.items() if fact is not None]


def _build_player(number: int, one: Standing, rating: int | None) -> str:
    """Return the first 89 columns of a player's line."""
    known = "" if rating is None else str(rating)
    return f"001 {number:4}      {one.player:<{_NAME_WIDTH}} {known:>4}{'':28}{one.points:4.1f} {one.rank:4}"


def _build_cells(
    games: Sequence[TournamentGame], rounds: Sequence[int], numbers: dict[str, int]
) -> dict[tuple[str, int], str]:
    """Return the eight columns of each player in each round with a game."""
    cells = {}
    for game, number in zip(games, rounds, strict=True):
        for own, side in ((0, "w"), (1, "b")):
            result = " " if game.points is None else _RESULTS[game.points[own]]
            cells[game.players[own], number] = f"{numbers[game.players[1 - own]]:4} {side} {result}"
    return cells


def _build_dates(games: Sequence[TournamentGame], rounds: Sequence[int]) -> str | None:
    """Return the line with the first day of each round, below the columns of its games; None if no day is known."""
    first: dict[int, dt.date] = {}
    for game, number in zip(games, rounds, strict=True):
        if game.day:
            first[number] = min(game.day, first.get(number, game.day))
    if not first:
        return None
    days = [f"{first[at]:%y/%m/%d}" if at in first else " " * 8 for at in range(1, max(rounds) + 1)]
    return f"{'132':<89}" + "".join(f"  {day}" for day in days)


def _find_ratings(games: Sequence[TournamentGame]) -> dict[str, int]:
    """Return the first known rating of each player in the tournament."""
    ratings: dict[str, int] = {}
    for game in games:
        for player, rating in zip(game.players, game.ratings, strict=True):
            if rating is not None and 0 < rating <= 9999:
                ratings.setdefault(player, rating)
    return ratings


def _write_day(day: dt.date | None) -> str | None:
    return None if day is None else f"{day.year:04}/{day.month:02}/{day.day:02}"


def _shorten_names(games: Sequence[TournamentGame]) -> list[TournamentGame]:
    """Return the games with names that fit their columns, still different from each other."""
    short: dict[str, str] = {}
    for name in sorted({name for game in games for name in game.players}):
        cut, number = _clean(name)[:_NAME_WIDTH].strip(), 1
        while not cut or cut in short.values():
            number += 1
            cut = f"{_clean(name)[: _NAME_WIDTH - 2 - len(str(number))]}~{number}".strip()
        short[name] = cut
    return [game._replace(players=(short[game.players[0]], short[game.players[1]])) for game in games]


def _clean(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
