"""Questions that were made by hand: a few for each rule, mostly about what random play seldom meets."""

from __future__ import annotations

from collections.abc import Iterator

from zertz_db.conformance.questions import QuestionKind
from zertz_db.conformance.seeded_cases import Case
from zertz_db.parser.vocabulary.board_names import COLUMNS
from zertz_db.parser.vocabulary.terms import Ending, Verdict
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position

# On these small custom boards a single column is a line of rings, each of them free. Columns a, c, e … without those between are groups
# of their own. A line has a position without the word custom, and moves with & between them.

_PLAYS = """
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Ga2,a1
standard a0:oooo 0/0/1 1/0/1 0/0/0 1 | Ba1,a4
standard a0:oooo 0/0/0 0/0/1 0/0/2 1 | Ba1,a4
standard a0:oooo 0/0/0 0/0/1 0/0/2 2 | Ba1,a4
standard a0:oo/c0:Wo 0/0/0 0/1/0 0/0/0 1 | Ga1,c2
standard a0:oo/c0:Wo 0/0/0 3/0/0 0/0/0 1 | Wa1,c2
standard a-1:oo/b-2:ooo 6/8/10 0/0/0 0/0/0 1 | Wa1,b2
standard a-1:o/b-2:oo/c-1:oo 6/8/10 0/0/0 0/0/0 1 | Wa1,b2
standard a-1:oo/b-2:ooo/c-1:oo/e1:o 6/8/10 0/0/0 0/0/0 1 | Wb2,e1
standard e-1:WGB/f-2:WooB/g-1:WGB 6/8/10 0/0/0 0/0/0 1 | Wf2
standard a-1:WG/b-2:BoW/c-1:oG 6/8/10 0/0/0 0/0/0 1 | Wc1
standard a0:oWGo 6/8/10 0/0/0 0/0/0 1 | x a2Ga4
standard a0:oWGo 6/8/10 0/0/0 0/0/0 2 | x a3Wa1
standard a0:WWo 6/8/10 0/0/0 0/0/0 1 | x a1Wa3
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1 | x a3Ga5Wc1Ga3Ba1
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1 | x a3Gc1Wa5Ga3Ba1
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1 | x a3Ba1
standard a0:WGo/c0:B 6/8/10 0/0/0 0/0/0 1 | x a1Ga3
standard a0:oWG.B 6/8/10 0/0/0 0/0/0 1 | x a3Wa1
standard a0:oooW 6/8/10 0/0/0 0/0/0 1 | Ba1,a3
standard a0:ooo 6/8/10 0/0/0 0/0/0 1 | Ga3,a2
standard a0:oo/c0:Wo 6/8/10 0/0/0 0/0/0 1 | Gc2,a1
standard a-1:WG/b-2:BoW/c-1:GB/e-1:WGB/f-2:WooB/g-1:WGB 6/8/10 0/0/0 0/0/0 1 | Wb2
standard a0:oo/c0:Wo 6/8/10 0/0/0 0/0/0 1 | Ga1,c2
standard a0:WoB/c0:oo 6/8/10 0/0/0 0/0/0 1 | Gc1,a2
standard a0:oW/c0:o/e0:oo 6/8/10 0/0/0 0/0/0 1 | Gc1,a1
standard a-1:WG/b-2:BoW/c-1:GB/e1:oo 6/8/10 0/0/0 0/0/0 1 | Gb2,e1
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Ba4,a2
standard a0:W/c0:ooo 6/8/10 0/0/0 0/0/0 1 | Gc1,c3
standard a0:WoB/c0:oo 6/8/10 0/0/0 0/0/0 1 | Gc1,a2 x Wa1Ba3
standard a0:W/c0:ooo 6/8/10 0/0/0 0/0/0 1 | Gc1,c3 x Wa1
standard+written a0:oooW 6/8/10 0/0/0 0/0/0 1 | Ba1,a3 x Wa4
standard+written a0:oooW 6/8/10 0/0/0 0/0/0 1 | Ba1,a3
standard+written a0:WoB/c0:oo 6/8/10 0/0/0 0/0/0 1 | Gc1,a2 x Wa1
standard+written a0:oo/c0:Wo 6/8/10 0/0/0 0/0/0 1 | Gc2,a1 x Wc1Gc2
standard+written a0:oooW/c0:ooo 6/8/10 0/0/0 0/0/0 1 | Ba1,a3 & Bc1,c3
standard a0:W/c0:G 1/0/0 0/0/0 0/0/0 1 | -
standard a0:ooo 0/0/0 0/0/0 1/0/0 1 | -
standard a0:ooo 0/0/0 0/0/0 1/0/0 1 | - & Wa1,a3
standard a0:WWo 0/0/0 0/0/0 1/0/0 2 1 | x a1Wa3
standard a0:ooooo 0/0/0 0/0/0 2/0/0 1 | - & Wa1,a5 & - & Wa3,a4
standard a0:WWo 0/0/1 2/4/2 0/0/0 1 | x a1Wa3
standard a0:WBo 0/0/1 2/4/4 0/0/0 1 | x a1Ba3
standard a0:WWo 6/8/10 2/2/1 0/0/0 1 | x a1Wa3
standard+tournament a0:oooo 1/0/0 0/0/0 1/0/0 1 | Wa1,a4
standard+tournament a0:oooW 0/0/1 0/0/0 0/0/0 1 | Ba1,a3
standard a0:oooo 1/0/0 0/0/0 0/0/0 1 | Wa1,a4
standard a0:WGo 6/8/10 0/0/0 0/0/0 1 | Wa3
standard a0:WGo/c0:oo 6/8/10 0/0/0 0/0/0 1 | Wc1,c2
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wb1,a1
standard a0:oo.o 6/8/10 0/0/0 0/0/0 1 | Wa3,a1
standard a0:Wooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4
standard a0:oooo 0/1/0 3/0/0 0/0/0 1 | Wa1,a4
standard a0:oooo 0/0/0 0/1/0 3/0/0 1 | Wa1,a4
standard a0:oo/c0:Wo 0/0/0 0/1/0 0/0/0 1 | Wa1,c2 x Wc1
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1
standard a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1 | Wc2
standard a-1:oo/b-2:ooo/c-1:oo/e1:W/g1:o 6/8/10 0/0/0 0/0/0 1 | Wb2
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,b1
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4 & Wa3,a4
standard a0:ooWo 6/8/10 0/0/0 0/0/0 1 | Wa1,a3
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a1
standard a-1:oo/b-2:ooo/c-1:oo 6/8/10 0/0/0 0/0/0 1 | Wa1,b2
standard a-1:oo/b-2:oo/c-1:oo 6/8/10 0/0/0 0/0/0 1 | Wa1,b2
standard a-1:oo/b0:o/c-1:oo 6/8/10 0/0/0 0/0/0 1 | Wa1,b1
standard a-1:o/b-2:ooo/c-1:o 6/8/10 0/0/0 0/0/0 1 | Wa1,b2
standard a-1:o/b-2:.oo/c-1:o 6/8/10 0/0/0 0/0/0 1 | Wa1,b2
standard e-1:WGB/f-2:WooB/g-1:WGB 6/8/10 0/0/0 0/0/0 1 | Wf2,f3
standard a0:ooGo 6/8/10 0/0/0 0/0/0 1 | x a2Ga4
standard a0:oWGo 6/8/10 0/0/0 0/0/0 1 | x b1Ga4
standard a0:WG/b1:o 6/8/10 0/0/0 0/0/0 1 | x a1Gb1
standard a0:WGBo 6/8/10 0/0/0 0/0/0 1 | x a1Ga4
standard a0:oWGo 6/8/10 0/0/0 0/0/0 1 | x a2Ga2
standard a0:W.o 6/8/10 0/0/0 0/0/0 1 | x a1Wa3
standard a0:WooW 6/8/10 0/0/0 0/0/0 1 | x a1Wa3
standard a0:Woooo 6/8/10 0/0/0 0/0/0 1 | Wa4,a5 & x a1Wa3
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1 | x a3Ga5Ga3
standard a0:oWG. 6/8/10 0/0/0 0/0/0 1 | x a2Ga4
standard a0:ooooo 6/8/10 0/0/0 0/0/0 1 | Wa2,a5 & Ga3,a4 & x a2Ga4
standard a0:oWGB 6/8/10 0/0/0 0/0/0 1 | x a2Ga4
standard a0:oWGo 6/8/10 0/0/0 0/0/0 1 | x a2Ba4
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1 | x a3Ga5
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1 | x a3Ga5Wc1Ga3
standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1 | x a1Wa3
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4 x Wa2
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4 x Wa4
standard+written a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4 x Wb1
standard a0:oooW 6/8/10 0/0/0 0/0/0 1 | Ba1,a3 x Ga4
standard+written a0:ooo 6/8/10 0/0/0 0/0/0 1 | Ga3,a2 x Wa3
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | Wa1,a4 x Wa1
standard+written a0:oooW 6/8/10 0/0/0 0/0/0 1 | Ba1,a3 x Wa4Ba1
standard a0:oo/c0:Wo 6/8/10 0/0/0 0/0/0 1 | Gc2,a1 x Wc1
standard+written a0:oo/c0:Wo 6/8/10 0/0/0 0/0/0 1 | Gc2,a1 x Gc2
standard+written a0:W/c0:ooo 6/8/10 0/0/0 0/0/0 1 | Gc1,c3 x Wa1
standard+written a0:oooW/c0:ooo 6/8/10 0/0/0 0/0/0 1 | Ba1,a3 & Bc1,c3 x Wa4
standard+written a0:oooW/c0:W 6/8/10 0/0/0 0/0/0 1 | Ba1,a3 x Wa4Wc1
standard a0:WoB/c0:oo 6/8/10 0/0/0 0/0/0 1 | Gc1,a2 x Wa1
standard a0:W/c0:oooW 6/8/10 0/0/0 0/0/0 1 | Gc1,c3 x Wc4
standard a0:oooo 6/8/10 0/0/0 0/0/0 1 | -
standard a0:WGo 0/0/0 0/0/0 0/0/0 1 | -
standard a0:oo 0/0/0 0/0/1 0/0/0 1 | -
standard a0:WWo 0/0/1 3/0/0 0/0/0 1 | x a1Wa3 & Ba1,a2
"""

