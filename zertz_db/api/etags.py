"""ETags: the state of the database that an answer follows from."""

from __future__ import annotations

import hashlib

from zertz_db import __version__
from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database


def compute_etag(database: Database) -> str:
    """A tag that changes whenever an answer may: with the generation, with what people say on top of it, with the program."""
    said_on_top = repr((overlay.fingerprint(database.annotations_dir), __version__)).encode()
    return f'W/"{database.generation.path.stem}-{hashlib.sha256(said_on_top).hexdigest()[:8]}"'


def has_current_etag(told: str, tag: str) -> bool:
    """Whether a client has the answer with this tag, by its `If-None-Match`."""
    names = {name.strip().removeprefix("W/") for name in told.split(",")}
    return tag.removeprefix("W/") in names or "*" in names
