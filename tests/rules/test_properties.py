"""Properties of every game, tested on random games on random boards, many of them small, odd and nearly over."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.slow_model import Refused, Slow, read
from tests.rules.strategies import RULES, Game, blob, games, layout, small_positions
from zertz_db.rules import kernel, replay
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.compiled import arrays
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.kernel import MARBLES, POOL, RINGS
from zertz_db.rules.move import Jump, Move
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import (
    KEYS_SIZE,
    NO_MOVE_CODE,
    least_key,
    least_move_code,
    shape_key,
    start_keys,
    update_keys,
)
from zertz_db.rules.start import rules_vector

seeds = st.integers(0, 2**32)


def turns(game: Game) -> list[tuple[Position, Move, Position]]:
    return list(zip(game.positions[:-1], game.moves, game.positions[1:], strict=True))


# The game itself


@given(games())
def test_rings_only_vanish(game: Game) -> None:
    for before, move, after in turns(game):
        gone = set(before.rings) - set(after.rings)
        assert set(after.rings) <= set(before.rings)
        assert gone == {*after.claimed} | ({move.removed} if move.removed else set())


@given(games())
def test_marbles_are_conserved(game: Game) -> None:
    def supply(position: Position) -> list[int]:
        lying = [sum(position.on(ring) == colour for ring in position.rings) for colour in "WGB"]
        first, second = position.captured
        return [sum(counts) for counts in zip(lying, position.pool, first, second, strict=True)]

    assert len({tuple(supply(position)) for position in game.positions}) == 1


@given(games())
def test_turns_alternate_and_an_end_is_for_good(game: Game) -> None:
    for before, _, after in turns(game):
        assert not before.is_over
        assert after.side == 3 - before.side
    for position in game.positions:
        assert (position.winner is None) == (position.ending is None) == (not position.is_over)
        assert bool(position.winning_sets) == (position.ending == "set")
        assert (position.legal_moves() == []) == position.is_over


@given(games())
def test_every_legal_move_is_counted_once_and_plays(game: Game) -> None:
    for position in game.positions:
        legal = position.legal_moves()
        assert kernel.count_moves(position.board.tables, position.state) == len(legal) == len(set(legal))
    position = game.positions[len(game.positions) // 2]
    for move in position.legal_moves()[:300]:
        assert position.move(str(move)) == move
        assert position.play(position.notation(move)) == position.play(move)


@given(games())
def test_position_strings_come_back(game: Game) -> None:
    for position in game.positions:
        if not position.is_over:
            twin = Position.parse(str(position))
            assert str(twin) == str(position)
            assert twin == position
            assert {str(move) for move in twin.legal_moves()} == {str(move) for move in position.legal_moves()}


# Against the slow model


def any_move(chance: Random, board: Board) -> str:
    """Return a move in notation, legal only by chance."""
    ring, other, *more = (chance.choice(board.rings) for _ in range(5))
    if chance.random() < 0.05:
        return "-"
    if chance.random() < 0.5:
        removed = "" if chance.random() < 0.2 else f",{other}"
        claim = "" if chance.random() < 0.7 else f" x {chance.choice('WGB')}{chance.choice([ring, other, *more])}"
        return f"{chance.choice('WGB')}{ring}{removed}{claim}"
    landings = [landing for landing in board.tables.landing if landing >= 0]
    at, chain = board.index[ring], ""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        near = [n for n in board.tables.landing[6 * at : 6 * at + 6] if n >= 0] or landings or [at]
        at = chance.choice(near) if chance.random() < 0.9 else chance.randrange(len(board.rings))
        chain += f"{chance.choice('WGB')}{board.rings[at]}"
    return f"x {ring}{chain}"


def any_move_nearby(chance: Random, position: Position, model: Slow) -> str:
    """Return a legal move with one part changed, or any move."""
    legal = sorted(model.legal())
    if not legal or chance.random() < 0.5:
        return any_move(chance, position.board)
    text = list(chance.choice(legal))
    at = chance.randrange(len(text))
    text[at] = chance.choice("WGB" if text[at] in "WGB" else "123456789" if text[at].isdigit() else "abcdefg,")
    changed = "".join(text)
    return changed if chance.random() < 0.8 else changed.partition(",")[0]


def verdict_of_the_model(model: Slow, move: str) -> str | None:
    try:
        return model.play(move).text()
    except Refused:
        return None


def verdict(position: Position, move: str) -> str | None:
    try:
        return str(position.play(move))
    except IllegalMove:
        return None


@given(games())
def test_the_slow_model_agrees_along_games(game: Game) -> None:
    model = read(str(game.positions[0]))
    for before, move, after in turns(game):
        assert model.legal() == {str(legal) for legal in before.legal_moves()}
        model = model.play(before.notation(move))
        assert (model.ending, model.winner, model.sets) == (after.ending, after.winner, set(after.winning_sets))
        assert model.claimed == set(after.claimed)
        assert set().union(*model.full_groups()) == set(after.full_groups)
        assert model.text() == str(after)


@given(games(), seeds)
def test_what_is_not_legal_is_refused(game: Game, seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for position in chance.sample(game.positions, min(5, len(game.positions))):
        if position.is_over:
            continue
        model = read(str(position))
        for _ in range(20):
            move = any_move_nearby(chance, position, model)
            assert verdict(position, move) == verdict_of_the_model(model, move), move


@given(small_positions())
def test_every_other_triple_and_jump_is_refused(position: Position) -> None:
    """On a small board this tries all: each (colour, ring, removed ring) and each jump of each marble."""
    legal = set(position.legal_moves())
    rings = position.board.rings[:8]
    tried = [Move(ring, colour, removed) for colour in "WGB" for ring in rings for removed in (None, *rings)]
    tried += [Move(ring, jumps=(Jump(colour, other),)) for colour in "WGB" for ring in rings for other in rings]
    for move in tried:
        try:
            position.play(move)
        except IllegalMove:
            assert move not in legal
        else:
            assert move in legal


# Symmetries and keys


def image_of(position: Position, image: tuple[int, ...]) -> Position:
    state = position.state
    for place in (RINGS, MARBLES, MARBLES + 1, MARBLES + 2, kernel.CLAIMED):
        state[place] = sum(1 << image[ring] for ring in range(len(image)) if state[place] >> ring & 1)
    return Position(position.board, position.rules, tuple(state))


def move_image(board: Board, move: Move, image: tuple[int, ...]) -> Move:
    def goes(ring: str) -> str:
        return board.rings[image[board.index[ring]]]

    if move == Move():
        return move
    return Move(
        goes(move.ring),
        move.colour,
        goes(move.removed) if move.removed else None,
        tuple(Jump(jump.colour, goes(jump.ring)) for jump in move.jumps),
        frozenset(map(goes, move.claim)),
    )


def keys_of(position: Position) -> list[int]:
    keys = [0] * KEYS_SIZE
    start_keys(position.board.tables, keys, position.state)
    return keys


def shape_of(position: Position) -> int:
    return shape_key(keys_of(position))


def key_of(position: Position) -> int:
    keys = keys_of(position)
    return keys[least_key(position.board.tables, keys)]


def move_code_of(position: Position, move: Move) -> int:
    code = position.encode(move)
    return least_move_code(position.board.tables, keys_of(position), code, 0, len(code))


@given(games(), seeds)
def test_images_have_the_same_moves_and_the_same_keys(game: Game, seed: int) -> None:
    at = seed % len(game.positions)
    position, board = game.positions[at], game.positions[at].board
    for image in board.symmetries:
        twin = image_of(position, image)
        assert set(twin.legal_moves()) == {move_image(board, move, image) for move in position.legal_moves()}
        assert key_of(twin) == key_of(position)
        assert shape_of(twin) == shape_of(position)
        if at < len(game.moves):
            move = game.moves[at]
            assert move_code_of(twin, move_image(board, move, image)) == move_code_of(position, move) != NO_MOVE_CODE
            assert twin.play(move_image(board, move, image)) == image_of(position.play(move), image)


def lying(position: Position, image: tuple[int, ...]) -> list[int]:
    """Return rings and marbles at their places after a symmetry."""
    return image_of(position, image).state[RINGS:POOL]


@given(games())
def test_positions_that_look_different_have_different_keys(game: Game) -> None:
    symmetries = game.positions[0].board.symmetries
    looks: dict[int, list[int]] = {}
    for position in game.positions[:20]:
        least = min(lying(position, image) for image in symmetries)
        assert looks.setdefault(key_of(position), least) == least
    assert len(looks) == len(set(map(tuple, looks.values())))


@given(games(), seeds)
@pytest.mark.long
def test_moves_have_the_same_code_only_if_a_symmetry_maps_them(game: Game, seed: int) -> None:
    position = game.positions[seed % len(game.positions)]
    stabilising = [s for s in position.board.symmetries if lying(position, s) == position.state[RINGS:POOL]]
    classes: dict[int, set[Move]] = {}
    for move in position.legal_moves():
        classes.setdefault(move_code_of(position, move), set()).add(move)
    for moves in classes.values():
        assert moves == {move_image(position.board, next(iter(moves)), image) for image in stabilising}


@given(games())
def test_keys_updated_on_the_way_are_those_from_scratch(game: Game) -> None:
    keys = keys_of(game.positions[0])
    for before, _, after in turns(game):
        update_keys(after.board.tables, keys, before.state, after.state)
        assert keys == keys_of(after)


def turned(place: tuple[int, int], sixths: int, mirrored: bool) -> tuple[int, int]:
    """Return a place turned about (0, 0), by three-part coordinates that sum to zero."""
    x, y = place
    a, b = x, (y - x) // 2
    c = -a - b
    if mirrored:
        a, b = b, a
    for _ in range(sixths):
        a, b, c = -c, -a, -b
    return a, 2 * b + a


@given(seeds, st.integers(1, 9), st.integers(0, 5), st.booleans(), st.integers(0, 4), st.integers(-9, 9))
def test_a_shape_has_one_key_in_every_place_and_orientation(
    seed: int, rings: int, sixths: int, mirrored: bool, right: int, up: int
) -> None:
    chance = Random(seed)  # noqa: S311
    places = [(x, y) for x, y in blob(chance, 49) if abs(x - 3) + abs(y - 6) <= 5]
    held = {place: chance.choice("ooWGB") for place in chance.sample(sorted(places), min(rings, len(places)))}

    def shape(held: dict[tuple[int, int], str]) -> int:
        position = Position.parse(f"custom standard {layout(held)} 6/8/10 0/0/0 0/0/0 1")
        return shape_of(position)

    moved = {turned(place, sixths, mirrored): colour for place, colour in held.items()}
    left = min(x for x, _ in moved)
    moved = {(x - left + right, y - left + right + 2 * up): colour for (x, y), colour in moved.items()}
    assert shape(moved) == shape(held)
    place = chance.choice(sorted(held))
    other = {**held, place: "W" if held[place] != "W" else "o"}
    assert sorted(other.values()) != sorted(held.values())
    assert shape(other) != shape(held)


# Interpreted and compiled


@st.composite
def encoded_games(draw: st.DrawFn) -> tuple[Game, list[list[int]], list[int]]:
    """Return a game on a board of at most 63 rings, its plies in the kernel's form (the last one perhaps refused), and rules."""
    game = draw(games().filter(lambda game: len(game.positions[0].board.rings) <= LARGEST_COMPILED_BOARD))
    start = game.positions[0]
    plies = [position.encode(move) for position, move in zip(game.positions, game.moves, strict=False)]
    chance = Random(draw(seeds))  # noqa: S311
    if draw(st.booleans()):
        some = [chance.randrange(len(start.board.rings)) for _ in range(6)]
        plies.append(
            chance.choice(
                [
                    [kernel.PLACE, chance.randrange(3), some[0], chance.choice([-1, some[1]]), chance.randint(-1, 2),
                     chance.randrange(2), 1 << some[2], 0, 0],
                    [kernel.PLACE, chance.randrange(3), some[0], chance.choice([-1, some[1]]), -1, 0, 0, 0, 0],
                    [kernel.JUMP, some[0], chance.randint(-1, 2), some[1], chance.randint(-1, 2), some[2]],
                    [kernel.JUMP, some[0]],
                    [kernel.SKIP],
                ]
            )
        )  # fmt: skip
    return game, plies, rules_vector(start.rules, lenient=draw(st.booleans()))


