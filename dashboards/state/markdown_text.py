"""Text on pages. `plain` makes text that people or records wrote Markdown that shows it as it is; positions for who cannot see them."""

from __future__ import annotations

import re

from zertz_db.rules.position import Position

_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_{}\[\]()#+\-.!|~<>$:&^=@/]")
"""Signs that mean something in Markdown, each by itself."""
_SHORTCODE_CHARACTERS = re.compile(r":(?=[\w+-]+:|//)|(?<=www)\.|@|[-<>~](?=[->=])", re.IGNORECASE)
"""A sign of what Streamlit replaces in texts even if it is escaped: icons, emoji, links, addresses of mail, arrows and dashes."""
_OPEN, _CLOSE = re.compile("[\u202a\u202b\u202d\u202e]"), "\u202c"
_OPEN_ISOLATE, _CLOSE_ISOLATE = re.compile("[\u2066-\u2068]"), "\u2069"


def escape_markdown(text: object) -> str:
    """Return a text as Markdown that shows exactly that text: names and comments may hold any sign, and mean nothing by it.

    Runs of blanks are one blank. A sign that is replaced with others beside it stands in an element of its own, which looks like the
    text around it.
    """
    found = " ".join(close_directions(str(text)).split())
    parts = []
    for number, part in enumerate(re.split(f"({_SHORTCODE_CHARACTERS.pattern})", found, flags=re.IGNORECASE)):
        escaped = _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", part)
        parts.append(f":color[{escaped}]" if number % 2 else escaped)
    return "".join(parts)


def close_directions(text: str) -> str:
    """Return a text that changes the direction of writing within itself only: what it leaves open is closed at its end."""
    open_apart = len(_OPEN_ISOLATE.findall(text)) - text.count(_CLOSE_ISOLATE)
    still_open = len(_OPEN.findall(text)) - text.count(_CLOSE)
    return text + _CLOSE_ISOLATE * max(0, open_apart) + _CLOSE * max(0, still_open)


def describe_position(position: Position) -> str:
    """What lies on the board, and how many rings there are.

    >>> in_words(Position.start("37").play("Wd4,d1").play("Wd3,a1"))
    'White on d4, d3; 35 rings.'
    """
    held = {ring: position.on(ring) for ring in position.board.rings}
    lying = [(name, [ring for ring, sign in held.items() if sign == name[0]]) for name in ("White", "Grey", "Black")]
    said = [f"{name} on {', '.join(rings)}" for name, rings in lying if rings] or ["No marbles"]
    return f"{'; '.join(said)}; {sum(sign is not None for sign in held.values())} rings."


def format_clock(milliseconds: int | None) -> str | None:
    """A clock as hours, minutes and seconds."""
    if milliseconds is None:
        return None
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
