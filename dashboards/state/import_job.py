"""An import that was started on a page. It goes on whatever is clicked meanwhile: a run of a page ends with the next click."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread

from dashboards.state.uploads import write_uploads
from zertz_db import import_paths
from zertz_db.errors import ZertzError
from zertz_db.ingest.tally import Tally


class ImportJob:
    """The import of files (name, content) into a database, in a thread of its own.

    replace: withdraw stored records of earlier files of the same names that these no longer hold. seen: what was read so far, None
    before anything was. balance: the tally at the end. failure: why there is none, for people.
    """

    def __init__(self, files: Sequence[tuple[str, bytes]], folder: Path, replace: bool = False) -> None:
        self.seen: Tally | None = None
        self.balance: Tally | None = None
        self.failure = ""
        self._files, self._folder, self._replace = files, folder, replace
        self._is_done = Event()
        Thread(target=self._run, daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, for so long at most; return whether it has come."""
        return self._is_done.wait(seconds)

    def _run(self) -> None:
        try:
            with write_uploads(self._files) as called:
                self.balance = import_paths(called, self._folder, self._watch, called=called, replace=self._replace)
        except ZertzError as error:
            self.failure = str(error)
        except Exception as error:
            logging.getLogger(__name__).exception("an import failed")
            self.failure = (
                f"The import failed ({type(error).__name__}). "
                "What happened stands in the terminal where the dashboard was started."
            )
        finally:
            self._files = ()
            self._is_done.set()

    def _watch(self, balance: Tally) -> None:
        self.seen = balance
