"""Stated coordinates always count, whatever the position, the board, or a dialect's own names of rings."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import pytest

from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.parser import read
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.text.ring_names import COORDINATES, official_names_of, rename_rings
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.parser.zen import zip_position
from zertz_db.play.generate import generate_games
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position

CUSTOM = "custom standard b-3:oooo/c-4:oo.oo/d-3:oooooo/e-4:ooooo/f-5:oooo 6/8/10 0/0/0 0/0/0 1"
STARTS = {board: Position.start(board) for board in STANDARD_BOARDS} | {"custom": Position.parse(CUSTOM)}
ITALIAN = str.maketrans("WGB", "BGN")


@dataclass(frozen=True)
class Game:
    """A few legal moves from a start."""

    start: Position
    moves: tuple[Move, ...]


def game_on(board: str) -> Game:
    """Return two placements and further moves with one capture: they include every ring name that can be confused."""
    for seed in range(1000):
        random = Random(f"{board} {seed}")  # noqa: S311 - a draw that can be repeated
        position, moves = STARTS[board], []
        for _ in range(3):
            moves.append(random.choice(position.legal_moves()))
            position = position.play(moves[-1])
        if moves[2].jumps and all(move.removed for move in moves[:2]):
            return Game(STARTS[board], tuple(moves))
    raise AssertionError(board)


GAMES = {board: game_on(board) for board in STARTS}


def names_in(start: Position, coordinates: str) -> dict[str, str]:
    """Return the names of a board's rings in other coordinates, by their official names."""
    return {ring: name for name, ring in official_names_of(start.board.ring_places, coordinates).items()}


def named(move: Move, names: dict[str, str]) -> tuple[str, str | None, list[tuple[str, str]]]:
    return (
        names[move.ring],
        move.removed and names[move.removed],
        [(jump.colour, names[jump.ring]) for jump in move.jumps],
    )


def official(move: Move, names: dict[str, str]) -> str:
    ring, removed, jumps = named(move, names)
    if jumps:
        return f"x {ring}" + "".join(colour + landing for colour, landing in jumps)
    return f"{move.colour}{ring},{removed}"


def as_gipf(tags: dict[str, str], game: Game, names: dict[str, str]) -> str:
    return _tagged(tags) + " ".join(official(move, names) for move in game.moves) + " *"


def as_json_lines(tags: dict[str, str], game: Game, names: dict[str, str]) -> str:
    return json.dumps({"tags": tags, "moves": [official(move, names) for move in game.moves]})


def as_newsletter(tags: dict[str, str], game: Game, names: dict[str, str]) -> str:
    return _tagged(tags) + ", ".join(official(move, names).replace(",", ", ").translate(ITALIAN) for move in game.moves)


def as_terse(tags: dict[str, str], game: Game, names: dict[str, str]) -> str:
    plies = []
    for move in game.moves:
        ring, removed, jumps = named(move, names)
        plies.append(
            "-".join([ring, *(landing for _, landing in jumps)]) if jumps else f"{move.colour.lower()}{ring},{removed}"
        )
    return _tagged(tags) + " ".join(plies)


def as_zen(tags: dict[str, str], game: Game, names: dict[str, str]) -> str:
    plies = []
    position = game.start
    for move in game.moves:
        ring, removed, jumps = named(move, names)
        text = f"{position.on(move.ring)}{ring}" + "".join(f"x{landing}" for _, landing in jumps)
        plies.append(text if jumps else f"{move.colour}{ring}-{removed}")
        position = position.play(move)
    return _tagged(tags) + " ".join(plies) + " *"


def _tagged(tags: dict[str, str]) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n"


Writer = Callable[[dict[str, str], Game, dict[str, str]], str]
WRITERS: dict[str, Writer] = {
    "gipf": as_gipf, "jsonl": as_json_lines, "newsletter": as_newsletter, "terse": as_terse, "zen": as_zen,
}  # fmt: skip
"""Dialects with tags: no other can state coordinates."""


def _board(start: Position) -> dict[str, str]:
    return {"Board": start.board.name}


def _position(start: Position) -> dict[str, str]:
    return {"SetUp": "1", "Position": start.text}


