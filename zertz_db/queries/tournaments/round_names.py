"""Order the rounds of a tournament, and number them for formats that have one game of a player in each round."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from zertz_db.queries.tournaments.standings import TournamentGame


def order_rounds(rounds: Iterable[str]) -> list[str]:
    """Return rounds in order: numbers in texts by their values.

    >>> order_rounds(["10", "2", "final", "2.1"])
    ['2', '2.1', '10', 'final']
    """
    return sorted(rounds, key=_split)


def _split(text: str) -> tuple[list[tuple[bool, int, str]], str]:
    """Return the parts of a text as a sort key: numbers before words."""
    parts = re.findall(r"\d+|[^\W\d]+", text)
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part.casefold()) for part in parts], text


def number_rounds(games: Sequence[TournamentGame]) -> list[int]:
    """Return the number of the round of each game, from 1.

    The stated rounds count if all games state a whole number and no player has two games in a round. Otherwise each game gets the
    first round in which neither player has a game yet.
    """
    stated = [int(game.round) for game in games if game.round and re.fullmatch("[0-9]{1,3}", game.round)]
    if len(stated) == len(games) and 0 not in stated and _has_single_games(games, stated):
        return stated
    busy: dict[str, set[int]] = defaultdict(set)
    numbers = []
    for game in games:
        taken = busy[game.players[0]] | busy[game.players[1]]
        number = next(number for number in range(1, len(taken) + 2) if number not in taken)
        numbers.append(number)
        for player in game.players:
            busy[player].add(number)
    return numbers


def _has_single_games(games: Sequence[TournamentGame], numbers: Sequence[int]) -> bool:
    seats = [(player, number) for game, number in zip(games, numbers, strict=True) for player in game.players]
    return len({*seats}) == len(seats)
