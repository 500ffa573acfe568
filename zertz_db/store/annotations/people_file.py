"""`people.jsonl` next to a database's generations: aliases, kinds of players and redacted names, as text that outlives every generation.

Each line is one object. Lines are only appended, so the file suits version control:

    {"name": "adah", "player": "Ada", "verdict": "accepted", "evidence": "4 opponents in common", "since": "2026-05-01"}
    {"name": "deepgrey", "kind": "bot", "evidence": "its author said so", "since": "2026-05-01"}
    {"name_hash": "9f86d0…", "shown": "anon_6t3k0v9q", "since": "2026-05-01"}

The first is an alias: two names, and whether they are one player ("accepted": `player` is shown for both) or not ("rejected"); "later"
puts the decision off; "undone" cancels the lines before. The second is a kind of player, whatever the name or the records suggest:
human, bot, guest, or unknown, which cancels the lines before. The third is a redacted name, which must not return.

Names are compared in their normal form (`names`): case, spaces and the form of accents don't matter. The last of several lines about
two names counts. The file has only a hash of a redacted name, which recognises records with that name that are imported later (a guess
at a name can be verified). Aliases of a redacted name count for nothing, whatever their source. `people_toml` reads the older form.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.annotations import jsonl, people_toml
from zertz_db.store.annotations.faults import reason, report, require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.names import fold_name

FILE = "people.jsonl"
VERDICTS = ("accepted", "rejected", "later", "undone")
KINDS = ("human", "bot", "guest")
UNKNOWN_KIND = "unknown"
"""The kind that reverts an earlier one."""

_HASH = re.compile(r"[0-9a-fA-F]{64}")
_SKIPPED = "It is skipped and stays in the file; correct it or take it out."


class Tombstone(NamedTuple):
    """A redacted name. name_hash: SHA-256 of its normal form in UTF-8, in hexadecimal digits. shown: its pseudonym."""

    name_hash: str
    shown: str
    since: dt.date


class NameAlias(NamedTuple):
    """Two names are one player, or are not, or that is decided later. verdict: one of VERDICTS. evidence: the reason, for people."""

    name: str
    player: str
    verdict: str
    evidence: str
    since: dt.date

    @property
    def pair(self) -> frozenset[str]:
        """Return the two names in normal form, in any order."""
        return frozenset((fold_name(self.name), fold_name(self.player)))


class NameKind(NamedTuple):
    """The kind of player that a name is. kind: one of KINDS, or UNKNOWN_KIND. evidence: the reason, for people."""

    name: str
    kind: str
    evidence: str
    since: dt.date


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
    """Return the faults in the file: first those for which changes are refused."""
    contents = _read(folder)
    return [*contents.obstacles, *contents.faults]


def read_aliases(folder: Path) -> list[NameAlias]:
    """Return the aliases in force, in the order of the file. Raise UnreadableDatabase as `read_redacted` does.

    Skip and report other faulty lines.
    """
    contents = _parse(folder)
    hashes = {one.name_hash for one in contents.tombstones}
    current: dict[frozenset[str], NameAlias] = {}
    for claim in contents.claims:
        current.pop(claim.pair, None)
        if claim.verdict != "undone" and not _names(claim._asdict()) & hashes:
            current[claim.pair] = claim
    return list(current.values())


def read_kinds(folder: Path) -> list[NameKind]:
    """Return the stated kinds of players in force. Raise UnreadableDatabase as `read_redacted` does.

    Skip and report other faulty lines.
    """
    contents = _parse(folder)
    hashes = {one.name_hash for one in contents.tombstones}
    current: dict[str, NameKind] = {}
    for stated in contents.kinds:
        current.pop(fold_name(stated.name), None)
        if stated.kind != UNKNOWN_KIND and not _names(stated._asdict()) & hashes:
            current[fold_name(stated.name)] = stated
    return list(current.values())


def adopt(folder: Path, tombstones: Iterable[Tombstone]) -> None:
    """Append the tombstones that the database lacks. The caller holds the annotations' lock."""
    known = {one.name_hash for one in read_redacted(folder)}
    _append(folder, [one for one in tombstones if one.name_hash not in known])


def append_aliases(folder: Path, aliases: Iterable[NameAlias]) -> None:
    """Append aliases. The caller holds the annotations' lock. Raise UnreadableDatabase as `read_redacted` does."""
    _append(folder, list(aliases))


def append_kinds(folder: Path, kinds: Iterable[NameKind]) -> None:
    """Append kinds of players. The caller holds the annotations' lock. Raise UnreadableDatabase as `read_redacted` does."""
    _append(folder, list(kinds))


def redact_names(folder: Path, names: Iterable[str], redact_text: Callable[[str], str]) -> None:
    """Delete every alias and kind of these names from the file, in force or not; redact the rest, because evidence may have names.

    The caller holds the annotations' lock. Raise UnreadableDatabase as `read_redacted` does.
    """
    _parse(folder)
    people_toml.move(folder, folder / FILE)
    hashes = {one for name in names for one in name_hashes(name)}

    def change(entries: list[Entry]) -> Iterable[Entry | None]:
        for entry in entries:
            redacted = jsonl.redact_all(entry, _KEYS, redact_text)
            if _may_redact(entry):
                yield {**redacted, "name_hash": entry["name_hash"]}
            else:
                yield None if _names(entry) & hashes else redacted

    jsonl.rewrite(folder / FILE, lambda _: None, change, redact_text)


