"""What can't be answered: which status, in which form, and that nothing of the server's inside gets out."""

from pathlib import Path

import duckdb
import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from tests.api.waiting import PATIENT
from zertz_db.api.app import create_app
from zertz_db.api.routes import games as games_route
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

INSIDE = ("Traceback", "SELECT", "select", "duckdb", ".py", "File ", "_game", "line 1", "0x")


def require_problem(answer: Response, status: int, said: str, folder: Path) -> None:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    problem = answer.json()
    assert {"type", "title", "status", "detail"} <= problem.keys()
    assert problem["status"] == status
    assert said in problem["detail"]
    assert not [one for one in (*INSIDE, str(folder), str(folder.parent)) if one in answer.text]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nowhere", 404, "GET / lists what there is"),
        ("/games?q=ending:resing", 400, "did you mean resign?"),
        ("/games?q=(", 400, ""),
        ("/games?q=" + "(" * 1500, 400, ""),
        ("/games?q=plies:99999999999999999999", 400, ""),
        ("/games?q=" + "x" * 2001, 422, "query.q"),
        ("/games?q=%00", 400, ""),
        ("/games?sort=colour", 400, "games can't be sorted by 'colour'"),
        ("/games.ndjson?sort=colour", 400, "games can't be sorted by 'colour'"),
        ("/games?limit=0", 422, "query.limit"),
        ("/games?limit=1001", 422, "query.limit"),
        ("/games?limit=many", 422, "query.limit"),
        ("/games?cursor=0000000000000", 400, "there is no game"),
        ("/games?cursor=U", 400, "too short"),
        ("/games/000", 404, "too short"),
        ("/games/0000000000000", 404, "there is no game"),
        ("/games/0000000000000.svg", 404, "there is no game"),
        ("/games/0000000000000.txt", 404, "there is no game"),
        ("/games/..%2f..%2fetc%2fpasswd", 404, ""),
        ("/games/'%20or%201=1", 422, "path.game_id"),
        ("/explorer?moves=Wd4,d9", 400, "move 1"),
        ("/explorer?moves=nonsense", 400, "is not a move"),
        ("/explorer?position=nonsense", 400, ""),
        ("/explorer?board=36", 400, ""),
        ("/explorer?rules=chess", 400, ""),
        ("/explorer?order=beauty", 422, "query.order"),
        ("/positions/search", 400, "give one thing to find"),
        ("/positions/search?pattern=W&moves=Wd4,d1", 400, "give one thing to find"),
        ("/positions/search?pattern=W+x", 400, "unexpected 'x'"),
        ("/positions/search?position=37+standard+oooo", 400, "a position is written"),
        ("/positions/search?moves=Wd4,d1&mode=guess", 422, "query.mode"),
        ("/positions/search?game=0000000000000", 400, "there is no game"),
        ("/stats/nothing", 404, "no table is called 'nothing'"),
        ("/compare/weather", 404, "unknown subject 'weather'"),
        ("/compare/sets?a=bord:37", 400, "unknown field 'bord'"),
        ("/players/nobody/preparation", 404, "no player is called 'nobody'"),
        ("/insights/nothing", 404, "unknown metric 'nothing'"),
        ("/insights/points?of=nobody", 404, "no player is called 'nobody'"),
        ("/insights/points?by=colour", 400, "unknown dimension 'colour'"),
        ("/times/nothing", 404, "no table is called 'nothing'"),
        ("/stats/sets?by=colour", 400, "can't be divided by 'colour'"),
        ("/tournaments/nothing", 404, "no tournament is called 'nothing'"),
        ("/players/nobody", 404, "no player is called 'nobody'"),
        ("/players/ada/versus/nobody", 404, "no player is called 'nobody'"),
        ("/players/ada/versus/ADA", 404, "names of one player"),
        ("/players/ada?q=ending:resing", 400, "did you mean resign?"),
        ("/ratings?kind=guest", 422, "query.kind"),
        ("/imports/0123456789abcdef", 404, "unknown import"),
    ],
)
def test_what_can_not_be_asked(api: TestClient, database: Database, path: str, status: int, said: str) -> None:
    require_problem(api.get(path), status, said, database.folder)


def test_a_faulty_filter_is_pointed_at(api: TestClient) -> None:
    problem = api.get("/games?q=board:48 ending:resing").json()
    assert "board:48 ending:resing"[problem["begin"] : problem["end"]] == "resing"


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/games"), ("POST", "/games"), ("PUT", "/check")])
def test_a_method_that_is_not_there(api: TestClient, database: Database, method: str, path: str) -> None:
    require_problem(api.request(method, path), 405, f"{method} is not possible here", database.folder)


@pytest.mark.parametrize("error", [RuntimeError("SELECT secret FROM /etc/passwd"), ValueError("File x.py")])
def test_an_error_of_ours_tells_nothing(
    api: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(games_route, "count_games", fail)
    require_problem(api.get("/games?q=plies:777"), 500, "the server's log says more", database.folder)


def test_an_error_of_the_database_tells_nothing(
    api: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games_route, "count_games", lambda asked, _: asked.connection().execute("SELECT nothing"))
    require_problem(api.get("/games?q=plies:777"), 500, "the server's log says more", database.folder)


@pytest.mark.parametrize(
    "error",
    [
        duckdb.IOException("Corrupt database file: computed checksum 1"),
        duckdb.InternalException("at 0x0"),
        duckdb.OutOfMemoryException(),
    ],
)
def test_a_damaged_file_is_not_an_error_of_ours(
    api: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(games_route, "count_games", fail)
    require_problem(api.get("/games?q=plies:777"), 503, "the database can't be read at the moment", database.folder)


def test_a_database_that_is_gone(sample: Path, tmp_path: Path) -> None:
    folder = tmp_path / "gone.zertz"
    folder.mkdir()
    for file in sample.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    with open_database(folder) as opened, TestClient(create_app(opened, limits=PATIENT)) as api:
        (folder / "CURRENT").unlink()
        for path in ("/games", "/healthz"):
            answer = api.get(path)
            require_problem(answer, 503, "the database can't be read at the moment", folder)
            assert answer.headers["retry-after"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:1", 200),
        ("[::1]:80", 200),
        ("evil.example", 421),
        ("", 421),
    ],
)
def test_a_local_server_answers_to_local_names_only(database: Database, host: str, status: int) -> None:
    from zertz_db.api.guards.hosts import LOOPBACK

    with TestClient(create_app(database, hosts=LOOPBACK)) as api:
        assert api.get("/healthz", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://localhost:8000", 200), ("http://localhost:9", 421), ("http://evil.example", 421), ("null", 421)],
)
def test_a_local_server_does_not_answer_pages_of_others(database: Database, origin: str, status: int) -> None:
    from zertz_db.api.guards.hosts import LOOPBACK

    with TestClient(create_app(database, hosts=LOOPBACK)) as api:
        assert api.get("/healthz", headers={"Host": "localhost:8000", "Origin": origin}).status_code == status
