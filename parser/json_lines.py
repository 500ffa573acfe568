"""Read and write JSON lines, one object per record, as `zertz convert --to jsonl` and `zertz export` write them.

`json_lines.schema.json` next to this module defines an object. Keys beyond the game (verdict, findings, source of the record) are not read.
A damaged line is a record with a fault; the next line is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.movetext import Movetext
from zertz_db.parser.gipf.record_builder import record_of
from zertz_db.parser.gipf.results import result_of
from zertz_db.parser.gipf.syntax_errors import explain
from zertz_db.parser.gipf.tags import Tag
from zertz_db.parser.gipf.writer import ply_text, stated_tags
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, HalfTurn, Marble, Ply, Record, Remark, Span, SyntaxFault
from zertz_db.parser.text import colour_letters
from zertz_db.parser.text.line_index import Places, PlacesInOrder
from zertz_db.parser.text.name_parts import JSON_TEXT, NameFields, NamePart
from zertz_db.parser.text.normal_text import normal
from zertz_db.parser.text.size_limits import MAX_PLIES, is_too_long, too_long
from zertz_db.parser.vocabulary.terms import Ending, GameResult, Verdict

CODES = {
    "E226": "a line that is not a JSON object",
    "E227": "the moves of a JSON object can't be read",
    "E228": "a JSON object of a record that was illegal or unreadable",
    "N538": "an unknown key of a JSON object",
    "W547": "a value of a JSON object that is not understood",
    "W548": "a key occurs twice in a JSON object; the first one counts",
    **colour_letters.CODES,
}
"""Codes of this reader in addition to those of `gipf.CODES`."""

SCHEMA = Path(__file__).with_name("json_lines.schema.json")
"""JSON Schema of an object."""

_FACTS = {
    "player1": "Player1", "player2": "Player2", "event": "Event", "site": "Site", "date": "Date", "round": "Round",
    "result": "Result", "board": "Board", "rule_set": "RuleSet", "position": "Position", "ending": "Termination",
}  # fmt: skip
"""Keys that count if their tag is missing."""
_OWN = {"tags", "moves", "clocks", "comment", "comments", "marks", "variations", "half_turn", "resigned"}
_NOT_READ = {
    "id", "source", "member", "index", "line", "dialect", "verdict", "plies", "winner", "winning_sets", "captured", "pool", "findings",
    "legal_counts", "corrections",
}  # fmt: skip
"""Keys that follow from the record and are not read."""
_NOT_WHOLE = (Verdict.ILLEGAL, Verdict.UNREADABLE)

_LINE = re.compile(r"[^\n]*[^\s\ufeff][^\n]*")
_MOVES = re.compile(r'"moves"\s*:\s*\[')
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_NOT_IN_UNICODE = re.compile("[\ud800-\udfff]")
_MAX_MILLISECONDS = 999_999 * 3_600_000
_NO_LETTERS = r"(?!)"


# ---- writing


def write(record: Record) -> str:
    """Write a completed record as a line. Raises ValueError for a marble without a colour."""
    return json.dumps(described(record), ensure_ascii=False, allow_nan=False) + "\n"


def described(record: Record) -> dict[str, Any]:
    """Return the object of a game: its tags by the official notation's names, its moves and their notes.

    `record` is complete, or as complete as it could be read.
    """
    plies = record.plies
    object_: dict[str, Any] = {"tags": dict(stated_tags(record)), "moves": [ply_text(ply) for ply in plies]}
    per_ply: dict[str, Sequence[Any]] = {
        "clocks": [ply.clock for ply in plies],
        "comments": [ply.comment for ply in plies],
        "marks": [list(ply.marks) for ply in plies],
        "variations": [list(ply.variations) for ply in plies],
    }
    object_ |= {
        key: values for key, values in per_ply.items() if any(value is not None and value != [] for value in values)
    }
    if record.comment is not None:
        object_["comment"] = record.comment
    if record.half_turn is not None:
        object_["half_turn"] = {"text": record.half_turn.text, "player": record.half_turn.mover}
    if record.ending == Ending.RESIGN and record.ending_by is not None:
        object_["resigned"] = record.ending_by
    return object_


# ---- reading


def read(text: str, language: str | None = None) -> Iterator[Record]:
    """Yield a Record for each line that is not empty, in order. Nothing in a text raises; a damaged line has a `fault`.

    Moves have English colour letters, or those of `language`, or of the tag Language.
    """
    lines = PlacesInOrder(text)
    for line in _LINE.finditer(text):
        written = line[0].strip(" \t\r\f\v\ufeff")
        start = line.start() + line[0].index(written)
        span = lines.span(start, start + len(written))
        if is_too_long(span):
            yield Record(dialect="jsonl", span=span, fault=too_long(span))
        else:
            yield _read_line(written, Places.of(written, span), span, language)


def _read_line(line: str, places: Places, span: Span, language: str | None) -> Record:
    twice: list[str] = []
    try:
        content = json.loads(line, object_pairs_hook=lambda pairs: _first(pairs, twice), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        at = min(error.pos, len(line))
        place, message = places.span(at, min(at + 1, len(line))), f"this is not JSON: {_phrase(error.msg)}"
        fault = SyntaxFault("E226", place, message, suggestion=_OF_A_LIST if _is_of_a_list(line) else None)
        return Record(dialect="jsonl", span=span, fault=fault)
    except (ValueError, RecursionError) as error:
        cause = "it is nested too deep" if isinstance(error, RecursionError) else _phrase(str(error))
        return Record(dialect="jsonl", span=span, fault=SyntaxFault("E226", span, f"this is not JSON: {cause}"))
    if not isinstance(content, dict):
        fault = SyntaxFault("E226", span, f"a line holds an object, not {_kind(content)}", ('{"moves": [...]}',))
        return Record(dialect="jsonl", span=span, fault=fault)
    return _Object(line, places, span, content, twice).record(language)


_OF_A_LIST = "each line holds one object, without a list around them: `jq -c '.[]'` writes a list so"


def _is_of_a_list(line: str) -> bool:
    """Return whether a line has the bracket of a list of objects before it, or a comma or the other bracket after it."""
    return re.fullmatch(r"\[\s*(?:\{.*)?|[\s\S]*\}\s*[,\]]|\]", line) is not None


def _first(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            twice.append(key)
        content.setdefault(key, value)
    return content


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _phrase(message: str) -> str:
    """Return a message of Python's as a phrase in our style."""
    return (message[:1].lower() + message[1:]).rstrip(".") if message else "it can't be read"


