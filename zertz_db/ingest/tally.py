"""What an import says of itself, while it runs and at its end."""

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
    """What became of the records: `read` = stored + duplicate + rejected."""

    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """How many were rejected for which finding."""
    verdicts: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    """Files in folders and archives that are no records."""
    run: int | None = None
    """The number of the import in the database; None if it changed nothing, or has not ended."""
    places: int = 0
    """Files and members of archives that are new to the database."""
    done: int = 0
    """How many of them are done, those included that an import did before it was stopped and this one went on."""

    missing: list[MissingRecord] = field(default_factory=list)
    """Stored records of earlier versions of the files, which these no longer hold."""
    withdrawn: WithdrawalTally | None = None
    """What of them was withdrawn; None if nothing was."""

    @property
    def read(self) -> int:
        """All records."""
        return self.stored + self.duplicate + self.rejected

    def recount(self, counts: Iterable[tuple[str, str | None, str, int]]) -> None:
        """Count the records again, from the beginning; arguments as for `add`."""
        self.stored = self.duplicate = self.rejected = 0
        self.reasons.clear()
        self.verdicts.clear()
        self.add(counts)

    def add(self, counts: Iterable[tuple[str, str | None, str, int]]) -> None:
        """Count records: what became of them, for which finding, their verdict, how many."""
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
"""Is shown the balance whenever it has changed."""
