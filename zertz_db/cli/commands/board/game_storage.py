"""Store played games: an ordinary import of a text in official notation."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typer

from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.ingest.import_paths import import_paths
from zertz_db.plurals import format_count
from zertz_db.store.errors import NoDatabase, NoFolder
from zertz_db.store.open_database import open_database


def check_target(folder: Path) -> None:
    """Raise NoFolder and other errors of a database that can't be opened, before the games are played. A missing one is created later."""
    try:
        open_database(folder).close()
    except NoFolder:
        raise
    except NoDatabase:
        pass


def store_games(text: str, folder: Path, name: str) -> None:
    """Import a text into a database, created if missing, as a file of this name; print the tally. Raises Stop if a game is rejected."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "games.txt"
        path.write_text(text, encoding="utf-8", newline="\n")
        tally = import_paths([path], folder, called={str(path): name})
    if tally.rejected:
        raise Stop(f"{folder} rejected {format_count(tally.rejected, 'game')}; this is a fault of zertz", FINDINGS)
    equal = f", {format_count(tally.duplicate, 'duplicate')}" if tally.duplicate else ""
    typer.echo(f"stored in {folder}: {format_count(tally.stored, 'game')}{equal}", err=True)
