"""One database for several programs at once: a server, the dashboard and commands, while games are imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from tests.api.serving import ROOT, serving
from tests.ingest.archive import make_archive
from zertz_db.client import Client
from zertz_db.ingest.importing import import_paths

IMPORTS = 3
DASHBOARD = """
import os, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import dashboards
app = AppTest.from_file(str(Path(dashboards.__file__).parent / "app.py"), default_timeout=60)
while not Path(sys.argv[1]).exists():
    assert not app.run().exception, app.exception
    print(len(app.dataframe[0].value), flush=True)
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


def test_a_server_the_dashboard_and_commands_during_imports(tmp_path: Path) -> None:
    db, stop = tmp_path / "games.zertz", tmp_path / "stop"
    archives = [make_archive(tmp_path / f"part-{part}", 20, seed=part) for part in range(1 + IMPORTS)]
    states = [import_paths([archives[0]], db).stored]
    seen: dict[str, list[int]] = {"server": [], "command": []}
    failed: list[BaseException] = []

    def repeated(name: str, look: Callable[[], int]) -> threading.Thread:
        def run() -> None:
            try:
                while not stop.exists():
                    seen[name].append(look())
            except BaseException as error:  # noqa: BLE001 - told below
                failed.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def by_command() -> int:
        out, error = python(COMMAND, "info", "--json", db=db).communicate(timeout=60)
        return sum(row["games"] for row in json.loads(out)["games"]) if not error else -1

    dashboard = python(DASHBOARD, stop, db=db)
    with serving("--db", db) as served, Client(served.address) as client:
        threads = [repeated("server", lambda: len(client.games().rows)), repeated("command", by_command)]
        assert dashboard.stdout
        first = dashboard.stdout.readline()
        for archive in archives[1:]:
            states.append(states[-1] + import_paths([archive], db).stored)
        after = len(seen["server"]), len(seen["command"])
        while not failed and not (len(seen["server"]) > after[0] + 1 and len(seen["command"]) > after[1] + 1):
            assert dashboard.stdout.readline()
        stop.touch()
        for thread in threads:
            thread.join()
    out, error = dashboard.communicate(timeout=60)
    assert (failed, dashboard.returncode, "Traceback" in error) == ([], 0, False)
    seen["dashboard"] = [int(line) for line in [first, *out.split()]]
    for looks in seen.values():
        assert looks == sorted(looks)
        assert {*looks} <= {*states}
        assert looks[-1] == states[-1]
