"""Plant second names: split players in two, so that the pairs that are one person are known. Also make up players with habits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase

from zertz_db.queries.players.identity.careers import PlayedGame

LEAST_GAMES = 4
"""Minimum number of games of a player that is split."""
WAYS = ("years", "absence", "days", "games")
"""How the games are divided: before and after a day, with a pause between (those games are left out), by day, or one by one."""


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


def _reverse(name: str, _: Random) -> str:
    return " ".join(reversed(name.split()))


def _abbreviate(name: str, _: Random) -> str:
    return f"{name[0]} {name.split()[-1]}"


SPELLINGS: dict[str, Callable[[str, Random], str]] = {
    "digits": lambda name, dice: f"{name.rstrip('0123456789')}{dice.randrange(1, 100)}",
    "signs": lambda name, dice: f"{name[: len(name) // 2]}{dice.choice('-_.')}{name[len(name) // 2 :]}",
    "insert": _insert,
    "omit": _omit,
    "replace": _replace,
    "swap": _swap,
    "repeat": _repeat,
    "shorten": _shorten,
    "two": lambda name, dice: _replace(_insert(name, dice), dice),
    "extend": lambda name, dice: name + "".join(dice.choice(ascii_lowercase) for _ in range(3)),
    "order": _reverse,
    "initial": _abbreviate,
    "invent": _invent,
}
_NEED_WORDS = ("order", "initial")
"""Ways to spell a second name; `invent` gives one that has nothing of the first."""


@dataclass(frozen=True)
class Planted:
    """Names and games with second names; pairs: (player, second name), with the spelling and the way of the split."""

    names: dict[int, str]
    games: list[PlayedGame]
    pairs: dict[tuple[int, int], tuple[str, str]]


def plant_names(
    names: dict[int, str],
    games: list[PlayedGame],
    seed: int,
    share: float = 0.05,
    spellings: Sequence[str] = tuple(SPELLINGS),
    least_games: int = LEAST_GAMES,
) -> Planted:
    """Give a share of the players a second name; spellings: the ways to spell it, least_games: of a player that is split."""
    dice = Random(seed)  # noqa: S311 - no secret
    own: dict[int, list[int]] = defaultdict(list)
    for number, game in enumerate(games):
        for player in {game.first, game.second}:
            if player in names and player is not None and game.day is not None:
                own[player].append(number)
    known = {name.casefold() for name in names.values()}
    candidates = sorted(player for player, numbers in own.items() if len(numbers) >= least_games)
    chosen = dice.sample(candidates, min(len(candidates), round(share * len(own))))
    names, games, pairs = dict(names), list(games), {}
    for player in chosen:
        second = max(names) + 1
        known_ways = [kind for kind in spellings if kind not in _NEED_WORDS or " " in names[player]]
        spelling, way = dice.choice(known_ways), dice.choice(WAYS)
        spelt = SPELLINGS[spelling](names[player], dice)
        moved, dropped = _divide([(number, games[number].day or 0) for number in own[player]], way, dice)
        if spelt.casefold() in known or not moved or len(moved) + len(dropped) >= len(own[player]):
            continue
        known.add(spelt.casefold())
        names[second] = spelt
        pairs[player, second] = (spelling, way)
        for numbers, new in ((moved, second), (dropped, None)):
            for number in numbers:
                side = "first" if games[number].first == player else "second"
                games[number] = games[number]._replace(**{side: new})
    return Planted(names, games, pairs)


def _divide(dated: list[tuple[int, int]], way: str, dice: Random) -> tuple[list[int], list[int]]:
    """Return the numbers of the games that get the second name, and of those that get none."""
    ordered = [number for number, _ in sorted(dated, key=lambda game: game[1])]
    share = dice.uniform(0.2, 0.6)
    if way == "years":
        return ordered[int(len(ordered) * (1 - share)) :], []
    if way == "absence":
        first, last = int(len(ordered) * share / 2) + 1, int(len(ordered) * (1 - share / 2))
        return ordered[last:], ordered[first:last]
    if way == "games":
        return [number for number in ordered if dice.random() < share], []
    second = {day for day in sorted({day for _, day in dated}) if dice.random() < share}
    return [number for number, day in dated if day in second], []


_FIRST_NAMES = (
    "Ada Anna Alma Ben Bela Bert Cleo Carl Cora Dora Dirk Enno Elsa Emil Fay Fritz Gila Gus Hana Hugo Ida Ivo Jana Jens Jule Kai Karla "
    "Lena Leo Lotte Maja Max Mona Nils Nora Olga Otto Paula Piet Rosa Rolf Sara Sven Tilda Tom Ulla Uwe Vera Wim Yara"
)
_LAST_NAMES = (
    "Abel Ahrens Baker Bauer Berg Brandt Carter Conrad Dahl Decker Ebert Eriksen Falk Fischer Fuchs Gross Hahn Hansen Hoffman Holm "
    "Jansen Keller Klein Koch Kramer Lang Larsen Lindberg Marek Mason Meier Moller Novak Nyman Olsen Palmer Peters Quist Reed Richter "
    "Roth Sand Schmidt Seger Stone Taylor Turner Ulrich Vogel Wagner Weber Winter Zander"
)


_SYLLABLES = "an be cor dal el fen gor hu il jo kar lem mo nil ot pe ros sven tu vel"


def make_players(
    players: int, games: int, seed: int, *, confusable: bool = False
) -> tuple[dict[int, str], list[PlayedGame]]:
    """Make up players with names of two words or nicknames, years, hours, opponents and first moves of their own; and their games.

    confusable: words of two syllables out of twenty, so that many names differ in few letters.
    """
    dice = Random(seed)  # noqa: S311 - no secret
    names: dict[int, str] = {}
    while len(names) < players:
        name = _full_name(dice, confusable=confusable) if dice.random() < 0.5 else _nickname(dice)
        if name not in names.values():
            names[len(names)] = name
    begins = [dice.randrange(5000) for _ in names]
    ends = [begin + int(dice.expovariate(1 / 700)) + 30 for begin in begins]
    zones, keen = [dice.randrange(24) for _ in names], [dice.paretovariate(0.9) for _ in names]
    likes = [[dice.gammavariate(0.4 / (1 + move / 4), 1) + 1e-9 for move in range(40)] for _ in names]
    made = []
    for _ in range(games):
        [first] = dice.choices(range(players), keen)
        day = dice.randrange(begins[first], ends[first])
        around = [one for one in range(players) if begins[one] <= day < ends[one] and one != first]
        second = dice.choices(around, [keen[one] for one in around])[0] if around and dice.random() < 0.6 else None
        hour = int(zones[first] + dice.gauss(0, 3)) % 24
        [move] = dice.choices(range(40), likes[first])
        made.append(PlayedGame(first, second, day, hour, "37", move))
    return names, made


def _full_name(dice: Random, *, confusable: bool) -> str:
    if not confusable:
        return f"{dice.choice(_FIRST_NAMES.split())} {dice.choice(_LAST_NAMES.split())}"
    parts = _SYLLABLES.split()
    first = dice.choice(parts[:7]) + dice.choice(parts[7:14])
    return f"{first} {dice.choice(parts[14:])}{dice.choice(parts[4:14])}".title()


def _nickname(dice: Random) -> str:
    name = _invent("x" * dice.randrange(4, 9), dice)
    return name + (str(dice.randrange(1, 100)) if dice.random() < 0.2 else "")
