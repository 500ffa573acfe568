"""Text on pages: that from records, shown as it is, whatever it looks like; and positions for who cannot see them."""

from __future__ import annotations

import re

from zertz_db.rules.position import Position

_MEANT = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&^=@])")


def plain(text: object) -> str:
    """A text as Markdown that shows exactly that text: names and comments may hold any sign, and mean nothing by it."""
    return _MEANT.sub(r"\\\1", " ".join(str(text).split()))


def in_words(position: Position) -> str:
    """What lies on the board, and how many rings there are.

    >>> in_words(Position.start("37").play("Wd4,d1").play("Wd3,a1"))
    'White on d4, d3; 35 rings.'
    """
    held = {ring: position.on(ring) for ring in position.board.rings}
    lying = [(name, [ring for ring, sign in held.items() if sign == name[0]]) for name in ("White", "Grey", "Black")]
    said = [f"{name} on {', '.join(rings)}" for name, rings in lying if rings] or ["No marbles"]
    return f"{'; '.join(said)}; {sum(sign is not None for sign in held.values())} rings."


def clock(milliseconds: int | None) -> str | None:
    """A clock as hours, minutes and seconds."""
    if milliseconds is None:
        return None
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
