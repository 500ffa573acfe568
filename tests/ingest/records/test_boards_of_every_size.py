"""Boards of 1 to 128 rings, with holes and islands, together in one batch: their games survive every operation unchanged."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.ingest.databases import ask, contents
from tests.rules.strategies import islands, layout
from zertz_db.check import check_many
from zertz_db.export import rows as export
from zertz_db.export.notation import write_notations
from zertz_db.ingest.check_files import CheckOptions, Report, check_paths
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import copy_games
from zertz_db.maintain.recheck import recheck_database
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Record
from zertz_db.play import generate as generating
from zertz_db.rules.board import LARGEST_BOARD, LARGEST_COMPILED_BOARD
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.errors import PositionError
from zertz_db.rules.kernel import MARBLES, RINGS
from zertz_db.rules.position import Position
from zertz_db.store.ids import from_text
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.position_columns import SHAPE_MASK

SIZES = range(1, LARGEST_BOARD + 1)
SETS = (RINGS, MARBLES, MARBLES + 1, MARBLES + 2)
PLIES = 4


@pytest.mark.parametrize("is_compiled", [pytest.param(False, marks=pytest.mark.long), True])
@settings(max_examples=2, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])  # shrinking takes hours
@given(seed=st.integers(0, 2**32))
def test_games_on_boards_of_every_size(seed: int, *, is_compiled: bool) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_many, "ENOUGH_PLIES", 0 if is_compiled else 10**9)
        folder = Path(name)
        texts = [write(record) for record in games(Random(seed))]  # noqa: S311 - games, not secrets
        (folder / "games.txt").write_text("\n".join(texts), "utf-8")
        checked = reports(folder / "games.txt", CheckOptions(json=True, moves=True, legal_counts=True))
        assert {report.verdict for report in checked} <= {"verified", "unfinished"}
        balance = import_paths([folder / "games.txt"], folder / "db")
        assert (balance.stored, balance.rejected) == (len(SIZES), 0)
        require_positions(folder / "db")
        assert examine(folder / "db").is_fine
        assert recheck_database(folder / "db") == []
        require_conversions(folder, texts)
        require_exports(folder, texts)


def games(chance: Random) -> Iterator[Record]:
    """Yield a game on a board of each size, in any order: the sizes meet in every way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generating, "_MAX_PLIES", PLIES)
        for rings in chance.sample(SIZES, len(SIZES)):
            start = position(chance, rings)
            (record,) = generating.generate_games(1, start=start, seed=chance.randrange(2**32))
            yield replace(record, player1=f"on {rings} rings", position=start.text)


def position(chance: Random, rings: int) -> Position:
    vacancy = chance.choice([0.95, 0.6, 0.3])
    held = {place: "o" if chance.random() < vacancy else chance.choice("WGB") for place in islands(chance, rings)}
    rules = chance.choice(["standard", "blitz", "standard+tournament", "standard+written"])
    pool = "/".join(str(chance.choice([0, 3, 99])) for _ in range(3))
    try:
        return Position.parse(f"custom {rules} {layout(held)} {pool} 0/0/0 0/0/0 {chance.randint(1, 2)}")
    except PositionError:  # e.g. no marble left anywhere
        return Position.parse(f"custom {rules} {layout(dict.fromkeys(held, 'o'))} 6/8/10 0/0/0 0/0/0 1")


def reports(path: Path, wanted: CheckOptions) -> list[Report]:
    return [report for lot in check_paths([path], wanted) for report in lot]


def require_positions(db: Path) -> None:
    """Check that every stored position is the one that playing the moves one by one gives."""
    sets = "rings, white, grey, black, rings_high, white_high, grey_high, black_high"
    starts = dict(ask(db, "SELECT id, start FROM games"))
    moves = dict(ask(db, "SELECT id, movetext FROM games"))
    rows: dict[str, list[tuple[int, ...]]] = {}
    for game, *row in ask(db, f"SELECT game, {sets}, key, shape, symmetry, side FROM positions ORDER BY game, ply"):
        rows.setdefault(game, []).append(tuple(row))
    assert rows.keys() == starts.keys()
    for game, found in rows.items():
        here = Position.parse(starts[game])
        texts = plies_of(moves[game])
        is_large = len(here.board.rings) > LARGEST_COMPILED_BOARD
        for number, (*stored, key, shape, symmetry, side) in enumerate(found):
            whole = [stored[at] | (stored[at + 4] or 0) << LARGEST_COMPILED_BOARD for at in range(4)]
            assert whole == [here.state[place] for place in SETS]
            assert [high is None for high in stored[4:]] == [not is_large] * 4
            canonical = canonicalise(here)
            assert (key, symmetry, shape) == canonical._replace(shape=canonical.shape & SHAPE_MASK)
            assert side == here.side
            here = here.play(texts[number]) if number < len(texts) else here


def plies_of(movetext: str) -> list[str]:
    """Return the stored plies of a game."""
    from zertz_db.queries.replay_moves import moves

    return moves(movetext)


def require_conversions(folder: Path, texts: list[str]) -> None:
    """Check that what is written reads back as the same moves, and that losses are reported."""
    for form in ("gipf", "zen", "boardspace"):
        found = reports(folder / "games.txt", CheckOptions(form=form))
        assert all(report.conversion is not None or report.unwritable for report in found)
        written = [report.conversion for report in found if report.conversion is not None]
        if form == "gipf":
            assert [plies(text) for text in written] == [plies(text) for text in texts]
        (folder / f"{form}.txt").write_text("\n".join(written), "utf-8")
        if written:
            assert {one.verdict for one in reports(folder / f"{form}.txt", CheckOptions())} <= {
                "verified",
                "unfinished",
            }


def plies(text: str) -> list[tuple[object, ...]]:
    (record,) = gipf.read(text)
    return [(ply.kind, ply.ring, ply.colour, ply.removed, ply.jumps) for ply in record.plies]


def require_exports(folder: Path, texts: list[str]) -> None:
    """Check that every target has all games, and that importable ones give the same."""
    with open_database(folder / "db") as database:
        names, rows = export.table(database)
        ids = [row[names.index("id")] for row in rows]
        assert len(ids) == len(texts)
        assert [one["id"] for one in json.loads(json.dumps(list(export.objects(database)), default=str))] == ids
        export.write_parquet(database, folder / "games.parquet")
        export.write_database(database, folder / "games.duckdb")
        numbers = [from_text(game) for game in ids]
        written = [text for _, text in write_notations(database, numbers) if text]
        copy_games(database, numbers, folder / "copy", "all")
    assert pq.read_table(folder / "games.parquet")["id"].to_pylist() == ids
    sums = "SELECT count(*), sum(rings::HUGEINT), sum(rings_high), bit_xor(key) FROM _position"
    with duckdb.connect(str(folder / "games.duckdb"), read_only=True) as connection:
        assert connection.execute(sums).fetchall() == ask(folder / "db", sums)
    assert len(written) == len(texts)
    assert examine(folder / "copy").is_fine
    (folder / "again.txt").write_text("\n".join(written), "utf-8")
    assert import_paths([folder / "again.txt"], folder / "again").stored == len(texts)
    left_out = ("game.record",)
    assert contents(folder / "again", *left_out)["position"] == contents(folder / "db", *left_out)["position"]
    assert contents(folder / "again", *left_out)["game"] == contents(folder / "db", *left_out)["game"]
