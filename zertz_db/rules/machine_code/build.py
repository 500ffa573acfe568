"""Build the machine code of one function that numba compiles: an object file with the function and what it calls, and nothing of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zertz_db.rules.machine_code.arguments import INTEGER, POINTER, Unsuited, list_machine_types
from zertz_db.rules.machine_code.load import ENTRY, create_target_machine


def build_object(dispatcher: Any, arguments: Sequence[Any]) -> bytes:
    """Compile a numba function, which is not stored by numba, for such arguments. Return it as an object file.

    Raise Unsuited if the machine code would need numba or Python when it runs, or takes other arguments than `list_numbers` lists.
    """
    import llvmlite.binding as llvm

    signature = tuple(_numba_type(argument) for argument in arguments)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    _check_result(compiled.signature.return_type)
    module = llvm.parse_assembly(dispatcher.inspect_llvm(signature))
    entry = module.get_function(compiled.fndesc.llvm_func_name)
    _check_arguments(entry, arguments)
    _keep_only(module, entry)
    entry.name = ENTRY
    return bytes(create_target_machine().emit_object(module))


def _numba_type(argument: Any) -> Any:
    from numba import from_dtype, types

    if isinstance(argument, np.ndarray):
        return types.Array(from_dtype(argument.dtype), argument.ndim, "C")
    if isinstance(argument, tuple):
        return types.NamedTuple([_numba_type(field) for field in argument], type(argument))  # type: ignore[no-untyped-call]
    return types.int64


def _check_result(result: Any) -> None:
    from numba import types

    if result not in {types.int64, types.none}:
        raise Unsuited(f"a function that returns {result}")


def _check_arguments(entry: Any, arguments: Sequence[Any]) -> None:
    """Raise Unsuited unless a function takes the addresses of its result and its error, then the numbers of the arguments."""
    taken = []
    for argument in entry.arguments:
        name = str(argument.type)
        taken.append(INTEGER if name == "i64" else POINTER if name == "ptr" or name.endswith("*") else name)
    if taken != [POINTER, POINTER, *list_machine_types(arguments)]:
        raise Unsuited("numba passes arguments in another way")


def _keep_only(module: Any, entry: Any) -> None:
    """Remove what a function does not use: above all its wrappers for Python. Raise Unsuited if it needs something outside."""
    import llvmlite.binding as llvm

    for value in (*module.functions, *module.global_variables):
        if value.name != entry.name and not value.is_declaration:
            value.linkage = "internal"
    builder = llvm.create_pass_builder(create_target_machine(), llvm.create_pipeline_tuning_options(speed_level=0))
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, builder)
    outside = [value.name for value in (*module.functions, *module.global_variables) if value.is_declaration]
    needed = [name for name in outside if not name.startswith("llvm.")]
    if needed:
        raise Unsuited(f"a function that calls {needed[0]}")
