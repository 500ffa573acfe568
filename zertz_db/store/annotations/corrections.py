"""`corrections.jsonl` next to a database's generations: other values for the tags of games, and why.

Each line is one object. Lines are only appended, so the file suits version control:

    {"game": "3T7K0V9QZ4M1A", "tag": "Event", "old": "Clubb night", "new": "Club night", "why": "a slip", "author": "ada",
     "made_at": "2026-05-01T12:30:00.250000"}
    {"game": "3T7K0V9QZ4M1A", "tag": "Event", "taken_back": "2026-05-01T12:30:00.250000", "author": "ben", "made_at": "…"}

(The first of them is one line.) `old` is the value shown until then; null means no tag. The latest correction of a tag counts, unless
a line with `taken_back`, which names it by its time, reverts it. Times are UTC.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.annotations import jsonl, people_file
from zertz_db.store.annotations.faults import require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.partial_dates import utc_time

FILE = "corrections.jsonl"
PLAYERS = ("Player1", "Player2")
COLUMNS = {name: name.lower() for name in ("Event", "Site", "Date", "Round", *PLAYERS)}
"""The tags that have a column in the table of games, and its name; other tags are stored with records."""

Key = tuple[str, str, dt.datetime]
"""The key of a correction: game, tag and time."""


class Correction(NamedTuple):
    """A new value for a tag of a game (its id in letters); None removes the tag.

    taken_back_by, taken_back_at: author and time of its reversal, or None.
    """

    game: str
    tag: str
    old: str | None
    new: str | None
    author: str
    made_at: dt.datetime
    why: str = ""
    taken_back_by: str | None = None
    taken_back_at: dt.datetime | None = None

    @property
    def key(self) -> Key:
        """Return the key of this correction."""
        return self.game, self.tag, self.made_at


def read(folder: Path) -> list[Correction]:
    """Return all corrections in the order of their times, reverted ones too. Skip and report faulty lines."""
    by_key: dict[Key, Correction] = {}
    reverted: dict[Key, tuple[str, dt.datetime]] = {}

    def collect(entry: Entry) -> None:
        one = _parse(entry)
        if isinstance(one, Correction):
            by_key[one.key] = one
        else:
            key, by, at = one
            reverted[key] = by, at

    jsonl.read(folder / FILE, "correction", collect)
    for key in reverted.keys() & by_key.keys():
        by_key[key] = by_key[key]._replace(taken_back_by=reverted[key][0], taken_back_at=reverted[key][1])
    return sorted(by_key.values(), key=lambda correction: correction.made_at)


def faults(folder: Path) -> list[str]:
    """Return the faults in the lines of the file."""
    return jsonl.read(folder / FILE, "correction", _parse)


def in_force(folder: Path) -> dict[tuple[int, str], Correction]:
    """Return the correction that counts for each game (its id as a number) and tag. A redacted name is replaced by its pseudonym."""
    shown = {one.name_hash: one.shown for one in people_file.read_redacted(folder)}
    counting: dict[tuple[int, str], Correction] = {}
    for one in read(folder):
        if one.taken_back_at is None:
            hashes = people_file.name_hashes(one.new) if one.new and one.tag in PLAYERS else ()
            new = next((shown[each] for each in hashes if each in shown), one.new)
            counting[from_text(one.game), one.tag] = one._replace(new=new)
    return counting


def names(folder: Path) -> set[str]:
    """Return every name that a correction gives to a player or takes from one."""
    return {name for one in read(folder) if one.tag in PLAYERS for name in (one.old, one.new) if name}


def append(folder: Path, changes: Iterable[Correction]) -> None:
    """Append corrections. The caller holds the annotations' lock."""
    jsonl.append_entries(folder / FILE, map(_object, changes))


def revert(folder: Path, changes: Iterable[Correction], author: str, now: dt.datetime) -> None:
    """Append the reversal of corrections. The caller holds the annotations' lock."""
    jsonl.append_entries(folder / FILE, [_revert(one.key, author, now) for one in changes])


def adopt(folder: Path, changes: Iterable[Correction]) -> bool:
    """Append corrections and reversals that this folder lacks; return whether there were any. The caller holds the annotations' lock."""
    known = {one.key: one for one in read(folder)}
    new = []
    for one in changes:
        here = known.get(one.key)
        if here is None:
            new.append(_object(one))
        if one.taken_back_at is not None and (here is None or here.taken_back_at is None):
            new.append(_revert(one.key, one.taken_back_by or "", one.taken_back_at))
    jsonl.append_entries(folder / FILE, new)
    return bool(new)


def redact(correction: Correction, redact_text: Callable[[str], str]) -> Correction:
    """Return the correction with names redacted in all its texts."""
    old, new, by = (text and redact_text(text) for text in (correction.old, correction.new, correction.taken_back_by))
    author, why = redact_text(correction.author), redact_text(correction.why)
    return correction._replace(old=old, new=new, author=author, why=why, taken_back_by=by)


def rewrite(folder: Path, redact_text: Callable[[str], str]) -> None:
    """Redact names in all texts of the corrections. The caller holds the annotations' lock."""
    jsonl.rewrite_fields(folder / FILE, _parse, _REDACTED, redact_text)


_NAME = re.compile(r"[\w-]+")
_REDACTED = ("old", "new", "why", "author")


def _parse(entry: Entry) -> Correction | tuple[Key, str, dt.datetime]:
    """Return the correction of a line, or the key, author and time of a reversal. Raise an error if the line is neither."""
    game, tag = _subject(entry)
    author, made_at = _text(entry.get("author"), "author") or "", utc_time(entry["made_at"])
    if "taken_back" in entry:
        return (game, tag, utc_time(entry["taken_back"])), author, made_at
    old, new = (_text(entry[name], name) or None for name in ("old", "new"))
    return Correction(game, tag, old, new, author, made_at, _text(entry.get("why"), "why") or "")


def _text(value: object, name: str) -> str | None:
    """Return a text, or a number written without quotation marks as text."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return None if value is None else require_text(str(value) if is_number else value, name)


def _subject(entry: Entry) -> tuple[str, str]:
    """Return the game and the tag in their usual spelling. Raise ValueError if the game's id or the tag's name is invalid."""
    tag = require_text(entry["tag"], "tag")
    if not _NAME.fullmatch(tag):
        raise ValueError(f"{tag!r} can't be a tag's name")
    return to_text(from_text(require_text(entry["game"], "game"))), next(
        (name for name in COLUMNS if name.lower() == tag.lower()), tag
    )


def _object(correction: Correction) -> Entry:
    game, tag, old, new, author, made_at, why, *_ = correction
    entry = {"game": game, "tag": tag, "old": old, "new": new, "author": author, "made_at": made_at.isoformat()}
    return {**entry, "why": why} if why else entry


def _revert(key: Key, author: str, now: dt.datetime) -> Entry:
    game, tag, made_at = key
    times = {"taken_back": made_at.isoformat(), "made_at": now.isoformat()}
    return {"game": game, "tag": tag, "author": author, **times}
