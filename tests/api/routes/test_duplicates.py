"""Decisions about games that may be one, over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.api.test_client import Passing
from tests.api.waiting import PATIENT
from tests.edit.test_merge_lengths import CUT, WHOLE
from tests.ingest.databases import contents, written
from zertz_db.api.app import create_app
from zertz_db.client import Client, ServerError
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.store.open_database import open_database

TOKEN = "a-token-of-the-tests"  # noqa: S105 - it opens nothing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    import_paths([written(tmp_path / "a.txt", [CUT, WHOLE])], tmp_path / "db")
    return tmp_path / "db"


@pytest.fixture
def client(folder: Path) -> Iterator[Client]:
    with open_database(folder) as database, TestClient(create_app(database, token=TOKEN, limits=PATIENT)) as api:
        yield Client("http://localhost", token=TOKEN, transport=Passing(api))


def test_two_games_are_made_one_and_two_again(client: Client, folder: Path) -> None:
    before = contents(folder)
    known = {row["event"]: row["id"] for row in client.games().dicts()}
    made = client.decide(known["cut"].lower(), known["whole"], "accepted", author="ada")
    assert (made["verdict"], made["evidence"]) == ("accepted", "all 2 plies begin the other's 4")
    assert [row["event"] for row in client.games().dicts()] == ["whole"]
    [decision] = client.decisions().dicts()
    assert (decision["game"], decision["other"], decision["author"]) == (known["cut"], known["whole"], "ada")
    assert client.decide(known["whole"], known["cut"], "undone")["verdict"] == "undone"
    assert contents(folder) == before
    for verdict in ("rejected", "later", "undone"):
        client.decide(known["cut"], known["whole"], verdict)
        assert [row["verdict"] for row in client.decisions().dicts()] == ([] if verdict == "undone" else [verdict])


def test_what_can_not_be_decided(client: Client) -> None:
    known = {row["event"]: row["id"] for row in client.games().dicts()}
    with pytest.raises(QueryError, match="and the longer game stays"):
        client.decide(known["whole"], known["cut"], "accepted")
    with pytest.raises(QueryError, match="Nothing is noted about"):
        client.decide(known["whole"], known["cut"], "undone")
    with pytest.raises(QueryError, match="There is no game 0000000000000"):
        client.decide(known["whole"], "0" * 13, "rejected")
    client._http.headers.pop("Authorization")
    with pytest.raises(ServerError, match="send the token"):
        client.decide(known["cut"], known["whole"], "accepted")
