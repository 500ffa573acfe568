"""Whole games, made up by players from a seed."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field

from parser.record import CAPTURE, PASS, PLACEMENT, Marble, Ply, Record, Span
from zertz_db.play.dice import Dice
from zertz_db.play.moves import Code, Game, members
from zertz_db.play.players import PLAYERS, Player
from zertz_db.rules import kernel
from zertz_db.rules.board import Board
from zertz_db.rules.kernel import CLAIMED, ENDING, JUMP, MARBLES, PLACE, RACK_OWN, SIDE, WINNER
from zertz_db.rules.position import ENDINGS, Position, rules_vector
from zertz_db.rules.ruleset import COLOURS, RuleSet

_NOWHERE = Span(0, 0, 1, 1)
_FIRST_DAY = datetime.date(2020, 1, 1)
_DAYS = 2000
_BROKEN_OFF = {"resign": 0.07, "time": 0.03}
"""How often a game ends before the rules end it."""
_LONGEST = 200
"""After so many plies a player resigns: with no ring left to remove, two players can go on for ever."""
_SLOWEST_MOVE = 30_000
_COMMENTED = 0.1
_COMMENTS = (
    "a sacrifice",
    "forced",
    "the only way to keep the lead",
    "hübsch!",
    "?? {braces} and ; semicolons [tags]",
    "Žeton",
)


class NoSuchPlayer(ValueError):
    """A player that does not exist; the message names those that do."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a game is to end if the rules don't end it before: at which ply, and how."""

    ply: int
    ending: str


def generate(
    count: int,
    board: Board | str = "37",
    rule_set: RuleSet | str = "standard",
    seed: int = 1,
    first: str = "random",
    second: str = "random",
    *,
    start: Position | None = None,
    annotated: bool = False,
) -> Iterator[Record]:
    """`count` completed games between `first` and `second` (names in PLAYERS), as Records that can be written as they are.

    Some end by resignation or on time. `start` begins them elsewhere than on the empty `board`. Annotated ones have clocks (time
    used, milliseconds) and comments. Game n of a seed is the same whatever `count` is, and on every machine. Raises NoSuchPlayer,
    BoardError, RuleSetError.
    """
    players = (_player(first), _player(second))
    start = start or Position.start(board, rule_set)
    for number in range(1, count + 1):
        dice = Dice(f"{seed}/{number}")
        yield _record(_play(start, players, dice), (first, second), f"made up, seed {seed}", number, dice, annotated)


def _player(name: str) -> Player:
    if name not in PLAYERS:
        raise NoSuchPlayer(f"no player is called {name!r}; there are {' and '.join(PLAYERS)}")
    return PLAYERS[name]


@dataclass(slots=True)
class _Played:
    """A game when it is over: its plies, and how it ended."""

    start: Position
    plies: list[Ply] = field(default_factory=list)
    ending: str = ""
    result: str = ""
    ending_by: int | None = None


def _play(start: Position, players: tuple[Player, Player], dice: Dice) -> _Played:
    game = Game(start.board.tables, rules_vector(start.rules), start.state)
    plan = _plan(dice)
    played = _Played(start)
    state = game.state
    while not state[ENDING]:
        mover = state[SIDE]
        if len(played.plies) >= plan.ply and not kernel.must_pass(game.tables, state):
            played.ending, played.ending_by = plan.ending, mover + 1
            played.result = ("0-1", "1-0")[mover]
            return played
        move = players[(mover + 1 - start.side) % 2](game, dice)
        before = list(state)
        kernel.play(game.tables, game.rules, state, move, 0, len(move))
        played.plies.append(_ply(start.board, before, state[CLAIMED], move))
    played.ending = ENDINGS[state[ENDING]] or ""
    played.result = _result(state)
    return played


def _plan(dice: Dice) -> _Plan:
    for ending, probability in _BROKEN_OFF.items():
        if dice.happens(probability):
            return _Plan(4 + dice.below(20), ending)
    return _Plan(_LONGEST, "resign")


def _result(state: list[int]) -> str:
    if state[ENDING] == kernel.BOTH_LOSE:
        return "0-0"
    return ("1/2-1/2", "1-0", "0-1")[state[WINNER]]


def _ply(board: Board, before: list[int], claimed: int, move: Code) -> Ply:
    rings = board.rings
    if move[0] == JUMP:
        jumps = zip(move[2::2], move[3::2], strict=True)
        return Ply(
            CAPTURE, _NOWHERE, rings[move[1]], jumps=tuple(Marble(COLOURS[colour], rings[to]) for colour, to in jumps)
        )
    if move[0] != PLACE:
        return Ply(PASS, _NOWHERE)
    colour, ring, removed, rack = move[1:5]
    before[MARBLES + colour] |= 1 << ring
    return Ply(
        PLACEMENT,
        _NOWHERE,
        rings[ring],
        COLOURS[colour],
        removed=rings[removed] if removed >= 0 else None,
        claim=tuple(Marble(COLOURS[kernel.colour_on(before, taken)], rings[taken]) for taken in members(claimed)),
        taken_from="own" if rack == RACK_OWN else "pool",
    )


def _record(played: _Played, kinds: tuple[str, str], event: str, number: int, dice: Dice, annotated: bool) -> Record:
    start = played.start
    rules = start.rules
    usual = not start.board.is_custom and Position.start(start.board, rules) == start
    numbers = [1 + dice.below(9) for _ in kinds]
    if kinds[0] == kinds[1] and numbers[0] == numbers[1]:
        numbers[1] = numbers[0] % 9 + 1
    return Record(
        dialect="gipf",
        span=_NOWHERE,
        board=start.board.name,
        rule_set=rules.name,
        tournament=rules.tournament or None,
        claims="written" if rules.written_claims else None,
        position=None if usual else start.text,
        player1=f"{kinds[0]}-{numbers[0]}",
        player2=f"{kinds[1]}-{numbers[1]}",
        event=event,
        date=(_FIRST_DAY + datetime.timedelta(days=dice.below(_DAYS))).strftime("%Y.%m.%d"),
        round=str(number),
        clock="up" if annotated else None,
        plies=tuple(_annotated(played.plies, dice) if annotated else played.plies),
        result=played.result,
        ending=played.ending,
        ending_by=played.ending_by,
    )


def _annotated(plies: list[Ply], dice: Dice) -> Iterator[Ply]:
    used = [0, 0]
    for number, ply in enumerate(plies):
        used[number % 2] += 500 + dice.below(_SLOWEST_MOVE)
        yield ply._replace(
            clock=used[number % 2],
            comment=dice.pick(_COMMENTS) if dice.happens(_COMMENTED) else None,
        )
