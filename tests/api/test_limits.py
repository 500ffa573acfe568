"""What one client may not take from the others, and what need not be sent again."""

import asyncio
from collections.abc import Iterator
from dataclasses import asdict

import pytest
from starlette.testclient import TestClient

from tests.api.waiting import PATIENT, run_apart
from tests.queries.sample import record
from zertz_db.api.app import create_app
from zertz_db.api.dependencies import SlotPool
from zertz_db.api.etags import compute_etag
from zertz_db.api.guards.limits import Limits
from zertz_db.api.problems import Problem
from zertz_db.api.routes import games as games_route
from zertz_db.api.snapshot import QueryStopped, Snapshot
from zertz_db.edit.claim_names import set_alias
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.folder.database import Database

ENDLESS = "SELECT count(*) FROM range(1000000000000) a, range(1000000) b WHERE a.range % 7 = b.range % 3"


def add_a_game(database: Database, event: str = "new") -> None:
    file = database.folder.parent / f"{event}.txt"
    file.write_text(record(event, "Flo", "Gus", "2014.01.01", "1. Wd4,d1 *", Board="37"), "utf-8")
    import_paths([file], database.folder)


def test_a_question_that_takes_too_long_is_interrupted(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_route, "count_games", lambda asked, _: asked.connection().execute(ENDLESS).fetchall())
    with TestClient(create_app(database, limits=Limits(seconds=0.3))) as api:
        answer = api.get("/games")
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "takes longer than the limit of 0.3 s" in answer.json()["detail"]
        monkeypatch.undo()
        assert api.get("/healthz").status_code == 200


def test_a_stopped_snapshot_gives_no_connections(database: Database) -> None:
    snapshot = Snapshot(database)
    snapshot.connection()
    snapshot.stop()
    with pytest.raises(QueryStopped):
        snapshot.connection()


def test_a_snapshot_stays_where_it_is(own: Database) -> None:
    count = "SELECT count(*) FROM games"
    with Snapshot(own) as before:
        add_a_game(own)
        with Snapshot(own) as after:
            assert [one.connection().execute(count).fetchall() for one in (before, after)] == [[(6,)], [(7,)]]
            assert compute_etag(before) != compute_etag(after)


def test_a_snapshot_sees_what_people_say_on_every_connection(own: Database) -> None:
    set_alias(own.folder, "axb", "a_b", "accepted", "")
    own.connection()
    with Snapshot(own) as snapshot:
        names = "SELECT count(*) FROM _player WHERE name = 'axb'"
        assert [snapshot.connection().execute(names).fetchall() for _ in range(2)] == [[(0,)]] * 2


def test_an_unchanged_answer_is_not_sent_again(own: Database) -> None:
    with TestClient(create_app(own, limits=PATIENT)) as api:
        first = api.get("/games")
        assert first.headers["cache-control"] == "no-cache"
        known = {"If-None-Match": first.headers["etag"]}
        for path in ("/games", "/games.ndjson", "/explorer", "/players"):
            again = api.get(path, headers=known)
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
        assert api.get("/games", headers={"If-None-Match": f'"x", {first.headers["etag"]}'}).status_code == 304
        assert api.get("/games", headers={"If-None-Match": '"x"'}).status_code == 200
        add_a_game(own)
        changed = api.get("/games", headers=known)
        assert (changed.status_code, changed.json()["total"]) == (200, 7)
        assert changed.headers["etag"] != first.headers["etag"]


def test_what_people_say_makes_answers_new(own: Database) -> None:
    with TestClient(create_app(own, limits=PATIENT)) as api:
        first = api.get("/players").headers["etag"]
        set_alias(own.folder, "axb", "a_b", "accepted", "")
        again = api.get("/players", headers={"If-None-Match": first})
        assert (again.status_code, again.json()["total"]) == (200, 6)


def test_places_are_limited_and_given_back() -> None:
    async def run() -> list[str]:
        places = SlotPool(at_once=1, waiting=1, patience=0.05)
        log = []
        async with places.taken():
            waiting = asyncio.create_task(_take(places))
            await asyncio.sleep(0)
            log.append(await _take(places))  # one waits already
            log.append(await waiting)  # its patience ends
        log.append(await _take(places))
        return log

    refused = "too many requests at once: "
    assert run_apart(run()) == [
        f"{refused}no other request can wait. Try again soon.",
        f"{refused}no place was free within 0.05 s. Try again soon.",
        "had a place",
    ]


async def _take(places: SlotPool) -> str:
    try:
        async with places.taken():
            return "had a place"
    except Problem as problem:
        return str(problem)


def test_who_waits_gets_the_place_that_becomes_free() -> None:
    async def run() -> str:
        places = SlotPool(at_once=1, waiting=1, patience=60)
        async with places.taken():
            waiting = asyncio.create_task(_take(places))
            await asyncio.sleep(0)
        return await waiting

    assert run_apart(run()) == "had a place"


def test_streams_have_places_of_their_own(database: Database) -> None:
    with TestClient(create_app(database, limits=Limits(streams=0, at_once=1))) as api:
        assert api.get("/games.ndjson").status_code == 503
        assert api.get("/games").status_code == 200
    with TestClient(create_app(database, limits=Limits(streams=1, at_once=0, waiting=0))) as api:
        assert [api.get(path).status_code for path in ("/games.ndjson", "/games.ndjson", "/games")] == [200, 200, 503]


def test_a_stream_that_takes_too_long_breaks_off_and_never_looks_complete(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(asked: Database, *_: object) -> Iterator[dict[str, str]]:
        for _ in range(1000):
            yield {"source": "club.txt"}
        asked.connection().execute(ENDLESS)

    monkeypatch.setattr(games_route, "objects", endless)
    with TestClient(create_app(database, limits=Limits(stream_seconds=0.9))) as api, pytest.raises(RuntimeError):
        api.get("/games.ndjson")


def test_limits_of_a_server_that_states_none() -> None:
    limits = asdict(Limits())
    assert limits.pop("at_once") >= 1
    assert limits == {
        "seconds": 10, "waiting": 200, "patience": 30, "streams": 4, "stream_seconds": 600,
        "check_bytes": 1_000_000, "check_seconds": 10, "checks": 10, "solve_seconds": 10, "solves": 10,
        "import_bytes": 250_000_000, "imports": 10, "body_seconds": 60, "cache_bytes": 64_000_000,
        "grace_seconds": 2, "silent_seconds": 15, "drain_seconds": 20, "head_seconds": 10, "stalled_seconds": 30,
        "connections": 500, "memory_parts": 1,
    }  # fmt: skip
