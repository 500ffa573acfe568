"""Programs that answer questions of the suite, well or badly."""

from __future__ import annotations

import sys
from pathlib import Path

HONEST = """
import json, sys, time
for line in sys.stdin:
    question = json.loads(line)
    answer = {{"id": question["id"], "count": 1944}}
    {act}
    print(json.dumps(answer), flush=True)
"""
"""Knows one count; `act` is what it does before it answers."""


def write_program(folder: Path, act: str = "pass") -> list[str]:
    """Return the command of a program that does `act` for each question before it answers."""
    file = folder / "program.py"
    file.write_text(HONEST.format(act=act), "utf-8")
    return [sys.executable, str(file)]
