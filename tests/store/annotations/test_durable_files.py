"""Annotations are written in full, or not at all."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.store.annotations.durable_files import append, replace
from zertz_db.store.errors import DiskFull


@pytest.mark.parametrize(
    ("before", "after"), [(None, "é\n"), ("", "é\n"), ("a\n", "a\né\n"), ("a", "a\né\n"), ("a\r\n", "a\r\né\n")]
)
def test_lines_are_appended(tmp_path: Path, before: str | None, after: str) -> None:
    path = tmp_path / "marks"
    if before is not None:
        path.write_bytes(before.encode())
    append(path, "é\n")
    assert path.read_bytes() == after.encode()


@pytest.mark.parametrize("write", [append, replace])
@pytest.mark.parametrize(
    ("number", "error", "words"),
    [
        (
            errno.ENOSPC,
            DiskFull,
            "No space left on the disk of .+marks; nothing was changed. Free some space and try again",
        ),
        (
            errno.EDQUOT,
            DiskFull,
            "No space left on the disk of .+marks; nothing was changed. Free some space and try again",
        ),
        (errno.EIO, OSError, f"{os.strerror(errno.EIO)}.+marks"),
    ],
)
def test_without_space_or_permission_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Path, str], None],
    number: int,
    error: type[Exception],
    words: str,
) -> None:
    path = tmp_path / "marks"
    append(path, "a\n")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch, pytest.raises(error, match=words):
        patch.setattr(os, "fsync", fail)
        write(path, "b\n")
    assert [*tmp_path.iterdir()] == [path]
    append(path, "c\n")
    assert path.read_text() == "a\nc\n"


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for text in ("a\nb\n", "é\r\n", ""):
        replace(tmp_path / "marks", text)
        assert (tmp_path / "marks").read_bytes() == text.encode()
    assert [*tmp_path.iterdir()] == [tmp_path / "marks"]
