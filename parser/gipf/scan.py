"""Scan plain records in official notation: bytes become numbers of plies and facts of tags.

The grammar defines the form. These functions accept a subset of what `fast_path` reads, and resignations, with the same plies. They reject
every other text; the caller reads that by the grammar. Tests compare both ways. The functions use integers and arrays only, so that numba
can compile them (`zertz_db.rules.compiled`); bytes and lists work as well. Functions that read a part of a text return the offset after it,
or -1.

Rejected, whatever the grammar says: characters beyond ASCII, comments other than clocks, passes, ties, all tags that are not in the list
below, brackets and backslashes in values, and spaces that the writer does not write.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

Octets: TypeAlias = Sequence[int]
"""Bytes, or an array of them."""
Numbers: TypeAlias = MutableSequence[int]
"""A list of integers, or an array."""
Table: TypeAlias = Sequence[Numbers]

# Columns of a record's facts.
BEGIN, END, PLIES, BOARD, IS_BLITZ, WINNER, STATED, RESIGNED = 0, 1, 2, 3, 4, 5, 6, 7
"""BEGIN, END: offsets of the first tag, and of the next text after the record. BOARD: number of rings. WINNER: 1 or 2. STATED: how the game
ended, by its tag: an ending below, or 0. RESIGNED: the player who resigns in the movetext, or 0."""
FACTS_SIZE = 8
BY_SET, BOARD_FILLED, NO_MOVE, RESIGN, TIME = 1, 2, 4, 5, 6
"""Stated endings; the first three are those of the rules."""

# Places in a state of work.
RING, NUMBER, CLAIMS, SEEN, STATED_PLIES, STATED_WINNER, WORD, REST = 0, 1, 2, 3, 4, 5, 6, 7
"""RING: the ring that was read. NUMBER, CLAIMS: the next free places. SEEN: a bit for each tag. WORD, REST: a word of up to 14 letters."""
WORK_SIZE = 8

LEAST_PLY_BYTES = 4
"""Bytes of the shortest ply with the space after it."""
LEAST_RECORD_BYTES = 50
LEAST_CLAIM_BYTES = 3
PLACEMENT_SIZE = 9
_MAX_RECORD_BYTES = 100_000
_MAX_PLIES = 400
_FIRST_RING, _ROWS = 1000, 12
_HALF = 7
"""Letters in half of a word: they fit into a number of 63 bits."""


def _halves(word: bytes) -> tuple[int, int]:
    return int.from_bytes(word[:_HALF], "big"), int.from_bytes(word[_HALF:], "big")


_NAMES = [
    _halves(name)
    for name in (
        b"Event", b"Site", b"Round", b"Player1", b"Player2", b"Date", b"Result", b"Board", b"RuleSet", b"Termination", b"PlyCount",
        b"Clock",
    )
]  # fmt: skip
_LAST_FREE, _DATE, _RESULT, _BOARD, _RULE_SET, _TERMINATION, _PLY_COUNT, _CLOCK = 4, 5, 6, 7, 8, 9, 10, 11
"""Places in _NAMES; values up to the place _LAST_FREE are free text."""
_NAME_WORDS, _NAME_RESTS = tuple(word for word, _ in _NAMES), tuple(rest for _, rest in _NAMES)
_STANDARD_WORD, _STANDARD_REST = _halves(b"standard")
_BLITZ_WORD, _ = _halves(b"blitz")
_FIRST_WON, _ = _halves(b"1-0")
_SECOND_WON, _ = _halves(b"0-1")
_UNKNOWN, _ = _halves(b"?")
_UP, _ = _halves(b"up")
_DOWN, _ = _halves(b"down")
_PLAYER, _ = _halves(b"Player")
_RESIGNS_WORD, _RESIGNS_REST = _halves(b" resigns")
_ENDINGS = [_halves(ending) for ending in (b"set", b"board-filled", b"no-move", b"resign", b"time")]
_ENDING_WORDS, _ENDING_RESTS = tuple(word for word, _ in _ENDINGS), tuple(rest for _, rest in _ENDINGS)
_ENDING_NUMBERS = (BY_SET, BOARD_FILLED, NO_MOVE, RESIGN, TIME)


def is_digit(byte: int) -> bool:
    """Return whether a byte is a digit."""
    return 48 <= byte <= 57


def read_space(data: Octets, at: int, end: int) -> int:
    """Read one space or line feed."""
    return at + 1 if 0 <= at < end and (data[at] == 32 or data[at] == 10) else -1


def pack_word(data: Octets, begin: int, end: int, work: Numbers) -> bool:
    """Write a word to WORD and REST; return False for a longer one than 14 letters."""
    work[WORD], work[REST] = 0, 0
    if end - begin > 2 * _HALF:
        return False
    for at in range(begin, end):
        place = WORD if at - begin < _HALF else REST
        work[place] = work[place] << 8 | data[at]
    return True


def read_ring(data: Octets, at: int, end: int, work: Numbers) -> int:
    """Read a ring's name; its number is then at RING."""
    if at < 0 or at + 1 >= end:
        return -1
    column, row = data[at] - 97, data[at + 1] - 48
    if not 0 <= column <= 16 or not 1 <= row <= 9:
        return -1
    if column == 9:  # j may be meant as i
        return -1
    at += 2
    if row == 1 and at < end and 48 <= data[at] <= 50:
        row = data[at] - 38
        at += 1
    if at < end and is_digit(data[at]):
        return -1
    work[RING] = _FIRST_RING + _ROWS * column + row - 1
    return at


