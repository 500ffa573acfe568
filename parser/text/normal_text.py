"""Turn people's texts into texts that the grammars read: mail quotes, tables, program output, other scripts' letters.

Every change keeps a text's length, so offsets in it are offsets in the original. A change is a departure from the notation: the reader
remarks upon it.
"""

# ruff: noqa: RUF001 - these are the letters and signs of other scripts that it is about
from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.text.look_alikes import described, latin
from zertz_db.parser.text.size_limits import MAX_RECORD_LENGTH


class Departure(NamedTuple):
    """A changed or noticed part of the text: the finding's code, its range, the particulars."""

    code: str
    start: int
    end: int
    message: str


class Label(NamedTuple):
    """A player's name before a ply: its offset, and the player, 1 or 2; None for a name alone."""

    start: int
    mover: int | None


class NormalText(NamedTuple):
    """A text as a grammar reads it, and as comments and values are taken from it. Both have the length of the original."""

    text: str
    written: str
    departures: tuple[Departure, ...] = ()
    labels: tuple[Label, ...] = ()

    def part(self, start: int, end: int) -> NormalText:
        """Return the text between two offsets, with all offsets counted from the first."""
        departures = [
            found._replace(start=found.start - start, end=found.end - start)
            for found in _between(self.departures, start, end)
        ]
        labels = [label._replace(start=label.start - start) for label in _between(self.labels, start, end)]
        return NormalText(self.text[start:end], self.written[start:end], tuple(departures), tuple(labels))

    def records(self, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield the ranges of records, each with the departures before it and those after it on its last line.

        The last record also has all departures after it. `places` are the ranges of the records' own text, in order.
        """
        if not self.departures:
            yield from places
            return
        behind = 0
        following = iter(places)
        place = next(following, None)
        while place:
            start, end = place
            place = next(following, None)
            before = bisect_left(self.departures, behind, key=_start)
            if before < len(self.departures):
                start = min(start, self.departures[before].start)
            line_end = self.text.find("\n", end) if place else -1
            after = bisect_left(self.departures, line_end if line_end >= 0 else len(self.text), key=_start) - 1
            if after >= 0 and not self.text[end : self.departures[after].end].strip():
                end = max(end, self.departures[after].end)
            behind = end
            yield start, end


_Placed = TypeVar("_Placed", Departure, Label)


def _start(found: Departure | Label) -> int:
    return found.start


def _between(found: tuple[_Placed, ...], start: int, end: int) -> tuple[_Placed, ...]:
    """Return the items that begin between two offsets, from items in order."""
    return found[bisect_left(found, start, key=_start) : bisect_left(found, end, key=_start)] if found else ()


# ---- what is no movetext

COMMENT, LINE_COMMENT, SEPARATOR, TAG, ESCAPED_LINE = "comment", "line", "separator", "tag", "escaped"
OPEN = "open"
"""A brace that is not closed before the text ends: movetext, unless there is more text."""


class Passage(NamedTuple):
    """A part of a text that is not movetext, of one of the kinds above."""

    kind: str
    start: int
    end: int


_CELL = r"[A-Qa-q](?:1[0-2]|[1-9])"
_RING = rf"{_CELL}(?![0-9])"
_PLY = rf"(?:[WGBNSZwgbnsz][^\S\n]?{_RING}|[xX×][^\S\n]*{_RING})"
_NUMBER = r"(?:[0-9]{1,4}(?:\.{1,3}|[^\S\n]?[)…])[^\S\n]*)"
_ANY_PLY = compile_on_use(rf"(?<![0-9A-Za-z]){_PLY}")
_AS_MOVETEXT = compile_on_use(rf"[^\S\n]*(?:{_NUMBER}?{_PLY}|{_NUMBER})")
_PROSE = compile_on_use(
    r"(?<![^\W\d_])(?!(?:pass|passes|player|resigns?|resigned|tie|draw|drawn)(?!\w))[^\W\d_]{3,}", re.IGNORECASE
)
_UP_TO_SEMICOLON = compile_on_use(r"[^;{\n]*")

_TAG_AHEAD = r"[^\S\n]*\[\w[\w-]*[^\S\n]*\""
"""The rest of a line that begins like a tag."""
_STRING = r'"[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*"'
_MARKS = compile_on_use(
    r"(?P<escaped>^[^\S\n]*+%[^\n]*+)"
    r"|(?P<line>;)"
    rf"|(?P<tag>\[\s*+\w[\w-]*+[^\S\n]*+{_STRING}[^\S\n]*+\]?)"
    r"|(?P<brace>\{)",
    re.MULTILINE,
)
_PLAIN = compile_on_use(rf"\{{[^}}\\\n]*+(?:(?:\\[\s\S]|\n(?!{_TAG_AHEAD}))[^}}\\\n]*+)*(?P<closed>\}})?")
_IN_BRACES = compile_on_use(r"\\[\s\S]|[{}]")
_MAX_DEPTH = 1
"""Maximum depth of comments within a comment."""


def passages(text: str, has_line_comments: bool = True) -> Iterator[Passage]:
    """Yield the parts that are not movetext, in order; `has_line_comments`: a semicolon begins a comment.

    A comment ends at the first closing brace. If a line that begins like a tag precedes that brace, the comment quotes a game with comments
    of its own: it ends where its braces are balanced. If they never are, it was left open and is not a passage. A semicolon before movetext
    separates turns.
    """
    position = hopeless = 0
    while found := _MARKS.search(text, position):
        kind, start, position = found.lastgroup or "", found.start(), found.end()
        if kind == "brace":
            if start < hopeless == len(text):
                continue
            kind, end, hopeless = _comment(text, start, hopeless)
            if kind == COMMENT and end is None:
                continue
            position = end or position
        elif kind == LINE_COMMENT:
            if not has_line_comments:
                continue
            if _separates(text, start + 1):
                kind = SEPARATOR
            else:
                line_end = text.find("\n", start)
                position = line_end if line_end >= 0 else len(text)
        yield Passage(kind, start, position)


def _comment(text: str, opening: int, hopeless: int) -> tuple[str, int | None, int]:
    """Return the kind (None: not a comment) and the end of the text after a brace, and the offset before which no untagged comment ends.

    `hopeless` is the last offset returned.
    """
    if opening >= hopeless:
        plain = _PLAIN.match(text, opening)
        assert plain is not None  # noqa: S101 - it begins with a brace
        if plain["closed"]:
            return COMMENT, plain.end(), hopeless
        hopeless = plain.end()
    return (OPEN, None, hopeless) if hopeless == len(text) else (*_balanced(text, opening), hopeless)


def _balanced(text: str, opening: int) -> tuple[str, int | None]:
    """Return the offset after the brace that balances the one at `opening`, and COMMENT; no offset without such a brace.

    The kind is OPEN if more text can change that: no comment is longer than a record.
    """
    depth = 0
    for character in _IN_BRACES.finditer(text, opening + 1, opening + MAX_RECORD_LENGTH):
        if character[0] == "{":
            depth += 1
            if depth > _MAX_DEPTH:
                return COMMENT, None
        elif character[0] == "}":
            if not depth:
                return COMMENT, character.end()
            depth -= 1
    return COMMENT if opening + MAX_RECORD_LENGTH <= len(text) else OPEN, None


def _separates(text: str, behind: int) -> bool:
    """Return whether a semicolon precedes movetext: a ply or a move number, and no prose up to the next semicolon."""
    if not _AS_MOVETEXT.match(text, behind):
        return False
    rest = _UP_TO_SEMICOLON.match(text, behind)
    return rest is not None and not _PROSE.search(text, behind, rest.end())


class _Movetext:
    """The parts of a text that are movetext."""

    def __init__(self, found: Iterable[Passage]) -> None:
        self.passages = [passage for passage in found if passage.kind not in (SEPARATOR, OPEN)]
        self._starts = [passage.start for passage in self.passages]

    def has(self, offset: int) -> bool:
        """Return whether an offset lies in no passage."""
        before = bisect_right(self._starts, offset) - 1
        return before < 0 or offset >= self.passages[before].end

    def breaks(self, offset: int) -> bool:
        """Return whether an offset is inside a passage, not at its start."""
        before = bisect_left(self._starts, offset) - 1
        return before >= 0 and offset < self.passages[before].end

    def crosses(self, start: int, end: int) -> bool:
        """Return whether a passage is between two offsets, or over one of them."""
        return not self.has(start) or bisect_left(self._starts, end) > bisect_left(self._starts, start)


# ---- the changes

_Change = tuple[int, int, str]
"""Start, end, and the replacement of equal length."""

_LINE_CHARACTER = compile_on_use(r"^[^\S\n]*+[>%]", re.MULTILINE)
_COMMENT_OF_LINES = compile_on_use(r"\{[^{}\n]*+\n")
_OTHER_SCRIPT = compile_on_use("[^\x00-\x7f\u00a0\u00c0-\u0130\u0132-\u024f×½–—−…]")
_QUOTING = compile_on_use(r"^[^\S\n]*+>(?:[^\S\n]?>)*[^\S\n]?", re.MULTILINE)
_ATTRIBUTION = compile_on_use(r"^(?![^\S\n]*+>)[^\n]*:[^\S\n]*$(?=\n(?:[^\S\n]*\n)?[^\S\n]*+>)", re.MULTILINE)
_QUOTED_MARK = compile_on_use(rf"\\[\s\S]|[{{}}]|\n{_TAG_AHEAD}")
_AFTER_LABEL = rf"[^\S\n]+{_NUMBER}?(?:{_PLY}|(?:--?|[Pp]ass|[Rr]esigns?)(?![^\s;,]))"
"""A ply, a pass or a resignation."""
_LABEL = compile_on_use(
    r"(?<!\S)(?!(?:pass|passes|resigns?|resigned)(?!\w))"
    r"(?:[Pp]layer ?(?P<mover>[12ABab])|[^\W\d_]{2,40}(?: [^\W\d_]{2,40})?)[^\S\n]?:"
    rf"(?={_AFTER_LABEL})"
)
_COMMA = compile_on_use(
    rf"(?:,[^\S\n]?{_RING}|[xX×][^\S\n]*{_CELL}(?:[WGBNSZ]{_CELL})+)[^\S\n]*(?P<comma>,)"
    rf"(?=\s*{_NUMBER}?(?:[WGBNSZ][^\S\n]?{_RING}|[xX×][^\S\n]*{_RING}))"
)
"""A comma after a whole turn. A comma after a lone ring belongs to the removed ring."""
_LABEL_CHARACTER = compile_on_use(rf":{_AFTER_LABEL}")
_MOVERS = {"1": 1, "A": 1, "a": 1, "2": 2, "B": 2, "b": 2}
_TABLE_LINE = compile_on_use(r"^[^\n]*\|[^\n]*$|^[^\S\n]*\+[-=+]{3,}[^\S\n]*$", re.MULTILINE)
_IS_RULE = compile_on_use(r"[\s|:+=-]*--[\s|:+=-]*")
_IN_TABLE = compile_on_use(
    rf"(?<![0-9A-Za-z]){_PLY}|[01½]\s*[^\s\w|]\s*[01½]|½|(?<!\w)(?:pass|tie|draw|resign)|\*", re.I
)
_WORD = compile_on_use(r"(?<![^\s{};\[\]\"|])[^\s{};\[\]\"|\x80-\U0010ffff]*+[^\x00-\x7f\s][^\s{};\[\]\"|]*+")
_NOTATION_CHARACTERS = compile_on_use("[×½…‐‑‒–—―−\ufeff]")
_CONTROL = compile_on_use(r"[\x00\x1a]+")
_MAX_CONTROLS = 1_000
_ANY_TEXT = compile_on_use(r"[^\s\x00\x1a]")
_UNSEEN = compile_on_use("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]")


def normal(text: str, has_line_comments: bool = True) -> NormalText:
    """Return a text as the grammars of tags and movetext read it.

    Spaces replace mail quotes, tables, escaped lines, players' names before plies, and semicolons between turns. Latin letters replace
    look-alikes of other scripts. Quotes in a comment can't be taken for tags. Comments and tags' values stay unchanged.
    `has_line_comments`: a semicolon begins a comment.
    """
    if not _may_depart(text, has_line_comments):
        return NormalText(text, text)
    found: list[Departure] = []
    if ">" in text:
        text = _changed(text, _without_quoting(text, has_line_comments, found))
    written = text
    movetext = _Movetext(marks := list(passages(text, has_line_comments)))
    text = _changed(text, _from_passages(text, marks, found))
    if _has_controls(text):
        text = _changed(text, _without_controls(text, movetext, found))
    if "|" in text:
        text = _changed(text, _without_tables(text, movetext, found))
    if not text.isascii():
        text = _changed(text, _in_latin(text, movetext, found))
    if has_line_comments:
        text = _changed(text, _without_commas(text, movetext, found))
    labels: list[Label] = []
    text = _changed(text, _without_labels(text, movetext, found, labels))
    return NormalText(text, written, tuple(sorted(found, key=_start)), tuple(labels))


def _may_depart(text: str, has_line_comments: bool) -> bool:
    """Return whether there can be anything to change: a fast test."""
    return (
        "|" in text
        or (";" in text and has_line_comments)
        or (("%" in text or ">" in text) and bool(_LINE_CHARACTER.search(text)))
        or bool(_COMMENT_OF_LINES.search(text))
        or (not text.isascii() and bool(_OTHER_SCRIPT.search(text)))
        or _has_controls(text)
        or bool(_LABEL_CHARACTER.search(text))
        or (has_line_comments and bool(_COMMA.search(text)))
    )


def _changed(text: str, changes: Iterable[_Change]) -> str:
    """Return a text with changes that do not overlap."""
    parts, behind = [], 0
    for start, end, new in sorted(changes):
        parts += [text[behind:start], new]
        behind = end
    return "".join([*parts, text[behind:]]) if parts else text


def _blank(start: int, end: int) -> _Change:
    return start, end, " " * (end - start)


def _without_quoting(text: str, has_line_comments: bool, found: list[Departure]) -> Iterator[_Change]:
    """Yield spaces for `>` before lines, also in comments that begin in such a line, and for attributions of quotes."""
    quoted = [(mark.start(), mark.end()) for mark in _QUOTING.finditer(text)]
    lines = {start for start, _ in quoted}
    own = _Movetext(
        passage
        for passage in passages(_changed(text, (_blank(*mark) for mark in quoted)), has_line_comments)
        if passage.kind in (COMMENT, TAG) and text.rfind("\n", 0, passage.start) + 1 not in lines
    )
    for start, end in quoted:
        if own.has(start):
            found.append(Departure("W744", start, end, "a quotation mark before the line is skipped"))
            yield _blank(start, end)
    for line in _ATTRIBUTION.finditer(text):
        if own.has(line.start()) and not _ANY_PLY.search(line[0]):
            yield _blank(*line.span())


def _from_passages(text: str, marks: Iterable[Passage], found: list[Departure]) -> Iterator[_Change]:
    """Yield spaces for escaped lines and separators, and meaningless characters for quotes in a comment."""
    for kind, start, end in marks:
        if kind == ESCAPED_LINE:
            found.append(Departure("W743", start, end, "a line that begins with % is skipped"))
            yield _blank(start, end)
        elif kind == SEPARATOR:
            found.append(Departure("N535", start, end, "';' is read as a separator of turns, because movetext follows"))
            yield _blank(start, end)
        elif kind == LINE_COMMENT and (ply := _ANY_PLY.search(text, start, end)):
            found.append(Departure("W546", start, end, f"{ply[0]!r} is not read: ; begins a comment"))
        elif kind == COMMENT:
            characters = [
                character for character in _QUOTED_MARK.finditer(text, start + 1, end - 1) if character[0][0] != "\\"
            ]
            if any(character[0][0] == "\n" for character in characters):
                found.append(Departure("N532", start, start + 1, "the comment quotes tags; they belong to it"))
                yield from ((at, at + 1, "_") for at in map(_place_of_bracket, characters))


def _place_of_bracket(mark: re.Match[str]) -> int:
    return mark.start() + max(mark[0].find("["), 0)


def _has_controls(text: str) -> bool:
    return "\x00" in text or "\x1a" in text


def _without_controls(text: str, movetext: _Movetext, found: list[Departure]) -> Iterator[_Change]:
    """Yield spaces for the zeros and end marks with which old programs and damaged disks fill a file."""
    for controls in _CONTROL.finditer(text):
        if movetext.has(controls.start()):
            start, end = _place_of_controls(text, *controls.span())
            found.append(Departure("W713", start, end, f"the character {controls[0][0]!a} is read as a space"))
            yield _blank(*controls.span())


def _place_of_controls(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range of a departure: of many characters the one next to a record, which does not become longer by the others."""
    if end - start <= _MAX_CONTROLS:
        return start, end
    return (end - 1, end) if _ANY_TEXT.search(text, end) else (start, start + 1)


def _without_tables(text: str, movetext: _Movetext, found: list[Departure]) -> Iterator[_Change]:
    """Yield spaces for the borders of a table's cells, and for its rules and headings."""
    for line in _TABLE_LINE.finditer(text):
        start, end = line.span()
        bars = [at.start() + start for at in re.finditer(r"\|", line[0]) if movetext.has(at.start() + start)]
        if not bars and "|" in line[0]:
            continue
        found.append(
            Departure("W745", bars[0] if bars else start, (bars[0] if bars else start) + 1, "a table's cell is skipped")
        )
        is_heading = any(map(str.isalpha, line[0])) and not _IN_TABLE.search(line[0])
        if (is_heading or _IS_RULE.fullmatch(line[0])) and not movetext.crosses(start, end):
            yield _blank(start, end)
        else:
            yield from (_blank(at, at + 1) for at in bars)


def _in_latin(text: str, movetext: _Movetext, found: list[Departure]) -> Iterator[_Change]:
    """Yield Latin letters for their look-alikes, in words that are then all Latin, and spaces for invisible characters."""
    for word in _WORD.finditer(text):
        if not movetext.has(word.start()):
            continue
        characters = [" " if _UNSEEN.match(character) else latin(character) for character in word[0]]
        if not _NOTATION_CHARACTERS.sub("", "".join(characters)).isascii():
            continue
        for at, character in enumerate(characters, word.start()):
            if character != text[at]:
                yield at, at + 1, character
                code, read = ("W713", "a space") if character == " " else ("W740", character)
                found.append(Departure(code, at, at + 1, f"{text[at]!r} ({described(text[at])}) is read as {read}"))


def _without_commas(text: str, movetext: _Movetext, found: list[Departure]) -> Iterator[_Change]:
    """Yield spaces for commas between plies."""
    for comma in _COMMA.finditer(text):
        if movetext.has(comma.start()):
            found.append(Departure("N535", *comma.span("comma"), "',' is read as a separator of plies"))
            yield _blank(*comma.span("comma"))


def _without_labels(text: str, movetext: _Movetext, found: list[Departure], labels: list[Label]) -> Iterator[_Change]:
    """Yield spaces for players' names before plies."""
    for label in _LABEL.finditer(text) if _LABEL_CHARACTER.search(text) else ():
        if movetext.has(label.start()):
            found.append(Departure("W749", *label.span(), f"{label[0]!r} is skipped"))
            labels.append(Label(label.start(), _MOVERS.get(label["mover"] or "")))
            yield _blank(*label.span())


# ---- tags

_MARKS_OF_QUOTATION = {
    **dict.fromkeys('"“”„‟″〝〞＂', '"“”„‟″〝〞＂'),
    **dict.fromkeys("'‘’‚‛′", "'‘’‚‛′"),
    **dict.fromkeys("«»‹›", "«»‹›"),
}
"""For each quotation mark before a tag's value, the marks that may follow the value."""
_TAG_HEAD = compile_on_use(rf"(?P<head>\[\s*\w[\w-]*[^\S\n]*)(?P<mark>[{''.join(_MARKS_OF_QUOTATION)}])")
_TAG_PROPER = compile_on_use(rf"\[\s*\w[\w-]*[^\S\n]*{_STRING}[^\S\n]*\]")
_IN_VALUE = compile_on_use(r'["\\]')
_LINE_OF_TAGS = compile_on_use(r"^[^\S\n]*+(?=\[)", re.MULTILINE)
_TAG_ENDS = {
    marks: compile_on_use(rf"[{marks}][^\S\n]*\](?=[^\S\n]*(?:\Z|[\n\[]))")
    for marks in set(_MARKS_OF_QUOTATION.values())
}


def normal_tags(text: str) -> tuple[str, list[Departure]]:
    """Return a text with tags' values in plain quotation marks and none within, unless their ends are ambiguous.

    A tag ends with a quotation mark and a bracket before the end of the line or another tag. The text keeps its length.
    """
    changes: list[_Change] = []
    found: list[Departure] = []
    others: _Movetext | None = None
    for line in _LINE_OF_TAGS.finditer(text):
        position = line.end()
        while text.startswith("[", position):
            proper = _TAG_PROPER.match(text, position)
            if proper:
                position = _behind_blanks(text, proper.end())
                continue
            head = _TAG_HEAD.match(text, position)
            if head is None:
                break
            others = others or _Movetext(passages(text))
            line_end = text.find("\n", head.end())
            end = _TAG_ENDS[_MARKS_OF_QUOTATION[head["mark"]]].search(
                text, head.end(), line_end if line_end >= 0 else len(text)
            )
            if end is None or others.breaks(position):
                break
            value = text[head.end() : end.start()]
            message = "quotation marks in the value are not escaped" if '"' in value else "unusual quotation marks"
            found.append(Departure("W741", position, end.end(), f"{message}: read as {value!r}"))
            changes.append((head.end() - 1, end.start() + 1, '"' + _IN_VALUE.sub("_", value) + '"'))
            position = _behind_blanks(text, end.end())
    return _changed(text, changes), found


def _behind_blanks(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t"):
        position += 1
    return position
