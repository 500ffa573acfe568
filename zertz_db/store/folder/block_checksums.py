"""Compare the blocks of a DuckDB file with their checksums, without DuckDB.

DuckDB can crash on damaged blocks, and compares only those that it reads: no index, if it reads tables. A file has three headers of 4 KB
and then blocks of 256 KB. Each block begins with the checksum of its other bytes. Source: `SingleFileBlockManager` and `Checksum` in
DuckDB's code.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

HEADERS = 3 * 4096
"""Bytes before the first block."""
BLOCK = 1 << 18
"""Bytes of a block."""
_WORDS = BLOCK // 8
_AT_ONCE = 64
"""Number of blocks to read at once."""
_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_START = np.uint64(5381)


def find_damaged_blocks(file: Path) -> list[int]:
    """Return the numbers of the blocks that differ from their checksums: none if all do, because the format is then unknown.

    Blocks that DuckDB does not use count too. Raise OSError.
    """
    damaged: list[int] = []
    count = 0
    with file.open("rb") as opened:
        opened.seek(HEADERS)
        while whole := (words := np.fromfile(opened, "<u8", _AT_ONCE * _WORDS)).size // _WORDS:
            blocks = words[: whole * _WORDS].reshape(whole, _WORDS)
            sums = np.bitwise_xor.reduce(blocks[:, 1:] * _FACTOR, axis=1) ^ _START
            damaged += (np.flatnonzero(sums != blocks[:, 0]) + count).tolist()
            count += whole
    return damaged if len(damaged) < count else []
