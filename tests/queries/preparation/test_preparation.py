"""Preparation for an opponent against plain Python over replayed games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import duckdb
import pytest

from tests.queries.made_games import Made, build
from tests.queries.sample import played
from zertz_db.queries.errors import QueryError
from zertz_db.queries.preparation.preparation import MAX_ANSWERS, prepare_against
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

FIRST = ("Wd4,d1", "Wd4,a1", "Wd4,g4", "Bd4,a1")
"""First moves: the board's symmetries turn the first three into each other."""


def made_games() -> Iterator[Made]:
    """Ada moves second in 18 short games and first in six; four long games end with sets, two of them Ada lost; others play each other."""
    for number in range(24):
        start = Position.start("37").play(FIRST[number % 4])
        replies = [move for move in start.legal_moves() if str(move).startswith("B")]
        moves = (FIRST[number % 4], str(replies[(number // 4) % 2]))
        names = ("Ada", f"Q{number}") if number % 4 == 3 else (f"Q{number}", "Ada")
        end = ("resigned by 1", "resigned by 2", "tie")[number % 3]
        yield Made(moves=moves, first=names[0], second=names[1], date=f"2010.01.{number + 1:02}", broken_off=end)
    for seed in range(12):
        moves = tuple(played(Position.start("37"), seed))
        names = ("Ada", "Ben") if seed % 2 else ("Ben", "Ada")
        yield Made(moves=moves, first=names[0], second=names[1], date=f"2011.01.{seed + 1:02}")
    for number in range(6):
        yield Made(
            moves=(FIRST[number % 3],),
            first="Eve",
            second=f"R{number}",
            date=f"2012.01.{number + 1:02}",
            broken_off="unfinished",
        )


GAMES = [*made_games()]
OWN = [game for game in GAMES if "Ada" in (game.first, game.second)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("preparation"), GAMES)


@pytest.fixture(scope="module")
def database(folder: Path) -> Iterator[Database]:
    with open_database(folder) as opened:
        yield opened


def side(game: Made) -> int:
    return 1 if game.first == "Ada" else 2


def same(position: Position) -> tuple[object, ...]:
    """Equal for positions that a symmetry turns into each other."""
    return canonicalise(position).key, position.side, position.pool, position.captured


def departures(known: int) -> list[tuple[str, int]]:
    """By whom, and after how many plies, each of Ada's games left known lines."""
    reached = Counter(one for game in GAMES for one in {same(position) for position in game.positions})
    found = []
    for game in OWN:
        last = max((ply for ply, one in enumerate(game.positions) if reached[same(one)] > known), default=None)
        if last is not None and last < game.plies:
            found.append(("player" if game.positions[last].side == side(game) else "opponent", last))
    return found


def test_replies_to_first_moves_that_are_alike_are_counted_together(database: Database) -> None:
    rows = prepare_against(database, "ada", "date:2010").replies.dicts()
    short = [game for game in OWN if side(game) == 2 and game.plies == 2]
    assert {row["faced"] for row in rows} == {len(short)} == {18}
    assert {row["name"] for row in rows} == {"white centre, corner out"}
    expected = Counter(same(game.positions[2])[0] for game in short)
    assert [row["games"] for row in rows] == sorted(expected.values(), reverse=True)[:MAX_ANSWERS]
    assert {row["replies"] for row in rows} == {len(expected)}
    start = Position.start("37")
    for row in rows:
        after = start.play(row["move"]).play(row["reply"])
        assert expected[same(after)[0]] == row["games"] == row["wins"] + row["ties"] + row["losses"]


def test_losses_by_winning_set(database: Database) -> None:
    lost = [game for game in OWN if game.winner == 3 - side(game)]
    ways = Counter(way(game) for game in lost)
    decided = [game for game in GAMES if game.winner in (1, 2)]
    rows = {row["ending"]: row for row in prepare_against(database, "Ada").losses.dicts()}
    assert {name: row["games"] for name, row in rows.items()} == ways
    assert len(lost) >= 10
    for name, row in rows.items():
        assert row["of"] == len(lost)
        assert row["share"] == pytest.approx(ways[name] / len(lost), abs=1e-4)
        assert row["usual"] == pytest.approx(sum(way(game) == name for game in decided) / len(decided), abs=1e-4)
        assert row["plies"] == pytest.approx(mean(game.plies for game in lost if way(game) == name), abs=0.06)


def way(game: Made) -> str:
    if game.ending != "set":
        return str(game.ending)
    return "several" if len(game.end.winning_sets) > 1 else str(game.end.winning_sets[0])


@pytest.mark.parametrize("known", [1, 3, 10])
def test_known_lines_end_where_too_few_other_games_were(database: Database, known: int) -> None:
    expected = departures(known)
    found = prepare_against(database, "Ada", known=known)
    assert {row["left_by"]: row["games"] for row in found.leaving.dicts()} == Counter(who for who, _ in expected)
    listed = Counter[tuple[str, int]]()
    for row in found.departures.dicts():
        listed[row["left_by"], row["ply"]] += row["games"]
        assert row["others"] >= known
    assert listed == Counter(expected)


def test_missed_wins_by_length(folder: Path, tmp_path: Path) -> None:
    with open_database(folder) as database:
        path = database.generation.path
    copy = tmp_path / "db"
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes()) if file.is_file() else None
    with duckdb.connect(copy / path.name) as connection:
        connection.execute("INSERT INTO _analysis SELECT id, 1, 7, 20000, NULL, NULL, NULL, 1, 1 FROM _game")
        # player 2 had a win in 9, then 3, then 1 in each short game, and let the first and the last go; player 1 had one in 3
        connection.execute("""
            INSERT INTO _tactic SELECT id, 1, CASE WHEN day(date_from) % 2 = 0 THEN 9 ELSE 1 END, day(date_from) % 2 = 0, false, NULL,
                NULL, NULL, false FROM _game WHERE plies = 2 AND year(date_from) = 2010
        """)
        connection.execute(
            "INSERT INTO _tactic SELECT id, 0, 3, false, true, NULL, NULL, NULL, false FROM _game WHERE plies = 2"
        )
    with open_database(copy) as database:
        rows = {row["win"]: row for row in prepare_against(database, "Ada", "date:2010").missed.dicts()}
    second = [number for number in range(24) if number % 4 != 3]
    in_one = sum((number + 1) % 2 for number in second)
    assert (rows["1"]["chances"], rows["1"]["missed"]) == (in_one, in_one)
    assert (rows["7+"]["chances"], rows["7+"]["missed"]) == (len(second) - in_one, 0)
    assert (rows["3"]["chances"], rows["3"]["missed"], rows["3"]["share"], rows["3"]["usual"]) == (6, 6, None, 1.0)


def test_what_can_t_be_prepared_is_explained(database: Database) -> None:
    with pytest.raises(QueryError, match="no player is called 'nobody'"):
        prepare_against(database, "nobody")
    nothing = prepare_against(database, "Ada", "board:61")
    assert [nothing.replies.rows, nothing.losses.rows, nothing.leaving.rows, nothing.departures.rows] == [[]] * 4
    assert nothing.as_json()["player"] == "Ada"
