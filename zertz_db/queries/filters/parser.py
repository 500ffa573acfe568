"""Parse a filter to a tree, or report the error and its place."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken

from zertz_db.queries.filters.ast import All, Either, Negated, Node, Place, Plain, Range, Term
from zertz_db.queries.filters.errors import FilterError

_GRAMMAR = Path(__file__).with_name("filter.lark")
_LONGEST = 10_000


def parse(text: str) -> Node:
    """Return the tree of a text. FilterError for a syntax error. Not checked: fields and their values."""
    if len(text) > _LONGEST:
        raise FilterError(f"a filter has at most {_LONGEST:,} characters", text, Place(_LONGEST, len(text)))
    try:
        tree: Node = _parser().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise _explained(text, error) from error
    return tree


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR.read_text("utf-8"), parser="lalr", maybe_placeholders=False, transformer=_Builder())


class _Builder(Transformer[Token, Node]):
    """Builder of nodes; each method has the name of its rule."""

    def start(self, parts: list[Node]) -> Node:
        return parts[0] if parts else All(())

    def either(self, parts: list[Node]) -> Node:
        return parts[0] if len(parts) == 1 else Either(tuple(parts))

    def all(self, parts: list[Node]) -> Node:
        """Flatten nested conjunctions: parentheses around them change nothing."""
        flat = tuple(inner for part in parts for inner in (part.parts if isinstance(part, All) else (part,)))
        return flat[0] if len(flat) == 1 else All(flat)

    def negated(self, parts: list[Node]) -> Node:
        return Negated(parts[0])

    @v_args(inline=True)
    def term(self, field: Token, *values: Plain | Range) -> Term:
        return Term(field.rstrip(":").casefold(), values, _place(field))

    def text(self, parts: list[Token]) -> Term:
        return Term("text", (self.plain(parts),), _place(*parts))

    def plain(self, parts: list[Token]) -> Plain:
        word = parts[0]
        return Plain(word[1:-1] if word.type == "PHRASE" else str(word), _place(word))

    def compared(self, parts: list[Token]) -> Plain | Range:
        operator, word = parts
        place = _place(operator, word)
        if operator == "=":
            return Plain(str(word), place)
        low, high = (str(word), None) if ">" in operator else (None, str(word))
        return Range(low, high, strict="=" not in operator, place=place)

    def between(self, parts: list[Token]) -> Range:
        low, high = parts
        return Range(str(low), str(high), place=_place(low, high))

    def onwards(self, parts: list[Token]) -> Range:
        return Range(str(parts[0]), None, place=_place(*parts))

    def up_to(self, parts: list[Token]) -> Range:
        return Range(None, str(parts[0]), place=_place(*parts))


def _place(*tokens: Token) -> Place:
    return Place(tokens[0].start_pos or 0, tokens[-1].end_pos or 0)


def _explained(text: str, error: UnexpectedInput) -> FilterError:
    """Return the error for an unexpected token, by this token and the one before."""
    found = error.token if isinstance(error, UnexpectedToken) else Token("", "", start_pos=error.pos_in_stream)
    before = _tokens_before(text, found)
    return FilterError(*_problem(text, found, before))


def _problem(text: str, found: Token, before: list[Token]) -> tuple[str, str, Place]:
    last = before[-1] if before else Token("", "")
    start = len(text) if found.type == "$END" else found.start_pos or 0
    here = Place(start, start + max(1, len(found)))
    if text[start : start + 1] in ('"', "“"):
        return "this quotation mark is not closed", text, Place(start, len(text))
    if last.type == "FIELD" and found.type == "_OPEN":
        name = last.rstrip(":")
        return f"a value can't be in parentheses; separate values with commas: {name}:ONE,OTHER", text, here
    if last.type in _INCOMPLETE:
        return f"{last} {_INCOMPLETE[last.type]}", text, _place(last)
    if last.type == "_OPEN" and found.type == "_CLOSE":
        return "these parentheses are empty", text, _place(last, found)
    opened = _opened(before)
    if opened and found.type == "$END":
        return "this parenthesis is not closed", text, _place(opened[-1])
    if found.type == "_CLOSE":
        return "this parenthesis is not opened", text, here
    if found.type in ("_OR", "_AND"):
        return f"{found} needs a term before it", text, here
    if found.type == "_COMMA":
        return "a comma separates values of a field; quote words with commas", text, here
    return "unexpected text; quote words with these characters", text, here


_INCOMPLETE = {
    "FIELD": "needs a value",
    "COMPARISON": "needs a value after it",
    "_COMMA": "needs another value after it",
    "_TO": "needs a value after it",
    "_OR": "needs a term after it",
    "_AND": "needs a term after it",
    "_NOT": "needs a term after it",
    "_MINUS": "needs a term after it",
}
"""Tokens that can't end a filter, with their problems."""


def _tokens_before(text: str, found: Token) -> list[Token]:
    """Return the tokens before the unexpected one."""
    tokens: list[Token] = []
    with suppress(UnexpectedInput):
        tokens.extend(_parser().parse_interactive(text).iter_parse())  # `tokens` keeps those before the exception
    return [token for token in tokens if found.type == "$END" or (token.start_pos or 0) < (found.start_pos or 0)]


def _opened(tokens: list[Token]) -> list[Token]:
    """Return the parentheses that are still open."""
    opened: list[Token] = []
    for token in tokens:
        if token.type == "_OPEN":
            opened.append(token)
        elif token.type == "_CLOSE":
            opened.pop()
    return opened
