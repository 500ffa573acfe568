"""`zertz analyse`, run as a user runs it."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["player:nobody12"], 1, "zertz: No games match.\n"),
        (["--depth", 4], 2, "a depth is 1, 3, 5 … 31, not 4"),
        (["--jobs", 257], 2, "--jobs"),
        (["forced:x"], 2, "invalid number of plies 'x'"),
    ],
)
def test_mistakes_are_explained(run: Run, arguments: list[object], status: int, message: str) -> None:
    found, out, err = run("analyse", *arguments)
    assert (found, out) == (status, "")
    assert message in err
