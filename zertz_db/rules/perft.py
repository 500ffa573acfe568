"""Count all games of a given length, to check the rules (rules, section 8). Runs on lists, or compiled."""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    ENDING,
    FINE,
    PLACE,
    PLACEMENT_SIZE,
    RACK_UNSAID,
    Integers,
    State,
    any_jump,
    can_jump,
    count_moves,
    end_turn,
    free_rings,
    hop,
    must_pass,
    occupied,
    play,
    skip,
    vacant,
)


def perft(tables: Tables, rules: Integers, state: State, depth: int, jumper: int) -> int:
    """Return the number of sequences of `depth` legal moves from `state`.

    `jumper` is the ring whose marble is in the middle of its chain, or -1 between turns. This is one function, because the compiler
    supports functions that call themselves but not each other. Never pass a literal, or the compiled code on disk crashes when loaded.
    """
    if depth == 0:
        return 1
    if jumper < 0 and depth == 1:
        return count_moves(tables, state)
    if state[ENDING]:
        return 0
    games = 0
    if jumper >= 0 or any_jump(tables, state):
        for place in range(6 * tables.rings):
            ring, landing = place // 6, tables.landing[place]
            if (jumper < 0 or ring == jumper) and is_jump(tables, state, place):
                after = state.copy()
                hop(tables, after, ring, landing, -1)
                turns, next_jumper = depth, landing
                if not can_jump(tables, occupied(after), vacant(after), landing):
                    end_turn(rules, after)
                    turns, next_jumper = depth - 1, -1
                games += perft(tables, rules, after, turns, next_jumper)
        return games
    move = state.copy()  # only for a sequence of the right kind: its places are filled below
    move[0], move[4], move[5], move[6], move[7], move[8] = PLACE, RACK_UNSAID, 0, 0, 0, 0
    free = free_rings(tables, state)
    for colour in range(3):
        for ring in range(tables.rings):
            others = free & ~(1 << ring)
            for removed in range(-1, tables.rings):
                if (removed < 0 and others) or (removed >= 0 and not others >> removed & 1):
                    continue
                move[1], move[2], move[3] = colour, ring, removed
                after = state.copy()
                if play(tables, rules, after, move, 0, PLACEMENT_SIZE) == FINE:
                    games += perft(tables, rules, after, depth - 1, jumper)
    if games == 0 and must_pass(tables, state):
        after = state.copy()
        skip(tables, after)
        return perft(tables, rules, after, depth - 1, jumper)
    return games


def is_jump(tables: Tables, state: Integers, place: int) -> bool:
    """Return whether the marble on ring place // 6 can jump in direction place % 6."""
    landing = tables.landing[place]
    marbles = occupied(state)
    return bool(
        landing >= 0
        and marbles >> (place // 6) & 1
        and marbles >> tables.neighbour[place] & 1
        and vacant(state) >> landing & 1
    )
