"""Correct tags of stored games, and revert corrections; records stay unchanged.

A corrected game keeps its id: another record of it is recognised, and links still work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from zertz_db.errors import UserMistake
from zertz_db.ingest.redaction.redact_batches import RedactedNames
from zertz_db.parser.gipf import grammar
from zertz_db.parser.gipf.tags import Tag, fact_of, understand
from zertz_db.parser.record import Span
from zertz_db.store.annotations import apply_corrections, corrections, people_file
from zertz_db.store.annotations.corrections import COLUMNS, PLAYERS, Correction
from zertz_db.store.backend import change_database
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.open_database import open_database

_DERIVING_TAGS = ("Flags", "TC")
"""Tags of servers that determine other columns."""
_EMPTY_SPAN = Span(0, 0, 1, 1)


class InvalidCorrection(UserMistake):
    """A tag can't be corrected, can't have this value, or has no correction."""


def correct_games(
    folder: str | Path,
    games: Sequence[str],
    values: Mapping[str, str | None],
    author: str,
    why: str = "",
    wait: Wait = NO_WAIT,
) -> list[Correction]:
    """Correct tags of games (ids in letters); None or "" removes a tag. Tags: Event, Site, Date, Round, Player1, Player2, and those without
    a column.

    Return the corrections; a game that has the value already needs none. A new generation is published, so they count at once, and they
    last: also when the records are read again, undone and imported again, or merged into another database. Raise InvalidCorrection,
    NoDatabase or LockHeld.
    """
    open_database(folder).close()  # so that a missing database is not created
    wanted = dict(_validate_tag(tag, value or "") for tag, value in values.items())
    return change_database(folder, lambda build: _correct(build, games, wanted, author, why), wait)


def _correct(
    build: Build, games: Sequence[str], wanted: Mapping[str, str | None], author: str, why: str
) -> list[Correction]:
    _require_not_redacted(build.annotations_dir, wanted)
    numbers = _find_game_ids(build.connection, games)
    named = {_find_tag_name(build, numbers, tag): value for tag, value in wanted.items()}
    shown = _read_current_values(build, [(number, tag) for number in numbers for tag in named])
    now = _now()
    made = [
        Correction(to_text(number), tag, old, named[tag], author, now, why)
        for (number, tag), old in shown.items()
        if old != named[tag]
    ]
    corrections.append(build.annotations_dir, made)
    if not made and apply_corrections.is_followed(
        build.connection, build.annotations_dir
    ):  # if not, a stopped run wrote them
        build.discard()
    return made


def revert_corrections(
    folder: str | Path, game: str, tags: Iterable[str], author: str, wait: Wait = NO_WAIT
) -> list[Correction]:
    """Revert the last correction of each of these tags of a game (its id in letters): the value before counts again.

    Return the corrections. Raise InvalidCorrection if a tag has none, NoDatabase or LockHeld.
    """
    open_database(folder).close()
    names = [fact_of(tag) or tag for tag in tags]
    return change_database(folder, lambda build: _revert_corrections(build, game, names, author), wait)


def _revert_corrections(build: Build, game: str, tags: Sequence[str], author: str) -> list[Correction]:
    counting = [*corrections.in_force(build.annotations_dir).values()]
    if not apply_corrections.is_followed(build.connection, build.annotations_dir):
        # A stopped run may have reverted them in the file already.
        counting = [*corrections.read(build.annotations_dir), *counting]
    by_tag = {one.tag.casefold(): one for one in counting if one.game == game}
    if lacking := [tag for tag in tags if tag.casefold() not in by_tag]:
        known = ", ".join(one.tag for one in by_tag.values()) or "none"
        raise InvalidCorrection(f"{', '.join(lacking)} of {game} has no correction; corrected tags: {known}.")
    reverted = [by_tag[tag.casefold()] for tag in tags]
    corrections.revert(build.annotations_dir, reverted, author, _now())
    return reverted


def _count_known(date: str) -> int:
    """Return the number of known parts of a date."""
    return len(re.findall("[0-9]+", date))


def _validate_tag(tag: str, text: str) -> tuple[str, str | None]:
    """Return the tag's name in official notation, and the value as the database stores it. Raise InvalidCorrection."""
    name, text = fact_of(tag) or tag, " ".join(text.split())
    if name in COLUMNS:
        facts, remarks = understand([Tag(name, text, _EMPTY_SPAN)])
        value = facts.get(COLUMNS[name])
        if remarks and value is None and text != "????.??.??":
            raise InvalidCorrection(f"{remarks[0].message}; {remarks[0].suggestion}.")
        if name == "Date" and value and _count_known(value) < _count_known(text):
            raise InvalidCorrection(f"There is no day {text}.")
        return name, value
    if fact_of(name) or name in _DERIVING_TAGS:
        raise InvalidCorrection(
            f"{name} can't be corrected here: moves, result and times follow from the record. Correct the record and import it."
        )
    if not grammar.pattern("<NAME>").fullmatch(name):
        raise InvalidCorrection(f"{name!r} can't be a tag's name: use letters, digits and _, with a letter first.")
    return name, text or None


def _require_not_redacted(annotations_dir: Path, wanted: Mapping[str, str | None]) -> None:
    redacted = RedactedNames(people_file.read_redacted(annotations_dir))
    for tag in PLAYERS:
        if (name := wanted.get(tag)) and redacted.shown(name):
            raise InvalidCorrection(f"{tag} can't be {name}: this database has redacted that name for good.")


def _find_game_ids(connection: duckdb.DuckDBPyConnection, games: Sequence[str]) -> list[int]:
    numbers = list(dict.fromkeys(map(from_text, games)))
    query = "SELECT id FROM _game WHERE id IN (SELECT unnest(?))"
    existing = {number for (number,) in connection.execute(query, [numbers]).fetchall()}
    lacking = [to_text(number) for number in numbers if number not in existing]
    if lacking:
        raise InvalidCorrection(f"There is no game {', '.join(lacking)}.")
    return numbers


def _find_tag_name(build: Build, games: list[int], tag: str) -> str:
    """Return a tag's name as the records of these games, or earlier corrections, spell it."""
    if tag in COLUMNS:
        return tag
    query = """
        SELECT name FROM _tag WHERE lower(name) = lower(?)
        AND record IN (SELECT record FROM _game WHERE id IN (SELECT unnest(?))) ORDER BY name <> ?, name LIMIT 1
    """
    rows = build.connection.execute(query, [tag, games, tag]).fetchall()
    if rows:
        return str(rows[0][0])
    for game, name in corrections.in_force(build.annotations_dir):
        if game in games and name.casefold() == tag.casefold():
            return name
    _, remarks = understand([Tag(tag, "", _EMPTY_SPAN)])
    if remarks:  # it resembles another tag's name
        raise InvalidCorrection(f"{remarks[0].message[0].upper()}{remarks[0].message[1:]}.")
    return tag


def _read_current_values(build: Build, wanted: list[tuple[int, str]]) -> dict[tuple[int, str], str | None]:
    corrected = corrections.in_force(build.annotations_dir)
    return {
        key: corrected[key].new if key in corrected else old
        for key, old in apply_corrections.list_recorded(build.connection, wanted).items()
    }


def _now() -> datetime:
    """Return the current time in UTC without a zone, as the database stores it; to the microsecond, since it identifies corrections."""
    return datetime.now(UTC).replace(tzinfo=None)
