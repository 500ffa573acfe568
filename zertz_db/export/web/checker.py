"""Collect the files of the check page: Pyodide, which is Python for browsers, and the checker's modules as one archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import lark

import zertz_db
from zertz_db import parser
from zertz_db.errors import UserMistake

_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_ROOMS = ("check", "rules")
"""Rooms of `zertz_db` that `check_text` needs, besides the modules that are in no room."""
_SUFFIXES = (".py", ".lark", ".toml", ".json")
_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of all files in the archive, so that equal files give equal bytes."""


class CheckerError(UserMistake):
    """The folder is not one with Pyodide's files."""


def collect_checker(pyodide: Path) -> dict[str, bytes]:
    """Return the files of the check page by their names in the site. pyodide: the unpacked package. Raises CheckerError."""
    missing = [name for name in _PYODIDE if not (pyodide / name).is_file()]
    if missing:
        raise CheckerError(
            f"{pyodide} has no {missing[0]}; get Pyodide with `npm pack pyodide`, unpack it, and name its folder `package`"
        )
    files = {f"checker/{name}": (pyodide / name).read_bytes() for name in _PYODIDE}
    return files | {"checker/zertz.zip": _pack_modules()}


def _pack_modules() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(_list_modules()):
            archive.writestr(zipfile.ZipInfo(name, _DATE), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _list_modules() -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of each file."""
    for package in (lark, parser, zertz_db):
        root, folder = Path(str(package.__file__)).parent, package.__name__.replace(".", "/")
        for path in root.rglob("*"):
            inside = path.relative_to(root)
            is_needed = package is not zertz_db or len(inside.parts) == 1 or inside.parts[0] in _ROOMS
            if path.suffix in _SUFFIXES and is_needed:
                yield f"{folder}/{inside.as_posix()}", path
