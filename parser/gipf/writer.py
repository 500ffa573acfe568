"""Write completed records in canonical official notation.

In a comment or a tag's value, a backslash escapes any character but a letter or digit. Escaped are the backslash itself, `"` and line feeds
in tags, `{` and `}` in comments, spaces at a comment's ends, and anything else that would be read as notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.tags import ENDINGS, FIELDS, fact_of, first_mover, time_of
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, HalfTurn, Marble, Ply, Record
from zertz_db.parser.vocabulary.terms import Ending, GameResult, win_against

_WIDTH = 80

_ROSTER = ("Event", "Site", "Date", "Round", "Player1", "Player2", "Result")
_SPECIAL_IN_TAG = re.compile(r'[\\"\r\n]')
_SPECIAL_IN_COMMENT = re.compile(r"[\\{}\r]|\[(?=%clk)|(?<=\n)\[|\A\s|\s\Z|(?<=\Ahalf) (?=turn)")


def write(record: Record) -> str:
    """Return a completed record in official notation: tags, an empty line, movetext in lines of 80 columns, a line feed.

    Reading it gives the record again, except spans, remarks, and fields without notation (`Ply.taken_from`, `Ply.mover`). A record without
    result is written with `*`. Raises ValueError if a fact that replay fills in is missing, or if something can't be written; the message
    names it.
    """
    _require_complete(record)
    tags = [f'[{name} "{_escaped(_SPECIAL_IN_TAG, value)}"]' for name, value in _tags(record)]
    return "\n".join([*tags, "", *lines(_tokens(record)), ""])


def _require_complete(record: Record) -> None:
    lacking = {
        "its board is not known": record.board is None,
        "its rule set is not known": record.rule_set is None,
        "its edits are not applied to a position": bool(record.edits),
        "a custom board needs a position": record.board == "custom" and record.position is None,
        "it could not be read to its end": record.fault is not None,
        f"the notation has no word for the ending {record.ending!r}": record.ending not in ENDINGS,
    }
    for cause, holds in lacking.items():
        if holds:
            raise ValueError(f"this record can't be written: {cause}; replay completes a record")


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    for name, value in stated_tags(record):
        if not grammar.pattern("<NAME>").fullmatch(name):
            raise ValueError(f"this record can't be written: {name!r} can't be a tag's name")
        yield name, value


def stated_tags(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the tags of a record, those that state a fact first; each name once."""
    facts: dict[str, Any] = {name: getattr(record, field, None) for name, field in FIELDS.items()}
    facts["Language"] = None  # the text is written in English
    facts |= {
        "Date": record.date or "????.??.??",
        "Result": record.result or GameResult.UNKNOWN,
        "Tournament": "yes" if record.tournament else None,
        "Claims": "written" if record.claims == "written" else None,
        "Ties": "no" if record.ties is False else None,
        "Repetition": str(record.repetition) if record.repetition else None,
        "OutOfTime": f"Player{record.ending_by}" if _time_contradicts(record) else None,
        "SetUp": "1" if record.position else None,
        "PlyCount": str(len(record.plies)),
    }
    for name, value in facts.items():
        if value is not None or name in _ROSTER:
            yield name, value or "?"
    if record.time and time_of(record.tags) != record.time:
        yield "Time", record.time
    others = {name: value for name, value in reversed(record.tags) if fact_of(name) is None}
    for name in dict.fromkeys(name for name, _ in record.tags if name in others):
        yield name, others[name]


def _time_contradicts(record: Record) -> bool:
    """Return whether the result does not imply whose time ran out."""
    return (
        record.ending == Ending.TIME and record.ending_by is not None and win_against(record.ending_by) != record.result
    )


def _tokens(record: Record) -> Iterator[str]:
    """Yield the units that lines do not break: numbers, plies with their claims, comments, variations, the end."""
    if record.comment is not None:
        yield _comment(record.comment)
    yield from _turn_tokens(record.plies, first_mover(record.position) - 1)
    if record.half_turn is not None:
        yield _half_turn(record.half_turn)
    if record.ending == Ending.RESIGN and record.ending_by is not None:
        yield f"Player{record.ending_by} resigns"
    yield record.result or GameResult.UNKNOWN


