"""`people.toml` beside a database's generations: what its keepers say about people, as text that outlives every generation.

So far it holds the names that are withheld: not the name itself, but a hash of it, so that records with that name can be told when
they come again. Whoever guesses a name can try whether it is meant.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.ids import id_of, to_text

FILE = "people.toml"


class Tombstone(NamedTuple):
    """A withheld name: the SHA-256 of it in case-folded UTF-8, in hexadecimal digits; what is shown instead; and since when."""

    name_hash: str
    shown: str
    since: dt.date


def name_hash(name: str) -> str:
    """The hash by which a withheld name is known; upper and lower case don't matter."""
    return hashlib.sha256(name.casefold().encode()).hexdigest()


def tombstone(name: str, shown: str | None = None) -> Tombstone:
    """A tombstone for a name; what is shown follows from the hash, so it is the same in every database."""
    hashed = name_hash(name)
    return Tombstone(
        hashed, shown or f"anon_{to_text(id_of(hashed.encode()))[:8].lower()}", dt.datetime.now(dt.UTC).date()
    )


def withheld(folder: Path) -> list[Tombstone]:
    """The tombstones of a database. UnreadableDatabase where the file is not as it should be."""
    path = folder / FILE
    try:
        said = tomllib.loads(path.read_text("utf-8"))
        return [Tombstone(str(one["name_hash"]), str(one["shown"]), one["since"]) for one in said.get("withheld", [])]
    except FileNotFoundError:
        return []
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise UnreadableDatabase(
            f"{path} can't be read ({error}). Correct it, or restore it from a backup: without it names that are withheld would return."
        ) from error


def adopt(folder: Path, tombstones: Iterable[Tombstone]) -> None:
    """Append those tombstones that the database does not have. Only under the importers' lock."""
    known = {one.name_hash for one in withheld(folder)}
    new = [one for one in tombstones if one.name_hash not in known]
    if not new:
        return
    with (folder / FILE).open("a", encoding="utf-8", newline="\n") as file:
        for one in new:
            file.write(f'\n[[withheld]]\nname_hash = "{one.name_hash}"\nshown = "{one.shown}"\nsince = {one.since}\n')
        file.flush()
        os.fsync(file.fileno())
