"""Scan plain games of the game server: bytes become numbers of plies, clocks, and offsets of header values.

The grammar defines the form. These functions accept a subset of what `fast_path` reads, with the same plies, and reject every other text;
the caller reads that by the grammar. Tests compare both ways. The functions use integers and arrays only, so that numba can compile them
(`zertz_db.rules.compiled`); bytes and lists work as well. Functions that read a part of a text return the offset after it, or -1.

Rejected, whatever the grammar says: backslashes, control characters, a lone carriage return, a parenthesis that might begin a game, nodes
with further properties, a swap of sides, a resignation that goes on, properties of the same name twice.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

Octets: TypeAlias = Sequence[int]
"""Bytes, or an array of them."""
Numbers: TypeAlias = MutableSequence[int]
"""A list of integers, or an array."""
Table: TypeAlias = Sequence[Numbers]

# Columns of a game's facts.
PLIES, FIRST_SIDE, RESIGNED, IS_FOREIGN = 0, 1, 2, 3
"""PLIES: number of plies, 0 for a game that is not plain. RESIGNED: the side that resigned, or -1. IS_FOREIGN: bytes beyond ASCII."""
GM, SU, DT, GN, RE, ID_0, ID_1 = 4, 6, 8, 10, 12, 14, 16
"""The first of two columns: the offsets at which the value begins and ends, within brackets; -1 without one."""
HEADER_END = 18
"""The offset after the root's properties."""
FACTS_SIZE = 19

# Places in an action.
KIND, ARGUMENT, CLOCK = 0, 1, 5
ACTION_SIZE = 6
PLACE, REMOVE_RING, JUMP, ADD_RING, RETURN_MARBLE, HAND_OVER, DONE, RESIGN, START, RESET = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10

# Places in a turn.
RACK, COLOUR, RING, REMOVED, JUMPS, TURN_CLOCK, PATH = 0, 1, 2, 3, 4, 5, 6
"""RACK: -1 without a placement. REMOVED: a ring or -1. JUMPS: their number. PATH: the rings of the jumps."""
MAX_JUMPS = 60
TURN_SIZE = PATH + MAX_JUMPS + 1

LEAST_PLY_BYTES = 17
"""Bytes of the shortest action that makes a ply: `;P0[BtoB A 1 A 2`."""
PLACEMENT_SIZE = 9
"""Numbers of a placement: the largest share of numbers in bytes."""
MAX_GAME_BYTES = 100_000
_MAX_PLIES = 2_000
_MAX_PROPERTIES = 200
_MAX_VALUE = 60_000
_MAX_CLOCK_DIGITS = 12
_FIRST_RING, _ROWS = 1000, 12
_POOL = 2
_NO_MOVER = -9


def skip_gap(data: Octets, at: int, end: int) -> int:
    """Skip spaces, tabs and line ends; stop at a carriage return without a line feed."""
    while at < end:
        byte = data[at]
        if byte == 13:
            if at + 1 >= end or data[at + 1] != 10:
                return at
        elif byte != 32 and byte != 10 and byte != 9:
            return at
        at += 1
    return at


def skip_blank(data: Octets, at: int, end: int) -> int:
    """Skip at least one space, tab or line end."""
    after = skip_gap(data, at, end)
    return after if after > at else -1


def skip_value(data: Octets, at: int, end: int, facts: Numbers) -> int:
    """Skip a value and its closing bracket; `at` is the offset after the opening one."""
    last = min(end, at + _MAX_VALUE)
    while at < last:
        byte = data[at]
        at += 1
        if byte == 93:
            return at
        if byte == 92 or (byte < 32 and byte != 9 and byte != 10 and byte != 13):
            return -1
        following = data[at] if at < end else 0
        if byte == 13 and following != 10:
            return -1
        if byte == 40 and may_begin_game(following):
            return -1
        if byte >= 128:
            facts[IS_FOREIGN] = 1
    return -1


