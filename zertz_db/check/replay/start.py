"""Determine the position from which a record is played, and its rule set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from zertz_db.check.findings import (
    BAD_START,
    BLITZ_BOARD,
    SET_HELD,
    START_CONTRADICTED,
    SUPPLY,
    TOURNAMENT_BOARD,
    UNKNOWN_BOARD,
    UNKNOWN_RULE_SET,
    Finding,
    Kind,
    make_finding,
)
from zertz_db.parser.dialects import facts_of
from zertz_db.parser.record import Edit, Record
from zertz_db.rules import kernel
from zertz_db.rules.board import Board, BoardError, server_board, standard_board
from zertz_db.rules.errors import PositionError, SetHeldError
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS, RULE_SETS, STANDARD, RuleSet, RuleSetError, rule_set
from zertz_db.rules.start import rules_vector


class Start(NamedTuple):
    """The start position (None if impossible), whether it is the board's usual one, and findings about it."""

    position: Position | None
    usual: bool
    findings: tuple[Finding, ...] = ()


def start_of(record: Record, board: str) -> Start:
    """Return the start of a record on `board`: its own, or one to try."""
    if record.position is not None:
        return _written_position(record)
    try:
        rules = rules_of(record)
    except RuleSetError as error:
        return Start(None, usual=False, findings=(make_finding(UNKNOWN_RULE_SET, str(error)),))
    try:
        if board == "custom" and not record.edits:
            raise BoardError("a custom board needs its rings: the record has neither a position nor a set-up")
        if record.edits:
            return _edited_position(record, board, rules)
        start = Position.start(standard_board(board), rules)
    except BoardError as error:
        return Start(None, usual=False, findings=(make_finding(UNKNOWN_BOARD, str(error)),))
    return Start(start, usual=True, findings=_suitable(start))


def rules_of(record: Record) -> RuleSet:
    """Return the rule set with its options; the dialect's if the record states none. Raises RuleSetError."""
    rules = rule_set(record.rule_set) if record.rule_set else RULE_SETS[facts_of(record.dialect).rule_set]
    if record.tournament:
        rules = rule_set(f"{rules.name}+tournament")
    return replace(rules, **_options(record))


def states_rules(record: Record) -> bool:
    """Return whether a record states its rule set; the option `tournament` is one of standard."""
    return bool(record.rule_set or record.position or record.tournament)


def under(record: Record, rules: RuleSet) -> Record:
    """Return the record with a rule set and its options, as far as it leaves them open."""
    stated = rules.stated()
    if record.position:
        del stated["rule_set"]  # the position has its own
    if record.position or record.rule_set not in (None, rules.name):
        del stated["tournament"]
    return replace(record, **{fact: value for fact, value in stated.items() if getattr(record, fact) is None})


def _options(record: Record) -> dict[str, Any]:
    """Return the options that tags state for every rule set, as RuleSet has them."""
    written = None if record.claims is None else record.claims == "written"
    stated = {"written_claims": written, "ties": record.ties, "repetition": record.repetition}
    return {option: value for option, value in stated.items() if value is not None}


def _suitable(start: Position) -> tuple[Finding, ...]:
    """Return warnings about a board that the rule set is not meant for."""
    rings = len(start.board.rings)
    if start.rules.name == "blitz" and start.board.name != "37":
        return (make_finding(BLITZ_BOARD, f"blitz is played on board 37; this is board {start.board.name}"),)
    if start.rules.tournament and rings < 48:
        return (make_finding(TOURNAMENT_BOARD, f"tournament rules ask for 48 rings or more; this board has {rings}"),)
    return ()


def _written_position(record: Record) -> Start:
    try:
        position = Position.parse(record.position or "")
    except PositionError as error:
        return Start(
            None, usual=False, findings=(make_finding(_kind(error), f"the start position can't be used: {error}"),)
        )
    rules, contradictions = _rules_and_options(record, position.rules)
    if record.board and record.board != position.board.name:
        contradictions.append(f"the tag Board says {record.board}, the position {position.board.name}")
    start = Position(position.board, rules, tuple(position.state))
    findings = tuple(
        make_finding(START_CONTRADICTED, f"{contradiction}; the position counts") for contradiction in contradictions
    )
    return Start(start, usual=False, findings=findings + _suitable(start) + _supplied(start))


def _kind(error: PositionError) -> Kind:
    if isinstance(error, SetHeldError):
        return SET_HELD
    if isinstance(error.__cause__, BoardError):
        return UNKNOWN_BOARD
    return UNKNOWN_RULE_SET if isinstance(error.__cause__, RuleSetError) else BAD_START


