"""Generate whole games from a seed."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from zertz_db.errors import UserMistake
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, Marble, Ply, Record, Span
from zertz_db.parser.vocabulary.terms import RESULT_OF, Ending, GameResult, win_against
from zertz_db.play.moves import Code, Game, list_rings, random_move
from zertz_db.play.players import PLAYERS, Player
from zertz_db.play.seeded_random import Dice
from zertz_db.rules import kernel
from zertz_db.rules.board import Board
from zertz_db.rules.kernel import CLAIMED, ENDING, JUMP, MARBLES, PLACE, RACK_OWN, SIDE, WINNER
from zertz_db.rules.position import ENDINGS, Position
from zertz_db.rules.rule_sets import COLOURS, RuleSet
from zertz_db.rules.start import rules_vector

_EMPTY_SPAN = Span(0, 0, 1, 1)
_DATES = tuple((datetime.date(2020, 1, 1) + datetime.timedelta(day)).strftime("%Y.%m.%d") for day in range(2000))
_EARLY_END_CHANCES = {Ending.RESIGN: 0.07, Ending.TIME: 0.03}
"""Probabilities that a game ends before the rules end it."""
_MAX_PLIES = 200
"""Number of plies after which a player resigns: with no ring left to remove, two players can continue forever."""
_MIN_COMPILED_GAMES = 5_000
"""Minimum number of games for which compiling saves time."""
_PLACEMENT_LENGTH = 5
"""Integers of a placement before its claim."""
_MAX_MOVE_MILLISECONDS = 30_000
_COMMENT_CHANCE = 0.1
_COMMENTS = (
    "a sacrifice",
    "forced",
    "the only way to keep the lead",
    "hübsch!",
    "?? {braces} and ; semicolons [tags]",
    "Žeton",
)


class NoSuchPlayer(UserMistake):
    """The player does not exist; the message lists the valid names."""


class _Plan(NamedTuple):
    """The ply and the manner in which a game ends, unless the rules end it before."""

    ply: int
    ending: str


def generate_games(
    count: int,
    board: Board | str = "37",
    rule_set: RuleSet | str = "standard",
    seed: int = 1,
    first: str = "random",
    second: str = "random",
    *,
    start: Position | None = None,
    annotated: bool = False,
    begin: int = 1,
    fast: bool | None = None,
) -> Iterator[Record]:
    """Yield `count` completed games between `first` and `second` (names in PLAYERS), as writable Records.

    Some end by resignation or on time. `start` is the first position instead of the empty `board`. Annotated games have clocks (time used,
    milliseconds) and comments. Game n of a seed depends neither on `count` nor on the machine; `begin` is the first game's number. If
    `fast`, many games between random players are played compiled if possible, with equal results: 0.4 ms a game instead of 4. Raises
    NoSuchPlayer, BoardError, RuleSetError.
    """
    players = (_player(first), _player(second))
    start = start or Position.start(board, rule_set)
    usual = not start.board.is_custom and Position.start(start.board, start.rules) == start
    setting = _Setting(start, None if usual else start.text, (first, second), f"made up, seed {seed}", annotated)
    play: _PlayFunction = _play
    if players == (random_move, random_move) and (count >= _MIN_COMPILED_GAMES if fast is None else fast):
        play = _make_fast_play(start.board)
    for number in range(begin, begin + count):
        dice = Dice(f"{seed}/{number}")
        yield _record(play(start, players, dice), setting, number, dice)


def _player(name: str) -> Player:
    if name not in PLAYERS:
        raise NoSuchPlayer(f"no player is called {name!r}; there are {' and '.join(PLAYERS)}")
    return PLAYERS[name]


class _Setting(NamedTuple):
    """The common parameters of all games."""

    start: Position
    position: str | None
    kinds: tuple[str, str]
    event: str
    annotated: bool


class _FinishedGame(NamedTuple):
    """A finished game: its plies and its ending."""

    plies: list[Ply]
    ending: str
    result: str
    ending_by: int | None = None


_PlayFunction: TypeAlias = Callable[[Position, tuple[Player, Player], Dice], _FinishedGame]


def _play(start: Position, players: tuple[Player, Player], dice: Dice) -> _FinishedGame:
    game = Game(start.board.tables, rules_vector(start.rules), start.state)
    plan, state = _plan(dice), game.state
    plies: list[Ply] = []
    while not state[ENDING] and (len(plies) < plan.ply or kernel.must_pass(game.tables, state)):
        move = players[(state[SIDE] + 1 - start.side) % 2](game, dice)
        marbles = state[MARBLES : MARBLES + 3]
        if move[0] == PLACE:
            marbles[move[1]] |= 1 << move[2]
        kernel.play(game.tables, game.rules, state, move, 0, len(move))
        plies.append(_ply(start.board, move, [colour & state[CLAIMED] for colour in marbles]))
    return _finish_game(plies, state, plan, start.rules)


def _make_fast_play(board: Board) -> _PlayFunction:
    """Return `_play` for two random players, compiled if possible."""
    from zertz_db.play import compiled_random as fast  # needs numpy: 90 ms, and few games are played interpreted

    def play(start: Position, _: tuple[Player, Player], dice: Dice) -> _FinishedGame:
        plan = _plan(dice)
        moves, state = fast.random_game(start, plan.ply, dice)
        return _finish_game([_ply(start.board, move, claimed) for move, claimed in moves], state, plan, start.rules)

    return play if fast.is_available(board) else _play


def _finish_game(plies: list[Ply], state: list[int], plan: _Plan, rules: RuleSet) -> _FinishedGame:
    if state[ENDING]:
        return _FinishedGame(plies, ENDINGS[state[ENDING]] or "", _result(state, rules))
    return _FinishedGame(plies, plan.ending, win_against(state[SIDE] + 1), state[SIDE] + 1)


def _plan(dice: Dice) -> _Plan:
    for ending, probability in _EARLY_END_CHANCES.items():
        if dice.toss(probability):
            return _Plan(4 + dice.below(20), ending)
    return _Plan(_MAX_PLIES, Ending.RESIGN)


def _result(state: list[int], rules: RuleSet) -> GameResult:
    if state[ENDING] == kernel.BOTH_LOSE:
        return GameResult.BOTH_LOSE
    return RESULT_OF.get(state[WINNER], rules.tie)


def _ply(board: Board, move: Code, claimed: list[int]) -> Ply:
    ply = _build_unclaimed_ply(board, tuple(move[:_PLACEMENT_LENGTH] if move[0] == PLACE else move))
    return ply._replace(claim=_marbles(board.rings, claimed)) if move[0] == PLACE and any(claimed) else ply


@lru_cache(maxsize=100_000)
def _build_unclaimed_ply(board: Board, move: tuple[int, ...]) -> Ply:
    """Return a ply without its claim. There are few of these, so they are cached."""
    rings = board.rings
    if move[0] == JUMP:
        jumps = zip(move[2::2], move[3::2], strict=True)
        return Ply(
            CAPTURE,
            _EMPTY_SPAN,
            rings[move[1]],
            jumps=tuple(Marble(COLOURS[colour], rings[to]) for colour, to in jumps),
        )
    if move[0] != PLACE:
        return Ply(PASS, _EMPTY_SPAN)
    _, colour, ring, removed, rack = move
    return Ply(
        PLACEMENT,
        _EMPTY_SPAN,
        rings[ring],
        COLOURS[colour],
        removed=rings[removed] if removed >= 0 else None,
        taken_from="own" if rack == RACK_OWN else "pool",
    )


def _marbles(rings: tuple[str, ...], sets: list[int]) -> tuple[Marble, ...]:
    """Return the white, grey and black marbles on these sets of rings, in the board's order."""
    placed = sorted((ring, colour) for colour, held in zip(COLOURS, sets, strict=True) for ring in list_rings(held))
    return tuple(Marble(colour, rings[ring]) for ring, colour in placed)


