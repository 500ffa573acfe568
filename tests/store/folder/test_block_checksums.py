"""Blocks of DuckDB's files and their checksums."""

from pathlib import Path

import pytest

from tests.store.rows import add_games
from zertz_db.store.folder import block_checksums, generations
from zertz_db.store.folder.block_checksums import BLOCK, find_damaged_blocks

HEADERS = 3 * 4096


@pytest.fixture
def file(folder: Path) -> Path:
    add_games(folder, *range(3))
    live = generations.live_generation(folder)
    assert live
    return live.path


def test_a_whole_file_has_no_damaged_blocks(file: Path) -> None:
    assert find_damaged_blocks(file) == []


@pytest.mark.parametrize("at_once", [1, 64])
@pytest.mark.parametrize("place", [0, 8, BLOCK // 2, BLOCK - 1])
def test_a_bit_in_any_block_is_found(file: Path, place: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_checksums, "_AT_ONCE", at_once)
    whole = file.read_bytes()
    count = (len(whole) - HEADERS) // BLOCK
    assert count > 2
    for number in range(count):
        data = bytearray(whole)
        data[HEADERS + number * BLOCK + place] ^= 1
        file.write_bytes(data)
        assert find_damaged_blocks(file) == [number]


def test_a_file_of_another_format_has_no_damaged_blocks(tmp_path: Path) -> None:
    file = tmp_path / "other"
    file.write_bytes(b"text " * 200_000)
    assert find_damaged_blocks(file) == []
