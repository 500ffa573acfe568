"""Lots: what a record's row holds."""

import zipfile
from pathlib import Path

import pytest

from zertz_db.ingest.records.batch import BATCH_TABLES, import_batch
from zertz_db.ingest.sources.discover import find_files, list_places
from zertz_db.ingest.sources.place import Place
from zertz_db.store.schema.table_columns import arrow_schemas

GAME = b'[Board "37"]\n\n1. Wd4,d1 resigns\n'


def archive(folder: Path, packing: int, content: bytes) -> Path:
    path = folder / "games.zip"
    with zipfile.ZipFile(path, "w", packing) as file:
        file.writestr("game.txt", content)
    return path


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("games", [1, 2])
def test_a_records_bytes_come_back_however_they_were_packed(tmp_path: Path, packing: int, games: int) -> None:
    path = archive(tmp_path, packing, GAME * games)
    lot = import_batch(
        arrow_schemas(*BATCH_TABLES), None, [it for it in list_places(find_files([path])) if isinstance(it, Place)]
    )
    assert [data.strip() for data in lot.records["bytes"]] == [GAME.strip()] * games


def test_what_an_archive_has_behind_a_packed_file_is_not_kept(tmp_path: Path) -> None:
    path = archive(tmp_path, zipfile.ZIP_DEFLATED, GAME)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as file:
        entry = file.infolist()[0]
    end = entry.header_offset + 30 + len(entry.filename) + entry.compress_size
    data[end:end] = b"rest"
    directory = data.index(b"PK\x01\x02")
    data[directory + 20 : directory + 24] = (entry.compress_size + 4).to_bytes(4, "little")
    finish = data.index(b"PK\x05\x06")
    data[finish + 16 : finish + 20] = directory.to_bytes(4, "little")
    path.write_bytes(data)
    lot = import_batch(
        arrow_schemas(*BATCH_TABLES), None, [it for it in list_places(find_files([path])) if isinstance(it, Place)]
    )
    assert lot.records["bytes"] == [GAME]
