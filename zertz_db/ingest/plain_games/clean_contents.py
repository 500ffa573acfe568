"""Choose the contents of a batch that need no reading by the grammar, and the few of them that are read by it all the same."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from zertz_db.errors import InternalFault
from zertz_db.ingest.sources.place import Content, Damage
from zertz_db.parser.dialects import DIALECTS
from zertz_db.parser.record import Remark
from zertz_db.rules import compiled

if TYPE_CHECKING:
    from zertz_db.ingest.plain_games.clean_records import CleanRecord

Remarks: TypeAlias = tuple[Remark, ...]
Found = TypeVar("Found")

_DIALECT = "boardspace"
_ENDINGS = next(dialect.endings for dialect in DIALECTS if dialect.name == _DIALECT)
"""Suffixes of file names with which a text is read in this dialect, if it matches several."""
_ENOUGH_BYTES = 200_000
"""Number of bytes from which loading the compiled functions saves time. If they are not stored yet, that takes half a minute."""
_MAX_HELD_BYTES = 16_000_000
"""Bytes of contents, as they are packed and unpacked, that are scanned together."""
SAMPLE_STEP = 500
"""One of this number of clean games is read by the grammar too."""


class ScannerDisagrees(InternalFault):
    """A game that the scanner found clean is not, by the grammar."""


def split_contents(contents: Iterable[Content | Damage]) -> Iterator[list[Content | Damage]]:
    """Yield the contents in parts that hold a bounded number of bytes: a member may have more than its archive states."""
    part: list[Content | Damage] = []
    held = 0
    for content in contents:
        part.append(content)
        held += len(content.data)
        if held >= _MAX_HELD_BYTES:
            yield part
            part, held = [], 0
    if part:
        yield part


def find_clean_contents(contents: Sequence[Content | Damage], dialect: str | None) -> list[Remarks | None]:
    """Return for each content that is certainly one verified record its only remarks, None for all others.

    Without the compiled functions all are None.
    """
    if dialect not in (None, _DIALECT):
        return [None] * len(contents)

    def find(able: list[Content]) -> list[Remarks | None]:
        from zertz_db.ingest.plain_games.clean_games import find_clean_games

        return find_clean_games(
            [content.data[:] for content in able], [content.place.member or content.place.path for content in able]
        )

    return _find(contents, dialect, find)


def find_clean_records(contents: Sequence[Content | Damage]) -> list[CleanRecord | None]:
    """Return each content that is certainly one verified record as such, None for all others.

    Without the compiled functions all are None.
    """

    def find(able: list[Content]) -> list[CleanRecord | None]:
        from zertz_db.ingest.plain_games import clean_records

        return clean_records.build_clean_records(able)

    return _find(contents, None, find)


def _find(
    contents: Sequence[Content | Damage], dialect: str | None, find: Callable[[list[Content]], Sequence[Found | None]]
) -> list[Found | None]:
    """Return what `find` finds for contents that may be clean, None for all others."""
    found: list[Found | None] = [None] * len(contents)
    if not is_worth_loading(sum(len(content.data) for content in contents)):
        return found
    from zertz_db.parser.boardspace.scan import MAX_GAME_BYTES  # few runs need it

    numbers, able = [], []
    for number, content in enumerate(contents):
        if isinstance(content, Content) and _is_candidate(content, dialect, MAX_GAME_BYTES):
            numbers.append(number)
            able.append(content)
    if not is_worth_loading(sum(len(content.data) for content in able)):
        return found
    try:
        some = find(able)
    except compiled.CompilerMissing:
        return found
    except Exception as error:  # noqa: BLE001 - numba compiles and loads on the first call; whatever fails there
        remember_failure(f"{type(error).__name__}: {error}")
        return found
    for number, one in zip(numbers, some, strict=True):
        found[number] = one
    return found


def pick_sample(contents: Sequence[Content | Damage], clean: Sequence[object]) -> set[int]:
    """Return the indices of the clean contents that the grammar must confirm: others for other bytes, the same in every run."""
    numbers = [number for number, remarks in enumerate(clean) if remarks is not None]
    first = sum(len(content.data) for content in contents) % SAMPLE_STEP
    return set(numbers[first::SAMPLE_STEP])


def is_worth_loading(size: int) -> bool:
    """Return whether a text of this many bytes justifies loading the compiled functions, or they are loaded already."""
    return compiled.is_loaded() or size >= _ENOUGH_BYTES


def _is_candidate(content: Content, dialect: str | None, max_bytes: int) -> bool:
    place = content.place
    return (
        isinstance(content.data, bytes)
        and len(content.data) <= max_bytes
        and content.encoding is None
        and not place.remark
        and (dialect is not None or (place.member or place.path).lower().endswith(_ENDINGS))
    )


@cache
def remember_failure(cause: str) -> None:
    """Warn, once for each cause, that a scanner fails."""
    logging.getLogger(__name__).warning(
        "the scanner of plain games fails (%s): all games are read by the grammar, slower", cause
    )
