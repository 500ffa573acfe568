"""ETags: they name the generation of the database that a response is from."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from zertz_db import __version__
from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database


def compute_etag(database: Database) -> str:
    """Return a tag that changes with the generation, the annotations and the program."""
    return _format(database.generation.path.stem, overlay.fingerprint(database.annotations_dir))


@lru_cache(8)
def _format(generation: str, annotations: object) -> str:
    state = repr((annotations, __version__)).encode()
    return f'W/"{generation}-{hashlib.sha256(state).hexdigest()[:8]}"'


def has_current_etag(if_none_match: str, tag: str) -> bool:
    """Check by its `If-None-Match` if a client has the response with a tag."""
    names = {name.strip().removeprefix("W/") for name in if_none_match.split(",")}
    return tag.removeprefix("W/") in names or "*" in names
