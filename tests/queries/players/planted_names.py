"""Plant second names: split players in two, so that the pairs that are one person are known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase

from zertz_db.queries.players.identity.careers import PlayedGame

LEAST_GAMES = 4
"""Minimum number of games of a player that is split."""
WAYS = ("years", "days", "games")
"""How the games are divided: before and after a day, by day, or one by one."""


def _insert(name: str, dice: Random) -> str:
    at = dice.randrange(1, len(name) + 1)
    return name[:at] + dice.choice(ascii_lowercase) + name[at:]


def _omit(name: str, dice: Random) -> str:
    at = dice.randrange(len(name))
    return name[:at] + name[at + 1 :]


def _replace(name: str, dice: Random) -> str:
    at = dice.randrange(len(name))
    return name[:at] + dice.choice(ascii_lowercase) + name[at + 1 :]


def _swap(name: str, dice: Random) -> str:
    at = dice.randrange(max(1, len(name) - 1))
    return name[:at] + name[at + 1 : at + 2] + name[at : at + 1] + name[at + 2 :]


def _repeat(name: str, dice: Random) -> str:
    at = dice.randrange(len(name))
    return name[:at] + name[at] + name[at:]


def _shorten(name: str, dice: Random) -> str:
    return name[: dice.randrange(min(4, len(name)), max(5, len(name)))] if len(name) > 4 else name + dice.choice("xyz")


def _invent(name: str, dice: Random) -> str:
    return "".join(dice.choice("aeiou" if at % 2 else "bcdfghjklmnprstvwz") for at in range(len(name)))


SPELLINGS: dict[str, Callable[[str, Random], str]] = {
    "digits": lambda name, dice: f"{name.rstrip('0123456789')}{dice.randrange(1, 100)}",
    "signs": lambda name, dice: f"{name[: len(name) // 2]}{dice.choice('-_.')}{name[len(name) // 2 :]}",
    "insert": _insert,
    "omit": _omit,
    "replace": _replace,
    "swap": _swap,
    "repeat": _repeat,
    "shorten": _shorten,
    "extend": lambda name, dice: name + "".join(dice.choice(ascii_lowercase) for _ in range(3)),
    "invent": _invent,
}
"""Ways to spell a second name; `invent` gives one that has nothing of the first."""


@dataclass(frozen=True)
class Planted:
    """Names and games with second names; pairs: (player, second name), with the spelling and the way of the split."""

    names: dict[int, str]
    games: list[PlayedGame]
    pairs: dict[tuple[int, int], tuple[str, str]]


def plant_names(names: dict[int, str], games: list[PlayedGame], seed: int, share: float = 0.05) -> Planted:
    """Give a share of the players a second name."""
    dice = Random(seed)  # noqa: S311 - no secret
    own: dict[int, list[int]] = defaultdict(list)
    for number, game in enumerate(games):
        for player in {game.first, game.second}:
            if player in names and player is not None and game.day is not None:
                own[player].append(number)
    known = {name.casefold() for name in names.values()}
    candidates = sorted(player for player, numbers in own.items() if len(numbers) >= LEAST_GAMES)
    chosen = dice.sample(candidates, min(len(candidates), round(share * len(own))))
    names, games, pairs = dict(names), list(games), {}
    for player in chosen:
        second = max(names) + 1
        spelling, way = dice.choice(sorted(SPELLINGS)), dice.choice(WAYS)
        spelt = SPELLINGS[spelling](names[player], dice)
        moved = _divide([(number, games[number].day or 0) for number in own[player]], way, dice)
        if spelt.casefold() in known or not 0 < len(moved) < len(own[player]):
            continue
        known.add(spelt.casefold())
        names[second] = spelt
        pairs[player, second] = (spelling, way)
        for number in moved:
            game = games[number]
            if game.first == player:
                games[number] = game._replace(first=second)
            else:
                games[number] = game._replace(second=second)
    return Planted(names, games, pairs)


def _divide(dated: list[tuple[int, int]], way: str, dice: Random) -> list[int]:
    """Return the numbers of the games that get the second name."""
    if way == "years":
        days = sorted(day for _, day in dated)
        cut = days[int(len(days) * dice.uniform(0.25, 0.75))]
        return [number for number, day in dated if day >= cut]
    share = dice.uniform(0.2, 0.6)
    if way == "games":
        return [number for number, _ in dated if dice.random() < share]
    second = {day for day in sorted({day for _, day in dated}) if dice.random() < share}
    return [number for number, day in dated if day in second]
