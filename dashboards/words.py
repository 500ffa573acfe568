"""Text from records on pages: it is shown as it is, whatever it looks like."""

from __future__ import annotations

import re

_MEANT = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&^=@])")


def plain(text: object) -> str:
    """A text as Markdown that shows exactly that text: names and comments may hold any sign, and mean nothing by it."""
    return _MEANT.sub(r"\\\1", " ".join(str(text).split()))


def clock(milliseconds: int | None) -> str | None:
    """A clock as hours, minutes and seconds."""
    if milliseconds is None:
        return None
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
