"""Positions in, forced wins out; hostile questions get an answer within the limits, or a sentence."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.api.test_client import Passing
from tests.api.waiting import run_apart
from tests.tactics.samples import SAMPLES
from tests.tactics.test_hostile import EMPTY, large_board
from zertz_db.api.app import create_app
from zertz_db.api.dependencies import SlotPool, run_work
from zertz_db.api.guards.limits import Limits
from zertz_db.api.processes.work_process import WorkProcess, WorkStopped
from zertz_db.api.routes import solve as solve_route
from zertz_db.client import Client
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.tactics import refute, solve

CLOSE = "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1"
EVERY_RING = "61 standard ooooo/oooooo/ooooooo/oooooooo/ooooooooo/oooooooo/ooooooo/oooooo/ooooo"


@pytest.fixture
def games(database: Database) -> dict[str, str]:
    return dict(list_games(database, columns=["event", "id"]).rows)


def large(layout: str, rest: str) -> str:
    """Return the position string of a board of 128 rings; `layout` is repeated."""
    return f"custom standard {large_board(lambda ring: layout[ring % len(layout)])} {rest}"


@pytest.mark.parametrize("depth", [1, 3, 7])
def test_the_solution_is_that_of_the_library(api: TestClient, depth: int) -> None:
    for position in (CLOSE, SAMPLES[0].position, SAMPLES[-1].position):
        answer = api.post("/solve", json={"position": position, "depth": depth, "nodes": 3000})
        assert answer.status_code == 200
        assert answer.json() == solve(position, depth, 3000).as_json()


def test_a_position_of_a_game(api: TestClient, games: dict[str, str]) -> None:
    found = api.post("/solve", json={"game": games["resigned"], "ply": 2}).json()
    text = api.get(f"/positions/moves?game={games['resigned']}&ply=2").json()["position"]
    assert (found["position"], found["depth"], found["limit"]) == (text, 7, 20_000)
    assert found["verdict"].startswith("no forced win found within 7 plies")


@pytest.mark.parametrize("move", ["x d3Wd5", "x d4Wd2"])
def test_a_move_is_refuted(api: TestClient, move: str) -> None:
    for position in (CLOSE, CLOSE.replace(" 3/0/0", " 2/0/0")):
        found = api.post("/solve", json={"position": position, "move": move}).json()
        assert found["refutation"] == refute(position, move, 7, 20_000, 1_000_000).as_json()
        assert "refutation" not in api.post("/solve", json={"position": position}).json()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "give one start: position, or game with ply"),
        ({"ply": 3}, "give one start"),
        ({"position": CLOSE, "ply": 3}, "give one start"),
        ({"position": CLOSE, "game": "3T7K"}, "give one start"),
        ({"position": ""}, "a position is written"),
        ({"position": "37 standard"}, "a position is written"),
        ({"position": "W" * 2000}, "a position is written"),
        (
            {"position": CLOSE.replace(" 3/0/0", " 4/0/0")},
            "player 1 already holds a winning set (4W): the game is over",
        ),
        ({"position": CLOSE.replace("standard", "standard+written")}, "written claims can't be searched"),
        ({"position": CLOSE.replace("6/8/10", "-6/8/10")}, "the pool is written as three numbers"),
        ({"position": CLOSE.replace("6/8/10", f"{10**9}/8/10")}, "the pool is written as three numbers"),
        ({"position": f"37 standard {EMPTY.replace('o', 'W')} 99/99/99 0/0/0 0/0/0 1"}, "at most 127"),
        ({"position": CLOSE, "depth": 2}, "an odd number of plies"),
        ({"position": CLOSE, "move": "Wd4"}, "a capture is possible and so compulsory"),
        ({"position": CLOSE, "move": "x" * 2000}, "is not a move"),
        ({"game": "3T7K"}, "there is no game 3T7K"),
        ({"game": "x"}, "is too short"),
        ({"game": "{resigned}", "ply": 99}, "ply takes 0 (the start) to 4 (the end)"),
    ],
)
def test_what_can_not_be_solved_is_a_sentence(
    api: TestClient, games: dict[str, str], body: dict[str, Any], message: str
) -> None:
    if "game" in body:
        body = {**body, "game": body["game"].format(**games)}
    answer = api.post("/solve", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert message in answer.json()["detail"]


@pytest.mark.parametrize(
    ("content", "status", "message"),
    [
        (json.dumps({"position": CLOSE, "depth": 13}), 422, "body.depth: must be at most 11"),
        (json.dumps({"position": CLOSE, "depth": -1}), 422, "body.depth: must be at least 1"),
        (json.dumps({"position": CLOSE, "nodes": 0}), 422, "body.nodes: must be at least 1"),
        (json.dumps({"position": CLOSE, "nodes": 10**30}), 422, "body.nodes"),
        (json.dumps({"position": CLOSE, "node": 5}), 422, "body.node: is unknown"),
        (json.dumps({"position": "W" * 2001}), 422, "at most 2000 characters"),
        (json.dumps({"position": 37}), 422, "body.position: must be a text"),
        (json.dumps([CLOSE]), 422, "body: "),
        ("", 422, "body: Invalid JSON"),
        (b"\xff\xfe", 422, "body: Invalid JSON"),
        ("[" * 99_000, 422, "body: Invalid JSON"),
        (json.dumps({"position": "W" * 100_000}), 413, "more than 100,000 bytes"),
    ],
)
def test_what_is_no_question_is_refused(api: TestClient, content: str | bytes, status: int, message: str) -> None:
    answer = api.post("/solve", content=content)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert message in answer.json()["detail"]


@pytest.mark.parametrize(
    ("position", "limit"),
    [
        (large("WGB", "6/8/10 0/0/0 0/0/0 1"), 1_000),
        (large("WGBoBGW", "6/8/10 0/0/0 0/0/0 1"), 1_000),
        (large("oB", "0/0/5 0/0/0 0/0/0 1"), 1_000),
        (large("ooooooooooooB", "0/0/5 2/2/2 2/2/2 2"), 1_000),
        (large("o", "0/0/0 0/0/0 0/0/0 1"), 1_000),
        (f"37 standard {EMPTY} 0/0/0 0/0/0 0/0/0 1", 200_000),
        (f"37 standard {EMPTY} 99/99/99 3/4/2 0/0/5 1", 200_000),
        (f"{EVERY_RING} 6/8/10 0/0/0 0/0/0 1", 200_000),
    ],
)
def test_hostile_positions_are_answered_and_the_answer_states_the_limit(
    api: TestClient, position: str, limit: int
) -> None:
    found = api.post("/solve", json={"position": position, "depth": 11, "nodes": 200_000})
    assert found.status_code == 200, found.text
    assert found.json()["limit"] == limit
    assert found.json()["nodes"] <= limit + 200


def sleep(_: object) -> None:
    """Take longer than any limit, in the process that searches."""
    time.sleep(600)


def test_a_search_that_takes_too_long_is_stopped(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_route, "answer", sleep)
    with TestClient(create_app(database, limits=Limits(solve_seconds=0))) as api:
        answer = api.post("/solve", json={"position": Position.start("37").text, "depth": 11, "nodes": 200_000})
        assert answer.status_code == 503
        assert "longer than the limit of 0 s. Use a smaller depth, or fewer nodes." in answer.json()["detail"]


def test_the_client_asks_too(api: TestClient, games: dict[str, str]) -> None:
    with Client("http://localhost", transport=Passing(api)) as client:
        assert client.solve(CLOSE, depth=3, nodes=1000) == solve(CLOSE, 3, 1000).as_json()
        assert client.solve(game=games["resigned"], ply=0, depth=1)["forced"] is None
        with pytest.raises(QueryError, match="an odd number of plies"):
            client.solve(CLOSE, depth=2)


class Asking:
    """A request whose client leaves after some seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def receive(self) -> dict[str, str]:
        await asyncio.sleep(self._seconds)
        return {"type": "http.disconnect"}


