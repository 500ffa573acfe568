"""A lot of files read, checked and laid out as columns: what workers of an import send back."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from parser import faults
from zertz_db.check.checked import Checked
from zertz_db.ingest.columns import (
    FAILED,
    Row,
    Rows,
    Schemas,
    arrow,
    bare_row,
    columns,
    failed_finding,
    finding_rows,
    game_row,
    game_values,
    id_of_record,
    next_id,
    record_row,
    tag_rows,
    weight,
)
from zertz_db.ingest.contents import read
from zertz_db.ingest.reading import Passed, Sighted, sight
from zertz_db.ingest.replayed import Replayed
from zertz_db.ingest.sources import Content, Damage, Found
from zertz_db.store.ids import id_of
from zertz_db.store.packed import Packed, pack, unpack


class Lot(NamedTuple):
    """The rows that a lot of files brings.

    records: the columns of `record`, not yet settled: no status, no run, and `source` is still a path. The tables hold each record and
    each game of the lot once. plies, positions: packed where they come from a worker, see `packed.unpack`.
    """

    records: Rows
    games: pa.Table
    plies: pa.Table | Packed
    positions: pa.Table | Packed
    tags: pa.Table
    findings: pa.Table
    passed: list[Passed]


TABLES = ("record", "game", "ply", "position", "tag", "finding")
"""The tables to which a lot brings rows."""


def import_lot(schemas: Schemas, letters: str | None, found: list[Found]) -> Lot:
    """Read and check a lot, for another process. `schemas`: those of TABLES; workers have no need of the tables themselves."""
    return light(lay_out(schemas, letters, read(found)))


def light(lot: Lot) -> Lot:
    """The lot with what is most of it packed: so it travels, and so several may wait their turn."""
    return lot._replace(plies=pack(lot.plies), positions=pack(lot.positions))


def of_games(lot: Lot, games: pa.Array) -> Lot:
    """The lot with only those of its games; its records and what belongs to them stay."""
    if len(games) == lot.games.num_rows:
        return lot
    return lot._replace(
        games=only(lot.games, "id", games),
        plies=only(unpack(lot.plies), "game", games),
        positions=only(unpack(lot.positions), "game", games),
    )


def only(table: pa.Table, column: str, wanted: pa.Array) -> pa.Table:
    """The rows with one of these ids; the table itself if all have."""
    is_wanted = pc.is_in(table[column], value_set=wanted)
    return table if pc.all(is_wanted).as_py() else table.filter(is_wanted)


def lay_out(schemas: Schemas, letters: str | None, contents: Iterable[Content | Damage]) -> Lot:
    """Read and check contents (of `contents.read`), with colour letters of this language, and lay them out."""
    return arrange(schemas, sight(contents, language=letters))


def arrange(schemas: Schemas, sighted: Iterable[Sighted | Passed]) -> Lot:
    """Lay out checked records as columns. Of the sightings of a game the one that says most leads.

    A record that can't be laid out, for an internal error, is laid out as rejected.
    """
    passed: list[Passed] = []
    games = _Games()
    seen: dict[int, bytes] = {}
    records: list[_Laid] = []
    for found in sighted:
        if isinstance(found, Passed):
            passed.append(found)
            continue
        # Of what could not be read there may be no bytes: then its name has to tell it from others.
        record_id = id_of_record(found.data or repr(found.place.shown).encode(), found.letters)
        while seen.get(record_id, found.data) != found.data:  # the same hash, other bytes
            record_id = next_id(record_id)
        is_new = record_id not in seen
        one = partial(_laid, found, record_id, games, is_new)
        records.append(faults.guarded(one, partial(_rejected, found, record_id, is_new)))
        seen[record_id] = found.data
    return faults.guarded(
        partial(_lot, schemas, records, games, passed), lambda _: _sound_lot(schemas, records, games, passed)
    )


class _Laid(NamedTuple):
    """The rows of a record: its own, those of its tags and its findings. The latter only the first of the same records has (is_new)."""

    row: Row
    is_new: bool
    tags: Sequence[Row]
    findings: Sequence[Row]

    def rejected(self, error: Exception) -> _Laid:
        """Log an internal error, and return the rows of the record as one that it rejects."""
        source, member, line = (self.row[name] for name in ("source", "member", "line_from"))
        if self.is_new:
            faults.log(error, f"{source}{'!' if member else ''}{member}:{line}")
        findings = [failed_finding(error, self.row["id"], line)] if self.is_new else ()
        return _Laid({**self.row, **FAILED}, self.is_new, (), findings)


def _laid(found: Sighted, record_id: int, games: _Games, is_new: bool) -> _Laid:
    checked = found.checked
    sighting = _Sighting(checked, record_id, weight(checked))
    row = record_row(found, record_id, sighting.weight, None)
    tags, findings = (tag_rows(checked, record_id), finding_rows(checked, record_id)) if is_new else ((), ())
    if checked.is_game:
        row["game"] = games.lead(sighting)
    return _Laid(row, is_new, tags, findings)


def _rejected(found: Sighted, record_id: int, is_new: bool, error: Exception) -> _Laid:
    return _Laid(bare_row(found, record_id, zlib.compress(found.data)), is_new, (), ()).rejected(error)


def _lot(schemas: Schemas, records: Sequence[_Laid], games: _Games, passed: list[Passed]) -> Lot:
    rows = columns(schemas["record"], [one.row for one in records])
    _require_room(schemas["record"], rows)
    leaders = games.of({one.row["game"] for one in records})
    replayed = Replayed([(game, leader.checked) for game, leader in leaders])
    return Lot(
        rows,
        arrow(schemas["game"], [game_row(leader.checked, game, leader.record_id) for game, leader in leaders]),
        replayed.plies(schemas["ply"]),
        replayed.positions(schemas["position"]),
        arrow(schemas["tag"], [row for one in records for row in one.tags]),
        arrow(schemas["finding"], [row for one in records for row in one.findings]),
        passed,
    )


def _require_room(schema: pa.Schema, rows: Rows) -> None:
    """Raise what Arrow raises for a value that the table has no room for: here it is known of which record it is."""
    fields = [field for field in schema if field.name != "source"]  # still a path
    pa.table([pa.array(rows[field.name], field.type) for field in fields], schema=pa.schema(fields))


def _sound_lot(schemas: Schemas, records: Sequence[_Laid], games: _Games, passed: list[Passed]) -> Lot:
    """The lot, those records rejected that can't be laid out alone, and with the one that leads a game the others of that game."""

    def lay_out_some(some: Sequence[_Laid]) -> list[None]:
        _lot(schemas, some, games, [])
        return [None] * len(some)

    errors: list[Exception | None] = faults.each(lay_out_some, records, lambda _, error: error)
    alone = {one.row["id"]: error for one, error in zip(records, errors, strict=True) if error}
    leaders = {game: leader.record_id for game, leader in games.of({one.row["game"] for one in records})}
    found = [alone.get(one.row["id"]) or alone.get(leaders.get(one.row["game"])) for one in records]
    sound = [one.rejected(error) if error else one for one, error in zip(records, found, strict=True)]
    return _lot(schemas, sound, games, passed)


class _Sighting(NamedTuple):
    checked: Checked
    record_id: int
    weight: int


class _Leader(NamedTuple):
    values: str
    sighting: _Sighting


class _Games:
    """The games of a lot by their ids, each with the record that leads it."""

    def __init__(self) -> None:
        self._leading: dict[int, _Leader] = {}

    def lead(self, sighting: _Sighting) -> int:
        """Return the id of the record's game; the record leads if no other says as much."""
        leading, values = self._leading, game_values(sighting.checked)
        game = id_of(values.encode())
        while game in leading and leading[game].values != values:  # the same hash, another game
            game = next_id(game)
        if game not in leading or leading[game].sighting.weight < sighting.weight:
            leading[game] = _Leader(values, sighting)
        return game

    def of(self, wanted: set[int | None]) -> list[tuple[int, _Sighting]]:
        """Return those of these games that there are, each with the record that leads it."""
        return [(game, leader.sighting) for game, leader in self._leading.items() if game in wanted]
