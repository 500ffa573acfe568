"""Puzzles over HTTP: lists, single ones, that of a day, and tries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.api.test_client import Passing
from tests.api.waiting import PATIENT
from zertz_db.api.app import create_app
from zertz_db.client import Client
from zertz_db.queries.errors import QueryError
from zertz_db.queries.puzzles.one_puzzle import Puzzle, find_daily, find_puzzles
from zertz_db.queries.puzzles.puzzle_list import list_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

DAY = dt.date(2026, 5, 1)


@pytest.fixture(scope="module")
def puzzle_database(puzzle_games: Path) -> Iterator[Database]:
    with open_database(puzzle_games) as opened:
        yield opened


@pytest.fixture(scope="module")
def server(puzzle_database: Database) -> Iterator[TestClient]:
    with TestClient(create_app(puzzle_database, limits=PATIENT), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(server: TestClient) -> Iterator[Client]:
    with Client("http://localhost", transport=Passing(server)) as opened:
        yield opened


@pytest.fixture(scope="module")
def puzzle(puzzle_database: Database) -> Puzzle:
    return next(find_puzzles(puzzle_database, Selection(length=5, grade="A")))


def test_lists(client: Client, puzzle_database: Database) -> None:
    assert client.puzzles() == list_puzzles(puzzle_database)
    selection = Selection("board:37", ("sacrifice-2", "isolation"), "A", 5, "")
    found = client.puzzles("board:37", themes=["sacrifice-2", "isolation"], grade="A", length=5)
    assert found == list_puzzles(puzzle_database, selection)
    assert found.rows
    lengths = [row["length"] for row in client.puzzles(sort="-length", limit=3).dicts()]
    assert (
        lengths
        == sorted((row["length"] for row in list_puzzles(puzzle_database, limit=None).dicts()), reverse=True)[:3]
    )
    with pytest.raises(QueryError, match="no theme is called 'fork'"):
        client.puzzles(themes=["fork"])


def test_the_golden_puzzle(server: TestClient, puzzle: Puzzle) -> None:
    """The whole answer, once."""
    assert server.get(f"/puzzles/{puzzle.id}?solution=true").json() == {
        "id": "9PW12SVSGRCSB",
        "position": "37 standard o.../.WG../.oo.../GoooW.o/oGoo../.oB../.... 0/3/1 3/0/4 1/2/4 2",
        "side": 2,
        "goal": "Player 2 to move wins by force within 5 plies.",
        "length": 5,
        "grade": "A+",
        "difficulty": 1881,
        "legal_moves": 120,
        "game": "5SMEG8152BZR5",
        "ply": 31,
        "player": "random-1",
        "opponent": "random-7",
        "date": "2020.08.27",
        "themes": ["sacrifice-1", "each"],
        "ring": "d4",
        "colours": "B",
        "line": ["Bd4,c2", "x d5Bd3", "x e2Wc3Wa1", "Gb2,d2", "x a1Gc3"],
        "played": "Be1,c2",
        "missed": True,
    }


def test_no_solution_unless_it_is_wanted(client: Client, puzzle: Puzzle) -> None:
    shown = client.puzzle(puzzle.id)
    for name in ("line", "ring", "colours", "themes", "played", "missed"):
        assert shown[name] is None
    assert client.puzzle(puzzle.id, solution=True)["line"] == [*puzzle.line]
    with pytest.raises(QueryError, match="there is no puzzle"):
        client.puzzle("0" * 13)


def test_the_puzzle_of_a_day(client: Client, puzzle_database: Database) -> None:
    expected = find_daily(puzzle_database, DAY)
    assert expected is not None
    assert client.daily_puzzle(DAY)["id"] == expected.id
    assert client.daily_puzzle()["grade"] in ("A", "A+")


def test_no_puzzle_of_a_day(api: TestClient) -> None:
    answer = api.get("/puzzles/daily")
    assert (answer.status_code, answer.json()["detail"][:37]) == (404, "there are no puzzles of grade A in th")


def test_a_puzzle_is_solved_move_by_move(client: Client, puzzle: Puzzle) -> None:
    moves = [puzzle.line[0]]
    for plies in (5, 3, 1):
        judged = client.try_puzzle(puzzle.id, moves)
        assert (judged["verdict"], judged["plies"], judged["solved"]) == ("shortest", plies, plies == 1)
        if judged["reply"]:
            moves.append(judged["reply"])
            position = puzzle.position
            for move in moves:
                position = position.play(move)
            moves.append(client.solve(position.text, depth=5)["line"][0])
    assert judged["reply"] is None


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"moves": ["Wa1"]}, 400, "can't be played from the puzzle"),
        ({"moves": ["Wa1", "Wa2"]}, 400, "a try is an odd number of moves"),
        ({"moves": []}, 422, "body.moves"),
        ({"moves": ["x"] * 99}, 422, "body.moves"),
        ({"moves": ["x" * 201]}, 422, "body.moves"),
        ({"moves": ["Wa1"], "more": 1}, 422, "body.more: is unknown"),
        ({}, 422, "body.moves: is missing"),
        ([1], 422, "body"),
    ],
)
def test_what_is_no_try(server: TestClient, puzzle: Puzzle, body: Any, status: int, message: str) -> None:
    answer = server.post(f"/puzzles/{puzzle.id}/moves", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert message in answer.json()["detail"]


def test_a_try_at_no_puzzle(server: TestClient) -> None:
    answer = server.post(f"/puzzles/{'0' * 13}/moves", json={"moves": ["Wa1"]})
    assert answer.status_code == 404