def _kind(value: object) -> str:
    """Return the JSON name of a value's type."""
    names: tuple[tuple[type, str], ...] = (
        (bool, "true or false"), (str, "a text"), (int, "a number"), (float, "a number"), (list, "a list"), (dict, "an object"),
    )  # fmt: skip
    return next((name for kind, name in names if isinstance(value, kind)), "null")


class _Object:
    """An object while it becomes a Record."""

    def __init__(self, line: str, places: Places, span: Span, content: dict[str, Any], twice: list[str]) -> None:
        self._line, self._places, self._span, self._content = line, places, span, content
        self._movetext = Movetext(line, places)
        self._fault: SyntaxFault | None = None
        for key in dict.fromkeys(twice):
            self._remark("W548", f"the key {key!r} occurs twice; the first one counts")

    def _remark(self, code: str, message: str) -> None:
        self._movetext.remark(code, self._span, message)

    def _not_understood(self, key: str, value: object, due: str) -> None:
        self._remark("W547", f"{key} is {_kind(value)} that is not understood; expected {due}")

    def record(self, language: str | None) -> Record:
        """Return the record of the object."""
        self._take_tags()
        lettering = self._take_moves(language)
        self._take_notes()
        self._take_end()
        verdict = self._content.get("verdict")
        if verdict in _NOT_WHOLE and self._fault is None:
            message = f"the record of this line was {verdict}: the line lacks its moves from the fault on"
            self._fault = SyntaxFault("E228", self._span, message, suggestion="read the record itself")
        movetext = self._movetext
        record = record_of(movetext, self._span, self._fault, lettering, "jsonl")
        remarks = tuple(remark for remark in record.remarks if remark.code != "W725")  # every line has them
        return replace(record, remarks=remarks)

    # ---- tags

    def _take_tags(self) -> None:
        tags = self._content.get("tags")
        if tags is not None and not isinstance(tags, dict):
            self._not_understood("tags", tags, "an object")
        named = dict(tags) if isinstance(tags, dict) else {}
        if self._content.get("position") is not None and "Position" not in named:
            named.setdefault("SetUp", "1")
        for key, value in self._content.items():
            if key in _FACTS:
                named.setdefault(_FACTS[key], value)
            elif key not in _OWN and key not in _NOT_READ:
                self._take_unknown(key, value, named)
        for name, value in named.items():
            text = _as_text(value)
            if text is None and value is not None:
                self._not_understood(f"the tag {name!r}", value, "a text")
            elif text is not None:
                self._movetext.tags.append(Tag(self._clean(name), self._clean(text), self._span))
                if name == "Result" and result_of(text):
                    self._movetext.terminator = result_of(text) or GameResult.UNKNOWN, self._span

    def _take_unknown(self, key: str, value: object, named: dict[str, Any]) -> None:
        is_tag = _as_text(value) is not None and key not in named
        self._remark("N538", f"the key {key!r} is unknown: it is {'stored as a tag' if is_tag else 'skipped'}")
        if is_tag:
            named[key] = value

    def _clean(self, text: str) -> str:
        """Return a text without lone surrogates, which can't be stored."""
        if _NOT_IN_UNICODE.search(text):
            self._remark("W547", "half a character (a lone surrogate) is read as \ufffd")
            return _NOT_IN_UNICODE.sub("\ufffd", text)
        return text

    # ---- moves

    def _take_moves(self, language: str | None) -> Iterator[Remark]:
        moves = self._content.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            cause = "it has no moves" if moves is None else "its moves are not a list of texts"
            self._fault = SyntaxFault("E227", self._span, cause, ('"moves": ["Wd4,d1", …]',))
            return iter(())
        moves = moves[: MAX_PLIES + 1]
        stated = language or _language(self._movetext.tags)
        lettering = colour_letters.Lettering("")
        if stated and stated != "en":
            lettering = colour_letters.in_english("\n".join(moves), _NO_LETTERS, stated)
            moves = lettering.text.split("\n")
        for number, (move, place) in enumerate(zip(moves, self._places_of(moves), strict=True)):
            if not self._take_move(number, move, place):
                break
        return colour_letters.remarks_on(lettering._replace(is_open=False), lambda *_: self._span)

    def _places_of(self, moves: Sequence[str]) -> Iterator[Span]:
        """Return the span of each move, or the whole line if unknown."""
        begin = _MOVES.search(self._line)
        texts = _TEXT.finditer(self._line, begin.end()) if begin else iter(())
        for move in moves:
            match = next(texts, None)
            is_it = match is not None and match.end() - match.start() - 2 == len(move)
            yield self._places.span(match.start() + 1, match.end() - 1) if match and is_it else self._span

    def _take_move(self, number: int, move: str, place: Span) -> bool:
        """Take a move; return whether it is valid."""
        ply = _canonical(move)
        if ply is not None:
            self._movetext.plies.append(ply._replace(span=place))
            return True
        clean = normal(move, has_line_comments=False)
        one = Movetext(clean.text, Places.of(move, place))
        one.remarks += (
            Remark(departure.code, one.span(departure.start, departure.end), departure.message)
            for departure in clean.departures
        )
        items, failure = grammar.parse(clean.text)
        one.take_all(items)
        is_one = len(one.plies) == 1 and not (one.tags or one.terminator or one.resignation or one.half_turn)
        if failure or not is_one:
            fault = explain(move, failure, one.span) if failure else None
            message = fault.message if fault else f"{move!r} is not one ply"
            self._fault = SyntaxFault("E227", place, f"move {number + 1} can't be read: {message}")
            return False
        self._movetext.remarks += one.remarks
        self._movetext.plies.append(one.plies[0]._replace(span=place))
        return True

    # ---- what is noted of moves

    def _take_notes(self) -> None:
        plies = self._movetext.plies
        readers: Mapping[str, tuple[str, Callable[[Any], Any], str]] = {
            "clocks": ("clock", _milliseconds, "milliseconds"),
            "comments": ("comment", self._comment, "a text"),
            "marks": ("marks", self._marks, "a list of marks"),
            "variations": ("variations", self._texts, "a list of texts"),
        }
        for key, (field, understand, due) in readers.items():
            values = self._content.get(key)
            if values is None:
                continue
            if not isinstance(values, list) or (len(values) > len(plies) and self._fault is None):
                self._not_understood(key, values, "a list with an item for each move")
            for number, value in enumerate(values[: len(plies)] if isinstance(values, list) else ()):
                read = None if value is None else understand(value)
                if read is not None:
                    plies[number] = plies[number]._replace(**{field: read})
                elif value is not None:
                    self._not_understood(f"an item of {key}", value, due)
        comment = self._content.get("comment")
        if isinstance(comment, str):
            self._movetext.comments.append(self._clean(comment))
        elif comment is not None:
            self._not_understood("comment", comment, "a text")

    def _comment(self, value: object) -> str | None:
        return self._clean(value) if isinstance(value, str) else None

    def _texts(self, value: object) -> tuple[str, ...] | None:
        is_list = isinstance(value, list) and all(isinstance(text, str) for text in value)
        return tuple(map(self._clean, value)) if is_list else None  # type: ignore[call-overload]

    def _marks(self, value: object) -> tuple[str, ...] | None:
        marks = self._texts(value)
        return marks if marks is not None and all(map(grammar.pattern("<MARK>").fullmatch, marks)) else None

    # ---- the end

    def _take_end(self) -> None:
        resigned, half = self._content.get("resigned"), self._content.get("half_turn")
        if _is_player(resigned):
            self._movetext.resignation = (resigned, self._span)
        elif resigned is not None:
            self._not_understood("resigned", resigned, "1 or 2")
        if isinstance(half, dict) and isinstance(half.get("text"), str):
            player = half.get("player")
            mover = player if _is_player(player) else None
            self._movetext.half_turn = HalfTurn(self._clean(half["text"]), self._span, mover)
        elif half is not None:
            self._not_understood("half_turn", half, "an object with text and player")


