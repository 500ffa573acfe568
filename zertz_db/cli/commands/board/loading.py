"""Load the engine before the first move, and tell the person who waits why, if it takes long."""

from __future__ import annotations

import threading

import typer

from zertz_db.engine.choose import warm_up

_PATIENCE_SECONDS = 2.0


def load_engine() -> None:
    """Load the engine; after two seconds, say on standard error that it is being compiled."""
    notice = threading.Timer(_PATIENCE_SECONDS, _announce)
    notice.daemon = True
    notice.start()
    try:
        warm_up()
    finally:
        notice.cancel()


def _announce() -> None:
    typer.echo("zertz: the engine is being compiled; it takes half a minute, once on this machine", err=True)
