"""Store played games: an ordinary import of a text in official notation."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typer

from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.ingest.import_paths import import_paths
from zertz_db.plurals import format_count


def store_games(text: str, folder: Path, name: str) -> None:
    """Import a text into a database, created if missing, as a file of this name; print the tally. Raises Stop if a game is rejected."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "games.txt"
        path.write_text(text, encoding="utf-8", newline="\n")
        tally = import_paths([path], folder, called={str(path): name})
    if tally.rejected:
        raise Stop(f"{folder} rejected {format_count(tally.rejected, 'game')}; this is a fault of zertz", FINDINGS)
    typer.echo(f"stored in {folder}: {format_count(tally.stored, 'game')}")