@pytest.fixture
def process() -> Iterator[WorkProcess]:
    made = WorkProcess(60)
    yield made
    made.close()


@pytest.mark.parametrize("leaves_after", [0, 0.3])
def test_work_ends_when_its_client_leaves_and_the_place_is_free(process: WorkProcess, leaves_after: float) -> None:
    async def ask(places: SlotPool, seconds: float, work: Callable[..., Any], value: Any) -> Any:
        return await run_work(Asking(seconds), process, places, work, value)  # type: ignore[arg-type]

    async def run() -> Any:
        places = SlotPool(1, 0, 1)
        assert await ask(places, 600, abs, -1) == 1
        with pytest.raises(WorkStopped):
            await ask(places, leaves_after, time.sleep, 600)
        assert places.free == 1
        return await ask(places, 600, abs, -2)

    assert run_apart(run()) == 2


def test_nobody_takes_a_place_while_the_process_warms_up_and_results_are_not_mixed_up() -> None:
    process, looks, warm = WorkProcess(60), 0, threading.Event()

    def is_ready() -> bool:
        nonlocal looks
        looks += 1
        return warm.is_set() and WorkProcess.is_ready(process)

    async def run() -> list[int]:
        places = SlotPool(1, 20, 60)
        questions = [run_work(Asking(600), process, places, abs, -number) for number in range(20)]  # type: ignore[arg-type]
        answers = asyncio.gather(*questions)
        while looks < 40:  # so each question waits for the process
            await asyncio.sleep(0.01)
        assert (places.free, places._places) == (1, 20)
        warm.set()
        return await answers

    process.is_ready = is_ready  # type: ignore[method-assign]
    assert run_apart(run()) == list(range(20))
    process.close()
