"""The tally of an import, while it runs and at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zertz_db.ingest.records.read_records import Skipped
    from zertz_db.ingest.stored.file_versions import MissingRecord
    from zertz_db.ingest.stored.withdraw_records import WithdrawalTally


@dataclass
class Tally:
    """Counts of records: `read` = stored + duplicate + rejected."""

    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Number of rejected records by the code of the finding."""
    verdicts: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    """Files in folders and archives that are not records."""
    run: int | None = None
    """The number of the import in the database; None if it changed nothing, or has not ended."""
    places: int = 0
    """Number of files and members of archives that are new to the database."""
    done: int = 0
    """Number of places that are done, also by the stopped import that this one resumed."""

    resumed: int = 0
    """Number of records that the stopped import, which this one resumed, had done."""

    missing: list[MissingRecord] = field(default_factory=list)
    """Stored records of earlier versions of the files that are missing from them now."""
    withdrawn: WithdrawalTally | None = None
    """Counts of the missing records that were withdrawn; None if none were."""

    @property
    def read(self) -> int:
        """Return the number of all records."""
        return self.stored + self.duplicate + self.rejected

    def recount(self, counts: Iterable[tuple[str, str | None, str, int]]) -> None:
        """Count the records again from zero; arguments as for `add`."""
        self.stored = self.duplicate = self.rejected = 0
        self.reasons.clear()
        self.verdicts.clear()
        self.add(counts)

    def add(self, counts: Iterable[tuple[str, str | None, str, int]]) -> None:
        """Add counts of records: status, code of the finding, verdict, number."""
        for status, reason, verdict, count in counts:
            self.verdicts[verdict] += count
            if status == "stored":
                self.stored += count
            elif status == "duplicate":
                self.duplicate += count
            else:
                self.rejected += count
                self.reasons[reason or ""] += count


TallyCallback = Callable[[Tally], None]
"""A function that is called with the tally after every change."""
