"""Make up questions by seeded random play: equal on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from zertz_db.check.check_record import check
from zertz_db.conformance.questions import QuestionKind
from zertz_db.parser.dialects import Unwritable, write
from zertz_db.parser.record import Record
from zertz_db.parser.vocabulary.board_names import COLUMNS
from zertz_db.play.generate import generate_games
from zertz_db.play.seeded_random import Dice
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.errors import PositionError
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS

RULE_SETS = ("standard", "blitz", "standard+tournament", "standard+written", "blitz+written", "standard+noties")
_FIRST_SEED = 1
_PLIES_APART = 9
"""Number of plies between two positions that are taken from a game."""
_LONGEST_LINE = 6
_SMALL_BOARDS = 60
_FEW_MOVES = 40
_MOST_PLIES = 60
_ID_PLIES = 6
_NEIGHBOURS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
_NAMES = (("Ada", "Ben"), ("ADA", "ben"), ("Žeton", "Ülo  Ö"), (None, None))


class Case(NamedTuple):
    """A question without its answer. group: the beginning of its id, after the kind."""

    kind: QuestionKind
    group: str
    inputs: dict[str, Any]


def list_seeded_cases() -> Iterator[Case]:
    """Yield the questions about random games on every board with every rule set, and about random small boards."""
    for board in STANDARD_BOARDS:
        yield from _cases_of_start(board)
        for seed, rules in enumerate(RULE_SETS, _FIRST_SEED):
            yield from _cases_of_game(board, rules, seed)
    for number in range(_SMALL_BOARDS):
        yield from _cases_of_small_board(number)


def _cases_of_start(board: str) -> Iterator[Case]:
    for rules in RULE_SETS[:2]:
        start = str(Position.start(board, rules))
        yield Case(QuestionKind.MOVES, f"{board}-{rules}", {"position": start})
        yield Case(QuestionKind.PERFT, f"{board}-{rules}", {"position": start, "depth": 1})
    yield Case(QuestionKind.PERFT, f"{board}-deep", {"position": str(Position.start(board)), "depth": 2})


def _cases_of_game(board: str, rules: str, seed: int) -> Iterator[Case]:
    [record] = generate_games(1, board, rules, seed)
    checked = check(record)
    assert checked.attempt  # noqa: S101 - a made-up game has a start
    group, moves = f"{board}-{rules}", checked.moves
    positions = [checked.attempt.position(ply) for ply in range(len(moves) + 1)]
    dice = Dice(f"conformance {group}")
    for ply in range(_PLIES_APART, len(moves), _PLIES_APART):
        position = str(positions[ply])
        line = moves[ply : ply + 1 + dice.below(_LONGEST_LINE)]
        yield Case(QuestionKind.POSITION, group, {"text": position})
        yield Case(QuestionKind.MOVES, group, {"position": position})
        yield Case(QuestionKind.PLAY, group, {"position": position, "moves": line})
        wrong = [*line, _change_move(moves[min(ply + len(line), len(moves) - 1)], dice)]
        yield Case(QuestionKind.PLAY, group, {"position": position, "moves": wrong})
    late = max(0, len(moves) - 3)
    yield Case(QuestionKind.ENDING, group, {"position": str(positions[late]), "moves": moves[late:]})
    yield Case(QuestionKind.PERFT, group, {"position": str(positions[late]), "depth": 2})
    yield from _cases_of_record(record, group, dice)


def _cases_of_record(record: Record, group: str, dice: Dice) -> Iterator[Case]:
    yield Case(QuestionKind.RECORD, group, {"record": _write(record)})
    yield Case(QuestionKind.COUNTS, group, {"record": _write(record)})
    at = dice.below(len(record.plies) - 1)
    swapped = (*record.plies[:at], record.plies[at + 1], record.plies[at], *record.plies[at + 2 :])
    yield Case(QuestionKind.RECORD, f"{group}-swapped", {"record": _write(replace(record, plies=swapped))})
    first, second = dice.pick(_NAMES)
    short = replace(
        record, player1=first, player2=second, plies=record.plies[:_ID_PLIES], result=None, ending=None, ending_by=None
    )
    yield Case(QuestionKind.GAME_ID, group, {"record": _write(short)})


def _write(record: Record) -> str:
    written = write(record, "gipf")
    if isinstance(written, Unwritable):
        raise ValueError(written.cause)
    return written.text


def _change_move(text: str, dice: Dice) -> str:
    """Return the text of a move with one character changed: mostly illegal, always readable as a move or as none."""
    at = dice.below(len(text))
    others = {"letter": "abcdefg", "colour": COLOURS, "digit": "123456789"}
    kind = "digit" if text[at].isdigit() else "colour" if text[at] in COLOURS else "letter"
    return text[:at] + dice.pick(others[kind]) + text[at + 1 :]


def _cases_of_small_board(number: int) -> Iterator[Case]:
    dice = Dice(f"conformance small {number}")
    rules = dice.pick(RULE_SETS)
    start, group = _make_small_board(dice, rules), f"custom-{rules}"
    moves, positions = _play_randomly(start, dice)
    yield Case(QuestionKind.POSITION, group, {"text": str(start)})
    yield Case(QuestionKind.MOVES, group, {"position": str(positions[len(moves) // 2])})
    depth = 3 if len(start.legal_moves()) <= _FEW_MOVES else 2
    yield Case(QuestionKind.PERFT, group, {"position": str(start), "depth": depth})
    yield Case(QuestionKind.PLAY, group, {"position": str(start), "moves": moves})
    yield Case(QuestionKind.ENDING, group, {"position": str(start), "moves": moves})


def _play_randomly(position: Position, dice: Dice) -> tuple[list[str], list[Position]]:
    """Return the moves of a random game, in canonical notation, and the positions before, between and after them."""
    moves: list[str] = []
    positions = [position]
    while not position.is_over and len(moves) < _MOST_PLIES:
        move = _claim(position, dice.pick(position.legal_moves()), dice)
        after = position.play(move)
        moves.append(position.written(move, after))
        positions.append(position := after)
    return moves, positions


def _claim(position: Position, move: Move, dice: Dice) -> Move:
    """Return a move, mostly with the claim of all groups that it makes full if claims are written."""
    if not position.rules.written_claims or not move.colour or dice.toss(0.3):
        return move
    new = {*position.play(move).full_groups} - {*position.full_groups}
    return replace(move, claim=frozenset(new))


def _make_small_board(dice: Dice, rules: str) -> Position:
    """Return a position on a small custom board of one or a few groups, with some marbles on it and few in the pool."""
    places = _grow(dice, 3 + dice.below(14))
    vacancy = dice.pick((0.9, 0.6, 0.3))
    held = {place: "o" if dice.toss(vacancy) else dice.pick(COLOURS) for place in sorted(places)}
    columns = []
    for x in sorted({x for x, _ in held}):
        heights = [y for column, y in held if column == x]
        signs = "".join(held.get((x, y), ".") for y in range(min(heights), max(heights) + 1, 2))
        columns.append(f"{COLUMNS[x]}{min(heights)}:{signs}")
    counts = ["/".join(str(dice.below(most)) for _ in COLOURS) for most in (4, 3, 3)]
    text = f"custom {rules} {'/'.join(columns)}"
    try:
        return Position.parse(f"{text} {' '.join(counts)} {1 + dice.below(2)}")
    except PositionError:  # a player holds a winning set
        return Position.parse(f"{text} {counts[0]} 0/0/0 0/0/0 1")


def _grow(dice: Dice, rings: int) -> set[tuple[int, int]]:
    """Return the places of a number of rings, grown at random in one group or a few."""
    places: set[tuple[int, int]] = set()
    while len(places) < rings:
        if not places or dice.toss(0.1):
            x = dice.below(6)
            places.add((x, x % 2 + 2 * dice.below(6)))
        else:
            (x, y), (dx, dy) = dice.pick(sorted(places)), dice.pick(_NEIGHBOURS)
            if 0 <= x + dx < 6 and 0 <= y + dy < 12:
                places.add((x + dx, y + dy))
    return places
