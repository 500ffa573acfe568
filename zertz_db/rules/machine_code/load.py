"""Load an object file, and call its function. Needs llvmlite: 40 ms, where numba takes 300 ms."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

ENTRY = "entry"
"""The name of the function in an object file."""

_FINE = 0


def create_target_machine() -> Any:
    """Return LLVM's description of this processor, for machine code that is loaded into memory."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True, codemodel="jitdefault"
    )


class MachineCode:
    """The function of an object file, in memory, and how many numbers it takes. A call lets other threads run."""

    def __init__(self, content: bytes, count: int) -> None:
        import llvmlite.binding as llvm

        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), create_target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(content))
        self._engine.finalize_object()
        address = self._engine.get_function_address(ENTRY)
        if not address:
            raise ValueError(f"an object file without {ENTRY}")
        kinds = (ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * count)
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(address)

    def call(self, numbers: Sequence[int]) -> int:
        """Call the function with the numbers of its arguments. Return its result, or 0 if it has none. Raise RuntimeError if it fails."""
        result, error = ctypes.c_int64(0), ctypes.c_void_p()
        status = self._function(ctypes.addressof(result), ctypes.addressof(error), *numbers)
        if status != _FINE:
            raise RuntimeError(f"compiled code failed with status {status}")
        return result.value
