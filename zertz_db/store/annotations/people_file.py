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
import re
import tomllib
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from zertz_db.store import regular_files
from zertz_db.store.annotations.durable_files import append, replace
from zertz_db.store.annotations.faults import reason, report, require_text
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.names import fold_name

FILE = "people.toml"
VERDICTS = ("accepted", "rejected", "undone")

Entry = dict[str, Any]
Value = TypeVar("Value")

_HASH = re.compile(r"[0-9a-fA-F]{64}")
_SKIPPED = "It is skipped and stays in the file; correct it or take it out."


class Tombstone(NamedTuple):
    """A withheld name: the SHA-256 of its normal form in UTF-8, in hexadecimal digits; what is shown instead; and since when."""

    name_hash: str
    shown: str
    since: dt.date


class NameAlias(NamedTuple):
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


def read_redacted(folder: Path) -> list[Tombstone]:
    """Return the tombstones of a database. UnreadableDatabase if one of them can't be read: its name would return."""
    return _parse(folder).tombstones


def faults(folder: Path) -> list[str]:
    """Return what is wrong in the file, also if that is that it can't be read at all."""
    said = _read(folder)
    return [*([said.obstacle] if said.obstacle else ()), *said.faults]


def read_aliases(folder: Path) -> list[NameAlias]:
    """Return what is claimed at present, in the order in which it was said. UnreadableDatabase as for `withheld`.

    Faulty claims and unknown tables are skipped and reported.
    """
    said = _parse(folder)
    hashes = {one.name_hash for one in said.tombstones}
    current: dict[frozenset[str], NameAlias] = {}
    for claim in said.claims:
        current.pop(claim.pair, None)
        if claim.verdict != "undone" and not _names(claim._asdict()) & hashes:
            current[claim.pair] = claim
    return list(current.values())


def adopt(folder: Path, tombstones: Iterable[Tombstone]) -> None:
    """Append those tombstones that the database does not have. Only under the annotations' lock."""
    known = {one.name_hash for one in read_redacted(folder)}
    _append(folder, "withheld", [one._asdict() for one in tombstones if one.name_hash not in known])


def append_aliases(folder: Path, said: Iterable[NameAlias]) -> None:
    """Append claims. Only under the annotations' lock."""
    _append(folder, "claim", [one._asdict() for one in said])


def redact_names(folder: Path, names: Iterable[str], veil: Callable[[str], str]) -> None:
    """Take every claim about one of these names out of the file, whatever became of it, and veil the rest: remarks may name somebody.

    Only under the annotations' lock.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = folder / FILE
    text = _text(path)
    if not text:
        return
    hashes = {one for name in names for one in name_hashes(name)}
    try:
        said = tomlkit.parse(text)
    except TOMLKitError as error:
        raise _unreadable(f"{path} can't be read ({error}).") from error
    found = said.get("claim", [])
    if isinstance(found, list):
        for number in reversed(range(len(found))):
            if _names(found[number]) & hashes:
                del found[number]
        if "claim" in said and not found:
            del said["claim"]
    replace(path, veil(tomlkit.dumps(said)))


def _read_alias(entry: Any) -> NameAlias:
    name, player, verdict = (require_text(entry[name], name) for name in ("name", "player", "verdict"))
    evidence = require_text(entry.get("evidence", ""), "evidence")
    if verdict not in VERDICTS:
        raise ValueError(f"a verdict is one of {', '.join(VERDICTS)}")
    return NameAlias(name, player, verdict, evidence, _day(entry))


def _tombstone(entry: Any) -> Tombstone:
    hashed, shown = (require_text(entry[name], name) for name in ("name_hash", "shown"))
    if not _HASH.fullmatch(hashed):
        raise ValueError("'name_hash' is not 64 hexadecimal digits")
    if not shown.strip():
        raise ValueError("'shown' is empty")
    return Tombstone(hashed.lower(), shown, _day(entry))


def _day(entry: Any) -> dt.date:
    since = entry["since"]
    if not isinstance(since, dt.date):
        raise TypeError("'since' is not a day")
    return since.date() if isinstance(since, dt.datetime) else since


def _names(entry: Any) -> set[str]:
    """The hashes of the names in a claim, whatever else is wrong with it."""
    names = (entry.get(name) for name in ("name", "player")) if isinstance(entry, dict) else ()
    return {one for name in names if isinstance(name, str) for one in name_hashes(name)}


class _Contents(NamedTuple):
    """What the file says. obstacle: why tombstones in it can't be read, "" if they can. faults: other entries that are skipped, and why."""

    tombstones: list[Tombstone]
    claims: list[NameAlias]
    obstacle: str
    faults: list[str]


