"""A separate PostgreSQL, on a socket in a folder, for the duration of the tests."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple


def programs() -> Path | None:
    """Return the folder with its programs, or None if it is not installed. Debian has them off the path."""
    usual = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = shutil.which("createdb")
    found = [folder for folder in (*usual, Path(on_path or "/").parent) if (folder / "initdb").exists()]
    return found[0] if found else None


_PATIENCE = 300


class Server(NamedTuple):
    """A running PostgreSQL: its programs, and the folder of its socket."""

    programs: Path
    folder: Path

    def new_database(self, name: str, like: str | None = None) -> str:
        """Create a database, optionally as a copy of another; return its address for libpq."""
        self.run("createdb", *([f"--template={like}"] if like else []), name)
        return f"host={self.folder} user=postgres dbname={name}"

    def run(self, program: str, *arguments: str) -> str:
        """Run one of its programs as its owner; return the output."""
        command = [str(self.programs / program), f"--host={self.folder}", "--username=postgres", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


_HASTY = "-c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=128MB"
"""The settings skip protection against power cuts, which tests do not need."""
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
_ROOM = 1_500_000_000
"""Bytes of memory for databases: each is 8 MB in 300 files, and on a disk their removal takes longer than the tests."""


def _in_memory() -> Path | None:
    """Return a folder in memory with enough space, or None."""
    return _MEMORY if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM else None


@contextmanager
def running(programs: Path) -> Iterator[Server]:
    """Yield a PostgreSQL that ends with the block. It does not run as root, and must not be where only root may look."""
    # The path of a user's shell may lack the folders of the system's programs.
    runuser = shutil.which("runuser", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]))
    as_user = [runuser or "runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with TemporaryDirectory(prefix="postgres-", dir=_in_memory()) as name:
        folder = Path(name)
        if as_user:
            shutil.chown(folder, "postgres")

        def run(program: str, *arguments: object) -> None:
            command = [*as_user, str(programs / program), "--pgdata", str(folder / "data"), *map(str, arguments)]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL, timeout=_PATIENCE)

        run("initdb", "--auth=trust", "--username=postgres", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={folder} {_HASTY}"
        run("pg_ctl", "--wait", "--log", folder / "log", "--options", options, "start")
        try:
            yield Server(programs, folder)
        finally:
            run("pg_ctl", "--wait", "--mode=immediate", "stop")
