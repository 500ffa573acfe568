"""Help pages are drawn without the parts of rich that they don't use, and look as before."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
{before}
from zertz_db.cli.main import main
try:
    main()
except SystemExit:
    pass
print([name for name in ("rich.markdown", "rich.traceback", "pygments") if name in sys.modules], file=sys.stderr)
import rich.markdown, rich.traceback, typer.rich_utils
assert rich.markdown.Markdown("*a*") and typer.rich_utils.Markdown("*a*").markup == "*a*"
"""


def run(before: str, *words: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before), *words], capture_output=True, text=True, check=True
    )
    return done.stdout, done.stderr.splitlines()[-1]


@pytest.mark.parametrize("words", [("--help",), ("check", "-h")])
def test_the_page_is_the_same_and_loads_less(words: tuple[str, ...]) -> None:
    usual, _ = run("import typer.rich_utils", *words)
    lean, loaded = run("", *words)
    assert lean == usual
    assert "Usage: zertz" in lean
    assert loaded == "[]"
