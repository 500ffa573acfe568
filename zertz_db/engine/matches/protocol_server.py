"""Speak the protocol as the engine: read lines, and answer `hello` and `go`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from zertz_db.engine.choose import SECONDS, choose_move, warm_up
from zertz_db.engine.matches.protocol_words import BESTMOVE, ERROR, NAME, READY, read_go, read_position_line
from zertz_db.engine.strengths import Strength
from zertz_db.errors import UserMistake
from zertz_db.rules.position import Position

Answer = Callable[[str], None]


def serve_protocol(lines: Iterable[str], answer: Answer, strength: Strength) -> None:
    """Answer lines until `quit` or the end. A line that can't be followed gets `error` and the reason."""
    position = Position.start()
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "quit":
                return
            if word == "hello":
                warm_up()  # before the clocks run
                answer(f"{NAME} zertz-{strength.name}")
                answer(READY)
            elif word == "newgame":
                position = _first_position(rest)
            elif word == "position":
                position = read_position_line(rest)
            elif word == "go":
                _answer_move(position, rest, answer, strength)
        except UserMistake as error:
            answer(f"{ERROR} {error}")


def _first_position(rest: str) -> Position:
    board, _, rules = rest.partition(" ")
    if board == "custom":
        return Position.start()  # `position` states the board
    return Position.start(board or "37", rules.strip() or "standard")


def _answer_move(position: Position, rest: str, answer: Answer, strength: Strength) -> None:
    limits = read_go(rest)
    bounded = replace(strength, nodes=min(strength.nodes, limits.nodes)) if limits.nodes else strength
    choice = choose_move(position, bounded, limits.seed, limits.seconds or SECONDS)
    answer(f"info value {choice.value} depth {choice.depth} nodes {choice.nodes} forced {choice.forced or 0}")
    answer(f"{BESTMOVE} {choice.notation}")
