"""Check a record: replay it in every reading that the rules allow, and return the verdict on the best.

Readings (rules, sections 2 and 4): claims are automatic first; then written, if the record writes a claim that contradicts the first
replay; blitz, if only blitz ends the record with a set. `inference` handles all else that a record leaves open.
"""

from __future__ import annotations

from dataclasses import replace

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import READ_AS_BLITZ, READ_AS_STANDARD, READ_AS_WRITTEN, Finding, make_finding
from zertz_db.check.inference import best_reading
from zertz_db.check.replay.attempt import Attempt, add_final_passes, replay_record
from zertz_db.check.replay.start import start_of, states_rules
from zertz_db.check.verdict import conclude
from zertz_db.parser.record import HalfTurn, Record, Span
from zertz_db.parser.vocabulary.terms import WINNER_OF, WINNERS, Ending
from zertz_db.rules import kernel
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import BLITZ, STANDARD, RuleSet


def check(record: Record, full: bool = True) -> CheckedRecord:
    """Return the verdict on one record, replayed interpreted; `full`: with keys and counts of legal moves, which take most of the time."""
    needs_keys = full and record.fault is None  # a record with a fault is never stored
    return best_reading(record, lambda reading, board: _on_board(reading, board, needs_keys))


def _on_board(record: Record, board: str, full: bool) -> CheckedRecord:
    start = start_of(record, board)
    if start.position is None:
        return conclude(record, None, start.findings)
    tried, notes = _best_reading(record, start.position, full)
    if _stops_inside_a_turn(tried):
        record = _without_last_turn(record)
        tried, notes = _best_reading(record, start.position, full)
    if record.ending is None and record.half_turn is None:  # if not, it ended before anyone passed
        tried = add_final_passes(tried, full)
    return conclude(record, tried, start.findings + notes)


def _stops_inside_a_turn(tried: Attempt) -> bool:
    """Return whether only the last turn is illegal, because something is missing from it (rules, section 5)."""
    return tried.played == len(tried.plies) - 1 and tried.refusal in (kernel.RING_DUE, kernel.CHAIN_UNFINISHED)


def _without_last_turn(record: Record) -> Record:
    last = record.plies[-1]
    jumps = "".join(f"{jump.colour or '?'}{jump.ring}" for jump in last.jumps)
    text = f"x {last.ring}{jumps}" if jumps else f"{last.colour}{last.ring}"
    return replace(record, plies=record.plies[:-1], half_turn=HalfTurn(text, last.span, last.mover))


def _best_reading(record: Record, start: Position, full: bool) -> tuple[Attempt, tuple[Finding, ...]]:
    tried = replay_record(record, start, full)
    written = _as_written(record, tried, full)
    if written is not None:
        note = "the record claims some groups and leaves others: claims are read as written"
        return written, (make_finding(READ_AS_WRITTEN, note, _first_difference(record, tried)),)
    for kind, other in (
        (READ_AS_BLITZ, _as_blitz(record, tried, full)),
        (READ_AS_STANDARD, _as_standard(record, tried, full)),
    ):
        if other is not None:
            return other, (make_finding(kind, kind.title, record.span),)
    return tried, ()


def _first_difference(record: Record, tried: Attempt) -> Span:
    return tried.plies[tried.played].span if tried.played < len(tried.plies) else record.span


def _as_written(record: Record, tried: Attempt, full: bool) -> Attempt | None:
    """Return the replay under written claims, if a written claim calls for it and it is legal to the end."""
    rules = tried.start.rules
    if rules.written_claims or record.claims == "automatic" or tried.is_legal:
        return None
    if not any(ply.claim for ply in record.plies):
        return None
    start = Position(tried.start.board, replace(rules, written_claims=True), tuple(tried.start.state))
    again = replay_record(record, start, full)
    return again if again.is_legal else None


def may_be_blitz(record: Record) -> bool:
    """Return whether a record leaves its rule set open and states a winner, so that blitz may explain its end."""
    return not states_rules(record) and record.ending in (None, Ending.SET) and record.result in WINNERS


def _as_blitz(record: Record, tried: Attempt, full: bool) -> Attempt | None:
    """Return the replay under blitz, if the record leaves the rule set open and only blitz gives an end that matches its result."""
    if (
        not may_be_blitz(record)
        or not tried.is_legal
        or tried.final[kernel.ENDING]
        or tried.start.rules.name == BLITZ.name
    ):
        return None
    again = _under(BLITZ, record, tried, full)
    if not again.is_legal or again.final[kernel.ENDING] != kernel.BY_SET:
        return None
    agrees = again.final[kernel.WINNER] == WINNER_OF.get(record.result or "")
    return again if agrees else None


def _as_standard(record: Record, tried: Attempt, full: bool) -> Attempt | None:
    """Return the replay under standard, if only the record's form suggests blitz, and only standard is legal to the end."""
    if states_rules(record) or tried.is_legal or tried.start.rules.name != BLITZ.name:
        return None
    again = _under(STANDARD, record, tried, full)
    return again if again.is_legal else None


def _under(rules: RuleSet, record: Record, tried: Attempt, full: bool) -> Attempt:
    """Return the replay from a board's usual start under another rule set, with the same options."""
    return replay_record(record, Position.start(tried.start.board, rules.with_options(tried.start.rules)), full)
