"""Errors of zertz-db: one base and three children, by who can do something about it.

Every message names the cause and the remedy. A wrong record raises nothing: its findings are data.
"""

from __future__ import annotations


class ZertzError(Exception):
    """Base of every error that zertz-db raises on purpose."""


class UserMistake(ZertzError, ValueError):
    """A request that can't be met: an unknown name, a contradiction, a wrong value."""


class BrokenEnvironment(ZertzError):
    """Something around zertz-db is missing, damaged, taken or full."""


class InternalFault(ZertzError):
    """A fault in zertz-db. Please report it."""
