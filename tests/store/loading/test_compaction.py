"""Positions in order, no gaps, and correct sums of continuations."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.rows import rows
from tests.store.scratch import empty_tables
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading import compaction, external_sort, opening_nodes, staging
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.loading.opening_nodes import FLOOR
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import ddl, table_columns


def add_positions(folder: Path, keys: list[int]) -> None:
    with next_generation(folder) as build:
        load(build.connection, "position", rows("position", key=keys))


def stored_keys(folder: Path) -> list[int]:
    with open_database(folder) as database:
        return [key for (key,) in database.connection().execute("SELECT key FROM _position").fetchall()]


@pytest.fixture(params=["at once", "in slices"])
def _sorted_either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sort tables once as small ones, once as large ones."""
    if request.param == "in slices":
        monkeypatch.setattr(compaction, "_FIT_TOGETHER", -1)
        monkeypatch.setattr(external_sort, "SLICE", 100)


either_way = pytest.mark.usefixtures("_sorted_either_way")


@either_way
def test_positions_are_sorted_by_key(folder: Path) -> None:
    add_positions(folder, [5, -3, 2**62, -(2**63), 0])
    assert stored_keys(folder) == [-(2**63), -3, 0, 5, 2**62]


def test_a_small_addition_stays_unsorted_and_a_large_one_is_sorted_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "MAX_GAPS", 1)  # a file as small as this one is full of gaps
    add_positions(folder, list(range(100, 0, -1)))
    add_positions(folder, [7])
    assert stored_keys(folder) == [*range(1, 101), 7]
    add_positions(folder, list(range(50)))
    assert stored_keys(folder) == sorted([*range(1, 101), 7, *range(50)])


def test_slices_are_removed_when_compaction_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(slices: external_sort.Slices) -> Iterator[pa.RecordBatchReader]:
        for part in read_slices(slices):
            yield part
            assert [*slices.folder.glob("*")]
            assert slices.folder.parent == folder
            raise KeyboardInterrupt

    read_slices = external_sort.read_slices
    monkeypatch.setattr(compaction, "_FIT_TOGETHER", -1)
    monkeypatch.setattr(external_sort, "SLICE", 100)
    monkeypatch.setattr(external_sort, "read_slices", failing)
    with pytest.raises(KeyboardInterrupt):
        add_positions(folder, [2, 1])
    assert not folder.exists()


def test_the_space_of_removed_rows_is_released(folder: Path) -> None:
    with next_generation(folder) as build:
        movetexts = [f"Wd4,{number}" * 20 for number in range(30_000)]
        load(build.connection, "game", rows("game", id=range(30_000), movetext=movetexts))
    before = generations.live_generation(folder)
    with next_generation(folder) as build:
        build.connection.execute("DELETE FROM _game")
    after = generations.live_generation(folder)
    assert before
    assert after
    assert after.path.stat().st_size < before.path.stat().st_size / 2


@either_way
def test_compaction_preserves_every_row_of_every_table(tmp_path: Path) -> None:
    """Except of the nodes, which derive from the others."""
    tables = set(table_columns.table_names()) - {"node"}
    old, new = tmp_path / "it's old.duckdb", tmp_path / "new.duckdb"
    with duckdb.connect(old) as connection:
        ddl.create(connection)
        for table in tables:
            first = table_columns.arrow_schema(table)[0]
            values = ["b", "a"] if str(first.type) == "string" else [2, 1]
            load(connection, table, rows(table, **{first.name: values}))
        query = {table: sorted(map(str, connection.execute(f"FROM _{table}").fetchall())) for table in tables}
        with compaction.compact(connection, new):
            pass
    with duckdb.connect(new) as connection:
        connection.execute("DELETE FROM _meta WHERE name IN ('settled_positions', 'summed_positions', 'summed_below')")
        assert {t: sorted(map(str, connection.execute(f"FROM _{t}").fetchall())) for t in tables} == query


PLAYED = st.tuples(st.sampled_from([1, 2, None]), st.sampled_from([1, 0, -1, None]), st.integers(1, 4))


@settings(deadline=None, max_examples=20)
@given(st.lists(PLAYED, min_size=1, max_size=12), st.sampled_from([1, FLOOR]))
def test_nodes_are_the_sums_over_the_games_below_the_floor_and_above(
    played: list[tuple[int | None, int | None, int]], times: int
) -> None:
    games = [(move, score, day) for move, score, day in played for _ in range(times)]
    ids = list(range(len(games)))
    dates = [dt.date(2026, 1, day) for _, _, day in games]
    moves, scores = [move for move, _, _ in games], [score for _, score, _ in games]
    query = "SELECT move, games, wins, draws, losses, sum_plies, last_date FROM _node WHERE key = 42"
    with empty_tables() as connection:
        plies = [10 + day for _, _, day in games]
        load(connection, "game", rows("game", id=ids, plies=plies, date_from=dates))
        load(connection, "position", rows("position", key=[42] * len(games), game=ids, next_move=moves, score=scores))
        opening_nodes.refresh(connection)
        found = connection.execute(query).fetchall()
    wanted = []
    for move in {move for move, _, _ in games}:
        these = [(score, day) for other, score, day in games if other == move]
        scores = [score for score, _ in these]
        length, last = sum(10 + day for _, day in these), dt.date(2026, 1, max(day for _, day in these))
        wanted.append((move, len(these), scores.count(1), scores.count(0), scores.count(-1), length, last))
    assert sorted(found, key=str) == sorted(wanted if len(games) >= FLOOR else [], key=str)


