"""Explain why a text is not official notation: the place, the cause, the expected text and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from zertz_db.parser.record import Span, SyntaxFault
from zertz_db.parser.text.lark_recovery import Failure
from zertz_db.parser.vocabulary.terms import RESULT_OF, GameResult

_PLY = ("COLOUR", "CAPTURE_X", "PASS")

EXPECTED = {
    "PLY": "a ply such as Wd4,d1 or x d1Gd3",
    "COLOUR": "a colour letter W, G or B",
    "CELL": "a ring such as d4",
    "COMMA": "a comma and the ring removed",
    "CLAIM_X": "a claim such as x Wa1",
    "GLUED": "a jump such as Gd3: the colour jumped and the ring reached",
    "NUMBER": "a move number",
    "MARK": "a mark such as ! or $1",
    "COMMENT": "a comment in braces",
    "LPAR": "a variation in parentheses",
    "RPAR": "a closing parenthesis",
    "LSQB": "a tag",
    "NAME": "a tag's name",
    "STRING": "a tag's value in quotes",
    "RSQB": "a closing bracket",
    "RESIGNS": "a resignation",
    "RESULT": "a result such as 1-0",
    "$END": "the end of the record",
}
"""Expected text by the grammar's terminal; PLY replaces all of _PLY."""

_AT_FIRST = {
    "RESIGNS": r"(?i)(?:player|res|giv)",
    "NUMBER": r"[0-9]+(?![0-9]*-)",
    "RESULT": r"[0-9½*=±∓+-]",
    "LSQB": r"\[",
}
"""The start of a word that is probably meant for this terminal, which is then named first."""

_MAX_EXPECTED = 3
_SELF_EVIDENT = ("E211", "E212", "E213", "E218", "E351", "E360", "E361")
"""Causes that need no list of expected texts."""

_WORD = r"[^\s{}();\[\]]+|\S|\Z"
_COLOURS = "colours are W (white), G (grey) and B (black), or all of a record in another language: BGN, WGS, WGZ"
_RINGS = "rings are a1 to q12: the column's letter and the ring's number in it, counted from the bottom"
_TAG_FORM = 'tags are written [Name "value"], each on a line of its own'

_NARROWER = {"E214": ("CELL",), "E215": ("COLOUR",)}
"""Terminals that the cause expects, narrower than the grammar's."""

_RING = r"[a-qA-Q](?:1[0-2]|[1-9])"
_MARBLES = rf"(?:[WGBwgb]{_RING})+"
_AFTER = {
    "captured": re.compile(rf"[x×X]\s*{_RING}\s*{_MARBLES}\s*\Z"),
    "removed": re.compile(rf"[WGBwgb]\s*{_RING}\s*,\s*{_RING}\s*\Z"),
}
"""Where a new ply could begin: after a capture, or after a placement with its ring."""
_MAX_PLY_LENGTH = 200

_JUDGEMENT = "{found} can be the result or a judgement of the position"
_DASH = "[-\u2010-\u2015\u2212]"

