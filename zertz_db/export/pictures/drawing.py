"""Draw a frame as an SVG file of its own: in a theme, without what only browsers understand."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from zertz_db.export.pictures.frames import Frame
from zertz_db.rules.svg.board_svg import svg
from zertz_db.rules.svg.symbols import ACCENT, GROUND, INK, LINE


class Theme(StrEnum):
    """Colours of a picture."""

    light = "light"
    dark = "dark"


class Look(NamedTuple):
    """The look of a picture. coordinates: names at the board's edge. letters: W, G, B on the marbles. racks: captures and pool."""

    theme: Theme = Theme.light
    coordinates: bool = True
    letters: bool = False
    racks: bool = True

    @property
    def ground(self) -> str:
        """Return the colour of the background."""
        return _DARK[GROUND] if self.theme is Theme.dark else GROUND


_DARK = {GROUND: "#24211d", INK: "#d9d2c4", LINE: "#8f8576", ACCENT: "#2dd4bf"}
_LETTERS = "display:var(--zertz-letters,none)"
"""How browsers decide whether marbles have letters; other programs know no such variables."""


def draw_frame(frame: Frame, look: Look = Look()) -> str:  # noqa: B008 - a value that can't change
    """Return a frame as an SVG document."""
    drawing = svg(frame.position, frame.last_move, coordinates=look.coordinates, racks=look.racks)
    drawing = drawing.replace(_LETTERS, "display:inline" if look.letters else "display:none")
    if look.theme is Theme.dark:
        for light, dark in _DARK.items():
            drawing = drawing.replace(light, dark)
    return drawing
