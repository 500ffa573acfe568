"""Imports over HTTP: for who has the token, in the background, with nothing of the server in what they leave behind."""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from zipfile import ZipFile

import pytest
from starlette.testclient import TestClient

from tests.api.test_client import Passing
from tests.api.waiting import PATIENT, wait_for
from tests.queries.sample import ILLEGAL, RECORDS, record
from zertz_db.api import import_jobs as jobs
from zertz_db.api.app import create_app
from zertz_db.api.guards.limits import Limits
from zertz_db.client import Client, ServerError
from zertz_db.queries import list_games
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import importers_lock

TOKEN = "a-token-of-the-tests"  # noqa: S105 - it opens nothing
AUTHORISED = {"Authorization": f"Bearer {TOKEN}"}
NEW = record("new", "Flo", "Gus", "2014.01.01", "1. Wd4,d1 *", Board="37")


@pytest.fixture
def uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where files are put until they are imported."""
    folder = tmp_path / "uploads"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def api(own: Database) -> Iterator[TestClient]:
    with TestClient(create_app(own, token=TOKEN, limits=PATIENT)) as client:
        yield client


def ended(api: TestClient, job: dict[str, object]) -> dict[str, object]:
    def has_ended() -> bool:
        job.update(api.get(f"/imports/{job['id']}").json())
        return job["state"] not in ("waiting", "running")

    wait_for(has_ended, "the import ends")
    return job


def received(pipe: Connection) -> Iterator[dict[str, object]]:
    """What is told through a pipe until its other end is closed."""
    with suppress(EOFError):
        while True:
            yield pipe.recv()


def test_a_job_begins_with_nothing_counted() -> None:
    counts = [count for count in asdict(jobs.Job("1", "a.txt")).values() if isinstance(count, int)]
    assert len(counts) > 5
    assert not any(counts)


def test_an_import(api: TestClient, own: Database, uploads: Path) -> None:
    before = api.get("/games").headers["etag"]
    answer = api.post("/import?name=new games.txt", content=(NEW + ILLEGAL + RECORDS[0]).encode(), headers=AUTHORISED)
    assert answer.status_code == 202
    assert answer.headers["location"] == f"/imports/{answer.json()['id']}"
    job = ended(api, answer.json())
    assert (job["state"], job["name"], job["problem"]) == ("done", "new games.txt", None)
    assert (job["read"], job["stored"], job["duplicate"], job["rejected"]) == (3, 1, 1, 1)
    assert (job["done"], job["places"], job["reasons"], job["run"]) == (1, 1, {"E302": 1}, 3)
    found = api.get("/games?q=event:new", headers={"If-None-Match": before})
    assert (found.status_code, found.json()["total"]) == (200, 1)
    paths = own.connection().execute("SELECT path FROM _source").fetchall()
    assert ("new games.txt",) in paths
    assert own.connection().execute("SELECT what FROM _import WHERE run = 3").fetchall() == [("new games.txt",)]
    assert api.get("/imports").json()["rows"][0]["run"] == 3
    assert "what" not in api.get("/imports").json()["rows"][0]
    assert list(uploads.iterdir()) == []


@pytest.mark.long
def test_an_upload_replaces_earlier_ones_of_its_name(api: TestClient, own: Database) -> None:
    other = NEW.replace("Flo", "Hal")

    def upload(content: str, query: str) -> dict[str, object]:
        return ended(api, api.post(f"/import?{query}", content=content.encode(), headers=AUTHORISED).json())

    assert upload(NEW, "name=club.txt")["missing"] == 0
    job = upload(other, "name=club.txt")
    assert (job["stored"], job["missing"], job["withdrawn"]) == (1, 1, 0)
    job = upload(other, "name=club.txt&replace=true")
    assert (job["stored"], job["duplicate"], job["missing"], job["withdrawn"]) == (0, 1, 1, 1)
    assert api.get("/imports").json()["rows"][0]["withdrawn"] == 1
    players = own.connection().execute("SELECT player1 FROM games WHERE event = 'new'").fetchall()
    assert players == [("Hal",)]
    refused = api.post("/import?replace=true", content=NEW, headers=AUTHORISED)
    assert (refused.status_code, "name of a file" in refused.json()["detail"]) == (400, True)


def test_an_archive_is_imported_by_its_name_and_no_folder_is_changed_for_that(
    own: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ZipFile(tmp_path / "club.zip", "w") as archive:
        archive.writestr("may/new.txt", NEW)
        archive.writestr("may/odd.txt", ILLEGAL)
    monkeypatch.setattr("signal.signal", lambda *_: None)  # the process that it is made for is its own
    monkeypatch.setattr("os.chdir", None)
    ours, theirs = Pipe(duplex=False)
    jobs._run_import(theirs, tmp_path, "club.zip", own.folder)
    theirs.close()
    *_, told = received(ours)
    assert (told["state"], told["stored"], told["rejected"]) == ("done", 1, 1)
    named = "SELECT path, member FROM _record JOIN _source ON _source.id = source WHERE run = 3 ORDER BY member"
    assert own.connection().execute(named).fetchall() == [("club.zip", "may/new.txt"), ("club.zip", "may/odd.txt")]
    assert own.connection().execute("SELECT what FROM _import WHERE run = 3").fetchall() == [("club.zip",)]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": TOKEN},
        {"Authorization": b"Bearer \xff"},
    ],
)
def test_without_the_token_nobody_writes(api: TestClient, headers: dict[str, str | bytes], uploads: Path) -> None:
    answer = api.post("/import", content=NEW, headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert list(uploads.iterdir()) == []


def test_a_server_without_a_token_only_reads(own: Database) -> None:
    with TestClient(create_app(own, limits=PATIENT)) as api:
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer None"}):
            assert api.post("/import", content=NEW, headers=headers).status_code == 403


@pytest.mark.parametrize("name", ["..", "-", ".hidden", "a/b", "a\\b", "a\nb", "a\x00b", "", "x" * 61])
def test_names_that_would_lead_elsewhere(api: TestClient, name: str, uploads: Path) -> None:
    assert api.post("/import", params={"name": name}, content=NEW, headers=AUTHORISED).status_code == 422
    assert list(uploads.iterdir()) == []


def test_a_file_that_is_too_large(own: Database, uploads: Path) -> None:
    with TestClient(create_app(own, token=TOKEN, limits=Limits(import_bytes=100))) as api:
        for content in (b"x" * 101, (b"x" * 30 for _ in range(4))):
            assert api.post("/import", content=content, headers=AUTHORISED).status_code == 413
    assert list(uploads.iterdir()) == []


def test_files_that_would_have_to_wait_too_long(own: Database) -> None:
    with TestClient(create_app(own, token=TOKEN, limits=Limits(imports=0))) as api:
        assert api.post("/import", content=NEW, headers=AUTHORISED).status_code == 503


def test_a_file_without_records(api: TestClient) -> None:
    job = ended(api, api.post("/import", content=b"", headers=AUTHORISED).json())
    assert job["state"] == "failed" or job["stored"] == 0


def test_an_import_stops_with_the_server_and_leaves_the_database_as_it_was(own: Database, uploads: Path) -> None:
    with importers_lock(own.folder), TestClient(create_app(own, token=TOKEN, limits=PATIENT)) as api:
        jobs = [api.post("/import", content=NEW, headers=AUTHORISED).json()["id"] for _ in range(2)]
        wait_for(lambda: api.get(f"/imports/{jobs[0]}").json()["state"] == "running", "the import runs")
        assert api.get(f"/imports/{jobs[1]}").json()["state"] == "waiting"
    assert api.get(f"/imports/{jobs[0]}").json()["state"] == "failed"
    assert list_games(own).rows == list_games(own).rows
    assert own.generation.number == 2
    assert list(uploads.iterdir()) == []


def test_an_import_that_takes_too_long_is_ended(own: Database, tmp_path: Path) -> None:
    queue = jobs.Jobs(own.folder, most=2, seconds=0.1)
    with importers_lock(own.folder):
        added = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "new.txt").write_text(NEW)
            added.append(queue.add(tmp_path / name, "new.txt").id)
        wait_for(lambda: (last := queue.find(added[1])) is None or last.state == "failed", "the second import fails")
    for job in map(queue.find, added):
        assert job
        assert (job.state, "took too long" in str(job.problem)) == ("failed", True)
    assert not (tmp_path / "one").exists()
    assert own.generation.number == 2


def test_imports_of_one_server_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs.Jobs, "_import", lambda *_: {"state": "done"})
    queue = jobs.Jobs(tmp_path / "db", most=2)
    for name in ("one.txt", "two.txt"):
        job = queue.add(tmp_path / name, name)
        wait_for(lambda job=job: (found := queue.find(job.id)) and found.state == "done", f"{name} is imported")
    queue.close()


def test_an_import_by_the_client(api: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "Ünîcode (1).txt"
    file.write_text(NEW, "utf-8")
    seen: list[str] = []
    with Client("http://localhost", token=TOKEN, transport=Passing(api)) as client:
        job = client.import_(file, lambda job: seen.append(job["state"]))
        assert (job["stored"], client.games("event:new").rows[0][2]) == (1, "Flo")
        assert client.imports().rows[0][0] == job["run"] == 3
        file.write_text(NEW.replace("Flo", "Hal"), "utf-8")
        job = client.import_(file)
        assert (job["stored"], job["missing"], job["withdrawn"]) == (1, 1, 0)
        assert client.import_(file, replace=True)["withdrawn"] == 1
    assert seen
    stranger = Client("http://localhost", token=TOKEN[1:], transport=Passing(api))
    with stranger, pytest.raises(ServerError, match="send the token"):
        stranger.import_(file)
