"""Boards of more rings than bits of a 64-bit integer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.databases import ask
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.doctor import examine
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.rules.position import Position

START = "custom standard a0:oo/" + "/".join(
    f"{column}{height}:{'o' * 8}" for column, height in zip("bcdefghijk", range(1, 11), strict=True)
)
CLAIMS = """
    SELECT count(*) FROM plies JOIN positions before USING (game, ply)
    JOIN positions after ON after.game = plies.game AND after.ply = plies.ply + 1
    WHERE claim AND before.rings_high <> after.rings_high AND bit_count(before.rings_high) - bit_count(after.rings_high) > 1
"""


@pytest.mark.long
def test_claims_beyond_the_63rd_ring_are_stored(tmp_path: Path) -> None:
    start = Position.parse(f"{START} 6/8/10 0/0/0 0/0/0 1")
    games = list(generate_games(30, start=start, seed=3, first="greedy", second="greedy"))
    (tmp_path / "large.txt").write_text("\n".join(map(write, games)), "utf-8")
    balance = import_paths([tmp_path / "large.txt"], tmp_path / "db")
    assert (balance.stored, len(start.board.rings)) == (30, 82)
    assert ask(tmp_path / "db", CLAIMS)[0][0] > 0
    assert examine(tmp_path / "db").is_fine