def may_begin_game(byte: int) -> bool:
    """Return whether the byte after a parenthesis is a semicolon, or perhaps part of a space in any alphabet."""
    return byte == 59 or byte <= 32 or byte == 0xC2 or 0xE1 <= byte <= 0xE3


def read_cell(data: Octets, at: int, end: int, action: Numbers, argument: int) -> int:
    """Read a blank and a cell, such as ` D 12`; its ring number becomes an argument of the action."""
    at = skip_blank(data, at, end)
    if at < 0 or at >= end:
        return -1
    column = (data[at] | 32) - 97
    at = skip_blank(data, at + 1, end)
    if not 0 <= column <= 16 or at < 0 or at >= end:
        return -1
    row = data[at] - 48
    if not 1 <= row <= 9:
        return -1
    at += 1
    if row == 1 and at < end and 48 <= data[at] <= 50:
        row = data[at] - 38
        at += 1
    action[ARGUMENT + argument] = _FIRST_RING + _ROWS * column + row - 1
    return at


def read_digit(data: Octets, at: int, end: int, action: Numbers, argument: int) -> int:
    """Read a blank and a digit from 0 to 2: a rack or a colour."""
    at = skip_blank(data, at, end)
    if at < 0 or at >= end or not 48 <= data[at] <= 50:
        return -1
    action[ARGUMENT + argument] = data[at] - 48
    return at + 1


def read_command(data: Octets, at: int, end: int, action: Numbers) -> int:
    """Read a command of a player."""
    if at + 4 >= end:
        return -1
    one, two, three, four = data[at] | 32, data[at + 1] | 32, data[at + 2] | 32, data[at + 3] | 32
    if one == 114 and two == 116 and three == 111 and four == 98:  # RtoB
        action[KIND] = PLACE
        at = read_digit(data, at + 4, end, action, 0)
        at = read_digit(data, at, end, action, 1) if at > 0 else -1
        return read_cell(data, at, end, action, 2) if at > 0 else -1
    if one == 114 and data[at + 1] == 45:  # R-
        action[KIND] = REMOVE_RING
        return read_cell(data, at + 2, end, action, 0)
    if (
        one == 100 and data[at + 1] == 111 and data[at + 2] == 110 and data[at + 3] == 101
    ):  # Done or done, as in the fast path
        action[KIND] = DONE
        return at + 4
    if one == 98 and two == 116 and three == 111 and four == 98:  # BtoB
        action[KIND] = JUMP
        at = read_cell(data, at + 4, end, action, 0)
        return read_cell(data, at, end, action, 1) if at > 0 else -1
    return read_rare_command(data, at, end, action)


def read_rare_command(data: Octets, at: int, end: int, action: Numbers) -> int:
    """Read a correction, Start, Reset or Resign."""
    one, two, three, four, five = (
        data[at] | 32,
        data[at + 1] | 32,
        data[at + 2] | 32,
        data[at + 3] | 32,
        data[at + 4] | 32,
    )
    if one == 114 and data[at + 1] == 43:  # R+
        action[KIND] = ADD_RING
        return read_cell(data, at + 2, end, action, 0)
    if one == 98 and two == 116 and three == 111 and four == 114:  # BtoR
        action[KIND] = RETURN_MARBLE
        at = read_cell(data, at + 4, end, action, 0)
        return read_digit(data, at, end, action, 1) if at > 0 else -1
    if one == 114 and two == 116 and three == 111 and four == 114:  # RtoR
        action[KIND] = HAND_OVER
        at = read_digit(data, at + 4, end, action, 0)
        at = read_digit(data, at, end, action, 1) if at > 0 else -1
        return read_digit(data, at, end, action, 2) if at > 0 else -1
    if one == 114 and two == 101 and three == 115 and four == 101 and five == 116:  # Reset
        action[KIND] = RESET
        return at + 5
    if one == 114 and two == 101 and three == 115 and four == 105 and five == 103:  # Resign
        action[KIND] = RESIGN
        return at + 6 if at + 6 < end and data[at + 5] | 32 == 110 else -1
    if one == 115 and two == 116 and three == 97 and four == 114 and five == 116:  # Start P0
        action[KIND] = START
        at = skip_blank(data, at + 5, end)
        if at < 0 or at + 1 >= end or data[at] | 32 != 112:
            return -1
        return at + 2 if data[at + 1] == 48 or data[at + 1] == 49 else -1
    return -1


