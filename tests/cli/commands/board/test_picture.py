"""`zertz picture`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from tests.cli.conftest import Run

FORCED = "37 blitz ..../W.oG./.oWooo/BooBWoo/.Gooo./...oG/..o. 0/2/4 1/1/2 1/1/1 1"
"""A position with a forced win in 5 plies."""


@pytest.fixture
def game(run: Run) -> str:
    """The id of a game with several plies."""
    return run("games", "plies:>6", "--csv", "--limit", 1)[1].splitlines()[1].split(",")[0]


def test_a_position_as_svg(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    status, shown, _ = run("picture", "--moves", "Wd4,d1 Bd3,a1", "-o", file)
    assert (status, shown) == (0, f"wrote {file}\n")
    drawn = file.read_text("utf-8")
    assert "<title>37 rings, player 1 to move</title>" in drawn
    assert "var(" not in drawn


def test_a_position_of_a_game_as_png(run: Run, tmp_path: Path, game: str) -> None:
    file = tmp_path / "a.png"
    assert run("picture", "--game", game, "--ply", 2, "-o", file, "--size", 300)[0] == 0
    assert Image.open(file).width == 300


@pytest.mark.parametrize(
    ("options", "frames"),
    [
        (("--moves", "Wd4,d1 Bd3,a1 x d3Wd5"), 4),
        ((FORCED, "--solve"), 6),
        (("--game", "GAME", "--from", 1, "--ply", 5), 5),
    ],
)
def test_moves_as_an_animated_gif(
    run: Run, tmp_path: Path, game: str, options: tuple[object, ...], frames: int
) -> None:
    file = tmp_path / "a.gif"
    chosen = [game if option == "GAME" else option for option in options]
    status, shown, error = run("picture", *chosen, "-o", file, "--size", 200, "--theme", "dark")
    assert (status, shown) == (0, f"wrote {file} of {frames} positions\n"), error
    image = Image.open(io.BytesIO(file.read_bytes()))
    assert (getattr(image, "n_frames", 1), image.width) == (frames, 200)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "a.bmp"), "a.bmp has no ending of a picture: name a file that ends in .svg, .png or .gif"),
        (("--solve",), "there is no win to draw: no forced win found within 5 plies"),
        (("--from", 1), "--from belongs to --game"),
        (("--game", "GAME", "--from", 5, "--ply", 2), "--from 5 is after --ply 2"),
        (("--game", "GAME", "--ply", 999), "ply takes 0 (the start) to"),
        (("--game", "GAME", "--board", "48"), "give one start"),
        (("--game", "GAME", "--from", 0, "-o", "a.gif", "--size", 4096), "pixels wide: use a smaller --size"),
        (("--moves", "Wz1"), "'Wz1' is not a move"),
    ],
)
def test_what_can_not_be_drawn_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, options: tuple[object, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, error = run("picture", *[game if option == "GAME" else option for option in options])
    assert status == 2
    assert message in error
    assert not list(tmp_path.iterdir())


def test_a_file_that_exists_is_kept(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    file.write_text("mine")
    assert "exists" in run("picture", "-o", file)[2]
    assert file.read_text() == "mine"
    assert run("picture", "-o", file, "--force")[0] == 0
    assert file.read_text() != "mine"
