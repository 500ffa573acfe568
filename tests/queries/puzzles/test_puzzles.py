"""Puzzles of a database: what is listed, that of a day, the next one, and ratings by attempts."""

from __future__ import annotations

import datetime as dt
import shutil
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.ingest.databases import ask, zipped
from tests.puzzle_games import LIMITS, PUZZLES, SEEDS, turned
from zertz_db.edit.attempts import add_attempt
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.analysis.analyse import analyse_games
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.undo_import import undo
from zertz_db.play.generate import generate_games
from zertz_db.queries.errors import QueryError
from zertz_db.queries.puzzles.attempts import ESTIMATED, NEWCOMER, Rated, rate_attempts, rate_stored_attempts
from zertz_db.queries.puzzles.next_puzzle import CLOSEST, choose_puzzle
from zertz_db.queries.puzzles.one_puzzle import find_daily, find_puzzle, find_puzzles
from zertz_db.queries.puzzles.puzzle_list import list_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.rules.board import standard_board
from zertz_db.store.annotations.attempts import Attempt
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.tactics import solve
from zertz_db.tactics.puzzles.find import GRADES

DAY = dt.date(2026, 5, 1)
NOW = dt.datetime(2026, 5, 1, 12)  # noqa: DTZ001 - UTC, as stored


@pytest.fixture
def database(puzzle_games: Path) -> Database:
    return open_database(puzzle_games)


def ids(database: Database, selection: Selection, limit: int | None = None) -> list[str]:
    return [row["id"] for row in list_puzzles(database, selection, limit).dicts()]


def test_each_puzzle_is_as_the_solver_has_it(database: Database) -> None:
    puzzles = [*find_puzzles(database)]
    assert len(puzzles) == PUZZLES
    for puzzle in puzzles:
        found = solve(puzzle.position, puzzle.length)
        assert found.forced == puzzle.length
        assert {one.kind.ring for one in found.winning} == {puzzle.ring}
        assert {one.kind.colour for one in found.winning} == {*puzzle.colours}
        assert puzzle.grade.startswith("A") == found.is_only_move
        final = puzzle.position
        for move in puzzle.line:
            final = final.play(move)
        assert final.winner == puzzle.position.side
        assert len(puzzle.line) == puzzle.length


def test_lists_begin_with_the_best(database: Database) -> None:
    rows = list_puzzles(database, limit=None).dicts()
    keys = [(GRADES.index(row["grade"]), -row["length"]) for row in rows]
    assert keys == sorted(keys)
    assert ids(database, Selection(), 3) == [row["id"] for row in rows[:3]]
    assert len({row["game"] for row in rows}) == len({row["id"] for row in rows}) == PUZZLES