def read_clock(data: Octets, at: int, end: int, action: Numbers) -> int:
    """Read a clock and the bracket after it; `at` is the offset of its first digit."""
    clock, begin = 0, at
    while at < end and 48 <= data[at] <= 57:
        clock = 10 * clock + data[at] - 48
        at += 1
        if at - begin > _MAX_CLOCK_DIGITS:
            return -1
    if at == begin or at >= end or data[at] != 93:
        return -1
    action[CLOCK] = clock
    return at + 1


def read_action(data: Octets, at: int, end: int, action: Numbers) -> int:
    """Read an action and the clock after it, from the bracket to the semicolon of the next node."""
    action[CLOCK] = -1
    at = skip_gap(data, at, end)
    if at >= end or data[at] != 91:
        return -1
    at = skip_gap(data, at + 1, end)
    begin = at
    while at < end and 48 <= data[at] <= 57:
        at += 1
    if at > begin:
        at = skip_blank(data, at, end)
        if at < 0:
            return -1
    at = read_command(data, at, end, action)
    if at < 0:
        return -1
    at = skip_gap(data, at, end)
    if at >= end or data[at] != 93:
        return -1
    at = skip_gap(data, at + 1, end)
    if at + 3 < end and data[at] == 84 and data[at + 1] == 77 and data[at + 2] == 91:  # TM[
        at = read_clock(data, at + 3, end, action)
        if at > 0:
            at = skip_gap(data, at, end)
    return at


def begin_turn(turn: Numbers) -> None:
    """Empty a turn."""
    turn[RACK] = -1
    turn[REMOVED] = -1
    turn[JUMPS] = 0
    turn[TURN_CLOCK] = -1


def take_action(turn: Numbers, action: Numbers) -> bool:
    """Add an action to a turn, as `turns.Turn` does; return False if the turn can't have it."""
    kind, one, two, three = action[KIND], action[ARGUMENT], action[ARGUMENT + 1], action[ARGUMENT + 2]
    if action[CLOCK] >= 0:
        turn[TURN_CLOCK] = action[CLOCK]
    if kind == PLACE:
        if turn[JUMPS] or turn[RACK] >= 0:
            return False
        turn[RACK], turn[COLOUR], turn[RING] = one, two, three
        return True
    if kind == REMOVE_RING:
        if turn[JUMPS] or turn[REMOVED] >= 0:
            return False
        turn[REMOVED] = one
        return True
    if kind == JUMP:
        return one == two or take_jump(turn, one, two)
    if kind == ADD_RING:
        is_removed = turn[REMOVED] == one
        turn[REMOVED] = -1
        return is_removed
    if kind == RETURN_MARBLE:
        is_placed = turn[RACK] >= 0 and turn[RING] == one
        turn[RACK] = -1
        return is_placed
    return kind == HAND_OVER and one == three


def take_jump(turn: Numbers, origin: int, target: int) -> bool:
    """Add a jump to a turn, move a marble placed in it, or undo the last jump."""
    jumps = turn[JUMPS]
    if turn[RACK] >= 0:
        is_same = turn[RING] == origin
        turn[RING] = target
        return is_same
    if turn[REMOVED] >= 0 or jumps >= MAX_JUMPS:
        return False
    if jumps == 0:
        turn[PATH] = origin
    elif turn[PATH + jumps] != origin:
        return False
    elif turn[PATH + jumps - 1] == target:
        turn[JUMPS] = jumps - 1
        return True
    turn[PATH + jumps + 1] = target
    turn[JUMPS] = jumps + 1
    return True


