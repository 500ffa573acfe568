"""An import gives clean games the rows that the grammar and the check give them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import pytest

pytest.importorskip("numba")

from tests.ingest.plain_games.mutants import DATA, NAMES, mutants, seeds
from zertz_db.ingest.plain_games import clean_contents
from zertz_db.ingest.plain_games.clean_records import CleanRecord
from zertz_db.ingest.records import batch
from zertz_db.ingest.records.batch import BATCH_TABLES, ImportBatch, build_batch, read_batch
from zertz_db.ingest.records.read_records import read_and_check
from zertz_db.ingest.sources.discover import find_files, list_places
from zertz_db.ingest.sources.place import Content, Damage, Place
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.parser import faults
from zertz_db.store.schema.table_columns import arrow_schemas

SCHEMAS = arrow_schemas(*BATCH_TABLES)
ORDERS = {
    "games": ("id",),
    "positions": ("game", "ply"),
    "tags": ("record", "name", "value"),
    "findings": ("record", "code", "line", "message"),
}


@pytest.fixture(autouse=True)
def _scan_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clean_contents, "_ENOUGH_BYTES", 0)


def by_grammar(contents: Sequence[Content | Damage]) -> ImportBatch:
    return build_batch(SCHEMAS, read_and_check(contents))


def read(contents: Sequence[Content | Damage]) -> ImportBatch:
    return read_batch(SCHEMAS, None, contents)


def require_equal(found: ImportBatch, expected: ImportBatch) -> None:
    assert found.records == expected.records
    assert found.skipped == expected.skipped
    for name, columns in ORDERS.items():
        order = [(column, "ascending") for column in columns]
        one, other = getattr(found, name), getattr(expected, name)
        assert one.sort_by(order).select(other.column_names).equals(other.sort_by(order)), name


def count_clean(contents: Sequence[Content | Damage]) -> int:
    return sum(record is not None for record in clean_contents.find_clean_records(contents))


def test_changed_records_get_the_same_rows_in_both_ways() -> None:
    contents = [*mutants(120, seed=11)]
    assert 20 < count_clean(contents) < 100
    require_equal(read(contents), by_grammar(contents))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12, 32))
def test_more_changed_records_get_the_same_rows_in_both_ways(seed: int) -> None:
    contents = [*mutants(5_000, seed)]
    require_equal(read(contents), by_grammar(contents))


def test_the_samples_get_the_same_rows_in_both_ways() -> None:
    contents = [*read_contents(list_places(find_files([*DATA.glob("server-*.zip")])))]
    require_equal(read(contents), by_grammar(contents))


def test_stated_letters_are_read_by_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "find_clean_records", lambda _: pytest.fail("it is called"))
    read_batch(SCHEMAS, "it", [*mutants(5, seed=1)])


def test_a_failure_on_arrays_leaves_the_games_to_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no idea")

    contents = [*mutants(40, seed=4)]
    assert count_clean(contents)
    monkeypatch.setattr(batch, "build_clean_tables", fail)
    require_equal(read(contents), by_grammar(contents))


def test_properties_that_are_columns_and_repeated_ones_give_the_same_tags() -> None:
    more = b"GM[22] VV[1] VV[2] Date[2001.01.01] Flags[odd] P0[time 5]"
    texts = [text.replace(b"GM[22]", more, 1) for text in seeds()]
    contents = [Content(Place("archive.zip", f"{number}/{NAMES[0]}"), text) for number, text in enumerate(texts)]
    assert count_clean(contents) > 5
    found = read(contents)
    require_equal(found, by_grammar(contents))
    names = found.tags["name"].to_pylist()
    assert names.count("VV") == 3 * len(seeds()) and "Flags" in names and "Date" not in names


def test_a_comparison_that_fails_leaves_the_records_to_the_grammar(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no idea")

    contents = [*mutants(40, seed=4)]
    monkeypatch.setattr(clean_contents, "SAMPLE_STEP", 5)
    monkeypatch.setattr(batch, "has_equal_rows", fail)
    require_equal(read(contents), by_grammar(contents))
    assert "other rows than the grammar" in caplog.text


def test_if_the_sample_has_other_rows_it_is_logged_and_the_grammar_counts(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def find_wrongly(contents: Sequence[Content | Damage]) -> list[CleanRecord | None]:
        found = clean_contents.find_clean_records(contents)
        return [record and record._replace(player1="Nobody") for record in found]

    contents = [*mutants(40, seed=4)]
    monkeypatch.setattr(clean_contents, "SAMPLE_STEP", 5)
    monkeypatch.setattr(batch, "find_clean_records", find_wrongly)
    with caplog.at_level(logging.ERROR, faults.LOGGER):
        require_equal(read(contents), by_grammar(contents))
    assert "other rows than the grammar" in caplog.text