_ENDINGS = """
standard a0:WWo 0/0/1 3/0/0 0/0/0 1 | x a1Wa3
standard a0:WGo 0/0/1 0/4/0 0/0/0 1 | x a1Ga3
standard a0:WBo 0/0/1 0/0/5 0/0/0 1 | x a1Ba3
standard a0:WWo 0/0/1 2/3/3 0/0/0 1 | x a1Wa3
standard a0:WWo 0/0/1 0/0/0 3/0/0 2 | x a1Wa3
blitz a0:WWo 0/0/1 2/0/0 0/0/0 1 | x a1Wa3
blitz a0:WGo 0/0/1 0/3/0 0/0/0 1 | x a1Ga3
blitz a0:WBo 0/0/1 0/0/4 0/0/0 1 | x a1Ba3
blitz a0:WBo 0/0/1 2/2/1 0/0/0 1 | x a1Ba3
standard a0:BWoGo 0/0/1 3/2/3 0/0/0 1 | x a1Wa3Ga5
standard a0:o/c0:WGBBB 0/0/1 3/4/2 0/0/0 1 | Ba1
standard a0:BWoGo 0/0/1 3/0/0 0/0/0 1 | x a1Wa3Ga5
standard a0:oooW 0/0/1 3/0/0 0/0/0 1 | Ba1,a3
standard a0:oo/c0:Wo 1/0/0 2/0/0 0/0/0 1 | Wc2,a1
standard a0:oo/c0:Wo 0/0/0 3/0/0 0/0/0 1 | Wc2,a1
standard a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1 | Ga1,a2
standard a0:o/c0:W 0/1/0 0/0/0 0/0/0 2 | Ga1
standard a-1:WG/b-2:BoW/c-1:GB 1/0/0 0/0/0 0/0/0 1 | Wb2
standard a0:oo/c0:W 0/1/0 3/0/0 0/0/0 1 | Ga1,a2
standard a0:oo/c0:W 0/1/0 0/0/0 2/4/5 1 | Ga1,a2
standard+written a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1 | Ga1,a2
standard+written a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1 | Ga1,a2 x Ga1
standard+written a0:oooW 0/0/2 0/0/0 0/0/0 1 | Ba1,a3 & Ba2
standard+tournament a0:oooo 1/0/0 0/0/0 0/0/0 1 | Wa1,a4
standard+tournament a0:Gooo 1/0/0 0/0/0 0/0/0 2 | Wa2,a4
standard+tournament a0:oo/c0:W 0/1/0 0/0/0 0/0/0 1 | Ga1,a2
standard+tournament+written a0:oooW 0/0/1 0/0/0 0/0/0 1 | Ba1,a3
standard+tournament a0:oo/c0:W 0/1/0 0/0/1 0/0/0 1 | Ga1,a2
standard a0:W/c0:G 1/0/0 0/0/0 0/0/0 1 | - & -
standard a0:oo 0/0/0 0/0/0 0/0/0 1 | - & -
standard a0:W 1/0/0 0/0/0 0/0/0 2 1 | -
"""

