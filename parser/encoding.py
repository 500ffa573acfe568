"""Bytes to text and back, without losing one."""

from __future__ import annotations

import codecs
import re

_MARKED = {
    "utf-8-sig": (codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": (codecs.BOM_UTF16_BE, "utf-16-be"),
}
"""Encodings told by a byte order mark: name, mark, codec of what follows it."""

_LOST_HIGH_BYTE = re.compile("\xf0([0-9a-f]{2})")


def decode(data: bytes) -> tuple[str, str]:
    """The text of some bytes, and the name of its encoding.

    The name is "utf-8", "utf-8-sig", "utf-16-le" or "utf-16-be" (these three with a byte order mark, which is no part
    of the text), else "latin-1", which reads anything. Line ends stay as they are, and `encode(*decode(data)) == data`.
    """
    for name, (mark, codec) in _MARKED.items():
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(codec), name
            except UnicodeDecodeError:
                break
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


def decode_as(data: bytes, encoding: str) -> str:
    """The text of bytes whose encoding (as `decode` names it) is known: a part of a file need not tell it by itself."""
    mark, codec = _MARKED.get(encoding, (b"", encoding))
    return data.removeprefix(mark).decode(codec)


def encode(text: str, encoding: str) -> bytes:
    """The bytes of a text in an encoding that `decode` names, byte order mark included.

    Raises UnicodeEncodeError where the encoding has no such character.
    """
    mark, codec = _MARKED.get(encoding, (b"", encoding))
    return mark + text.encode(codec)


def restore_cyrillic(text: str) -> str:
    """Undo a damage of the game server's files: Cyrillic letters of which only the low byte is left.

    Each is written as the byte F0 and two hex digits (`\\xf018\\xf033` for "Иг"); the lost high byte is 04. Only for
    short texts that may hold a foreign language, such as results and dates: elsewhere the letter eth may be meant.
    """
    return _LOST_HIGH_BYTE.sub(lambda match: chr(0x400 + int(match[1], 16)), text)
