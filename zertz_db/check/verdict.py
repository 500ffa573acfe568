"""Turn a replay into a verdict: the ending, the winner, and the findings. Source: rules, sections 5 and 7."""

from __future__ import annotations

from dataclasses import replace

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.colour_mismatch import other_colours
from zertz_db.check.explain_illegal import explain
from zertz_db.check.findings import (
    CHAIN_STOPPED,
    CLAIM_UNWRITTEN,
    ENDING_CONTRADICTED,
    HALF_TURN,
    HALF_TURN_DROPPED,
    NOBODY_NAMED,
    PASS_INSERTED,
    READ_AS_BLITZ,
    READ_AS_STANDARD,
    REPEATED,
    RESULT_CONTRADICTED,
    RING_KEPT,
    RULES_OF_READERS,
    RULES_UNSTATED,
    UNEXPLAINED_RESULT,
    Finding,
    make_finding,
)
from zertz_db.check.findings import (
    UNFINISHED as NO_END,
)
from zertz_db.check.replay.attempt import Attempt
from zertz_db.check.replay.notation import column
from zertz_db.check.replay.repetition import end_by_repetition, find_repetitions
from zertz_db.check.replay.start import states_rules
from zertz_db.parser import faults
from zertz_db.parser.dialects import facts_of
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import Record, Remark, SyntaxFault
from zertz_db.parser.vocabulary.terms import (
    ENDINGS_BY_MOVES,
    LOSSES,
    RESULT_OF,
    TIES,
    WINNER_OF,
    Ending,
    GameResult,
    Verdict,
    win_against,
)
from zertz_db.rules import kernel
from zertz_db.rules.position import ENDINGS
from zertz_db.rules.rule_sets import RuleSet

_CAUSES = {Ending.RESIGN: "resignation", Ending.TIME: "time"}
"""Endings by which a player loses, in words after `by`."""


def conclude(record: Record, tried: Attempt | None, findings: tuple[Finding, ...]) -> CheckedRecord:
    """Return the verdict on a record after its replay; `findings` are those about the start."""
    checked = _concluded(record, tried, findings)
    return replace(checked, findings=checked.findings + _unstated_rules(checked))


def _concluded(record: Record, tried: Attempt | None, findings: tuple[Finding, ...]) -> CheckedRecord:
    findings = tuple(map(finding_of, record.remarks)) + findings
    if record.fault is not None:
        return CheckedRecord(
            record, _fault_verdict(record.fault), tried, (*findings, _of_fault(record.fault, len(record.plies)))
        )
    if tried is None:
        return CheckedRecord(record, Verdict.ILLEGAL, None, findings)
    repeats = _repeats(tried) if tried.may_repeat else []
    tried = _until_repetition(tried, repeats)
    if not tried.is_legal:
        return CheckedRecord(record, Verdict.ILLEGAL, tried, (*findings, explain(tried)))
    return _legal(record, tried, findings, repeats)


def failed(record: Record, error: Exception) -> CheckedRecord:
    """Return the verdict on a record on which zertz fails: unreadable, with the internal error as its only finding."""
    fault = faults.fault(error, record.span)
    bare = Record(dialect=record.dialect, span=record.span, gaps=record.gaps, fault=fault)
    return CheckedRecord(bare, Verdict.UNREADABLE, None, (Finding(fault.code, fault.message, fault.span),))


def with_failure(checked: CheckedRecord, error: Exception) -> CheckedRecord:
    """Return an unchanged verdict with an internal error as one more finding: a step that only adds to it has failed."""
    fault = faults.fault(error, checked.record.span)
    return replace(checked, findings=(*checked.findings, Finding(fault.code, fault.message, fault.span)))


def finding_of(found: Remark | SyntaxFault) -> Finding:
    """Return a reader's remark or fault as a finding."""
    message = found.message.removesuffix(".")
    if isinstance(found, SyntaxFault) and found.expected:
        message += f"; expected {' or '.join(found.expected)}"
    return Finding(found.code, message, found.span, rule=RULES_OF_READERS.get(found.code), suggestion=found.suggestion)


def _of_fault(fault: SyntaxFault, plies: int) -> Finding:
    """Return the finding for a fault after a number of plies; a completely unreadable text has no ply."""
    return finding_of(fault)._replace(ply=plies + 1 if _is_of_rules(fault) else None)


