"""Keys of single positions, and moves restored from their numbers."""

from hypothesis import given, settings

from tests.rules.strategies import small_positions
from zertz_db.rules.canonical import canonicalise, decoded, move_code
from zertz_db.rules.position import Position


def test_the_start_of_every_board_is_canonical_under_some_symmetry() -> None:
    for board in ("37", "48", "61"):
        found = canonicalise(Position.start(board))
        assert 0 <= found.symmetry < len(Position.start(board).board.symmetries)


@settings(max_examples=60, deadline=None)
@given(small_positions())
def test_a_move_is_found_again_from_its_number(position: Position) -> None:
    for move in position.legal_moves()[:40]:
        code = move_code(position, move)
        again = decoded(position, code)
        assert move_code(position, again) == code
        assert position.play(again).side == position.play(move).side
        assert canonicalise(position.play(again)).key == canonicalise(position.play(move)).key
