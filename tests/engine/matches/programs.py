"""Programs that speak the protocol, well or badly, as texts of Python."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

LEGAL = """
import sys
from zertz_db.rules.position import Position
position = None
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        print("name Plain", "ready", sep="\\n", flush=True)
    elif word == "position":
        start, _, moves = rest.partition(" moves ")
        position = Position.parse(start)
        for move in filter(None, moves.split("; ")):
            position = position.play(move)
    elif word == "go":
        print("thinking", "bestmove " + position.notation(next(position.each_move())), sep="\\n", flush=True)
    elif word == "quit":
        break
"""
GREETS = """
import os, sys, time, subprocess
for line in sys.stdin:
    word = line.split()[0]
    if word == "hello":
        print("name Bad", "ready", sep="\\n", flush=True)
    if word == "go":
        {on_go}
"""
"""A program that does something wrong when it is asked for a move."""
FAULTS = {
    "silence": ("time.sleep(600)", "Bad-bot gave no answer within"),
    "a crash": ("raise SystemExit(3)", "Bad-bot has ended, with status 3"),
    "a signal": ("os.kill(os.getpid(), 9)", "Bad-bot was ended by signal 9"),
    "an illegal move": ("print('bestmove Wz9', flush=True)", "Bad-bot played an illegal move: 'Wz9' is not a move"),
    "no move": ("print('bestmove', flush=True)", "Bad-bot played an illegal move: '' is not a move"),
    "many lines": ("while True: print('info')", "Bad-bot wrote more than 2,000 lines without an answer"),
    "one endless line": (
        "while True: sys.stdout.write('x' * 1000)",
        "Bad-bot wrote a line of more than 10,000 characters",
    ),
    "closed output": ("os.close(1); time.sleep(600)", "Bad-bot has closed its input or output"),
    "an error": ("print('error no idea', flush=True)", "Bad-bot reports an error: no idea"),
    "bytes": ("os.write(1, bytes(range(128, 256)) + b'\\nbestmove \\xff\\n')", "Bad-bot played an illegal move"),
}
"""What a program does when it is asked for a move, and how the match reports it."""


def write_program(folder: Path, text: str) -> str:
    """Write a program; return the player `cmd:…` that runs it."""
    path = folder / "program.py"
    path.write_text(text, "utf-8")
    return f"cmd:{shlex.join([sys.executable, str(path)])}"