def read_colour(data: Octets, at: int, end: int) -> int:
    """Return the number of the colour letter at an offset, or -1."""
    if at < 0 or at >= end:
        return -1
    if data[at] == 87:
        return 0
    if data[at] == 71:
        return 1
    return 2 if data[at] == 66 else -1


def read_count(data: Octets, begin: int, end: int) -> int:
    """Return the number of one to four digits between two offsets, or -1."""
    count = 0
    if not 1 <= end - begin <= 4:
        return -1
    for at in range(begin, end):
        if not is_digit(data[at]):
            return -1
        count = 10 * count + data[at] - 48
    return count


def read_part_of_date(data: Octets, begin: int, end: int) -> int:
    """Return the number between two offsets, 1 for question marks only, or -1."""
    marks = 0
    for at in range(begin, end):
        marks += data[at] == 63
    return 1 if marks == end - begin else read_count(data, begin, end)


def is_date(data: Octets, at: int, end: int) -> bool:
    """Return whether a value is a possible date in the usual form, `YYYY.MM.DD`. A leap day is left to the grammar."""
    if end - at != 10 or data[at + 4] != 46 or data[at + 7] != 46:
        return False
    year = read_part_of_date(data, at, at + 4)
    month = read_part_of_date(data, at + 5, at + 7)
    day = read_part_of_date(data, at + 8, at + 10)
    if year < 1 or month < 1 or month > 12 or day < 1 or day > 31:
        return False
    days = 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31
    return day <= (28 if month == 2 else days)


def skip_value(data: Octets, at: int, end: int) -> int:
    """Skip a value and its closing quotation mark."""
    while at < end:
        byte = data[at]
        if byte == 34:
            return at + 1
        if byte < 32 or byte > 126 or byte == 91 or byte == 92 or byte == 93 or byte == 59 or byte >= 123:
            return -1
        if 49 <= byte <= 57 and may_be_foreign(data, at):
            return -1
        at += 1
    return -1


def may_be_foreign(data: Octets, at: int) -> bool:
    """Return whether a digit may end a ring after a colour letter of another language: `N a1`."""
    column = data[at - 1] | 32
    if not 97 <= column <= 113:
        return False
    letter = (data[at - 3] if data[at - 2] == 32 else data[at - 2]) | 32
    return letter == 110 or letter == 115 or letter == 122


def take_tag(data: Octets, begin: int, end: int, tag: int, facts: Numbers, work: Numbers) -> bool:
    """Take the value of a tag; return False if the grammar must read it."""
    if tag <= _LAST_FREE:
        return True
    is_short = pack_word(data, begin, end, work)
    word, rest = work[WORD], work[REST]
    is_open = is_short and (begin == end or word == _UNKNOWN) and rest == 0
    if tag == _DATE:
        return is_open or is_date(data, begin, end)
    if not is_short:
        return False
    if tag == _RESULT:
        if rest == 0 and word == _FIRST_WON:
            work[STATED_WINNER] = 1
            return True
        if rest == 0 and word == _SECOND_WON:
            work[STATED_WINNER] = 2
            return True
        return is_open
    if tag == _BOARD:
        facts[BOARD] = read_count(data, begin, end) if data[begin] != 48 else -1
        return facts[BOARD] > 0
    if tag == _RULE_SET:
        facts[IS_BLITZ] = 1 if word == _BLITZ_WORD and rest == 0 else 0
        return facts[IS_BLITZ] == 1 or (word == _STANDARD_WORD and rest == _STANDARD_REST)
    if tag == _TERMINATION:
        for ending in range(len(_ENDING_WORDS)):
            if word == _ENDING_WORDS[ending] and rest == _ENDING_RESTS[ending]:
                facts[STATED] = _ENDING_NUMBERS[ending]
                return True
        return is_open
    if tag == _CLOCK:
        return is_open or (rest == 0 and word in (_UP, _DOWN))
    work[STATED_PLIES] = read_count(data, begin, end)
    return is_open or work[STATED_PLIES] >= 0