_MOVES = """
standard a-4:oBWGo/b1:GW/c2:o 6/8/10 0/0/0 0/0/0 1
standard a0:oWGo 6/8/10 0/0/0 0/0/0 1
standard a0:WGo 0/0/0 0/0/0 0/0/0 1
standard a0:WGo/c0:oo 6/8/10 0/0/0 0/0/0 2
standard a0:WG.o 0/0/0 0/0/1 0/0/0 1
standard a0:WGBo.o 0/0/1 0/0/0 0/0/0 1
standard a0:WG/b1:o 0/0/1 0/0/0 0/0/0 1
standard a0:oo 1/0/2 0/4/0 0/0/0 1
standard a0:oo 0/0/0 0/4/0 1/0/1 1
standard a0:o/c0:o 1/0/0 0/0/0 0/0/0 1
standard e-1:WGB/f-2:WooB/g-1:WGB 1/0/0 0/0/0 0/0/0 1
standard a-1:WG/b-2:BoW/c-1:oG 1/0/0 0/0/0 0/0/0 1
standard a0:oo 0/0/0 0/0/0 1/0/0 1
standard+written a0:oW/c0:o 1/0/0 0/0/0 0/0/0 1
"""

_START = "37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo"
_POSITIONS = f"""
{_START} 6/8/10 0/0/0 0/0/0 1
{_START} 6/8/10 0/0/0 0/0/0 2
{_START} 6/8/10 0/0/0 0/0/0 1 1
{_START} 6/8/10 0/0/0 0/0/0 1 0
{_START} 06/08/10 0/0/0 0/0/0 1
{_START} 99/0/0 0/0/0 0/0/0 1
{_START} 0/0/0 3/4/2 0/0/0 1
37 blitz oooo/ooooo/oooooo/oooooo./oooWoo/oo.Go/oooo 4/6/9 0/0/0 0/0/0 1
custom standard a-3:oooo/b-4:ooooo/c-5:ooo.oo 6/8/10 0/0/0 0/0/0 1
custom blitz+written a0:o/q11:W 0/0/0 0/0/0 0/0/0 2 1
{_START} 6/8/10 0/0/0 0/0/0
{_START} 6/8/10 0/0/0 0/0/0 3
{_START} 6/8/10 0/0/0 0/0/0 1 2
{_START} 6/8 0/0/0 0/0/0 1
{_START} 6/8/-1 0/0/0 0/0/0 1
{_START} 6/8/100 0/0/0 0/0/0 1
{_START} 6/8/10 4/0/0 0/0/0 1
{_START} 6/8/10 0/0/0 3/3/3 1
37 blitz oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 2/2/2 0/0/0 1
37 blitz+tournament oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 0/0/0 0/0/0 1
37 chess oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1
38 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1
48 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1
37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/ooo 6/8/10 0/0/0 0/0/0 1
37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooX 6/8/10 0/0/0 0/0/0 1
37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/ooow 6/8/10 0/0/0 0/0/0 1
custom standard a0:oo/a4:oo 6/8/10 0/0/0 0/0/0 1
custom standard r0:oo 6/8/10 0/0/0 0/0/0 1
custom standard a0:ooooooooooooo 6/8/10 0/0/0 0/0/0 1
custom standard oo/oo 6/8/10 0/0/0 0/0/0 1
"""

