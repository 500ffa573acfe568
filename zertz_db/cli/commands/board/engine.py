"""`zertz engine`: speak the protocol of matches on standard input and output."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from zertz_db.engine.matches.protocol_server import serve_protocol
from zertz_db.engine.strengths import HARD, strength_named


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("engine")(run_engine)


def run_engine(
    strength: Annotated[str, typer.Option("--strength", "-s", help="Strength: easy, medium or hard.")] = HARD.name,
) -> None:
    """Choose moves for a program that asks by the protocol of matches, on standard input and output; quit ends it.

    docs/engine.md describes the protocol. `zertz match` speaks it with programs.

    Examples:  zertz engine  ·  zertz engine --strength easy
    """

    def answer(line: str) -> None:
        print(line, flush=True)

    serve_protocol(sys.stdin, answer, strength_named(strength))