def _fault_verdict(fault: SyntaxFault) -> Verdict:
    """Return the verdict on a fault. E3xx: the text is clear but not a turn; any other fault: the text can't be read."""
    return Verdict.ILLEGAL if _is_of_rules(fault) else Verdict.UNREADABLE


def _is_of_rules(fault: SyntaxFault) -> bool:
    return fault.code.startswith("E3")


def _unstated_rules(checked: CheckedRecord) -> tuple[Finding, ...]:
    """Return a note on the chosen rule set, if the record states none and no other finding reports it."""
    record, tried = checked.record, checked.attempt
    if states_rules(record) or record.fault is not None or tried is None or not record.plies:
        return ()
    if any(finding.code in _READ_AS for finding in checked.findings):
        return ()
    rules = tried.start.rules
    message = f"the rule set is not stated; read as {rules.name}, with {rules.supply} marbles"
    return (make_finding(RULES_UNSTATED, message, record.span),)


_READ_AS = {READ_AS_BLITZ.code, READ_AS_STANDARD.code}


def _until_repetition(tried: Attempt, repeats: list[int]) -> Attempt:
    """Return the replay up to the repeated turns that end the game, if the rules set their number (rules, section 5)."""
    times = tried.start.rules.repetition
    end = end_by_repetition(repeats, times) if times else None
    if end is None or end >= tried.played:
        return tried
    return replace(tried, played=end, refusal=kernel.GAME_OVER, wrong_player=False, _final=None)


def _legal(record: Record, tried: Attempt, findings: tuple[Finding, ...], repeats: list[int]) -> CheckedRecord:
    found = list(findings)
    found += _leniencies(tried)
    found += other_colours(tried)
    found += _unwritten_claims(record, tried)
    ending, computed = _computed(record, tried, repeats)
    claimed = None if record.result == GameResult.UNKNOWN else record.result
    stated = record.ending
    loser = None
    if ending is None:
        if stated in ENDINGS_BY_MOVES:
            message = f"the record says that the game ended by {stated}, the moves do not end it"
            found.append(make_finding(ENDING_CONTRADICTED, message, record.result_span))
            stated = None
        ending = stated or (Ending.AGREED if claimed == GameResult.TIE else None)
        loser = _loser(record, tried, ending, claimed)
        computed = _by_statement(ending, loser, tried.start.rules)
        if ending in LOSSES and loser is None:
            found.append(
                make_finding(
                    NOBODY_NAMED, f"the record does not state who lost by {_CAUSES[Ending(ending)]}", record.result_span
                )
            )
    elif stated and stated != ending and not (stated in TIES and ending in TIES):
        message = f"the record says that the game ended by {stated}, the moves end it by {ending}"
        found.append(make_finding(ENDING_CONTRADICTED, message, record.result_span))
    found += [
        make_finding(REPEATED, f"turns {ply - 3} to {ply} repeat the four before them", tried.plies[ply - 1].span, ply)
        for ply in repeats[:1]
        if ending != Ending.REPETITION
    ]
    found += _half_turn(record, ending)
    if claimed and computed and claimed != computed:
        giver = f"{_CAUSES[Ending(ending)]} of player {loser}" if ending and loser else "the moves"
        if computed == GameResult.BOTH_LOSE and not tried.start.rules.ties:
            giver = "the rules, which have no ties,"
        message = f"the record states {claimed}, but by {giver} it is {computed}"
        found.append(make_finding(RESULT_CONTRADICTED, message, record.result_span))
    if claimed and computed is None and ending not in LOSSES:
        found.append(
            make_finding(
                UNEXPLAINED_RESULT, f"the record states {claimed}, but the game is not over", record.result_span
            )
        )
    verdict = _verdict(record, ending, claimed)
    if verdict == Verdict.UNFINISHED and record.half_turn is None:
        found.append(
            make_finding(NO_END, "the game is not over, and the record does not state how it ended", record.result_span)
        )
    return CheckedRecord(
        record=record,
        verdict=verdict,
        attempt=tried,
        findings=tuple(found),
        ending=ending,
        ending_by=loser,
        winning_sets=tried.start.rules.set_names(tried.final[kernel.SETS]),
        result_claimed=claimed,
        result_computed=computed,
    )


def _repeats(tried: Attempt) -> list[int]:
    # Equal rings have equal numbers, under any numbering.
    code = tried.plies if isinstance(tried.plies, PackedPlies) else tried.code
    return find_repetitions(code.numbers, code.begins[: tried.played + 1])