def write_ply(turn: Numbers, side: int, numbers: Numbers, at: int) -> int:
    """Write the numbers of a turn, as `packed_plies` defines them; return the index after them, or -1 for a turn without a move."""
    if turn[RACK] >= 0:
        numbers[at] = 0
        numbers[at + 1] = turn[COLOUR]
        numbers[at + 2] = turn[RING]
        numbers[at + 3] = turn[REMOVED]
        numbers[at + 4] = 0 if turn[RACK] == _POOL else 1 if turn[RACK] == side else 2
        for place in range(at + 5, at + PLACEMENT_SIZE):
            numbers[place] = 0
        return at + PLACEMENT_SIZE
    jumps = turn[JUMPS]
    if jumps == 0:
        return -1
    numbers[at] = 1
    numbers[at + 1] = turn[PATH]
    for jump in range(jumps):
        numbers[at + 2 + 2 * jump] = -1
        numbers[at + 3 + 2 * jump] = turn[PATH + jump + 1]
    return at + 2 + 2 * jumps


def note_property(data: Octets, name: int, begin: int, end: int, facts: Numbers) -> bool:
    """Note the value of a property that counts, by its name of two letters; return False for a second one."""
    column = -1
    if name == 0x474D:
        column = GM
    elif name == 0x5355:
        column = SU
    elif name == 0x4454:
        column = DT
    elif name == 0x474E:
        column = GN
    elif name == 0x5245:
        column = RE
    elif name == 0x5030 or name == 0x5031:
        at = skip_gap(data, begin, end)
        if at < end and data[at] >= 128:
            return False  # perhaps another kind of space
        if at + 2 < end and (data[at] == 105 and data[at + 1] == 100):  # id
            if data[at + 2] >= 128:
                return False
            if data[at + 2] <= 32:
                column = ID_0 if name == 0x5030 else ID_1
    if column < 0:
        return True
    is_first = facts[column] < 0
    facts[column] = begin
    facts[column + 1] = end
    return is_first


def is_letter(byte: int) -> bool:
    """Return whether a byte is a letter from A to Z or a to z."""
    return 97 <= (byte | 32) <= 122


def scan_header(data: Octets, begin: int, end: int, facts: Numbers) -> int:
    """Read a game up to the semicolon of its first action."""
    at = skip_gap(data, begin, end)
    if at >= end or data[at] != 40:
        return -1
    at = skip_gap(data, at + 1, end)
    if at >= end or data[at] != 59:
        return -1
    at = skip_gap(data, at + 1, end)
    count = 0
    while at < end and is_letter(data[at]):
        name, length = 0, 0
        while at < end and (is_letter(data[at]) or 48 <= data[at] <= 57 or data[at] == 45):
            name = (name << 8 | data[at]) & 0xFFFF
            length += 1
            at += 1
        at = skip_gap(data, at, end)
        if at >= end or data[at] != 91:
            return -1
        value = at + 1
        at = skip_value(data, value, end, facts)
        count += 1
        if at < 0 or count > _MAX_PROPERTIES:
            return -1
        if length == 2 and not note_property(data, name, value, at - 1, facts):
            return -1
        at = skip_gap(data, at, end)
    return at if count else -1


def starts_times(data: Octets, at: int, end: int, mover: int) -> bool:
    """Return whether the times of a side begin here: `P0[time`."""
    return (
        at + 7 < end
        and data[at] == 80
        and data[at + 1] == 48 + mover
        and data[at + 2] == 91
        and data[at + 3] == 116
        and data[at + 4] == 105
        and data[at + 5] == 109
        and data[at + 6] == 101
    )


def scan_times(data: Octets, begin: int, end: int, facts: Numbers) -> int:
    """Read the closing times and the end of the game; `begin` is the offset of the first P."""
    at = skip_value(data, begin + 7, end, facts)
    if at < 0:
        return -1
    at = skip_gap(data, at, end)
    if not starts_times(data, at, end, 1):
        return -1
    at = skip_value(data, at + 7, end, facts)
    if at < 0:
        return -1
    if facts[RESIGNED] >= 0:  # the reader looks for the last `Resign` of the text
        for place in range(begin, at):
            if data[place] == 82:
                return -1
    at = skip_gap(data, at, end)
    if at >= end or data[at] != 41:
        return -1
    return skip_gap(data, at + 1, end)


