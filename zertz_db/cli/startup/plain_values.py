"""Convert plain arguments without pydantic, which Typer imports for them: that takes 80 ms.

A value that is no plain one, such as a number beyond its limits, still goes to Typer, so every message is Typer's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import Any

OPEN: Any = object()
"""Result for a value that Typer must convert."""

_WHOLE = re.compile(r"[0-9]{1,15}", re.ASCII)
_NUMBERS = {int: _WHOLE, float: re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?", re.ASCII)}


def convert_plain_values_first(params: Iterable[Any]) -> None:
    """Make parameters of a command convert plain values themselves. Typers that don't use pydantic stay as they are."""
    for param in params:
        build = getattr(param, "get_runtime_param", None)
        if build and "get_runtime_param" not in vars(param):
            param.get_runtime_param = _PlainFirst(build).get


class _PlainFirst:
    """Conversion in the place of Typer's own, which it builds only if it needs it."""

    def __init__(self, build: Callable[[], Any]) -> None:
        self._build = build

    def get(self) -> _PlainFirst:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter; Typer calls this by name."""
        converted = convert(value, param)
        return self._build().coerce(value, param=param, ctx=ctx) if converted is OPEN else converted


def convert(value: Any, param: Any) -> Any:
    """Return the value that a parameter's text stands for, or OPEN if Typer must convert it."""
    is_list = param.multiple or param.nargs == -1
    if value is None:
        return () if is_list else None
    kind, info = param.type_descriptor.annotation, param.type_descriptor.parameter_info
    if info.parser is not None or param.nargs not in (1, -1):
        return OPEN
    if not is_list:
        return _convert_one(value, kind, info)
    if kind == list[str] and isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return list(value)
    return OPEN


def _convert_one(value: Any, kind: Any, info: Any) -> Any:
    if kind is str:
        return value if isinstance(value, str) else OPEN
    if kind is bool and isinstance(value, bool):
        return value
    if kind in _NUMBERS:
        return _convert_number(value, kind, info)
    if kind is Path:
        return _convert_path(value, info)
    if isinstance(kind, type) and issubclass(kind, Enum) and info.case_sensitive:
        return next((one for one in kind if value is one or (type(value) is str and value == str(one.value))), OPEN)
    return OPEN


def _convert_number(value: Any, kind: Any, info: Any) -> Any:
    if (type(value) is str and _NUMBERS[kind].fullmatch(value)) or type(value) is int:
        value = kind(value)
    is_allowed = (
        type(value) is kind
        and not info.clamp
        and (info.min is None or value >= info.min)
        and (info.max is None or value <= info.max)
    )
    return value if is_allowed else OPEN


def _convert_path(value: Any, info: Any) -> Any:
    is_examined = info.exists or info.writable or info.resolve_path or info.path_type is not None
    if is_examined or not (info.file_okay and info.dir_okay) or not isinstance(value, str | Path) or "\0" in str(value):
        return OPEN
    is_usable = not Path(value).exists() or os.access(value, os.R_OK)
    return Path(value) if is_usable else OPEN
