"""Read records in the official notation: text in, one Record per game out.

`gipf.lark` is the notation; `grammar` finds where each record of a text begins and ends. Each record is parsed separately, with runs of
plies as single tokens. If that fails, it is parsed again character by character, which reads everything readable and knows the place and
cause of a failure. Both ways give the same Record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from zertz_db.parser import faults
from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.fast_path import read_fast
from zertz_db.parser.gipf.movetext import Movetext
from zertz_db.parser.gipf.record_builder import record_of
from zertz_db.parser.gipf.syntax_errors import explain
from zertz_db.parser.gipf.tags import fact_of, first_mover
from zertz_db.parser.record import Ply, Record, Remark, Span
from zertz_db.parser.text import colour_letters, size_limits
from zertz_db.parser.text.line_index import Places, PlacesInOrder
from zertz_db.parser.text.normal_text import NormalText, normal, normal_tags
from zertz_db.parser.text.size_limits import is_too_long, too_long
from zertz_db.parser.vocabulary.board_names import board_named, stated_board

CODES = {
    "E210": "a text that the notation does not allow here",
    "E211": "a comment is never closed",
    "E212": "a variation is never closed",
    "E213": "a tag is incomplete or in the wrong place",
    "E214": "a ring that no board has",
    "E215": "a marble's colour is missing or is not W, G or B",
    "E216": "a ring is missing",
    "E217": "a capture has no jump",
    "E218": "a closing bracket without an opening one",
    "E219": "something follows the end of the game",
    "E222": "a mark or variation precedes the first ply",
    "E351": "two rings are removed in one turn",
    "E360": "a ring is removed in a turn that captures",
    "E361": "a claim in a turn that captures",
    "W110": "a byte order mark is skipped",
    "W712": "a tab is read as a space",
    "W713": "an unusual kind of space is read as a space",
    "W714": "X or × is read as x",
    "W715": "a dash or the word pass is read as a pass",
    "W716": "a result in another spelling is read",
    "W717": "a lower-case colour letter is read",
    "W718": "a ring in upper case is read",
    "W719": "a space inside a ply is skipped",
    "W720": "a space around x is missing",
    "W721": "a move number in another spelling is read",
    "W522": "a wrong move number: plies may be missing",
    "W723": "a resignation in another spelling is read",
    "W725": "tags share a line",
    "W524": "a clock can't be read and stays in the comment",
    "W225": "a comment holds an opening brace: perhaps it was never closed",
    "W526": "a tag occurs twice; the first one counts",
    "W427": "the tags contradict the movetext about the result or the ending",
    "W528": "a tag's value is not understood",
    "W529": "the way in which the game ended is not understood",
    "W740": "a letter or digit of another script is read as the Latin one that it looks like",
    "W741": "quotation marks in a tag's value are not escaped, or those around it are unusual",
    "W742": "a game begins in the last line of the one before it",
    "W743": "a line that begins with % is skipped",
    "W744": "quotation marks of mails before lines (>) are skipped",
    "W745": "the borders of a table's cells are skipped",
    "W749": "a player's name before a ply is skipped",
    "W753": "a dash in place of a removed ring",
    "W757": "words after the end of the game are kept as a comment",
    "N532": "a comment quotes tags: no game begins in it",
    "N535": "a semicolon or comma between plies separates them",
    "W546": "a comment to the end of its line has a ply",
    "W730": "column j is read as i, the ninth column of the 61 board",
    "W531": "a date in another form",
    "W732": "a tag's name in another spelling is read",
    "W733": "a tag's value in another spelling is read",
    "W549": "a tag contradicts the words of the rule set",
    "N550": "the rule set basic means two games: today's is assumed, on board 37",
    "W533": "the tags SetUp and Position contradict each other",
    "W534": "the tag PlyCount contradicts the number of plies",
    "W435": "a resignation contradicts the result",
    "W536": "an unknown tag's name resembles a known one",
    **colour_letters.CODES,
    **size_limits.CODES,
}
"""The reader's findings: E faults (`Record.fault`), W remarks (`Record.remarks`)."""

STUCK = "W742"
"""The only code that depends on the record before it."""

_ODD_SPACES = {
    "\t": ("W712", "a tab is read as a space"),
    "\ufeff": ("W110", "a byte order mark is skipped"),
}
_ANY_ODD_CHARACTER = re.compile(r"[\t\r\v\f\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")
"""Faster than the next one; finds all that it finds."""
_ODD_SPACE = re.compile(r"(?!\r\n)[^\S \n]|\ufeff")
_SPACES_AND_TEXTS = rf"<COMMENT>|<HALF_TURN>|<LINE_COMMENT>|<STRING>|(?P<odd>{_ODD_SPACE.pattern})"


_NO_PLIES = "<COMMENT>|<HALF_TURN>|<LINE_COMMENT>|<TAG>"
_STATES_LANGUAGE = re.compile(r'\[\s*Language\s+"', re.IGNORECASE)


