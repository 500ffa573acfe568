"""`--wait`: how long a command that changes a database waits for others that change it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from zertz_db.store.errors import LockHeld
    from zertz_db.store.lock import Wait

DEFAULT_SECONDS = 600.0
"""Long enough for most imports. Who asks for a change mostly prefers to wait; Ctrl-C ends it."""

WaitOption = Annotated[
    float,
    typer.Option(
        "--wait", min=0, metavar="SECONDS", help="How long to wait while another command changes the database."
    ),
]


def build_wait(seconds: float) -> Wait:
    """Return how to wait: for so long, with one line on standard error that says for whom."""
    from zertz_db.store.lock import Wait

    def tell(held: LockHeld) -> None:
        typer.echo(f"zertz: waiting up to {seconds:g} s for {held.holder}, which is changing the database", err=True)

    return Wait(seconds, tell)
