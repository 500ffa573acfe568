"""Replay whole games into a row of integers for each position. Runs on lists, or compiled on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    EDGE,
    ENDING,
    FINE,
    RINGS,
    STATE_SIZE,
    Integers,
    State,
    count_captures,
    count_placements,
    edge_rings,
    play,
)
from zertz_db.rules.position_keys import (
    NO_MOVE_CODE,
    Keys,
    least_key,
    least_move_code,
    shape_key,
    start_keys,
    update_keys,
)

# Places in a row, after those of the state.
KEY = STATE_SIZE
SYMMETRY = STATE_SIZE + 1
SHAPE = STATE_SIZE + 2
NEXT_MOVE = STATE_SIZE + 3
LEGAL_MOVES = STATE_SIZE + 4
CAPTURE_DUE = STATE_SIZE + 5
ROW_SIZE = STATE_SIZE + 6

# Places in a game's outcome.
PLAYED = 0  # plies that were legal
REFUSAL = 1  # the refusal of the next one, or FINE
OUTCOME_SIZE = 2

Rows: TypeAlias = Sequence[list[int]]


def write_row(tables: Tables, state: Integers, keys: Keys, row: State) -> None:
    """Write a position's keys, number of legal moves, and whether a capture is due; its state is already there."""
    symmetry = least_key(tables, keys)
    row[KEY] = keys[symmetry]
    row[SYMMETRY] = symmetry
    row[SHAPE] = shape_key(keys)
    row[NEXT_MOVE] = NO_MOVE_CODE
    captures = count_captures(tables, state)
    row[CAPTURE_DUE] = 0
    row[LEGAL_MOVES] = 0
    if captures:
        row[CAPTURE_DUE] = 1
        row[LEGAL_MOVES] = captures
    elif not state[ENDING]:
        row[LEGAL_MOVES] = max(count_placements(tables, state), 1)


def copy_state(state: Integers, row: State) -> None:
    """Write a position's state."""
    for place in range(STATE_SIZE):
        row[place] = state[place]


def replay_game(
    tables: Tables,
    rules: Integers,
    state: State,
    keys: Keys,
    code: Integers,
    begins: Integers,
    first: int,
    last: int,
    rows: Rows,
    row: int,
    outcome: State,
    full: int,
) -> None:
    """Play the plies first … last-1 of `code` (ply p is code[begins[p]:begins[p+1]]) from `state`.

    Write a row for each position before a ply and one for the last position reached, and the outcome. Unless `full`, the rows hold states
    only. The caller must insert passes that a record leaves out.
    """
    if state[EDGE] == 0:
        state[EDGE] = edge_rings(tables, state[RINGS])
    copy_state(state, rows[row])
    if full:
        start_keys(tables, keys, state)
        write_row(tables, state, keys, rows[row])
    outcome[PLAYED] = 0
    outcome[REFUSAL] = FINE
    for ply in range(first, last):
        here = row + ply - first
        refusal = play(tables, rules, state, code, begins[ply], begins[ply + 1])
        if refusal != FINE:
            outcome[REFUSAL] = refusal
            return
        copy_state(state, rows[here + 1])
        if full:
            rows[here][NEXT_MOVE] = least_move_code(tables, keys, code, begins[ply], begins[ply + 1])
            update_keys(tables, keys, rows[here], state)
            write_row(tables, state, keys, rows[here + 1])
        outcome[PLAYED] += 1


def replay_games(
    tables: Tables,
    rules: Rows,
    starts: Rows,
    code: Integers,
    begins: Integers,
    games: Integers,
    keys: Keys,
    rows: Rows,
    outcomes: Rows,
    full: int,
) -> None:
    """Play many games on one board, each from its start under its rules; the starts become the last states reached.

    Game g is the plies games[g] … games[g+1]-1, its first row is row games[g] + g.
    """
    for game in range(len(games) - 1):
        first, last = games[game], games[game + 1]
        state = starts[game]
        replay_game(
            tables, rules[game], state, keys, code, begins, first, last, rows, first + game, outcomes[game], full
        )
