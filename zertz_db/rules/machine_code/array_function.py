"""Functions over arrays that are compiled once: later processes load their machine code, without numba."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from zertz_db.rules.machine_code.arguments import Unsuited, list_numbers
from zertz_db.rules.machine_code.load import MachineCode

_DIGEST_BYTES = 32
_IS_SUPPORTED = sys.platform == "linux" and sys.maxsize > 1 << 32
"""The way in which arguments are passed has been tried there only."""


class ArrayFunction:
    """A function that takes arrays, integers and named tuples of them, and returns an integer or nothing.

    name: of its files. folder: where they are, which can be written. build: compiles it for arguments of some kinds, into an object file.
    get_compiled: returns the function as numba compiles and stores it, for what has no machine code of its own.
    """

    def __init__(
        self,
        name: str,
        folder: Path | None,
        build: Callable[[Sequence[Any]], bytes],
        get_compiled: Callable[[], Callable[..., Any]],
    ) -> None:
        self._name = name
        self._folder = folder if _IS_SUPPORTED else None
        self._build = build
        self._get_compiled = get_compiled
        self._codes: dict[str, MachineCode | None] = {}
        self._lock = Lock()

    def __call__(self, *arguments: Any) -> Any:
        """Call the function. Raise RuntimeError if its machine code fails."""
        numbers: list[int] = []
        try:
            kinds = list_numbers(arguments, numbers)
        except Unsuited:
            return self._get_compiled()(*arguments)
        if kinds not in self._codes:
            with self._lock:
                if kinds not in self._codes:
                    self._codes[kinds] = self._load(kinds, arguments, len(numbers))
        code = self._codes[kinds]
        return self._get_compiled()(*arguments) if code is None else code.call(numbers)

    def _load(self, kinds: str, arguments: Sequence[Any], count: int) -> MachineCode | None:
        """Return machine code for kinds of arguments, stored or built now; None if that is impossible here."""
        if self._folder is None:
            return None
        path = self._folder / f"{self._name}-{hashlib.sha256(kinds.encode()).hexdigest()[:16]}.code"
        try:
            stored = _read(path)
            if stored is not None:
                return MachineCode(stored, count)
            built = self._build(arguments)
            _write(path, built)
            return MachineCode(built, count)
        except Exception:  # noqa: BLE001 - whatever fails here, numba itself may still do
            return None


def _read(path: Path) -> bytes | None:
    """Return a stored object file; None if there is none, or if it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    return code if hashlib.sha256(code).digest() == digest else None


def _write(path: Path, code: bytes) -> None:
    """Store an object file at once, so that another process finds it whole or not at all. Do nothing if the disk can't take it."""
    part = path.with_suffix(f".{os.getpid()}")
    try:
        part.write_bytes(hashlib.sha256(code).digest() + code)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
