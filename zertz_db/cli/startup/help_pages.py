"""Load Typer's help pages without the parts of rich that they don't use: Markdown and tracebacks, which take 50 ms.

Typer imports both with the module that draws the pages, but uses them only for help in Markdown and for its own tracebacks. Our help is
plain text, and Typer's tracebacks are off.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_UNUSED = {"rich.markdown": "Markdown", "rich.traceback": "Traceback"}
"""Modules of rich, with the class that Typer takes from each."""


def load_help_pages() -> None:
    """Import Typer's help pages with stand-ins for the classes that they don't use. A call of a stand-in imports its module."""
    if "typer.rich_utils" in sys.modules:
        return
    absent = [name for name in _UNUSED if name not in sys.modules]
    for name in absent:
        stand_in = ModuleType(name)
        setattr(stand_in, _UNUSED[name], _StandIn(name))
        sys.modules[name] = stand_in
    try:
        import_module("typer.rich_utils")
    finally:
        for name in absent:
            del sys.modules[name]


class _StandIn:
    """A class of rich, imported when it is used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def _load(self) -> Any:
        return getattr(import_module(self._module), _UNUSED[self._module])

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return self._load()(*arguments, **settings)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._load(), name)

    def __or__(self, other: Any) -> Any:
        return Any

    __ror__ = __or__
    """In types such as `Markdown | Text`."""
