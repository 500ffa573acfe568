"""A database with one analysed game: a missed win that is a blunder too, the only answer, a forced capture, the end."""

from __future__ import annotations

from pathlib import Path

from tests.analyses import analyse
from tests.queries.sample import record
from tests.tactics.samples import SAMPLES
from zertz_db.ingest.import_paths import import_paths

START = SAMPLES[2].position
MOVES = ["Ga1,b2 x Ga1", "Bb3,f3", "x a3Bc3", "Gg1,f2 x Gg1"]
RECORD = record("reviewed", "Ada", "Ben", "2014.03.01", " ".join(MOVES), SetUp="1", Position=START)
TWIN = record("plain", "Ada", "Ben", "2014.03.02", " ".join(MOVES), SetUp="1", Position=START, Round="2")


def build_reviewed(folder: Path) -> Path:
    """Build a database with the game, analysed, and the same moves as another game without an analysis; return its folder."""
    (folder / "reviewed.txt").write_text(RECORD + TWIN, "utf-8")
    import_paths([folder / "reviewed.txt"], folder / "db")
    analyse(folder / "db", "event:reviewed")
    return folder / "db"
