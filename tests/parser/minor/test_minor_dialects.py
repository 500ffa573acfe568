"""The smaller dialects: their content, their faults, and their remarks."""

import pytest

from zertz_db.parser.dialects import read
from zertz_db.parser.record import PASS, Record


def one(text: str, dialect: str, language: str | None = None) -> Record:
    (record,) = read(text, dialect, language=language)
    return record


def plies(record: Record) -> str:
    written = []
    for ply in record.plies:
        jumps = "".join(f">{jump.colour or '?'}{jump.ring}" for jump in ply.jumps)
        claim = "".join(f"+{colour}{ring}" for colour, ring in ply.claim)
        removed = f"/{ply.removed}" if ply.removed else ""
        written.append("-" if ply.kind == PASS else f"{ply.colour or ''}{ply.ring}{jumps}{removed}{claim}")
    return " ".join(written)


PUT = "Player 1: {'action': 'PUT', 'marble': 'w', 'dst': 'C1', 'remove': 'E1'}\n"
CAP = "Player 2 (Ben): {'action': 'CAP', 'marble': 'b', 'src': 'G3', 'dst': 'G1', 'capture': 'g', 'cap': 'G2'}\n"
MAIL = "Summary of Zertz Board 12\nPlayer 1 Player 2\nada ben\n"


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("zertz3d", "37\nWd4\nBd7,b2 x Wa1Wa2\n-\nx c3Ge5", "Wd4 Bd7/b2+Wa1+Wa2 - c3>Ge5"),
        ("zertz3d", "37\nx c3Ge5\nx e5We3\nx a1Ga3", "c3>Ge5>We3 a1>Ga3"),  # two jumps of a chain, and a capture
        ("zertz3d", "61\nWj5,j1\nBa1", "Wi5/i1 Ba1"),
        ("zertz3d", "Wd4,d1\nBd3", "Wd4/d1 Bd3"),
        ("transcript", PUT + CAP, "Wc1/e1 Bg3>Gg1"),
        ("transcript", CAP + CAP.replace("G3", "G1").replace("'G1', 'capture'", "'J1', 'capture'"), "Bg3>Gg1>Gi1"),
        ("transcript", "Player 1: {'action': 'PASS'}", "-"),
        ("transcript", PUT.replace("'E1'", "''"), "Wc1"),
        ("terse", "wd4,d1 f2-f4 b5-d5-d3", "Wd4/d1 f2>?f4 b5>?d5>?d3"),
        ("terse", "G = ['wd4,d1', 'bf2',\n 'f2-f4']  # the end", "Wd4/d1 Bf2 f2>?f4"),
        ("terse", '["wd4,d1", "bf2"]', "Wd4/d1 Bf2"),
        ("terse", "(wd4,d1; f2-f4)", "Wd4/d1 f2>?f4"),
        ("terse", "WD4,D1 F2-F4", "Wd4/d1 f2>?f4"),
        ("terse", '[Board "37"]\n1. wd4,d1 bd3,a1 2. d4-d2 1-0', "Wd4/d1 Bd3/a1 d4>?d2"),
        ("newsletter", "2. Nd2, a3, Nf4, a4; 3. Bg5, c1", "Bd2/a3 Bf4/a4 Wg5/c1"),
        ("newsletter", "2. Nd2, a3 (black, on d2), Nf4, a4 (next to Bg5); 3. Bg5, c1 (so)", "Bd2/a3 Bf4/a4 Wg5/c1"),
        ("newsletter", "1. Bd4,a1; Nd5 , a2 x Nd5; x a1Ng3Bg5.", "Wd4/a1 Bd5/a2+Bd5 a1>Bg3>Wg5"),
        ("mail", f"{MAIL}  1 Wd4,d1\n  2 x d4Gd2 (Auto)\n\n3 cheers", "Wd4/d1 d4>Gd2"),
        ("mail", f"{MAIL} 1 Wd4,d1\n{MAIL} 2 gd5,a1\n", "Wd4/d1 Gd5/a1"),
        ("mail", f"{MAIL} 1 Wd4,d1\n 2 Gd5,a1\n{MAIL} 2 Gd5,a1\n 3 X d4Gd6", "Wd4/d1 Gd5/a1 d4>Gd6"),
        ("rec", "# Zertz game record\n 1 Wd4,d1 \n 2 x d3 W d5 B d7\n 3 Bd7,b2 x Wa1 Wa2 \n 4 Wd4,-- ",
         "Wd4/d1 d3>Wd5>Bd7 Bd7/b2+Wa1+Wa2 Wd4"),
        ("openxum", "Pm1D4WRr1D1Pm2E7GCa1D4D6Ca1D6F7", "Wd4/d1 Ge7 d4>?d6>?f7"),
        ("openxum", "['Ca1D4D6', 'Ca2D6F7']", "d4>?d6 d6>?f7"),  # of two players
        ("direction", "D4:w/D1, D3:b D4-ld-l", "Wd4/d1 Bd3 d4>?d2>?b2"),
        ("direction", "D4-ru-r-rd-lu", "d4>?d6>?f6>?h4>?f6"),
    ],
)  # fmt: skip
def test_plies(dialect: str, text: str, expected: str) -> None:
    record = one(text, dialect)
    assert (plies(record), record.fault) == (expected, None)


