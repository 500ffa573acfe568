"""Patterns and positions that are painted, as text and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.dashboards.state.painted_search import (
    ANYWHERE,
    HERE,
    PATTERN_BRUSHES,
    PLACES,
    SYMMETRIC,
    find_anchor,
    format_pattern,
    get_cells,
    get_placement,
    get_rings,
    letter_moves,
    merge_painted,
    play_on_pattern,
    replace_rings,
)
from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.rules.board import STANDARD_BOARDS, standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import layout

BOARDS = [standard_board(name) for name in STANDARD_BOARDS]
SIGNS = [*(sign for sign in PATTERN_BRUSHES if sign != "?"), "!W", "[Wo]"]


@st.composite
def cells(draw: st.DrawFn) -> tuple[dict[str, str], int]:
    """Signs on some rings of a board, and the number of the board."""
    number = draw(st.integers(0, len(BOARDS) - 1))
    rings = draw(st.sets(st.sampled_from(BOARDS[number].rings), min_size=1, max_size=8))
    return {ring: draw(st.sampled_from(SIGNS)) for ring in sorted(rings)}, number


@given(cells(), st.sampled_from(PLACES))
def test_what_is_painted_is_written_and_read_again(painted: tuple[dict[str, str], int], place: str) -> None:
    signs, number = painted
    board = BOARDS[number]
    pattern = parse_pattern(format_pattern(signs, ["rings<30"], place, board))
    assert get_placement(pattern) == place
    assert get_cells(pattern, board, find_anchor(signs, board)) == signs
    assert [str(limit) for limit in pattern.limits] == ["rings<30"]


@given(cells(), cells())
def test_painting_changes_what_was_painted_over_and_no_more(
    before: tuple[dict[str, str], int], after: tuple[dict[str, str], int]
) -> None:
    board = BOARDS[before[1]]
    held = get_rings(before[0], board)
    over = {ring: sign for ring, sign in after[0].items() if ring in board.index and len(sign) == 1}
    now = "".join(over.get(ring, sign) for ring, sign in zip(board.rings, held, strict=True))
    found = merge_painted(before[0], now, board)
    for ring, sign in before[0].items():
        assert found.get(ring, "?") == (over[ring] if ring in over and over[ring] != held[board.index[ring]] else sign)


def test_a_drawing_that_does_not_fit_is_not_shown() -> None:
    assert get_cells(parse_pattern("W W W W W W W W W W"), standard_board("37")) is None
    assert get_cells(parse_pattern("i9:W"), standard_board("37")) is None


@pytest.mark.parametrize(
    ("cells", "move", "after"),
    [
        ({"d4": "W"}, "Bd5", {"d4": "W", "d5": "B"}),
        ({"d4": "W", "d5": "o"}, "Gd5", {"d4": "W", "d5": "G"}),
        ({"d3": "G", "d4": "*"}, "x d3Bd5", {"d3": "o", "d4": "o", "d5": "G"}),
        ({"d4": "*"}, "x d3Bd5", {"d3": "o", "d4": "o", "d5": "*"}),
        ({"d3": "[WG]"}, "x d3Bd5Wf5", {"d3": "o", "d4": "o", "d5": "o", "e5": "o", "f5": "*"}),
    ],
)
def test_a_move_is_added_to_a_pattern(cells: dict[str, str], move: str, after: dict[str, str]) -> None:
    assert play_on_pattern(cells, move, standard_board("37")) == after


def test_moves_have_letters_at_their_rings() -> None:
    moves = ["Wd5", "x d3Bd5", "Gd5", "Bd5", "x c4We6", "We4", "elsewhere", None]
    found = letter_moves([{"move": move} for move in moves], {"d3": "G"}, standard_board("37"))
    assert [(one.letter, one.ring, one.kind) for one in found] == [
        ("a", "d5", "white"),
        ("b", "d5", "jump"),
        ("c", "d5", "grey"),
        ("d", "d5", "black"),
        ("e", "e6", "jump"),
        ("f", "e4", "white"),
        ("", "", ""),
        ("", "", ""),
    ]
    assert [bool(one.preview) for one in found] == [True] * 6 + [False] * 2
    assert found[1].words == "Capture from d3 to d5, taking black"


def test_letters_end_and_a_ring_has_four() -> None:
    board = standard_board("37")
    found = letter_moves([{"move": f"W{ring}"} for ring in board.rings], {}, board)
    assert "".join(one.letter for one in found) == "abcdefghijklmnop"
    same = letter_moves([{"move": f"{colour}d4"} for colour in "WGBWG"], {}, board)
    assert [one.letter for one in same] == ["a", "b", "c", "d", ""]
    assert same[-1].ring == "d4"


def test_where_a_pattern_may_lie() -> None:
    assert [get_placement(parse_pattern(text)) for text in ("W o", "d4:W turned", "d4:W")] == [
        ANYWHERE,
        SYMMETRIC,
        HERE,
    ]


@given(st.sampled_from(STANDARD_BOARDS), st.data())
def test_a_painted_position_holds_what_was_painted(name: str, data: st.DataObject) -> None:
    start = Position.start(name)
    held = "".join(
        data.draw(st.lists(st.sampled_from("WGBo."), min_size=len(start.board.rings), max_size=len(start.board.rings)))
    )
    painted = replace_rings(start, held)
    assert layout(painted) == held
    assert (painted.pool, painted.captured, painted.side) == (start.pool, start.captured, start.side)


def test_a_custom_board_is_not_painted_on() -> None:
    custom = Position.parse("custom standard a-3:oooo/b-4:ooo.o/c-3:oooo 6/8/10 0/0/0 0/0/0 1")
    with pytest.raises(QueryError, match="custom board"):
        replace_rings(custom, layout(custom))
