"""Import: whatever lies below some paths, checked, into a database, with nothing lost.

Each record read is stored (it brought a game), a duplicate (its game was known) or rejected (it is no game), and its bytes are kept.
A file that was read before, with the same bytes and by the same readers, is not read again: its records count as what they are known
to be. A copy of it under another path is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from parser.text.colour_letters import require_language
from zertz_db.ingest.sources.discover import find_files
from zertz_db.ingest.sources.place import ReadRequest
from zertz_db.ingest.stored.known_sources import identify_files, tally_known_import
from zertz_db.ingest.tally import Tally, TallyCallback
from zertz_db.store.address import is_lake
from zertz_db.store.folder.lock import NO_WAIT, Wait


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
    """Import everything below the paths into the database `folder` (or a lake), which is made if it is not there.

    The work is shared out among the cores of this machine, or the workers of a Dask `cluster` (its address: see `cluster.run`).
    What the database calls a file is its path, or what `called` has for that. `letters` is whose colour letters the records have
    (a key of `parser.text.colour_letters.LANGUAGES`), None to have it told by them: a file that was read otherwise is then read again,
    and read so
    whenever that is done anew, until somebody says something else.

    The balance names the records of earlier versions of the files that these no longer hold (`missing`). With `replace` they are withdrawn,
    at once with the import: see `withdrawal.withdraw`.

    Raises SourceError for a path that can't be read, NoCluster, LockHeld while another import runs (after the wait), DiskFull, WorkerDied;
    whatever happens, the database is as before or has everything. The same import then goes on where this one stopped. ValueError for an
    unknown language.
    """
    if letters is not None:
        require_language(letters)
    asked = ReadRequest([str(path) for path in paths], called or {})
    files, sources = identify_files(find_files(asked.paths), asked)
    said = dict.fromkeys(sources, letters) if letters else {}
    if is_lake(Path(folder)):
        from zertz_db.ingest.import_into_lake import import_to_lake

        return import_to_lake(files, sources, said, asked, Path(folder), watch, wait, cluster, replace)
    balance = tally_known_import(Path(folder), sources, said)
    if balance is None or (replace and balance.missing):
        from zertz_db.ingest.importer import (
            import_files,  # readers, rules and tables: what is known has no need of them
        )

        balance = import_files(files, sources, said, asked, Path(folder), watch, wait, cluster, replace)
    return balance
