"""Answers that are kept in memory."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.api.test_limits import add_a_game
from tests.api.waiting import PATIENT, run_apart
from zertz_db.api.app import create_app
from zertz_db.api.etags import compute_etag
from zertz_db.api.response_cache import ResponseCache
from zertz_db.api.routes import games as games_route
from zertz_db.edit.claim_names import set_alias
from zertz_db.store.folder.database import Database


class Counted:
    """An application that counts its answers, each so many bytes."""

    def __init__(self, database: Database, size: int = 10, status: int = 200) -> None:
        self.database = database
        self.size = size
        self.status = status
        self.answers = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.answers += 1
        answer = PlainTextResponse("x" * self.size, self.status, {"ETag": compute_etag(self.database)})
        await answer(scope, receive, send)


def ask(app: ASGIApp, path: str, **headers: str) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": named}
    run_apart(app(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


def test_the_same_question_is_worked_out_once(database: Database) -> None:
    app = Counted(database)
    kept = ResponseCache(app, database, 1_000_000)
    assert [ask(kept, path) for path in ("/a", "/b", "/a", "/b")] == [(200, b"x" * 10)] * 4
    assert app.answers == 2
    assert ask(kept, "/a", if_none_match=compute_etag(database)) == (304, b"")
    assert ask(kept, "/a", accept_encoding="gzip") == (200, b"x" * 10)
    assert app.answers == 3


@pytest.mark.parametrize(
    ("size", "status"), [(100_000, 200), (10, 404), (10, 500)], ids=["large", "not there", "failed"]
)
def test_what_is_large_or_an_error_is_not_kept(database: Database, size: int, status: int) -> None:
    app = Counted(database, size, status)
    kept = ResponseCache(app, database, 1_000_000)
    assert [ask(kept, "/a")[0] for _ in range(2)] == [status] * 2
    assert app.answers == 2


def test_what_was_asked_for_last_is_kept_when_there_is_no_more_room(database: Database) -> None:
    app = Counted(database, 10_000)
    kept = ResponseCache(app, database, 1_000_000)
    ask(kept, "/first")
    for number in range(200):
        ask(kept, f"/{number}")
        ask(kept, "/first")
    assert app.answers == 201
    ask(kept, "/0")
    assert app.answers == 202


CHANGES: dict[str, Callable[[Database], object]] = {
    "an import": add_a_game,
    "what people say": lambda database: set_alias(database.folder, "axb", "a_b", "accepted", ""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_database_is_opened_in_a_thread(own: Database, change: Callable[[Database], object]) -> None:
    own.connection()
    assert own.is_current()
    change(own)
    assert not own.is_current()
    own.connection()
    assert own.is_current()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_counts_at_once(own: Database, change: Callable[[Database], object]) -> None:
    app = Counted(own)
    kept = ResponseCache(app, own, 1_000_000)
    ask(kept, "/a")
    change(own)
    ask(kept, "/a")
    ask(kept, "/a")
    assert app.answers == 2


def test_a_database_that_can_not_be_read_is_told_by_the_application(own: Database) -> None:
    app = Counted(own)
    kept = ResponseCache(app, own, 1_000_000)
    ask(kept, "/a")
    (own.folder / "CURRENT").write_text("nonsense")
    ask(kept, "/a")
    assert app.answers == 2


@pytest.mark.parametrize("path", ["/games", "/games?q=board:48", "/games.ndjson?limit=2", "/explorer", "/players/ada"])
def test_an_answer_is_the_same_again(database: Database, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with TestClient(create_app(database, limits=PATIENT)) as api:
        first = api.get(path)
        for name in ("list_games", "objects"):
            monkeypatch.setattr(games_route, name, _fail)
        again = api.get(path)
    assert (again.status_code, again.content, again.headers) == (200, first.content, first.headers)


def _fail(*_: Any, **__: Any) -> Awaitable[None]:
    raise AssertionError("worked out again")
