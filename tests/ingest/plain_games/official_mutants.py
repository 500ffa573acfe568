"""Texts of several records in official notation with small changes: most records stay plain, and some are read otherwise than they look."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games

SNIPPETS = (
    " ", "\n", "\n\n", "\r\n", "\t", "\v", "\u00a0", "\u2003", "\ufeff", "é", "\u0448", "\u0415", "{", "}", "{a comment}", "{two\nlines}",
    '{ [Event "x"]\n', '{[Event "x"]}', '{\n[Event "x"]\n\n1. Wa1 1-0 }', "{[%clk 0:01:02]}", "{[%clk 0:61:02]}", " {[%clk 1:01:02.5]}",
    "(", ")", "(1. Wa1)", ";", "; a note\n", "; Wd4 Bd5\n", "\n% escaped\n", "\n> quoted\n", "On Monday Ada wrote:\n> 1. Wd4\n", "|",
    "\n| a | b |\n", "\\", "\\\n", '"', '\\"', "[", "]", "[%clk 0:00:01]", '[Event "x"]\n', '[Annotator "x"]\n', '[Language "de"]\n',
    '[SetUp "1"]\n', '[Claims "written"]\n', '[Claims "automatic"]\n', '[Tournament "yes"]\n', '[White "x"]\n', '[Evnt "x"]\n',
    '[OutOfTime "Player1"]\n', '[Termination "time"]\n', '[Coordinates "diagonal"]\n', '[Clock "up"]\n', '[Round "N a1"]\n',
    '[Site "s4"]\n', '[Event "N: Wd4"]\n', '[Event "x\\\n', '[Event "x\n', '[Date "2020.1.2"]\n', '[Date "2020.2.30"]\n',
    '[Date "2020.02.30"]\n', '[Date "2020.02.29"]\n', "\x1a", "\0", "1-0", "0-1", "1/2-1/2", "*", " 1-0 ",
    "\n1-0\n", "Player1 resigns ", "Player2 resigns ", "resigns ", "1. ", "\n\n1. Wd4", "7. ", "2... ", "Wd4 ", "Wd4,d1 ", "x d3Wd5 ",
    "- ", "pass ", " x Wa1", "!", "?? ", "$5 ", "Sd4 ", "Nd4 ", "j4", "i4", "10", "0", "Player 1: ", "Ada: ", ", ", "{half turn: Wd4}",
    "(;GM[22])", "Z",
)  # fmt: skip
SOFT = (
    ("1-0", ("0-1", "1-0 ", "1-0\n\n", "1\u20130", "1 - 0", "1-0;", "1-0{x}", "1-0\r", "1-0)")), (" ", ("  ", "\n", "\t", "\n\n", "")),
    ("\n", ("\r\n", " \n", "\n\n", " ", "\n ", "")), ("\n\n[", ("\n[", "[", " [", "\n\n\n[", "\n\n{x}\n[", "\n\n [")),
    (". ", (".", ".\n", ".. ", "... ", ") ")), (" x ", (" X ", "x ", " x", " \u00d7", ",", " x\n")), (",", (", ", " ,", ",-", ".")),
    ("W", ("B", "G", "w", "N", "S", "Ww")), ("a", ("b", "A", "j", "\u0430")), ('"]', ('" ]', '"]]', '" x"]', "]", '"')),
    ("[", ("[ ", "{", "(", " [", "[[")), ("resigns", ("resign", "Resigns", "resigned", "resigns.")),
    ("Player1", ("Player2", "Player 1", "player1", "White")),
    ("standard", ("blitz", "Standard", "tournament", "standard+written", "basic", "?")),
    ('"37"', ('"48"', '"61"', '"Zertz"', '"049"', '"?"', '"40"')),
    ("set", ("resign", "board-filled", "sets", "time", "?", "no-move", "normal")), ('resign"', ('time"', 'set"', '?"', 'resigned"')),
    ("Termination", ("termination", "Result", "Ending")), ("PlyCount", ("Ply", "plycount", "Site")),
    ("Event", ("event", "Site", "Tournament")), ("2", ("3", "12", "0", "1")), ("Wd", ("Wi", "Wj")),
)  # fmt: skip
"""Texts, and others in their place that often mean nearly the same."""


@cache
def seeds() -> tuple[str, ...]:
    """Return written games: short ones that end by resignation or time, some that end by the rules, blitz, clocks, larger boards."""
    games = list(generate_games(300, seed=11))
    found = [record for record in games if len(record.plies) <= 12]
    found += [record for record in games if record.ending == "set"][:6]
    found += [record for record in games if any(ply.claim for ply in record.plies)][:4]
    found += generate_games(4, "48", seed=12)
    found += generate_games(3, "61", seed=13)
    found += generate_games(4, "37", "blitz", seed=14)
    annotated = [record for record in generate_games(30, seed=15, annotated=True) if len(record.plies) <= 20]
    found += annotated
    found += (replace(record, plies=[ply._replace(comment=None) for ply in record.plies]) for record in annotated)
    return tuple(map(write, found))


def texts(count: int, seed: int) -> Iterator[str]:
    """Yield changed texts of two to seven records; a tenth of them are unchanged."""
    choice = random.Random(seed)  # noqa: S311 - no secrets
    for _ in range(count):
        text = "\n".join(choice.choices(seeds(), k=choice.randrange(2, 8)))
        for _ in range(choice.choice((0, 1, 1, 1, 1, 1, 2, 2, 3, 4))):
            text = _change(text, choice)
        yield text


def _change(text: str, choice: random.Random) -> str:
    at = choice.randrange(len(text) + 1)
    if choice.random() < 0.4:  # where records meet
        at = min(len(text), max(0, text.find("\n\n", at) + choice.randrange(-12, 8)))
    match choice.randrange(8):
        case 0 | 1 | 2:
            old, others = choice.choice(SOFT)
            return text[:at] + text[at:].replace(old, choice.choice(others), choice.choice((1, 1, 1, 2)))
        case 3 | 4 | 5:
            return text[:at] + choice.choice(SNIPPETS) + text[at:]
        case 6:
            return text[:at] + text[at + choice.choice((1, 1, 2, 5, 40)) :]
        case _:
            lines = text.split("\n")
            line = choice.randrange(len(lines))
            lines[line] = lines[choice.randrange(len(lines))]
            return "\n".join(lines)
