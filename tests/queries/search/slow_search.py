"""The searches a second time, to hold the product against: places on the plane and dictionaries, no thought of speed.

Nothing here is shared with the product but the notation of moves and position strings: no key, no set of rings as a number, no table of
symmetries. Places are (column, height in half steps); games are replayed by doing what their moves say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import duckdb

from tests.rules.slow_model import LENGTHS, read

Place = tuple[int, int]
Isometry = Callable[[Place], Place]
RING = re.compile(r"([a-q])(\d+)")


@dataclass(frozen=True)
class Seen:
    """A position of a stored game: `names` has the places of the whole board, `held` those where there is a ring."""

    game: str
    ply: int
    board: str
    names: dict[str, Place]
    held: dict[Place, str]
    pool: dict[str, int]
    captures: tuple[dict[str, int], dict[str, int]]
    side: int
    year: int | None
    score: int | None = None
    move: str | None = None

    @property
    def id(self) -> tuple[str, int]:
        return self.game, self.ply

    @property
    def everywhere(self) -> set[Place]:
        return set(self.names.values())

    def state(self, place: Place) -> str:
        return self.held.get(place, ".")

    def same_board(self, other: Seen) -> bool:
        return (self.board, self.names) == (other.board, other.names)

    def follow(self, move: str) -> Seen:
        """The position after a legal move."""
        after = replace(
            self,
            ply=self.ply + 1,
            held=dict(self.held),
            pool=dict(self.pool),
            captures=(dict(self.captures[0]), dict(self.captures[1])),
            side=3 - self.side,
        )
        mine = after.captures[self.side - 1]
        played, _, claims = move.partition(" x ") if not move.startswith("x ") else (move, "", "")
        rings = [self.names["".join(ring)] for ring in RING.findall(played)]
        if played.startswith("x "):
            after.jump(rings, mine)
        elif rings:
            rack = after.pool if any(after.pool.values()) else mine
            rack[played[0]] -= 1
            after.held[rings[0]] = played[0]
            for gone in rings[1:]:
                del after.held[gone]
        for ring in RING.findall(claims):
            mine[after.held.pop(self.names["".join(ring)])] += 1
        return after

    def jump(self, rings: list[Place], mine: dict[str, int]) -> None:
        for (x0, y0), (x1, y1) in pairwise(rings):
            over = ((x0 + x1) // 2, (y0 + y1) // 2)
            self.held[x1, y1] = self.held[x0, y0]
            mine[self.held[over]] += 1
            self.held[x0, y0] = self.held[over] = "o"


def seen(connection: duckdb.DuckDBPyConnection) -> Iterator[Seen]:
    """Every position of every game."""
    games = "SELECT id, board, rule_set, start, year(date_from), year(date_to), winner FROM games ORDER BY id"
    moves: dict[str, list[str]] = {}
    for game, notation in connection.execute("SELECT game, notation FROM plies ORDER BY game, ply").fetchall():
        moves.setdefault(game, []).append(notation)
    for game, board, rules, start, year, until, winner in connection.execute(games).fetchall():
        model = read(start or empty(board, rules))
        held = {model.places[ring]: sign for ring, sign in model.held.items()}
        names = dict(model.places) if board != "custom" else {ring: model.places[ring] for ring in model.held}
        position = Seen(
            game, 0, board, names, held, model.pool, model.captures, model.side, year if year == until else None
        )
        for move in [*moves.get(game, []), None]:
            score = None if winner is None else (1 if winner == position.side else -1) if winner else 0
            yield replace(position, move=move, score=score)
            if move:
                position = position.follow(move)


def empty(board: str, rules: str) -> str:
    supply = {"standard": "6/8/10", "blitz": "5/7/9"}[rules]
    return f"{board} {rules} {'/'.join('o' * length for length in LENGTHS[board])} {supply} 0/0/0 0/0/0 1"


def turn(x: int, y: int) -> Place:
    """A sixth of a turn, of a step."""
    return (x - y) // 2, (3 * x + y) // 2


def isometries(origin: Place, image: Place) -> Iterator[Isometry]:
    """The twelve turns and mirrorings that bring `origin` to `image`."""
    for mirrored in (False, True):
        for sixths in range(6):

            def laid(place: Place, mirrored: bool = mirrored, sixths: int = sixths) -> Place:
                x, y = place[0] - origin[0], place[1] - origin[1]
                x = -x if mirrored else x
                for _ in range(sixths):
                    x, y = turn(x, y)
                return image[0] + x, image[1] + y

            yield laid


def layings(some: Seen, onto: Seen, mode: str) -> list[Isometry]:
    """The ways to lay a position onto another one so that they are the same."""
    if mode != "shape" and not some.same_board(onto):
        return []
    if mode == "exact":
        return [lambda place: place] if some.held == onto.held else []
    if sorted(some.held.values()) != sorted(onto.held.values()):
        return []
    if not some.held:
        return [lambda place: place]
    found = []
    origin = min(some.held)
    for image in onto.held:
        for laid in isometries(origin, image):
            if {laid(place): sign for place, sign in some.held.items()} != onto.held:
                continue
            if mode == "shape" or {laid(place) for place in some.everywhere} == onto.everywhere:
                found.append(laid)
    return found


Cells = dict[Place, set[str]]


def pattern_matches(cells: Cells, position: Seen) -> bool:
    """Whether cells, somewhere and somehow turned, hold what they may; at least one that matters lies on the board."""
    return any(
        all(position.state(laid(place)) in states for place, states in cells.items())
        for origin in cells
        for image in position.everywhere
        for laid in isometries(origin, image)
    )


def rings_match(rings: dict[str, set[str]], position: Seen, turned: bool) -> bool:
    """Whether these rings of the board, or their images under a symmetry of it, hold what they may."""
    if not rings.keys() <= position.names.keys():
        return False
    return any(
        all(position.state(laid(position.names[ring])) in states for ring, states in rings.items())
        for laid in (board_symmetries(position) if turned else [lambda place: place])
    )


def board_symmetries(position: Seen) -> list[Isometry]:
    return symmetries(frozenset(position.everywhere))


@cache
def symmetries(places: frozenset[Place]) -> list[Isometry]:
    """The isometries that bring these places onto themselves."""
    return [
        laid
        for image in places
        for laid in isometries(min(places), image)
        if all(laid(place) in places for place in places)
    ]


def reachable(start: Seen, position: Seen) -> bool:
    """Whether nothing in a position says that it can't have come from the other one."""
    if not start.same_board(position) or any(position.pool[colour] > start.pool[colour] for colour in "WGB"):
        return False
    if any(position.pool.values()) and any(
        after[colour] < before[colour]
        for before, after in zip(start.captures, position.captures, strict=True)
        for colour in "WGB"
    ):
        return False
    return any(all(laid(place) in start.held for place in position.held) for laid in board_symmetries(position))


def written(move: str, laid: Isometry, on: dict[str, Place], onto: dict[str, Place]) -> str:
    """A move with its rings as they are called where they come to lie; claims left out."""
    names = {place: ring for ring, place in onto.items()}
    played = move if move.startswith("x ") else move.partition(" x ")[0]
    played = "x " + played[2:].partition(" x ")[0] if played.startswith("x ") else played
    return RING.sub(lambda ring: names.get(laid(on[ring[0]]), "?"), played)
