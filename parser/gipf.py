"""Reads records in the official notation: text in, one Record per game out.

`gipf.lark` is the notation; `gipf_grammar` finds where each record of a text begins and ends. A record is parsed by itself: with
runs of plies as single tokens, and where that fails once more sign by sign, which reads everything that can be read and knows
the place and cause of what can't. Both ways give the same Record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from parser import gipf_grammar as grammar
from parser.gipf_faults import explain
from parser.gipf_movetext import LENIENT, Movetext, Places
from parser.gipf_swift import read_swiftly
from parser.gipf_tags import fact_of, first_mover, understand
from parser.record import Marble, Ply, Record, Remark, Span, SyntaxFault

CODES = {
    "E210": "something stands where the notation has no place for it",
    "E211": "a comment is never closed",
    "E212": "a variation is never closed",
    "E213": "a tag is incomplete or stands in the wrong place",
    "E214": "a ring is on no board",
    "E215": "a marble's colour is missing or is none of W, G and B",
    "E216": "a ring is missing",
    "E217": "a capture has no jump",
    "E218": "a bracket closes what is not open",
    "E219": "something follows the end of the game",
    "E222": "a mark or variation stands before the first ply",
    "W110": "a byte order mark is passed over",
    "W712": "a tab is read as a blank",
    "W713": "an unusual kind of blank is read as a blank",
    "W714": "X or × is read as x",
    "W715": "a dash or the word pass is read as a pass",
    "W716": "a result in another spelling is read",
    "W717": "a lower-case colour letter is read",
    "W718": "a ring in upper case is read",
    "W719": "a blank inside a ply is passed over",
    "W720": "a blank around x is missing",
    "W721": "a move number in another spelling is read",
    "W522": "a move number does not fit: plies may be missing",
    "W723": "a resignation in another spelling is read",
    "W524": "a clock can't be read and stays in the comment",
    "W225": "a comment holds an opening brace: perhaps it was never closed",
    "W526": "a tag is there twice; the first one counts",
    "W427": "the tags contradict the movetext about the result or the ending",
    "W528": "a tag's value is not understood",
    "W529": "the way in which the game ended is not understood",
    "W730": "column j is read as i, the ninth column of the 61 board",
    "W531": "a date in another form",
    "W732": "a tag's name in another spelling is read",
    "W533": "the tags SetUp and Position do not fit together",
    "W534": "the tag PlyCount does not fit the plies",
    "W435": "a resignation contradicts the result",
    "W536": "a tag's name is unknown, and looks like one that counts",
}
"""The reader's findings: E faults (`Record.fault`), W remarks (`Record.remarks`)."""

_HABITS = {"W110", "W712", "W713", "W719", "W720"} | {code for code, _ in LENIENT.values()}
"""How somebody writes throughout: remarked upon once in a record, at the first place, with the number of places."""

_NOT_IN_RECORD = {"set_up", "ply_count", "result", "ending", "ending_by"}
_WON_AGAINST = {1: "0-1", 2: "1-0"}

_ODD_BLANKS = {
    "\t": ("W712", "a tab is read as a blank"),
    "\ufeff": ("W110", "a byte order mark is passed over"),
}
_ANY_ODD_SIGN = re.compile(r"[\t\r\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")
"""Quicker than the next one, and finds all that it does."""
_ODD_BLANK = re.compile(r"(?!\r\n)[^\S \n]|\ufeff")
_BLANKS_AND_TEXTS = rf"<COMMENT>|<HALF_TURN>|<LINE_COMMENT>|<STRING>|(?P<odd>{_ODD_BLANK.pattern})"


