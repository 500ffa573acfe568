"""Turn drawings into PNG images and animated GIFs, with the libraries of the extra `pictures`, which are imported on first use."""

from __future__ import annotations

import atexit
import io
import shutil
import tempfile
from collections.abc import Sequence
from functools import cache
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zertz_db.errors import BrokenEnvironment
from zertz_db.extras import install_hint

if TYPE_CHECKING:
    from PIL.Image import Dither, Image

FRAME_SECONDS, LAST_FRAME_SECONDS = 1.2, 3.0
"""How long a GIF shows a position, and the last one."""
MOST_FRAMES = 400
"""Maximum number of frames of a GIF: more than the plies of nearly all games."""
MOST_PIXELS = 200_000_000
"""Maximum number of pixels of all frames of a GIF, each as high as it is wide: a byte of memory each."""


def widest_gif(frames: int) -> int:
    """Return the width in pixels of the largest GIF with this number of frames.

    >>> widest_gif(MOST_FRAMES), widest_gif(32)
    (707, 2500)
    """
    return isqrt(MOST_PIXELS // frames)


class PicturesMissing(BrokenEnvironment):
    """A library is missing; the message names the extra that brings it."""


def to_png(drawing: str, width: int, ground: str | None = None) -> bytes:
    """Return a drawing as a PNG image of this width in pixels, its round corners filled with a colour or transparent.

    Raises PicturesMissing.
    """
    resvg = _import_resvg()
    font = _find_font()
    own_font = {"skip_system_fonts": True, "font_files": [font.path], "sans_serif_family": font.family} if font else {}
    return bytes(resvg.svg_to_bytes(svg_string=drawing, width=width, background=ground, **own_font))


def to_gif(drawings: Sequence[str], width: int, ground: str, seconds: float = FRAME_SECONDS) -> bytes:
    """Return drawings of one size as an animated GIF that repeats.

    Each is shown for some seconds, the last longer. ground: the colour of the corners. Raises PicturesMissing.
    """
    palette = _open_image(to_png(drawings[-1], width, ground)).quantize(
        colors=255
    )  # one for all: equal parts need no bytes
    frames = [
        _open_image(to_png(drawing, width, ground)).quantize(palette=palette, dither=_no_dither())
        for drawing in drawings
    ]
    durations = [round(1000 * seconds)] * (len(frames) - 1) + [round(1000 * max(seconds, LAST_FRAME_SECONDS))]
    target = io.BytesIO()
    frames[0].save(target, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=False)
    return target.getvalue()


def _no_dither() -> Dither:
    from PIL.Image import Dither

    return Dither.NONE


class _Font(NamedTuple):
    """A font in a file."""

    path: str
    family: str


@cache
def _find_font() -> _Font | None:
    """Return the font that Pillow brings, as a file: pictures are then equal on all machines, also on those without fonts.

    None if Pillow has none: then the fonts of the system are used.
    """
    from PIL import ImageFont

    font: Any = ImageFont.load_default(16)
    content = getattr(getattr(font, "path", None), "getvalue", None)
    if content is None:
        return None
    folder = tempfile.mkdtemp(prefix="zertz-font-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "font.ttf"
    path.write_bytes(content())
    return _Font(str(path), font.getname()[0])


def _open_image(png: bytes) -> Image:
    from PIL import Image as images  # noqa: N813 - see the module

    return images.open(io.BytesIO(png)).convert("RGB")


def _import_resvg() -> Any:
    try:
        import PIL.Image  # noqa: F401
        import resvg_py
    except ImportError as error:
        raise PicturesMissing(
            f"PNG and GIF need {error.name}, which is not installed: {install_hint('pictures')}; SVG needs nothing more"
        ) from error
    return resvg_py
