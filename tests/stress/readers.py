"""Many readers while imports run one after the other."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.ingest.archive import ROOT, make_archive
from tests.stress import setting as setting_module
from tests.stress.importer import publishing_tails
from tests.stress.looking import PAUSE, Seen, see
from tests.stress.setting import SEED, Facts, Setting
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.folder import generations
from zertz_db.store.open_database import open_database

READERS = 50
IMPORTS = 8
LONGEST = 1.5
"""Seconds after a publication within which every reader must see the new state.

Each looks every quarter of a second, and needs 25 ms of processor time to open the state: on two cores 50 processes need 0.9 s.
"""
LONGEST_WITH_TAILS = 5.0
"""The limit for tails, in seconds: DuckDB reads the log whenever a process opens the state, which takes up to 100 ms more."""
READ = """
import os, sys, time
from pathlib import Path
from tests.stress import setting as setting_module
from tests.stress.importer import publishing_tails
from tests.stress.looking import PAUSE, see
from zertz_db.store.open_database import open_database
parent = os.getppid()
with open_database(sys.argv[1]) as database:
    print(flush=True)
    while os.getppid() == parent and not Path(sys.argv[2]).exists():
        print(*see(database), flush=True)
        time.sleep(PAUSE)
"""


def run(setting: Setting) -> Facts:
    """Import while threads and processes read; each must see every new state soon, and never a mixture."""
    db = setting.folder / "read.zertz"
    archives = [make_archive(setting.folder / f"part-{part}", 25, seed=SEED + 2 + part) for part in range(IMPORTS + 1)]
    import_paths([archives[0]], db)
    facts: Facts = []
    half = 1 + IMPORTS // 2
    for name, kind, more in (("threads", _Threads, archives[1:half]), ("processes", _Processes, archives[half:])):
        readers = kind(db)
        published = {}
        longest_import = 0.0
        for archive in more:
            began = time.monotonic()
            with publishing_tails(setting_module.tails):
                balance = import_paths([archive], db)
            longest_import = max(longest_import, time.monotonic() - began)
            live = generations.live_generation(db)
            assert live
            published[live.number] = (db / generations.CURRENT).stat().st_ctime  # the time of its renaming
            assert balance.run == live.number
            time.sleep(2 * LONGEST)
        seen = readers.end()
        assert len(seen) == READERS
        facts += _facts(name, seen, published, longest_import)
    return facts


def _facts(name: str, seen: list[list[Seen]], published: dict[int, float], longest_import: float) -> Facts:
    late = [
        min(look.when for look in looks if look.imports >= number) - moment
        for looks in seen
        for number, moment in published.items()
    ]
    longest = LONGEST_WITH_TAILS if setting_module.tails else LONGEST
    assert max(late) < longest, f"a reader saw a new state only after {max(late):.2f} s"
    for looks in seen:
        assert [look.imports for look in looks] == sorted(look.imports for look in looks)
    return [
        (f"{name} that read, of {sum(map(len, seen)):,} looks none at a mixture", len(seen)),
        ("  longest time until a new state was seen, seconds", max(late)),
        ("  median, seconds", sorted(late)[len(late) // 2]),
        ("  longest import meanwhile, seconds", longest_import),
    ]


class _Threads:
    """Readers in this process, with one open database."""

    def __init__(self, db: Path) -> None:
        self._database = open_database(db)
        self._stop = threading.Event()
        self._seen: list[list[Seen]] = []
        self._threads = [threading.Thread(target=self._read) for _ in range(READERS)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        looks = []
        while not self._stop.is_set():
            looks.append(see(self._database))
            time.sleep(PAUSE)
        self._seen.append(looks)

    def end(self) -> list[list[Seen]]:
        """Return the results of each reader; fewer, if some failed."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._database.close()
        return self._seen


class _Processes:
    """Readers in separate processes."""

    def __init__(self, db: Path) -> None:
        self._stop = db.parent / "stop"
        self._outs = [db.parent / f"reader-{number}.out" for number in range(READERS)]
        self._readers = []
        for out in self._outs:
            with out.open("w") as file:
                command = [sys.executable, "-c", READ, str(db), str(self._stop)]
                self._readers.append(subprocess.Popen(command, stdout=file, env={"PYTHONPATH": str(ROOT)}))
        while not all(out.read_text() for out in self._outs):
            time.sleep(PAUSE)

    def end(self) -> list[list[Seen]]:
        """Return the results of each reader; fewer, if some failed."""
        self._stop.touch()
        assert [reader.wait(60) for reader in self._readers] == [0] * READERS
        return [[_parsed(line) for line in out.read_text().split("\n")[1:-1]] for out in self._outs]


def _parsed(line: str) -> Seen:
    when, imports = line.split()
    return Seen(float(when), int(imports))
