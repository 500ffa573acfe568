"""Facts of all games that are kept in memory: answers from them equal those of queries, and follow an import."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.queries.search.searched import build
from zertz_db.export.rows import game_object
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import SORTS, count_games, list_games
from zertz_db.queries.games.one_game import course
from zertz_db.queries.memory import cached_games
from zertz_db.queries.memory.cached_games import cache_games
from zertz_db.queries.memory.generation_cache import GenerationCache
from zertz_db.queries.openings.games import opening_games
from zertz_db.queries.openings.tree import find_openings
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games on boards of all kinds, where several come together again."""
    return build(tmp_path_factory.mktemp("kept"))


@pytest.fixture
def ids(database: Database) -> list[str]:
    return [game for (game,) in database.connection().execute("SELECT id FROM games ORDER BY id").fetchall()]


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], Any]:
    """Return an answer from kept games, which must equal the one that queries give."""

    def ask(question: Callable[[], Any]) -> Any:
        monkeypatch.setattr(cached_games, "_DIRECT", 0)
        monkeypatch.setattr(cached_games, "_cached", GenerationCache(cached_games._read))
        answer = question()
        assert [*cached_games._cached.kept.values()] != [None], "the answer did not come from kept games"
        monkeypatch.setattr(cached_games, "_cached", GenerationCache(cached_games._read))
        monkeypatch.setattr(cached_games, "_MAX_GAMES", 0)
        assert answer == question()
        monkeypatch.setattr(cached_games, "_MAX_GAMES", 1000)
        return answer

    return ask


def test_a_game(database: Database, ids: list[str], compare: Callable[[Callable[[], Any]], Any]) -> None:
    objects = compare(lambda: [(game_object(database, game), course(database, game)) for game in ids])
    assert len({found["board"] for found, _ in objects}) > 3


@pytest.mark.parametrize("text", ["ABC", "3T7K", "3T7K0V9QZ4M1A", "U"])
def test_an_unknown_id(database: Database, text: str, compare: Callable[[Callable[[], Any]], Any]) -> None:
    def fail() -> str:
        with pytest.raises(QueryError) as refused:
            course(database, text)
        return str(refused.value)

    assert text in compare(fail)


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("key", SORTS)
def test_pages_of_a_list(database: Database, key: str, sign: str, compare: Callable[[Callable[[], Any]], Any]) -> None:
    def page() -> tuple[list[list[tuple[Any, ...]]], int]:
        pages = [list_games(database, sort=sign + key, limit=7).rows]
        while pages[-1]:
            pages.append(list_games(database, sort=sign + key, limit=7, after=pages[-1][-1][0]).rows)
        return pages, count_games(database)

    pages, total = compare(page)
    assert sum(map(len, pages)) == total


@pytest.mark.parametrize("mode", ["exact", "symmetry"])
@pytest.mark.parametrize("every", [True, False])
def test_a_position_search(
    database: Database, ids: list[str], mode: str, every: bool, compare: Callable[[Callable[[], Any]], Any]
) -> None:
    wanted = [played.position(ply) for played in (course(database, game) for game in ids[::9]) for ply in (0, 2)]
    found = compare(
        lambda: [
            find_position(database, position, mode, every=every, limit=5, side=number % 2 == 1, pool=number % 3 == 1)
            for number, position in enumerate(wanted)
        ]
    )
    assert {answer.games > 1 for answer in found} == {True, False}


def test_the_opening_tree(database: Database, ids: list[str], compare: Callable[[Callable[[], Any]], Any]) -> None:
    lines = [
        (Position.parse(played.row["start"]) if played.row["start"] else played.position(0), played.moves[:plies])
        for played in (course(database, game) for game in ids[::6])
        for plies in (0, 1, 3)
    ]

    def look() -> list[Any]:
        answers: list[Any] = []
        for start, moves in lines:
            found = find_openings(database, moves, position=start)
            listed = [
                opening_games(database, found.position, order=order, limit=3, few=found.few)
                for order in ("date", "players")
            ]
            answers.append((found.as_json(), found.by_line, listed))
        return answers

    assert any(by_line for _, by_line, _ in compare(look))


def test_games_are_kept_after_some_questions_and_an_import_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_games, "_cached", GenerationCache(cached_games._read))
    (tmp_path / "one.txt").write_text("1. Wd4,d1 Bd3,a1 *\n", "utf-8")
    (tmp_path / "two.txt").write_text("1. Wd4,d1 Gd3,a1 *\n", "utf-8")
    import_paths([tmp_path / "one.txt"], tmp_path / "games.zertz")
    with open_database(tmp_path / "games.zertz") as database:
        kept = [cache_games(database) is not None for _ in range(cached_games._DIRECT + 2)]
        assert kept == [False] * cached_games._DIRECT + [True] * 2
        import_paths([tmp_path / "two.txt"], tmp_path / "games.zertz")
        database.connection()
        assert cache_games(database) is None
        assert count_games(database) == 2
