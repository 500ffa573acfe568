"""Thinking time, from clocks that count up, down, or nobody knows how."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.queries.made_games import Made, build, games
from zertz_db.queries.errors import QueryError
from zertz_db.queries.statistics.thinking_time import SHORT, TIMES, ask_times, clocks, phases, thinkers, trouble, turns
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

UP = [3, 5, 10, 5, 12, 60, 90, None, 100, 70, 99, 71, 160]
"""Clocks after each ply: player 1's are 3, 10, 12, 90, 100, 99, 160; player 2's 5, 5, 60, none, 70, 71."""
DOWN = [600, 590, 580, 570, 55, None, 25, 560, 9, 575, 3, 0]


def made() -> list[Made]:
    """Games with clocks among others without; their moves are made up, and those of each player come every other time."""
    whole = [one for one in games() if one.plies >= len(UP)]
    return [
        replace(whole[0], clocks=tuple(UP), direction="up"),
        replace(whole[1], clocks=tuple(UP), direction="up", control="Fixed 120000"),
        replace(whole[2], clocks=tuple(UP), direction="up", control="PlusTime 1200000 10000"),
        replace(whole[3], clocks=tuple(DOWN), direction="down"),
        replace(whole[4], clocks=tuple(UP)),
        replace(whole[5], clocks=tuple(DOWN), direction="down", control="Fixed 1000"),
        *whole[6:9],
    ]


MADE = made()


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with open_database(build(tmp_path_factory.mktemp("made"), MADE)) as opened:
        yield opened


def thought(one: Made) -> Iterator[tuple[int, float]]:
    """Plies and the seconds that were spent on them, where these are known."""
    if one.direction is None:
        return
    before: dict[int, int | None] = {1: 0, 2: 0} if one.direction == "up" else {1: None, 2: None}
    for ply, clock in enumerate(one.clocks):
        mover = one.positions[ply].side
        last, before[mover] = before[mover], clock
        if last is not None and clock is not None:
            seconds = clock - last if one.direction == "up" else last - clock
            if seconds >= 0:
                yield ply, seconds


def test_clocks_are_counted_by_their_direction(database: Database) -> None:
    assert clocks(database).rows == [("down", 2), ("none", 3), ("unknown", 1), ("up", 3)]


def test_the_time_for_a_turn_is_the_difference_to_the_clock_before() -> None:
    """The slow way of these tests, on numbers that can be seen."""
    one = next(one for one in MADE if one.direction == "up")
    assert [one.positions[ply].side for ply in range(13)] == [1, 2] * 6 + [1]
    assert dict(thought(one)) == {0: 3, 1: 5, 2: 7, 3: 0, 4: 2, 5: 55, 6: 78, 8: 10, 11: 1, 12: 61}
    one = next(one for one in MADE if one.direction == "down")
    assert dict(thought(one)) == {2: 20, 3: 20, 4: 525, 6: 30, 8: 16, 10: 6, 11: 575}


def rows_of(found: list[dict[str, Any]], name: str) -> dict[Any, tuple[Any, ...]]:
    return {row[name]: tuple(row[column] for column in ("games", "turns", "mean", "longest")) for row in found}


def expected(labels: Sequence[tuple[Any, Made, float]]) -> dict[Any, tuple[Any, ...]]:
    rows = {}
    for label in {label for label, _, _ in labels}:
        here = [(one, seconds) for other, one, seconds in labels if other == label]
        times = [seconds for _, seconds in here]
        rows[label] = (len({id(one) for one, _ in here}), len(here), pytest.approx(mean(times), abs=0.06), max(times))
    return rows


def test_phases_are_thirds_of_the_game(database: Database) -> None:
    labels = [(3 * ply // one.plies + 1, one, seconds) for one in MADE for ply, seconds in thought(one)]
    assert rows_of(phases(database).dicts(), "phase") == expected(labels)


def test_turns_are_told_apart_by_what_could_be_done(database: Database) -> None:
    def kind(one: Made, ply: int) -> str:
        before = one.positions[ply]
        forced = len(before.legal_moves()) == 1
        return "forced" if forced else "capture" if before.capture_is_due else "placement"

    labels = [(kind(one, ply), one, seconds) for one in MADE for ply, seconds in thought(one)]
    assert rows_of(turns(database).dicts(), "turn") == expected(labels)


def test_players_think_under_their_chief_name(database: Database) -> None:
    def name(one: Made, ply: int) -> str | None:
        player = (one.first, one.second)[one.positions[ply].side - 1]
        return player and {"ada": "Ada"}.get(player, player)

    labels = [(name(one, ply), one, seconds) for one in MADE for ply, seconds in thought(one)]
    found = thinkers(database)
    assert rows_of(found.dicts(), "player") == expected(labels)
    counts = [row["turns"] for row in found.dicts()]
    assert counts == sorted(counts, reverse=True)


def test_time_trouble_is_told_only_where_the_time_left_is_known(database: Database) -> None:
    limits = {id(MADE[1]): 120, id(MADE[3]): None, id(MADE[5]): None}
    least = []
    for one in MADE:
        if id(one) in limits:
            total = limits[id(one)]
            for side, number in enumerate((1, 2)):
                own = [clock for clock in one.clocks[side::2] if clock is not None]
                least.append((one, number, min(own) if total is None else total - max(own)))
    rows = []
    for below in SHORT:
        short = [(one, number) for one, number, left in least if left < below]
        lost = [(one, number) for one, number in short if one.winner == 3 - number]
        on_time = [pair for pair in lost if pair[0].ending == "time"]
        rows.append((below, len(least), len(short), len(lost), len(on_time)))
    assert [row[:5] for row in trouble(database).rows] == rows
    assert rows[0][2] > rows[-1][2] > 0


@pytest.mark.parametrize(("name", "by"), list(product(TIMES, [("board", "kind"), ("era",)])))
def test_every_table_divides_its_turns(database: Database, name: str, by: tuple[str, ...]) -> None:
    column = {"clocks": "games", "trouble": "seats"}.get(name, "turns")
    whole, divided = (ask_times(database, name, "", groups) for groups in ((), by))
    assert sum(row[column] for row in divided.dicts()) == sum(row[column] for row in whole.dicts())
    assert all(one.meaning for one in divided.columns)


def test_without_clocks_nothing_is_known(tmp_path: Path) -> None:
    with open_database(build(tmp_path, MADE[6:])) as database:
        assert clocks(database).rows == [("none", 3)]
        assert [ask_times(database, name).rows for name in TIMES if name != "clocks"] == [[]] * 4


def test_the_game_server_s_clocks_count_up(tmp_path: Path) -> None:
    from zertz_db.ingest.import_paths import import_paths
    from zertz_db.play.generate import generate_games
    from zertz_db.play.write_files import write_archive

    with (tmp_path / "games.zip").open("wb") as target:
        write_archive(generate_games(3, annotated=True), target)
    import_paths([tmp_path / "games.zip"], tmp_path / "server.zertz")
    with open_database(tmp_path / "server.zertz") as database:
        assert clocks(database).rows == [("up", 3)]
        plies = database.connection().execute("SELECT count(*) FROM plies").fetchall()[0][0]
        assert sum(row["turns"] for row in phases(database).dicts()) == plies


def test_an_unknown_table_is_explained(database: Database) -> None:
    with pytest.raises(QueryError, match="no table is called 'hours'; valid: clocks, phases"):
        ask_times(database, "hours")


def timed(control: str, *clocks: str) -> str:
    plies = ["1. Wd4,d1", "Bd3,a1", "2. x d3Wd5", "Wg1,a4", "3. Wf2,f1"]
    moves = " ".join(f"{ply} {{[%clk {clock}]}}" for ply, clock in zip(plies, clocks, strict=False))
    return f'[Player1 "{control}"]\n[Board "37"]\n[TimeControl "{control}"]\n[Clock "down"]\n\n{moves} *\n'


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (timed("600", "0:09:50", "0:09:58", "0:09:30"), [2, 10, 20]),
        (timed("600+10", "0:10:05", "0:10:08", "0:10:12", "0:10:01", "0:10:20"), [2, 2, 3, 5, 17]),
        (timed("10|10", "0:10:05", "0:10:08", "0:10:12", "0:10:01"), [2, 3, 5, 17]),
        (timed("G/10;+10", "0:10:05", "0:10:08", "0:10:12", "0:10:01"), [2, 3, 5, 17]),
        (timed("Incremental 600000 10000", "0:10:05", "0:10:08", "0:10:12", "0:10:01"), [2, 3, 5, 17]),
        (timed("10+10", "0:10:05", "0:10:08", "0:10:12", "0:10:01"), [3, 17]),
        (timed("?", "0:10:05", "0:10:08", "0:10:12", "0:10:01"), [7]),
        (timed("600+2", "0:10:05", "0:10:08", "0:10:12", "0:10:01"), [9]),
        (timed("G/10;d5", "0:10:00", "0:09:50", "0:09:30", "0:09:45"), []),
        (timed("40/7200:3600", "2:00:00", "1:59:50", "1:59:30"), []),
    ],
)
def test_what_a_turn_gains_is_added(tmp_path: Path, text: str, seconds: list[float]) -> None:
    from zertz_db.ingest.import_paths import import_paths

    (tmp_path / "games.txt").write_text(text)
    import_paths([tmp_path / "games.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        rows = thinkers(database).dicts()
        assert sum(row["turns"] for row in rows) == len(seconds)
        if seconds:
            assert max(row["longest"] for row in rows) == max(seconds)
            together = sum(row["mean"] * row["turns"] for row in rows)
            assert together == pytest.approx(sum(seconds), abs=0.06 * len(seconds))
