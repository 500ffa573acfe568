"""What a puzzle is: tables of onsets and themes, and a slow search that shares no code with the solver."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.tactics.samples import SAMPLES
from tests.tactics.slow_search import is_forcing, loses_by_force, shortest_win
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.position import Position
from zertz_db.tactics.puzzles.difficulty import estimate_difficulty
from zertz_db.tactics.puzzles.find import Onset, Puzzle, find_puzzles, list_onsets
from zertz_db.tactics.puzzles.themes import THEMES, name_themes


@pytest.mark.parametrize(
    ("forced", "is_free", "plies"),
    [
        ([0, 0, 3, 0], "yyyy", [2]),
        ([0, 0, 1, 0], "yyyy", []),  # a win at once is no puzzle
        ([0, 0, 3, 0], "yyny", []),  # a capture is due, or there is no choice
        ([3, 0, 3, 0], "yyyy", []),  # the win was there a turn before
        ([0, 3, 5, 0], "yyyy", [1, 2]),  # of two players
        ([0, 5, 0, 3, 0, 0], "yyyyyy", [1]),  # the second is the same win, two plies later
        ([0, 5, 0, 0, 0, 3], "yyyyyy", [1, 5]),
        ([3, 0, 0], "yyy", []),  # no move of the opponent came before
        ([], "", []),
    ],
)
def test_onsets(forced: list[int], is_free: str, plies: list[int]) -> None:
    found = list_onsets([f"state {ply}" for ply in range(len(forced))], forced, [letter == "y" for letter in is_free])
    assert [onset.ply for onset in found] == plies
    assert all(onset.state == f"state {onset.ply}" and onset.length == forced[onset.ply] for onset in found)


def find_one(position: Position, length: int, nodes: int = 20_000, *, interpreted: bool = False) -> Puzzle | None:
    onset = Onset(1, length, position.state)
    return find_puzzles(position.board, position.rules, [[onset]], nodes, interpreted=interpreted)[0]


def winning_placements(position: Position, plies: int) -> dict[str, set[str]]:
    """Return the colours that win within a number of plies, by ring, found by the slow search."""
    found = defaultdict(set)
    for move in position.legal_moves():
        if move.colour in found[move.ring]:
            continue
        after = position.play(move)
        if after.winner == position.side or (
            not after.is_over and is_forcing(move, after) and loses_by_force(after, plies - 1)
        ):
            found[move.ring].add(move.colour)
    return {ring: colours for ring, colours in found.items() if colours}


SMALL = [
    ("37 standard BB../GooG./..WooW/...oB../G.G.../Wo.../GW.. 0/0/6 2/2/1 0/1/0 1", "A+"),
    ("48 standard ..W.B/...ooG/...GoB./.....WoG/......W/....../...../.... 0/0/0 2/3/3 1/2/5 2", "A+"),
    ("37 standard oB../Wo.../..ooB./...Wo../..oooG/..Bo./..oW 0/0/4 2/4/0 1/3/3 1", "A"),
    ("custom standard a-2:..o/b-3:..G./c-4:.ooG./d-3:.B.B/e-2:... 4/0/8 1/3/0 1/3/0 1", "B"),
    ("custom standard a-2:W.W/b-3:.oo./c-4:..ooB/d-3:o..o/e-2:... 2/6/6 1/1/3 1/1/0 1", "B"),
    ("37 standard ..../....G/...Wo./..oo.../.BoG../.oo../BoG. 0/2/0 2/2/4 3/1/4 1", None),
]
"""Positions with a forced win in 3 plies and few legal moves, with their grades; in the last one two rings win."""


@pytest.mark.parametrize(("text", "grade"), SMALL)
def test_one_winning_ring_by_a_slow_search(text: str, grade: str | None) -> None:
    position = Position.parse(text)
    assert shortest_win(position, 3) == 3
    winning = winning_placements(position, 3)
    puzzle = find_one(position, 3)
    assert (puzzle is None) == (len(winning) > 1) == (grade is None)
    if puzzle:
        assert {puzzle.ring: {*puzzle.colours}} == winning
        assert puzzle.grade == grade
        later = winning_placements(position, 5)
        assert (later == winning and len(puzzle.colours) == 1) == (grade == "A+")
        assert puzzle.legal_moves == len(position.legal_moves())
        assert len(puzzle.line) == puzzle.length == 3


def test_the_interpreted_search_finds_the_same() -> None:
    [best] = [sample for sample in SAMPLES if sample.winning == ("We1",)]
    position = Position.parse(best.position)
    puzzle = find_one(position, best.plies)
    assert puzzle is not None
    assert (puzzle.ring, puzzle.colours) == ("e1", "W")
    assert find_one(position, best.plies, 20_000, interpreted=True) == puzzle


def test_no_puzzle_if_the_limit_does_not_suffice() -> None:
    [best] = [sample for sample in SAMPLES if sample.winning == ("We1",)]
    assert find_one(Position.parse(best.position), best.plies, 1) is None


def test_a_game_has_one_puzzle_of_the_best_grade() -> None:
    """Of equal grades the longest counts, of these the first."""
    samples = [Position.parse(one.position) for one in SAMPLES if one.winning in (("We1",), ("Bd6",))]
    for position in samples:
        onsets = [Onset(ply, 3, position.state) for ply in (9, 4)]
        [puzzle] = find_puzzles(position.board, position.rules, [onsets], 20_000)
        assert puzzle is not None
        assert puzzle.ply == 4


@pytest.mark.parametrize("symmetry", range(1, 6))
def test_an_image_is_the_same_puzzle(symmetry: int) -> None:
    [sample] = [one for one in SAMPLES if one.winning == ("We1",)]
    position = Position.parse(sample.position)
    images = [tuple(one) for one in position.board.symmetries]
    if symmetry >= len(images):
        pytest.skip("the board has fewer symmetries")
    state = position.state
    for place in range(4):  # rings and three colours
        state[place] = sum(1 << images[symmetry][ring] for ring in range(64) if position.state[place] >> ring & 1)
    image = Position.parse(Position(position.board, position.rules, (*state[:20], 0, *state[21:])).text)
    own, other = find_one(position, 3), find_one(image, 3)
    assert own is not None
    assert other is not None
    assert (own.key, own.length, own.grade, own.colours, own.difficulty) == (
        other.key, other.length, other.grade, other.colours, other.difficulty,
    )  # fmt: skip
    assert own.key == canonicalise(position).key


@pytest.mark.parametrize(
    ("position", "line", "themes"),
    [
        ("37 standard .o.o/.ooo./.ooooo/..oooo./..Booo/..ooo/.... 3/3/2 0/4/5 3/1/2 2",
         "Wd4,a2|x e3Wc4|Wd5,b3|x c4We5|Wa4,b4 x Wa4", "sacrifice-2 isolation white"),
        ("37 standard ..../...../...W../Bo.oooo/BoGoo./.oB../W... 0/0/2 2/4/1 2/3/4 2",
         "Bd5,d2|x c4Be5|Bc4,e2 x Bd1Be1", "sacrifice-1 isolation last-marble black"),
        ("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1", "x d3Wd5", "white"),
        ("37 standard ..../...../....../ooBWo../....../...../.... 6/8/10 2/3/3 0/0/0 1", "x d3Wd5", "each"),
        ("37 standard ..../...../....../ooBWoGo/....../...../.... 6/8/10 3/2/3 0/0/0 1", "x d3Wd5Gd7", "several-sets white each"),
    ],
)  # fmt: skip
def test_themes(position: str, line: str, themes: str) -> None:
    assert " ".join(name_themes(Position.parse(position), line.split("|"))) == themes


def test_themes_are_in_order_and_all_have_a_meaning() -> None:
    assert all(THEMES.values())
    assert list(THEMES)[:3] == [f"sacrifice-{number}" for number in (1, 2, 3)]


def test_difficulty_grows_with_length_and_marbles_and_falls_with_colours() -> None:
    few = Position.parse("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1")
    more = Position.parse("37 standard ..../...../....../oGWWo../....../...../.... 6/7/10 3/0/0 0/0/0 1")
    base = estimate_difficulty(few, 3, 1, isolates=False)
    assert base < estimate_difficulty(few, 5, 1, isolates=False)
    assert base < estimate_difficulty(more, 3, 1, isolates=False)
    assert base < estimate_difficulty(few, 3, 1, isolates=True)
    assert base > estimate_difficulty(few, 3, 2, isolates=False)
