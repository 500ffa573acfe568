"""Run an import that was started on a page. It continues after the next click, unlike a run of a page."""

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

    replace: withdraw stored records of earlier files of these names that the files no longer hold. seen: the tally so far, None
    at the start. tally: the tally at the end. failure: the error message if there is no tally.
    """

    def __init__(self, files: Sequence[tuple[str, bytes]], folder: Path, replace: bool = False) -> None:
        self.seen: Tally | None = None
        self.tally: Tally | None = None
        self.failure = ""
        self._files, self._folder, self._replace = files, folder, replace
        self._is_done = Event()
        Thread(target=self._run, daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most this long; return whether it has come."""
        return self._is_done.wait(seconds)

    def _run(self) -> None:
        try:
            with write_uploads(self._files) as names:
                self.tally = import_paths(names, self._folder, self._watch, called=names, replace=self._replace)
        except ZertzError as error:
            self.failure = str(error)
        except Exception as error:
            logging.getLogger(__name__).exception("an import failed")
            self.failure = (
                f"The import failed ({type(error).__name__}). "
                "The terminal where the dashboard was started has the details."
            )
        finally:
            self._files = ()
            self._is_done.set()

    def _watch(self, tally: Tally) -> None:
        self.seen = tally
