"""A lake with Parquet files in an S3-compatible store; here one on this machine, over HTTP like any other."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.lakes import FEW, Lakes, contents
from zertz_db import import_paths
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.undo_import import undo

boto3 = pytest.importorskip("boto3", reason="no client of S3")
pytest.importorskip("moto.server", reason="no S3-compatible server")

_PATIENCE = 300


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return an empty bucket of a store that the usual variables name."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    for name, value in {
        "ACCESS_KEY_ID": "a",
        "SECRET_ACCESS_KEY": "b",
        "REGION": "us-east-1",
        "ENDPOINT_URL": address,
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port)
        boto3.client("s3", endpoint_url=address).create_bucket(Bucket="games")
        yield "games"
    finally:
        server.kill()
        server.wait()


def _wait_for(port: int) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.long
def test_it_equals_a_folder(bucket: str, lakes: Lakes, tmp_path: Path) -> None:
    catalog = lakes.server.new_database("far_away")
    there, folder = Path(f"ducklake:postgres:{catalog} data_path=s3://{bucket}/games"), tmp_path / "games.zertz"
    for database in (there, folder):
        import_paths(FEW[:10], database)
        import_paths(FEW[10:20], database)
        undo(database, 1)
    assert contents(there) == contents(folder)
    name = contents(there)["player"][-1][1]
    for database in (there, folder):
        anonymise_player(database, str(name))
    assert contents(there) == contents(folder)
    assert examine(there).is_fine