def _computed(record: Record, tried: Attempt, repeats: list[int]) -> tuple[str | None, str | None]:
    """Return the ending and result that follow from the moves alone."""
    final, rules = tried.final, tried.start.rules
    ending = ENDINGS[final[kernel.ENDING]]
    if ending == Ending.BOTH_LOSE:
        return ending, GameResult.BOTH_LOSE
    if ending:
        return ending, RESULT_OF.get(final[kernel.WINNER], rules.tie)
    if rules.repetition:
        is_end = end_by_repetition(repeats, rules.repetition) == len(tried.plies)
        return (Ending.REPETITION, rules.tie) if is_end else (None, None)
    tie_is_open = record.result in (None, GameResult.UNKNOWN, GameResult.TIE, rules.tie) and record.ending in (
        None,
        *TIES,
    )
    if tie_is_open and record.half_turn is None and repeats[-1:] == [len(tried.plies)]:
        return Ending.REPETITION, rules.tie
    return None, None


def _loser(record: Record, tried: Attempt, ending: str | None, claimed: str | None) -> int | None:
    """Return the player who lost by resignation or time: as stated, or the side to move after a bare `resigns`."""
    if record.ending_by or ending != Ending.RESIGN or claimed:
        return record.ending_by
    if record.result is None:
        half_turn = record.half_turn
        return half_turn.mover if half_turn and half_turn.mover else tried.final[kernel.SIDE] + 1
    return None


def _by_statement(ending: str | None, loser: int | None, rules: RuleSet) -> str | None:
    """Return the result that follows from the stated ending."""
    if ending in LOSSES and loser:
        return win_against(loser)
    if ending in TIES:
        return rules.tie
    return None


def _verdict(record: Record, ending: str | None, claimed: str | None) -> Verdict:
    if record.half_turn is not None and ending not in LOSSES:
        return Verdict.UNFINISHED
    if ending == Ending.ABANDONED and claimed is None:
        return Verdict.UNFINISHED
    return Verdict.VERIFIED if ending or claimed in WINNER_OF else Verdict.UNFINISHED


def _leniencies(tried: Attempt) -> list[Finding]:
    found = []
    for ply in sorted(tried.passes):
        message = f"player {tried.position(ply).side} has no move: the pass is automatic"
        found.append(make_finding(PASS_INSERTED, message, tried.plies[ply].span, tried.record_ply(ply)))
    last = len(tried.plies)
    if last and tried.final[kernel.LENIENCY]:
        kind = RING_KEPT if tried.final[kernel.LENIENCY] == kernel.RING_KEPT else CHAIN_STOPPED
        found.append(make_finding(kind, kind.title, tried.plies[-1].span, tried.record_ply(last - 1)))
    return found


def _unwritten_claims(record: Record, tried: Attempt) -> list[Finding]:
    """Return a note on the first automatically taken group of a turn without a claim, if the record's turns state claims."""
    if record.claims or not facts_of(record.dialect).states_claims or tried.start.rules.written_claims:
        return []
    last = (
        len(tried.plies) if tried.final[kernel.ENDING] == kernel.BOARD_FILLED else None
    )  # these are taken in any case
    claims = enumerate(column(tried, kernel.CLAIMED)[1 : tried.played + 1])
    unwritten = [ply for ply, claimed in claims if claimed and ply + 1 != last and not _claims(tried, ply)]
    if not unwritten:
        return []
    first = unwritten[0]
    count = f" ({len(unwritten)} times)" if len(unwritten) > 1 else ""
    message = f"a full group is taken automatically, without a claim in the record{count}; a tag Claims decides"
    return [make_finding(CLAIM_UNWRITTEN, message, tried.plies[first].span, tried.record_ply(first))]


def _claims(tried: Attempt, ply: int) -> bool:
    """Return whether the text of a ply claims marbles."""
    plies = tried.plies
    return ply in plies.claims if isinstance(plies, PackedPlies) else bool(plies[ply].claim)


def _half_turn(record: Record, ending: str | None) -> list[Finding]:
    if record.half_turn is None:
        return []
    text = f"{record.half_turn.text!r} is not a whole turn"
    if ending in LOSSES:
        return [make_finding(HALF_TURN_DROPPED, f"{text}; the game ended in it by {ending}", record.half_turn.span)]
    return [make_finding(HALF_TURN, f"{text}, and the record does not state how the game ended", record.half_turn.span)]
