"""Compile regular expressions on first use: compiling all of a module takes milliseconds, and few runs need all of them."""

from __future__ import annotations

import re
from typing import Any, cast


class _LazyPattern:
    """A pattern that is compiled when a method of it is first called. Each method is then kept, so later calls cost nothing more."""

    def __init__(self, expression: str | bytes, flags: int) -> None:
        self.pattern = expression
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def compile_on_use(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern with the methods of a compiled one. An invalid expression raises `re.error` on first use."""
    return cast("re.Pattern[str]", _LazyPattern(expression, flags))
