"""What people call boards. It imports nothing, so that the rules go by it as readers and questions do."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

STANDARD_BOARDS = ("37", "40", "43", "44", "48", "61")
BOARDS = (*STANDARD_BOARDS, "custom")
"""What boards are called here."""

_RINGS = r"(?:rings?|ringen?|anelli|anneaux|anillos|aneis)"
_MORE = r"(?:37)?\+[0-9]{1,2}"
_NAME = re.compile(
    rf"(?:board )?(?:(?P<game>z(?:ertz)?) ?)?(?:(?P<more>{_MORE})|(?P<count>[0-9]{{2}}))?(?: ?{_RINGS})?(?: board)?"
)
_IN_WORDS = re.compile(rf"(?<![a-z0-9+])(?:(?:zertz ?)?{_MORE}|[0-9]{{2}} ?{_RINGS})(?![a-z0-9])")
_VARIANTS = {"zertz": "37", "zertz+h": "48", "zertz+xx": "custom", "custom": "custom", "custom board": "custom"}
"""Names without a number: the server's variants and our own."""
_LEAST = 37
_SERVERS = ("11", "24")
"""What the server's boards have more than 37: enough to name them behind the game's name, as in its `Z11-…`."""


@lru_cache(maxsize=1024)
def board_named(text: str) -> str | None:
    """The board of this name, "37" to "61" or "custom"; None where no board has it.

    A board is called by its rings, or by how many it has more than 37, with or without the game's name. Capital and small letters,
    accents, blanks, hyphens and underscores make no difference.

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
    """The board that a record states; a start position says it before a tag does. None for a position on no board that there is."""
    return board_named(position.partition(" ")[0]) if position else board


def board_in(text: str) -> str | None:
    """The board that a title or a file's name speaks of, as in `ZÈRTZ+11 finals` or `48_rings`; None for none, and for several."""
    found = {board_named(name[0]) for name in _IN_WORDS.finditer(_plain(text))} - {None}
    return found.pop() if len(found) == 1 else None


def _plain(text: str) -> str:
    """A name without accents, capitals, and signs that stand for blanks."""
    letters = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    words = re.sub(r"[\s_().\u2010-\u2015-]+", " ", letters.casefold()).strip()
    return re.sub(r" ?\+ ?", "+", words)
