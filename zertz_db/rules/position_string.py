"""Read position strings: `BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE [PASSES]`. Source: rules, section 8."""

from __future__ import annotations

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.rules import kernel
from zertz_db.rules.board import Board, BoardError, Column, custom_board, standard_board
from zertz_db.rules.errors import PositionError, SetHeldError
from zertz_db.rules.rule_sets import COLOURS, Count, RuleSet, RuleSetError, rule_set
from zertz_db.rules.start import rules_vector, start_state

_POSITION = compile_on_use(
    r"(?P<board>\S+) (?P<rules>\S+) (?P<layout>\S+) (?P<pool>\S+) (?P<first>\S+) (?P<second>\S+) (?P<side>[12])"
    r"(?: (?P<passes>[01]))?"
)
_COUNT = compile_on_use(r"(\d{1,2})/(\d{1,2})/(\d{1,2})")
_COLUMN = compile_on_use(r"([a-q])(-?\d{1,2}):([oWGB.]{1,12})")


def read_position(text: str) -> tuple[Board, RuleSet, list[int]]:
    """Return the board, the rule set and the kernel's state of a position string. Raises PositionError with the cause."""
    match = _POSITION.fullmatch(" ".join(text.split()))
    if not match:
        raise PositionError("a position is written BOARD RULES LAYOUT POOL CAPTURES1 CAPTURES2 SIDE [PASSES]")
    try:
        rules = rule_set(match["rules"])
        if match["board"] == "custom":
            board, holdings = _custom_layout(match["layout"])
        else:
            board, holdings = _standard_layout(match["board"], match["layout"])
    except (BoardError, RuleSetError) as error:
        raise PositionError(str(error)) from error
    state = start_state(board, rules)
    state[kernel.RINGS] = 0
    for ring, held in holdings.items():
        if held != ".":
            state[kernel.RINGS] |= 1 << board.index[ring]
        if held in COLOURS:
            state[kernel.MARBLES + COLOURS.index(held)] |= 1 << board.index[ring]
    state[kernel.POOL : kernel.POOL + 3] = _count(match["pool"], "the pool")
    state[kernel.CAPTURED : kernel.CAPTURED + 3] = _count(match["first"], "player 1's captures")
    state[kernel.CAPTURED + 3 : kernel.CAPTURED + 6] = _count(match["second"], "player 2's captures")
    state[kernel.SIDE] = int(match["side"]) - 1
    state[kernel.PASSES] = int(match["passes"] or 0)
    for player in (0, 1):
        sets = kernel.winning_sets(rules_vector(rules), state, player)
        if sets:
            names = " and ".join(rules.set_names(sets))
            raise SetHeldError(f"player {player + 1} already holds a winning set ({names}): the game is over")
    return board, rules, state


def _count(text: str, what: str) -> Count:
    match = _COUNT.fullmatch(text)
    if not match:
        raise PositionError(f"{what} is written as three numbers such as 5/8/10, not {text!r}")
    return Count(*map(int, match.groups()))


def _custom_layout(layout: str) -> tuple[Board, dict[str, str]]:
    columns, holdings = [], {}
    for part in layout.split("/"):
        match = _COLUMN.fullmatch(part)
        if not match:
            raise PositionError(f"a custom board's column is written like a-3:oooo, not {part!r}")
        letter, bottom, rings = match.groups()
        columns.append(Column(letter, int(bottom), len(rings)))
        holdings.update({f"{letter}{k}": held for k, held in enumerate(rings, 1)})
    present = frozenset(ring for ring, held in holdings.items() if held != ".")
    return custom_board(tuple(columns), present), holdings


def _standard_layout(name: str, layout: str) -> tuple[Board, dict[str, str]]:
    board = standard_board(name)
    parts = layout.split("/")
    if len(parts) != len(board.columns):
        raise PositionError(f"board {name} has {len(board.columns)} columns, the layout {len(parts)}")
    holdings = {}
    for column, part in zip(board.columns, parts, strict=True):
        if len(part) != column.length or set(part) - set("oWGB."):
            raise PositionError(
                f"column {column.letter} of board {name} takes {column.length} of the characters o W G B . but is {part!r}"
            )
        holdings.update({f"{column.letter}{k}": held for k, held in enumerate(part, 1)})
    return board, holdings
