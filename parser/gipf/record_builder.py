"""Build a Record from tags and movetext: the facts that they state together, and their contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from zertz_db.parser.gipf.movetext import LENIENT, Movetext
from zertz_db.parser.gipf.tags import date_in_utc, fact_of, first_mover, time_of, understand
from zertz_db.parser.record import Ply, Record, Remark, Span, SyntaxFault
from zertz_db.parser.text.ring_names import named_rings, rename_rings
from zertz_db.parser.text.size_limits import MAX_PLIES, too_many_plies
from zertz_db.parser.vocabulary.board_names import stated_board
from zertz_db.parser.vocabulary.terms import LOSSES, WINNERS, Ending, win_against

_RECURRENT = {
    *("W110", "W712", "W713", "W719", "W720", "W724", "W725", "W740", "W741", "W743", "W744", "W745", "W749"),
    *("N530", "N532", "N535", "W546"),
} | {code for code, _ in LENIENT.values()}
"""Codes of writing habits: one remark a record, at the first place, with the number of places."""

_NOT_IN_RECORD = {"language", "set_up", "ply_count", "result", "ending", "ending_by"}


def record_of(
    movetext: Movetext,
    span: Span,
    fault: SyntaxFault | None,
    remarks: Iterable[Remark],
    dialect: str = "gipf",
    first: int | None = None,
) -> Record:
    """Return the Record of a game. `remarks` join those of the movetext; `first` is the player who moves first if no tag states it."""
    if movetext.length > MAX_PLIES:
        fault = too_many_plies(movetext.plies[MAX_PLIES].span)
        del movetext.plies[MAX_PLIES:]
    facts, odd = understand(movetext.tags)
    if "date" not in facts and (date := date_in_utc(movetext.tags)):
        facts["date"] = date
    first = first or first_mover(facts.get("position"))
    to_move = 1 + (first - 1 + movetext.length) % 2
    outcome, contradictions = _outcome(movetext, facts, to_move)
    has_ninth = stated_board(facts.get("board"), facts.get("position")) == "61"
    plies, renaming = _ninth_column(movetext.plies) if has_ninth else (movetext.plies, [])
    tagged = _against_tags(movetext, facts) if fault is None else ()
    remarks = _sorted(
        [*odd, *movetext.remarks, *remarks, *contradictions, *renaming, *tagged, *_numbering(movetext, first)]
    )
    tags = tuple((tag.name, tag.value) for tag in movetext.tags)
    return Record(
        dialect=dialect,
        span=span,
        tags=tags,
        time=time_of(tags),
        comment="\n".join(movetext.comments) if movetext.comments else None,
        plies=tuple(plies) if movetext.packed is None else movetext.packed,
        half_turn=movetext.half_turn,
        remarks=tuple(remarks),
        fault=fault,
        **{name: value for name, value in facts.items() if name not in _NOT_IN_RECORD},
        **outcome,
    )


def _outcome(movetext: Movetext, facts: dict[str, Any], to_move: int) -> tuple[dict[str, Any], list[Remark]]:
    """Return result and ending by terminator, resignation and tags, in this order of weight; and the contradictions."""
    remarks = []
    tags = {fact_of(tag.name): tag for tag in reversed(movetext.tags)}
    claimed, ending = facts.get("result"), facts.get("ending")
    result, span, by = None, None, None
    if movetext.terminator:
        result, span = movetext.terminator
    if movetext.resignation:
        named, place = movetext.resignation
        by = named or to_move
        due = win_against(by)
        if result is None and named:
            result, span = due, place
        elif result not in (None, due):
            remarks.append(Remark("W435", place, f"player {by} resigns, but the result is {result}", due))
        if ending not in (None, Ending.RESIGN):
            remarks.append(
                Remark("W427", tags["Termination"].span, f"Termination says {ending}, but player {by} resigns")
            )
        ending = Ending.RESIGN
    if result is None:
        result, span = claimed, tags["Result"].span if claimed else None
    elif claimed not in (None, result):
        remarks.append(
            Remark("W427", tags["Result"].span, f"Result says {claimed}, but the movetext ends with {result}", result)
        )
    if movetext.resignation and not movetext.resignation[0]:
        by = None  # the side to move: a replay decides that, if the record ends inside a turn
    if by is None and ending == Ending.TIME:
        by = facts.get("ending_by")
    if by is None and ending in LOSSES and result is not None and result in WINNERS:
        by = 3 - WINNERS[result]
    return {"result": result, "result_span": span, "ending": ending, "ending_by": by}, remarks


def _against_tags(movetext: Movetext, facts: dict[str, Any]) -> Iterator[Remark]:
    """Yield remarks on tags that contradict each other or the plies."""
    tags = {fact_of(tag.name): tag for tag in reversed(movetext.tags)}
    plies = movetext.length
    if facts.get("ply_count", plies) != plies:
        yield Remark(
            "W534",
            tags["PlyCount"].span,
            f"PlyCount says {facts['ply_count']}, but the record's plies are {plies}",
            str(plies),
        )
    if facts.get("set_up") and "position" not in facts:
        yield Remark("W533", tags["SetUp"].span, "SetUp announces a position that is missing")
    if "position" in facts and not facts.get("set_up"):
        yield Remark(
            "W533", tags["Position"].span, "the position counts although SetUp does not announce it", '[SetUp "1"]'
        )


def _numbering(movetext: Movetext, first: int) -> Iterator[Remark]:
    """Yield a remark on the first move number that matches neither a count of moves (two plies each) nor a count of plies."""
    by_move = by_ply = True
    for before, written, start in movetext.numbers:
        number, dots = int(written.rstrip(".…)")), written.count(".")
        turn, second = divmod(before + first - 1, 2)
        by_move &= number == turn + 1 and (dots not in (1, 3) or (dots == 3) == bool(second))
        by_ply &= number == before + 1
        if not by_move and not by_ply:
            due = f"{turn + 1}{'...' if second else '.'}"
            span = movetext.span(start, start + len(written))
            yield Remark("W522", span, f"the move number {written} is wrong: expected {due}", due)
            return


def _ninth_column(plies: list[Ply]) -> tuple[list[Ply], list[Remark]]:
    """Return plies of the 61 board with column j as i, unless i occurs too; and a remark if so."""
    named = [ring[0] for ply in plies for ring in named_rings(ply)]
    if "j" not in named or "i" in named:
        return plies, []
    span = next(ply.span for ply in plies if any(ring[0] == "j" for ring in named_rings(ply)))
    remark = Remark(
        "W730", span, f"column j is read as i, the ninth of the 61 board (number of such rings: {named.count('j')})"
    )
    return [with_column_i(ply) for ply in plies], [remark]


def with_column_i(ply: Ply) -> Ply:
    """Return a ply with column j as i."""
    return rename_rings(ply, lambda ring: ring.replace("j", "i"))


def _sorted(remarks: list[Remark]) -> Iterator[Remark]:
    """Yield remarks in the order of the text; of each habit only the first, with the number of places."""
    places = Counter(remark.code for remark in remarks if remark.code in _RECURRENT)
    for remark in sorted(remarks, key=lambda remark: remark.span.start):
        times = places.pop(remark.code, 0)
        if times > 1:
            yield remark._replace(message=f"{remark.message} ({times} times)")
        elif times or remark.code not in _RECURRENT:
            yield remark