def flat(plies: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return consecutive plies, and the index of each."""
    begins = np.cumsum([0, *map(len, plies)]).tolist()
    return [number for ply in plies for number in ply], begins


def empty_rows(count: int) -> list[list[int]]:
    return [[0] * replay.ROW_SIZE for _ in range(count)]


@given(encoded_games())
@pytest.mark.long
def test_a_replay_fills_its_rows_with_the_values_of_positions(encoded: tuple[Game, list[list[int]], list[int]]) -> None:
    game, plies, rules = encoded
    start = game.positions[0]
    code, begins = flat(plies)
    rows, outcome, state = empty_rows(len(plies) + 1), [0, 0], start.state
    keys = [0] * KEYS_SIZE
    replay.replay_game(start.board.tables, rules, state, keys, code, begins, 0, len(plies), rows, 0, outcome, 1)
    assert outcome[replay.PLAYED] >= len(game.moves)
    assert outcome[replay.PLAYED] + (outcome[replay.REFUSAL] != kernel.FINE) == len(plies)
    for position, row in zip(game.positions, rows, strict=False):
        assert row[: kernel.LENIENCY] == position.state[: kernel.LENIENCY]
        assert row[replay.KEY] == key_of(position) == keys_of(position)[row[replay.SYMMETRY]]
        assert row[replay.SHAPE] == shape_of(position)
        assert row[replay.LEGAL_MOVES] == len(position.legal_moves())
        assert row[replay.CAPTURE_DUE] == position.capture_is_due
    for position, move, row in zip(game.positions, game.moves, rows, strict=False):
        assert row[replay.NEXT_MOVE] == move_code_of(position, move)
    assert rows[outcome[replay.PLAYED]][replay.NEXT_MOVE] == NO_MOVE_CODE


@given(encoded_games())
def test_interpreted_and_compiled_replays_agree(
    compiled: SimpleNamespace, encoded: tuple[Game, list[list[int]], list[int]]
) -> None:
    game, plies, rules = encoded
    start = game.positions[0]
    code, begins = flat(plies)
    tables = start.board.tables
    rows, outcome, state, keys = empty_rows(len(plies) + 1), [0, 0], start.state, [0] * KEYS_SIZE
    replay.replay_game(tables, rules, state, keys, code, begins, 0, len(plies), rows, 0, outcome, 1)
    vectors = [np.array(list(map(int, v)), np.int64) for v in (rules, start.state, [0] * KEYS_SIZE, code, begins)]
    fast_rows, fast_outcome = np.zeros((len(plies) + 1, replay.ROW_SIZE), np.int64), np.zeros(2, np.int64)
    compiled.replay_game(arrays(tables), *vectors, 0, len(plies), fast_rows, 0, fast_outcome, 1)
    assert fast_rows.tolist() == rows
    assert fast_outcome.tolist() == outcome
    assert vectors[1].tolist() == state
    assert vectors[2].tolist() == keys


@settings(max_examples=40)
@given(st.sampled_from(["37", "48", "61"]), st.data())
def test_interpreted_and_compiled_replays_of_many_games_agree(
    compiled: SimpleNamespace, name: str, data: st.DataObject
) -> None:
    """Games of several rule sets on one board; a refusal ends some of them."""
    starts = [Position.start(name, data.draw(st.sampled_from(RULES))) for _ in range(data.draw(st.integers(1, 4)))]
    plies: list[list[int]] = []
    counts, rules = [0], []
    for start in starts:
        game = data.draw(games(st.just(start)))
        plies += [position.encode(move) for position, move in zip(game.positions, game.moves, strict=False)]
        if data.draw(st.booleans()):
            at = data.draw(st.integers(counts[-1], len(plies)))
            plies.insert(at, [kernel.SKIP])
        counts.append(len(plies))
        rules.append([int(number) for number in rules_vector(start.rules, lenient=data.draw(st.booleans()))])
    code, begins = flat(plies)
    tables = starts[0].board.tables
    slow = [[start.state for start in starts], [0] * KEYS_SIZE, empty_rows(len(plies) + len(starts))]
    outcomes = [[0, 0] for _ in starts]
    fast = [np.array(numbers, np.int64) for numbers in (*slow, outcomes)]
    code_and_games = [np.array(numbers, np.int64) for numbers in (code, begins, counts)]
    replay.replay_games(tables, rules, slow[0], code, begins, counts, slow[1], slow[2], outcomes, 1)
    compiled.replay_games(
        arrays(tables), np.array(rules, np.int64), fast[0], *code_and_games, fast[1], fast[2], fast[3], 1
    )
    for numbers, expected in zip(fast, (*slow, outcomes), strict=True):
        assert numbers.tolist() == expected


@given(games())
def test_interpreted_and_compiled_move_counts_agree(compiled: SimpleNamespace, game: Game) -> None:
    for position in game.positions:
        state = np.array(position.state, np.int64)
        assert compiled.count_moves(arrays(position.board.tables), state) == len(position.legal_moves())


@pytest.mark.parametrize("rings", [63, 64])
def test_the_largest_compiled_board_has_63_rings(rings: int, compiled: SimpleNamespace) -> None:
    columns = "/".join(
        f"{letter}{x % 2}:{'o' * min(9, rings - 9 * x)}" for x, letter in enumerate("abcdefgh") if rings > 9 * x
    )
    position = Position.parse(f"custom standard {columns} 6/8/10 0/0/0 0/0/0 1")
    assert len(position.board.rings) == rings
    assert (rings <= LARGEST_COMPILED_BOARD) == (position.board.everything < 2**63)
    after = position.play(Move(position.board.rings[-1], "W", "a1"))
    assert kernel.count_moves(after.board.tables, after.state) == len(after.legal_moves())
    if rings <= LARGEST_COMPILED_BOARD:
        state = np.array(after.state, np.int64)
        assert compiled.count_moves(arrays(after.board.tables), state) == len(after.legal_moves())
