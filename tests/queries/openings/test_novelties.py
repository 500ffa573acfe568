"""Places where games leave all earlier ones: kept places equal those that are found alone, and follow an import."""

from pathlib import Path

import pytest

from tests.queries.openings.conftest import GAMES
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games import novelties
from zertz_db.queries.games.novelties import keep_novelties
from zertz_db.queries.games.novelty import Novelty, find_novelty
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.memory.generation_cache import GenerationCache
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

_STEP = 6


def find_all(database: Database) -> dict[str, Novelty]:
    ids = [game for (game,) in database.connection().execute("SELECT id FROM games ORDER BY id").fetchall()][::_STEP]
    return {game: find_novelty(database, game) for game in ids}


def test_kept_places_are_those_found_alone(archive: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(novelties, "_DIRECT", 0)
    kept = find_all(archive)
    assert keep_novelties(archive)
    assert kept == {game: find_novelty(archive, find_game(archive, game)) for game in kept}
    monkeypatch.setattr(novelties, "_cached", GenerationCache(novelties._find_all))
    monkeypatch.setattr(novelties, "_MAX_POSITIONS", 0)
    assert keep_novelties(archive) is None
    alone = find_all(archive)
    assert kept == alone
    assert len({found.games for found in alone.values()}) > 3


def test_one_question_more_than_the_direct_ones_keeps_the_places(
    archive: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(novelties, "_cached", GenerationCache(novelties._find_all))
    kept = [keep_novelties(archive) is not None for _ in range(novelties._DIRECT + 2)]
    assert kept == [False] * novelties._DIRECT + [True] * 2


def test_a_question_is_answered_alone_while_another_thread_finds_all_places(
    archive: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(novelties, "_DIRECT", 0)
    monkeypatch.setattr(novelties, "_cached", GenerationCache(novelties._find_all))
    with novelties._cached.building:
        assert keep_novelties(archive) is None
    assert keep_novelties(archive) is not None


def test_an_import_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(novelties, "_DIRECT", 0)
    for number, played in enumerate(GAMES[:12]):
        (tmp_path / f"{number}.txt").write_text(played.text(number), "utf-8")
    import_paths([tmp_path / "0.txt"], tmp_path / "games.zertz")
    with open_database(tmp_path / "games.zertz") as database:
        assert [found.games for found in find_all(database).values()] == [0]
        import_paths([tmp_path / f"{number}.txt" for number in range(1, 12)], tmp_path / "games.zertz")
        kept = find_all(database)
        assert len(kept) == 2
        monkeypatch.setattr(novelties, "_cached", GenerationCache(novelties._find_all))
        monkeypatch.setattr(novelties, "_MAX_POSITIONS", 0)
        assert kept == find_all(database)
        assert any(found.games for found in kept.values())
