"""Every path is a sighting, every count agrees: random files with random copies against a slow oracle."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st

from tests.ingest.databases import ask
from tests.ingest.oracle import Answer, Archive, Content, Oracle, Source, Text
from tests.ingest.test_import_paths import game
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.records import known_ids
from zertz_db.ingest.sources import discover
from zertz_db.ingest.sources.place import SourceError
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.queries.database_info import list_imports, list_reasons, list_rejects, summarise
from zertz_db.store.open_database import open_database


@pytest.fixture(autouse=True)
def _many_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each place be a batch, and each batch know which ids may be stored."""
    monkeypatch.setattr(discover, "BATCH_BYTES", 1)
    monkeypatch.setattr(known_ids, "_BATCHES_WITHOUT", 0)


GAMES = ("Ada", "Ben", "Cem", "Dan")
REJECTS = ("!a2", "!b1")
TEXTS = ("one.txt", "two.txt")
ARCHIVES = ("one.zip", "two.zip")
MEMBERS = ("m.txt", "n.txt")

texts: st.SearchStrategy[Text] = st.lists(st.sampled_from(GAMES + REJECTS), min_size=1, max_size=4).map(tuple)
archives: st.SearchStrategy[Archive] = st.lists(
    st.tuples(st.sampled_from(MEMBERS), texts), min_size=1, max_size=2, unique_by=lambda it: it[0]
).map(tuple)
folders = st.fixed_dictionaries({}, optional={**dict.fromkeys(TEXTS, texts), **dict.fromkeys(ARCHIVES, archives)})
steps = st.one_of(
    st.tuples(st.just("import"), folders.filter(bool), st.booleans()),
    st.tuples(st.just("import"), folders.filter(bool), st.booleans()),
    st.tuples(st.just("copy"), st.sampled_from(TEXTS + ARCHIVES), st.sampled_from(TEXTS + ARCHIVES)),
    st.tuples(st.just("undo"), st.integers(1, 4)),
    st.just(("recheck",)),
)


def text_of(content: Text) -> str:
    return "\n".join(
        f'[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. W{record[1:]},c1\n' if record.startswith("!") else game(first=record)
        for record in content
    )


def write(path: Path, content: Content) -> None:
    if path.suffix == ".txt":
        path.write_text(text_of(content))  # type: ignore[arg-type]
        return
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in content:
            archive.writestr(zipfile.ZipInfo(str(name)), text_of(text))  # type: ignore[arg-type]


class Both:
    """A database and the oracle, with the same files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.db = folder / "db"
        self.oracle = Oracle()
        self.files: dict[str, Content] = {}

    def import_(self, contents: dict[str, Content], replace: bool) -> None:
        for name, content in contents.items():
            self.files[name] = content
            write(self.folder / name, content)
        self.import_files([*contents], replace=replace)

    def copy(self, name: str, other: str) -> None:
        """Import a file, and another with the same bytes."""
        if name in self.files and Path(name).suffix == Path(other).suffix:
            self.import_({other: self.files[name], name: self.files[name]}, replace=False)

    def import_files(self, names: list[str], *, replace: bool) -> None:
        files = [Source(str(self.folder / name), self.files[name]) for name in names]
        expected = self.oracle.import_files(files, replace=replace)
        try:
            balance = import_paths([one.path for one in files], self.db, replace=replace)
        except SourceError:
            assert expected is None
            return
        found = Answer(
            (balance.stored, balance.duplicate, balance.rejected),
            balance.run,
            sorted((one.path, one.member, one.number) for one in balance.missing),
            balance.withdrawn and balance.withdrawn.records,
        )
        assert found == expected
        event("withdrawn" if balance.withdrawn else "missing" if balance.missing else "imported")

    def undo(self, run: int) -> None:
        if self.oracle.runs.get(run) is False:
            self.oracle.undo(run)
            undo(self.db, run)
            event("undone")

    def recheck(self) -> None:
        if self.oracle.runs:
            assert recheck_database(self.db) == []

    def compare(self) -> None:
        oracle = self.oracle
        if not oracle.runs:
            return
        with open_database(self.db) as database:
            held = dict(summarise(database).records.rows)
            assert tuple(held.get(one, 0) for one in ("stored", "duplicate", "rejected")) == oracle.numbers()
            for row in list_imports(database).dicts():
                if not row["undone"]:
                    numbers = row["stored"], row["duplicate"], row["rejected"]
                    assert (row["run"], numbers) == (row["run"], oracle.numbers(row["run"]))
                    assert row["records"] == sum(numbers)
                    assert len(list_rejects(database, row["run"]).rows) == numbers[2]
                    assert sum(one["records"] for one in list_reasons(database, row["run"]).dicts()) == numbers[2]
        sightings = sorted(
            ask(self.db, "SELECT path, member, r.index, run, status FROM records r JOIN sources s ON s.id = r.source")
        )
        assert sightings == sorted(
            (row.source.path, row.member, row.number, row.run, row.status) for row in oracle.rows
        )
        games = {name for (name,) in ask(self.db, "SELECT player1 FROM games")}
        assert games == {row.record for row in oracle.rows if not row.is_rejected}
        assert examine(self.db, sample=0).problems == ()


@settings(
    deadline=None,
    max_examples=15,
    phases=[
        Phase.explicit,
        Phase.reuse,
        Phase.generate,
    ],  # each example takes seconds: shrinking one would take many minutes
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(steps, min_size=2, max_size=5))
@pytest.mark.long
def test_counts_agree_with_an_oracle(done: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        both = Both(Path(folder))
        for name, *values in done:
            {"import": both.import_, "copy": both.copy, "undo": both.undo, "recheck": both.recheck}[str(name)](*values)  # type: ignore[operator]
            both.compare()
