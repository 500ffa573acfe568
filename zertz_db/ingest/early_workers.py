"""Start the workers of a first import early: they load what they need while this process loads the store, which has threads.

A later import waits until the database says which files are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from zertz_db.ingest.sources.discover import have_bytes
from zertz_db.ingest.worker_pool import MIN_PARALLEL_BYTES, count_cores


@contextmanager
def start_for_first_import(paths: Sequence[str], database: Path) -> Iterator[None]:
    """Start workers before the block if it imports many bytes into a new database, and end them after it if they are not used."""
    workers = count_cores() - 1
    if workers < 1 or database.exists() or not _are_large(paths):
        yield
        return
    from zertz_db.ingest.worker_processes import start_early  # `multiprocessing` takes 15 ms

    with start_early(workers, load_readers):
        yield


def load_readers() -> None:
    """Load what reading a batch needs. Raise CompilerMissing without numba."""
    from zertz_db.ingest.plain_games.clean_records import load_compiled_functions
    from zertz_db.ingest.records.batch import BATCH_TABLES, import_batch
    from zertz_db.store.schema.table_columns import arrow_schemas

    import_batch(arrow_schemas(*BATCH_TABLES), None, [])
    load_compiled_functions()


def _are_large(paths: Sequence[str]) -> bool:
    """Return whether the files are worth other processes. The import itself reports those that can't be read."""
    try:
        return have_bytes(paths, MIN_PARALLEL_BYTES)
    except OSError:
        return False
