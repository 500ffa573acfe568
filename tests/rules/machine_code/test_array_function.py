"""Functions over arrays: results of machine code, stored files, and what numba calls itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zertz_db.rules.machine_code.arguments import Unsuited, list_numbers
from zertz_db.rules.machine_code.array_function import ArrayFunction
from zertz_db.rules.machine_code.build import build_object

numba = pytest.importorskip("numba")


class Pair(NamedTuple):
    """A named tuple of a number and an array."""

    factor: int
    added: Any


def _scale(data: Any, pair: Pair, table: Any, times: int) -> int:
    for place in range(len(data)):
        table[place, 1] = data[place] * pair.factor + pair.added[place] + times
    return len(data)


def _scale_in_numpy(data: Any, pair: Pair, table: Any, times: int) -> int:
    table[: len(data), 1] = data.astype(np.int64) * pair.factor + pair.added[: len(data)] + times
    return len(data)


def _count_down(data: Any) -> None:
    data[0] -= 1


def _divide(data: Any) -> int:
    return 1 // data[0]


def _halve(data: Any) -> float:
    return data[0] / 2


def _say(data: Any) -> None:
    print(data[0])


class Built:
    """An array function with a folder, and the numbers of builds and of calls by numba."""

    def __init__(self, function: Callable[..., Any], folder: Path | None) -> None:
        self.builds = self.calls = 0
        self._function = function
        self.call = ArrayFunction("one", folder, self._build, self._get_compiled)

    def _build(self, arguments: Sequence[Any]) -> bytes:
        self.builds += 1
        return build_object(numba.njit(self._function, nogil=True, _nrt=False), arguments)

    def _get_compiled(self) -> Callable[..., Any]:
        self.calls += 1
        return self._function


def _arguments() -> tuple[Any, ...]:
    rng = np.random.default_rng(7)
    data = np.frombuffer(rng.bytes(9), np.uint8)
    return data, Pair(-3, rng.integers(-(1 << 62), 1 << 60, 9)), np.zeros((9, 4), np.int64), 1 << 40


@pytest.mark.parametrize("is_stored", [False, True])
def test_machine_code_computes_what_the_function_does(is_stored: bool, tmp_path: Path) -> None:
    if is_stored:
        Built(_scale, tmp_path).call(*_arguments())
    built = Built(_scale, tmp_path)
    arguments, others = _arguments(), _arguments()
    assert built.call(*arguments) == _scale_in_numpy(*others) == 9
    assert arguments[2].tolist() == others[2].tolist()
    assert (built.builds, built.calls) == (int(not is_stored), 0)


def test_each_kind_of_arguments_has_its_code(tmp_path: Path) -> None:
    built = Built(_count_down, tmp_path)
    for kind in (np.int64, np.int32, np.int64):
        data = np.array([5, 6], kind)
        built.call(data)
        assert data.tolist() == [4, 6]
    assert (built.builds, built.calls) == (2, 0)
    assert len([*tmp_path.iterdir()]) == 2


@pytest.mark.parametrize("data", [np.arange(8)[::2], np.zeros((2, 3)).T, [5, 6]], ids=["gaps", "turned", "list"])
def test_numba_calls_what_is_no_plain_array(data: Any, tmp_path: Path) -> None:
    built = Built(len, tmp_path)
    assert built.call(data) == len(data)
    assert (built.builds, built.calls) == (0, 1)


@pytest.mark.parametrize("function", [_halve, _say], ids=["returns no integer", "needs Python"])
def test_numba_calls_what_machine_code_alone_can_not_do(function: Callable[..., Any], tmp_path: Path) -> None:
    built = Built(function, tmp_path)
    for calls in (1, 2):
        assert built.call(np.array([3])) == function(np.array([3]))
        assert built.calls == calls
    assert built.builds == 1
    assert not [*tmp_path.iterdir()]


def test_without_a_folder_numba_calls() -> None:
    built = Built(_count_down, None)
    built.call(np.array([3]))
    assert (built.builds, built.calls) == (0, 1)


def test_a_failure_names_itself(tmp_path: Path) -> None:
    built = Built(_divide, tmp_path)
    assert built.call(np.array([1])) == 1
    with pytest.raises(RuntimeError, match="compiled code failed with status 1"):
        built.call(np.array([0]))


@pytest.mark.parametrize("damage", [lambda code: code[:-1], lambda code: code[:50] + b"?" + code[51:], lambda _: b""])
def test_a_damaged_file_is_built_again(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    Built(_count_down, tmp_path).call(np.array([3]))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    built, data = Built(_count_down, tmp_path), np.array([3])
    built.call(data)
    assert data.tolist() == [2]
    assert built.builds == 1
    assert file.read_bytes() == whole
    assert [*tmp_path.iterdir()] == [file]


def test_a_folder_that_vanished_costs_no_result(tmp_path: Path) -> None:
    built, data = Built(_count_down, tmp_path / "gone"), np.array([3])
    built.call(data)
    assert data.tolist() == [2]
    assert built.calls == 0


def test_threads_build_once(tmp_path: Path) -> None:
    built = Built(_count_down, tmp_path)
    data = [np.array([number]) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(built.call, data))
    assert [one.tolist() for one in data] == [[number - 1] for number in range(8)]
    assert built.builds == 1


@pytest.mark.parametrize(
    ("argument", "kinds"),
    [
        (3, "int"),
        (np.int32(3), "int"),
        (np.zeros((2, 3), np.int64), "<i82"),
        (np.zeros(4, bool), "|b11"),
        (Pair(1, np.zeros(2, np.uint8)), "(int,|u11)"),
        (True, None),
        (1.5, None),
        ([1], None),
        (None, None),
    ],
)
def test_kinds_of_arguments(argument: Any, kinds: str | None) -> None:
    if kinds is None:
        with pytest.raises(Unsuited):
            list_numbers([argument], [])
    else:
        assert list_numbers([argument], []) == kinds
