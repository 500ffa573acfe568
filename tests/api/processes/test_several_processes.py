"""A server with two processes: it answers, accepts work and ends as one."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import httpx2
import pytest

from tests.api.routes.test_imports import AUTHORISED, NEW, TOKEN
from tests.api.test_hanging import END_SECONDS, hanging, is_gone, pid
from tests.api.waiting import run_apart, wait_for
from zertz_db.api.guards.limits import Limits
from zertz_db.api.import_jobs import Jobs
from zertz_db.api.processes.listener import Listener
from zertz_db.api.processes.shared_work import Shared, SharedProcess, WorkQueue, connect, share
from zertz_db.api.processes.work_process import WorkProcess, WorkStopped
from zertz_db.store.folder.database import Database


def test_two_processes_serve_as_one(own: Database, tmp_path: Path) -> None:
    (tmp_path / "token.txt").write_text(TOKEN)
    options = ("--db", own.folder, "--token-file", tmp_path / "token.txt")
    with hanging(*options, processes=2, seconds=300, at_once=4) as server, ExitStack() as stack:
        found: dict[int, httpx2.Client] = {}

        def connect_again() -> bool:
            client = stack.enter_context(httpx2.Client(base_url=server.address, timeout=300, headers=AUTHORISED))
            found.setdefault(int(client.get("/pid").text), client)
            return len(found) == 2

        wait_for(connect_again, "both processes accept connections")
        numbers, clients = [*found], [*found.values()]
        assert [client.get("/healthz").json()["free_places"] for client in clients] == [4, 4]

        assert [client.post("/check", content=NEW).json()["unfinished"] for client in clients] == [1, 1]
        job = clients[0].post("/import", content=NEW).headers["location"]
        wait_for(lambda: [client.get(job).json()["state"] for client in clients] == ["done", "done"])
        assert [client.get("/games").json()["total"] for client in clients] == [7, 7]

        os.kill(numbers[0], signal.SIGKILL)
        assert clients[1].get("/games?limit=1").status_code == 200
        wait_for(lambda: _note_other(numbers, pid(server)))
        assert clients[1].get(job).json()["state"] == "done"
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(END_SECONDS) == 0
        assert all(is_gone(number) for number in numbers)


def _note_other(numbers: list[int], number: int) -> bool:
    """Add a number, and return whether it is a new one."""
    numbers.append(number)
    return number not in numbers[:-1]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 16])
def test_processes_together_keep_the_limits(count: int) -> None:
    whole = Limits(at_once=4)
    parts = [asdict(whole.divide(number, count)) for number in range(count)]
    for name in ("waiting", "cache_bytes", "connections"):
        assert sum(part[name] for part in parts) == getattr(whole, name)
    for name in ("at_once", "streams"):
        assert sum(part[name] for part in parts) == max(count, getattr(whole, name))
    for name in ("checks", "solves"):  # one in each process may be at work, or wait for the one of another process
        assert sum(1 + part[name] for part in parts) == max(count, 1 + getattr(whole, name))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedProcess]:
    """A checker that a server shares, as another process sees it."""
    jobs = Jobs(tmp_path_factory.mktemp("none"), 0)
    parts = Shared(jobs, WorkQueue(WorkProcess(60)), WorkQueue(WorkProcess(60)))
    yield connect(share(parts))[1]
    parts.close()


def test_shared_work_is_done_one_by_one_and_not_mixed_up(shared: SharedProcess) -> None:
    found: dict[int, int] = {}
    threads = [threading.Thread(target=lambda n=n: found.update({n: shared.run(abs, -n)})) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: number for number in range(5)}


def test_shared_work_that_nobody_wants_is_stopped(shared: SharedProcess) -> None:
    with pytest.raises(WorkStopped):
        shared.run(time.sleep, 600, is_wanted=lambda: False)
    assert shared.run(abs, -1) == 1


def test_shared_work_that_fails_is_stopped(shared: SharedProcess) -> None:
    with pytest.raises(WorkStopped):
        shared.run(int, "x")


@pytest.mark.parametrize(("others", "accepted"), [(0, "other"), (1, "own"), (2, "own")])
def test_the_process_with_fewest_connections_accepts_first(others: int, accepted: str) -> None:
    """One connection is open here; the other process has some, and accepts a new one a moment later."""

    async def run() -> str:
        counts = [0, others]
        listener = Listener(listening, counts, 0)
        listener.count(1)
        took: list[str] = []

        def make() -> asyncio.Protocol:
            took.append("own")
            return asyncio.Protocol()

        accepting = asyncio.create_task(listener.accept(make))
        with socket.create_connection(listening.getsockname()):
            for _ in range(3):
                await asyncio.sleep(0)
            await asyncio.sleep(0.005)
            if not took:
                listening.accept()[0].close()
                took.append("other")
            await asyncio.sleep(0.03)
        accepting.cancel()
        return ",".join(took)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert run_apart(run()) == accepted
