"""Disks that are full at a random moment of an import."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.store.contents import files
from tests.stress.setting import Facts, Setting, done, end, go_on, start, words

ROUNDS = 20
_PLENTY = 1_000_000_000


def run(setting: Setting) -> Facts:
    """Import on disks of random sizes; the import names the full disk, and resumes when there is more space."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return [("skipped: only root can mount a small disk (the tests have an injected one)", 0)]
    smallest = sum(path.stat().st_size for path in setting.before.iterdir())
    stopped = enough = spared = 0
    while stopped < ROUNDS:
        room = int(smallest * setting.random.uniform(1.1, 6))
        with _disk(setting.folder / "disk", room) as disk:
            db = setting.database(parent=disk)
            status = end(start(setting.archive, db))
            if status == 0:
                enough += 1
                continue
            assert status == 2, words(db)
            assert "No space left on the disk" in words(db), words(db)
            _resize(disk, _PLENTY)
            stopped += 1
            progress = done(db)
            spared += go_on(db, setting, 0 if "working" not in files(db) else progress[-1] if progress else 0)
    return [
        ("imports that found the disk full, reported it, and ended with status 2", stopped),
        ("  files that were not read again, on average", spared / stopped),
        ("disks that were large enough after all", enough),
    ]


@contextmanager
def _disk(folder: Path, size: int) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        _run("umount", str(folder))


def _resize(folder: Path, size: int) -> None:
    _run("mount", "-o", f"remount,size={size}", str(folder))


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
