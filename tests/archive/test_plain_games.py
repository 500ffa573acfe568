"""The scanner and the grammar read the archive of real games the same, if it is present."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")

from tests.archive.test_archive import ARCHIVE, WHOLE
from tests.ingest.plain_games.comparison import compare
from zertz_db.ingest.sources.discover import list_places, split_batches
from zertz_db.ingest.sources.place import Content
from zertz_db.ingest.sources.read_bytes import read_contents


@pytest.mark.skipif(not ARCHIVE.is_dir(), reason="no archive")
def test_clean_games_of_the_archive_are_clean_by_the_grammar() -> None:
    files = sorted(map(str, ARCHIVE.rglob("*.zip")))[:: 1 if WHOLE else 100]
    clean = total = 0
    for batch in split_batches(list_places((file, False) for file in files)):
        contents = [content for content in read_contents(batch) if isinstance(content, Content)]
        clean += compare(contents)
        total += len(contents)
    assert clean > 0.9 * total
