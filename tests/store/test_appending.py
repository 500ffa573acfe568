"""What people say is written whole, or not at all."""

import errno
import os
from pathlib import Path

import pytest

from zertz_db.store.appending import append


@pytest.mark.parametrize(
    ("before", "after"), [(None, "é\n"), ("", "é\n"), ("a\n", "a\né\n"), ("a", "a\né\n"), ("a\r\n", "a\r\né\n")]
)
def test_lines_come_behind_what_is_there(tmp_path: Path, before: str | None, after: str) -> None:
    path = tmp_path / "said"
    if before is not None:
        path.write_bytes(before.encode())
    append(path, "é\n")
    assert path.read_bytes() == after.encode()


def test_where_there_is_no_room_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "said"
    append(path, "a\n")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch, pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        patch.setattr(os, "fsync", full)
        append(path, "b\n")
    append(path, "c\n")
    assert path.read_text() == "a\nc\n"
