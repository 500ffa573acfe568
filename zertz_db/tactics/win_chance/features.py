"""Describe a position by small integers, for the win chance of the player to move: on lists, or compiled on arrays.

Every feature is a number of marbles, rings or plies, and equal for all symmetric images of a position. "Mine" are those of the player to
move. The features are meant for free turns: no jump is due.
"""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    CAPTURED,
    EACH,
    GOAL,
    MARBLES,
    POOL,
    RINGS,
    SIDE,
    Integers,
    edge_rings,
    lowest,
    occupied,
    size,
)
from zertz_db.tactics.instant_wins import cluster_of
from zertz_db.tactics.search_moves import jump_landings

Rows = Sequence[list[int]]

FEATURES = (
    "rings",
    "vacant rings",
    "free rings",
    "marbles in the pool",
    "white in the pool",
    "grey in the pool",
    "black in the pool",
    "white on the board",
    "grey on the board",
    "black on the board",
    "my white captures",
    "my grey captures",
    "my black captures",
    "other's white captures",
    "other's grey captures",
    "other's black captures",
    "I lack white",
    "I lack grey",
    "I lack black",
    "I lack of each colour",
    "other lacks white",
    "other lacks grey",
    "other lacks black",
    "other lacks of each colour",
    "I lack at least",
    "other lacks at least",
    "marbles on the edge",
    "marbles inside",
    "white that can be offered",
    "grey that can be offered",
    "black that can be offered",
    "rings where a placement offers a jump",
    "rings where a removal prevents that jump",
    "quiet rings",
    "quiet free rings",
    "groups with one vacant neighbour",
    "groups with two vacant neighbours",
    "marbles in groups with one vacant neighbour",
    "marbles in groups with two vacant neighbours",
    "I lack after the best isolation",
    "other lacks after the best isolation",
    "islands",
    "marbles without a marble beside them",
    "vacant rings beside no marble",
    "parity of the vacant rings",
    "parity of the free rings",
    "my forced win",
    "other wins if I pass",
)
"""What each feature counts. A search finds the last two: plies of a forced win in 1 or 3; whether the other could win in 1."""

# Places of groups of features.
RING_COUNTS = 0
POOL_COUNTS = 3
BOARD_COUNTS = 7
CAPTURE_COUNTS = 10
LACKS = 16
LEAST_LACKS = 24
EDGE_COUNTS = 26
OFFERS = 28
QUIET = 33
GROUPS = 35
ISOLATIONS = 39
LONELY = 41
PARITIES = 44
FORCED_WINS = 46
FEATURES_SIZE = 48


def lacking(rules: Integers, white: int, grey: int, black: int) -> int:
    """Return the number of marbles that are lacking to the nearest winning set."""
    each = max(rules[EACH] - white, 0) + max(rules[EACH] - grey, 0) + max(rules[EACH] - black, 0)
    return max(min(rules[GOAL] - white, rules[GOAL + 1] - grey, rules[GOAL + 2] - black, each), 0)


def lacking_with(rules: Integers, state: Integers, side: int, taken: int) -> int:
    """Return the number of marbles that a player lacks once he also has the marbles on some rings."""
    place = CAPTURED + 3 * side
    return lacking(
        rules,
        state[place] + size(state[MARBLES] & taken),
        state[place + 1] + size(state[MARBLES + 1] & taken),
        state[place + 2] + size(state[MARBLES + 2] & taken),
    )


def write_counts(rules: Integers, state: Integers, row: list[int]) -> None:
    """Write the numbers of marbles in the pool, on the board and captured, and what each player lacks."""
    row[POOL_COUNTS] = state[POOL] + state[POOL + 1] + state[POOL + 2]
    for colour in range(3):
        row[POOL_COUNTS + 1 + colour] = state[POOL + colour]
        row[BOARD_COUNTS + colour] = size(state[MARBLES + colour])
    for other in range(2):
        side = state[SIDE] ^ other
        each = 0
        for colour in range(3):
            captured = state[CAPTURED + 3 * side + colour]
            row[CAPTURE_COUNTS + 3 * other + colour] = captured
            row[LACKS + 4 * other + colour] = max(rules[GOAL + colour] - captured, 0)
            each += max(rules[EACH] - captured, 0)
        row[LACKS + 4 * other + 3] = each
        row[LEAST_LACKS + other] = lacking_with(rules, state, side, 0)


