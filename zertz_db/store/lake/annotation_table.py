"""What people say, in a lake: the text files that lie beside a folder's generations are rows of a table, so that all machines see the same.

They come and go with the transactions of the lake. Whoever reads or writes them has them as files, for a while.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

CREATE = "CREATE TABLE _words (file VARCHAR, text VARCHAR); COMMENT ON TABLE _words IS 'what people say, as files'"


Texts = dict[str, str]
"""What each file says."""


def unpack(connection: duckdb.DuckDBPyConnection, folder: Path) -> Texts:
    """Let a folder have the files that a lake has, and no others; each is replaced at once. Returns what they say."""
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
    """Whether this can be a file's name in a folder, and leads nowhere else."""
    return isinstance(file, str) and file == Path(file).name and file not in ("", ".", "..")


def pack(connection: duckdb.DuckDBPyConnection, folder: Path, before: Texts) -> None:
    """Let a lake have the files of a folder; it has those that were there before."""
    now = {path.name: path.read_bytes().decode() for path in folder.iterdir()}
    for file in before.keys() | now.keys():
        if now.get(file) != before.get(file):
            connection.execute("DELETE FROM _words WHERE file = ?", [file])
            if file in now:
                connection.execute("INSERT INTO _words VALUES (?, ?)", [file, now[file]])