def test_a_capture_of_several_actions_reaches_from_the_first_to_the_last() -> None:
    text = "37\nx c3Ge5\nx e5We3\nx a1Ga3"
    spans = [ply.span for ply in one(text, "zertz3d").plies]
    assert [text[span.start : span.end] for span in spans] == ["x c3Ge5\nx e5We3", "x a1Ga3"]


@pytest.mark.parametrize(
    ("dialect", "text", "code", "found", "before"),
    [
        ("zertz3d", "37\nWd4\nBz9", "E214", "z9", 1),
        ("zertz3d", "37\nWd4\nx c3", "E217", "", 1),
        ("zertz3d", "37\nWd4\nDonkey", "E210", "Donkey", 1),
        ("transcript", PUT + "Player 2: {'action': 'JUMP'}", "E253", "Player 2: {'action': 'JUMP'}", 1),
        ("transcript", PUT.replace("C1", "C13"), "E253", PUT.replace("C1", "C13").strip(), 0),
        ("transcript", PUT.replace("'w'", "'x'"), "E253", PUT.replace("'w'", "'x'").strip(), 0),
        ("transcript", PUT + "Player 1: {'a': __import__('os')}", "E210", "__import__", 1),
        ("transcript", PUT + "Player 3: {}", "E210", "Player", 1),
        ("terse", "wd4,d1 d4", "E215", "d4", 1),
        ("terse", "wd4,d1 d4-", "E216", "", 1),
        ("newsletter", "Nd2, a3; Xd4", "E215", "X", 1),
        ("mail", f"{MAIL} 1 Wd4,d1\n 3 Bd3,a1", "E254", "Bd3,a1", 1),
        ("mail", f"{MAIL} 1 Wd4,d1\n 2 Bd3,", "E216", "", 1),
        ("rec", "# Zertz game record\n 1 Wd4,d1\n 2 x d3", "E217", "", 1),
        ("openxum", "Pm1D4WRr2D1", "E255", "Rr2D1", 1),
        ("openxum", "Pm1D4W Qm1", "E210", "Qm1", 1),
        ("direction", "D4:w/D1 D3:x", "E210", "x", 1),
    ],
)
def test_faults_are_placed(dialect: str, text: str, code: str, found: str, before: int) -> None:
    record = one(text, dialect)
    assert record.fault is not None
    assert (record.fault.code, len(record.plies)) == (code, before)
    assert text[record.fault.span.start : record.fault.span.end] == found


@pytest.mark.parametrize(
    ("dialect", "text", "facts"),
    [
        (
            "zertz3d",
            "37 Blitz\n# Player 1: Ada\n# Player 2: Ben B.\nWd4,d1\n# Winner: Player 2\n",
            {"board": "37", "rule_set": "blitz", "player1": "Ada", "player2": "Ben B.", "result": "0-1"},
        ),
        ("zertz3d", "61\nWd4\n# Result: Tie", {"board": "61", "rule_set": "standard", "result": "1/2-1/2"}),
        ("zertz3d", "Wd4", {"board": None, "rule_set": None, "result": None}),
        (
            "transcript",
            f"# Seed: 7\n# Rings: 48\n# Variant: Blitz\n# Player 1: Ada\n#\n{PUT}{CAP}# Final game state:\n# [0 1]",
            {"board": "48", "rule_set": "blitz", "player1": "Ada", "player2": "Ben", "tags": (("Seed", "7"),)},
        ),
        ("mail", f"{MAIL} 1 Wd4", {"board": "37", "player1": "ada", "player2": "ben", "tags": (("GameNumber", "12"),)}),
        ("mail", "A new Zertz+11 board (7)", {"board": "48", "player1": None}),
        ("mail", f"{MAIL} 1 Wd4,d1\n 2 resign", {"ending": "resign", "ending_by": 2, "result": "1-0"}),
        ("rec", "# Zertz game record\n# Game started Mon Sep 11 16:49:04 2017\n 1 Wd4,d1", {"date": "2017.09.11", "board": "37"}),
        ("rec", "# Zertz game record\n# Game started once\n 1 Wd4,d1", {"date": None}),
        ("openxum", "Pm1D4W", {"board": "37", "coordinates": "diagonals"}),
        ("direction", "D4:w", {"board": "37", "coordinates": "rising"}),
        ("newsletter", "Nd2, a3;", {"board": None, "coordinates": "diagonals", "letters_open": False}),
        ("newsletter", '[Coordinates "columns"]\nNd2, a3;', {"coordinates": "columns"}),
        ("newsletter", "Bd2, a3;", {"letters_open": True}),
        ("terse", "bd4,d1", {"letters_open": True, "board": None, "coordinates": None}),
        ("terse", "wd4,d1", {"letters_open": False}),
    ],
)  # fmt: skip
def test_facts(dialect: str, text: str, facts: dict[str, object]) -> None:
    record = one(text, dialect)
    assert {name: getattr(record, name) for name in facts} == facts