def write_rings(tables: Tables, state: Integers, edge: int, row: list[int]) -> None:
    """Write the numbers of rings, their parities, and the marbles on the edge and inside."""
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    row[RING_COUNTS] = size(state[RINGS])
    row[RING_COUNTS + 1] = size(vacant_rings)
    row[RING_COUNTS + 2] = size(vacant_rings & edge)
    row[PARITIES] = size(vacant_rings) & 1
    row[PARITIES + 1] = size(vacant_rings & edge) & 1
    row[EDGE_COUNTS] = size(marbles & edge)
    row[EDGE_COUNTS + 1] = size(marbles & ~edge)
    islands = 0
    rest = state[RINGS]
    while rest:
        rest &= ~cluster_of(tables, state[RINGS], rest & -rest)
        islands += 1
    lonely = 0
    rest = marbles
    while rest:
        if not tables.around[lowest(rest)] & marbles:
            lonely += 1
        rest &= rest - 1
    apart = 0
    rest = vacant_rings
    while rest:
        if not tables.around[lowest(rest)] & marbles:
            apart += 1
        rest &= rest - 1
    row[LONELY] = islands
    row[LONELY + 1] = lonely
    row[LONELY + 2] = apart


def write_offers(tables: Tables, state: Integers, edge: int, row: list[int]) -> None:
    """Write which marbles a placement can offer to a jump, and the rings where a placement offers one or does not."""
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    offered = 0
    rest = marbles
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        for direction in range(3):
            near = tables.neighbour[6 * ring + direction]
            far = tables.neighbour[6 * ring + direction + 3]
            if near >= 0 and far >= 0 and vacant_rings >> near & 1 and vacant_rings >> far & 1:
                offered |= 1 << ring
    for colour in range(3):
        row[OFFERS + colour] = size(state[MARBLES + colour] & offered)
    offering = 0
    preventable = 0
    quiet = 0
    quiet_free = 0
    rest = vacant_rings
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        landings = jump_landings(tables, marbles, vacant_rings, ring)
        if landings:
            offering += 1
            if not landings & (landings - 1) and landings & edge:
                preventable += 1
        else:
            quiet += 1
            quiet_free += edge >> ring & 1
    row[OFFERS + 3] = offering
    row[OFFERS + 4] = preventable
    row[QUIET] = quiet
    row[QUIET + 1] = quiet_free


def write_groups(tables: Tables, rules: Integers, state: Integers, row: list[int]) -> None:
    """Write the groups of marbles that one or two placements or removals could isolate, and what an isolation would bring."""
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    side = state[SIDE]
    for place in range(GROUPS, GROUPS + 4):
        row[place] = 0
    mine = row[LEAST_LACKS]
    others = row[LEAST_LACKS + 1]
    rest = marbles
    while rest:
        cluster = cluster_of(tables, marbles, rest & -rest)
        rest &= ~cluster
        beside = 0
        edge = cluster
        while edge:
            beside |= tables.around[lowest(edge)] & vacant_rings
            edge &= edge - 1
        gates = size(beside)
        if 1 <= gates <= 2:
            row[GROUPS + gates - 1] += 1
            row[GROUPS + 1 + gates] += size(cluster)
        if gates == 1:
            mine = min(mine, lacking_with(rules, state, side, cluster))
            others = min(others, lacking_with(rules, state, 1 - side, cluster))
    row[ISOLATIONS] = mine
    row[ISOLATIONS + 1] = others


def write_features(
    tables: Tables, rules: Integers, states: Rows, forced: Integers, threatened: Integers, rows: Rows
) -> None:
    """Write the features of each state; `forced` and `threatened` are the plies of forced wins of the mover and the opponent."""
    for number in range(len(states)):
        state, row = states[number], rows[number]
        edge = edge_rings(tables, state[RINGS])
        write_counts(rules, state, row)
        write_rings(tables, state, edge, row)
        write_offers(tables, state, edge, row)
        write_groups(tables, rules, state, row)
        row[FORCED_WINS] = forced[number]
        row[FORCED_WINS + 1] = threatened[number]
