"""One database for several programs at once: a server, the dashboard and commands, while games are imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.serving import ROOT, serving
from tests.api.waiting import wait_for
from tests.ingest.archive import make_archive
from zertz_db.client import Client
from zertz_db.ingest.import_paths import import_paths

IMPORTS = 3
DASHBOARD = """
import os, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
from zertz_db import dashboards
from zertz_db.dashboards.state.database import get_database
from zertz_db.queries import count_games
app = AppTest.from_file(str(Path(dashboards.__file__).parent / "app.py"), default_timeout=300)
while not Path(sys.argv[1]).exists():
    assert not app.run().exception, app.exception
    print(count_games(get_database()), flush=True)
"""
COMMAND = "import sys; from zertz_db.cli.main import main; main()"


def python(code: str, *arguments: object, db: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "ZERTZ_DB": str(db)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Looks:
    """What a program saw each time that it looked, in a thread of its own, until a file is there; and whatever stopped it."""

    def __init__(self, look: Callable[[], int], stop: Path) -> None:
        self.seen: list[int] = []
        self.failed: BaseException | None = None
        self._look, self._stop = look, stop
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            while not self._stop.exists():
                self.seen.append(self._look())
        except BaseException as error:  # noqa: BLE001 - the test tells it
            self.failed = error


@pytest.mark.long
def test_a_server_the_dashboard_and_commands_during_imports(tmp_path: Path) -> None:
    db, stop = tmp_path / "games.zertz", tmp_path / "stop"
    archives = [make_archive(tmp_path / f"part-{part}", 20, seed=part) for part in range(1 + IMPORTS)]
    states = [import_paths([archives[0]], db).stored]
    dashboard = python(DASHBOARD, stop, db=db)

    def by_command() -> int:
        out, error = python(COMMAND, "info", "--json", db=db).communicate(timeout=300)
        assert not error
        return sum(row["games"] for row in json.loads(out)["games"])

    def by_dashboard() -> int:
        assert dashboard.stdout
        line = dashboard.stdout.readline()
        assert line or stop.exists(), dashboard.communicate()
        return int(line or states[-1])

    with serving("--db", db) as served, Client(served.address) as client:
        looking = [Looks(look, stop) for look in (lambda: len(client.games().rows), by_command, by_dashboard)]
        try:
            for archive in archives[1:]:
                wait_for_looks(looking, 2)
                states.append(states[-1] + import_paths([archive], db).stored)
            wait_for_looks(looking, 3)  # the first of them may have begun before the end of the last import
        finally:
            stop.touch()
            for looks in looking:
                looks.thread.join()
            dashboard.communicate(timeout=300)
    assert [looks.failed for looks in looking] == [None] * 3
    assert dashboard.returncode == 0
    for looks in looking:
        assert looks.seen == sorted(looks.seen)
        assert {*looks.seen} <= {*states}
        assert looks.seen[-1] == states[-1]


def wait_for_looks(looking: list[Looks], more: int) -> None:
    enough = [len(looks.seen) + more for looks in looking]
    wait_for(
        lambda: all(one.failed or len(one.seen) >= count for one, count in zip(looking, enough, strict=True)),
        "every program looks at the database again",
    )
