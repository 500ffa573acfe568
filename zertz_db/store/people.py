"""`people.toml` beside a database's generations: what its keepers say about people, as text that outlives every generation.

It holds two kinds of entries, and is written to at its end only, so that it is fit for version control:

    [[claim]]                  # two names, and whether they are one player
    name = "adah"
    player = "Ada"             # the one that stands for both
    verdict = "accepted"       # or "rejected"; "undone" takes back what was said before
    evidence = "names alike; 4 opponents in common"
    since = 2026-05-01

    [[withheld]]               # a name that is not to come back
    name_hash = "9f86d0…"
    shown = "anon_6t3k0v9q"
    since = 2026-05-01

Names are compared in their normal form (`names`): case, blanks and the form of accents don't matter. Of several claims about the same
two names the last one counts. The file has only a hash of a withheld name. It serves to recognise records with that name that are
imported later (a guess at a name can be tried). Claims about a withheld name count for nothing, wherever they come from.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.store.appending import append, replace
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.names import fold_name

FILE = "people.toml"
VERDICTS = ("accepted", "rejected", "undone")

Entry = dict[str, Any]


class Tombstone(NamedTuple):
    """A withheld name: the SHA-256 of its normal form in UTF-8, in hexadecimal digits; what is shown instead; and since when."""

    name_hash: str
    shown: str
    since: dt.date


class Claim(NamedTuple):
    """That two names are one player, or that they are not: verdict is one of VERDICTS; evidence says why, for people."""

    name: str
    player: str
    verdict: str
    evidence: str
    since: dt.date

    @property
    def pair(self) -> frozenset[str]:
        """The two names, whichever comes first, in normal form."""
        return frozenset((fold_name(self.name), fold_name(self.player)))


def name_hash(name: str) -> str:
    """Return the hash by which a withheld name is known: that of its normal form."""
    return hashlib.sha256(fold_name(name).encode()).hexdigest()


def name_hashes(name: str) -> set[str]:
    """Return all hashes by which a name may be withheld: older files have that of the name with its case folded, and no more."""
    return {name_hash(name), hashlib.sha256(name.casefold().encode()).hexdigest()}


def tombstone(name: str, shown: str | None = None) -> Tombstone:
    """A tombstone for a name; what is shown follows from the hash, so it is the same in every database."""
    hashed = name_hash(name)
    return Tombstone(hashed, shown or f"anon_{to_text(id_of(hashed.encode()))[:8].lower()}", today())


def today() -> dt.date:
    """The day on which something is said (UTC)."""
    return dt.datetime.now(dt.UTC).date()


def withheld(folder: Path) -> list[Tombstone]:
    """The tombstones of a database. UnreadableDatabase where the file is not as it should be."""
    return _read(folder, "withheld", lambda one: Tombstone(str(one["name_hash"]), str(one["shown"]), one["since"]))


def claims(folder: Path) -> list[Claim]:
    """What is claimed at present, in the order in which it was said. UnreadableDatabase where the file is not as it should be."""
    hashes = {one.name_hash for one in withheld(folder)}
    current: dict[frozenset[str], Claim] = {}
    for claim in _read(folder, "claim", _claim):
        current.pop(claim.pair, None)
        if claim.verdict != "undone" and not _names(claim) & hashes:
            current[claim.pair] = claim
    return list(current.values())


def adopt(folder: Path, tombstones: Iterable[Tombstone]) -> None:
    """Append those tombstones that the database does not have. Only under the importers' lock."""
    known = {one.name_hash for one in withheld(folder)}
    _append(folder, "withheld", [one._asdict() for one in tombstones if one.name_hash not in known])


def say(folder: Path, said: Iterable[Claim]) -> None:
    """Append claims. Only under the importers' lock."""
    _append(folder, "claim", [one._asdict() for one in said])


def withhold(folder: Path, names: Iterable[str], veil: Callable[[str], str]) -> None:
    """Take every claim about one of these names out of the file, whatever became of it, and veil the rest: remarks may name somebody.

    Only under the importers' lock.
    """
    import tomlkit

    path = folder / FILE
    if not path.exists():
        return
    hashes = {one for name in names for one in name_hashes(name)}
    said = tomlkit.parse(path.read_text("utf-8"))
    found = said.get("claim", [])
    for number in reversed(range(len(found))):
        if _names(_claim(found[number])) & hashes:
            del found[number]
    if "claim" in said and not found:
        del said["claim"]
    replace(path, veil(tomlkit.dumps(said)))


def _claim(entry: Any) -> Claim:
    claim = Claim(
        name=str(entry["name"]),
        player=str(entry["player"]),
        verdict=str(entry["verdict"]),
        evidence=str(entry.get("evidence", "")),
        since=entry["since"],
    )
    if claim.verdict not in VERDICTS:
        raise KeyError(f"a verdict is one of {', '.join(VERDICTS)}, not {claim.verdict}")
    return claim


def _names(claim: Claim) -> set[str]:
    return name_hashes(claim.name) | name_hashes(claim.player)


def _read(folder: Path, kind: str, entry: Callable[[Any], Any]) -> list[Any]:
    path = folder / FILE
    try:
        said = tomllib.loads(path.read_text("utf-8"))
        return [entry(one) for one in said.get(kind, [])]
    except FileNotFoundError:
        return []
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise UnreadableDatabase(
            f"{path} can't be read ({error}). Correct it, or restore it from a backup: without it names that are withheld would return."
        ) from error


def _append(folder: Path, kind: str, entries: list[Entry]) -> None:
    if not entries:
        return
    import tomlkit

    said = tomlkit.document()
    said[kind] = entries
    append(folder / FILE, f"\n{tomlkit.dumps(said)}")