def scan_tags(data: Octets, at: int, end: int, facts: Numbers, work: Numbers) -> int:
    """Read tags, each on a line, and empty lines after them."""
    while at < end and data[at] == 91:
        begin = at + 1
        at = begin
        while at < end and (97 <= (data[at] | 32) <= 122 or is_digit(data[at])):
            at += 1
        if at + 1 >= end or data[at] != 32 or data[at + 1] != 34 or not pack_word(data, begin, at, work):
            return -1
        tag = -1
        for place in range(len(_NAME_WORDS)):
            if work[WORD] == _NAME_WORDS[place] and work[REST] == _NAME_RESTS[place]:
                tag = place
        if tag < 0 or work[SEEN] >> tag & 1:
            return -1
        work[SEEN] |= 1 << tag
        value = at + 2
        at = skip_value(data, value, end)
        if at < 0 or at + 1 >= end or data[at] != 93 or data[at + 1] != 10:
            return -1
        if not take_tag(data, value, at - 1, tag, facts, work):
            return -1
        at += 2
    while at < end and data[at] == 10:
        at += 1
    return at if work[SEEN] >> _BOARD & 1 and work[SEEN] >> _RULE_SET & 1 else -1


def read_marbles(data: Octets, at: int, end: int, ply: int, claims: Table, work: Numbers) -> int:
    """Read the marbles of a claim; they become rows of `claims`: ply, colour, ring."""
    colour = read_colour(data, at, end)
    if colour < 0:
        return -1
    while colour >= 0:
        at = read_ring(data, at + 1, end, work)
        if at < 0:
            return -1
        row = claims[work[CLAIMS]]
        row[0], row[1], row[2] = ply, colour, work[RING]
        work[CLAIMS] += 1
        colour = read_colour(data, at, end)
    return at


def read_placement(data: Octets, at: int, end: int, ply: int, numbers: Numbers, claims: Table, work: Numbers) -> int:
    """Read a placement with its removed ring and claim, and write its numbers."""
    number = work[NUMBER]
    for place in range(number, number + PLACEMENT_SIZE):
        numbers[place] = 0
    numbers[number + 1] = read_colour(data, at, end)
    at = read_ring(data, at + 1, end, work)
    numbers[number + 2] = work[RING]
    numbers[number + 3] = -1
    numbers[number + 4] = -1
    if 0 <= at < end and data[at] == 44:
        at = read_ring(data, at + 1, end, work)
        numbers[number + 3] = work[RING]
    work[NUMBER] = number + PLACEMENT_SIZE
    claim = at + 3
    if at >= 0 and claim < end and data[at + 1] == 120 and read_colour(data, claim, end) >= 0:
        if read_space(data, at, end) < 0 or read_space(data, at + 2, end) < 0:
            return -1
        return read_marbles(data, claim, end, ply, claims, work)
    return at


def read_capture(data: Octets, at: int, end: int, numbers: Numbers, work: Numbers) -> int:
    """Read a capture, and write its numbers."""
    number = work[NUMBER]
    at = read_ring(data, read_space(data, at + 1, end), end, work)
    numbers[number] = 1
    numbers[number + 1] = work[RING]
    number += 2
    colour = read_colour(data, at, end)
    if colour < 0:
        return -1
    while colour >= 0:
        at = read_ring(data, at + 1, end, work)
        if at < 0:
            return -1
        numbers[number] = colour
        numbers[number + 1] = work[RING]
        number += 2
        colour = read_colour(data, at, end)
    work[NUMBER] = number
    return at


def read_pair(data: Octets, at: int, end: int) -> int:
    """Read a colon and two digits up to 59."""
    is_pair = at + 2 < end and data[at] == 58 and 48 <= data[at + 1] <= 53 and is_digit(data[at + 2])
    return at + 3 if is_pair else -1


def read_clock(data: Octets, begin: int, end: int) -> int:
    """Read a clock in its braces, `{[%clk 0:01:02.500]}`."""
    if begin + 7 >= end or data[begin + 1] != 91 or data[begin + 2] != 37 or data[begin + 3] != 99:
        return -1
    if data[begin + 4] != 108 or data[begin + 5] != 107 or data[begin + 6] != 32:
        return -1
    at = begin + 7
    while at < end and is_digit(data[at]):
        at += 1
    if not begin + 8 <= at <= begin + 13:
        return -1
    at = read_pair(data, at, end)
    at = read_pair(data, at, end) if at > 0 else -1
    if at < 0:
        return -1
    if at < end and data[at] == 46:
        digits = at + 1
        at = digits
        while at < end and is_digit(data[at]):
            at += 1
        if not digits + 1 <= at <= digits + 3:
            return -1
    return at + 2 if at + 1 < end and data[at] == 93 and data[at + 1] == 125 else -1


