"""Estimate how difficult a puzzle is before anybody has tried it."""

from __future__ import annotations


def estimate_difficulty(length: int, legal_moves: int, sacrifices: int, has_isolation: bool) -> int:
    return 1500