_REPEATS = """[SetUp "1"]
[Position "37 {rules} ..../...../.WGBW./..Boo../.GBWG./...../.... 0/0/0 2/4/5 1/1/2 1"]

1. Wd4 x d3Wd5 2. Wd4 x d5Wd3 3. Gd4 x d3Gd5 4. Gd4 x d5Gd3"""
_TWO_TURNS = "1. Wd4,d1 Bd3,a1"
_STANDARD = '[Board "37"]\n[RuleSet "standard"]\n'

_RECORDS: tuple[tuple[str, str], ...] = (
    ("resigns", f"{_STANDARD}\n{_TWO_TURNS} 2. x d3Wd5 Player2 resigns 1-0"),
    ("resigns", f'{_STANDARD}[Result "0-1"]\n[Termination "resign"]\n\n{_TWO_TURNS} 0-1'),
    (Ending.TIME, f'{_STANDARD}[Result "1-0"]\n[Termination "time"]\n\n{_TWO_TURNS} 1-0'),
    (Ending.AGREED, f'{_STANDARD}[Result "1/2-1/2"]\n[Termination "agreed"]\n\n{_TWO_TURNS} 1/2-1/2'),
    (Verdict.UNFINISHED, f"{_STANDARD}\n{_TWO_TURNS} *"),
    (Verdict.UNFINISHED, f"{_STANDARD}\n*"),
    (Verdict.ILLEGAL, f"{_STANDARD}\n{_TWO_TURNS} 2. Wa2,b1 *"),
    (Verdict.ILLEGAL, f"{_STANDARD}\n1. Wd4,d1 Wd4,a1 *"),
    (Verdict.ILLEGAL, f"{_STANDARD}\n1. Wd4,d4 *"),
    (Verdict.ILLEGAL, f"{_STANDARD}\n1. - *"),
    (Verdict.UNREADABLE, f"{_STANDARD}\n1. Wd4,d1 Knight *"),
    (Ending.REPETITION, _REPEATS.format(rules="standard")),
    (Ending.REPETITION, f"{_REPEATS.format(rules='standard')} 5. Bd4 *"),
    (Ending.REPETITION, f"{_REPEATS.format(rules='standard+noties')} 0-0"),
    (Ending.REPETITION, f"{_REPEATS.format(rules='standard+repetition2')} 1/2-1/2"),
    (Ending.REPETITION, f"{_REPEATS.format(rules='standard+repetition2')} 5. Bd4 *"),
    (Ending.REPETITION, f"{_REPEATS.format(rules='standard+repetition3')} 5. Bd4 *"),
    ("contradicted", '[SetUp "1"]\n[Position "custom standard a0:WWo 0/0/1 3/0/0 0/0/0 1"]\n\n1. x a1Wa3 0-1'),
    (Ending.SET, '[SetUp "1"]\n[Position "custom standard a0:WWo 0/0/1 3/0/0 0/0/0 1"]\n\n1. x a1Wa3 1-0'),
    (Ending.SET, '[SetUp "1"]\n[Position "custom standard a0:WWo 0/0/1 3/0/0 0/0/0 1"]\n\n1. x a1Wa3'),
    ("after-the-end", '[SetUp "1"]\n[Position "custom standard a0:WWo 0/0/1 3/0/0 0/0/0 1"]\n\n1. x a1Wa3 Ba1,a2'),
    (Ending.NO_MOVE, '[SetUp "1"]\n[Position "custom standard a0:W/c0:G 1/0/0 0/0/0 0/0/0 1"]\n\n1. - - 1/2-1/2'),
    (Ending.NO_MOVE, '[SetUp "1"]\n[Position "custom standard+noties a0:W/c0:G 1/0/0 0/0/0 0/0/0 1"]\n\n1. - - 0-0'),
    (
        Ending.BOTH_LOSE,
        '[SetUp "1"]\n[Position "custom standard+tournament a0:oooo 1/0/0 0/0/0 0/0/0 1"]\n\n1. Wa1,a4 0-0',
    ),
    ("claims", '[SetUp "1"]\n[Position "custom standard+written a0:oooW 6/8/10 0/0/0 0/0/0 1"]\n\n1. Ba1,a3 *'),
    ("claims", '[SetUp "1"]\n[Position "custom standard a0:oooW 6/8/10 0/0/0 0/0/0 1"]\n\n1. Ba1,a3 x Wa4 *'),
    ("claims", '[SetUp "1"]\n[Position "custom standard a0:oooW 6/8/10 0/0/0 0/0/0 1"]\n\n1. Ba1,a3 x Ga4 *'),
)