def read(text: str) -> Iterator[Record]:
    """Reads a text in official notation: yields a Record for each game found, in order, as it goes along.

    A record that can't be read has a `fault`, and the plies before it; reading goes on with the next one. Nothing in a text
    raises. Codes are those of CODES. Source: the notation page of gipf.com.
    """
    behind, last_line = 0, (1, 0)
    for start, end in grammar.split(text):
        piece = text[behind:end]
        if odd := _ODD_BLANK.search(text, behind, start):  # what is remarked upon is the record's
            start = odd.start()
        places = Places(piece, behind, *last_line)
        span = places.span(start - behind, end - behind)
        yield _read_swiftly(piece, places, span) or _read_thoroughly(piece, places, span)
        behind, last_line = end, places.last_line()


def _read_thoroughly(piece: str, places: Places, span: Span) -> Record:
    items, failure = grammar.parse(piece)
    movetext = Movetext(piece, places)
    for item in items:
        movetext.take(item)
    fault = explain(piece, failure, places.span) if failure else None
    return _record(movetext, span, fault, _odd_blanks(piece, places))


def _read_swiftly(piece: str, places: Places, span: Span) -> Record | None:
    """The record of a piece that is written as the writer writes; None for any other."""
    swift = read_swiftly(piece, lambda: tuple(_read_thoroughly(piece, places, span).plies))
    if swift is None or _ANY_ODD_SIGN.search(piece):
        return None
    movetext = Movetext(piece, places)
    movetext.take_tags(*swift.tags)
    facts = {fact_of(tag.name): tag.value for tag in movetext.tags}
    if (facts.get("Board") == "61" and "j" in piece) or first_mover(facts.get("Position")) != 1:
        return None
    movetext.packed = swift.plies
    movetext.terminator = swift.result, places.span(swift.result_at, swift.result_at + len(swift.result))
    return _record(movetext, span, None, ())


def _record(movetext: Movetext, span: Span, fault: SyntaxFault | None, remarks: Iterable[Remark]) -> Record:
    facts, odd = understand(movetext.tags)
    first = first_mover(facts.get("position"))
    to_move = 1 + (first - 1 + movetext.length) % 2
    outcome, contradictions = _outcome(movetext, facts, to_move)
    plies, renamed = _ninth_column(movetext.plies) if facts.get("board") == "61" else (movetext.plies, [])
    tagged = _against_tags(movetext, facts) if fault is None else ()
    remarks = _sorted(
        [*odd, *movetext.remarks, *remarks, *contradictions, *renamed, *tagged, *_numbering(movetext, first)]
    )
    return Record(
        dialect="gipf",
        span=span,
        tags=tuple((tag.name, tag.value) for tag in movetext.tags),
        comment="\n".join(movetext.comments) if movetext.comments else None,
        plies=tuple(plies) if movetext.packed is None else movetext.packed,
        half_turn=movetext.half_turn,
        remarks=tuple(remarks),
        fault=fault,
        **{name: value for name, value in facts.items() if name not in _NOT_IN_RECORD},
        **outcome,
    )


def _outcome(movetext: Movetext, facts: dict[str, Any], to_move: int) -> tuple[dict[str, Any], list[Remark]]:
    """Result and ending by terminator, resignation and tags, in this order of weight; and what contradicts."""
    remarks = []
    tags = {fact_of(tag.name): tag for tag in reversed(movetext.tags)}
    claimed, ending = facts.get("result"), facts.get("ending")
    result, span, by = None, None, None
    if movetext.terminator:
        result, span = movetext.terminator
    if movetext.resignation:
        named, place = movetext.resignation
        by = named or to_move
        due = _WON_AGAINST[by]
        if result is None and named:
            result, span = due, place
        elif result not in (None, due):
            remarks.append(Remark("W435", place, f"player {by} resigns, but the result is {result}", due))
        if ending not in (None, "resign"):
            remarks.append(
                Remark("W427", tags["Termination"].span, f"Termination says {ending}, but player {by} resigns")
            )
        ending = "resign"
    if result is None:
        result, span = claimed, tags["Result"].span if claimed else None
    elif claimed not in (None, result):
        remarks.append(
            Remark("W427", tags["Result"].span, f"Result says {claimed}, but the movetext ends with {result}", result)
        )
    if movetext.resignation and not movetext.resignation[0]:
        by = None  # whoever's turn it was: that is for a replay to say, where it ends inside a turn
    if by is None and ending == "time":
        by = facts.get("ending_by")
    if by is None and ending in ("resign", "time"):
        by = next((loser for loser, won in _WON_AGAINST.items() if won == result), None)
    return {"result": result, "result_span": span, "ending": ending, "ending_by": by}, remarks