def write_variation(plies: Sequence[Ply], before: int) -> str:
    """Return completed plies as the text of a variation, without its parentheses.

    before: the number of turns of both players before the first ply; it is odd if player 2 moves first. Raises ValueError as `write` does.
    """
    return " ".join(_turn_tokens(plies, before))


def _turn_tokens(plies: Sequence[Ply], before: int) -> Iterator[str]:
    """Yield plies with the numbers of their turns, of which there were `before`, each player's counted."""
    for place, ply in enumerate(plies):
        turn, second = divmod(place + before, 2)
        if ply.mover not in (None, second + 1):
            raise ValueError(
                f"ply {place + 1} can't be written: it is not player {ply.mover}'s turn; a pass is left out"
            )
        if not second:
            yield f"{turn + 1}."
        elif place == 0:
            yield f"{turn + 1}..."
        try:
            yield from _ply_tokens(ply)
        except ValueError as cause:
            raise ValueError(f"ply {place + 1} can't be written: {cause}") from None


def _ply_tokens(ply: Ply) -> Iterator[str]:
    marks = list(ply.marks)
    for mark in marks:
        if not grammar.pattern("<MARK>").fullmatch(mark):
            raise ValueError(f"{mark!r} is not a mark")
    glued = marks.pop(0) if marks and marks[0][0] in "!?" else ""
    yield ply_text(ply) + glued
    yield from marks
    if ply.clock is not None:
        yield _clock(ply.clock)
    if ply.comment is not None:
        yield _comment(ply.comment)
    for variation in ply.variations:
        if not grammar.is_variation(variation):
            raise ValueError("parentheses or braces of a variation do not match")
        yield f"({variation})"


def ply_text(ply: Ply) -> str:
    """Return a ply in official notation, without number and annotations.

    Raises ValueError if it lacks a colour, or has an invalid ring name.
    """
    if ply.kind == PASS:
        text = "-"
    elif ply.kind == CAPTURE:
        text = f"x {ply.ring}{_marbles(ply.jumps)}"
    else:
        removed = f",{ply.removed}" if ply.removed else ""
        claim = f" x {_marbles(ply.claim)}" if ply.claim else ""
        text = f"{_marbles([Marble(ply.colour, ply.ring)])}{removed}{claim}"
    if ply.kind not in (PLACEMENT, CAPTURE, PASS) or not grammar.pattern(grammar.UNIT).fullmatch(text):
        raise ValueError(f"{text!r} is not a ply")
    return text


def _marbles(marbles: Iterable[Marble]) -> str:
    if any(colour is None for colour, _ in marbles):
        raise ValueError("a marble's colour is not known; replay completes a record")
    return "".join(f"{colour}{ring}" for colour, ring in marbles)


def _clock(milliseconds: int) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    fraction = f".{rest:03}" if rest else ""
    text = f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}]"
    if not grammar.pattern("<CLOCK>").fullmatch(text):
        raise ValueError(f"a clock can't show {milliseconds} milliseconds")
    return f"{{{text}}}"


def _half_turn(half: HalfTurn) -> str:
    mover = f" {half.mover}" if half.mover else ""
    return f"{{half turn{mover}: {_escaped(_SPECIAL_IN_COMMENT, half.text)}}}"


def _comment(text: str) -> str:
    return f"{{{_escaped(_SPECIAL_IN_COMMENT, text)}}}"


def _escaped(special: re.Pattern[str], text: str) -> str:
    return special.sub(lambda character: f"\\{character[0]}", text)


def lines(tokens: Iterable[str]) -> Iterator[str]:
    """Yield lines filled with tokens; only a token that is longer itself exceeds the width."""
    line = ""
    for token in tokens:
        head = token.partition("\n")[0]
        if line and len(line.rpartition("\n")[2]) + 1 + len(head) > _WIDTH:
            yield line
            line = token
        else:
            line = f"{line} {token}" if line else token
    yield line