def read_mover(data: Octets, at: int, end: int) -> int:
    """Return the side of an action, `P0`, `P1` or `P-1`, or _NO_MOVER."""
    if at + 3 >= end or data[at] != 80:
        return _NO_MOVER
    if data[at + 1] == 48:
        return 0
    if data[at + 1] == 49:
        return 1
    return -1 if data[at + 1] == 45 and data[at + 2] == 49 else _NO_MOVER


def scan_game(
    data: Octets,
    begin: int,
    end: int,
    ply: int,
    number: int,
    numbers: Numbers,
    begins: Numbers,
    clocks: Numbers,
    facts: Numbers,
    action: Numbers,
    turn: Numbers,
) -> int:
    """Read a game; write its plies from the ply `ply` on, whose first number is `number`. Return the number of plies, or -1."""
    at = scan_header(data, begin, end, facts)
    facts[HEADER_END] = at
    plies, nodes = 0, 0
    side, last = -1, -1
    is_confirmed = False
    begins[ply] = number
    while 0 <= at < end and data[at] == 59:
        at = skip_gap(data, at + 1, end)
        is_over = starts_times(data, at, end, 0)
        mover = -1
        if not is_over:
            mover = read_mover(data, at, end)
            if mover == _NO_MOVER:
                return -1
            at = read_action(data, at + (2 if mover >= 0 else 3), end, action)
            if at < 0:
                return -1
            nodes += 1
            if action[KIND] == START and nodes == 1:
                continue
            if action[KIND] == START or mover < 0:
                return -1
            if facts[RESIGNED] >= 0:  # only Done may follow, once
                if action[KIND] != DONE or mover != facts[RESIGNED] or is_confirmed:
                    return -1
                is_confirmed = True
                continue
            if action[KIND] == RESIGN:
                if side == mover:
                    return -1
                facts[RESIGNED] = mover
                continue
            if action[KIND] == RESET:  # the server's replay skips it
                continue
        is_done = not is_over and action[KIND] == DONE and (side < 0 or side == mover)
        if is_done and action[CLOCK] >= 0:
            turn[TURN_CLOCK] = action[CLOCK]
        if side >= 0 and (is_done or side != mover):
            number = write_ply(turn, side, numbers, number)
            if number < 0 or plies >= _MAX_PLIES:
                return -1
            clocks[ply + plies] = turn[TURN_CLOCK]
            plies += 1
            begins[ply + plies] = number
            last, side = side, -1
            if is_done:
                continue
        if is_over:
            at = scan_times(data, at, end, facts)
            return plies if at == end else -1
        if action[KIND] == DONE:
            return -1
        if side < 0:
            if mover == last:
                return -1
            if plies == 0:
                facts[FIRST_SIDE] = mover
            side = mover
            begin_turn(turn)
        if not take_action(turn, action):
            return -1
    return -1


def scan_games(
    data: Octets,
    edges: Sequence[int],
    numbers: Numbers,
    begins: Numbers,
    clocks: Numbers,
    facts: Table,
    action: Numbers,
    turn: Numbers,
) -> int:
    """Read texts that may be plain games: text g is data[edges[g]:edges[g+1]]. Return the number of plies of all plain ones.

    Their plies follow each other: ply p is numbers[begins[p]:begins[p+1]], with the clock clocks[p] (-1 without one). `facts` has a row
    for each text.
    """
    ply, number = 0, 0
    begins[0] = 0
    for game in range(len(edges) - 1):
        row = facts[game]
        for column in range(FACTS_SIZE):
            row[column] = -1
        row[PLIES], row[IS_FOREIGN] = 0, 0
        begin, end = edges[game], edges[game + 1]
        if end - begin > MAX_GAME_BYTES:
            continue
        plies = scan_game(data, begin, end, ply, number, numbers, begins, clocks, row, action, turn)
        if plies > 0:
            row[PLIES] = plies
            ply += plies
            number = begins[ply]
    return ply