def _against_tags(movetext: Movetext, facts: dict[str, Any]) -> Iterator[Remark]:
    """Remarks on tags that do not fit each other or the plies."""
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
        yield Remark("W533", tags["SetUp"].span, "SetUp announces a position, but there is none")
    if "position" in facts and not facts.get("set_up"):
        yield Remark(
            "W533", tags["Position"].span, "the position counts though SetUp does not announce it", '[SetUp "1"]'
        )


def _numbering(movetext: Movetext, first: int) -> Iterator[Remark]:
    """A remark on the first move number that fits neither a count of moves (two plies each) nor a count of plies."""
    by_move = by_ply = True
    for before, written, start in movetext.numbers:
        number, dots = int(written.rstrip(".…)")), written.count(".")
        turn, second = divmod(before + first - 1, 2)
        by_move &= number == turn + 1 and (dots not in (1, 3) or (dots == 3) == bool(second))
        by_ply &= number == before + 1
        if not by_move and not by_ply:
            due = f"{turn + 1}{'...' if second else '.'}"
            span = movetext.span(start, start + len(written))
            yield Remark("W522", span, f"the move number {written} does not fit: {due} is due", due)
            return


def _ninth_column(plies: list[Ply]) -> tuple[list[Ply], list[Remark]]:
    """Plies of the 61 board with column j as i, unless i occurs too; and a remark if so."""
    named = [ring[0] for ply in plies for ring in _rings(ply)]
    if "j" not in named or "i" in named:
        return plies, []
    span = next(ply.span for ply in plies if any(ring[0] == "j" for ring in _rings(ply)))
    remark = Remark(
        "W730", span, f"column j is read as i, the ninth of the 61 board (rings so named: {named.count('j')})"
    )
    return [_with_column_i(ply) for ply in plies], [remark]


def _rings(ply: Ply) -> list[str]:
    single = [ring for ring in (ply.ring, ply.removed) if ring]
    return single + [marble.ring for marble in (*ply.jumps, *ply.claim)]


def _with_column_i(ply: Ply) -> Ply:
    def marbles(written: tuple[Marble, ...]) -> tuple[Marble, ...]:
        return tuple(Marble(colour, ring.replace("j", "i")) for colour, ring in written)

    return ply._replace(
        ring=ply.ring.replace("j", "i"),
        removed=ply.removed and ply.removed.replace("j", "i"),
        jumps=marbles(ply.jumps),
        claim=marbles(ply.claim),
    )


def _odd_blanks(piece: str, places: Places) -> Iterator[Remark]:
    """Remarks on blanks that are neither spaces nor line feeds, comments and tags' values left aside."""
    if not _ODD_BLANK.search(piece):
        return
    for found in grammar.pattern(_BLANKS_AND_TEXTS).finditer(piece):
        if found["odd"]:
            code, message = _ODD_BLANKS.get(found["odd"], ("W713", f"the sign {found['odd']!a} is read as a blank"))
            yield Remark(code, places.span(*found.span()), message)


def _sorted(remarks: list[Remark]) -> Iterator[Remark]:
    """Remarks in the order of the text; of each habit the first only, with the number of places."""
    places = Counter(remark.code for remark in remarks if remark.code in _HABITS)
    for remark in sorted(remarks, key=lambda remark: remark.span.start):
        times = places.pop(remark.code, 0)
        if times > 1:
            yield remark._replace(message=f"{remark.message} ({times} times)")
        elif times or remark.code not in _HABITS:
            yield remark
