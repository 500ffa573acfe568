"""Describe the arguments of a function over arrays, and list them as the numbers that its machine code takes.

numba passes an array as seven numbers or more: two addresses of owners, which code without reference counts does not read, the numbers of
its items and of the bytes of one, the address of its data, its shape and its strides. It passes a tuple as its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

POINTER, INTEGER = "pointer", "integer"
_NO_OWNER = (0, 0)


class Unsuited(Exception):
    """A function or its arguments can't be called as stored machine code: numba calls it."""


def list_numbers(arguments: Sequence[Any], numbers: list[int]) -> str:
    """Add the numbers of arguments to a list; return the arguments' kinds. Raise Unsuited for other than arrays, integers and tuples."""
    kinds = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            if not (argument.flags.c_contiguous and argument.flags.aligned):
                raise Unsuited("an array with gaps")
            address = argument.__array_interface__["data"][0]
            numbers += (*_NO_OWNER, argument.size, argument.itemsize, address, *argument.shape, *argument.strides)
            kinds.append(f"{argument.dtype.str}{argument.ndim}")
        elif isinstance(argument, tuple):
            kinds.append(f"({list_numbers(argument, numbers)})")
        elif isinstance(argument, int | np.integer) and not isinstance(argument, bool):
            numbers.append(int(argument))
            kinds.append("int")
        else:
            raise Unsuited(type(argument).__name__)
    return ",".join(kinds)


def list_machine_types(arguments: Sequence[Any]) -> list[str]:
    """Return for each number of the arguments whether the machine code takes a POINTER or an INTEGER."""
    found = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            found += [POINTER, POINTER, INTEGER, INTEGER, POINTER, *[INTEGER] * (2 * argument.ndim)]
        elif isinstance(argument, tuple):
            found += list_machine_types(argument)
        else:
            found.append(INTEGER)
    return found
