"""`people.toml` next to a database's generations: aliases and redacted names, as text that outlives every generation.

It has two kinds of entries. They are only appended, so the file suits version control:

    [[claim]]                  # two names, and whether they are one player
    name = "adah"
    player = "Ada"             # the name that is shown for both
    verdict = "accepted"       # or "rejected"; "undone" cancels the entries before
    evidence = "names alike; 4 opponents in common"
    since = 2026-05-01

    [[withheld]]               # a name that must not return
    name_hash = "9f86d0…"
    shown = "anon_6t3k0v9q"
    since = 2026-05-01

Names are compared in their normal form (`names`): case, spaces and the form of accents don't matter. The last of several entries about
two names counts. The file has only a hash of a redacted name, which recognises records with that name that are imported later (a guess
at a name can be verified). Aliases of a redacted name count for nothing, whatever their source.
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
    """A redacted name. name_hash: SHA-256 of its normal form in UTF-8, in hexadecimal digits. shown: its pseudonym."""

    name_hash: str
    shown: str
    since: dt.date


class NameAlias(NamedTuple):
    """Two names are one player, or are not. verdict: one of VERDICTS. evidence: the reason, for people."""

    name: str
    player: str
    verdict: str
    evidence: str
    since: dt.date

    @property
    def pair(self) -> frozenset[str]:
        """Return the two names in normal form, in any order."""
        return frozenset((fold_name(self.name), fold_name(self.player)))


def name_hash(name: str) -> str:
    """Return the hash of a name's normal form, which identifies a redacted name."""
    return hashlib.sha256(fold_name(name).encode()).hexdigest()


def name_hashes(name: str) -> set[str]:
    """Return all hashes that may identify a redacted name; older files hash the name with only its case folded."""
    return {name_hash(name), hashlib.sha256(name.casefold().encode()).hexdigest()}


def tombstone(name: str, shown: str | None = None) -> Tombstone:
    """Return a tombstone for a name. The pseudonym derives from the hash, so it is equal in every database."""
    hashed = name_hash(name)
    return Tombstone(hashed, shown or f"anon_{to_text(id_of(hashed.encode()))[:8].lower()}", today())


def today() -> dt.date:
    """Return the current day (UTC), for new entries."""
    return dt.datetime.now(dt.UTC).date()


def read_redacted(folder: Path) -> list[Tombstone]:
    """Return the tombstones of a database. Raise UnreadableDatabase if one can't be read, because its name would return."""
    return _parse(folder).tombstones


def faults(folder: Path) -> list[str]:
    """Return the faults in the file; an unreadable file is one fault."""
    contents = _read(folder)
    return [*([contents.obstacle] if contents.obstacle else ()), *contents.faults]


def read_aliases(folder: Path) -> list[NameAlias]:
    """Return the aliases in force, in the order of the file. Raise UnreadableDatabase as `read_redacted` does.

    Skip and report faulty aliases and unknown tables.
    """
    contents = _parse(folder)
    hashes = {one.name_hash for one in contents.tombstones}
    current: dict[frozenset[str], NameAlias] = {}
    for claim in contents.claims:
        current.pop(claim.pair, None)
        if claim.verdict != "undone" and not _names(claim._asdict()) & hashes:
            current[claim.pair] = claim
    return list(current.values())


def adopt(folder: Path, tombstones: Iterable[Tombstone]) -> None:
    """Append the tombstones that the database lacks. The caller holds the annotations' lock."""
    known = {one.name_hash for one in read_redacted(folder)}
    _append(folder, "withheld", [one._asdict() for one in tombstones if one.name_hash not in known])


def append_aliases(folder: Path, aliases: Iterable[NameAlias]) -> None:
    """Append aliases. The caller holds the annotations' lock."""
    _append(folder, "claim", [one._asdict() for one in aliases])


