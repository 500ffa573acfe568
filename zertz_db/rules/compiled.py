"""Run the rules compiled: the functions of `kernel`, `position_keys` and `replay`, compiled by numba.

The modules are loaded a second time, and each of their functions is replaced by its compiled version, so the rules have one source.
Compiled code is stored in a folder named by a hash of those sources, of this one, numba's version and the processor. numba's own check
notices changes only in the called function's file, not in the functions that it calls. Without a writable folder, each process compiles
again. If numba is missing or fails, the rules run interpreted. numba, llvmlite and numpy are imported on first use: that takes
350 ms, and few records don't need them. Other rooms compile modules of the same kind with `functions_with`. A function for batches
(`batch_function`) is stored as machine code and needs no numba.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from zertz_db.errors import BrokenEnvironment
from zertz_db.extras import MissingPackage, install_hint
from zertz_db.rules.board import Board, Tables, for_each_board

if TYPE_CHECKING:
    from zertz_db.rules.machine_code.array_function import ArrayFunction

_MODULES = ("kernel", "position_keys", "replay", "perft")
_PACKAGE = "zertz_db.rules"
_HERE = Path(__file__).parent


class SearchTables(NamedTuple):
    """The tables of a board that a search reads (`Tables`): fewer arguments for compiled calls.

    Stored machine code names the classes of its arguments and their modules. A class of arguments therefore lies in a module whose
    source names the folder of that code: here, in `board`, or in a compiled module.
    """

    rings: int
    neighbour: Sequence[int]
    landing: Sequence[int]
    around: Sequence[int]


def arrays(tables: Tables) -> Any:
    """Return a board's tables for the compiled functions: the tuple with int64 arrays for lists."""
    import numpy as np

    fields: Any = (np.asarray(field, np.int64) if isinstance(field, list) else field for field in tables)
    return Tables(*fields)


@for_each_board
def board_arrays(board: Board) -> Any:
    """Return the `arrays` of a board, made once."""
    return arrays(board.tables)


class CompilerMissing(BrokenEnvironment, RuntimeError):
    """numba can't be imported or can't compile the rules: they must run interpreted."""


def sources_hash() -> str:
    """Return a short hash of the rules' sources: the rules' version."""
    return _hash_of("board", "rule_sets", *_MODULES)


def _hash_of(*names: str) -> str:
    return _hash_files(*(_HERE / f"{name}.py" for name in names))


