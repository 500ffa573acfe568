"""Convert bytes to text and back, without loss."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

UTF_8 = "utf-8"
UTF_8_MARKED = "utf-8-sig"
LOST_HIGH_BYTES = "latin-1-lost"


class _Wide(NamedTuple):
    """A form of UTF, its byte order mark (empty without one) and the codec of the bytes after it."""

    mark: bytes
    codec: str


_MARKED = {
    UTF_8_MARKED: _Wide(codecs.BOM_UTF8, "utf-8"),
    "utf-16-le": _Wide(codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be": _Wide(codecs.BOM_UTF16_BE, "utf-16-be"),
}
"""Encodings with a byte order mark."""
_UNMARKED = {"utf-16-le-unmarked": _Wide(b"", "utf-16-le"), "utf-16-be-unmarked": _Wide(b"", "utf-16-be")}
"""Encodings that zero bytes alone reveal."""
_WIDE = _MARKED | _UNMARKED

_CYRILLIC_WORD = re.compile(
    rb"(?<![A-Za-z\x80-\xff])(?:[\xc0-\xdf\xa8]?[\xe0-\xff\xb8]{2,}|[\xc0-\xdf\xa8][\xe0-\xff\xb8]|[\xc0-\xdf\xa8]{2,})(?![A-Za-z\x80-\xff])"
)
"""A word of at least two letters that are all Cyrillic in CP1251, with capitals in their usual places."""
_LATIN_WORD = re.compile(rb"[A-Za-z][\xc0-\xff]|[\xc0-\xff][A-Za-z]")
_CP1252_ONLY = re.compile(rb"[\x80-\x9f]")

_LOST_HIGH_BYTE = re.compile("\xf0([0-9a-f]{2})")
_LOST_CYRILLIC = re.compile(rb"\xf0(?:[0-5][0-9a-f]|9[01])")
"""A letter of any modern Cyrillic alphabet, of which only the low byte is left."""

_EXAMINED_LENGTH = 4000
"""Number of bytes examined for zeros between the letters."""
_LONE_RETURN = re.compile(r"\r(?!\n)")


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of some bytes, and the name of its encoding.

    The name is "utf-8", "utf-8-sig", "utf-16-le" or "utf-16-be" (these three with a byte order mark, which is not part of the text),
    "utf-16-le-unmarked" or "utf-16-be-unmarked" (detected by their zero bytes), "latin-1-lost" (damaged UTF-16: see `restore_cyrillic`),
    "cp1251" and "cp1252" if the letters match, else "latin-1", which reads anything. Line ends stay unchanged, and `encode(*decode(data))
    == data`.
    """
    for name, (mark, codec) in _MARKED.items():
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(codec), name
            except UnicodeDecodeError:
                break
    unmarked = _by_zeros(data) if b"\0" in data[:_EXAMINED_LENGTH] else None
    if unmarked:
        try:
            return decode_as(data, unmarked), unmarked
        except UnicodeDecodeError:
            pass
    try:
        return data.decode(UTF_8), UTF_8
    except UnicodeDecodeError:
        pass
    for name in _code_pages(data):
        text = _decoded_exactly(data, name)
        if text is not None:
            return text, name
    return data.decode("latin-1"), "latin-1"


def _by_zeros(data: bytes) -> str | None:
    """Return the UTF-16 encoding of a text without a mark: nearly every second byte of the start is zero, and none of the others."""
    looked_at = data[:_EXAMINED_LENGTH]
    if len(data) % 2:
        return None
    first, second = looked_at[::2].count(0), looked_at[1::2].count(0)
    if not first and 2 * second > len(looked_at) // 2:
        return "utf-16-le-unmarked"
    if not second and 2 * first > len(looked_at) // 2:
        return "utf-16-be-unmarked"
    return None


def _code_pages(data: bytes) -> list[str]:
    """Return the encodings of eight bits to try, the likeliest first."""
    high = sum(map(len, _CYRILLIC_WORD.findall(data)))
    if len(_LOST_CYRILLIC.findall(data)) > len(re.findall(rb"[\x80-\xff]", data)) // 2:
        return [LOST_HIGH_BYTES]
    if high > len(_LATIN_WORD.findall(data)):
        return ["cp1251"]
    return ["cp1252"] if _CP1252_ONLY.search(data) else []


def _decoded_exactly(data: bytes, encoding: str) -> str | None:
    """Return the text in an encoding that restores the same bytes, or None."""
    try:
        text = decode_as(data, encoding)
        return text if encode(text, encoding) == data else None
    except UnicodeError:
        return None


def decode_as(data: bytes, encoding: str) -> str:
    """Return the text of bytes in a known encoding (a name of `decode`). A part of a file need not reveal it."""
    if encoding == LOST_HIGH_BYTES:
        return restore_cyrillic(data.decode("latin-1"))
    mark, codec = _WIDE.get(encoding, (b"", encoding))
    return data.removeprefix(mark).decode(codec)


def encode(text: str, encoding: str) -> bytes:
    """Return the bytes of a text in an encoding of `decode`, with its byte order mark.

    Raises UnicodeEncodeError if the encoding lacks a character.
    """
    if encoding == LOST_HIGH_BYTES:
        return _HIGH.sub(lambda found: f"\xf0{ord(found[0]) - 0x400:02x}", text).encode("latin-1")
    mark, codec = _WIDE.get(encoding, (b"", encoding))
    return mark + text.encode(codec)


_HIGH = re.compile("[\u0400-\u04ff]")


def is_code_page(encoding: str) -> bool:
    """Return whether an encoding (a name of `decode`) is one of eight bits: a file may have records in several of those."""
    return encoding != UTF_8 and encoding not in _WIDE


def restore_cyrillic(text: str) -> str:
    """Repair a damage of the game server's files: Cyrillic letters of which only the low byte is left.

    Each is written as the byte F0 and two hex digits (`\\xf018\\xf033` for "Иг"); the lost high byte is 04. Only for short texts in a
    possibly foreign language, such as results and dates: elsewhere the letter eth may be meant.
    """
    return _LOST_HIGH_BYTE.sub(lambda match: chr(0x400 + int(match[1], 16)), text)


def with_line_feeds(text: str) -> str:
    """Return the text with a line feed for each carriage return that ends a line by itself; the length stays."""
    if "\r" not in text or text.count("\r") == text.count("\r\n"):
        return text
    return _LONE_RETURN.sub("\n", text)
