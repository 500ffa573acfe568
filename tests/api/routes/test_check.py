"""Records in, findings out."""

import time

import pytest
from starlette.testclient import TestClient

from tests.queries.sample import ILLEGAL, NONSENSE, RECORDS
from zertz_db.api.app import create_app
from zertz_db.api.guards.limits import Limits
from zertz_db.api.processes.record_checks import check_records
from zertz_db.api.processes.work_process import WorkProcess, WorkStopped
from zertz_db.api.routes import check
from zertz_db.check.check_many import check_text
from zertz_db.store.folder.database import Database

GAME = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n"


def test_the_verdicts_are_those_of_the_library(api: TestClient) -> None:
    text = "".join([*RECORDS, ILLEGAL, NONSENSE])
    found = api.post("/check", content=text.encode()).json()
    records = [{name: value for name, value in one.items() if name != "index"} for one in found["records"]]
    assert records == [one.as_json() for one in check_text(text)]
    assert (found["illegal"], found["unreadable"]) == (1, 1)
    assert found["verified"] + found["unfinished"] == len(RECORDS)


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/octet-stream", "application/x-www-form-urlencoded", ""]
)
def test_the_bytes_count_whatever_they_are_called(api: TestClient, content_type: str) -> None:
    answer = api.post("/check", content=GAME, headers={"Content-Type": content_type})
    assert answer.json()["verified"] == 1


def test_a_dialect_can_be_named(api: TestClient) -> None:
    assert api.post("/check?dialect=gipf", content=GAME).json()["verified"] == 1
    assert api.post("/check?dialect=boardspace", content=GAME).json()["unreadable"] == 1


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"", {}, 400),
        (b" \n", {}, 400),
        (b"x" * 101, {}, 413),
        (b"x", {"Content-Length": "101"}, 413),
        (b"x", {"Content-Type": "multipart/form-data; boundary=x"}, 415),
    ],
)
def test_what_is_not_taken(database: Database, content: bytes, headers: dict[str, str], status: int) -> None:
    with TestClient(create_app(database, limits=Limits(check_bytes=100))) as api:
        answer = api.post("/check", content=content, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_body_whose_size_nobody_says_is_measured_as_it_comes(database: Database) -> None:
    with TestClient(create_app(database, limits=Limits(check_bytes=100))) as api:
        assert api.post("/check", content=(b"x" * 30 for _ in range(4))).status_code == 413


def sleep(*_: object) -> None:
    """Take longer than any limit, in the process that checks."""
    time.sleep(600)


def test_a_check_that_takes_too_long_is_stopped(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "check_records", sleep)
    with TestClient(create_app(database, limits=Limits(check_seconds=0))) as api:
        answer = api.post("/check", content=GAME)
        assert answer.status_code == 503
        assert "takes longer than the limit of 0 s" in answer.json()["detail"]


def test_the_next_check_after_a_stopped_one_is_done() -> None:
    checker = WorkProcess(0)
    with pytest.raises(WorkStopped):
        checker.run(sleep)
    checker.seconds = 60
    assert [one["verdict"] for one in checker.run(check_records, GAME.encode(), None)] == ["verified"]
    checker.close()
