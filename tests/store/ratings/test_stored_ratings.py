"""The stored ratings follow every change of games and names; an oracle rates all games again with another package."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event
from unittest.mock import MagicMock

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from tests.store.contents import contents
from tests.store.ratings.slow_ratings import Ratings, rate_slowly, read_stored
from tests.store.scratch import empty_tables
from zertz_db.edit.claim_names import set_alias, set_kind
from zertz_db.edit.correct_tags import correct_games, revert_corrections
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import merge
from zertz_db.maintain.undo_import import undo
from zertz_db.store.backend import migrate
from zertz_db.store.folder import tails
from zertz_db.store.loading import compaction
from zertz_db.store.open_database import open_database
from zertz_db.store.ratings import early_games, kernel_choice, stored_ratings
from zertz_db.store.ratings.dated_games import NO_TIME, Columns, read_dated_columns
from zertz_db.store.ratings.rating_rows import NONE, write_changed_rows
from zertz_db.store.schema import meta

NAMES = ("Ada", "ADA", "Ben", "Cleo", "smartbot", "guest")
ENDS = ("Player2 resigns 1-0", "Player1 resigns 0-1", "1/2-1/2", "*")


def write_games(path: Path, count: int, seed: int, year: int = 2010) -> Path:
    """Write short games of a few players, some without a day, a time or a result."""
    dice = Random(seed)  # noqa: S311 - no secret
    text = ""
    for _ in range(count):
        first, second = dice.sample(NAMES, 2)
        day = f"{year}.{dice.randrange(1, 13):02}." + (f"{dice.randrange(1, 29):02}" if dice.random() < 0.9 else "??")
        text += f'[Player1 "{first}"]\n[Player2 "{second}"]\n[Date "{day}"]\n[Board "37"]\n'
        if dice.random() < 0.7:
            text += f'[Time "{dice.randrange(24):02}:{dice.randrange(60):02}"]\n'
        text += f"\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 {dice.choice(ENDS)}\n\n"
    path.write_text(text, "utf-8")
    return path


def check(folder: Path) -> Ratings:
    """Compare the stored ratings with the slow ones, and return them."""
    with open_database(folder) as database:
        stored = read_stored(database)
        assert stored == rate_slowly(database)
    return stored


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rated")
    import_paths([write_games(folder / "a.txt", 60, seed=1)], folder / "db")
    return folder / "db"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "db"))


def test_a_newcomer_and_a_guest_have_no_rating(made: Path) -> None:
    stored = check(made)
    assert stored
    with open_database(made) as database:
        rows = database.connection().execute("SELECT id, player1, player2 FROM games").fetchall()
    assert all(stored[game][0] is None for game, first, _ in rows if first == "guest" and game in stored)
    assert all(stored[game][2] is None for game, _, second in rows if second == "guest" and game in stored)
    assert any(stored[game][2] is not None for game, first, _ in rows if first == "guest" and game in stored)


def import_later(folder: Path) -> None:
    import_paths([write_games(folder.parent / "later.txt", 20, seed=2, year=2012)], folder)


def import_earlier(folder: Path) -> None:
    import_paths([write_games(folder.parent / "earlier.txt", 20, seed=3, year=2008)], folder)


def import_and_undo(folder: Path) -> None:
    import_earlier(folder)
    undo(folder, 2)


def merge_another(folder: Path) -> None:
    import_paths([write_games(folder.parent / "c.txt", 20, seed=4)], folder.parent / "other")
    merge([folder.parent / "other"], folder)


def make_ben_ada(folder: Path) -> None:
    set_alias(folder, "Cleo", "Ada", "accepted")
    import_later(folder)  # an alias is stored with the next change


def redact_ada(folder: Path) -> None:
    anonymise_player(folder, "Ada")


def correct_a_date(folder: Path) -> None:
    correct_games(folder, [find_first(folder)], {"Date": "2015.01.01"}, "ada")


def correct_a_name(folder: Path) -> None:
    correct_games(folder, [find_first(folder)], {"Player1": "Dora"}, "ada")


def correct_and_revert(folder: Path) -> None:
    game = find_first(folder)
    correct_games(folder, [game], {"Player1": "Dora"}, "ada")
    revert_corrections(folder, game, ["Player1"], "ada")


def find_first(folder: Path) -> str:
    """Return the id of the first rated game between humans."""
    humans = "lower(player1) <> lower(player2) AND 'guest' NOT IN (player1, player2)"
    query = f"SELECT id FROM games WHERE winner > 0 AND date_from = date_to AND {humans} ORDER BY date_from"
    with open_database(folder) as database:
        return str(database.connection().execute(query).fetchall()[0][0])


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (import_later, True),
        (import_earlier, True),
        (import_and_undo, False),
        (merge_another, True),
        (make_ben_ada, True),
        (redact_ada, False),
        (correct_a_date, True),
        (correct_a_name, True),
        (correct_and_revert, False),
    ],
)
def test_ratings_follow_a_change(folder: Path, change: Callable[[Path], None], differs: bool) -> None:
    before = check(folder)
    change(folder)
    after = check(folder)
    assert any(after.get(game) != rating for game, rating in before.items()) == (differs and change != import_later)
    assert (after != before) == differs
    assert not examine(folder).problems


def keep_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevent compactions, which rate all games."""
    monkeypatch.setattr(compaction, "MAX_UNSORTED", 100)
    monkeypatch.setattr(compaction, "MAX_GAPS", 1)


