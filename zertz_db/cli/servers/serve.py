"""`zertz serve`: serve a database over HTTP."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import socket
import stat
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.api.guards.hosts import is_loopback, list_host_names
from zertz_db.api.guards.limits import Limits
from zertz_db.api.import_jobs import Jobs
from zertz_db.api.processes.shared_work import Shared, WorkQueue, share
from zertz_db.api.processes.supervisor import AddressInUse, ServerFailed, open_listener, supervise
from zertz_db.api.processes.work_process import WorkProcess
from zertz_db.api.processes.worker_contract import Settings
from zertz_db.cli.errors import Stop
from zertz_db.cli.options import DEFAULT_DATABASE, DatabaseFolder
from zertz_db.ingest.worker_pool import count_cores
from zertz_db.store import regular_files
from zertz_db.store.open_database import open_database
from zertz_db.tactics.warm_up import warm_up_all

HOST = "127.0.0.1"
PORT = 8000
MIN_TOKEN_LENGTH = 16
_MAX_TOKEN_LENGTH = 4096
MAX_PROCESSES = 16
_USUAL_PROCESSES = 4
"""Maximum number of processes if none is stated: each needs memory."""
LIMITS = Limits()


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(serve_database)


def serve_database(
    host: Annotated[
        str, typer.Option("--host", help="Address to serve on; any but this machine's own is open to others.")
    ] = HOST,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to serve on (0: any free port).")] = PORT,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="NAME", help="Another name of this server, for example of a proxy; can be repeated."
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", metavar="FILE", help="Clients with this file's token may import; a missing file is created."
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            min=1,
            max=MAX_PROCESSES,
            metavar="N",
            help=f"Number of processes that serve; default: one per core, at most {_USUAL_PROCESSES}.",
        ),
    ] = None,
    openapi: Annotated[bool, typer.Option("--openapi", help="Print the OpenAPI description of the service.")] = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Serve a database over HTTP: games, openings, searches, statistics and checks as JSON. Ctrl-C ends it.

    Without --token-file the service is read-only. / and /openapi.json describe it. It aborts a request that exceeds its time, and a
    new process takes over. /healthz answers 503 if the service would refuse another request. On this machine's own address, or with
    --name, it refuses requests for other names and from pages of other sites (421).

    Examples:  zertz serve --db club.zertz  ·  zertz serve --token-file token.txt --port 9000  ·  curl 'localhost:8000/games?q=board:48'
    """
    if openapi:
        typer.echo(build_openapi())
        return
    token = None if token_file is None else _token(token_file)

    open_database(folder).close()
    count = processes or min(count_cores(), _USUAL_PROCESSES)
    shared = _make_shared(folder)
    with _open_listener(host, port) as listener, closing(shared):
        port = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        writing = "imports with the token" if token else "read only"
        hosts = list_host_names(host, names or ()) if names or is_loopback(host) else ()
        free, connections = (get_context("spawn").RawArray("i", count) for _ in range(2))
        settings = Settings(folder, token, hosts, LIMITS, share(shared), free, connections)

        def announce() -> None:
            typer.echo(f"{folder}: http://{shown}:{port}, {writing} (Ctrl-C ends it)")
            shared.solver.start()  # it compiles the search, if that is not done yet

        try:
            supervise(settings, listener, announce)
        except ServerFailed as error:
            raise Stop(str(error)) from error


def _make_shared(folder: Path) -> Shared:
    """Return what the processes that serve share."""
    return Shared(
        Jobs(folder, LIMITS.imports),
        WorkQueue(WorkProcess(LIMITS.check_seconds)),
        WorkQueue(WorkProcess(LIMITS.solve_seconds, warm_up_all)),
    )


def build_openapi() -> str:
    """Return the OpenAPI description of the service as JSON."""
    from zertz_db.api.app import create_app  # needs FastAPI, which takes a second to import

    return json.dumps(create_app(None).openapi(), indent=1, ensure_ascii=False)


def _token(path: Path) -> str:
    try:
        token = regular_files.read(path, _MAX_TOKEN_LENGTH + 1).decode("utf-8-sig", "replace").strip()
    except FileNotFoundError:
        token = _create_token(path)
    if (
        not MIN_TOKEN_LENGTH <= len(token) <= _MAX_TOKEN_LENGTH
        or not token.isascii()
        or not token.isprintable()
        or " " in token
    ):
        raise Stop(
            f"{path} must have one word of at least {MIN_TOKEN_LENGTH} ASCII letters and digits; {_suggest_command(path)}"
        )
    _warn_of_permissions(path)
    return token


def _create_token(path: Path) -> str:
    """Write a new token to a file that only its owner can read, and return it. Raises OSError if the folder does not exist."""
    token = secrets.token_urlsafe()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    typer.echo(f"{path}: a new token, which only you can read", err=True)
    return token


def _suggest_command(path: Path) -> str:
    command = f"python -c 'import secrets; print(secrets.token_urlsafe())' > {shlex.quote(str(path))}"
    return f"make one: (umask 077; {command})"


def _warn_of_permissions(path: Path) -> None:
    mode = path.stat().st_mode
    if os.name == "posix" and mode & (stat.S_IROTH | stat.S_IWOTH):
        can = "read" if mode & stat.S_IROTH else "write to"
        typer.echo(
            f"zertz: every user of this machine can {can} {path}; to prevent that: chmod 600 {shlex.quote(str(path))}",
            err=True,
        )


def _open_listener(host: str, port: int) -> socket.socket:
    try:
        return open_listener(host, port)
    except AddressInUse as error:
        raise Stop(f"{error}, perhaps by another server; try --port {port + 1}") from error
    except OSError as error:
        raise Stop(f"can't serve on {host}: {error.strerror or error}") from error
