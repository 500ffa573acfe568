"""The guard of the dashboard: hosts, origins, headers, links of other sites; without Streamlit."""

from __future__ import annotations

import tomllib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from zertz_db import dashboards
from zertz_db.api.guards.hosts import find_refusal, is_loopback, list_host_names
from zertz_db.dashboards.page_guard import BASE_SCRIPT, PageGuard

OWN = "localhost:8501"
ASKED = [
    (OWN, None, 200),
    ("127.0.0.1:8501", "http://127.0.0.1:8501", 200),
    (OWN, f"http://{OWN}", 200),
    ("LocalHost:8501", "http://localhost:8501", 200),
    ("club.example", "https://club.example", 200),
    ("evil.example", None, 421),
    ("evil.example:8501", "http://evil.example:8501", 421),
    ("localhost.evil.example", None, 421),
    ("", None, 421),
    (OWN, "http://evil.example", 421),
    (OWN, "http://localhost:9999", 421),
    (OWN, "http://127.0.0.1:8501", 421),
    (OWN, "null", 421),
    (OWN, "http://[", 421),
]


async def page(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("page")


async def stream(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.close()


def client(writes: bool = False) -> TestClient:
    guard = Middleware(PageGuard, hosts=list_host_names("localhost", ["Club.Example"]), writes=writes)
    return TestClient(Starlette(routes=[Route("/check", page), WebSocketRoute("/stream", stream)], middleware=[guard]))


@pytest.fixture
def reading() -> Iterator[TestClient]:
    with client() as opened:
        yield opened


def headers(host: str, origin: str | None) -> dict[str, str]:
    return {"Host": host, **({} if origin is None else {"Origin": origin})}


@pytest.mark.parametrize(("host", "origin", "status"), ASKED)
def test_only_its_own_names_and_pages_are_answered(
    reading: TestClient, host: str, origin: str | None, status: int
) -> None:
    answer = reading.get("/check", headers=headers(host, origin))
    assert answer.status_code == status
    assert (answer.text == "page") == (status == 200)


@pytest.mark.parametrize(("host", "origin", "status"), ASKED)
def test_the_websocket_is_as_strict(reading: TestClient, host: str, origin: str | None, status: int) -> None:
    try:
        with reading.websocket_connect("/stream", headers=headers(host, origin)):
            found = 200
    except WebSocketDisconnect as refused:
        found = getattr(refused, "status_code", 421)
    assert found == status


@pytest.mark.parametrize(("host", "status"), [(OWN, 200), ("evil.example\r; x", 421)])
def test_every_answer_refuses_frames_and_other_sources(reading: TestClient, host: str, status: int) -> None:
    answer = reading.get("/check", headers={"Host": host})
    assert answer.status_code == status
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
    assert policy["default-src"] == "'self'"
    assert policy["connect-src"] == f"'self' ws://{OWN} wss://{OWN}" if status == 200 else "evil" not in str(policy)
    assert not any("*" in allowed or "http" in allowed for allowed in policy.values())
    assert "unsafe-inline" not in policy["script-src"]


@pytest.mark.parametrize(
    ("writes", "site", "mode", "is_asked_first"),
    [
        (True, "cross-site", "navigate", True),
        (True, "same-site", "navigate", True),  # another port of this machine
        (True, "same-origin", "navigate", False),
        (True, "none", "navigate", False),
        (True, "cross-site", "no-cors", False),
        (False, "cross-site", "navigate", False),
    ],
)
def test_a_link_of_another_site_does_not_open_a_page_that_writes(
    writes: bool, site: str, mode: str, is_asked_first: bool
) -> None:
    asked = {"Host": OWN, "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode}
    with client(writes) as opened:
        answer = opened.get('/check?text="><script>&a=b', headers=asked)
    assert (answer.text != "page") == is_asked_first
    if is_asked_first:
        assert "<script>" not in answer.text
        assert 'href="/check?text=%22%3E%3Cscript%3E&amp;a=b"' in answer.text
        assert answer.headers["Cache-Control"] == "no-store"


def test_a_link_does_not_lead_out() -> None:
    asked = {"Host": OWN, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    with client(writes=True) as opened:
        assert 'href="/evil.example/"' in opened.get(f"http://{OWN}//evil.example/", headers=asked).text


@pytest.mark.parametrize(
    ("served", "host", "is_refused"),
    [
        ("0.0.0.0", "192.0.2.7:8501", False),  # noqa: S104 - a name only
        ("::", "[2001:db8::1]:8501", False),
        ("0.0.0.0", "evil.example", True),  # noqa: S104
        ("192.0.2.7", "192.0.2.7", False),
        ("192.0.2.7", "192.0.2.8", True),
        ("2001:db8::1", "[2001:db8::1]", False),
        ("localhost", "192.0.2.7", True),
    ],
)
def test_a_server_is_called_by_its_address(served: str, host: str, is_refused: bool) -> None:
    assert (find_refusal(host, None, list_host_names(served)) is not None) == is_refused


@pytest.mark.parametrize(
    ("address", "expected"),
    [("localhost", True), ("127.0.0.1", True), ("127.0.0.9", True), ("::1", True), ("0.0.0.0", False), ("club", False)],  # noqa: S104
)
def test_addresses_of_this_machine_alone(address: str, expected: bool) -> None:
    assert is_loopback(address) == expected


@pytest.mark.parametrize(
    ("path", "accepted", "is_page"),
    [
        ("/check", "text/html,*/*", True),
        ("/check", "*/*", False),
        ("/other", "text/html", True),
        ("/a/b", "text/html", False),
    ],
)
def test_a_page_names_its_server(reading: TestClient, path: str, accepted: str, is_page: bool) -> None:
    """Streamlit would look for the server below the path of the page first."""
    response = reading.get(path, headers={**headers(OWN, None), "Accept": accepted})
    assert (BASE_SCRIPT in response.text) == is_page
    if is_page:
        script = BASE_SCRIPT.removeprefix("<script>").removesuffix("</script>")
        digest = b64encode(sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in response.headers["Content-Security-Policy"]
        assert response.headers["Cache-Control"] == "no-cache"


def test_the_settings_can_be_read_and_keep_pages_free_of_offers() -> None:
    """Streamlit ignores a whole file with a fault: pages would send statistics."""
    text = (Path(dashboards.__file__).parent / ".streamlit" / "config.toml").read_text("utf-8")
    settings = tomllib.loads(text)
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["logger"]["hideWelcomeMessage"] is True
