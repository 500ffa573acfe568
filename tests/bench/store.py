"""What a position costs: bytes on disk, seconds to load and publish, milliseconds to find.

The positions are made up: about as many rings gone and marbles placed as in real games, but at random, which is harder
to compress.
"""

import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zertz_db.store import nodes
from zertz_db.store.building import next_generation
from zertz_db.store.loading import load
from zertz_db.store.opening import open_database
from zertz_db.store.schema import arrow_schema

GAMES = 50_000
PLIES = 26
RINGS = 37
LOOK_UPS = 200

Integers = npt.NDArray[np.int64]


def ids(random: np.random.Generator, count: int) -> Integers:
    return random.integers(-(2**63), 2**63 - 1, count, dtype=np.int64)


def positions(random: np.random.Generator, games: Integers) -> pa.Table:
    """Every position of these games; the first ply's are few, as in real games."""
    count = len(games) * PLIES
    ply = np.tile(np.arange(PLIES), len(games))
    progress = ply / PLIES
    key = ids(random, count)
    key[ply == 0] = key[0]
    second = ply == 1
    key[second] = key[random.integers(0, 171, second.sum()) * PLIES + 1]
    rings = np.zeros(count, np.int64)
    marbles = np.zeros((3, count), np.int64)
    for ring in range(RINGS):
        there = random.random(count) > 0.7 * progress
        rings[there] |= 1 << ring
        marble = there & (random.random(count) < 0.2 * np.sqrt(progress))
        colour = random.integers(0, 3, count)
        for which in range(3):
            marbles[which, marble & (colour == which)] |= 1 << ring
    columns = {
        "key": key,
        "shape": ids(random, count),
        "game": np.repeat(games, PLIES),
        "ply": ply,
        "board": random.choice(["37", "48", "61"], count, p=[0.8, 0.14, 0.06]),
        "side": ply % 2 + 1,
        "rings": rings,
        "white": marbles[0],
        "grey": marbles[1],
        "black": marbles[2],
        "symmetry": random.integers(0, 12, count),
        "next_move": random.integers(0, 3 * RINGS * RINGS, count),
        "score": random.integers(-1, 2, count),
    }
    for colour, supply in (("white", 6), ("grey", 8), ("black", 10)):
        columns[f"pool_{colour}"] = (supply * (1 - progress)).astype(np.uint8)
        for player in "12":
            columns[f"captured{player}_{colour}"] = (random.random(count) * progress * 4).astype(np.uint8)
    return table("position", columns)


def table(name: str, columns: dict[str, npt.NDArray[np.generic]]) -> pa.Table:
    count = len(next(iter(columns.values())))
    fields = arrow_schema(name)
    return pa.table(
        [
            pa.array(columns[field.name]).cast(field.type) if field.name in columns else pa.nulls(count, field.type)
            for field in fields
        ],
        schema=fields,
    )


def game_rows(games: Integers) -> pa.Table:
    zeros = np.zeros(len(games), np.uint8)
    columns = {}
    for field in arrow_schema("game"):
        if not field.nullable:
            columns[field.name] = zeros.astype(str) if pa.types.is_string(field.type) else zeros
    return table("game", {**columns, "id": games, "plies": zeros + PLIES})


def main() -> None:
    random = np.random.default_rng(2026)
    games = ids(random, GAMES)
    rows, headers = positions(random, games), game_rows(games)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "bench.zertz"
        start = time.perf_counter()
        with next_generation(folder) as build:
            load(build.connection, "game", headers)
            load(build.connection, "position", rows)
            loaded = time.perf_counter()
        published = time.perf_counter()
        print(f"{rows.num_rows:,} positions loaded in {loaded - start:.1f} s")
        print(f"sorted, summed up and published in {published - loaded:.1f} s")
        with open_database(folder) as database:
            size = database.generation.path.stat().st_size
            print(f"{size / rows.num_rows:.1f} bytes a position on disk, nodes and game headers included")
            find(database.connection(), rows["key"].to_numpy()[random.integers(0, rows.num_rows, LOOK_UPS)])
        start = time.perf_counter()
        with next_generation(folder) as build:
            more = ids(random, GAMES // 100)
            load(build.connection, "game", game_rows(more))
            load(build.connection, "position", positions(random, more))
        print(f"1 % more: published in {time.perf_counter() - start:.1f} s")


def find(connection: duckdb.DuckDBPyConnection, keys: Integers) -> None:
    start = time.perf_counter()
    for key in keys.tolist():
        connection.execute("SELECT game, ply FROM _position WHERE key = ?", [key]).fetchall()
    found = time.perf_counter()
    for key in keys.tolist():
        nodes.after(connection, key)
    summed = time.perf_counter()
    each = 1000 / len(keys)
    print(f"a position found in {(found - start) * each:.2f} ms, what followed it in {(summed - found) * each:.2f} ms")


if __name__ == "__main__":
    main()
