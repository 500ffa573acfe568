"""Errors of zertz-db: one base and three children, by who can fix the cause.

Every message names the cause and the remedy. A faulty record raises nothing: its findings are data.
"""

from __future__ import annotations


class ZertzError(Exception):
    """The base of every error that zertz-db raises on purpose."""


class UserMistake(ZertzError, ValueError):
    """A request can't be met: an unknown name, a contradiction, a wrong value."""


class BrokenEnvironment(ZertzError):
    """Something outside zertz-db is missing, damaged, taken or full."""


class InternalFault(ZertzError):
    """zertz-db is at fault. Please report it."""