_PLAYERS = '[Player1 "{}"]\n[Player2 "{}"]\n'
_DECOMPOSED = "Z\u030cOFIE"
_IDS = (
    f"{_STANDARD}\n{_TWO_TURNS} *",
    f"{_PLAYERS.format('Ada', 'Ben')}{_STANDARD}\n{_TWO_TURNS} *",
    f"{_PLAYERS.format('ADA', '  ben ')}{_STANDARD}\n{_TWO_TURNS} *",
    f"{_PLAYERS.format('Ben', 'Ada')}{_STANDARD}\n{_TWO_TURNS} *",
    f"{_PLAYERS.format('Žofie', 'Straße')}{_STANDARD}\n{_TWO_TURNS} *",
    f"{_PLAYERS.format(_DECOMPOSED, 'STRASSE')}{_STANDARD}\n{_TWO_TURNS} *",
    f'[Date "2026.05.01"]\n{_STANDARD}\n{_TWO_TURNS} *',
    f'[Date "2026.05.??"]\n{_STANDARD}\n{_TWO_TURNS} *',
    f'[Event "Club night"]\n[Round "3"]\n{_STANDARD}\n{_TWO_TURNS} {{a comment}} 1-0',
    f'[Board "48"]\n[RuleSet "standard"]\n\n{_TWO_TURNS} *',
    f"{_STANDARD}\n{_TWO_TURNS} 2. Wa2,b1 *",
    _RECORDS[-3][1],
    _RECORDS[-2][1],
)


