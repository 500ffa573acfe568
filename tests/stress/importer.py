"""The command `zertz import` in small batches, with its progress on standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zertz_db.cli import main as command
from zertz_db.cli.commands import import_ as import_command
from zertz_db.ingest import import_paths as import_module
from zertz_db.ingest import worker_pool
from zertz_db.ingest.sources import discover
from zertz_db.ingest.tally import TallyCallback
from zertz_db.store.folder import tails
from zertz_db.store.loading import compaction
from zertz_db.store.ratings import stored_ratings


def main(lot_bytes: int, as_tail: bool, arguments: list[str]) -> None:
    """Run it; print "begun" once Ctrl-C has its message. as_tail: publish changes of any size as a tail, in a database of any size."""
    discover.BATCH_BYTES = lot_bytes
    worker_pool.MIN_PARALLEL_BYTES = 0
    import_paths, stop_on_signal = import_module.import_paths, import_command.stop_on_signal

    def telling(paths: Any, folder: Any, watch: TallyCallback, *others: Any, **named: Any) -> Any:
        def tell(balance: Any) -> None:
            print("done", balance.done, flush=True)
            watch(balance)

        return import_paths(paths, folder, tell, *others, **named)

    @contextmanager
    def telling_begin(last_words: Any) -> Iterator[None]:
        with stop_on_signal(last_words):
            print("begun", flush=True)
            yield

    import_module.import_paths, import_command.stop_on_signal = telling, telling_begin
    sys.argv = ["zertz", *arguments]
    with publishing_tails(as_tail):
        command.main()


@contextmanager
def publishing_tails(is_wanted: bool) -> Iterator[None]:
    """Publish each change in the block as a tail, if wanted, and read its games early, as in large databases."""
    before = tails.MIN_FILE, tails.MAX_LOG, compaction.MAX_UNSORTED, stored_ratings.WORTH_LOADING
    if is_wanted:
        tails.MIN_FILE, tails.MAX_LOG, compaction.MAX_UNSORTED, stored_ratings.WORTH_LOADING = 0, 1 << 30, 1, 0
    try:
        yield
    finally:
        tails.MIN_FILE, tails.MAX_LOG, compaction.MAX_UNSORTED, stored_ratings.WORTH_LOADING = before