def redact_names(folder: Path, names: Iterable[str], redact_text: Callable[[str], str]) -> None:
    """Delete every alias of these names from the file, in force or not; redact the rest, because evidence may have names.

    The caller holds the annotations' lock.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = folder / FILE
    text = _text(path)
    if not text:
        return
    hashes = {one for name in names for one in name_hashes(name)}
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise _unreadable(f"{path} can't be read ({error}).") from error
    aliases = document.get("claim", [])
    if isinstance(aliases, list):
        for number in reversed(range(len(aliases))):
            if _names(aliases[number]) & hashes:
                del aliases[number]
        if "claim" in document and not aliases:
            del document["claim"]
    replace(path, redact_text(tomlkit.dumps(document)))


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
    """Return the hashes of the names in an alias, even a faulty one."""
    names = (entry.get(name) for name in ("name", "player")) if isinstance(entry, dict) else ()
    return {one for name in names if isinstance(name, str) for one in name_hashes(name)}


class _Contents(NamedTuple):
    """The contents of the file. obstacle: why tombstones can't be read, or "". faults: other entries that are skipped, and why."""

    tombstones: list[Tombstone]
    claims: list[NameAlias]
    obstacle: str
    faults: list[str]


def _parse(folder: Path) -> _Contents:
    contents = _read(folder)
    report(folder / FILE, contents.faults)
    if contents.obstacle:
        raise _unreadable(contents.obstacle)
    return contents


def _unreadable(obstacle: str) -> UnreadableDatabase:
    remedy = "Correct it, or restore the file from a backup: without it redacted names would return."
    return UnreadableDatabase(obstacle, remedy)


def _read(folder: Path) -> _Contents:
    path = folder / FILE
    try:
        text = _text(path)
        document = tomllib.loads(text)
    except UnreadableDatabase as error:
        return _Contents([], [], error.cause, [])
    except (ValueError, RecursionError) as error:  # also for numbers with too many digits
        return _Contents([], [], f"{path} can't be read ({reason(error)}).", [])
    tombstones, obstacles = _entries(path, text, document, "withheld", _tombstone)
    claims, faults = _entries(path, text, document, "claim", _read_alias)
    for name in document.keys() - {"withheld", "claim"}:
        fault = f"{path}: {name!r} is not a table of this file, which has [[claim]] and [[withheld]]."
        (obstacles if _may_redact(name, document[name]) else faults).append(fault)
    return _Contents(tombstones, claims, " ".join(obstacles), [f"{fault} {_SKIPPED}" for fault in faults])


def _entries(
    path: Path, text: str, document: Entry, kind: str, parse: Callable[[Any], Value]
) -> tuple[list[Value], list[str]]:
    """Return the entries of a table, and the faults of the others."""
    entries = document.get(kind, [])
    if not isinstance(entries, list):
        return [], [f"{path}: {kind!r} can't be read: it is not a list of tables [[{kind}]]."]
    places = [
        text.count("\n", 0, match.end()) + 1 for match in re.finditer(rf"^[ \t]*\[\[[ \t]*{kind}\b", text, re.MULTILINE)
    ]
    values, faults = [], []
    for number, entry in enumerate(entries):
        try:
            if not isinstance(entry, dict):
                raise TypeError("it is not a table")
            values.append(parse(entry))
        except (KeyError, TypeError, ValueError) as error:
            place = f"{path}:{places[number]}" if len(places) == len(entries) else f"{path}"
            faults.append(f"{place}: the entry {number + 1} of [[{kind}]] can't be read ({reason(error)}).")
    return values, faults


def _may_redact(name: str, entries: object) -> bool:
    """Return whether an unknown table may be [[withheld]] misspelt."""
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

    document = tomlkit.document()
    document[kind] = entries
    addition = f"\n{tomlkit.dumps(document)}"
    path = folder / FILE
    try:
        tomllib.loads(f"{_text(path)}\n{addition}")
    except ValueError as error:
        raise _unreadable(f"{path} can't be added to: {kind!r} is not a list of tables [[{kind}]] there.") from error
    append(path, addition)
