"""The adapter that the documentation shows plays whole games."""

from __future__ import annotations

import re
from pathlib import Path

from tests.engine.matches.programs import write_program
from zertz_db.engine.matches.match import MatchOptions, run_match
from zertz_db.rules.position import Position

PAGE = Path(__file__).parents[3] / "docs" / "engine.md"


def test_the_adapter_of_the_page_plays_whole_games(tmp_path: Path) -> None:
    adapters = re.findall(r"```python\n(import sys\n[\s\S]*?)```", PAGE.read_text("utf-8"))
    assert len(adapters) == 1
    for rules in ("standard", "blitz+written"):
        start = Position.start("40", rules)
        result = run_match(MatchOptions(write_program(tmp_path, adapters[0]), "random", 2, start, seconds=10))
        assert result.names[0] == "Example-bot"
        assert not result.faults
