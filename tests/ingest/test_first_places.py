"""The order in which an import takes places: the first ones before all are counted, however many there are."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from zertz_db.ingest import importer, worker_pool
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import batch
from zertz_db.ingest.sources import discover
from zertz_db.parser.boardspace.writer import write
from zertz_db.play.generate import generate_games

FILES, GAMES = 5, 12
PLACES = FILES * (GAMES + 1)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of archives, whose members have plain, odd and equal names; one of each is no record."""
    folder = tmp_path_factory.mktemp("archives")
    games = iter(generate_games(FILES * GAMES, seed=3))
    for number in range(FILES):
        with zipfile.ZipFile(folder / f"{number}.zip", "w") as archive:
            archive.writestr("__MACOSX/a.sgf", b"not a record")
            archive.writestr("note.txt", b"Nothing to read here.")
            for game in range(GAMES):
                archive.writestr(f"Zertz {game}.sgf" if game % 3 else "odd ë\t.sgf", write(next(games)))
    return folder


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("first_bytes", [0, 1, 20_000, 10**9])
@pytest.mark.parametrize("most_in_memory", [0, 30, 10**6])
def test_every_place_is_taken_once_and_in_order(
    archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int, first_bytes: int, most_in_memory: int
) -> None:
    taken: list[tuple[str, str]] = []
    read_batch = batch.read_batch

    def noting(schemas: Any, letters: str | None, contents: Iterable[Any]) -> Any:
        some = [*contents]
        taken.extend(content.place.shown for content in some)
        return read_batch(schemas, letters, some)

    monkeypatch.setattr(batch, "read_batch", noting)
    monkeypatch.setattr(worker_pool, "count_cores", lambda: cores)
    monkeypatch.setattr(worker_pool, "MIN_PARALLEL_BYTES", 10**12)  # all are read in this process
    monkeypatch.setattr(discover, "BATCH_BYTES", 15_000)
    monkeypatch.setattr(importer, "_FIRST_BYTES", first_bytes)
    monkeypatch.setattr(importer, "_MAX_PLACES_IN_MEMORY", most_in_memory)
    tally = import_paths([archives], tmp_path / "games.zertz")
    assert (tally.places, tally.done, tally.stored) == (PLACES, PLACES, FILES * GAMES)
    assert [path for path, _ in taken] == [str(file) for file in sorted(archives.iterdir()) for _ in range(GAMES + 1)]
    assert len({*taken}) == PLACES
