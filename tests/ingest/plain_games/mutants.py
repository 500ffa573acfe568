"""Records of the game server with small changes: most are still plain, and some are read otherwise than they look."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from zertz_db.ingest.sources.place import Content, Place

COMMENTS = re.compile(rb"; C\[[^\]]*\]\n")
DATA = Path(__file__).parents[3] / "data"

SNIPPETS = (
    b" ", b"\n", b"\r\n", b"\r", b"\t", b"\v", b"\f", b"\0", b"\x1c", b"\x85", b"\xa0", "\u00a0".encode(), "\u2003".encode(),
    "\u3000".encode(), "é".encode(), "ш".encode(), b"(", b")", b";", b"(;", b"( ;", b"\n(;", b"[", b"]", b"\\", b"\\]", b"P0[", b"P-1[",
    b"TM[12]", b"TM[007]", b"TM[]", b"TM[1234567890123]", b"C[a comment]", b"RE[Game won by random-1]", b"RE[]", b"RE[x]",
    b"RE[The game is a draw]", b"SU[Zertz]", b"SU[Zertz+11]", b"SU[Zertz+24]", b"SU[Zertz+xx]", b"SU[Chess]", b"GM[22]", b"GM[1]",
    b"GN[]", b'P0[id "Ada"]', b"P1[id Ben]", b"P0[idle]", b"DT[1 May 2004]", b"DT[99 May 2004]", b"; P0[Done]", b"; P1[7 Done ]",
    b"; P0[9 done]", b"; P1[DONE]", b"; P0[Resign]", b"; P1[Resign]\n; P1[Done]", b"; P0[resign ]\n; P0[done ]", b"; P0[Reset]",
    b"; P1[Swap]", b"; P0[Edit]", b"; P0[0 Start P0]", b"; P-1[0 Start P1]", b"; P0[StartP0]", b"; P0[start p1]", b"; P0[R- A 1]",
    b"; P1[R+ A 1]", b"; P0[RtoR 2 1 2]", b"; P0[RtoR 2 0 1]", b"; P1[BtoR D 4 2]", b"; P0[BtoB D 4 D 4]", b"; P0[RtoB 0 1 d 4]",
    b"; P1[RtoB 2 0 Q 12]", b"; P0[R- A 13]", b"; P0[R- A 0]", b"; P0[12R- A 1]", b"; P0[12 R-A 1]",
    b";\nP0[time Resign ]\nP1[time 0:01]\n)", b"; P0[WinOnTime]", b"22", b"0", b"9", b"x",
)  # fmt: skip
NAMES = (
    "Z-a-b-2015-05-06-1200.sgf", "Z-a-b-2004-03-09-0230.sgf", "Z-a-b-2004-12-31-2359.sgf", "U!Z-a-b-2015-02-30-1200.sgf",
    "games/Z-a-b-2004-05-32-0800.sgf", "Z-a-b-1999-05-06-1200.SGF", "game.sgf", "game.txt", "game", "game.2015-05-06-1200.gipf",
)  # fmt: skip


@cache
def seeds() -> tuple[bytes, ...]:
    """Return the server's records among the samples without their comments, and some that end by resignation."""
    found: list[bytes] = []
    for path in sorted(DATA.glob("server-*.zip")):
        with zipfile.ZipFile(path) as archive:
            found += (COMMENTS.sub(b"", archive.read(member)) for member in archive.infolist()[:12])
    short = found[0][: found[0].index(b"P1[", found[0].index(b"Done"))]
    ends = (b"P1[Resign]\n; P1[Done]", b"P1[resign ]TM[5]", b"P1[Resign]\n;P0[R- A 1]")
    return (*found, *(short + end + b"\n;\nP0[time 0:00:01 ]\nP1[time 0:00:02 ]\n)\n" for end in ends))


def mutants(count: int, seed: int) -> Iterator[Content]:
    """Yield changed records as contents of files; a tenth of them are unchanged."""
    choice = random.Random(seed)  # noqa: S311 - no secrets
    for number in range(count):
        data = choice.choice(seeds())
        for _ in range(choice.choice((0, 1, 1, 1, 1, 1, 2, 2, 3, 4))):
            data = _change(data, choice)
        name = NAMES[0] if choice.random() < 0.7 else choice.choice(NAMES)
        yield Content(Place("archive.zip", f"{number}/{name}", len(data), number=number), data)


SOFT = (
    (b" ", (b"  ", b"\t", b"\r\n", b"\n ", b" \x0b", b"\xa0")), (b";", (b" ;", b";\n", b"; ", b";\r\n\r\n")),
    (b"]", (b"]TM[5]", b" ]", b"] ", b"]\tTM[0099]")), (b"[", (b"[ ", b" [", b"[\n")),
    (b"Done", (b"done", b"Done ", b"DONE", b"done\n")), (b"RtoB", (b"rtob", b"RTOB", b"RtoR 2 2 2]\n; P0[RtoB")),
    (b"R-", (b"r-", b"R- ")), (b"BtoB", (b"btob", b"Btob", b"BtoB D 4 D 4]\n;P1[BtoB")), (b"P0[", (b"P0 [", b"P0[7 ", b"P0[ ")),
    (b"22", (b"22 ", b" 22")), (b"won", (b"won ", b"lost")), (b"id ", (b"id  ", b"id\t", b"id")),
    (b"Zertz", (b"zertz", b"Zertz+11", b"ZERTZ 37", b"Zertz ")), (b"(", (b" (", b"\n(", b"( ", b"(\n")),
    (b"\n", (b"\r\n", b" \n", b"\n\n", b"\r")), (b" 2 ", (b" 0 ", b" 1 ")), (b"P1", (b"P0",)),
    (b"time", (b"time Resign", b"time (", b"tim")),
)  # fmt: skip
"""Texts, and others in their place that often mean the same."""


def _change(data: bytes, choice: random.Random) -> bytes:
    if choice.random() < 0.6:
        old, others = choice.choice(SOFT)
        at = choice.choice((0, choice.randrange(len(data) + 1)))
        return data[:at] + data[at:].replace(old, choice.choice(others), choice.choice((1, 1, 1, -1)))
    lines = data.split(b"\n")
    at = choice.randrange(len(data) + 1)
    if choice.random() < 0.5:  # within the header or at the end, where most rules are
        at = choice.choice((at % 300, max(0, len(data) - at % 120)))
    line = choice.randrange(len(lines))
    match choice.randrange(9):
        case 0:
            return data[:at] + data[at + choice.choice((1, 1, 2, 5)) :]
        case 1 | 2:
            return data[:at] + choice.choice(SNIPPETS) + data[at:]
        case 3:
            return data[:at] + bytes([choice.randrange(256)]) + data[at + 1 :]
        case 4:
            return b"\n".join([*lines[:line], *lines[line + 1 :]])
        case 5:
            return b"\n".join([*lines[:line], lines[choice.randrange(len(lines))], *lines[line:]])
        case 6:
            return b"\n".join([*lines[:line], choice.choice(SNIPPETS), *lines[line:]])
        case 7:
            lines[line] = choice.choice((bytes.swapcase, bytes.lower, bytes.upper))(lines[line])
            return b"\n".join(lines)
        case _:
            old = choice.choice((b"P0", b"P1", b"Done", b" 2 ", b"]", b"\n", b" ", b"; ", b"D ", b"R- "))
            new = choice.choice(
                (b"P1", b"P-1", b"Done", b"done", b" 1 ", b"]TM[99]", b"\r\n", b"  ", b";", b"E ", b"R+ ", b"\t")
            )
            return data[:at] + data[at:].replace(old, new, choice.choice((1, 1, -1)))