def _parse(folder: Path) -> _Contents:
    said = _read(folder)
    report(folder / FILE, said.faults)
    if said.obstacle:
        raise _unreadable(said.obstacle)
    return said


def _unreadable(obstacle: str) -> UnreadableDatabase:
    remedy = "Correct it, or restore the file from a backup: without it names that are withheld would return."
    return UnreadableDatabase(obstacle, remedy)


def _read(folder: Path) -> _Contents:
    path = folder / FILE
    try:
        text = _text(path)
        said = tomllib.loads(text)
    except UnreadableDatabase as error:
        return _Contents([], [], error.cause, [])
    except (ValueError, RecursionError) as error:  # also for numbers with too many digits
        return _Contents([], [], f"{path} can't be read ({reason(error)}).", [])
    tombstones, obstacles = _entries(path, text, said, "withheld", _tombstone)
    claims, faults = _entries(path, text, said, "claim", _read_alias)
    for name in said.keys() - {"withheld", "claim"}:
        fault = f"{path}: {name!r} is not a table of this file, which has [[claim]] and [[withheld]]."
        (obstacles if _may_redact(name, said[name]) else faults).append(fault)
    return _Contents(tombstones, claims, " ".join(obstacles), [f"{fault} {_SKIPPED}" for fault in faults])


def _entries(
    path: Path, text: str, said: Entry, kind: str, take: Callable[[Any], Value]
) -> tuple[list[Value], list[str]]:
    """The entries of a table, and what is wrong with the others."""
    entries = said.get(kind, [])
    if not isinstance(entries, list):
        return [], [f"{path}: {kind!r} can't be read: it is not a list of tables [[{kind}]]."]
    places = [
        text.count("\n", 0, found.end()) + 1 for found in re.finditer(rf"^[ \t]*\[\[[ \t]*{kind}\b", text, re.MULTILINE)
    ]
    understood, faults = [], []
    for number, entry in enumerate(entries):
        try:
            if not isinstance(entry, dict):
                raise TypeError("it is not a table")
            understood.append(take(entry))
        except (KeyError, TypeError, ValueError) as error:
            place = f"{path}:{places[number]}" if len(places) == len(entries) else f"{path}"
            faults.append(f"{place}: the entry {number + 1} of [[{kind}]] can't be read ({reason(error)}).")
    return understood, faults


def _may_redact(name: str, entries: object) -> bool:
    """Whether an unknown table may be meant to withhold names, with its own name misspelt."""
    return "name_hash" in repr(entries) or bool(get_close_matches(name.lower(), ["withheld", "withhold"], cutoff=0.75))


def _text(path: Path) -> str:
    try:
        return regular_files.read(path).decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise UnreadableDatabase(f"{path} can't be read: it is not in UTF-8 ({error}).") from error


def _append(folder: Path, kind: str, entries: list[Entry]) -> None:
    if not entries:
        return
    import tomlkit

    said = tomlkit.document()
    said[kind] = entries
    addition = f"\n{tomlkit.dumps(said)}"
    path = folder / FILE
    try:
        tomllib.loads(f"{_text(path)}\n{addition}")
    except ValueError as error:
        raise _unreadable(
            f"{path} can't be added to: {kind!r} is something else there than tables [[{kind}]]."
        ) from error
    append(path, addition)
