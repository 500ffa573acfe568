"""The extras: which packages an optional part of zertz-db needs, and the error for a missing one.

`name_missing_packages` makes an import of such a package in our own code fail with a MissingPackage. Imports by other code are unaffected.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import FrameType, ModuleType
from typing import Any

from zertz_db.errors import BrokenEnvironment
from zertz_db.plurals import format_count

EXTRAS = {
    "db": (
        "duckdb", "duckdb_sqlalchemy", "sqlalchemy", "sqlmodel", "pyarrow", "pandas", "numpy", "rapidfuzz", "openskill", "backports",
    ),
    "fast": ("numba", "llvmlite", "isal"),
    "dashboard": ("streamlit", "altair"),
    "api": ("fastapi", "starlette", "pydantic", "uvicorn", "httpx2"),
    "cluster": ("distributed", "duckdb_extension_ducklake"),
    "fit": ("lightgbm",),
    "history": ("whr",),
    "pictures": ("resvg_py", "PIL"),
}  # fmt: skip
"""For each extra of pyproject.toml the packages that our code imports, by the names of imports."""
_EXTRA_OF = {package: extra for extra, packages in EXTRAS.items() for package in packages}
_DISTRIBUTIONS = {"backports": "backports.zstd", "PIL": "Pillow", "resvg_py": "resvg-py"}
"""Names of packages for users, if they differ from the names of imports."""
_MAX_NAMED = 3
"""Maximum number of packages that a message names."""
_OURS = re.compile(r"zertz_db(\.|$)")


class MissingPackage(BrokenEnvironment, ModuleNotFoundError):
    """A package of an extra is not installed."""


def install_hint(extra: str) -> str:
    """Return the command that installs an extra. There is no release yet, so it names the folder of the project."""
    return f"pip install '.[{extra}]' in the folder of zertz-db"


def require_extra(extra: str, user: str) -> None:
    """Raise MissingPackage if packages of an extra, or of `db`, are missing. user: the part that needs them, for the message."""
    missing = [
        package for package in (*EXTRAS[extra], *EXTRAS["db"]) if package != "backports" and not _is_installed(package)
    ]
    if missing:
        raise build_error(missing, extra, user)


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except (MissingPackage, ValueError):  # ValueError: a module put in place without a specification
        return package in sys.modules


def build_error(packages: Sequence[str], extra: str, user: str = "this") -> MissingPackage:
    """Return the error that some packages of an extra are missing."""
    more = len(packages) - _MAX_NAMED
    shown = [_DISTRIBUTIONS.get(package, package) for package in packages[:_MAX_NAMED]]
    shown += [format_count(more, "other package")] if more > 0 else []
    named = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
    verb = "is" if len(packages) == 1 else "are"
    return MissingPackage(f"{user} needs {named}, which {verb} not installed: {install_hint(extra)}", name=packages[0])


class _LastFinder:
    """Finder after all others: it is asked only for modules that nobody has."""

    @staticmethod
    def find_spec(name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None) -> None:
        """Raise MissingPackage if our code imports a package of an extra; leave all else to Python's own error."""
        extra = _EXTRA_OF.get(name)
        if extra is not None and _is_ours(sys._getframe(1)):
            raise build_error([name], extra)


def _is_ours(frame: FrameType | None) -> bool:
    """Return whether the first frame outside of the import system is our code."""
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "importlib":
        frame = frame.f_back
    return frame is not None and _OURS.match(frame.f_globals.get("__name__", "")) is not None


def name_missing_packages() -> None:
    """Let imports of missing packages by our code raise MissingPackage."""
    if not any(finder is _LastFinder for finder in sys.meta_path):
        sys.meta_path.append(_LastFinder)


class _PandasHider:
    """Finder before all others: it has no pandas."""

    @staticmethod
    def find_spec(name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None) -> None:
        """Raise ModuleNotFoundError for pandas."""
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name=name)


@contextmanager
def hide_pandas() -> Iterator[None]:
    """Let DuckDB and Arrow do without pandas; Arrow remembers that for the rest of the process.

    Both import it for their first Python value, to ask whether it is one of pandas': 0.35 s of an import of one game.
    """
    sys.meta_path.insert(0, _PandasHider)
    try:
        yield
    finally:
        sys.meta_path.remove(_PandasHider)
        if isinstance(sys.modules.get("pandas"), _StandIn):
            del sys.modules["pandas"]


class _StandIn(ModuleType):
    """What DuckDB looks for in pandas at each value: its kinds of missing values, which no value is."""

    NaT, NA = object(), object()

    def __getattr__(self, name: str) -> Any:
        """Return what pandas has under a name, once it is no longer hidden: DuckDB keeps the stand-in."""
        if _PandasHider in sys.meta_path:
            raise AttributeError(name)
        return getattr(import_module("pandas"), name)


def replace_hidden_pandas() -> None:
    """Put a stand-in in the place of pandas while it is hidden: DuckDB searches for a missing pandas at each value, in 17 µs."""
    if _PandasHider in sys.meta_path and "pandas" not in sys.modules:
        import pyarrow as pa

        pa.array([None])  # Arrow searches once, and must find nothing
        sys.modules["pandas"] = _StandIn("pandas")
