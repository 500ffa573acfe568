"""The terms between the supervisor and its worker: the settings that the worker gets, and the messages that it sends."""

from __future__ import annotations

from ctypes import Array, c_int
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
    """Settings of a worker process.

    shared: the address of what the processes share: import jobs, and the processes that check and solve. free, connections:
    numbers of free places and of connections of each process, in shared memory. number: of this process among them.
    """

    folder: Path
    token: str | None
    hosts: tuple[str, ...]
    limits: Limits
    shared: str
    free: Array[c_int]
    connections: Array[c_int]
    number: int = 0
