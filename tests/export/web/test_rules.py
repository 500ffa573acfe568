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

from tests.export.web.playouts import Games, Question, hash_moves, hash_words
from zertz_db.export.web import board_data
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.canonical import canonicalise, decoded, move_code
from zertz_db.rules.position import Position

NODE = shutil.which("node")
FRONTEND = Path(board_data.__file__).parent / "frontend"
DRIVER = Path(__file__).with_name("rules_driver.mjs")
REPLAY_DRIVER = Path(__file__).with_name("replay_driver.mjs")
LINES_DRIVER = Path(__file__).with_name("playouts_driver.mjs")
CUSTOM = "custom standard a-3:oooo/b-4:ooooo/c-5:oo.ooo/d-6:ooooooo/e-7:oooooooo 6/8/10 0/0/0 0/0/0 1"
RULES = [
    name + options
    for options in ("", "+written", "+tournament", "+tournament+written", "+noties+repetition3")
    for name in (("standard",) if "tournament" in options else ("standard", "blitz"))
]

pytestmark = pytest.mark.skipif(NODE is None, reason="node is missing")


def starts() -> list[Position]:
    return [Position.parse(CUSTOM), *(Position.start(board, rules) for rules in RULES for board in STANDARD_BOARDS)]


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


def compare_positions(some: list[tuple[Position, int]]) -> None:
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
    compare_positions(list(positions(600, seed=1)))


def test_a_chain_of_jumps_is_not_taken_for_a_jump_of_another_marble() -> None:
    # Both had the number of one move: the chain's first jump with its ring, and the other's ring.
    games = [
        ("37 standard Wooo/oGooo/oooWoo/ooooooo/oooooo/ooooo/oooo 4/7/10 0/0/0 0/0/0 1", "x a1Gc3Wc5"),
        ("37 standard oooo/ooooo/oooooo/ooooooo/oooooo/oBWoo/oooo 5/8/9 0/0/0 0/0/0 1", "x f2Wf4"),
    ]
    asked = json.dumps({"described": [board_data.describe_board(standard_board("37"))], "games": games})
    command = [str(NODE), str(REPLAY_DRIVER), str(FRONTEND)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [[0, "x a1Gc3Wc5"], [1, "x f2Wf4"]]


def ask_lines(questions: list[Question]) -> list[str]:
    boards = {
        board: number for number, board in enumerate(dict.fromkeys(question.start.board for question in questions))
    }
    lines = [json.dumps([board_data.describe_board(board) for board in boards])]
    lines += [f"{boards[question.start.board]} {question.pick} {question.text}" for question in questions]
    command = [str(NODE), str(LINES_DRIVER), str(FRONTEND)]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def play_games(count: int, seed: int) -> Iterator[Question]:
    """Yield at least this number of positions: whole random games from each start in turn."""
    chance, games, all_starts = random.Random(seed), Games(), starts()  # noqa: S311 - no secret
    while count > 0:
        for start in all_starts:
            for question in games.play(_shrink(start, chance), chance.randrange(1 << 31)):
                yield question
                count -= 1


def line_of(position: Position, pick: int) -> str:
    """Return the line for a position, from the objects of the rules."""
    found = expected(position, pick)

    def rings(name: str) -> str:
        return hash_words(map(position.board.index.__getitem__, found[name]))

    fields = [
        *(found["text"], found["key"], found["symmetry"], int(found["due"]), rings("free"), rings("full")),
        *(len(found["legal"]), hash_moves(position), found["move"], found["code"], found["decoded"], found["after"]),
        *("" if found[name] is None else found[name] for name in ("ending", "winner")),
        *(",".join(found["sets"]), rings("claimed")),
    ]
    return "\t".join(map(str, fields))


@pytest.mark.long
def test_compiled_games_say_what_the_objects_of_the_rules_say() -> None:
    for question in play_games(2_000, seed=0):
        assert question.answer == line_of(question.position, question.pick)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_rules_in_a_million_positions(seed: int) -> None:
    asked = list(play_games(50_000, seed))
    answers = ask_lines(asked)
    assert len(answers) == len(asked)
    wrong = [(question, answer) for question, answer in zip(asked, answers, strict=True) if question.answer != answer]
    if wrong:  # the whole answer says which move or ring differs
        question, answer = wrong[0]
        compare_positions([(question.position, question.pick)])
        assert answer == question.answer