def _rules_and_options(record: Record, rules: RuleSet) -> tuple[RuleSet, list[str]]:
    """Return the rule set of a position, with options that only the tags name; and the contradictions."""
    contradictions = []
    if record.rule_set not in (None, rules.name):
        contradictions.append(f"the tag RuleSet says {record.rule_set}, the position {rules.name}")
    if record.tournament and rules.name == "standard":
        rules = replace(rules, tournament=True)
    elif record.tournament not in (None, rules.tournament):
        contradictions.append(f"the tag Tournament says {'yes' if record.tournament else 'no'}, the position {rules}")
    for option, value in _options(record).items():
        if getattr(rules, option) == getattr(STANDARD, option):  # the position leaves it at its usual value
            rules = replace(rules, **{option: value})
        elif getattr(rules, option) != value:
            contradictions.append(f"the tag {_TAGS[option]} contradicts the position, {rules}")
    return rules, contradictions


_TAGS = {"written_claims": "Claims", "ties": "Ties", "repetition": "Repetition"}


def _edited_position(record: Record, board: str, rules: RuleSet) -> Start:
    layout = server_board(_edited_rings(record.edits)) if board == "custom" else standard_board(board)
    state = Position.start(layout, rules).state
    for edit in record.edits:
        problem = _apply(state, layout, edit)
        if problem:
            return Start(
                None, usual=False, findings=(make_finding(BAD_START, f"the start position can't be set up: {problem}"),)
            )
    for player in (0, 1):
        if kernel.winning_sets(rules_vector(rules), state, player):
            message = f"player {player + 1} holds a winning set before the game begins"
            return Start(None, usual=False, findings=(make_finding(SET_HELD, message),))
    start = Position(layout, rules, tuple(state))
    return Start(start, usual=False, findings=_suitable(start) + _supplied(start))


def _edited_rings(edits: tuple[Edit, ...]) -> set[str]:
    rings: set[str] = set()
    for edit in edits:
        if edit.action == "add ring":
            rings.add(edit.ring)
        elif edit.action == "remove ring":
            rings.discard(edit.ring)
    return rings


def _apply(state: list[int], board: Board, edit: Edit) -> str | None:
    """Make one change to a start; return a sentence if it is impossible."""
    colour = COLOURS.index(edit.colour) if edit.colour else -1
    rack = kernel.POOL if edit.player is None else kernel.CAPTURED + 3 * (edit.player - 1)
    if edit.action in ("give", "return"):
        source, target = (kernel.POOL, rack) if edit.action == "give" else (rack, kernel.POOL)
        if state[source + colour] == 0:
            return f"there is no {edit.colour} marble left to {edit.action}"
        state[source + colour] -= 1
        state[target + colour] += 1
        return None
    if edit.ring not in board.index:
        if board.is_custom and edit.action.endswith("ring"):  # added and removed again
            return None
        return f"board {board.name} has no ring {edit.ring}"
    ring = 1 << board.index[edit.ring]
    if edit.action == "add ring":
        state[kernel.RINGS] |= ring
    elif edit.action == "remove ring":
        if kernel.occupied(state) & ring:
            return f"ring {edit.ring} holds a marble"
        state[kernel.RINGS] &= ~ring
    elif edit.action == "place":
        if not kernel.vacant(state) & ring or state[rack + colour] == 0:
            return f"no {edit.colour} marble can be put on {edit.ring}"
        state[rack + colour] -= 1
        state[kernel.MARBLES + colour] |= ring
    elif edit.action == "lift":
        lifted = kernel.colour_on(state, board.index[edit.ring])
        if lifted < 0:
            return f"there is no marble on {edit.ring}"
        state[kernel.MARBLES + lifted] &= ~ring
        state[rack + lifted] += 1
    return None


def _supplied(start: Position) -> tuple[Finding, ...]:
    """Return a warning about missing or superfluous marbles."""
    first, second = start.captured
    on_board = [sum(start.on(ring) == colour for ring in start.rings) for colour in COLOURS]
    totals = [sum(counts) for counts in zip(start.pool, first, second, on_board, strict=True)]
    if totals == list(start.rules.supply):
        return ()
    message = f"there are {'/'.join(map(str, totals))} marbles in all; the rule set has {start.rules.supply}"
    return (make_finding(SUPPLY, message),)