def read_number(data: Octets, begin: int, end: int, due: int) -> int:
    """Read the number of a turn with its full stop and the space after it."""
    at = begin
    while at < end and is_digit(data[at]):
        at += 1
    if at >= end or data[at] != 46 or data[begin] == 48 or read_count(data, begin, at) != due:
        return -1
    return read_space(data, at + 1, end)


def scan_plies(
    data: Octets,
    at: int,
    end: int,
    first: int,
    numbers: Numbers,
    begins: Numbers,
    claims: Table,
    facts: Numbers,
    work: Numbers,
) -> int:
    """Read plies with their numbers and clocks, up to the end of the game. They are written from the ply `first` on."""
    plies = 0
    begins[first] = work[NUMBER]
    while at < end:
        after = at
        if plies & 1 == 0:
            after = read_number(data, at, end, plies // 2 + 1)
        if after < 0 or after >= end:
            break
        if data[after] == 120:
            after = read_capture(data, after, end, numbers, work)
        elif read_colour(data, after, end) >= 0:
            after = read_placement(data, after, end, first + plies, numbers, claims, work)
        else:
            break
        after = read_space(data, after, end)
        if after < 0 or plies >= _MAX_PLIES:
            return -1
        if after < end and data[after] == 123:
            after = read_space(data, read_clock(data, after, end), end)
            if after < 0:
                return -1
        plies += 1
        begins[first + plies] = work[NUMBER]
        at = after
    facts[PLIES] = plies
    return at if plies else -1


def scan_end(data: Octets, at: int, end: int, facts: Numbers, work: Numbers) -> int:
    """Read a resignation, the result, and empty lines up to the next tag or the end of the text."""
    if at + 15 < end and data[at] == 80:  # Player1 resigns
        pack_word(data, at, at + 6, work)
        is_player = work[WORD] == _PLAYER
        pack_word(data, at + 7, at + 15, work)
        if not is_player or work[WORD] != _RESIGNS_WORD or work[REST] != _RESIGNS_REST:
            return -1
        facts[RESIGNED] = data[at + 6] - 48
        if facts[RESIGNED] != 1 and facts[RESIGNED] != 2:
            return -1
        at = read_space(data, at + 15, end)
    if at < 0 or at + 2 >= end:
        return -1
    if data[at + 1] != 45 or data[at] + data[at + 2] != 97 or (data[at] != 48 and data[at] != 49):
        return -1
    facts[WINNER] = 1 if data[at] == 49 else 2
    at += 3
    if at < end and data[at] != 10:
        return -1
    while at < end and data[at] == 10:
        at += 1
    return at if at == end or data[at] == 91 else -1


def scan_record(
    data: Octets,
    begin: int,
    end: int,
    ply: int,
    numbers: Numbers,
    begins: Numbers,
    claims: Table,
    facts: Numbers,
    work: Numbers,
) -> int:
    """Read a record that begins with its first tag; its plies are written from the ply `ply` on."""
    for column in range(FACTS_SIZE):
        facts[column] = 0
    work[SEEN], work[STATED_PLIES], work[STATED_WINNER] = 0, -1, 0
    at = scan_tags(data, begin, end, facts, work)
    if at < 0:
        return -1
    at = scan_plies(data, at, end, ply, numbers, begins, claims, facts, work)
    if at < 0 or at - begin > _MAX_RECORD_BYTES:
        return -1
    at = scan_end(data, at, end, facts, work)
    if work[STATED_PLIES] >= 0 and work[STATED_PLIES] != facts[PLIES]:
        return -1
    if work[STATED_WINNER] and work[STATED_WINNER] != facts[WINNER]:
        return -1
    facts[BEGIN], facts[END] = begin, at
    return at


def find_section(data: Octets, at: int, end: int) -> int:
    """Return the offset of the next bracket after an empty line, from `at` on, or the end."""
    while at < end:
        if data[at] == 91 and at > 1 and data[at - 1] == 10 and data[at - 2] == 10:
            return at
        at += 1
    return end


def scan_records(data: Octets, numbers: Numbers, begins: Numbers, claims: Table, facts: Table, work: Numbers) -> int:
    """Read the plain records of a text. Return their number; `facts` has a row for each.

    Their plies follow each other: ply p is numbers[begins[p]:begins[p+1]]. `claims` has a row for each claimed marble;
    work[CLAIMS] is their number.
    """
    end = len(data)
    at, ply, count = 0, 0, 0
    work[NUMBER], work[CLAIMS] = 0, 0
    while at < end and data[at] == 10:
        at += 1
    while at < end:
        number, claimed = work[NUMBER], work[CLAIMS]
        after = scan_record(data, at, end, ply, numbers, begins, claims, facts[count], work) if data[at] == 91 else -1
        if after < 0:
            work[NUMBER], work[CLAIMS] = number, claimed
            at = find_section(data, at + 1, end)
        else:
            ply += facts[count][PLIES]
            count += 1
            at = after
    begins[ply] = work[NUMBER]
    return count
