"""Explain in words why a ply is illegal: what it did, and what the rules require there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, pairwise

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import REFUSAL_KINDS, UNKNOWN_RING, WRONG_PLAYER, Finding, make_finding
from zertz_db.check.replay.attempt import Attempt
from zertz_db.parser.record import CAPTURE, PLACEMENT, Ply
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.rules import kernel
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS, NAMES

_MAX_LISTED = 8


def explain(tried: Attempt) -> Finding:
    """Return the finding for the ply at which an attempt stopped."""
    number = tried.played
    ply = tried.plies[number]
    position = tried.position(number)
    place = (ply.span, tried.record_ply(number))
    if tried.wrong_player:
        return make_finding(WRONG_PLAYER, f"player {ply.mover} moves, but it is player {position.side}'s turn", *place)
    if tried.refusal == kernel.FINE and tried.code.unknown_ring is not None:
        board = tried.start.board.name
        return make_finding(UNKNOWN_RING, f"board {board} never had a ring {tried.code.unknown_ring}", *place)
    kind = REFUSAL_KINDS[tried.refusal]
    return make_finding(
        kind, _MESSAGES[tried.refusal](ply, position), *place, suggestion=_suggestion(tried, ply, position)
    )


def board_at_fault(checked: CheckedRecord) -> str:
    """Return the board before the illegal ply as a few lines of text, with both players' captures, the pool, and the side to move.

    Return nothing for a record without an illegal ply or invalid turn, or without a start.
    """
    tried = checked.attempt
    if checked.verdict != Verdict.ILLEGAL or tried is None:
        return ""
    position = tried.position(tried.played)
    first, second = position.captured
    counts = (
        f"pool {position.pool}, player 1 {first}, player 2 {second} (white/grey/black); player {position.side} to move"
    )
    return f"{position.picture()}\n{counts}"


def list_moves(texts: Iterable[str]) -> str:
    """Return a short list for a sentence: `a1, b2 and c3`; a long one is cut and shows its length."""
    items = list(texts)
    if len(items) > _MAX_LISTED:
        return f"{', '.join(items[:_MAX_LISTED])} and {len(items) - _MAX_LISTED} more"
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else "none"


def _holding(position: Position, ring: str | None) -> str:
    held = position.on(ring or "")
    if held is None:
        return f"{ring} is no longer on the board"
    return f"{ring} is vacant" if held == "o" else f"{ring} holds a {NAMES[held]} marble"


def _marble(ply: Ply) -> str:
    return f"{NAMES[ply.colour or 'W']} marble"


def _captures(position: Position) -> str:
    return list_moves(str(move) for move in position.legal_moves())


def _game_over(_ply: Ply, position: Position) -> str:
    if position.winner:
        sets = list_moves(position.winning_sets)
        return f"the game is over: player {position.winner} has won ({position.ending}: {sets})"
    return f"the game is over: {position.ending or f'the same four turns were made {position.rules.repetition} times'}"


def _must_capture(_ply: Ply, position: Position) -> str:
    return f"a capture is compulsory here: {_captures(position)}"


def _no_ring(ply: Ply, position: Position) -> str:
    return f"no marble can be placed on {ply.ring}: {_holding(position, ply.ring)}"


def _no_marble_in_pool(ply: Ply, position: Position) -> str:
    return f"the pool has no {_marble(ply)} left; it holds {position.pool} (white/grey/black)"


def _no_captured_marble(ply: Ply, position: Position) -> str:
    held = position.captured[position.side - 1]
    return f"the pool is empty, and player {position.side} has captured no {_marble(ply)}; the captures are {held}"


def _pool_left(_ply: Ply, position: Position) -> str:
    return f"a captured marble is placed only when the whole pool is empty; it holds {position.pool}"


def _pool_empty(_ply: Ply, _position: Position) -> str:
    return "the pool is empty: a captured marble must be placed"


def _opponents_marble(_ply: Ply, _position: Position) -> str:
    return "the marble is taken from the opponent's captures"


def _free_after(ply: Ply, position: Position) -> list[str]:
    return [ring for ring in position.free_rings if ring != ply.ring]


def _ring_due(ply: Ply, position: Position) -> str:
    return f"a free ring must be removed; free are {list_moves(_free_after(ply, position))}"


def _not_removable(ply: Ply, position: Position) -> str:
    why = f"{ply.removed} has just been filled" if ply.removed == ply.ring else _holding(position, ply.removed)
    return f"{ply.removed} can't be removed: {why}; free are {list_moves(_free_after(ply, position))}"


def _not_free(ply: Ply, position: Position) -> str:
    free = list_moves(_free_after(ply, position))
    return f"{ply.removed} is not free: no two consecutive sides of it are without a ring; free are {free}"


def _none_free(ply: Ply, _position: Position) -> str:
    return f"{ply.removed} is not free, nor is any other ring: the turn ends with the placement"


def _due(position: Position) -> str:
    """Return what the rules require instead of an invalid capture."""
    if position.capture_is_due:
        return f"the captures are {_captures(position)}"
    return "there is no capture: a marble must be placed"


def _jump_by_nothing(ply: Ply, position: Position) -> str:
    return f"{_holding(position, ply.ring)}, so nothing can jump from there; {_due(position)}"


def _jumps(ply: Ply) -> list[tuple[str, str]]:
    rings = [ply.ring, *(jump.ring for jump in ply.jumps)]
    return list(pairwise(rings))


def _refused_jump(ply: Ply, position: Position) -> tuple[str, str, int]:
    """Return the first illegal jump of a chain, and its number."""
    board, state = position.board, position.state
    colours = {"W": 0, "G": 1, "B": 2, None: -1}
    for number, (start, landing) in enumerate(_jumps(ply)):
        stated = colours[ply.jumps[number].colour]
        if kernel.hop(board.tables, state, board.index[start], board.index[landing], stated):
            return start, landing, number
    return ply.ring, ply.jumps[-1].ring, len(ply.jumps) - 1


def _bad_jump(ply: Ply, position: Position) -> str:
    start, landing, number = _refused_jump(ply, position)
    board = position.board
    straight = board.tables.landing[6 * board.index[start] : 6 * board.index[start] + 6]
    if board.index[landing] not in straight:
        return f"{start} to {landing} is not straight over one ring; {_due(position)}"
    direction = straight.index(board.index[landing])
    over = board.rings[board.tables.neighbour[6 * board.index[start] + direction]]
    stated = ply.jumps[number].colour
    if stated and position.on(over) not in (stated, "o", None):
        return f"the jump from {start} to {landing} names a {NAMES[stated]} marble, but {_holding(position, over)}"
    problem = _holding(position, over) if position.on(over) in ("o", None) else _holding(position, landing)
    return f"no jump from {start} over {over} to {landing}: {problem}; {_due(position)}"


def _unfinished(ply: Ply, position: Position) -> str:
    begun = [str(move) for move in position.legal_moves() if _begins(move, ply)]
    return f"the marble can jump on from {ply.jumps[-1].ring}, so it must: {list_moves(begun)}"


def _begins(move: Move, ply: Ply) -> bool:
    landings = [jump.ring for jump in move.jumps]
    written = [jump.ring for jump in ply.jumps]
    return move.ring == ply.ring and landings[: len(written)] == written


def _claim(ply: Ply, position: Position) -> str:
    claimed = list_moves(f"{marble.colour}{marble.ring}" for marble in ply.claim)
    try:
        after = position.play(Move(ply.ring, ply.colour or "", ply.removed))
    except IllegalMove:
        return f"the claim of {claimed} is not possible"
    full = after.full_groups if position.rules.written_claims else after.claimed
    return f"the claim of {claimed} is not possible; cut off and full are {list_moves(full)}"


def _pass(_ply: Ply, position: Position) -> str:
    moves = kernel.count_moves(position.board.tables, position.state)
    return f"a pass is only for a player without any move; here there {'is one' if moves == 1 else f'are {moves}'}"


def _no_jump(_ply: Ply, position: Position) -> str:
    return f"a capture needs a jump; {_due(position)}"


def _suggestion(tried: Attempt, ply: Ply, position: Position) -> str | None:
    """Return the only legal move, or the only one that differs little from the written one; for a claim, the placement with its full
    claim.
    """
    if tried.refusal == kernel.GAME_OVER:
        return None
    if _MESSAGES[tried.refusal] is _claim:
        return _with_every_claim(ply, position)
    moves = list(islice(position.each_move(), 2))
    if len(moves) > 1:
        moves = [move for move in _alike(ply, position) if _is_near(move, ply)]
    return str(moves[0]) if len(moves) == 1 else None


def _with_every_claim(ply: Ply, position: Position) -> str | None:
    """Return the placement with a claim of all groups that its turn fills, or None if the placement itself is illegal."""
    move = Move(ply.ring, ply.colour or "", ply.removed)
    automatic = Position(position.board, replace(position.rules, written_claims=False), tuple(position.state))
    try:
        filled = set(automatic.play(move).claimed).difference(position.full_groups)
        return position.notation(replace(move, claim=frozenset(filled)))
    except IllegalMove:
        return None


def _alike(ply: Ply, position: Position) -> list[Move]:
    """Return the legal captures, or else the legal placements that share two parts of three with a ply."""
    if position.capture_is_due:
        return position.legal_moves()
    rack = position.pool if any(position.pool) else position.captured[position.side - 1]
    colours = {colour for colour, count in zip(COLOURS, rack, strict=True) if count}
    vacant, free = position.vacant_rings, set(position.free_rings)
    colour, ring, removed = ply.colour or "", ply.ring, ply.removed
    alike = {Move(ring, other, removed) for other in colours}
    alike |= {Move(other, colour, removed) for other in vacant}
    alike |= {Move(ring, colour, other) for other in (None, *free)}

    def is_legal(move: Move) -> bool:
        removable = free - {move.ring}
        fits = move.removed in removable if removable else move.removed is None
        return fits and move.colour in colours and move.ring in vacant

    return list(filter(is_legal, alike))


def _is_near(move: Move, ply: Ply) -> bool:
    """Return whether a move could have been meant: a chain with the same start or end, or a placement with one part changed."""
    if ply.kind == CAPTURE and move.jumps:
        return move.ring == ply.ring or [jump.ring for jump in move.jumps] == [jump.ring for jump in ply.jumps]
    if ply.kind == PLACEMENT and not move.jumps:
        same = (move.colour == ply.colour, move.ring == ply.ring, move.removed == ply.removed)
        return sum(same) == len(same) - 1
    return False


_MESSAGES = {
    kernel.GAME_OVER: _game_over,
    kernel.MUST_CAPTURE: _must_capture,
    kernel.PLACE_ON_NO_RING: _no_ring,
    kernel.PLACE_ON_MARBLE: _no_ring,
    kernel.NOT_IN_POOL: _no_marble_in_pool,
    kernel.NOT_IN_CAPTURES: _no_captured_marble,
    kernel.POOL_NOT_EMPTY: _pool_left,
    kernel.POOL_EMPTY: _pool_empty,
    kernel.OTHERS_MARBLE: _opponents_marble,
    kernel.RING_DUE: _ring_due,
    kernel.REMOVED_NO_RING: _not_removable,
    kernel.REMOVED_OCCUPIED: _not_removable,
    kernel.REMOVED_NOT_FREE: _not_free,
    kernel.NO_RING_IS_FREE: _none_free,
    kernel.JUMP_BY_NOTHING: _jump_by_nothing,
    kernel.JUMP_CROOKED: _bad_jump,
    kernel.JUMP_OVER_NOTHING: _bad_jump,
    kernel.LANDING_NO_RING: _bad_jump,
    kernel.LANDING_OCCUPIED: _bad_jump,
    kernel.JUMPED_COLOUR: _bad_jump,
    kernel.CHAIN_UNFINISHED: _unfinished,
    kernel.CLAIM_NO_MARBLE: _claim,
    kernel.CLAIM_COLOUR: _claim,
    kernel.CLAIM_NOT_FULL: _claim,
    kernel.CLAIM_PARTIAL: _claim,
    kernel.CLAIM_OLD_GROUP: _claim,
    kernel.CLAIM_INCOMPLETE: _claim,
    kernel.PASS_WITH_MOVES: _pass,
    kernel.NO_JUMP: _no_jump,
}
