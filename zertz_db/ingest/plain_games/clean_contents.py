"""Choose the contents of a batch that need no reading by the grammar, and the few of them that are read by it all the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from parser.dialects import DIALECTS
from parser.record import Remark
from zertz_db.errors import InternalFault
from zertz_db.ingest.sources.place import Content, Damage
from zertz_db.rules import compiled

Remarks: TypeAlias = tuple[Remark, ...]

_DIALECT = "boardspace"
_ENDINGS = next(dialect.endings for dialect in DIALECTS if dialect.name == _DIALECT)
"""Suffixes of file names with which a text is read in this dialect, if it matches several."""
_ENOUGH_BYTES = 200_000
"""Number of bytes from which loading the compiled functions (half a second) saves time."""
_SAMPLE_STEP = 500
"""One of this number of clean games is read by the grammar too."""


class ScannerDisagrees(InternalFault):
    """A game that the scanner found clean is not, by the grammar."""


def find_clean_contents(contents: Sequence[Content | Damage], dialect: str | None) -> list[Remarks | None]:
    """Return for each content that is certainly one verified record its only remarks, None for all others.

    Without the compiled functions all are None.
    """
    clean: list[Remarks | None] = [None] * len(contents)
    if dialect not in (None, _DIALECT) or not _is_worth_loading(sum(len(content.data) for content in contents)):
        return clean
    able = [number for number, content in enumerate(contents) if _is_candidate(content, dialect)]
    texts = [bytes(contents[number].data) for number in able]
    if not _is_worth_loading(sum(map(len, texts))):
        return clean
    try:
        from zertz_db.ingest.plain_games.clean_games import find_clean_games

        found = find_clean_games(
            texts, [contents[number].place.member or contents[number].place.path for number in able]
        )
    except compiled.CompilerMissing:
        return clean
    except Exception as error:  # noqa: BLE001 - numba compiles and loads on the first call; whatever fails there
        _remember_failure(f"{type(error).__name__}: {error}")
        return clean
    for number, remarks in zip(able, found, strict=True):
        clean[number] = remarks
    return clean


def pick_sample(contents: Sequence[Content | Damage], clean: Sequence[Remarks | None]) -> set[int]:
    """Return the indices of the clean contents that the grammar must confirm: others for other bytes, the same in every run."""
    numbers = [number for number, remarks in enumerate(clean) if remarks is not None]
    first = sum(len(content.data) for content in contents) % _SAMPLE_STEP
    return set(numbers[first::_SAMPLE_STEP])


def _is_worth_loading(size: int) -> bool:
    return compiled.is_loaded() or size >= _ENOUGH_BYTES


def _is_candidate(content: Content | Damage, dialect: str | None) -> bool:
    from parser.boardspace import scan

    place = content.place
    return (
        isinstance(content, Content)
        and isinstance(content.data, bytes)
        and len(content.data) <= scan.MAX_GAME_BYTES
        and content.encoding is None
        and not place.remark
        and (dialect is not None or (place.member or place.path).lower().endswith(_ENDINGS))
    )


@cache
def _remember_failure(cause: str) -> None:
    logging.getLogger(__name__).warning(
        "the scanner of plain games fails (%s): all games are read by the grammar, slower", cause
    )