def _is_player(value: object) -> bool:
    return type(value) is int and value in (1, 2)


def _milliseconds(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= _MAX_MILLISECONDS else None


def _as_text(value: object) -> str | None:
    """Return a tag's value as text, if it is a text or a whole number."""
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int and abs(value) < 10**18 else None


def _language(tags: Sequence[Tag]) -> str | None:
    stated = next((tag.value for tag in tags if tag.name.casefold() == "language"), None)
    return colour_letters.language_of(stated) if stated else None


@lru_cache(maxsize=50_000)
def _canonical(move: str) -> Ply | None:
    """Return the ply of a move in canonical official notation, without its span; None for any other text."""
    unit = grammar.pattern(grammar.UNIT).fullmatch(move)
    if unit is None or unit["number"] or unit["notes"] or unit["ply"] != move:
        return None
    nowhere = Span(0, 0, 1, 1)
    if unit["colour"]:
        claim = _marbles(unit["claim"] or "")
        return Ply(PLACEMENT, nowhere, unit["ring"], unit["colour"], unit["removed"], claim=claim)
    return Ply(CAPTURE, nowhere, unit["start"], jumps=_marbles(unit["jumps"])) if unit["start"] else Ply(PASS, nowhere)


def _marbles(text: str) -> tuple[Marble, ...]:
    return tuple(Marble(*pair) for pair in grammar.pattern(grammar.MARBLE).findall(text))


# ---- names


_PLAYER = re.compile(r'"player[12]"\s*:\s*("(?:[^"\\]|\\.)*")', re.IGNORECASE)


def _find_name_parts(text: str) -> Iterator[NamePart]:
    return (NamePart(*found.span(), JSON_TEXT) for found in _TEXT.finditer(text))


def _find_players(text: str) -> Iterator[str]:
    for found in _PLAYER.finditer(text):
        try:
            yield str(json.loads(found[1]))
        except ValueError:
            yield found[1]


NAME_FIELDS = NameFields(_find_name_parts, _find_players)
