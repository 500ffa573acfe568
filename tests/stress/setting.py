"""The start of all rounds: a database with contents, an archive to import, and the expected result."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tests.ingest.archive import ROOT, make_archive
from tests.store.contents import contents, files
from zertz_db.ingest.import_paths import import_paths

GAMES = 600
LOT_BYTES = 60_000
SEED = 7
tails = False
"""Whether changes are published as tails, as in large databases."""

Facts = list[tuple[str, float]]


class Setting:
    """`before` is a database's folder, `after` its contents once `archive` is imported."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.random = Random(SEED)  # noqa: S311 - moments, not secrets
        self.archive = make_archive(folder / "archive", GAMES, seed=SEED)
        self.before = folder / "before.zertz"
        import_paths([make_archive(folder / "earlier", 60, seed=SEED + 1)], self.before)
        self.published = contents(self.before)
        whole = self.database("whole.zertz")
        began = time.monotonic()
        run = start(self.archive, whole)
        assert end(run) == 0
        self.seconds = time.monotonic() - began
        self.expected = contents(whole)

    def database(self, name: str = "round.zertz", parent: Path | None = None) -> Path:
        """Return a fresh copy of the database before."""
        folder = (parent or self.folder) / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.before, folder)
        return folder

    def moment(self) -> float:
        """Return a random number of seconds within the time of an import, or a little longer."""
        return self.random.uniform(0, 1.05 * self.seconds)


def start(archive: Path, db: Path, workers: int = 1) -> subprocess.Popen[bytes]:
    """Start an import in small batches; its output goes to files next to the database, and it leads a process group."""
    code = (
        "import sys; from tests.stress.importer import main; "
        f"main({LOT_BYTES}, {tails}, ['import', {str(archive)!r}, '--db', {str(db)!r}])"
    )
    with progress_file(db).open("w") as out, words_file(db).open("w") as err:
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(ROOT), "ZERTZ_WORKERS": str(workers)},
            stdout=out,
            stderr=err,
            start_new_session=True,
        )


def progress_file(db: Path) -> Path:
    """Return the path to which the import of `start` writes its progress."""
    return Path(f"{db}.out")


def words_file(db: Path) -> Path:
    """Return the path to which the import of `start` writes its standard error."""
    return Path(f"{db}.err")


def words(db: Path) -> str:
    """Return an import's standard error."""
    return words_file(db).read_text()


def done(db: Path) -> list[int]:
    """Return the printed numbers of places that were done; first the number that the import found done."""
    lines = progress_file(db).read_text().splitlines()
    return [int(line.removeprefix("done ")) for line in lines if line.startswith("done ")]


def end(run: subprocess.Popen[bytes], seconds: float = 300) -> int:
    """Wait for an import and return its exit status."""
    return run.wait(seconds)


def stop(run: subprocess.Popen[bytes], number: signal.Signals) -> int:
    """Send a signal to an import, wait for its end, and return its exit status."""
    run.send_signal(number)
    return end(run)


def is_published(db: Path, setting: Setting) -> bool:
    """Return whether the database has the result of the import; it must have that or its state before, whole."""
    found = contents(db)
    kinds = files(db)
    # The two that stay, and one that was about to be named; tails have logs.
    assert kinds.count("generation") <= (6 if tails else 3), kinds
    assert kinds.count("working") <= 3, kinds  # the file, its log, and DuckDB's temporary folder
    if found == setting.expected:
        return True
    assert found == setting.published, "neither the last published state nor the next one"
    return False


def go_on(db: Path, setting: Setting, at_least: int) -> int:
    """Repeat the command to its end; return the number of places that it found done, which must not be smaller than before."""
    was_published = is_published(db, setting)
    assert end(start(setting.archive, db)) == 0, words(db)
    assert contents(db) == setting.expected
    assert set(files(db)) - {"spare"} == {"CURRENT", "generation"}, files(db)
    assert files(db).count("generation") in ((2, 3) if tails else (2,)), files(db)  # resumed work may be a whole file
    assert ("spare" in files(db)) <= tails, files(db)
    if was_published:
        return GAMES
    found = done(db)[0]
    assert_goes_on(found, at_least)
    return found


def assert_goes_on(found: int, was_done: int) -> None:
    """Check that an import found this number of places done, except the file without records, which is read again."""
    assert found >= min(was_done, GAMES), f"{was_done} places were done, and the next import began with {found}"