def _read_alias(entry: Entry) -> NameAlias:
    name, player, verdict = (require_text(entry[name], name) for name in ("name", "player", "verdict"))
    evidence = require_text(entry.get("evidence", ""), "evidence")
    if verdict not in VERDICTS:
        raise ValueError(f"a verdict is one of {', '.join(VERDICTS)}")
    return NameAlias(name, player, verdict, evidence, _day(entry))


def _read_kind(entry: Entry) -> NameKind:
    name, kind = (require_text(entry[name], name) for name in ("name", "kind"))
    if kind not in (*KINDS, UNKNOWN_KIND):
        raise ValueError(f"a kind is one of {', '.join((*KINDS, UNKNOWN_KIND))}")
    return NameKind(name, kind, require_text(entry.get("evidence", ""), "evidence"), _day(entry))


def _tombstone(entry: Entry) -> Tombstone:
    hashed, shown = (require_text(entry[name], name) for name in ("name_hash", "shown"))
    if not _HASH.fullmatch(hashed):
        raise ValueError("'name_hash' is not 64 hexadecimal digits")
    if not shown.strip():
        raise ValueError("'shown' is empty")
    return Tombstone(hashed.lower(), shown, _day(entry))


def _day(entry: Entry) -> dt.date:
    try:
        return dt.datetime.fromisoformat(entry["since"]).date()
    except (TypeError, ValueError) as error:
        raise ValueError("'since' is not a day") from error


def _names(entry: Entry) -> set[str]:
    """Return the hashes of the names in an alias, even a faulty one."""
    names = (entry.get(name) for name in ("name", "player"))
    return {one for name in names if isinstance(name, str) for one in name_hashes(name)}


def _may_redact(entry: Entry) -> bool:
    """Return whether an object is a redacted name, perhaps with a misspelt key."""
    if {"name", "player"} <= entry.keys():
        return "name_hash" in entry
    keys = ("name_hash", "shown", people_toml.REDACTED)
    return "name_hash" in repr(entry) or any(get_close_matches(key.lower(), keys, cutoff=0.75) for key in entry)


_KEYS = {*NameAlias._fields, *NameKind._fields, *Tombstone._fields}


class _Contents(NamedTuple):
    """The contents of the file. obstacles: why redacted names can't be read. faults: other lines that are skipped, and why."""

    tombstones: list[Tombstone]
    claims: list[NameAlias]
    kinds: list[NameKind]
    obstacles: list[str]
    faults: list[str]


def _parse(folder: Path) -> _Contents:
    contents = _read(folder)
    report(folder / FILE, contents.faults)
    if contents.obstacles:
        remedy = "Correct it, or restore the file from a backup: without it redacted names would return."
        raise UnreadableDatabase(" ".join(contents.obstacles), remedy)
    return contents


def _read(folder: Path) -> _Contents:
    """Return what both files have; the lines of `people.toml` come first."""
    tombstones: dict[str, Tombstone] = {}
    claims: list[NameAlias] = []
    kinds: list[NameKind] = []

    def take(entry: Entry, redacts: bool) -> None:
        if redacts:
            stone = _tombstone(entry)
            tombstones[stone.name_hash] = stone
        elif "kind" in entry and "player" not in entry:
            kinds.append(_read_kind(entry))
        else:
            claims.append(_read_alias(entry))

    old = people_toml.read(folder)
    obstacles, faults = [*old.obstacles], [*old.faults]
    for place, table, entry in old.rows:
        redacts = table == people_toml.REDACTED
        try:
            if not isinstance(entry, dict):
                raise TypeError("it is not a table")
            take(entry, redacts)
        except jsonl.FAULTS as error:
            (obstacles if redacts else faults).append(f"{place} can't be read ({reason(error)}).")
    faults = [f"{fault} {_SKIPPED}" for fault in faults]
    path = folder / FILE
    try:
        damaged = jsonl.scan(path, lambda entry: take(entry, _may_redact(entry)))
    except UnreadableDatabase as error:
        return _Contents([], [], [], [*obstacles, error.cause], faults)
    for line in damaged:
        if line.entry is None or _may_redact(line.entry):
            obstacles.append(f"{path}:{line.number} can't be read ({line.why}).")
        else:
            faults.append(line.describe(path, "an alias"))
    return _Contents([*tombstones.values()], claims, kinds, obstacles, faults)


def _append(folder: Path, rows: list[Tombstone] | list[NameAlias] | list[NameKind]) -> None:
    if not rows:
        return
    _parse(folder)
    people_toml.move(folder, folder / FILE)
    jsonl.append_entries(folder / FILE, ({**row._asdict(), "since": row.since.isoformat()} for row in rows))
