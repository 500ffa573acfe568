"""Find the blocks of a DuckDB file that it does not use, without DuckDB.

After the first header of 4 KB two others take turns: the one with the greater number of its writing counts. It names the place of the list
of free blocks, among the metadata: a block has 64 parts, each with the place of the next part before its content. Source:
`SingleFileBlockManager`, `MetadataManager` and `DatabaseHeader` in DuckDB's code.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from zertz_db.store.folder.block_checksums import BLOCK, HEADERS

_HEADER_BYTES = 4096
_CHECKSUM_BYTES = 8
_PARTS = 64
_PART_BYTES = (BLOCK - _CHECKSUM_BYTES) // _PARTS // 8 * 8
_NONE = 2**64 - 1
"""The place of a list that does not exist, or goes on nowhere."""
_BLOCK_BITS = 56
"""The bits of a place that have the number of its block; the others have the number of its part."""


def find_free_blocks(file: Path) -> set[int] | None:
    """Return the numbers of the free blocks, None if the list can't be read. Raise OSError."""
    try:
        with file.open("rb") as opened:
            headers = [_read_header(opened, _HEADER_BYTES * number) for number in (1, 2)]
            _, place, count = max(headers)
            if HEADERS + BLOCK * count > file.stat().st_size:
                return None
            content = _read_list(opened, place, count)
        if not content:
            return set()
        [length] = struct.unpack_from("<Q", content)
        free = struct.unpack_from(f"<{length}q", content, 8)
    except (struct.error, ValueError, OverflowError, MemoryError):
        return None
    return {*free} if all(0 <= number < count for number in free) else None


def _read_header(opened: BinaryIO, begin: int) -> tuple[int, int, int]:
    """Return the number of a header's writing, the place of the list, and the number of blocks."""
    opened.seek(begin + _CHECKSUM_BYTES)
    iteration, _, free_list, blocks = struct.unpack("<4Q", opened.read(32))
    return iteration, free_list, blocks


def _read_list(opened: BinaryIO, place: int, blocks: int) -> bytes:
    """Return the content of the parts from a place on. blocks: of the file, whose parts can't be more."""
    content = b""
    for _ in range(_PARTS * blocks):
        if place == _NONE:
            break
        block, part = place & (1 << _BLOCK_BITS) - 1, place >> _BLOCK_BITS
        opened.seek(HEADERS + BLOCK * block + _CHECKSUM_BYTES + _PART_BYTES * part)
        some = opened.read(_PART_BYTES)
        [place] = struct.unpack_from("<Q", some)
        content += some[8:]
    return content
