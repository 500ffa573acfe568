"""`corrections.jsonl` beside a database's generations: what people say that the tags of a game should say, and why.

An object a line, written to at its end only, so that it is fit for version control:

    {"game": "3T7K0V9QZ4M1A", "tag": "Event", "old": "Clubb night", "new": "Club night", "why": "a slip", "author": "ada",
     "made_at": "2026-05-01T12:30:00.250000"}
    {"game": "3T7K0V9QZ4M1A", "tag": "Event", "taken_back": "2026-05-01T12:30:00.250000", "author": "ben", "made_at": "…"}

(The first of them is one line.) `old` is what was shown until then; null is said of a tag that the game did not have, or is not to have.
The latest correction of a tag counts, unless a line takes it back, which names it by its time. Times are UTC.
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
"""The tags that have a column in the table of games, and its name; other tags are kept with records."""

Key = tuple[str, str, dt.datetime]
"""What tells a correction from all others: game, tag and time."""


class Correction(NamedTuple):
    """That a tag of a game (its id in letters) is to have another value: None for none at all.

    taken_back_by, taken_back_at: who took it back and when; None if it was not.
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
        """What tells it from all others."""
        return self.game, self.tag, self.made_at


def read(folder: Path) -> list[Correction]:
    """All corrections in the order of their times, those that were taken back too. Faulty lines are skipped and reported."""
    said: dict[Key, Correction] = {}
    taken_back: dict[Key, tuple[str, dt.datetime]] = {}

    def take(entry: Entry) -> None:
        one = _take(entry)
        if isinstance(one, Correction):
            said[one.key] = one
        else:
            key, by, at = one
            taken_back[key] = by, at

    jsonl.read(folder / FILE, "correction", take)
    for key in taken_back.keys() & said.keys():
        said[key] = said[key]._replace(taken_back_by=taken_back[key][0], taken_back_at=taken_back[key][1])
    return sorted(said.values(), key=lambda correction: correction.made_at)


def faults(folder: Path) -> list[str]:
    """Return what is wrong with lines of the file."""
    return jsonl.read(folder / FILE, "correction", _take)


def in_force(folder: Path) -> dict[tuple[int, str], Correction]:
    """For each game (its id as a number) and tag the correction that counts. Of a name that is withheld it has what is shown instead."""
    shown = {one.name_hash: one.shown for one in people_file.read_redacted(folder)}
    counting: dict[tuple[int, str], Correction] = {}
    for one in read(folder):
        if one.taken_back_at is None:
            hashes = people_file.name_hashes(one.new) if one.new and one.tag in PLAYERS else ()
            new = next((shown[each] for each in hashes if each in shown), one.new)
            counting[from_text(one.game), one.tag] = one._replace(new=new)
    return counting


def names(folder: Path) -> set[str]:
    """Every name that is said to be, or to have been, a player's."""
    return {name for one in read(folder) if one.tag in PLAYERS for name in (one.old, one.new) if name}


def append(folder: Path, said: Iterable[Correction]) -> None:
    """Append corrections. Only under the annotations' lock."""
    jsonl.append_entries(folder / FILE, map(_object, said))


def revert(folder: Path, said: Iterable[Correction], author: str, now: dt.datetime) -> None:
    """Append that corrections are taken back. Only under the annotations' lock."""
    jsonl.append_entries(folder / FILE, [_revert(one.key, author, now) for one in said])


def adopt(folder: Path, said: Iterable[Correction]) -> bool:
    """Append what is said elsewhere and not here, and what was taken back; whether there was any. Only under the annotations' lock."""
    known = {one.key: one for one in read(folder)}
    new = []
    for one in said:
        here = known.get(one.key)
        if here is None:
            new.append(_object(one))
        if one.taken_back_at is not None and (here is None or here.taken_back_at is None):
            new.append(_revert(one.key, one.taken_back_by or "", one.taken_back_at))
    jsonl.append_entries(folder / FILE, new)
    return bool(new)


def redact(correction: Correction, veil: Callable[[str], str]) -> Correction:
    """The correction with names veiled wherever it may have some."""
    old, new, by = (text and veil(text) for text in (correction.old, correction.new, correction.taken_back_by))
    author, why = veil(correction.author), veil(correction.why)
    return correction._replace(old=old, new=new, author=author, why=why, taken_back_by=by)


def rewrite(folder: Path, veil: Callable[[str], str]) -> None:
    """Veil names in everything that the corrections say. Only under the annotations' lock."""
    jsonl.rewrite(folder / FILE, _take, lambda said: (jsonl.redact(one, _REDACTED, veil) for one in said), veil)


_NAME = re.compile(r"[\w-]+")
_REDACTED = ("old", "new", "why", "author")


def _take(entry: Entry) -> Correction | tuple[Key, str, dt.datetime]:
    """The correction of a line, or which one it takes back, by whom and when. Raises an error if it is neither."""
    game, tag = _subject(entry)
    author, made_at = _text(entry.get("author"), "author") or "", utc_time(entry["made_at"])
    if "taken_back" in entry:
        return (game, tag, utc_time(entry["taken_back"])), author, made_at
    old, new = (_text(entry[name], name) or None for name in ("old", "new"))
    return Correction(game, tag, old, new, author, made_at, _text(entry.get("why"), "why") or "")


def _text(value: object, name: str) -> str | None:
    """Text, or a number that somebody wrote without quotation marks."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return None if value is None else require_text(str(value) if is_number else value, name)


def _subject(entry: Entry) -> tuple[str, str]:
    """The game and the tag, as they are spelt here; ValueError where the game's id or the tag's name is none."""
    tag = require_text(entry["tag"], "tag")
    if not _NAME.fullmatch(tag):
        raise ValueError(f"{tag!r} can't be a tag's name")
    return to_text(from_text(require_text(entry["game"], "game"))), next(
        (name for name in COLUMNS if name.lower() == tag.lower()), tag
    )


def _object(correction: Correction) -> Entry:
    game, tag, old, new, author, made_at, why, *_ = correction
    said = {"game": game, "tag": tag, "old": old, "new": new, "author": author, "made_at": made_at.isoformat()}
    return {**said, "why": why} if why else said


def _revert(key: Key, author: str, now: dt.datetime) -> Entry:
    game, tag, made_at = key
    times = {"taken_back": made_at.isoformat(), "made_at": now.isoformat()}
    return {"game": game, "tag": tag, "author": author, **times}
