"""Text on pages: `escape_markdown` shows people's text unchanged; `describe_position` puts a position into words for screen readers."""

from __future__ import annotations

import re

from zertz_db.rules.position import Position

_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_{}\[\]()#+\-.!|~<>$:&^=@/]")
"""Characters that mean something in Markdown by themselves."""
_SHORTCODE_CHARACTERS = re.compile(r":(?=[\w+-]+:|//)|(?<=www)\.|@|[-<>~](?=[->=])", re.IGNORECASE)
"""Characters of texts that Streamlit replaces even if they are escaped: icons, emoji, links, mail addresses, arrows and dashes."""
_OPEN, _CLOSE = re.compile("[\u202a\u202b\u202d\u202e]"), "\u202c"
_OPEN_ISOLATE, _CLOSE_ISOLATE = re.compile("[\u2066-\u2068]"), "\u2069"


def escape_markdown(text: object) -> str:
    """Return Markdown that shows exactly this text: no character of a name or comment acts as Markdown.

    Each run of spaces becomes one space. A character that Streamlit replaces together with its neighbours gets its own element, which
    looks like the text around it.
    """
    found = " ".join(close_directions(str(text)).split())
    parts = []
    for number, part in enumerate(re.split(f"({_SHORTCODE_CHARACTERS.pattern})", found, flags=re.IGNORECASE)):
        escaped = _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", part)
        parts.append(f":color[{escaped}]" if number % 2 else escaped)
    return "".join(parts)


def close_directions(text: str) -> str:
    """Return a text that changes the writing direction only within itself: close at its end what it leaves open."""
    open_apart = len(_OPEN_ISOLATE.findall(text)) - text.count(_CLOSE_ISOLATE)
    still_open = len(_OPEN.findall(text)) - text.count(_CLOSE)
    return text + _CLOSE_ISOLATE * max(0, open_apart) + _CLOSE * max(0, still_open)


def describe_position(position: Position) -> str:
    """Return the marbles on the board and the number of rings, in words.

    >>> describe_position(Position.start("37").play("Wd4,d1").play("Wd3,a1"))
    'White on d3, d4; 35 rings.'
    """
    states = {ring: position.on(ring) for ring in position.board.rings}
    by_colour = [
        (name, [ring for ring, symbol in states.items() if symbol == name[0]]) for name in ("White", "Grey", "Black")
    ]
    parts = [f"{name} on {', '.join(rings)}" for name, rings in by_colour if rings] or ["No marbles"]
    return f"{'; '.join(parts)}; {sum(symbol is not None for symbol in states.values())} rings."


def format_clock(milliseconds: int | None) -> str | None:
    """Return a clock as hours, minutes and seconds."""
    if milliseconds is None:
        return None
    seconds = milliseconds // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
