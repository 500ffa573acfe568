"""Keys that several games share: stored keys equal those that are read again, and follow an import."""

from pathlib import Path

import pytest

from tests.queries.openings.conftest import GAMES
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games import shared_keys
from zertz_db.queries.games.shared_keys import find_shared
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database


def keys_by_game(database: Database) -> dict[int, list[int]]:
    rows = database.connection().execute("SELECT game, list(key) FROM _position GROUP BY game ORDER BY game")
    return dict(rows.fetchall())


def test_kept_keys_are_those_read_anew(archive: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    by_game = keys_by_game(archive)
    kept = {game: find_shared(archive, keys, game) for game, keys in by_game.items()}
    assert shared_keys._last
    monkeypatch.setattr(shared_keys, "_last", {})
    monkeypatch.setattr(shared_keys, "_MAX_POSITIONS", 0)
    assert kept == {game: find_shared(archive, keys, game) for game, keys in by_game.items()}
    assert not shared_keys._last
    assert any(kept.values())


def test_an_import_is_seen(tmp_path: Path) -> None:
    for number, played in enumerate(GAMES[:12]):
        (tmp_path / f"{number}.txt").write_text(played.text(number), "utf-8")
    import_paths([tmp_path / "0.txt"], tmp_path / "games.zertz")
    with open_database(tmp_path / "games.zertz") as database:
        [(game, keys)] = keys_by_game(database).items()
        assert [set(find_shared(database, keys, game)) for _ in range(3)] == [set()] * 3
        import_paths([tmp_path / f"{number}.txt" for number in range(1, 12)], tmp_path / "games.zertz")
        others = {key for other, held in keys_by_game(database).items() if other != game for key in held}
        assert set(keys) & others
        assert [set(find_shared(database, keys, game)) for _ in range(3)] == [set(keys) & others] * 3
