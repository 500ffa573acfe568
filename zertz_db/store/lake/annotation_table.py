"""Annotations in a lake: the text files of a folder are rows of a table, so all machines see the same.

They change with the transactions of the lake. Readers and writers unpack them into a temporary folder.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

CREATE = "CREATE TABLE _words (file VARCHAR, text VARCHAR); COMMENT ON TABLE _words IS 'annotations, as text files'"


Texts = dict[str, str]
"""The text of each file."""


def unpack(connection: duckdb.DuckDBPyConnection, folder: Path) -> Texts:
    """Write the files of a lake to a folder, each at once, and remove all others there. Return their texts."""
    rows = connection.execute("FROM _words").fetchall()
    texts: Texts = {file: text for file, text in rows if _is_plain(file) and text is not None}
    for file, text in texts.items():
        new = folder / f"{file}.new"
        new.write_text(text, "utf-8", newline="")
        new.replace(folder / file)
    for path in folder.iterdir():
        if path.name not in texts:
            path.unlink()
    return texts


def _is_plain(file: object) -> bool:
    """Return whether this is a plain file name, which can't lead out of the folder."""
    return isinstance(file, str) and file == Path(file).name and file not in ("", ".", "..")


def pack(connection: duckdb.DuckDBPyConnection, folder: Path, before: Texts) -> None:
    """Store the files of a folder in a lake. before: the lake's texts."""
    now = {path.name: path.read_bytes().decode() for path in folder.iterdir()}
    for file in before.keys() | now.keys():
        if now.get(file) != before.get(file):
            connection.execute("DELETE FROM _words WHERE file = ?", [file])
            if file in now:
                connection.execute("INSERT INTO _words VALUES (?, ?)", [file, now[file]])