_CAUSES = (
    (
        "captured",
        rf",\s*{_RING}",
        "E360",
        "a turn that captures removes no ring, but here is {found}",
        "remove it",
    ),
    (
        "captured",
        rf"[x×X]\s*{_MARBLES}",
        "E361",
        "a turn that captures claims nothing, but here is {found}",
        "remove it",
    ),
    ("removed", rf",\s*{_RING}", "E351", "a turn removes one ring, but here is {found}", "remove it"),
    ("ring", r"[A-Za-z][0-9]+", "E214", "no board has a ring {found}", _RINGS),
    ("ring", r"\Z", "E216", "the text ends where a ring should follow", None),
    ("jump", r"\Z", "E217", "the text ends where a jump should follow", None),
    ("variation", r"\(", "E212", "this variation is never closed", "close it with )"),
    ("any", r"\{[^\n]*", "E211", "this comment is never closed", "close it with }}"),
    ("any", r"[)}]", "E218", "{found} closes nothing", "remove it"),
    ("tag", r"\[[^\n]*", "E213", "this tag is incomplete", _TAG_FORM),
    ("any", r"\[[^\n]*", "E213", "a tag is not allowed here", _TAG_FORM),
    ("ring", r"", "E216", "a ring should follow here, not {found}", None),
    ("jump", r"[^\W\d_WGBwgb](?=[A-Za-z][0-9])", "E215", "{found} is not a colour", _COLOURS),
    (
        "jump",
        r"",
        "E217",
        "a capture needs at least one jump; here is {found}",
        "write it as one word: x d1Gd3Wd5",
    ),
    ("ply", r"[^\W\d_WGBwgb](?=[A-Za-z][0-9])", "E215", "{found} is not a colour", _COLOURS),
    ("ply", r"[a-qA-Q][0-9]+", "E215", "{found} lacks its colour", "is it W{found}, G{found} or B{found}?"),
    ("ply", r"=(?![^\s{;.,])", "E210", _JUDGEMENT, f"for a tie write {GameResult.TIE}, for an even position $10"),
    *(
        (
            "ply",
            rf"(?:{signs})(?![^\s{{;.,])",
            "E210",
            _JUDGEMENT,
            f"if player {player} won write {RESULT_OF[player]}, for a judgement {nags}",
        )
        for signs, player, nags in (
            (rf"\+\s?[:/]?\s?{_DASH}{{1,2}}|±", 1, "$16 or $18"),
            (rf"{_DASH}{{1,2}}\s?[:/]?\s?\+|∓", 2, "$17 or $19"),
        )
    ),
    ("ply", r"[!?$(]", "E222", "{found} has no ply before it", None),
    ("ply", r"[WGBwgbx]", "E210", "{found} can't be read here", "if a new ply begins, put a space before it"),
    ("end", r"", "E219", "nothing can follow the end of the game; here is {found}", None),
    ("any", r"", "E210", "{found} can't be read here", None),
)
"""The scene ("any" is anywhere), the text found there, the code, the message and the suggestion; the first match counts."""


def explain(
    text: str, failure: Failure, place: Callable[[int, int], Span], words: Mapping[str, str] = EXPECTED
) -> SyntaxFault:
    """Return the fault of a failed text; `place` gives the Span between two offsets, `words` the names of terminals."""
    where = _where(failure.accepts)
    offset = failure.offset
    before = text[max(0, offset - _MAX_PLY_LENGTH) : offset]
    scenes = ["any", where, *(scene for scene, pattern in _AFTER.items() if where == "ply" and pattern.search(before))]
    if failure.opened is not None and (where == "tag" or (where == "variation" and offset == len(text))):
        offset = failure.opened
    match, code, message, suggestion = next(
        (match, code, message, suggestion)
        for scene, shape, code, message, suggestion in _CAUSES
        if scene in scenes and (match := re.compile(shape).match(text, offset))
    )
    found = match[0] or re.compile(_WORD).findall(text, offset)[0]
    return SyntaxFault(
        code,
        place(offset, offset + len(found)),
        message.format(found=repr(found) if found else "the end of the text"),
        () if code in _SELF_EVIDENT else _expected(_NARROWER.get(code, failure.accepts), found, words),
        suggestion.format(found=found) if suggestion else None,
    )


def _where(accepts: Collection[str]) -> str:
    """Return the scene that the grammar is in, by the terminals that it accepts next."""
    scenes = (
        ("RPAR", "variation"),
        ("NAME", "tag"),
        ("STRING", "tag"),
        ("RSQB", "tag"),
        ("CELL", "ring"),
        ("COLOUR", "ply"),
        ("PLY_COLOUR", "ply"),
    )
    for terminal, scene in scenes:
        if terminal in accepts:
            return scene
    if any(terminal.startswith("PLY") for terminal in accepts):
        return "start"
    if "$END" in accepts:
        return "end"
    return "jump" if "GLUED" in accepts else "other"


def _expected(accepts: Collection[str], found: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """Return the expected texts in place of `found`: the likeliest first, at most _MAX_EXPECTED."""
    terminals = set(accepts)
    if terminals.issuperset(_PLY):
        terminals = (terminals - set(_PLY)) | {"PLY"}
    known = [terminal for terminal in words if terminal in terminals]
    known.sort(key=lambda terminal: not re.match(_AT_FIRST.get(terminal, r"(?!)"), found))
    return tuple(words[terminal] for terminal in known[:_MAX_EXPECTED])
