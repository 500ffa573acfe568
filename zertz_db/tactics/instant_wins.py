"""Detect wins in one move exactly, without playing most moves. Runs on lists, or compiled."""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    CAPTURED,
    EACH,
    GOAL,
    MARBLES,
    POOL,
    RINGS,
    SIDE,
    WINNER,
    Integers,
    can_jump,
    free_rings,
    lowest,
    occupied,
    size,
)
from zertz_db.tactics.search_moves import (
    FREE_STEPS,
    LINK_DIRECTION,
    LINK_JUMPED,
    LINK_RING,
    OLD_GROUP,
    ZERO,
    Work,
    is_spent,
    list_placements,
    play_move,
    rack_place,
    spend_nodes,
)


def holds_set(rules: Integers, white: int, grey: int, black: int) -> bool:
    """Return whether these numbers of marbles hold a winning set."""
    return (
        white >= rules[GOAL]
        or grey >= rules[GOAL + 1]
        or black >= rules[GOAL + 2]
        or min(white, grey, black) >= rules[EACH]
    )


def wins_with(rules: Integers, state: Integers, taken: int) -> bool:
    """Return whether the mover holds a winning set with the marbles on some rings."""
    mine = CAPTURED + 3 * state[SIDE]
    return holds_set(
        rules,
        state[mine] + size(state[MARBLES] & taken),
        state[mine + 1] + size(state[MARBLES + 1] & taken),
        state[mine + 2] + size(state[MARBLES + 2] & taken),
    )


def wins_by_placing(rules: Integers, state: Integers, taken: int, with_placed: bool) -> bool:
    """Return whether a placement that claims the marbles on `taken`, and the placed one if `with_placed`, wins with some colour."""
    rack = rack_place(state)
    mine = CAPTURED + 3 * state[SIDE]
    white = state[mine] + size(state[MARBLES] & taken)
    grey = state[mine + 1] + size(state[MARBLES + 1] & taken)
    black = state[mine + 2] + size(state[MARBLES + 2] & taken)
    change = with_placed - (rack != POOL)  # a captured marble that is placed is not captured any more
    for colour in range(3):
        if state[rack + colour] > 0 and holds_set(
            rules,
            white + change * (colour == 0),
            grey + change * (colour == 1),
            black + change * (colour == 2),
        ):
            return True
    return False


def cluster_of(tables: Tables, marbles: int, some: int) -> int:
    """Return `some` rings with all marbles that are connected to them by marbles."""
    cluster = some
    edge = some
    while edge:
        reached = tables.around[lowest(edge)] & marbles & ~cluster
        edge &= edge - 1
        cluster |= reached
        edge |= reached
    return cluster


def vacant_around(tables: Tables, vacant_rings: int, rings: int) -> int:
    """Return the vacant rings next to some rings; at most two if there are more."""
    beside = 0
    while rings:
        beside |= tables.around[lowest(rings)] & vacant_rings
        rings &= rings - 1
        if beside & (beside - 1):
            return beside
    return beside


def cut_off_by(tables: Tables, marbles: int, vacant_rings: int, removed: int) -> int:
    """Return the marbles whose only connection to vacant rings is the ring number `removed`."""
    gate = 1 << removed
    cut = 0
    rest = tables.around[removed] & marbles
    while rest:
        ring = rest & -rest
        rest ^= ring
        if ring & cut or tables.around[lowest(ring)] & vacant_rings & ~gate:
            continue
        cluster = cluster_of(tables, marbles, ring)
        if vacant_around(tables, vacant_rings & ~gate, cluster) == 0:
            cut |= cluster
    return cut


