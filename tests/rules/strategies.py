"""Generate random positions and games for property tests: any board, mostly small odd ones, and late positions more than early ones."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from zertz_db.rules.board import COLUMNS, LARGEST_COLUMN, STANDARD_BOARDS
from zertz_db.rules.errors import PositionError
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position

RULES = [
    "standard",
    "blitz",
    "standard+tournament",
    "standard+written",
    "standard+tournament+written",
    "blitz+written",
    "blitz+noties",
    "standard+written+repetition2",
]
STEPS = [(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)]
MOST = {"standard": (3, 4, 5), "blitz": (2, 3, 4)}


class Game:
    """The moves played, and the positions before, between and after them."""

    def __init__(self, start: Position) -> None:
        self.positions = [start]
        self.moves: list[Move] = []

    def play(self, move: Move) -> None:
        self.positions.append(self.positions[-1].play(move))
        self.moves.append(move)

    def __repr__(self) -> str:
        return " & ".join([str(self.positions[0]), *map(Position.notation, self.positions, self.moves)])


def blob(chance: Random, rings: int) -> set[tuple[int, int]]:
    """Return the places of a number of rings, grown at random from one or, now and then, from several separate ones."""
    places: set[tuple[int, int]] = set()
    while len(places) < rings:
        if not places or chance.random() < 0.1:
            x = chance.randrange(7)
            places.add((x, x % 2 + 2 * chance.randrange(7)))
        else:
            x, y = chance.choice(sorted(places))
            dx, dy = chance.choice(STEPS)
            if 0 <= x + dx < 7 and 0 <= y + dy < 14:
                places.add((x + dx, y + dy))
    return places


def islands(chance: Random, rings: int) -> set[tuple[int, int]]:
    """Return the places of a number of rings anywhere on the lattice of custom boards, grown from one or several, with gaps and holes."""
    apart = chance.choice([0.0, 0.05, 0.3])
    places: set[tuple[int, int]] = set()
    edge: list[tuple[int, int]] = []
    while len(places) < rings:
        if edge and chance.random() >= apart:
            at = chance.randrange(len(edge))
            (x, y), edge[at] = edge[at], edge[-1]
            edge.pop()
        else:
            x = chance.randrange(len(COLUMNS))
            y = x % 2 + 2 * chance.randrange(LARGEST_COLUMN)
        if 0 <= x < len(COLUMNS) and x % 2 <= y < x % 2 + 2 * LARGEST_COLUMN and (x, y) not in places:
            places.add((x, y))
            edge += [(x + dx, y + dy) for dx, dy in STEPS]
    return places


def layout(held: dict[tuple[int, int], str]) -> str:
    """Return the layout of a custom board with these holdings by place."""
    columns = []
    for x in sorted({x for x, _ in held}):
        heights = [y for column, y in held if column == x]
        bottom = min(heights)
        signs = "".join(held.get((x, y), ".") for y in range(bottom, max(heights) + 1, 2))
        columns.append(f"{COLUMNS[x]}{bottom}:{signs}")
    return "/".join(columns)


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Return a position on a small custom board, with some marbles on it and few left."""
    chance = Random(draw(st.integers(0, 2**32)))  # noqa: S311
    rules = draw(st.sampled_from(RULES))
    vacancy = draw(st.sampled_from([0.95, 0.6, 0.3, 0.1]))
    places = blob(chance, draw(st.integers(1, 40)))
    held = {place: "o" if chance.random() < vacancy else chance.choice("WGB") for place in sorted(places)}
    most_left = draw(st.sampled_from([1, 3, 8, 0]))
    pool = "/".join(str(chance.randint(0, most_left)) for _ in range(3))
    rich = draw(st.booleans())
    most = [count if rich else 0 for count in MOST[rules.split("+")[0]]]
    captures = ["/".join(str(chance.randint(0, count)) for count in most) for _ in range(2)]
    try:
        return Position.parse(
            f"custom {rules} {layout(held)} {pool} {captures[0]} {captures[1]} {chance.randint(1, 2)}"
        )
    except PositionError:  # a set by accident
        return Position.parse(f"custom {rules} {layout(held)} {pool} 0/0/0 0/0/0 1")


@st.composite
def starts(draw: st.DrawFn) -> Position:
    """Return the start on a standard board."""
    return Position.start(draw(st.sampled_from(STANDARD_BOARDS)), draw(st.sampled_from(RULES)))


def random_move(chance: Random, position: Position) -> Move:
    """Return a legal move; under written claims it mostly claims what it can."""
    move = chance.choice(position.legal_moves())
    if position.rules.written_claims and move.colour and chance.random() < 0.7:
        new = set(position.play(move).full_groups) - set(position.full_groups)
        if new:
            return Move(move.ring, move.colour, move.removed, claim=frozenset(new))
    return move


@st.composite
def games(draw: st.DrawFn, start: st.SearchStrategy[Position] | None = None) -> Game:
    """Return a random game, to its end or for a while."""
    game = Game(draw(start if start is not None else st.one_of(small_positions(), starts())))
    chance = Random(draw(st.integers(0, 2**32)))  # noqa: S311
    for _ in range(draw(st.sampled_from([100, 30, 4]))):
        if not game.positions[-1].is_over:
            game.play(random_move(chance, game.positions[-1]))
    return game