def count_rated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which each import adds the number of games that it has rated."""
    counts: list[int] = []

    def count(connection: duckdb.DuckDBPyConnection, where: str) -> list[Columns]:
        batches = [*read_dated_columns(connection, where)]
        counts.append(sum(len(batch.games) for batch in batches))
        return batches

    monkeypatch.setattr(stored_ratings, "read_dated_columns", count)
    return counts


@pytest.mark.parametrize(
    ("years", "rated"),
    [
        ((2012, 2013), "new"),
        ((2012, 2012), "all"),  # some days before the last game
        pytest.param((2013, 2012), "all", marks=pytest.mark.long),
    ],
)
def test_games_later_than_all_others_are_rated_alone(
    made: Path, folder: Path, years: tuple[int, int], rated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the rows of a database whose ratings are all computed again."""
    keep_the_file(monkeypatch)
    files = [write_games(folder.parent / f"{seed}.txt", 20, seed, year) for seed, year in enumerate(years)]
    import_paths(files[:1], folder)
    counts = count_rated(monkeypatch)
    import_paths(files[1:], folder)
    with open_database(folder) as database:
        days = "SELECT count(*) FROM _game WHERE date_from = date_to"
        total = database.connection().execute(days).fetchall()[0][0]
    assert (counts == [total]) == (rated == "all")
    assert 0 < counts[0] <= total
    again = Path(shutil.copytree(made, folder.parent / "again"))
    monkeypatch.setattr(stored_ratings, "_resume", lambda _: ({}, "true", (0, 0), None))
    for file in files:
        import_paths([file], again)
    assert contents(folder) == contents(again)
    assert check(folder) == check(again)


def replace_a_file(folder: Path) -> None:
    """Import a file again without its first games."""
    file = write_games(folder.parent / "earlier.txt", 20, seed=3, year=2008)
    import_paths([file], folder)
    import_paths([write_games(file, 12, seed=3, year=2008)], folder, replace=True)


def import_between(folder: Path) -> None:
    import_paths([write_games(folder.parent / "between.txt", 20, seed=5)], folder)