ADDITIONS: dict[str, Callable[[Position], dict[str, str]]] = {
    "a board": _board,
    "a position": _position,
    "both": lambda start: _board(start) | _position(start),
    "a position and another board": lambda start: (
        {"Board": "37" if start.board.name != "37" else "61"} | _position(start)
    ),
    "a position and a board that is not understood": lambda start: {"Board": "odd"} | _position(start),
    "a position that is not announced": lambda start: {"Position": start.text},
    "a position and the source's variant": lambda start: {"SU": "Zertz+24"} | _position(start),
}
"""Other statements that can accompany the coordinates."""


def checked(text: str, dialect: str) -> CheckedRecord:
    (record,) = read(text, dialect, language="it" if dialect == "newsletter" else None)
    return check(record, full=False)


def moves_of(game: Game) -> list[str]:
    """Return the game's moves in official notation with their claims."""
    position, written = game.start, []
    for move in game.moves:
        written.append(position.notation(move))
        position = position.play(move)
    return written


@pytest.mark.parametrize("dialect", WRITERS)
@pytest.mark.parametrize("addition", ADDITIONS)
def test_stated_coordinates_count_whatever_else_is_stated(addition: str, dialect: str) -> None:
    for coordinates, (board, game) in product(COORDINATES, GAMES.items()):
        if addition == "a board" and board == "custom":
            continue  # no record states its rings
        tags = {"Coordinates": coordinates, "RuleSet": "standard", **ADDITIONS[addition](game.start)}
        found = checked(WRITERS[dialect](tags, game, names_in(game.start, coordinates)), dialect)
        assert (found.board, found.moves) == (board, moves_of(game)), (coordinates, board, found.findings)


@pytest.mark.parametrize("board", [board for board in STARTS if board != "custom"])
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_a_zip_position_does_not_overrule_them(coordinates: str, board: str) -> None:
    game = GAMES[board]
    layout, _ = zip_position.write(board, None)
    found = checked(as_zen({"ZIP": layout, "Coordinates": coordinates}, game, names_in(game.start, coordinates)), "zen")
    assert (found.board, found.moves) == (board, moves_of(game))


@pytest.mark.parametrize("addition", ADDITIONS)
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_other_coordinates_are_not_tried_where_some_are_stated(coordinates: str, addition: str) -> None:
    """A game in other coordinates than it states is read as stated: another game, or an illegal one."""
    game = Game(STARTS["48"], (Move("g3", "W", "a1"),))
    meant = official_names_of(game.start.board.ring_places, coordinates)
    for others in {*COORDINATES} - {coordinates}:
        names = names_in(game.start, others)
        found = checked(as_gipf({"Coordinates": coordinates, **ADDITIONS[addition](game.start)}, game, names), "gipf")
        official = [meant.get(names[ring]) for ring in ("g3", "a1")]
        assert official != ["g3", "a1"]
        assert found.verdict == Verdict.ILLEGAL or [*map(str, official)] == found.moves[0].removeprefix("W").split(",")


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("board", ["37", "48", "61"])
def test_they_count_where_the_board_is_open(board: str, coordinates: str) -> None:
    (record,) = generate_games(1, board, seed=5)
    text = write(check(record).completed())
    names = names_in(STARTS[board], coordinates)
    (again,) = read(text.replace(f'[Board "{board}"]', f'[Coordinates "{coordinates}"]'), "gipf")
    found = check(replace(again, plies=tuple(rename_rings(ply, names.__getitem__) for ply in again.plies)))
    assert (found.verdict, found.board, found.moves) == (Verdict.VERIFIED, board, check(record).moves)


def test_marks_variations_and_the_half_turn_get_the_official_names_as_well() -> None:
    text = (
        f'[Coordinates "diagonals"]\n[SetUp "1"]\n[Position "{Position.start("37")}"]\n'
        "1. Wg5,a1 {[%cal Gg4g5]} (1. We5,a1) Bd4,a2 {half turn: Wf4} *"
    )
    (record,) = read(text, "gipf")
    found = check(record).record
    first = found.plies[0]
    assert (first.ring, first.comment, first.variations) == ("g2", "[%cal Gg1g2]", ("1. We4,a1",))
    assert found.half_turn is not None
    assert found.half_turn.text == "Wf2"
