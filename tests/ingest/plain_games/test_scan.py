"""The scanner knows the grammar's terminals: every short text of a terminal's alphabet is read by both or by neither."""

from __future__ import annotations

import itertools
import re

import pytest

from zertz_db.parser.boardspace import scan
from zertz_db.parser.text.stored_grammars import expressions_of

EXPRESSIONS = expressions_of("boardspace/boardspace.lark")


def read_command(text: str) -> list[int] | None:
    """Return the action that the scanner reads in a command, or None."""
    action = [0] * scan.ACTION_SIZE
    data = text.encode() + b"]    "
    return action if scan.read_command(data, 0, len(data), action) == len(text.encode()) else None


@pytest.mark.parametrize(
    ("form", "alphabets"),
    [
        ("R- {} {}", ("@AQRaqr[`{1", ("0", "1", "2", "9", "10", "11", "12", "13", "19", "01", ""))),
        ("R+ {} {}", ("AQRaqr", ("0", "1", "9", "12", "13"))),
        ("RtoB {} {} {} {}", ("0123", "0123", "AqR", ("1", "12", "13"))),
        ("BtoB {} {} {} {}", ("AR", ("1", "13"), "qr", ("9", "0"))),
        ("BtoR {} {} {}", ("Aq", ("1", "12", "0"), "0123")),
        ("RtoR {} {} {}", ("0123", "0123", "0123")),
        ("Start{}{}{}", (("", " ", "\t\n"), "pPQ", "0123")),
        ("{}{}", (("resig", "RESIG", "Resig"), ("n", "N", "m", ""))),
        ("{}{}", (("rese", "RESE", "Rese"), ("t", "T", "d", ""))),
    ],
)
def test_commands_are_those_of_the_grammar(form: str, alphabets: tuple[tuple[str, ...], ...]) -> None:
    expression = re.compile(EXPRESSIONS["COMMAND"])
    for parts in itertools.product(*alphabets):
        for text in (
            form.format(*parts),
            form.format(*parts).swapcase(),
            form.format(*parts).replace(" ", "  \r\n", 1),
        ):
            assert bool(expression.fullmatch(text)) == (read_command(text) is not None), text


@pytest.mark.parametrize(
    "text", ["Done", "done", "DONE", "dOne", "Don", "Edit", "Swap", "WinOnTime", "R-", "RtoB", "", "é"]
)
def test_no_other_command_is_read(text: str) -> None:
    known = bool(re.fullmatch(EXPRESSIONS["COMMAND"], text))
    assert not read_command(text) or known
    assert bool(read_command(text)) == (text in ("Done", "done"))


@pytest.mark.parametrize("text", ["0", "7", "007", "123456789012", "1234567890123", "", "1a", "-1"])
def test_clocks_are_those_of_the_grammar(text: str) -> None:
    action = [0] * scan.ACTION_SIZE
    data = text.encode() + b"]"
    is_read = scan.read_clock(data, 0, len(data), action) == len(data)
    assert is_read == bool(re.fullmatch(EXPRESSIONS["CLOCK"], text))
    assert not is_read or action[scan.CLOCK] == int(text)


@pytest.mark.parametrize(
    ("text", "side"), [("P0[", 0), ("P1[", 1), ("P-1[", -1), ("P2[", None), ("P-2[", None), ("Q0[", None)]
)
def test_sides_are_those_of_the_grammar(text: str, side: int | None) -> None:
    found = scan.read_mover(text.encode() + b"  ", 0, len(text) + 2)
    assert (found if found >= -1 else None) == side
    assert (side is not None) == (text[0] == "P" and bool(re.fullmatch(EXPRESSIONS["SEAT"], text[1:-1])))


HEADER = 'GM[22]VV[2]\nSU[Zertz]\nP0[id "ada"]\nP1[id "bo"]'
PLACED = ["RtoB 2 0 D 4", "R- A 1", "Done"]
TIMES = "P0[time 0:01:02 ]\nP1[time 0:00:59 ]"


def scan_moves(actions: list[str], times: str = TIMES) -> list[int]:
    """Return the numbers of the plies that the scanner reads in a game of P0's actions; none for a game that is not plain."""
    nodes = "".join(f"; P0[{number} {action} ]\n" for number, action in enumerate(actions))
    data = f"(;{HEADER}\n{nodes};\n{times}\n)".encode()
    numbers, begins, clocks = [0] * 99, [0] * 9, [0] * 9
    facts = [[0] * scan.FACTS_SIZE]
    plies = scan.scan_games(
        data, [0, len(data)], numbers, begins, clocks, facts, [0] * scan.ACTION_SIZE, [0] * scan.TURN_SIZE
    )
    return numbers[: begins[plies]]


@pytest.mark.parametrize(
    "actions",
    [
        ["RtoB 2 0 D 4", "BtoR D 4 2", *PLACED],
        ["RtoB 2 0 D 3", "BtoB D 3 D 4", *PLACED[1:]],
        ["RtoB 2 0 D 4", "R- G 1", "R+ G 1", *PLACED[1:]],
        ["RtoR 2 0 2", *PLACED],
        ["BtoB D 4 D 4", *PLACED],
        ["Reset", *PLACED],
    ],
)
def test_a_corrected_turn_is_read_as_its_last_state(actions: list[str]) -> None:
    assert scan_moves(actions) == scan_moves(PLACED) != []


@pytest.mark.parametrize(
    ("actions", "times"),
    [
        (["RtoB 2 0 D 4", "BtoR D 3 2", *PLACED], TIMES),
        (["BtoR D 4 2", *PLACED], TIMES),
        (["R+ G 1", *PLACED], TIMES),
        (["RtoR 2 0 1", *PLACED], TIMES),
        (PLACED, TIMES.replace("P1", "P0")),
        (PLACED, ""),
    ],
)
def test_games_that_are_not_plain_are_left_to_the_grammar(actions: list[str], times: str) -> None:
    assert scan_moves(actions, times) == []
