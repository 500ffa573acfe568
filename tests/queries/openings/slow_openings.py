"""The opening tree a second time, slowly: every position of every game, turned by hand and compared as sets. No keys, no SQL."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from tests.queries.sample import record
from tests.rules.slow_model import read
from zertz_db.rules.position import Position

RING = re.compile(r"[a-q]\d+")
TINY = "custom standard a-1:oo/b-2:ooo/c-1:oo 2/2/2 0/0/0 0/0/0 1"
"""Seven rings: games soon come to the same positions and fill the board."""
AGAIN = "custom standard c2:oB/d3:W/e2:BG/f3:ooo/g4:WW 0/0/0 2/2/1 2/1/2 1"
ROUND = ["x e2Wc1", "Ge2,f1", "Gf3", "Bf2", "x f2Gd1", "x c1Be2", "Gc1"]
"""Moves from there in which a position comes again."""
SMALL = "custom blitz a-2:ooo/b-3:oooo/c-2:ooo 5/7/9 0/0/0 0/0/0 1"
LOPSIDED = "custom standard a-2:ooo/b-3:oooo/c-4:oo.o 3/1/2 0/1/0 1/0/0 2"
STARTS = (
    TINY,
    AGAIN,
    SMALL,
    LOPSIDED,
    Position.start("37").text,
    Position.start("37", "blitz").text,
    Position.start("40").text,
    Position.start("48").text,
)


@dataclass
class Played:
    """A made-up game: its moves, the positions between, and what its record says."""

    start: str
    moves: list[str]
    positions: list[Position]
    date: str
    result: str
    resigned: bool
    player: str
    ratings: tuple[int | None, int | None] = (None, None)
    """Of both players before the game, as the database has them."""

    @property
    def known(self) -> int | None:
        """1 or 2 for the winner, 0 for none, None where it is not known."""
        last = self.positions[-1]
        if last.is_over:
            return None if self.contradicts else last.winner
        return {"1-0": 1, "0-1": 2, "1/2-1/2": 0, "*": None}[self.result]

    @property
    def contradicts(self) -> bool:
        by_rules = {1: "1-0", 2: "0-1", 0: "1/2-1/2"}[self.positions[-1].winner or 0]
        return self.result not in ("*", by_rules)

    @property
    def ways(self) -> list[str]:
        last = self.positions[-1]
        if last.is_over:
            return list(last.winning_sets) or [str(last.ending)]
        return ["resign"] if self.resigned else ["agreed"] if self.result == "1/2-1/2" else []

    def text(self, number: int) -> str:
        tags = {"Result": self.result}
        if self.start.startswith("custom") or self.positions[0] != Position.start(*self.start.split()[:2]):
            tags |= {"SetUp": "1", "Position": self.start}
        else:
            tags |= {"Board": self.start.split()[0], "RuleSet": self.start.split()[1]}
        end = f"Player{1 if self.result == '0-1' else 2} resigns " if self.resigned else ""
        return record(
            f"game {number}", self.player, f"Opponent {number % 7}", self.date, f"{' '.join(self.moves)} {end}{self.result}", **tags
        )  # fmt: skip


def made_up(seed: int, games: int) -> list[Played]:
    """Games that have much in common: few moves are chosen among, and whole games are turned, mirrored or cut short."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    found: list[Played] = []
    for number in range(games):
        start = STARTS[number % len(STARTS)]
        alike = [game for game in found if game.start == start]
        moves = list(ROUND) if start == AGAIN else []
        if alike and dice.random() < 0.7:
            moves = dice.choice(alike).moves
            moves = moves[: dice.randrange(1, len(moves) + 1)]
        turn = dice.choice(turns_of(start))
        moves = [turned(move, turn) for move in moves]
        found.append(_finished(dice, start, moves, dice.choice((2, 4, 8, 60))))
    return found