def read(text: str, language: str | None = None) -> Iterator[Record]:
    """Yield a Record for each game in a text in official notation, in order, as reading proceeds.

    An unreadable record has a `fault`, and the plies before it; reading continues with the next one. Nothing in a text raises. `language`
    is the language of its colour letters (`colour_letters.LANGUAGES`), if known. Codes are those of CODES. Source: the notation page of
    gipf.com.
    """
    clean = normal(text)
    lines, last_end, is_ended = PlacesInOrder(text), 0, True  # is_ended: the record before states its result
    for start, end in clean.records(grammar.split(clean.text)):
        is_attached = 0 < start == last_end and not text[start - 1].isspace()
        is_stuck = is_attached or (
            not is_ended and text[start : start + 1] == "[" and not _is_at_start_of_line(text, start)
        )
        odd = _ODD_SPACE.search(clean.text, last_end, start)  # this text belongs to the record, for the remarks
        begin, last_end = odd.start() if odd else start, end
        span = lines.span(begin, last_end)
        if is_too_long(span):
            yield Record(dialect="gipf", span=span, fault=too_long(span))
            continue
        one = partial(_read_piece, clean.part(begin, last_end), span, language)
        record = faults.guarded(one, partial(faults.unread, dialect="gipf", span=span))
        is_ended = record.result is not None
        yield _as_stuck(record) if is_stuck else record


def _read_piece(piece: NormalText, span: Span, language: str | None) -> Record:
    places = Places.of(piece.text, span)
    record = None if language or piece.departures else _read_fast(piece.text, places, span)
    return record or _parse_fully(piece, places, span, language)


def _is_at_start_of_line(text: str, at: int) -> bool:
    """Return whether only spaces are before a place in its line."""
    while at and text[at - 1] != "\n":
        at -= 1
        if not text[at].isspace():
            return False
    return True


def _as_stuck(record: Record) -> Record:
    """Return the record with a remark that its game begins in the last line of the one before it."""
    message = CODES[STUCK].replace("a game", "the game")
    remark = Remark(STUCK, record.span._replace(end=record.span.start + 1), message)
    return replace(record, remarks=(remark, *record.remarks))


def _parse_fully(clean: NormalText, places: Places, span: Span, language: str | None = None) -> Record:
    piece, quoting = normal_tags(clean.text)
    letter_language = None
    remarks = list(_odd_spaces(piece, places))
    remarks += (
        Remark(found.code, places.span(found.start, found.end), found.message)
        for found in (*clean.departures, *quoting)
    )
    if language or colour_letters.FOREIGN_LETTER.search(piece) or _STATES_LANGUAGE.search(piece):
        lettering = colour_letters.in_english(piece, grammar.pattern(_NO_PLIES).pattern, language)
        piece, letter_language = lettering.text, lettering.language
        # The notation itself is English: B is black unless something contradicts it.
        remarks += colour_letters.remarks_on(lettering._replace(is_open=False), places.span)
    items, failure = grammar.parse(piece)
    movetext = Movetext(piece, places, clean.written, clean.labels)
    movetext.take_all(items)
    fault = explain(piece, failure, places.span) if failure else None
    if fault and fault.code.startswith("E3"):  # a superfluous part: the ply before it is not a turn
        del movetext.plies[-1:]
    record = record_of(movetext, span, fault, remarks)
    return record if letter_language in (None, "en") else replace(record, language=letter_language)


def _read_fast(piece: str, places: Places, span: Span) -> Record | None:
    """Return the record of a piece in the writer's own form, or None for any other."""
    fast = read_fast(piece, partial(_read_plies, piece, places))
    if fast is None or _ANY_ODD_CHARACTER.search(piece):
        return None
    movetext = Movetext(piece, places)
    movetext.take_tags(*fast.tags)
    facts = {fact_of(tag.name): tag.value for tag in movetext.tags}
    position = facts.get("Position")
    has_ninth = stated_board(board_named(facts.get("Board", "")), position) == "61"
    if (has_ninth and "j" in piece) or first_mover(position) != 1 or "Language" in facts:
        return None
    movetext.packed = fast.plies
    movetext.terminator = fast.result, places.span(fast.result_at, fast.result_at + len(fast.result))
    return record_of(movetext, span, None, ())


def _read_plies(piece: str, places: Places, start: int, end: int) -> tuple[Ply, ...]:
    """Return the plies of a plain record, those of the full parse, without the parser."""
    movetext = Movetext(piece, places)
    movetext.take_run(start, end)
    movetext.take_all(())
    return tuple(movetext.plies)


def _odd_spaces(piece: str, places: Places) -> Iterator[Remark]:
    """Yield remarks on unusual space characters outside comments and values of tags."""
    if not _ODD_SPACE.search(piece):
        return
    for found in grammar.pattern(_SPACES_AND_TEXTS).finditer(piece):
        if found["odd"]:
            code, message = _ODD_SPACES.get(
                found["odd"], ("W713", f"the character {found['odd']!a} is read as a space")
            )
            yield Remark(code, places.span(*found.span()), message)
