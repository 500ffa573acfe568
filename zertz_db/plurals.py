"""Format numbers with their nouns."""

from __future__ import annotations


def format_count(count: int, noun: str, several: str | None = None) -> str:
    """Return a number with its noun, in the singular or plural.

    >>> format_count(1, "record"), format_count(2000, "record"), format_count(0, "ply", "plies")
    ('1 record', '2,000 records', '0 plies')
    """
    return f"{count:,} {noun if count == 1 else several or f'{noun}s'}"