@pytest.mark.parametrize(
    ("selection", "condition"),
    [
        (Selection(grade="A"), "grade <> 'B'"),
        (Selection(grade="A+"), "grade = 'A+'"),
        (Selection(length=5), "length = 5"),
        (Selection(themes=("white",)), "contains(themes, 'white')"),
        (Selection(themes=("isolation", "each"), grade="A"), "contains(themes, 'isolation each') AND grade <> 'B'"),
        (Selection("player:random-9"), "'random-9' IN (player1, player2)"),
        (Selection(missed_by="random-9"), "'random-9' = CASE side WHEN 1 THEN player1 ELSE player2 END AND missed"),
        (Selection("plies:<30", missed_by="random-9", length=9), "false"),
    ],
)
def test_selections(database: Database, puzzle_games: Path, selection: Selection, condition: str) -> None:
    query = f"""
        SELECT z.id FROM puzzles z JOIN games g ON g.id = z.game JOIN tactics t ON (t.game, t.ply) = (z.game, z.ply)
        JOIN positions p ON (p.game, p.ply) = (z.game, z.ply) WHERE {condition}
    """
    assert {*ids(database, selection)} == {one for (one,) in ask(puzzle_games, query)}


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(grade="C"), r"no grade is called 'C'; valid: A\+, A, B"),
        (Selection(themes=("fork",)), "no theme is called 'fork'; valid: sacrifice-1"),
        (Selection(length=4), "an odd number of plies from 3 on, not 4"),
        (Selection("bored:37"), "unknown field"),
    ],
)
def test_what_can_not_be_selected_is_a_sentence(database: Database, selection: Selection, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        list_puzzles(database, selection)


def test_one_puzzle_by_its_id(database: Database) -> None:
    [first] = ids(database, Selection(), 1)
    puzzle = find_puzzle(database, first.lower())
    assert puzzle.id == first
    assert puzzle.as_json(with_solution=True).items() > puzzle.as_json(with_solution=False).items()
    for wrong in ("3T7K", "U" * 13, "0" * 13):
        with pytest.raises(QueryError, match=r"invalid id|there is no puzzle"):
            find_puzzle(database, wrong)


def test_the_puzzle_of_a_day_depends_on_the_day_alone_and_rarely_changes(puzzle_games: Path, tmp_path: Path) -> None:
    days = [DAY + dt.timedelta(days=number) for number in range(60)]
    with open_database(puzzle_games) as database:
        before = [find_daily(database, day) for day in days]
        assert before == [find_daily(database, day) for day in days]
    assert all(puzzle and puzzle.grade in GRADES[:2] for puzzle in before)
    assert len({puzzle.id for puzzle in before if puzzle}) > 3
    files = [zipped(tmp_path / "first.zip", list(generate_games(30, seed=SEEDS[0], board="37")))]
    import_paths(files, tmp_path / "db")
    analyse_games(tmp_path / "db", "", LIMITS, jobs=1)
    with open_database(tmp_path / "db") as fewer:
        known = {*ids(fewer, Selection())}
        for day, puzzle in zip(days, before, strict=True):
            if puzzle and puzzle.id in known:  # it is the least number of more puzzles: so it was of fewer, too
                assert find_daily(fewer, day) == puzzle


def test_no_puzzles(tmp_path: Path) -> None:
    import_paths([zipped(tmp_path / "few.zip", list(generate_games(2, seed=1)))], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        assert list_puzzles(database).rows == []
        assert find_daily(database, DAY) is None
        assert choose_puzzle(database) is None


def test_the_next_puzzle_is_new_and_close_to_the_difficulty(database: Database) -> None:
    chance, seen = Random(1), []  # noqa: S311
    while puzzle := choose_puzzle(database, seen=seen, chance=chance):
        seen.append(puzzle.id)
    assert Counter(seen) == Counter(ids(database, Selection()))
    assert PUZZLES <= CLOSEST
    hard = choose_puzzle(database, Selection(length=3), difficulty=9999, seen=seen[:2])
    assert hard is not None
    assert hard.length == 3
    assert hard.id not in seen[:2]


def test_only_the_closest_are_chosen(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zertz_db.queries.puzzles.next_puzzle.CLOSEST", 1)
    puzzles = [*find_puzzles(database)]
    hardest = max(puzzles, key=lambda one: one.difficulty)
    assert choose_puzzle(database, difficulty=9999) == hardest
    easiest = min(puzzles, key=lambda one: one.difficulty)
    assert choose_puzzle(database, difficulty=9999, ratings={easiest.id: 9000}) == easiest  # attempts made it hard


def test_an_image_of_a_game_gives_no_second_puzzle(puzzle_games: Path, tmp_path: Path) -> None:
    board = standard_board("37")
    games = list(generate_games(30, seed=SEEDS[0], board="37"))
    texts = [
        f'[Board "37"]\n[RuleSet "{row}"]\n\n{turned(board, 4, moves)} *\n'
        for row, moves in ask(puzzle_games, "SELECT rule_set, movetext FROM games")
    ]
    (tmp_path / "images.txt").write_text("\n".join(texts), "utf-8")
    import_paths([tmp_path / "images.txt"], tmp_path / "db")
    analyse_games(tmp_path / "db", "", LIMITS, jobs=1)
    import_paths([zipped(tmp_path / "own.zip", games)], tmp_path / "db")
    analyse_games(tmp_path / "db", "", LIMITS, jobs=1)
    with open_database(tmp_path / "db") as both, open_database(puzzle_games) as own:
        assert {*ids(both, Selection())} == {*ids(own, Selection())}
    assert ask(tmp_path / "db", "SELECT count(*) FROM puzzles")[0][0] > PUZZLES


def test_puzzles_go_with_their_games(puzzle_games: Path, tmp_path: Path) -> None:
    for seed in SEEDS:
        import_paths(
            [zipped(tmp_path / f"{seed}.zip", list(generate_games(30, seed=seed, board="37")))], tmp_path / "db"
        )
    analyse_games(tmp_path / "db", "", LIMITS, jobs=1)
    everything = ask(puzzle_games, "SELECT * FROM puzzles ORDER BY game")
    assert ask(tmp_path / "db", "SELECT * FROM puzzles ORDER BY game") == everything
    assert not examine(tmp_path / "db").problems
    undo(tmp_path / "db", 1)
    left = {game for (game,) in ask(tmp_path / "db", "SELECT id FROM games")}
    assert {row[1] for row in ask(tmp_path / "db", "SELECT * FROM puzzles")} == {row[1] for row in everything} & left


def test_ratings_move_with_attempts() -> None:
    attempts = [
        Attempt("0" * 13, True, "ada", NOW),
        Attempt("0" * 13, False, "ada", NOW),  # only the first attempt counts
        Attempt("1" * 13, False, "bo", NOW),
        Attempt("2" * 13, True, "bo", NOW),  # of a puzzle that is gone
    ]
    ratings = rate_attempts(attempts, {"0" * 13: 1500, "1" * 13: 1500})
    assert ratings.solvers["ada"].rating > NEWCOMER.rating > ratings.solvers["bo"].rating
    assert ratings.puzzles["0" * 13].rating < 1500 < ratings.puzzles["1" * 13].rating
    assert [one.attempts for one in ratings.solvers.values()] == [1, 1]
    assert all(one.deviation < ESTIMATED for one in ratings.puzzles.values())
    assert ratings.solvers["ada"].rating - 1500 == pytest.approx(1500 - ratings.solvers["bo"].rating)
    assert set(ratings.difficulties()) == {"0" * 13, "1" * 13}


def test_stored_attempts_count(puzzle_games: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(puzzle_games, tmp_path / "db"))
    with open_database(folder) as database:
        [first] = ids(database, Selection(), 1)
        assert rate_stored_attempts(database).solvers == {}
        add_attempt(folder, first, "ada", solved=False)
        rated = rate_stored_attempts(database)
        assert rated.puzzles[first].rating > find_puzzle(database, first).difficulty
        assert rated.solvers["ada"] == Rated(*rated.solvers["ada"])
