"""A slow database of plain Python lists: the expected result of imports, undo and replacement, record by record."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

Text = tuple[str, ...]
"""The records of a text: names of games, and of rejected records, which begin with an exclamation mark."""
Archive = tuple[tuple[str, Text], ...]
"""The members of an archive with their records."""
Content = Text | Archive


class Source(NamedTuple):
    path: str
    content: Content


@dataclass
class Row:
    run: int
    source: Source
    member: str
    number: int
    record: str
    status: str = ""

    @property
    def is_rejected(self) -> bool:
        return self.record.startswith("!")

    @property
    def rank(self) -> tuple[int, str, str, int]:
        return self.run, self.source.path, self.member, self.number


class Answer(NamedTuple):
    """stored, duplicate, rejected; the number of the import; the records missing from their files, and those withdrawn."""

    numbers: tuple[int, int, int]
    run: int | None
    missing: list[tuple[str, str, int]]
    withdrawn: int | None


@dataclass
class Oracle:
    rows: list[Row] = field(default_factory=list)
    sources: dict[Source, int] = field(default_factory=dict)
    """The files that are known in full, with the imports that read them."""
    revisits: set[tuple[int, Source]] = field(default_factory=set)
    runs: dict[int, bool] = field(default_factory=dict)
    """Whether each import is undone."""

    def import_files(self, files: list[Source], *, replace: bool) -> Answer | None:
        """Return the tally of an import, or None if there is nothing to import."""
        run = max(self.runs, default=0) + 1
        known = [source for source in files if source in self.sources]
        fresh = [source for source in files if source not in self.sources]
        before = [*self.rows], dict(self.sources), {*self.revisits}
        for source in fresh:
            self._forget([row for row in self.rows if row.source == source])
            self.revisits = {(one, other) for one, other in self.revisits if other != source}
        for source in fresh:
            self.sources[source] = run
            self._read(run, source)
        self.revisits |= {(run, source) for source in known}
        missing = self._missing(files)
        withdrawn = None
        if replace and missing:
            withdrawn = len(missing)
            self._forget(missing)
            for source in {row.source for row in missing}:
                self.sources.pop(source)
        named = sorted((row.source.path, row.member, row.number) for row in missing)
        numbers = self.numbers(run)
        if withdrawn is None and (not fresh or not sum(numbers)):
            self.rows, self.sources, self.revisits = before
            return Answer(numbers, None, named, None) if sum(numbers) or missing else None
        self.runs[run] = False
        return Answer(numbers, run, named, withdrawn)

    def _read(self, run: int, source: Source) -> None:
        for member, number, record in records_in(source.content):
            row = Row(run, source, member, number, record)
            games = {one.record for one in self.rows}
            row.status = "rejected" if row.is_rejected else "duplicate" if record in games else "stored"
            self.rows.append(row)

    def _missing(self, files: list[Source]) -> list[Row]:
        now = {source.path: {record for *_, record in records_in(source.content)} for source in files}
        return [
            row
            for row in self.rows
            if row.source.path in now and row.source not in files and row.record not in now[row.source.path]
        ]

    def _forget(self, gone: list[Row]) -> None:
        """Remove rows; the next record of a game that loses its first one becomes the first."""
        self.rows = [row for row in self.rows if row not in gone]
        for game in {row.record for row in gone if row.status == "stored"}:
            left = [row for row in self.rows if row.record == game]
            if left:
                min(left, key=lambda row: row.rank).status = "stored"

    def undo(self, run: int) -> None:
        self.runs[run] = True
        self._forget([row for row in self.rows if row.run == run])
        self.sources = {source: by for source, by in self.sources.items() if by != run}
        self.revisits = {(one, source) for one, source in self.revisits if one != run and source in self.sources}

    def numbers(self, run: int | None = None) -> tuple[int, int, int]:
        """Return stored, duplicate and rejected records of an import, or of the whole database."""
        found = Counter(row.status for row in self.rows if run in (None, row.run))
        for row in self.rows:
            if (run, row.source) in self.revisits:
                found["rejected" if row.is_rejected else "duplicate"] += 1
        return found["stored"], found["duplicate"], found["rejected"]


def records_in(content: Content) -> list[tuple[str, int, str]]:
    """The records of a file: member, number, name."""
    if content and isinstance(content[0], tuple):
        return [(name, number, record) for name, text in content for number, record in enumerate(text)]  # type: ignore[misc]
    return [("", number, str(record)) for number, record in enumerate(content)]
