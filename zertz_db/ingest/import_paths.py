"""Import files, folders and archives: check every record and store it in a database, without any loss.

Each record is stored (it adds a game), a duplicate (its game is known) or rejected (it has no legal game), and its bytes are stored. A
file that the same readers have read before with the same bytes is not read again: its records count with their known status. A copy of
it under another path is read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

from zertz_db.ingest.sources.discover import find_files
from zertz_db.ingest.sources.place import ReadRequest
from zertz_db.ingest.stored.known_sources import ImportRequest, hold_open, identify_files, tally_known_import
from zertz_db.ingest.tally import Tally, TallyCallback
from zertz_db.parser.text.colour_letters import require_language
from zertz_db.store.backend import Backend, find_backend
from zertz_db.store.errors import StoreError
from zertz_db.store.folder import generations
from zertz_db.store.folder.backend import FolderBackend
from zertz_db.store.folder.build import remove_leftovers
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.lake.backend import LakeBackend


def import_paths(
    paths: Iterable[str | Path],
    folder: str | Path,
    watch: TallyCallback = lambda _: None,
    wait: Wait = NO_WAIT,
    cluster: str | None = None,
    called: Mapping[str, str] | None = None,
    letters: str | None = None,
    replace: bool = False,
) -> Tally:
    """Import everything below the paths into the database `folder` (or a lake), created if missing; return the tally.

    All cores of this machine share the work, or the workers of a Dask `cluster` (address: see `run_on_cluster`). `called` has other names
    for paths, under which the database stores files. `letters` is the language of the colour letters (a key of
    `zertz_db.parser.text.colour_letters.LANGUAGES`); None detects it. A file that was read with other letters is read again, and the
    statement holds for later imports until the next one.

    The tally lists the records of earlier versions of the files that are missing now (`missing`). `replace` withdraws these in the
    same transaction: see `withdraw`.

    Raise SourceError for a path that can't be read, ClusterUnavailable, LockHeld if another import still runs after the wait, DiskFull,
    WorkerDied, and ValueError for an unknown language. In any case the database is unchanged or complete, and a repeated import resumes a
    stopped one.
    """
    if letters is not None:
        require_language(letters)
    reading = ReadRequest([str(path) for path in paths], called or {})
    files, sources = identify_files(find_files(reading.paths), reading)
    stated = dict.fromkeys(sources, letters) if letters else {}
    request = ImportRequest(files, sources, stated, reading, Path(folder), watch, wait, cluster, replace)
    return _IMPORTERS[type(find_backend(folder))](request)


def _import_to_folder(request: ImportRequest) -> Tally:
    with _loading_importer(request.folder), hold_open(request.folder, request.wait):
        tally = tally_known_import(request.folder, request.sources, request.stated)
        if tally is None or (request.replace and tally.missing):
            # It needs Arrow: 0.3 s, which an import of known files does not take.
            from zertz_db.ingest.importer import import_files

            tally = import_files(request)
        else:
            remove_leftovers(request.folder)
    return tally


@contextmanager
def _loading_importer(folder: Path) -> Iterator[None]:
    """Load the importer in a thread during the block if the live file has a tail, which DuckDB reads meanwhile: both take 0.1 s."""
    thread = Thread(target=_load_importer)
    with suppress(StoreError):
        live = generations.live_generation(folder)
        if live and live.has_tail and _IMPORTER not in sys.modules:
            thread.start()
    try:
        yield
    finally:
        if thread.ident:
            thread.join()


_IMPORTER = "zertz_db.ingest.importer"


def _load_importer() -> None:
    with suppress(Exception):  # the import that needs it raises it again
        import zertz_db.ingest.importer  # noqa: F401 - in a thread: see above


def _import_to_lake(request: ImportRequest) -> Tally:
    from zertz_db.ingest.import_into_lake import import_to_lake  # needs Arrow: see above

    return import_to_lake(request)


_IMPORTERS: Mapping[type[Backend], Callable[[ImportRequest], Tally]] = {
    FolderBackend: _import_to_folder,
    LakeBackend: _import_to_lake,
}
