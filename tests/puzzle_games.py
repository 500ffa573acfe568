"""A small database with puzzles: made-up games, analysed."""

from __future__ import annotations

from pathlib import Path

from tests.ingest.databases import zipped
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.analysis.analyse import analyse_games
from zertz_db.maintain.analysis.game_search import Limits
from zertz_db.play.generate import generate_games
from zertz_db.rules.board import Board

LIMITS = Limits(5, 2_000)
SEEDS = (3, 8)
PUZZLES = 15
"""Number of puzzles in these games."""


def build_puzzle_games(folder: Path) -> Path:
    """Make a database in a folder, and return its path."""
    files = [zipped(folder / f"{seed}.zip", list(generate_games(30, seed=seed, board="37"))) for seed in SEEDS]
    import_paths(files, folder / "db")
    analyse_games(folder / "db", "", LIMITS, jobs=1)
    return folder / "db"


def turned(board: Board, symmetry: int, text: str) -> str:
    """Return a text in which each ring's name is that of its image under a symmetry of the board."""
    images = {ring: board.rings[board.symmetries[symmetry][number]] for number, ring in enumerate(board.rings)}
    parts, at = [], 0
    while at < len(text):
        ring = next((text[at : at + size] for size in (3, 2) if text[at : at + size] in images), text[at])
        parts.append(images.get(ring, ring))
        at += len(ring)
    return "".join(parts)
