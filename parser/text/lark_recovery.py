"""Read texts character by character with a grammar: as far as possible, with the exact place and cause of a failure.

Lark, which takes 50 ms to import, is imported with the first text that needs a grammar: commands that only query don't.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Item: TypeAlias = Token | Tree[Token]


class Failure(NamedTuple):
    """The place of a failure, the terminals accepted there, the first bracket or parenthesis still open."""

    offset: int
    accepts: frozenset[str]
    opened: int | None


def read_by_character(lark: Lark, text: str) -> tuple[list[Item], Failure | None]:
    """Return a text's items in order, by a parser with one start rule, up to a failure if there is one."""
    from lark import Token, UnexpectedInput

    parser = lark.parse_interactive(text)
    offset = len(text)
    try:
        parser.exhaust_lexer()
    except UnexpectedInput as error:
        offset = error.pos_in_stream or 0
    accepts = parser.accepts()  # type: ignore[no-untyped-call]
    items: list[Item] = []
    try:
        items = parser.feed_eof().children  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        items = list(_whole(parser.parser_state.value_stack))
    if offset == len(text) and "$END" in accepts:
        return items, None
    brackets = [item.start_pos for item in items if isinstance(item, Token) and item.type in ("LPAR", "LSQB")]
    return items, Failure(offset, frozenset(accepts), brackets[0] if brackets else None)


def _whole(stack: list[Item]) -> Iterator[Item]:
    """Yield the items on a parser's stack; rules that the grammar inlines (`_…`) give their parts."""
    for item in stack:
        if getattr(item, "data", "").startswith("_"):
            yield from _whole(item.children)  # type: ignore[union-attr]
        else:
            yield item
