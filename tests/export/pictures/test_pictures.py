"""Pictures as files of their own, and what is said if a library is missing."""

from __future__ import annotations

import io
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

from zertz_db.export.pictures import raster
from zertz_db.export.pictures.drawing import Look, Theme, draw_frame
from zertz_db.export.pictures.frames import list_frames
from zertz_db.export.pictures.raster import PicturesMissing, to_gif, to_png
from zertz_db.queries.errors import QueryError
from zertz_db.rules.position import Position

FRAMES = list_frames(Position.start("37"), "Wd4,d1 Bd3,a1 x d3Wd5")


def test_a_line_has_a_frame_for_each_position_and_marks_its_moves() -> None:
    assert [frame.last_move for frame in FRAMES] == [None, "Wd4,d1", "Bd3,a1", "x d3Wd5"]
    assert 'class="path"' in draw_frame(FRAMES[-1])
    assert 'class="path"' not in draw_frame(FRAMES[0])
    with pytest.raises(QueryError, match="move 1"):
        list_frames(Position.start("37"), "Wa9")


@pytest.mark.parametrize(
    ("look", "present", "absent"),
    [
        (Look(), "display:none", "display:inline"),
        (Look(letters=True), "display:inline", "display:none"),
        (Look(Theme.dark), Look(Theme.dark).ground, Look().ground),
        (Look(coordinates=False), "<title>", 'class="coordinates"'),
        (Look(racks=False), "<title>", "player 2</text>"),
    ],
)
def test_a_drawing_has_the_look_and_needs_no_browser(look: Look, present: str, absent: str) -> None:
    drawing = draw_frame(FRAMES[-1], look)
    ElementTree.fromstring(drawing)  # noqa: S314 - made here
    assert "var(" not in drawing
    assert present in drawing
    assert absent not in drawing


def test_a_png_shows_marbles_and_letters() -> None:
    look = Look(racks=False)
    image = Image.open(io.BytesIO(to_png(draw_frame(FRAMES[1], look), 400))).convert("RGB")
    plain = Image.open(io.BytesIO(to_png(draw_frame(FRAMES[1], look._replace(coordinates=False)), 400))).convert("RGB")
    empty = Image.open(io.BytesIO(to_png(draw_frame(FRAMES[0], look), 400))).convert("RGB")
    assert image.width == 400
    assert image.size == plain.size
    assert _difference(image, plain) > 500  # letters and numbers: a font was found
    assert _difference(image, empty) > 500  # the marble and its mark


def _difference(one: Image.Image, other: Image.Image) -> int:
    return sum(a != b for a, b in zip(one.tobytes(), other.tobytes(), strict=True))


def test_a_gif_repeats_and_shows_the_last_position_longer() -> None:
    look = Look(Theme.dark)
    image = Image.open(io.BytesIO(to_gif([draw_frame(frame, look) for frame in FRAMES], 150, look.ground, 0.5)))
    durations = []
    for number in range(len(FRAMES)):
        image.seek(number)
        durations.append(image.info["duration"])
    assert durations == [500, 500, 500, 3000]
    assert image.info["loop"] == 0
    assert image.convert("RGB").getpixel((0, 0)) == tuple(bytes.fromhex(look.ground[1:]))


@pytest.mark.parametrize("module", ["resvg_py", "PIL.Image"])
def test_a_missing_library_is_named_with_its_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(PicturesMissing, match=r"which is not installed: pip install '\.\[pictures\]' .*; SVG needs"):
        to_png(draw_frame(FRAMES[0]), 100)


def test_without_the_font_of_pillow_the_fonts_of_the_system_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "_find_font", lambda: None)
    assert Image.open(io.BytesIO(to_png(draw_frame(FRAMES[0]), 100))).width == 100
