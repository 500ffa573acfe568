"""Tags of stored games corrected by people, and corrections taken back; the records stay as they are.

A game keeps its id, whatever is corrected: another record of it is known as one, and links go on working.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from parser.gipf import grammar
from parser.gipf.tags import Tag, fact_of, understand
from parser.record import Span
from zertz_db.errors import UserMistake
from zertz_db.ingest.redaction.redact_batches import RedactedNames
from zertz_db.store.annotations import apply_corrections, corrections, people_file
from zertz_db.store.annotations.corrections import COLUMNS, PLAYERS, Correction
from zertz_db.store.backend import change_database
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.open_database import open_database
from zertz_db.store.partial_dates import date_range

_DERIVING_TAGS = ("Flags", "TC")
"""Tags of servers from which other columns follow."""
_EMPTY_SPAN = Span(0, 0, 1, 1)


class InvalidCorrection(UserMistake):
    """A tag that can't be corrected, a value that it can't have, or a correction that was not made."""


def correct_games(
    folder: str | Path,
    games: Sequence[str],
    values: Mapping[str, str | None],
    author: str,
    why: str = "",
    wait: Wait = NO_WAIT,
) -> list[Correction]:
    """Let tags of games (ids in letters) have other values, None or "" for none: Event, Site, Date, Round, Player1, Player2, and such
    as the database only keeps.

    Returns what was corrected; a game that says so already needs no correction. It counts at once, since a generation is published, and
    for good: when the records are read again, undone and imported again, or merged into another database.
    Raises ImpossibleCorrection, NoDatabase, LockHeld.
    """
    open_database(folder).close()  # so that no database is made where there is none
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
    ):  # else it was said, but that was stopped
        build.discard()
    return made


def revert_corrections(
    folder: str | Path, game: str, tags: Iterable[str], author: str, wait: Wait = NO_WAIT
) -> list[Correction]:
    """Take back the last correction of each of these tags of a game (its id in letters): what was shown before counts again.

    Raises ImpossibleCorrection where a tag was not corrected, NoDatabase, LockHeld.
    """
    open_database(folder).close()
    asked = [fact_of(tag) or tag for tag in tags]
    return change_database(folder, lambda build: _revert_corrections(build, game, asked, author), wait)


def _revert_corrections(build: Build, game: str, tags: Sequence[str], author: str) -> list[Correction]:
    counting = [*corrections.in_force(build.annotations_dir).values()]
    if not apply_corrections.is_followed(build.connection, build.annotations_dir):
        # They may have been taken back already, but that was stopped.
        counting = [*corrections.read(build.annotations_dir), *counting]
    said = {one.tag.casefold(): one for one in counting if one.game == game}
    if lacking := [tag for tag in tags if tag.casefold() not in said]:
        known = ", ".join(one.tag for one in said.values()) or "nothing"
        raise InvalidCorrection(f"{', '.join(lacking)} of {game} was not corrected; what was: {known}.")
    gone = [said[tag.casefold()] for tag in tags]
    corrections.revert(build.annotations_dir, gone, author, _now())
    return gone


def _validate_tag(tag: str, text: str) -> tuple[str, str | None]:
    """The tag as the official notation calls it, and the value as a database has it."""
    name, text = fact_of(tag) or tag, " ".join(text.split())
    if name in COLUMNS:
        facts, remarks = understand([Tag(name, text, _EMPTY_SPAN)])
        value = facts.get(COLUMNS[name])
        if remarks and value is None and text != "????.??.??":
            raise InvalidCorrection(f"{remarks[0].message}; {remarks[0].suggestion}.")
        if name == "Date" and value and value[:4].isdigit() and date_range(value) == (None, None):
            raise InvalidCorrection(f"There is no day {value}.")
        return name, value
    if fact_of(name) or name in _DERIVING_TAGS:
        raise InvalidCorrection(
            f"{name} can't be corrected here: moves, result and times follow from the record. Correct the record and import that."
        )
    if not grammar.pattern("<NAME>").fullmatch(name):
        raise InvalidCorrection(f"{name!r} can't be a tag's name: it takes letters, digits and _, and a letter first.")
    return name, text or None


def _require_not_redacted(words: Path, wanted: Mapping[str, str | None]) -> None:
    withheld = RedactedNames(people_file.read_redacted(words))
    for tag in PLAYERS:
        if (name := wanted.get(tag)) and withheld.shown(name):
            raise InvalidCorrection(f"{tag} can't be {name}: that name was taken out of this database for good.")


def _find_game_ids(connection: duckdb.DuckDBPyConnection, games: Sequence[str]) -> list[int]:
    numbers = list(dict.fromkeys(map(from_text, games)))
    query = "SELECT id FROM _game WHERE id IN (SELECT unnest(?))"
    there = {number for (number,) in connection.execute(query, [numbers]).fetchall()}
    lacking = [to_text(number) for number in numbers if number not in there]
    if lacking:
        raise InvalidCorrection(f"There is no game {', '.join(lacking)}.")
    return numbers


def _find_tag_name(build: Build, games: list[int], tag: str) -> str:
    """A tag's name as the records of these games write it, or what was said of them before."""
    if tag in COLUMNS:
        return tag
    query = """
        SELECT name FROM _tag WHERE lower(name) = lower(?)
        AND record IN (SELECT record FROM _game WHERE id IN (SELECT unnest(?))) ORDER BY name <> ?, name LIMIT 1
    """
    found = build.connection.execute(query, [tag, games, tag]).fetchall()
    if found:
        return str(found[0][0])
    for game, said in corrections.in_force(build.annotations_dir):
        if game in games and said.casefold() == tag.casefold():
            return said
    _, remarks = understand([Tag(tag, "", _EMPTY_SPAN)])
    if remarks:  # it is like another's name
        raise InvalidCorrection(f"{remarks[0].message[0].upper()}{remarks[0].message[1:]}.")
    return tag


def _read_current_values(build: Build, wanted: list[tuple[int, str]]) -> dict[tuple[int, str], str | None]:
    said = corrections.in_force(build.annotations_dir)
    return {
        key: said[key].new if key in said else old
        for key, old in apply_corrections.list_recorded(build.connection, wanted).items()
    }


def _now() -> datetime:
    """UTC without saying so, as the database keeps it; to the microsecond, since corrections are told apart by it."""
    return datetime.now(UTC).replace(tzinfo=None)