_LARGE_COLUMNS = "/".join(f"{letter}{x % 2}:{'o' * 12}" for x, letter in enumerate(COLUMNS[:10]))
_LARGE = f"custom standard {_LARGE_COLUMNS} 6/8/10 0/0/0 0/0/0 1"
_LARGE_LINE = ["Wj11,a1", "Gj10,a2", "x j11Gj9", "Bi9,j12", "x i9Wj9"]
"""A board of 120 rings: more than 64, the bits of most machines' numbers."""


def list_hand_made_cases() -> Iterator[Case]:
    """Yield the questions."""
    starts = (str(Position.start(board)) for board in STANDARD_BOARDS)
    for text in (*starts, *_POSITIONS.strip().splitlines()):
        yield Case(QuestionKind.POSITION, "text", {"text": text})
    for kind, lines in ((QuestionKind.PLAY, _PLAYS), (QuestionKind.ENDING, _ENDINGS)):
        for line in lines.strip().splitlines():
            position, _, moves = line.partition(" | ")
            yield Case(kind, "rules", {"position": f"custom {position}", "moves": moves.split(" & ")})
    yield Case(QuestionKind.POSITION, "large", {"text": _LARGE})
    yield Case(QuestionKind.MOVES, "large", {"position": _LARGE})
    yield Case(QuestionKind.PERFT, "large", {"position": _LARGE, "depth": 1})
    yield Case(QuestionKind.PLAY, "large", {"position": _LARGE, "moves": _LARGE_LINE})
    for line in _MOVES.strip().splitlines():
        yield Case(QuestionKind.MOVES, "rules", {"position": f"custom {line}"})
    for group, record in _RECORDS:
        yield Case(QuestionKind.RECORD, group, {"record": f"{record}\n"})
    for record in _IDS:
        yield Case(QuestionKind.GAME_ID, "values", {"record": f"{record}\n"})