def test_nodes_distinguish_positions_and_endings_and_name_the_last_game(folder: Path) -> None:
    """Half of the games with each player to move, two of three ended by resigning, the last ones on one day."""
    games = list(range(6 * FLOOR))
    with next_generation(folder) as build:
        endings = ["resign" if game % 3 else None for game in games]
        dates = [dt.date(2026, 1, 1 + game // FLOOR) for game in games]
        load(build.connection, "game", rows("game", id=games, ending=endings, date_from=dates))
        sides = [1 + game % 2 for game in games]
        load(build.connection, "position", rows("position", key=[7] * len(games), game=games, side=sides))
    with open_database(folder) as database:
        found = database.connection().execute("SELECT side, ending, games, last_game FROM _node ORDER BY side, ending")
        kinds = {(sides[game], endings[game]) for game in games}
        assert {(side, ending): rest for side, ending, *rest in found.fetchall()} == {
            kind: [len(alike), max(alike)]
            for kind in kinds
            for alike in [[game for game in games if (sides[game], endings[game]) == kind]]
        }


@either_way
def test_boards_are_sorted_separately_and_large_ones_have_their_high_rings(folder: Path) -> None:
    boards = ["48", "37", "custom", "37"]
    with next_generation(folder) as build:
        high = [None, None, 5, None]
        load(build.connection, "position", rows("position", key=[1, 4, 3, 2], board=boards, rings_high=high))
    with open_database(folder) as database:
        found = database.connection().execute("SELECT board, key, rings_high FROM _position").fetchall()
    assert found == [("37", 2, None), ("37", 4, None), ("48", 1, None), ("custom", 3, 5)]


GAME_LENGTHS = st.lists(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from([1, 2, None]), st.sampled_from([1, 0, -1, None])), max_size=9
    ),
    min_size=1,
    max_size=4,
)


@settings(deadline=None, max_examples=30)
@given(imports=GAME_LENGTHS, forgotten=st.booleans())
def test_nodes_added_to_are_as_if_built_at_once(
    imports: list[list[tuple[int, int | None, int | None]]], forgotten: bool
) -> None:
    """Each import adds games of one position; keys reach the floor in some import, or never."""
    with pytest.MonkeyPatch.context() as patch, empty_tables() as connection:
        patch.setattr(opening_nodes, "FLOOR", 3)
        patch.setattr(opening_nodes, "_MAX_ADDITION", 1)
        number = 0
        for games in imports:
            ids = list(range(number, number := number + len(games)))
            if games:
                dates = [dt.date(2026, 1, 1) + dt.timedelta(game) for game in ids]
                load(connection, "game", rows("game", id=ids, plies=ids, date_from=dates))
                keys, moves, scores = ([game[place] for game in games] for place in range(3))
                load(connection, "position", rows("position", key=keys, game=ids, next_move=moves, score=scores))
            if forgotten and number:
                connection.execute("DELETE FROM _position WHERE game = ?", [number // 2])
                opening_nodes.forget(connection)
            opening_nodes.refresh(connection)
        added = sorted(connection.execute("FROM _node").fetchall(), key=str)
        opening_nodes.forget(connection)
        opening_nodes.refresh(connection)
        assert added == sorted(connection.execute("FROM _node").fetchall(), key=str)


def test_nodes_are_rebuilt_if_positions_were_removed_unannounced(folder: Path) -> None:
    games = list(range(2 * FLOOR))
    with next_generation(folder) as build:
        load(build.connection, "game", rows("game", id=games))
        load(build.connection, "position", rows("position", key=[7] * len(games), game=games))
    with next_generation(folder) as build:
        build.connection.execute("DELETE FROM _position WHERE game < 5")
    with open_database(folder) as database:
        assert database.connection().execute("SELECT games FROM _node").fetchall() == [(len(games) - 5,)]


def test_keys_in_many_parts_are_all_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_nodes, "_AT_ONCE", 100)
    keys = [-(2**63), -(2**62), -1, 0, 2**62, 2**63 - 1]
    with duckdb.connect() as connection:
        ddl.create(connection)
        load(connection, "game", rows("game", id=[1]))
        load(connection, "position", rows("position", key=keys * FLOOR, game=[1] * len(keys) * FLOOR))
        opening_nodes.refresh(connection)
        assert connection.execute("SELECT key, games FROM _node ORDER BY key").fetchall() == [
            (key, FLOOR) for key in keys
        ]


def test_nodes_are_right_after_one_small_change_after_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of a change have other numbers until it is committed."""
    monkeypatch.setattr(compaction, "is_due", lambda *_, **__: False)
    games = iter(range(FLOOR * 2))
    for size in (FLOOR, 1, 1, 1):
        ids = [next(games) for _ in range(size)]
        with next_generation(folder) as build:
            load(build.connection, "game", rows("game", id=ids))
            staging.stage(build.connection, {"position": rows("position", key=[7] * size, game=ids)})
    with open_database(folder) as database:
        [(counted,)] = database.connection().execute("SELECT sum(games) FROM _node").fetchall()
    assert counted == FLOOR + 3
