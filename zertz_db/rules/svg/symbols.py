"""Draw the parts of drawings: marbles and rings as symbols, racks of marbles. All of it is SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from zertz_db.rules.rule_sets import COLOURS

RING, MARBLE = 19, 15.5
"""Radii of a ring and a marble in pixels."""

LINE, INK, ACCENT, GROUND = "#857b6b", "#5a5348", "#0f766e", "#ece7dc"
NEXT = "#d9480f"
"""Colour of a move that is not played yet."""

_SHADES = {
    "W": ("#ffffff", "#d6d0c4", "#a39b8c"),
    "G": ("#c9c7c3", "#8b8984", "#5d5b57"),
    "B": ("#6d6a66", "#262422", "#0b0a09"),
}
"""A marble's light, its body and its rim."""
_LETTERS = {"W": "#57503f", "G": "#ffffff", "B": "#f4f1ea"}
_WILD = {"*": "any marble", "#": "any ring", "?": "anything"}

SYMBOLS = {"W": "W", "G": "G", "B": "B", "o": "o", ".": "gone", "*": "marble", "#": "ring", "?": "anything"}
"""Characters of a layout, including wildcards of patterns, and the name of each symbol after `zertz-`."""


def use(character: str, x: float = 0, y: float = 0, scale: float = 1, **data: object) -> str:
    """Return a character's symbol, drawn around a point; data become attributes `data-…`."""
    more = "".join(f' data-{name}="{value}"' for name, value in data.items())
    size = f" scale({scale:g})" if scale != 1 else ""
    return (
        f'<use href="#zertz-{SYMBOLS.get(character, character)}" transform="translate({x:.1f} {y:.1f}){size}"{more}/>'
    )


@cache
def definitions() -> str:
    """Return the symbols that `use` draws. Letters on marbles show if `--zertz-letters` is `inline`."""
    ring = f'<circle r="{RING}" fill="none" stroke="{LINE}" stroke-width="5"/>'
    ring += f'<circle r="{RING + 1}" fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="1.2"/>'
    parts = [_symbol("o", ring)]
    for colour in COLOURS:
        parts.append(_gradient(colour))
        parts.append(_symbol(colour, ring + _marble(colour)))
        parts.append(_symbol(f"only-{colour}", _marble(colour)))
    parts.append(
        _symbol(
            "gone",
            f'<circle r="{RING}" fill="none" stroke="{LINE}" stroke-width="1.4" stroke-dasharray="2 5" opacity=".55"/>',
        )
    )
    parts.append(
        _symbol("slot", f'<circle r="{MARBLE - 1}" fill="none" stroke="{LINE}" stroke-width="2.4" opacity=".5"/>')
    )
    for character in _WILD:
        around, letter = ring, text(0, 7, character, 20, "bold", ACCENT)
        if character == "?":  # thin lines: most of a board is rings
            around = f'<circle r="{RING}" fill="none" stroke="{LINE}" stroke-width="2" stroke-dasharray="5 4"/>'
            letter = text(0, 5, character, 13, "normal", LINE)
        parts.append(_symbol(SYMBOLS[character], around + letter))
    return f"<defs>{''.join(parts)}</defs>"


def rack(held: Sequence[int], slots: Sequence[int], each: int = 0, holder: str = "") -> tuple[str, float]:
    """Return marbles in a row, white, grey and black, with a number of slots for each colour; and the row's width in pixels.

    each: the slot of each colour after which a tick shows a complete set of all three colours.
    """
    return _rack(tuple(held), tuple(slots), each, holder)


@lru_cache(1000)
def _rack(held: tuple[int, ...], slots: tuple[int, ...], each: int, holder: str) -> tuple[str, float]:
    step = 2 * MARBLE * _SMALL + 3
    parts, x = [], MARBLE * _SMALL
    for colour, count, places in zip(COLOURS, held, slots, strict=True):
        for number in range(1, places + 1):
            character = f"only-{colour}" if number <= count else "slot"
            parts.append(use(character, x, 0, _SMALL, holder=holder, colour=colour, number=number))
            if number == each and places > each:
                tick = x + step / 2
                parts.append(f'<path d="M{tick:.1f} -9V9" stroke="{ACCENT}" stroke-width="1.6" opacity=".75"/>')
            x += step
        x += step * 0.6
    return "".join(parts), x - step * 1.6 + MARBLE * _SMALL


def text(
    x: float, y: float, content: str, size: int = 14, weight: str = "normal", fill: str = INK, anchor: str = "middle"
) -> str:
    """Return a short text; `content` comes from us, never from a player."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}">{content}</text>'


def circle(point: tuple[float, float], radius: float, **style: str) -> str:
    """Return a circle around a point."""
    attributes = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<circle cx="{point[0]:.1f}" cy="{point[1]:.1f}" r="{radius:g}" {attributes}/>'


_SMALL = 0.5
"""Size of marbles in a rack, relative to those on the board."""


def _symbol(name: str, content: str) -> str:
    return f'<g id="zertz-{name}">{content}</g>'


def _gradient(colour: str) -> str:
    stops = zip((0, 0.55, 1), _SHADES[colour], strict=True)
    drawn = "".join(f'<stop offset="{offset}" stop-color="{shade}"/>' for offset, shade in stops)
    return f'<radialGradient id="zertz-shade-{colour}" cx=".36" cy=".3" r=".78">{drawn}</radialGradient>'


def _marble(colour: str) -> str:
    return "".join(_marble_parts(colour))


def _marble_parts(colour: str) -> Iterator[str]:
    rim = "#f4f1ea" if colour == "B" else "#2b2824"
    yield f'<circle r="{MARBLE}" fill="url(#zertz-shade-{colour})" stroke="{rim}" stroke-opacity=".45" stroke-width="1"/>'
    yield '<ellipse cx="-5" cy="-7" rx="4.6" ry="3" fill="#fff" opacity=".5" transform="rotate(-35 -5 -7)"/>'
    letter = text(0, 5.5, colour, 16, "bold", _LETTERS[colour])
    yield f'<g style="display:var(--zertz-letters,none)">{letter}</g>'
