"""`zertz dashboard`: show a database in a browser."""

from __future__ import annotations

import os
import runpy
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Annotated

import typer

from zertz_db.api.guards.hosts import EVERY_ADDRESS, is_loopback, list_host_names
from zertz_db.cli.errors import Stop
from zertz_db.cli.options import DEFAULT_DATABASE, DatabaseFolder
from zertz_db.dashboards import APPLICATION
from zertz_db.store.errors import NoDatabase
from zertz_db.store.open_database import open_database

PORT = 8501
HOST = "localhost"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dashboard")(serve_dashboard)


def serve_dashboard(
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port to serve on.")] = PORT,
    host: Annotated[
        str, typer.Option("--host", help="Address to serve on; any but this machine's own is open to others.")
    ] = HOST,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="NAME", help="Another name of this server, for example of a proxy; can be repeated."
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Don't open a browser window.")] = False,
    allow_import: Annotated[
        bool,
        typer.Option("--allow-import", help="Let pages write: import, enter and mark games (default: read only)."),
    ] = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Show the games in a browser: lists, boards, openings, search. Ctrl-C ends it.

    Only this machine can see the dashboard, unless --host names another address. It refuses requests for other names than the server's,
    from pages of other sites, and in frames. Without a database it offers the samples, or records of yours to look at.

    Examples:  zertz dashboard  ·  zertz dashboard --db my.zertz --port 8600 --no-browser  ·  zertz dashboard --allow-import
    """
    try:
        open_database(folder).close()
    except NoDatabase:
        typer.echo(
            f"There is no database {folder} yet: the dashboard "
            f"{'can create it, and ' if allow_import else ''}offers the samples, or records of yours to look at."
        )
    _require_free_port(host, port)
    typer.echo(f"{folder}: http://{_format_host(host)}:{port} (Ctrl-C ends it)")
    if not is_loopback(host):
        typer.echo(f"Anyone who reaches {host} can see it{', and can write' if allow_import else ''}.", err=True)
    os.environ["ZERTZ_DB"] = os.path.realpath(folder)
    os.environ["ZERTZ_ALLOW_IMPORT"] = "1" if allow_import else "0"
    os.environ["ZERTZ_HOSTS"] = ",".join(list_host_names(host, names or ()))
    Thread(target=_warm_up, daemon=True).start()
    sys.argv = ["streamlit", "run", str(APPLICATION), *_settings(host, port, no_browser)]
    with _exit_quietly():
        runpy.run_module("streamlit", run_name="__main__")  # in this process, so that ending it ends the dashboard


def _settings(host: str, port: int, no_browser: bool) -> list[str]:
    """Return Streamlit's settings for the server. The theme is in a file next to the pages."""
    headless = str(no_browser).lower()
    return [
        f"--server.port={port}",
        f"--server.address={host}",
        f"--browser.serverAddress={HOST if host in EVERY_ADDRESS else _format_host(host)}",
        f"--server.headless={headless}",
        "--server.showEmailPrompt=false",
        "--server.enableXsrfProtection=true",
        "--server.xsrfCookieSameSite=strict",
        "--server.enableCORS=true",
        "--server.enableAgentApi=false",
    ]


@contextmanager
def _exit_quietly() -> Iterator[None]:
    """End with status 0 on Ctrl-C and SIGTERM: the server raises them once more when it has closed its connections."""
    before = {number: signal.signal(number, lambda *_: sys.exit(0)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _format_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _require_free_port(host: str, port: int) -> None:
    try:
        found = socket.getaddrinfo(HOST if host in EVERY_ADDRESS else host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise Stop(f"can't serve on {host}: {error.strerror or error}") from error
    for family, kind, *_, address in found:
        with socket.socket(family, kind) as probe:
            if probe.connect_ex(address) == 0:
                raise Stop(
                    f"port {port} is taken, perhaps by another dashboard: http://{_format_host(host)}:{port}; "
                    f"try --port {port + 1}"
                )


def _warm_up() -> None:
    """Import the modules of the pages while the browser starts."""
    from zertz_db.dashboards.state.preload import freeze_objects  # the import takes 2 s, and this is a thread

    freeze_objects()
