"""The server as a process: how it starts and ends, and that it shows out who only keeps it waiting."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.api.serving import ROOT, Served, serving, start
from zertz_db.cli.errors import Stop
from zertz_db.cli.servers import serve
from zertz_db.client import Client
from zertz_db.store.errors import UnreadableFile

ASK = b"GET /games HTTP/1.1\r\nHost: localhost\r\n\r\n"


def connected(served: Served) -> socket.socket:
    return socket.create_connection((served.host, served.port), timeout=300)


def test_it_serves_until_ctrl_c(sample: Path) -> None:
    with serving("--db", sample) as served, Client(served.address) as client:
        assert len(client.games().rows) == 6
        assert client.check("1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns")[0]["verdict"] == "verified"
        assert served.host == "127.0.0.1"


@pytest.mark.parametrize("sent", [b"", b"GET /games HTTP/1.1\r\nHost: lo", b"\x16\x03\x01\x02\x00"])
@pytest.mark.long
def test_who_does_not_say_what_he_wants_is_shown_out(sample: Path, sent: bytes) -> None:
    with serving("--db", sample, head_seconds=0.2) as served, connected(served) as slow:
        slow.sendall(sent)
        answer = b"".join(iter(lambda: _received(slow), b""))
        assert answer.startswith(b"HTTP/1.1 400" if b"\x16" in sent else b"")


def test_who_dribbles_is_shown_out_and_the_others_are_served(sample: Path) -> None:
    with (
        serving("--db", sample, head_seconds=0.5) as served,
        connected(served) as slow,
        Client(served.address) as client,
    ):
        slow.sendall(b"GET /games HTTP/1.1\r\n")
        with pytest.raises(OSError, match=r"."):
            while True:
                slow.sendall(b"X-Header: more\r\n")
                assert client.games(limit=1).rows
                time.sleep(0.05)


def test_who_does_not_take_the_answers_is_shown_out(sample: Path) -> None:
    with serving("--db", sample, stalled_seconds=0.5) as served, connected(served) as deaf:
        with pytest.raises(OSError, match=r"."):
            while True:
                deaf.sendall(100 * ASK)
        with Client(served.address) as client:
            assert client.games(limit=1).rows


def _received(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1 << 16)
    except ConnectionResetError:
        return b""


def said(*arguments: object) -> tuple[int, str]:
    process = start(*arguments)
    _, error = process.communicate(timeout=300)
    return process.returncode, error


def test_a_port_that_is_taken(sample: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert said("--db", sample, "--port", port) == (
            2,
            f"zertz: port {port} of 127.0.0.1 is taken, perhaps by another server; try --port {port + 1}\n",
        )


def test_an_address_that_is_not_ours(sample: Path) -> None:
    status, error = said("--db", sample, "--host", "192.0.2.1", "--port", 0)
    assert status == 2
    assert error.startswith("zertz: can't serve on 192.0.2.1: ")


def test_no_database(tmp_path: Path) -> None:
    status, error = said("--db", tmp_path / "none.zertz")
    assert (status, "There is no database" in error) == (2, True)


@pytest.mark.parametrize("token", ["", "short", "with a blank in between", "Ünïcödé-Ünïcödé-Ünïcödé"])
def test_a_token_that_is_none(sample: Path, tmp_path: Path, token: str) -> None:
    file = tmp_path / "token.txt"
    file.write_text(token, "utf-8")
    status, error = said("--db", sample, "--token-file", file)
    assert status == 2
    assert "must have one word of at least 16 ASCII letters and digits" in error


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes with a name")
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_a_token_file_that_is_none(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "token.txt")
    with pytest.raises(UnreadableFile, match=r"token\.txt can't be read: "):
        serve._token(tmp_path / "token.txt")


@pytest.mark.parametrize("token", [b"\xff" * 20, b"\0" * 20, b"x" * 5000, "a-token-of-the-tests".encode("utf-16")])
def test_a_token_of_other_bytes(tmp_path: Path, token: bytes) -> None:
    (tmp_path / "token.txt").write_bytes(token)
    with pytest.raises(Stop, match="must have one word of at least 16 ASCII letters and digits; make one: "):
        serve._token(tmp_path / "token.txt")


@pytest.mark.parametrize(("mode", "warned"), [(0o600, ""), (0o640, ""), (0o644, "can read"), (0o602, "can write to")])
@pytest.mark.parametrize("text", [b"a-token-of-the-tests", b"\xef\xbb\xbfa-token-of-the-tests\r\n"])
def test_a_token_file_that_all_can_read_is_warned_of(
    tmp_path: Path, mode: int, warned: str, text: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token.txt"
    file.write_bytes(text)
    file.chmod(mode)
    assert serve._token(file) == "a-token-of-the-tests"
    errors = capsys.readouterr().err
    assert (warned in errors, "chmod 600" in errors) == (True, bool(warned))


def test_a_missing_token_file_is_created_for_its_owner_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token.txt"
    token = serve._token(file)
    assert capsys.readouterr().err == f"{file}: a new token, which only you can read\n"
    assert len(token) >= serve.MIN_TOKEN_LENGTH
    assert sys.platform == "win32" or file.stat().st_mode & 0o777 == 0o600
    assert serve._token(file) == token


def test_a_token_file_in_no_folder(sample: Path, tmp_path: Path) -> None:
    status, error = said("--db", sample, "--token-file", tmp_path / "none" / "token.txt")
    assert (status, "No such file" in error) == (2, True)


def test_token_files_are_ignored_by_git() -> None:
    assert {"*token*.txt", "*.token"} <= set((ROOT / ".gitignore").read_text("utf-8").splitlines())


def test_other_commands_load_nothing_of_it() -> None:
    code = """
import sys, zertz_db.cli.main
print({'fastapi', 'uvicorn', 'starlette', 'pydantic', 'httpx2', 'asyncio', 'duckdb'} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "set()\n"
