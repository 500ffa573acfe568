"""One value in memory for the live state of a database that is asked again and again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Generic, TypeVar

from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database

Value = TypeVar("Value")


class GenerationCache(Generic[Value]):
    """The value of the last state that was asked often: a generation with its annotations.

    kept: that value by its state; None if the database is too large for one. building: held by the thread that counts a question, or
    makes the value.
    """

    def __init__(self, make: Callable[[Database], Value | None]) -> None:
        """make: makes the value; None for a database that is too large."""
        self._make = make
        self._questions: dict[object, int] = {}
        self.kept: dict[object, Value | None] = {}
        self.building = Lock()

    def get(self, database: Database, direct: int) -> Value | None:
        """Return the value; None for the first questions to a state, for a large database, and while another thread makes the value.

        direct: number of questions to a state without the value.
        """
        state = database.folder, database.generation, overlay.fingerprint(database.annotations_dir)
        with suppress(KeyError):  # another thread may clear them
            return self.kept[state]
        if not self.building.acquire(blocking=False):
            return None
        try:
            if state not in self._questions:
                self._questions.clear()
            self._questions[state] = self._questions.get(state, 0) + 1
            if self._questions[state] <= direct:
                return None
            made = self._make(database)
            self.kept.clear()
            self.kept[state] = made
            return made
        finally:
            self.building.release()
