"""Statistics of made-up games the slow and obvious way: a table is a list of rows by column name, computed from replayed positions."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product
from statistics import mean
from typing import Any

from tests.analyses import judge
from tests.queries.made_games import Made
from zertz_db.rules.board import standard_board
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
        "ties": results[0],
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


def _least_of_share(plies: Sequence[Any], share: float) -> Any:
    """The least number that at least this share of all does not exceed."""
    return next((one for one in plies if sum(other <= one for other in plies) >= share * len(plies) - 1e-9), None)


def histogram(games: list[Made]) -> Iterator[Row]:
    ended = [one for one in games if one.ending is not None]
    for label, count in Counter(_span(one.plies, 5) for one in ended).items():
        yield {"plies": label, "games": count, "of": len(ended)}


def minutes(games: list[Made]) -> Iterator[Row]:
    known = sorted(found / 60 for one in games if one.ending is not None and (found := _seconds(one)) is not None)
    quantiles = {"q10": 0.1, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q90": 0.9}
    yield {
        "games": len(known),
        "unknown": len(games) - len(known),
        "mean": mean(known) if known else None,
        "shortest": min(known, default=None),
        **{name: _least_of_share(known, share) for name, share in quantiles.items()},
        "longest": max(known, default=None),
    }


def _seconds(one: Made) -> int | None:
    """The time that both players used, by clocks that count up; None where one is missing or goes back."""
    if one.direction != "up" or len(one.clocks) < one.plies or None in one.clocks[: one.plies]:
        return None
    used = 0
    for side in (1, 2):
        clocks = [0, *(one.clocks[ply] or 0 for ply in range(one.plies) if one.positions[ply].side == side)]
        if sorted(clocks) != clocks:
            return None
        used += clocks[-1]
    return used if one.plies else None


def isolations(games: list[Made]) -> Iterator[Row]:
    won = [one for one in games if one.ending == "set" and not one.moves[-1].startswith("x ")]
    for captures, count in Counter(map(_captured_at_last, won)).items():
        yield {"captures": captures, "games": count, "of": len(won)}


def _captured_at_last(one: Made) -> int:
    """How many of the loser's last moves, one before the other, were captures."""
    replies = [move for move, before in zip(one.moves, one.positions, strict=False) if before.side != one.winner]
    captures = 0
    while replies and replies.pop().startswith("x "):
        captures += 1
    return captures


def first_moves(games: list[Made]) -> Iterator[Row]:
    begun = [one for one in games if one.plies]
    for name in {one.board for one in begun}:
        here = [one for one in begun if one.board == name]
        yield {
            "board": name,
            "games": len(here),
            "played": len({_least_image(name, one.moves[0]) for one in here}),
            "possible": _distinct_first_moves(name),
        }


def first_rings(games: list[Made]) -> Iterator[Row]:
    begun = [one for one in games if one.plies]
    for name, ring in {(one.board, _first_ring(one)) for one in begun}:
        here = [one for one in begun if (one.board, _first_ring(one)) == (name, ring)]
        yield {
            "board": name,
            "ring": ring,
            "place": "corner" if len(_beside(name, ring)) <= 3 else "edge",
            "games": len(here),
            "first": sum(one.winner == 1 for one in here),
            "decided": sum(one.winner in (1, 2) for one in here),
        }


def _first_ring(one: Made) -> str:
    removed = one.moves[0].split(",")[1].split()[0]
    rings = standard_board(one.board).rings
    return min((turned[removed] for turned in turns(one.board)), key=rings.index)


def _least_image(name: str, move: str) -> tuple[str, str, str]:
    ring, removed = move[1:].split()[0].split(",")
    return min((move[0], turned[ring], turned[removed]) for turned in turns(name))


@cache
def _distinct_first_moves(name: str) -> int:
    return len({_least_image(name, str(move)) for move in Position.start(name).legal_moves()})


@cache
def turns(name: str) -> list[dict[str, str]]:
    """Every way to turn and mirror a board onto itself, ring by ring: places are taken from the middle of the board."""
    places = _places(name)
    by_place = {place: ring for ring, place in places.items()}
    found = []
    for times, is_mirrored in product(range(6), (False, True)):
        turned = {}
        for ring, (q, r) in places.items():
            if is_mirrored:
                q, r = r, q
            for _ in range(times):
                q, r = -r, q + r
            turned[ring] = by_place.get((q, r), "")
        if "" not in turned.values():
            found.append(turned)
    return found


def _places(name: str) -> dict[str, tuple[int, int]]:
    board = standard_board(name)
    count, middle = len(board.axial), [sum(numbers) for numbers in zip(*board.axial, strict=True)]
    return {
        ring: (count * q - middle[0], count * r - middle[1])
        for ring, (q, r) in zip(board.rings, board.axial, strict=True)
    }


def _beside(name: str, ring: str) -> list[str]:
    places, step = _places(name), len(_places(name))
    (q, r) = places[ring]
    steps = [(step, 0), (-step, 0), (0, step), (0, -step), (step, -step), (-step, step)]
    return [other for other, place in places.items() if (place[0] - q, place[1] - r) in steps]


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


def forced_wins(games: list[Made]) -> Iterator[Row]:
    yield add_up([tally(one) for one in games])


def tally(one: Made, counts: Callable[[int], bool] = lambda _: True) -> Counter[str]:
    """Return the counts of the statistic of forced wins in a game, over the plies that count."""
    judged = {row["ply"]: row for row in judge(0, one.positions)}
    found: Counter[str] = Counter()
    for ply, before in enumerate(one.positions[:-1]):
        if not counts(ply):
            continue
        row = judged.get(ply, {})
        chance = (row.get("forced") or 0) >= 3
        found["plies"] += 1
        found["chances"] += chance
        found["kept"] += bool(chance and row["kept"])
        found["missed"] += bool(row.get("missed"))
        found["only"] += bool(chance and row["only_move"])
        found["only_found"] += bool(chance and row["only_move"] and row["kept"])
        found["free"] += not before.capture_is_due and len(before.legal_moves()) > 1
        found["blunders"] += bool(row.get("blunder"))
    found["games"] = int(found["plies"] > 0)
    return found


def add_up(found: list[Counter[str]]) -> Row:
    """Return the row of the statistic of forced wins for the counts of games."""
    total = sum(found, Counter())
    free, blunders = total["free"], total["blunders"]
    return {
        "games": total["games"],
        "chances": total["chances"],
        "kept": total["kept"],
        "missed": total["missed"],
        "of": total["kept"] + total["missed"],
        "only": total["only"],
        "only_found": total["only_found"],
        "free": free,
        "blunders": blunders,
        "per_100": 100 * blunders / free if free >= 10 else None,
        "accuracies": 0,
        "accuracy": None,
    }
