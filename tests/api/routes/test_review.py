"""The review of a game and the judgement of a move, over HTTP and by the client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.api.test_client import Passing
from tests.api.waiting import PATIENT
from tests.reviewed import MOVES, START, build_reviewed
from zertz_db.api.app import create_app
from zertz_db.client import Client
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.tactics.bounded_judgement import ask_judgement, judge

GOLDEN = Path(__file__).with_name("review.json")


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(build_reviewed(tmp_path_factory.mktemp("reviewed"))) as database:
        yield database


@pytest.fixture(scope="module")
def client(reviewed: Database) -> Iterator[Client]:
    with (
        TestClient(create_app(reviewed, limits=PATIENT)) as api,
        Client("http://localhost", transport=Passing(api)) as opened,
    ):
        yield opened


@pytest.fixture
def ids(reviewed: Database) -> dict[str, str]:
    return dict(list_games(reviewed, columns=["event", "id"]).rows)


def test_the_review_of_an_analysed_game_is_the_golden_one(client: Client, ids: dict[str, str]) -> None:
    assert client.review(ids["reviewed"]) == json.loads(GOLDEN.read_text("utf-8"))


def test_the_review_of_another_game_has_chances_and_the_remedy(client: Client, ids: dict[str, str]) -> None:
    found = client.review(ids["plain"])
    assert found["problem"] == f"This game has not been analysed: run zertz analyse id:{ids['plain']}."
    assert found["counts"]["1"] == dict.fromkeys(found["counts"]["1"])
    assert [one["ply"] for one in found["chances"]] == list(range(len(MOVES) + 1))
    assert found["chances"][-1] == {"ply": 4, "chance": 1.0, "proven": True}
    assert [ply["marks"] for ply in found["plies"]] == [[], ["sacrifice"], [], []]


def test_an_unknown_game_is_not_found(client: Client) -> None:
    with pytest.raises(QueryError, match="there is no game 3T7K"):
        client.review("3T7K")


def test_a_judgement_is_that_of_the_library(client: Client, ids: dict[str, str]) -> None:
    expected = judge(ask_judgement(START, MOVES[0], 5, 1000)).as_json()
    assert client.judge(START, MOVES[0], depth=5, nodes=1000) == expected
    assert client.judge(move=MOVES[0], game=ids["plain"], ply=0, depth=5, nodes=1000) == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"move": "Wd4"}, "give one start: position, or game with ply"),
        ({"position": START, "move": "Wd4"}, "the pool has no marble of this colour left"),
        ({"position": START}, "body.move: is missing"),
        ({"position": START, "move": "Bd6,a1", "depth": 2}, "an odd number of plies"),
        ({"position": START, "move": "Bd6,a1", "nodes": 60_000}, "must be at most 50000"),
        ({"position": START, "move": "Bd6,a1", "deep": 3}, "body.deep: is unknown"),
    ],
)
def test_what_can_not_be_judged_is_a_sentence(client: Client, body: dict[str, Any], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        client._ask("POST", "/judge", json=body)
