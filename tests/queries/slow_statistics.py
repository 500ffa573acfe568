"""Statistics of made-up games the slow and obvious way: a table is a list of rows by column name, computed from replayed positions."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any

from tests.queries.made_games import Made
from zertz_db.rules.position import Position

Row = dict[str, Any]


def table(made: Iterable[Made], by: Sequence[str], rows: Callable[[list[Made]], Iterable[Row]]) -> list[Row]:
    """The rows of each group of games, with what they are grouped by in front."""
    groups: dict[tuple[Any, ...], list[Made]] = {}
    for one in made:
        groups.setdefault(tuple(GROUPS[name](one) for name in by), []).append(one)
    names = [name.partition(":")[0] for name in by]
    return [dict(zip(names, labels, strict=True)) | row for labels, members in groups.items() for row in rows(members)]


def _year(one: Made) -> int | None:
    return None if one.date.startswith("?") else int(one.date[:4])


def _span(number: int | None, width: int) -> str | None:
    return None if number is None else f"{number - number % width}-{number - number % width + width - 1}"


def _kind(one: Made) -> str | None:
    kinds = [_kind_of(name) for name in (one.first, one.second)]
    return None if None in kinds else "-".join(sorted(map(str, kinds), reverse=True))


def _kind_of(name: str | None) -> str | None:
    if name is None:
        return None
    return "guest" if name == "guest" else "bot" if name.endswith("bot") else "human"


GROUPS: dict[str, Callable[[Made], Any]] = {
    "board": lambda one: one.board,
    "rules": lambda one: one.rules,
    "year": _year,
    "kind": _kind,
    "side": lambda one: {1: "first", 2: "second", 0: "neither", None: None}[one.winner],
    "era:2": lambda one: _span(_year(one), 2),
    "length": lambda one: _span(one.plies, 10),
}


def winning_sets(games: list[Made]) -> Iterator[Row]:
    won = [one for one in games if one.ending == "set"]
    for name in {_set(one) for one in won}:
        with_it = [one for one in won if _set(one) == name]
        jumps = [one for one in with_it if one.moves[-1].startswith("x ")]
        yield {
            "set": name,
            "games": len(with_it),
            "jump": len(jumps),
            "claim": len(with_it) - len(jumps),
            "plies": mean(one.plies for one in with_it),
            "of": len(won),
        }


def _set(one: Made) -> str:
    return "several" if len(one.end.winning_sets) > 1 else one.end.winning_sets[0]


def endings(games: list[Made]) -> Iterator[Row]:
    ended = sum(one.ending is not None for one in games)
    for ending in {one.ending for one in games}:
        so = [one for one in games if one.ending == ending]
        yield {
            "ending": ending,
            "games": len(so),
            "first": sum(one.winner == 1 for one in so),
            "second": sum(one.winner == 2 for one in so),
            "plies": mean(one.plies for one in so),
            "of": ended if ending else None,
        }


def first_mover(games: list[Made]) -> Iterator[Row]:
    results = Counter(one.winner for one in games)
    yield {
        "games": len(games),
        "first": results[1],
        "second": results[2],
        "neither": results[0],
        "unknown": results[None],
        "decided": results[1] + results[2],
    }


def lengths(games: list[Made]) -> Iterator[Row]:
    plies = sorted(one.plies for one in games if one.ending is not None)
    quantiles = {"q10": 0.1, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q90": 0.9}
    yield {
        "games": len(plies),
        "unfinished": len(games) - len(plies),
        "mean": mean(plies) if plies else None,
        "shortest": min(plies, default=None),
        **{name: _least_of_share(plies, share) for name, share in quantiles.items()},
        "longest": max(plies, default=None),
    }


def _least_of_share(plies: list[int], share: float) -> int | None:
    """The least number that at least this share of all does not exceed."""
    return next((one for one in plies if sum(other <= one for other in plies) >= share * len(plies) - 1e-9), None)


def histogram(games: list[Made]) -> Iterator[Row]:
    ended = [one for one in games if one.ending is not None]
    for label, count in Counter(_span(one.plies, 5) for one in ended).items():
        yield {"plies": label, "games": count, "of": len(ended)}


def _lacks(position: Position, player: int) -> int:
    held, rules = position.captured[player - 1], position.rules
    of_one = [max(0, goal - count) for goal, count in zip(rules.goal, held, strict=True)]
    return min(*of_one, sum(max(0, rules.each - count) for count in held))


def _leaders(one: Made) -> list[int]:
    """Who led in each position: 1, 2 or, when nobody did, 0."""
    lacks = [(_lacks(position, 1), _lacks(position, 2)) for position in one.positions]
    return [0 if first == second else 1 if first < second else 2 for first, second in lacks]


def _changes(one: Made) -> int:
    return sum(before != after for before, after in pairwise(leader for leader in _leaders(one) if leader))


def _decided(games: list[Made]) -> list[Made]:
    return [one for one in games if one.winner]


def leads(games: list[Made]) -> Iterator[Row]:
    looked_at = _decided(games)
    if not looked_at:
        return
    half = [(_leaders(one)[one.plies // 2], one.winner) for one in looked_at]
    behind = [sum(leader not in (0, one.winner) for leader in _leaders(one)) for one in looked_at]
    yield {
        "games": len(looked_at),
        "changes": mean(map(_changes, looked_at)),
        "most": max(map(_changes, looked_at)),
        "steady": sum(_changes(one) == 0 for one in looked_at),
        "half_ahead": sum(leader == winner for leader, winner in half),
        "half_level": sum(leader == 0 for leader, _ in half),
        "half_behind": sum(leader not in (0, winner) for leader, winner in half),
        "time_behind": mean(count / (one.plies + 1) for count, one in zip(behind, looked_at, strict=True)),
        "behind": sum(count > 0 for count in behind),
    }


def lead_changes(games: list[Made]) -> Iterator[Row]:
    looked_at = _decided(games)
    for changes, count in Counter(map(_changes, looked_at)).items():
        yield {"changes": changes, "games": count, "of": len(looked_at)}


def captures(games: list[Made]) -> Iterator[Row]:
    seen = [(one, ply) for one in games if one.plies for ply in range(one.plies + 1)]
    for part in range(0, 101, 10):
        here = [(one, ply) for one, ply in seen if part <= 100 * ply / one.plies < part + 10]
        if here:
            yield {"part": part, "positions": len(here), **_captured(here)}


def captures_by_ply(games: list[Made]) -> Iterator[Row]:
    for ply in range(max(one.plies for one in games) + 1):
        here = [(one, ply) for one in games if one.plies >= ply]
        yield {"ply": ply, "games": len(here), **_captured(here)}


def _captured(seen: list[tuple[Made, int]]) -> Row:
    held = [(one.winner, [sum(count) for count in one.positions[ply].captured]) for one, ply in seen]
    decided = [(winner, counts) for winner, counts in held if winner]
    return {
        "first": mean(first for _, (first, _) in held),
        "second": mean(second for _, (_, second) in held),
        "winner": mean(counts[winner - 1] for winner, counts in decided) if decided else None,
        "loser": mean(counts[2 - winner] for winner, counts in decided) if decided else None,
    }


def sacrifices(games: list[Made]) -> Iterator[Row]:
    made = [(one.winner, _sacrificed(one)) for one in games]
    decided = [(winner, counts) for winner, counts in made if winner]
    yield {
        "games": len(games),
        "mean": mean(first + second for _, (first, second) in made),
        "most": max(first + second for _, (first, second) in made),
        "without": sum(first + second == 0 for _, (first, second) in made),
        "first": mean(first for _, (first, _) in made),
        "second": mean(second for _, (_, second) in made),
        "winner": mean(counts[winner - 1] for winner, counts in decided) if decided else None,
        "loser": mean(counts[2 - winner] for winner, counts in decided) if decided else None,
    }


def _sacrificed(one: Made) -> tuple[int, int]:
    """How many turns of each player made the opponent capture."""
    movers = [before.side for before, after in pairwise(one.positions) if after.capture_is_due]
    return movers.count(1), movers.count(2)