@pytest.mark.parametrize(
    ("dialect", "text", "codes"),
    [
        ("terse", "bd4,d1 gd3", ["N751"]),
        ("terse", "sd4,d1", ["W750"]),
        ("terse", '[Language "en"]\nbd4,d1', []),
        ("newsletter", "Nd2, a3;", []),
        ("newsletter", "Gd2, a3; Bd4, a1", ["N751"]),
        ("newsletter", "Sd2, a3;", ["W750"]),
        ("mail", f"{MAIL} 1 wd4,d1\n 2 X d4Gd2", ["N755", "W717", "W714"]),
        ("mail", f"{MAIL} 1 Wd4,d1\n{MAIL} 1 Wd4,a1", ["N755", "W756"]),
        ("rec", "# Zertz game record\n 1 Wd4,d1\n 5 Wd5", ["N755", "W522"]),
        ("openxum", "Pm1D4W", ["N755"]),
        ("direction", "D4:w", ["N755"]),
        ("zertz3d", "37\nWd4", []),
        ("transcript", PUT, []),
    ],
)
def test_remarks(dialect: str, text: str, codes: list[str]) -> None:
    assert [remark.code for remark in one(text, dialect).remarks] == codes


def test_letters_may_come_from_outside() -> None:
    assert [ply.colour for ply in one("bd4,d1 gd3", "terse", "it").plies] == ["W", "G"]
    assert [ply.colour for ply in one("Bd2, a3; Gd4, a1", "newsletter", "en").plies] == ["B", "G"]
    with pytest.raises(ValueError, match="choose one of en, it, fr, de, nl"):
        read("bd4", "terse", language="tlh")


@pytest.mark.parametrize(
    ("dialect", "text", "stretches"),
    [
        ("zertz3d", "37\nWd4\n\n61 Blitz\nBd5\n", ["37\nWd4", "61 Blitz\nBd5"]),
        ("transcript", f"# Seed: 1\n{PUT}# Seed: 2\n# Rings: 37\n{PUT}", [f"# Seed: 1\n{PUT[:-1]}", f"# Seed: 2\n# Rings: 37\n{PUT[:-1]}"]),
        ("terse", "A = ['wd4']\nB = ['wd5']", ["A = ['wd4']", "B = ['wd5']"]),
        ("terse", "1. wd4 bd5 2. wd6\n1. wd4", ["1. wd4 bd5 2. wd6", "1. wd4"]),
        ("newsletter", "1. Nd2, a3;\n\n1. Nd4, a3;", ["1. Nd2, a3;", "1. Nd4, a3;"]),
        ("rec", "# Zertz game record\n1 Wd4\n# Zertz game record\n1 Wd5", ["# Zertz game record\n1 Wd4", "# Zertz game record\n1 Wd5"]),
    ],
)  # fmt: skip
def test_several_games_in_a_text(dialect: str, text: str, stretches: list[str]) -> None:
    assert [text[record.span.start : record.span.end] for record in read(text, dialect)] == stretches


def test_a_mail_s_games_are_separated_and_each_spans_its_mails() -> None:
    other = MAIL.replace("12", "13")
    text = f"Hello\n{MAIL} 1 Wd4,d1\n{other} 1 Wd5,d1\n{MAIL} 2 Bd3,a1\n"
    first, second = read(text, "mail")
    assert (plies(first), plies(second)) == ("Wd4/d1 Bd3/a1", "Wd5/d1")
    assert text[first.span.start :].startswith(MAIL)
    assert text[: first.span.end].endswith("Bd3,a1")
