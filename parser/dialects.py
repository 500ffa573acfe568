"""The forms in which ZÈRTZ records are written, and how to tell them apart.

A new dialect is a row in `DIALECTS` and a module that reads it, imported when it is first needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from parser.record import Record

_LOOKED_AT = 4000
"""So many characters of a text (its leading comments apart) decide what it is."""


class Dialect(NamedTuple):
    """One way of writing records down.

    `told_by` says in words how its texts are recognised, `sign` is the expression that does it; `endings` are the usual ends of
    file names, which decide where a text bears the signs of two. `read` gives the records of a text, by the file's name.
    """

    name: str
    description: str
    told_by: str
    sign: re.Pattern[str]
    endings: tuple[str, ...]
    read: Callable[[str, str], Iterator[Record]]


def _read_boardspace(text: str, name: str) -> Iterator[Record]:
    from parser import boardspace

    return boardspace.read(text, name)


def _read_gipf(text: str, _name: str) -> Iterator[Record]:
    from parser import gipf

    return gipf.read(text)


DIALECTS = (
    Dialect(
        "boardspace",
        "the SGF of the Boardspace game server",
        "a game that begins with `(;` and has GM[22], SU[Zertz…] or an action of P0 or P1",
        re.compile(r"\(\s*;[\s\S]*?(?:GM\s*\[\s*22\s*\]|SU\s*\[\s*zertz|P[01]\s*\[)", re.IGNORECASE),
        (".sgf",),
        _read_boardspace,
    ),
    Dialect(
        "gipf",
        "the official notation of gipf.com, with or without tags",
        'a tag such as [Event "…"], or a ply such as Wd4,d1 or x d1Gd3, at the start of a line',
        re.compile(
            r"""^\s*
            (?: \[ \s* \w+ \s+ "
              | (?: [0-9]{1,3} \s* \.* \s* )?
                (?: [WGB] \s? [a-q][0-9]{1,2} (?![a-z0-9]) | [x×] \s* [a-q][0-9]{1,2} \s* [WGB] \s* [a-q][0-9] )
            )""",
            re.MULTILINE | re.IGNORECASE | re.VERBOSE,
        ),
        (".txt", ".gipf"),
        _read_gipf,
    ),
)
"""The dialects that can be read; where a text bears the signs of several, and its name decides nothing, the first counts."""

_COMMENTS = re.compile(r"\ufeff?(?:\s++|\{[^}]*+\}|;[^\n]*+)*+")


def detect(text: str, name: str = "") -> str | None:
    """The name of the dialect that a text is written in, told by its content; None when it is no record.

    `name` is the file's name: its ending counts only where the content leaves a choice.
    """
    comments = _COMMENTS.match(text)
    head = text[comments.end() if comments else 0 :][:_LOOKED_AT]
    by_name = sorted(DIALECTS, key=lambda dialect: not name.lower().endswith(dialect.endings))
    return next((dialect.name for dialect in by_name if dialect.sign.search(head)), None)


def read(text: str, dialect: str | None = None, name: str = "") -> Iterator[Record]:
    """The records of a text, in order.

    `dialect` is a name out of `DIALECTS`, None to have it told by the content; a text that is no record has none. `name` is the
    file's name. Raises ValueError for an unknown dialect.
    """
    chosen = dialect or detect(text, name)
    if chosen is None:
        return iter(())
    for known in DIALECTS:
        if known.name == chosen:
            return known.read(text, name)
    names = ", ".join(known.name for known in DIALECTS)
    raise ValueError(f"there is no dialect {chosen!r}: choose one of {names}, or None to have it told by the content")
