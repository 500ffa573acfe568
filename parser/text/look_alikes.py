"""Replace letters and digits of other scripts that look like Latin ones."""

# ruff: noqa: RUF001 - these are the letters and signs of other scripts that it is about
from __future__ import annotations

import unicodedata
from functools import lru_cache

_SHAPES = {
    "A": "АΑᎪ", "B": "ВΒᏴ", "C": "СϹᏟ", "D": "Ꭰ", "E": "ЕΕᎬ", "F": "Ϝ", "G": "ԌᏀ", "H": "НΗᎻ", "I": "ІΙӀ", "J": "ЈᎫ",
    "K": "КΚᏦ", "L": "Ꮮ", "M": "МΜᎷ", "N": "Ν", "O": "ОΟՕ", "P": "РΡᏢ", "Q": "Ԛ", "S": "ЅՏᏚ", "T": "ТΤᎢ", "U": "Ս",
    "V": "ѴᏙ", "W": "ԜᎳ", "X": "ХΧ", "Y": "ҮΥ", "Z": "ΖᏃ",
    "a": "аαɑ", "b": "Ƅ", "c": "сϲ", "d": "ԁ", "e": "е", "f": "ƒ", "g": "ɡց", "h": "һհ", "i": "іıι", "j": "јϳ",
    "l": "ӏ", "n": "ո", "o": "оοօ", "p": "рρ", "q": "ԛզ", "s": "ѕ", "u": "ս", "v": "ѵν", "w": "ԝω", "x": "хχ✕✖⨯⨉╳",
    "y": "у", "/": "⁄∕",
}  # fmt: skip
"""For each Latin letter, the letters (Cyrillic, Greek, Armenian, Cherokee) and symbols that look like it."""

_LATIN = {shape: latin for latin, shapes in _SHAPES.items() for shape in shapes}


@lru_cache(maxsize=4096)
def latin(character: str) -> str:
    """Return the ASCII character that a character looks like, or the character itself.

    This covers fullwidth, raised and mathematical forms and the digits of all scripts. Spaces stay unchanged.
    """
    if character.isascii() or character.isspace():
        return character
    if character in _LATIN:
        return _LATIN[character]
    plain = unicodedata.normalize("NFKC", character)
    if len(plain) == 1 and plain.isascii() and plain.isprintable():
        return plain
    digit = unicodedata.digit(character, None)
    return character if digit is None else str(digit)


def in_latin(text: str) -> str:
    """Return a text of equal length with all look-alikes in ASCII."""
    return text if text.isascii() else "".join(map(latin, text))


def described(character: str) -> str:
    """Name a character: `U+0412, Cyrillic capital letter ve`."""
    name = unicodedata.name(character, "unnamed").capitalize()
    return f"U+{ord(character):04X}, {name}"
