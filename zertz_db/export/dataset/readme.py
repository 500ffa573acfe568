"""Describe a data set for its readers, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from zertz_db.export.dataset.dictionary import DictionaryRow
from zertz_db.plurals import format_count

LOADER = '''import numpy as np


def load(folder, board="37", split=0):
    """Return planes (vacant, white, grey, black), counts, side, move, score. split: 0 train, 1 validation, 2 test."""
    with np.load(f"{folder}/positions-{board}.npz") as file:
        data = {name: file[name] for name in file.files}
    rows = (data["split"][data["game"]] == split) & (data["score"] != -2)
    planes = np.stack([data["board"][rows] == content for content in range(1, 5)], axis=1).astype(np.float32)
    return planes, *(data[name][rows] for name in ("counts", "side", "move", "score"))
'''
"""The program `load_positions.py`."""
_ABOUT = {
    "README.md": "this page",
    "dataset.json": "versions, source, licence and counts, for programs",
    "dictionary.csv": "every column: type, unit, meaning",
    "rejects.csv": "rejected records of the database by reason",
    "load_positions.py": "reads the arrays",
    "LICENCE.txt": "the licence of the records",
    "SHA256SUMS": "checksums: `sha256sum -c SHA256SUMS`",
}


def describe_dataset(description: dict[str, Any], dictionary: Sequence[DictionaryRow]) -> str:
    """Return the page: how to cite the data set, its files, source, rejects and dictionary."""
    versions, source = description["versions"], description["source"]
    records = ", ".join(f"{count:,} {status}" for status, count in source["records"].items())
    rows = [(f"`{name}`", f"{count:,} rows") for name, count in description["rows"].items()]
    chosen = f"Filter: `{description['filter']}`" if description["filter"] else "All games of the database"
    parts = [
        f"# {description['title']}\n",
        f"Version {description['version']}. {chosen}. Licence: {description['licence']}.\n",
        f"Cite as: {description['title']}, data set {description['version']}, written by zertz-db {versions['zertz_db']} "
        f"(format {versions['format']}, schema {versions['schema']}).\n",
        "## Files\n",
        _table(("file", "contents"), [*rows, *((f"`{name}`", text) for name, text in _ABOUT.items())]),
        "## Source\n",
        f"Generation {source['generation']} of a database, created {source['created']} UTC. Its records: {records}; "
        f"from {format_count(source['files'], 'file')} in {format_count(source['imports'], 'import')}. "
        "A duplicate is another record of a stored game.\n",
    ]
    if description["games_with_redacted_players"]:
        games = format_count(description["games_with_redacted_players"], "game")
        parts.append(f"Ids that differ from the database's, because a player is redacted: {games}.\n")
    if description["rejects"]:
        rejected = [(row["code"], row["title"], f"{row['records']:,}") for row in description["rejects"]]
        parts += ["## Rejected records\n", _table(("code", "reason", "records"), rejected)]
    parts.append("## Dictionary\n")
    for file, columns in groupby(dictionary, lambda row: row.file):
        shown = [(f"`{row.name}`", row.type, row.unit, row.meaning.replace("|", "\\|")) for row in columns]
        parts.append(f"### {file}\n\n{_table(('column', 'type', 'unit', 'meaning'), shown)}")
    return "\n".join(parts)


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [names, ["---"] * len(names), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
