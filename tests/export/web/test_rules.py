"""The site's rules (JavaScript) agree with the kernel: moves, positions, endings, keys and codes of moves on every board."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zertz_db.export.web import board_data
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.canonical import canonicalise, decoded, move_code
from zertz_db.rules.position import Position

NODE = shutil.which("node")
FRONTEND = Path(board_data.__file__).parent / "frontend"
DRIVER = Path(__file__).with_name("rules_driver.mjs")
CUSTOM = "custom standard a-3:oooo/b-4:ooooo/c-5:oo.ooo/d-6:ooooooo/e-7:oooooooo 6/8/10 0/0/0 0/0/0 1"
RULES = ("standard", "blitz", "standard+tournament", "standard+written")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is missing")


def starts() -> list[Position]:
    return [Position.parse(CUSTOM), *(Position.start(board, rules) for board in STANDARD_BOARDS for rules in RULES)]


def positions(count: int, seed: int) -> Iterator[tuple[Position, int]]:
    """Yield positions of random games from each start in turn, and a random number each."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    games = starts()
    while count > 0:
        for start in games:
            position = _shrink(start, chance)
            while not position.is_over and count > 0:
                pick = chance.randrange(1 << 20)
                yield position, pick
                count -= 1
                moves = position.legal_moves()
                position = position.play(moves[pick % len(moves)])


def _shrink(start: Position, chance: random.Random) -> Position:
    """Return a start on which some rings are gone and few marbles are left, in one of two games: full groups and passes are rare else."""
    if chance.random() < 0.5:
        return start
    fields = start.text.split(" ")
    gone = chance.random()
    layout = "".join("." if sign == "o" and chance.random() < gone else sign for sign in fields[2])
    if "o" not in layout:
        return start  # a custom board needs a ring
    pool = "/".join(str(chance.randrange(5)) for _ in range(3))
    taken = ["/".join(str(chance.randrange(2)) for _ in range(3)) for _ in range(2)]
    return Position.parse(" ".join([*fields[:2], layout, pool, *taken, fields[6]]))


def ask(questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    command = [str(NODE), str(DRIVER), str(FRONTEND)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def describe(boards: Iterable[Board]) -> dict[str, Any]:
    return {"described": [board_data.describe_board(board) for board in boards]}


def expected(position: Position, pick: int) -> dict[str, Any]:
    canonical = canonicalise(position)
    legal = position.legal_moves()
    found: dict[str, Any] = {
        "text": position.text,
        "key": str(canonical.key),
        "symmetry": canonical.symmetry,
        "due": position.capture_is_due,
        "free": list(position.free_rings),
        "full": list(position.full_groups),
        "legal": [str(move) for move in legal],
    }
    move = legal[pick % len(legal)]
    after = position.play(move)
    return found | {
        "move": position.written(move, after),
        "code": move_code(position, move),
        "decoded": str(decoded(position, move_code(position, move))),
        "after": after.text,
        "ending": after.ending,
        "winner": after.winner,
        "sets": list(after.winning_sets),
        "claimed": list(after.claimed),
    }


def compare(count: int, seed: int) -> None:
    some = list(positions(count, seed))
    boards = [
        *map(standard_board, STANDARD_BOARDS),
        Position.parse(CUSTOM).board,
        *{p.board for p, _ in some if p.board.is_custom},
    ]
    questions = [
        describe(dict.fromkeys(boards)),
        *({"position": p.text, "board": p.board.description, "pick": pick} for p, pick in some),
    ]
    answers = ask(questions)[1:]
    assert len(answers) == len(some)
    for (position, pick), answer in zip(some, answers, strict=True):
        assert answer == expected(position, pick), position.text


def test_rules_on_every_board() -> None:
    compare(600, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_rules_in_a_million_positions(seed: int) -> None:
    compare(10_000, seed=seed)
