"""The terms between the supervisor and its worker: the settings that the worker gets, and the messages that it sends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zertz_db.api.guards.limits import Limits

ALIVE = "alive"
"""The heartbeat of a process that serves."""
STUCK = "stuck"
"""The message that a question does not end."""
HEARTBEAT_SECONDS = 1
"""Seconds between two heartbeats."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the worker process. jobs: the address of the import jobs (None: imports are off)."""

    folder: Path
    token: str | None
    hosts: tuple[str, ...]
    limits: Limits
    jobs: str | None