def _record(played: _FinishedGame, setting: _Setting, number: int, dice: Dice) -> Record:
    start, rules, kinds = setting.start, setting.start.rules, setting.kinds
    numbers = [1 + dice.below(9) for _ in kinds]
    if kinds[0] == kinds[1] and numbers[0] == numbers[1]:
        numbers[1] = numbers[0] % 9 + 1
    return Record(
        dialect="gipf",
        span=_EMPTY_SPAN,
        board=start.board.name,
        **rules.stated(),
        position=setting.position,
        player1=f"{kinds[0]}-{numbers[0]}",
        player2=f"{kinds[1]}-{numbers[1]}",
        event=setting.event,
        date=_DATES[dice.below(len(_DATES))],
        round=str(number),
        clock="up" if setting.annotated else None,
        plies=tuple(_add_annotations(played.plies, dice) if setting.annotated else played.plies),
        result=played.result,
        ending=played.ending,
        ending_by=played.ending_by,
    )


def _add_annotations(plies: list[Ply], dice: Dice) -> Iterator[Ply]:
    used = [0, 0]
    for number, ply in enumerate(plies):
        used[number % 2] += 500 + dice.below(_MAX_MOVE_MILLISECONDS)
        yield ply._replace(
            clock=used[number % 2],
            comment=dice.pick(_COMMENTS) if dice.toss(_COMMENT_CHANCE) else None,
        )