@pytest.mark.parametrize(
    "change", [import_earlier, import_between, import_and_undo, correct_a_date, make_ben_ada, replace_a_file]
)
def test_a_small_change_leaves_the_ratings_of_a_whole_import(
    folder: Path, change: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The change is a tail first, which updates single columns. Then the estimates are too long to note."""
    keep_the_file(monkeypatch)
    monkeypatch.setattr(tails, "MIN_FILE", 0)
    change(folder)
    check(folder)
    with open_database(folder) as database:
        assert database.generation.has_tail
    monkeypatch.setattr(stored_ratings, "_MAX_NOTE", 0)
    import_paths([write_games(folder.parent / "more.txt", 20, seed=6)], folder)
    import_later(folder)
    check(folder)
    assert not examine(folder).problems


def make_ben_ada_between(folder: Path) -> None:
    set_alias(folder, "Cleo", "Ada", "accepted")
    import_between(folder)


def fail(_: object) -> None:
    raise RuntimeError("the thread fails")


@pytest.mark.parametrize(
    ("change", "load", "is_used"),
    [
        (import_between, id, True),
        (make_ben_ada_between, id, True),  # players change while the thread reads
        (correct_a_date, id, False),
        (import_between, fail, False),
    ],
)
def test_games_that_a_thread_reads_early_give_the_same_ratings(
    folder: Path,
    change: Callable[[Path], None],
    load: Callable[[object], object],
    is_used: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_the_file(monkeypatch)
    monkeypatch.setattr(stored_ratings, "WORTH_LOADING", 0)
    monkeypatch.setattr(early_games, "choose_kernel", load)
    counts = count_rated(monkeypatch)
    change(folder)
    assert (counts == []) == is_used
    check(folder)
    assert not examine(folder).problems


def test_an_interrupted_change_interrupts_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    is_interrupted = Event()
    cursor = MagicMock()
    cursor.__enter__.return_value.interrupt = is_interrupted.set
    monkeypatch.setattr(early_games, "_read", lambda _: is_interrupted.wait(60))
    with pytest.raises(KeyboardInterrupt), early_games.read_early(MagicMock(cursor=lambda: cursor)) as early:
        raise KeyboardInterrupt
    assert early.result() is True


def test_early_games_are_in_the_order_in_which_they_were_played() -> None:
    dice = Random(1)  # noqa: S311 - no secret
    for times in (["09:00", "10:00:00", None], [None]):
        rows = [(dice.randrange(3), dice.choice(times), dice.randrange(-50, 50)) for _ in range(200)]
        table = pa.table(dict(zip(("day", "time", "id"), zip(*rows, strict=True), strict=True)), _DAYS)
        found = [rows[place] for place in early_games._find_order(table)]
        assert found == sorted(rows, key=lambda row: (row[0], row[1] or NO_TIME, row[2]))


_DAYS = pa.schema({"day": pa.int64(), "time": pa.string(), "id": pa.int64()})


@pytest.mark.parametrize("by_column", [True, False])
def test_changed_rows_are_written_alone(by_column: bool) -> None:
    dice = np.random.default_rng(1)
    with empty_tables() as connection:
        for _ in range(8):
            games = np.unique(dice.integers(-20, 20, 25))
            ratings = dice.integers(1500, 1502, (len(games), 4)).astype(np.int32)
            ratings[dice.random(ratings.shape) < 0.2] = NONE
            mixed = dice.permutation(len(games))
            write_changed_rows(connection, games[mixed], ratings[mixed], is_all=True, by_column=by_column)
            wanted = [
                (game, *(None if one == NONE else one for one in row))
                for game, row in zip(games.tolist(), ratings.tolist(), strict=True)
            ]
            assert connection.execute("FROM _rating ORDER BY game").fetchall() == wanted


@pytest.mark.long
def test_compiled_code_gives_the_same_ratings(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_database(made) as database:
        slow = stored_ratings._rate_games(database.connection(), {}, "true")
        monkeypatch.setattr(kernel_choice, "WORTH_LOADING", 0)
        fast = stored_ratings._rate_games(database.connection(), {}, "true")
    assert slow.beliefs == fast.beliefs
    assert (slow.games.tolist(), slow.ratings.tolist()) == (fast.games.tolist(), fast.ratings.tolist())


def test_a_changed_kind_rates_all_games_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_the_file(monkeypatch)
    set_kind(folder, "Cleo", "guest")
    import_later(folder)
    assert check(folder)


@pytest.fixture
def older(folder: Path) -> Path:
    """A database of version 4, which had no ratings."""
    with open_database(folder) as database:
        path = database.generation.path
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP VIEW ratings; DROP TABLE _rating")
        meta.write(connection, {"schema_version": 4})
    return folder


def test_an_older_database_gets_ratings(older: Path, made: Path) -> None:
    assert migrate(older)
    assert check(older) == check(made)
    assert not migrate(older)


def test_a_change_adds_ratings_to_an_older_database(older: Path) -> None:
    import_later(older)
    assert check(older)
