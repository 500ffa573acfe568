"""A lot of files read, checked and laid out as columns: what workers of an import send back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.check.checked import Checked
from zertz_db.ingest.columns import (
    Row,
    Rows,
    Schemas,
    arrow,
    columns,
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
    """Lay out checked records as columns. Of the sightings of a game the one that says most leads."""
    records: list[Row] = []
    tags: list[Row] = []
    findings: list[Row] = []
    leading: dict[int, _Leader] = {}
    passed: list[Passed] = []
    seen: dict[int, bytes] = {}
    for found in sighted:
        if isinstance(found, Passed):
            passed.append(found)
            continue
        # Of what could not be read there may be no bytes: then its name has to tell it from others.
        record_id = id_of_record(found.data or repr(found.place.shown).encode(), found.letters)
        while seen.get(record_id, found.data) != found.data:  # the same hash, other bytes
            record_id = next_id(record_id)
        sighting = _Sighting(found.checked, record_id, weight(found.checked))
        game = _lead(leading, sighting) if found.checked.is_game else None
        records.append(record_row(found, record_id, sighting.weight, game))
        if record_id not in seen:
            seen[record_id] = found.data
            tags += tag_rows(found.checked, record_id)
            findings += finding_rows(found.checked, record_id)
    games = [game_row(leader.checked, game, leader.record_id) for game, (_, leader) in leading.items()]
    replayed = Replayed([(game, leader.checked) for game, (_, leader) in leading.items()])
    return Lot(
        columns(schemas["record"], records),
        arrow(schemas["game"], games),
        replayed.plies(schemas["ply"]),
        replayed.positions(schemas["position"]),
        arrow(schemas["tag"], tags),
        arrow(schemas["finding"], findings),
        passed,
    )


class _Sighting(NamedTuple):
    checked: Checked
    record_id: int
    weight: int


class _Leader(NamedTuple):
    values: str
    sighting: _Sighting


def _lead(leading: dict[int, _Leader], sighting: _Sighting) -> int:
    """The id of the record's game; the record leads if no other says as much."""
    values = game_values(sighting.checked)
    game = id_of(values.encode())
    while game in leading and leading[game].values != values:  # the same hash, another game
        game = next_id(game)
    if game not in leading or leading[game].sighting.weight < sighting.weight:
        leading[game] = _Leader(values, sighting)
    return game
