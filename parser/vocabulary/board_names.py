"""Read the names of boards and of their columns."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from zertz_db.parser.lazy_patterns import compile_on_use

COLUMNS = "abcdefghijklmnopq"
"""Letters of the columns, from the left; no board has more."""
STANDARD_BOARDS = ("37", "40", "43", "44", "48", "61")
BOARDS = (*STANDARD_BOARDS, "custom")
"""The names of boards in this project."""

_RINGS = r"(?:rings?|ringen?|anelli|anneaux|anillos|aneis)"
_MORE = r"(?:37)?\+[0-9]{1,2}"
_NAME = compile_on_use(
    rf"(?:board )?(?:(?P<game>z(?:ertz)?) ?)?(?:(?P<more>{_MORE})|(?P<count>[0-9]{{2}}))?(?: ?{_RINGS})?(?: board)?"
)
_IN_WORDS = compile_on_use(rf"(?<![a-z0-9+])(?:(?:zertz ?)?{_MORE}|[0-9]{{2}} ?{_RINGS})(?![a-z0-9])")
_VARIANTS = {"zertz": "37", "zertz+h": "48", "zertz+xx": "custom", "custom": "custom", "custom board": "custom"}
"""Names without a number: the server's variants and our own."""
_LEAST = 37
_SERVERS = ("11", "24")
"""Numbers of rings beyond 37 on the server's boards. They follow the game's name, as in its `Z11-…`."""


@lru_cache(maxsize=1024)
def board_named(text: str) -> str | None:
    """Return the board of this name, "37" to "61" or "custom", or None if unknown.

    A board's name is its number of rings, or its number beyond 37, with or without the game's name. Capital and small letters, accents,
    spaces, hyphens and underscores make no difference.

    >>> [board_named(name) for name in ("ZÈRTZ+11", "+24", "37+11", "48 rings", "Z11", "Zertz", "Zertz+xx", "49", "huge")]
    ['48', '61', '48', '48', '48', '37', 'custom', None, None]
    """
    plain = _plain(text)
    if plain in _VARIANTS:
        return _VARIANTS[plain]
    name = _NAME.fullmatch(plain)
    if name is None:
        return None
    count = name["count"] or ""
    if name["more"] or (name["game"] and count in _SERVERS):
        count = str(_LEAST + int((name["more"] or count).rpartition("+")[2]))
    return count if count in STANDARD_BOARDS else None


def stated_board(board: str | None, position: str | None) -> str | None:
    """Return the board that a record states. A start position precedes a tag. None for a position on an unknown board."""
    return board_named(position.partition(" ")[0]) if position else board


def board_in(text: str) -> str | None:
    """Return the board in a title or a file's name, as in `ZÈRTZ+11 finals` or `48_rings`; None without one or with several."""
    boards = {board_named(name[0]) for name in _IN_WORDS.finditer(_plain(text))} - {None}
    return boards.pop() if len(boards) == 1 else None


def _plain(text: str) -> str:
    """Return a name without accents, capitals, and separators."""
    letters = "".join(
        character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character)
    )
    separated = re.sub(r"[\s_().\u2010-\u2015-]+", " ", letters.casefold()).strip()
    return re.sub(r" ?\+ ?", "+", separated)
