"""Questions that neither DuckDB nor Python ends: they end all the same, and the server serves on, and ends when it should."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from tests.api.routes.test_imports import AUTHORISED, NEW, TOKEN
from tests.api.serving import Served, served, start
from tests.api.waiting import wait_for
from zertz_db.api.app import create_app
from zertz_db.api.guards.limits import Limits
from zertz_db.api.routes import games as games_route
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import importers_lock

HANGING = "from tests.api import hanging; supervisor._run_process = hanging.work"
SOON = {"seconds": 0.5, "stream_seconds": 0.5, "grace_seconds": 0.2, "drain_seconds": 2}
END_SECONDS = 120
"""In which SIGTERM ends a server, whatever it is at."""


@contextmanager
def hanging(*arguments: object, processes: int = 1, **limits: float) -> Iterator[Served]:
    process = start("--port", 0, *arguments, before=HANGING, processes=processes, **{**SOON, **limits})
    try:
        yield served(process)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=END_SECONDS)
        finally:
            process.kill()
    assert process.returncode == 0


def ask(server: Served, path: str) -> httpx2.Response:
    return httpx2.get(f"{server.address}{path}", timeout=300)


def ask_again(server: Served, path: str) -> httpx2.Response:
    """Ask until the server has the time: half a second is not enough on a busy machine."""
    answers: list[httpx2.Response] = []
    wait_for(lambda: answers.append(ask(server, path)) or answers[-1].status_code == 200, path)
    return answers[-1]


def pid(server: Served) -> int:
    return int(ask(server, "/pid").text)


def is_gone(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


def test_questions_that_can_not_be_interrupted_end_and_free_their_places(sample: Path) -> None:
    with hanging("--db", sample, at_once=2, waiting=0) as server:
        for _ in range(2):
            before = pid(server)
            with ThreadPoolExecutor(2) as pool:
                answers = list(pool.map(lambda _: ask(server, "/hang"), range(2)))
            assert {answer.status_code for answer in answers} == {503}
            assert "takes longer than the limit of 0.5 s" in answers[0].json()["detail"]
            wait_for(lambda old=before: is_gone(old))  # with it ends the thread that worked for nothing
            assert pid(server) != before
            assert ask_again(server, "/games").json()["total"] == 6
            wait_for(lambda: ask(server, "/healthz").json().get("free_places") == 2)


def test_others_are_served_meanwhile(sample: Path) -> None:
    with hanging("--db", sample, at_once=2, seconds=2) as server, ThreadPoolExecutor(1) as pool:
        ask_again(server, "/games")  # the first answer takes longest
        stuck = pool.submit(ask, server, "/hang")
        answered = []
        while not stuck.done():
            answered.append(ask(server, "/games").status_code)
        assert 200 in answered
        assert stuck.result().status_code == 503


@pytest.mark.parametrize(
    "path", ["/freeze", *(pytest.param(path, marks=pytest.mark.long) for path in ("/hang/stream", "/end"))]
)
@pytest.mark.long
def test_the_process_is_replaced_whatever_is_wrong_with_it(sample: Path, path: str) -> None:
    with hanging("--db", sample, silent_seconds=3) as server:
        before = pid(server)
        try:
            assert ask(server, path).status_code == 503
        except httpx2.TransportError:
            assert path != "/hang/stream"
        wait_for(lambda: is_gone(before))
        assert ask_again(server, "/games").json()["total"] == 6


@pytest.mark.long
def test_a_search_ends_when_its_client_leaves(sample: Path) -> None:
    question = {"position": Position.start("37").text, "depth": 1}
    with hanging("--db", sample, solve_seconds=600, solves=0) as server:
        for _ in range(2):
            answer = httpx2.post(f"{server.address}/solve", json=question, timeout=300)
            assert answer.json()["verdict"] == "no forced win found within 1 ply, searched completely"
            with pytest.raises(httpx2.ReadTimeout):
                httpx2.get(f"{server.address}/sleep", timeout=1)
            wait_for(lambda: httpx2.post(f"{server.address}/solve", json=question, timeout=300).status_code == 200)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
@pytest.mark.long
def test_a_server_all_of_whose_places_hang_ends_in_time(sample: Path, number: int) -> None:
    with hanging("--db", sample, at_once=2, seconds=60) as server, ThreadPoolExecutor(4) as pool:
        for path in ("/hang", "/hang", "/hang/stream", "/freeze"):
            pool.submit(ask, server, path)
            time.sleep(0.1)
        server.process.send_signal(number)
        assert server.process.wait(END_SECONDS) == 0


def test_no_process_is_left_behind_when_the_supervisor_is_killed(sample: Path) -> None:
    process = start("--port", 0, "--db", sample, before=HANGING, **SOON)
    worker = pid(served(process))
    process.kill()
    process.communicate()
    wait_for(lambda: is_gone(worker))


@pytest.mark.long
def test_imports_go_on_while_the_process_is_replaced(own: Database, tmp_path: Path) -> None:
    (tmp_path / "token.txt").write_text(TOKEN)
    with hanging("--db", own.folder, "--token-file", tmp_path / "token.txt") as server:
        with importers_lock(own.folder):
            answer = httpx2.post(f"{server.address}/import", content=NEW.encode(), headers=AUTHORISED, timeout=60)
            job = answer.headers["location"]
            before = pid(server)
            assert ask(server, "/hang").status_code == 503
            wait_for(lambda: is_gone(before))
            assert ask(server, job).json()["state"] in ("waiting", "running")
        wait_for(lambda: ask(server, job).json()["state"] == "done")
        assert ask_again(server, "/games").json()["total"] == 7


def test_a_place_is_free_again_after_a_question_that_did_not_end(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, replaced = threading.Event(), []
    monkeypatch.setattr(games_route, "count_games", lambda *_: end.wait() and 0)
    limits = Limits(seconds=5, grace_seconds=0.2, at_once=1, waiting=0)
    with TestClient(create_app(database, limits=limits, replace=lambda: replaced.append(1))) as api:
        assert (api.get("/games").status_code, replaced) == (503, [1])
        assert api.get("/healthz").json()["free_places"] == 1
        assert api.get("/players").status_code == 200
        end.set()
        wait_for(lambda: api.get("/players?limit=1").status_code == 200)
        assert api.get("/healthz").json()["free_places"] == 1  # it is not released twice


def test_a_server_that_would_send_questions_away_says_so_to_who_asks_for_its_health(database: Database) -> None:
    with TestClient(create_app(database, limits=Limits(at_once=0, waiting=0))) as api:
        answer = api.get("/healthz")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    with TestClient(create_app(database, limits=Limits(at_once=0, waiting=1))) as api:
        assert (api.get("/healthz").status_code, api.get("/healthz").json()["free_places"]) == (200, 0)