def wins_by_isolation(tables: Tables, rules: Integers, state: Integers) -> bool:
    """Return whether a placement wins by the groups that it fills or cuts off, if none is full and more than two rings are vacant."""
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    free = free_rings(tables, state)
    cutting = 0  # the free rings whose removal cuts marbles off
    rest = free
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        if tables.around[ring] & marbles:
            cut = cut_off_by(tables, marbles, vacant_rings, ring)
            if cut:
                cutting |= 1 << ring
                if wins_by_placing(rules, state, cut, False):
                    return True
    rest = vacant_rings
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        gates = tables.around[ring] & vacant_rings
        if gates & (gates - 1):
            continue  # two vacant neighbours: the placed marble's group stays open
        cluster = cluster_of(tables, marbles, 1 << ring)
        gates = vacant_around(tables, vacant_rings & ~(1 << ring), cluster)
        if gates & (gates - 1) or gates & ~free:
            continue
        if gates == 0:
            if wins_by_placing(rules, state, cluster, True):
                return True
            gates = cutting & ~(1 << ring)
        while gates:
            removed = lowest(gates)
            gates &= gates - 1
            cut = cluster | cut_off_by(tables, marbles, vacant_rings, removed)
            if wins_by_placing(rules, state, cut, True):
                return True
    return False


def wins_by_playing(tables: Tables, rules: Integers, work: Work, ply: int) -> bool:
    """Return whether a placement wins, by playing each."""
    side = work.states[ply][SIDE]
    for number in range(list_placements(tables, work, ply, work.counters[ZERO])):
        play_move(tables, rules, work, ply, work.moves[ply][2 * number], work.moves[ply][2 * number + 1])
        if work.states[ply + 1][WINNER] == side + 1:
            return True
        if is_spent(work):
            return False
    return False


NO_CAPTURE, CAPTURES_ONLY, CAPTURE_WINS = 0, 1, 2


def try_captures(tables: Tables, rules: Integers, work: Work, ply: int) -> int:
    """Return CAPTURE_WINS if the player to move wins by a capture, NO_CAPTURE if he has none, CAPTURES_ONLY if none wins."""
    state, chains = work.states[ply], work.chains
    marbles, rings = occupied(state), state[RINGS]
    is_due = False
    steps = 0
    starts = marbles
    while starts:
        start = lowest(starts)
        starts &= starts - 1
        if not can_jump(tables, marbles, rings & ~marbles, start):
            continue
        if not is_due:
            is_due = True
            if not wins_with(rules, state, marbles):
                return CAPTURES_ONLY
        others = marbles ^ 1 << start
        depth = 0
        link = chains[0]
        link[LINK_RING], link[LINK_DIRECTION], link[LINK_JUMPED] = start, 0, 0
        while depth >= 0:
            link = chains[depth]
            ring, jumped = link[LINK_RING], link[LINK_JUMPED]
            if link[LINK_DIRECTION] == 6:
                depth -= 1
                continue
            place = 6 * ring + link[LINK_DIRECTION]
            link[LINK_DIRECTION] += 1
            landing = tables.landing[place]
            present = others & ~jumped
            if landing < 0 or not (rings & ~present) >> landing & 1 or not present >> tables.neighbour[place] & 1:
                continue
            jumped |= 1 << tables.neighbour[place]
            if wins_with(rules, state, jumped):
                return CAPTURE_WINS
            steps += 1
            if steps > FREE_STEPS:
                spend_nodes(work, 1)
                if is_spent(work):
                    return CAPTURES_ONLY
            depth += 1
            link = chains[depth]
            link[LINK_RING], link[LINK_DIRECTION], link[LINK_JUMPED] = landing, 0, jumped
    return CAPTURES_ONLY if is_due else NO_CAPTURE


def wins_now(tables: Tables, rules: Integers, work: Work, ply: int) -> bool:
    """Return whether the player to move has a move that wins at once."""
    captures = try_captures(tables, rules, work, ply)
    if captures != NO_CAPTURE:
        return captures == CAPTURE_WINS
    state = work.states[ply]
    marbles, rings = occupied(state), state[RINGS]
    if rings == marbles:
        return False
    rack = rack_place(state)
    if state[rack] + state[rack + 1] + state[rack + 2] == 0:
        return False
    vacant_rings = rings & ~marbles
    if size(vacant_rings) <= 2 or work.counters[OLD_GROUP] or wins_with(rules, state, 0):
        return wins_by_playing(tables, rules, work, ply)
    if not wins_by_placing(rules, state, marbles, True):
        return False
    return wins_by_isolation(tables, rules, state)
