"""Made-up archives, and an import of small batches in a separate process, which prints its progress."""

import os
import subprocess
import sys
from pathlib import Path

from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import write_archive

ROOT = Path(__file__).parents[2]

IMPORT = """
import sys
from zertz_db.ingest import worker_pool as pipeline
from zertz_db.ingest.sources import discover as sources
from zertz_db.ingest.import_paths import import_paths

archive, folder, sources.BATCH_BYTES = sys.argv[1], sys.argv[2], int(sys.argv[3])
pipeline.MIN_PARALLEL_BYTES = 0
import_paths([archive], folder, lambda balance: print(balance.done, balance.places, flush=True))
"""
"""Print how many places are done, and of how many, first before anything is read."""


def make_archive(folder: Path, games: int, seed: int = 1) -> Path:
    """Make a folder with one zip of games in the server's form, and a file without records."""
    folder.mkdir()
    with (folder / "games.zip").open("wb") as file:
        write_archive(generate_games(games, seed=seed), file)
    (folder / "notes.md").write_text(f"Shopping list: {seed} l of milk, bread.")
    return folder


def start_import(archive: Path, db: Path, lot_bytes: int = 20_000, workers: int = 1) -> subprocess.Popen[str]:
    """Start IMPORT, as the leader of a process group."""
    return subprocess.Popen(
        [sys.executable, "-c", IMPORT, str(archive), str(db), str(lot_bytes)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "ZERTZ_WORKERS": str(workers)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def run_import(archive: Path, db: Path, lot_bytes: int = 20_000, workers: int = 1) -> list[int]:
    """Run IMPORT to its end; return the printed numbers of places that were done."""
    process = start_import(archive, db, lot_bytes, workers)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return [int(line.split()[0]) for line in out.splitlines()]