def _finished(dice: random.Random, start: str, moves: list[str], more: int) -> Played:
    positions = [Position.parse(start)]
    for move in moves:
        positions.append(positions[-1].play(move))
    for _ in range(more):
        legal = positions[-1].legal_moves()
        if not legal:
            break
        move = dice.choice(legal[:: len(legal) // 3 + 1])
        moves.append(positions[-1].notation(move))
        positions.append(positions[-1].play(move))
    resigned, result = False, "*"
    if positions[-1].is_over:
        result = {1: "1-0", 2: "0-1"}.get(positions[-1].winner or 0, "1/2-1/2")
        if dice.random() < 0.1:
            result = "0-1" if result == "1-0" else "1-0"
    elif dice.random() < 0.8:
        result = dice.choice(("1-0", "0-1", "1/2-1/2"))
        resigned = result != "1/2-1/2"
    date = (
        f"20{dice.randrange(10, 14)}.0{dice.randrange(1, 10)}.1{dice.randrange(10)}"
        if dice.random() < 0.9
        else "????.??.??"
    )
    return Played(start, moves, positions, date, result, resigned, dice.choice(("Ada", "Ben")))


Turn = dict[str, str]


@cache
def turns(start: str) -> list[Turn]:
    """Every way to lay the whole board onto itself, each as where the rings go."""
    places = {name: (x, (y - x) // 2) for name, (x, y) in read(start).places.items() if _is_ring(start, name)}
    names = {place: name for name, place in places.items()}
    first = next(iter(places.values()))
    found = []
    for mirrored in (False, True):
        for sixths in range(6):
            for to_q, to_r in names:
                q0, r0 = _rotated(*first, sixths, mirrored)
                image = {
                    name: names.get((q - q0 + to_q, r - r0 + to_r))
                    for name, (q, r) in ((name, _rotated(*place, sixths, mirrored)) for name, place in places.items())
                }
                if None not in image.values():
                    found.append(image)
    return found


def turns_of(start: str) -> list[Turn]:
    """Those that leave a start as it is."""
    position = Position.parse(start)
    return matching(position, position, start, board_only=False)


def _is_ring(start: str, name: str) -> bool:
    """Standard boards are whole at the start; of custom ones the gaps are no rings."""
    return start.split()[0] != "custom" or name in read(start).held


def _rotated(q: int, r: int, sixths: int, mirrored: bool) -> tuple[int, int]:
    if mirrored:
        q, r = r, q
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r


def turned(move: str, turn: Turn) -> str:
    """A move as it looks after a turn; what it claims in a settled order."""
    head, sign, claimed = move.removeprefix("x ").partition(" x ")
    marbles = sorted(RING.sub(lambda ring: turn[ring[0]], marble) for marble in re.findall(r"[WGB][a-q]\d+", claimed))
    return f"{'x ' * move.startswith('x ')}{RING.sub(lambda ring: turn[ring[0]], head)}{sign}{''.join(marbles)}"


def unclaimed(move: str | None) -> str | None:
    """A move without what it claims, which follows from it."""
    return move and move.removesuffix(move.removeprefix("x ").partition(" x ")[2]).removesuffix(" x ")


def holdings(position: Position) -> dict[str, str]:
    """What lies where."""
    return {ring: str(position.on(ring)) for ring in position.rings}


def matching(game: Position, asked: Position, start: str, board_only: bool) -> list[Turn]:
    """The turns that make a game's position the one asked for."""
    if game.board.name != asked.board.name or (game.rings and game.board.description != asked.board.description):
        return []
    if not board_only and (
        (game.side, game.pool, game.captured, game.rules.name) != (asked.side, asked.pool, asked.captured, asked.rules.name)
    ):  # fmt: skip
        return []
    there, wanted = holdings(game), holdings(asked)
    return [turn for turn in turns(start) if {turn[ring]: held for ring, held in there.items()} == wanted]


@dataclass
class Counts:
    """What is counted of one continuation."""

    games: int = 0
    by_line: int = 0
    results: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    plies: float = 0
    last_date: str | None = None
    ratings: list[int] = field(default_factory=list)
    """Of the side to move."""
    points: list[tuple[int, float]] = field(default_factory=list)
    """The opponent's rating, and the points of the side to move, of games with both."""

    @property
    def rated(self) -> tuple[int, int | None, int | None]:
        """Number of rated games, mean rating, performance: the rating whose expected share is the actual one, with a tie added."""
        mean = round(sum(self.ratings) / len(self.ratings)) if self.ratings else None
        if len(self.points) < 10:
            return len(self.ratings), mean, None
        opponents = sum(rating for rating, _ in self.points) / len(self.points)
        share = (sum(points for _, points in self.points) + 0.5) / (len(self.points) + 1)
        return len(self.ratings), mean, round(opponents - 400 * math.log10(1 / share - 1))


def slow_openings(
    games: list[Played], start: Position, line: list[str], passes: Callable[[Played], bool], board_only: bool
) -> dict[frozenset[str] | None, Counts]:
    """For each continuation (the set of all that it looks like, turned to the asker's side; None: the end) what is counted."""
    asked = [start]
    for move in line:
        asked.append(asked[-1].play(move))
    found: dict[frozenset[str] | None, Counts] = defaultdict(Counts)
    for game in filter(passes, games):
        for ply, position in enumerate(game.positions):
            fitting = matching(position, asked[-1], game.start, board_only)
            if fitting:
                next_move = unclaimed(game.moves[ply]) if ply < len(game.moves) else None
                move = next_move and frozenset(turned(next_move, turn) for turn in fitting)
                _count(found[move], game, position.side, _by_line(game, ply, asked, line, board_only))
                break
    return dict(found)


def _by_line(game: Played, ply: int, asked: list[Position], line: list[str], board_only: bool) -> bool:
    """Whether each of the moves before was that of the line, seen from some side."""
    first = ply - len(line)
    return first >= 0 and all(
        any(
            turned(game.moves[first + step], turn) == turned(move, {ring: ring for ring in turn})
            for turn in matching(game.positions[first + step], asked[step], game.start, board_only)
        )
        for step, move in enumerate(line)
    )


def _count(counts: Counts, game: Played, side: int, by_line: bool) -> None:
    counts.games += 1
    counts.by_line += by_line
    winner = game.known
    counts.results[
        "unknown" if winner is None else "ties" if not winner else "wins" if winner == side else "losses"
    ] += 1
    counts.ways.update(game.ways)
    counts.plies += len(game.moves)
    mover, opponent = game.ratings[side - 1], game.ratings[2 - side]
    if mover is not None:
        counts.ratings.append(mover)
    if opponent is not None and winner is not None:
        counts.points.append((opponent, 0.5 if not winner else float(winner == side)))
    if "?" not in game.date:
        counts.last_date = max(game.date, counts.last_date or "")
