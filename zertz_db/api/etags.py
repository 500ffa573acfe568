"""ETags: they name the generation of the database that a response is from."""

from __future__ import annotations

import hashlib

from zertz_db import __version__
from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database


def compute_etag(database: Database) -> str:
    """Return a tag that changes with the generation, the annotations and the program."""
    said_on_top = repr((overlay.fingerprint(database.annotations_dir), __version__)).encode()
    return f'W/"{database.generation.path.stem}-{hashlib.sha256(said_on_top).hexdigest()[:8]}"'


def has_current_etag(told: str, tag: str) -> bool:
    """Check by its `If-None-Match` if a client has the response with a tag."""
    names = {name.strip().removeprefix("W/") for name in told.split(",")}
    return tag.removeprefix("W/") in names or "*" in names