def _hash_files(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder(numba_version: str, processor: str, others: tuple[Path, ...] = ()) -> Path:
    """Return the folder of code compiled from the current sources for this processor (`ZERTZ_CACHE` replaces the usual place).

    `others` are the sources of further modules that are compiled with the rules.
    """
    usual = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    base = Path(os.environ.get("ZERTZ_CACHE") or Path(usual) / "zertz-db")
    here = _hash_files(_HERE / "compiled.py", *sorted((_HERE / "machine_code").glob("*.py")))
    key = f"{sources_hash()} {here} {numba_version} {processor} {sys.version_info[:2]}"
    for source in others:
        key += f" {source.name} {hashlib.sha256(source.read_bytes()).hexdigest()}"
    return base / hashlib.sha256(key.encode()).hexdigest()[:16]


def _open_cache_folder(others: tuple[Path, ...]) -> Path | None:
    """Return the folder of compiled code, which is created if missing; None if it can't be written."""
    import llvmlite.binding as llvm

    processor = f"{platform.machine()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    try:
        folder = cache_folder(_numba_version(), processor, others)
        folder.mkdir(parents=True, exist_ok=True)
        return folder if os.access(folder, os.W_OK) else None
    except (OSError, RuntimeError):
        return None


def _numba_version() -> str:
    """Return what tells versions of numba apart, without an import of it. Raise ModuleNotFoundError if it is missing."""
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")
    return (Path(spec.origin).parent / "_version.py").read_text("utf-8")


@contextmanager
def _numba_cache(numba: Any, others: tuple[Path, ...] = ()) -> Iterator[bool]:
    """Make numba store compiled code in our folder; yield whether that is possible."""
    before = numba.config.CACHE_DIR
    folder = _open_cache_folder(others)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        numba.config.CACHE_DIR = before


def _source(package: str, name: str) -> Path:
    """Return the source of a module. Raises CompilerMissing if it is not on disk."""
    spec = importlib.util.find_spec(f"{package}.{name}")
    if spec is None or spec.origin is None:
        raise CompilerMissing(f"the source of {package}.{name} is not on disk")
    return Path(spec.origin)


def _copy_of(package: str, name: str) -> ModuleType:
    source = _HERE / f"{name}.py" if package == _PACKAGE else _source(package, name)
    spec = importlib.util.spec_from_file_location(f"{package}._compiled_{name}", source)
    if spec is None or spec.loader is None:
        raise CompilerMissing(f"the source of the rules is not on disk: {source}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # numba looks here when it loads stored code
    spec.loader.exec_module(module)
    return module


def _instructions() -> dict[str, Any]:
    """Return the functions of the kernel that are one instruction of the processor, by name."""
    from llvmlite import ir
    from numba.extending import intrinsic

    @intrinsic
    def size(_: Any, rings: Any) -> Any:
        return rings(rings), lambda _context, builder, _signature, given: builder.ctpop(given[0])

    @intrinsic
    def lowest(_: Any, rings: Any) -> Any:
        return rings(rings), lambda _context, builder, _signature, given: builder.cttz(given[0], ir.IntType(1)(1))

    return {"size": size, "lowest": lowest}


_Compiled: TypeAlias = dict[tuple[str, str], Any]
"""Compiled functions by module and name."""


def _compile(numba: Any) -> _Compiled:
    """Return the compiled functions of the rules."""
    with _numba_cache(numba) as writable:
        return _compile_modules(numba, _PACKAGE, _MODULES, _instructions(), {}, writable)


def _compile_modules(
    numba: Any,
    package: str,
    names: tuple[str, ...],
    instructions: dict[str, Any],
    known: _Compiled,
    writable: bool,
    called: frozenset[str] = frozenset(),
) -> _Compiled:
    """Return the compiled functions of some modules, and those `known` before, which they may call."""
    compiled = dict(known)
    for name in names:
        module = _copy_of(package, name)
        for attribute, value in list(vars(module).items()):
            if not isinstance(value, types.FunctionType):
                continue
            home = value.__module__.rpartition(".")[2].removeprefix("_compiled_")
            if value.__module__ == module.__name__:
                compiled[home, attribute] = instructions.get(attribute) or _compiled(
                    numba, value, writable, inlined=attribute not in called
                )
            if (home, attribute) in compiled:
                setattr(module, attribute, compiled[home, attribute])
    return compiled


_ALLOCATING = {"perft"}
"""Functions that create arrays, and so need numba's reference counts."""


def _compiled(numba: Any, function: types.FunctionType, cached: bool, inlined: bool = True) -> Any:
    """Return a function compiled without reference counts.

    Counting references to the tables at every call takes half of the time, and nothing here frees an array. A call that is not inlined
    costs more than most functions: its arguments are the addresses and sizes of a dozen arrays.
    """
    counted = {} if function.__name__ in _ALLOCATING else {"_nrt": False}
    options = {"forceinline": True, **counted} if inlined else counted
    try:
        return numba.njit(function, cache=cached, nogil=True, **options)
    except (KeyError, TypeError):  # a numba without that option
        return numba.njit(function, cache=cached, nogil=True)


_UNUSED_PACKAGES = ("scipy", "cffi", "coverage")
"""Packages that numba loads if they are installed, in 0.3 s, for functions that the rules don't use."""


class _Loading:
    """How this process loads numba. is_lean: without _UNUSED_PACKAGES."""

    is_lean = False


def load_lean() -> None:
    """Load numba without packages that the rules don't use. Only for processes of ours: other code might use these through numba."""
    _Loading.is_lean = True


def is_lean() -> bool:
    """Return whether this process loads numba without packages that the rules don't use."""
    return _Loading.is_lean


def _load_numba() -> None:
    """Import numba, and everything that its first compiled function needs."""
    refused = [name for name in _UNUSED_PACKAGES if _Loading.is_lean and name not in sys.modules]
    sys.modules.update(dict.fromkeys(refused))  # type: ignore[arg-type] # None makes an import fail
    try:
        from numba.core.registry import cpu_target

        cpu_target.target_context.refresh()
    finally:
        for name in refused:
            del sys.modules[name]


@contextmanager
def _numba() -> Iterator[Any]:
    """Yield numba. Whatever fails inside is raised as CompilerMissing."""
    with _failing_as_missing():
        if _Loading.is_lean:
            _load_numba()
        import numba

        yield numba


@contextmanager
def _failing_as_missing() -> Iterator[None]:
    """Raise whatever fails inside as CompilerMissing."""
    try:
        yield
    except CompilerMissing:
        raise
    except MissingPackage as error:
        raise CompilerMissing(f"{error.name} is not installed ({install_hint('fast')})") from error
    except Exception as error:
        raise CompilerMissing(f"numba can't compile the rules ({type(error).__name__}: {error})") from error


def _namespace(compiled: _Compiled) -> types.SimpleNamespace:
    return types.SimpleNamespace(**{attribute: function for (_, attribute), function in compiled.items()})


def _known() -> _Compiled:
    """Return the rules' functions by each module that has them."""
    names = vars(functions())
    return {
        (name, attribute): names[attribute]
        for name in _MODULES
        for attribute in vars(sys.modules[f"{_PACKAGE}._compiled_{name}"])
        if attribute in names
    }


@cache
def functions() -> types.SimpleNamespace:
    """Return every function of the kernel by its name, compiled on first call for int64 arrays.

    Raises CompilerMissing if numba is missing or fails.
    """
    with _numba() as numba:
        return _namespace(_compile(numba))


@cache
def functions_with(package: str, names: tuple[str, ...], called: frozenset[str] = frozenset()) -> types.SimpleNamespace:
    """Return the functions of the rules and those of further modules of a package, compiled and stored like the rules.

    Each module may import functions of the rules and of the modules before it. The functions `called` are large, and used in several
    places: they are not inlined. Never pass a literal to a function of these modules: it would be compiled again for it. Raises
    CompilerMissing.
    """
    with _numba() as numba:
        sources = tuple(_source(package, name) for name in names)
        with _numba_cache(numba, sources) as writable:
            return _namespace(_compile_modules(numba, package, names, {}, _known(), writable, called))


@cache
def batch_function(
    name: str, package: str = _PACKAGE, modules: tuple[str, ...] = (), called: frozenset[str] = frozenset()
) -> ArrayFunction:
    """Return a function of the rules, or of modules as `functions_with` compiles them, for calls with arrays of many games.

    Its machine code is stored and needs no numba. Raises CompilerMissing if numba is missing; the first call may raise what numba raises.
    """
    with _failing_as_missing():
        from zertz_db.rules.machine_code.array_function import ArrayFunction
        from zertz_db.rules.machine_code.build import build_object

        folder = _open_cache_folder(tuple(_source(package, module) for module in modules))

    def get_compiled() -> Any:
        return getattr(functions_with(package, modules, called) if modules else functions(), name)

    def build(arguments: Sequence[Any]) -> bytes:
        with _numba() as numba:
            uncached = _compiled(numba, get_compiled().py_func, cached=False, inlined=False)
            return build_object(uncached, arguments)

    return ArrayFunction(name, folder, build, get_compiled)


def is_loaded() -> bool:
    """Return whether compiled rules are already loaded."""
    return "zertz_db.rules._compiled_kernel" in sys.modules or "zertz_db.rules.machine_code.load" in sys.modules
