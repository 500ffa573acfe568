"""Patterns, held against a search that is obvious and slow; and as values: their signs, their written form, where they lie."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.queries.search.searched import build
from tests.queries.search.slow_search import Place, Seen, pattern_matches, rings_match, seen, turn
from zertz_db.queries.errors import QueryError
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.pattern import Limit, Pattern, allowed
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.queries.search.scans import grid_scan
from zertz_db.queries.search.scans.bit_grid import find_grid
from zertz_db.queries.search.scans.embeddings import Embedding, find_embeddings, list_layings
from zertz_db.queries.search.scans.scan import find_by_place, plan_scan
from zertz_db.rules.board import STANDARD_BOARDS, standard_board
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.position_columns import RING_SETS

SIGNS = {
    "W": "W", "G": "G", "B": "B", "o": "o", ".": ".", "*": "WGB", "#": "oWGB", "?": ".oWGB",
    "!W": ".oGB", "!*": ".o", "!.": "oWGB", "[Wo]": "Wo", "![o.]": "WGB", "[*.]": ".WGB",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Searched:
    database: Database
    seen: list[Seen]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searched]:
    with open_database(build(tmp_path_factory.mktemp("patterns"), seed=1)) as database:
        yield Searched(database, list(seen(database.connection())))


def listed(found: Found) -> set[tuple[str, int]]:
    return {(hit["id"], hit["ply"]) for hit in found.hits.dicts()}


def place_of(cell: tuple[int, int]) -> Place:
    """A cell's column, and its height in half steps."""
    q, r = cell
    return q, q + 2 * r


def signs_for(chance: Random, state: str) -> str:
    """A sign that allows a state, and sometimes one that may not."""
    return chance.choice([sign for sign in SIGNS if state in SIGNS[sign]] + [state] * 8)


def near(chance: Random, position: Seen, size: int) -> list[Place]:
    """Neighbouring places, some of them perhaps beyond the edge."""
    places = [chance.choice(sorted(position.everywhere))]
    while len(places) < size:
        x, y = chance.choice(places)
        dx, dy = chance.choice([(0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1)])
        if (x + dx, y + dy) not in places:
            places.append((x + dx, y + dy))
    return places


def drawn(chance: Random, position: Seen, size: int) -> dict[tuple[int, int], str]:
    """Cells of a pattern that is found at least in a position or one like it, turned at random."""
    places = near(chance, position, size)
    x0, y0 = places[0]
    sixths, cells = chance.randrange(6), {}
    for x, y in places:
        dx, dy = x - x0, y - y0
        for _ in range(sixths):
            dx, dy = turn(dx, dy)
        cells[dx, (dy - dx) // 2] = signs_for(chance, position.state((x, y)))
    return cells


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 7))
def test_the_same_positions_are_found_as_by_the_slow_search(searched: Searched, seed: int, size: int) -> None:
    chance = Random(seed)  # noqa: S311
    cells = drawn(chance, chance.choice(searched.seen), size)
    states = {place_of(cell): set(SIGNS[sign]) for cell, sign in cells.items() if sign != "?"}
    found = find_pattern(searched.database, Pattern(cells), every=True, limit=None)
    matches = {one.id for one in searched.seen if not states or pattern_matches(states, one)}
    assert listed(found) == matches
    assert (found.plies, found.games) == (len(matches), len({game for game, _ in matches}))
    check_cells(found, cells, searched)
    first = dict(sorted(matches, reverse=True))
    once = find_pattern(searched.database, Pattern(cells), limit=None)
    assert listed(once) == set(first.items())
    assert sum(row["matches"] for row in once.continuations.dicts()) == len(first)


def check_cells(found: Found, cells: dict[tuple[int, int], str], searched: Searched) -> None:
    """The rings that are named hold what they may and lie as the pattern does, and so do those of the next move."""
    by_id = {one.id: one for one in searched.seen}
    for hit in found.hits.dicts():
        match = by_id[hit["id"], hit["ply"]]
        told = dict(zip(cells, hit["cells"].split(), strict=True))
        for cell, ring in told.items():
            assert (match.state(match.names[ring]) if ring != "-" else ".") in SIGNS[cells[cell]]
        known = {place_of(cell): match.names[ring] for cell, ring in told.items() if ring != "-"}
        known |= dict(zip(coordinates(hit["next"]), played(match), strict=True))
        assert all(apart(a, b) == apart(known[a], known[b]) for a in known for b in known)


def coordinates(text: str | None) -> list[Place]:
    return [place_of(tuple(map(int, pair.split(",")))) for pair in (text or "").replace(")", "(").split("(")[1::2]]  # type: ignore[arg-type]


def played(position: Seen) -> list[Place]:
    move = (position.move or "").removeprefix("x ").partition(" x ")[0]
    return [position.names[ring] for ring in re.findall(r"[a-q]\d+", move)]


def apart(one: Place, other: Place) -> int:
    """A distance on the plane, squared."""
    return 3 * (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 5), turned=st.booleans())
def test_named_rings_lie_where_they_are_or_turned_with_their_board(
    searched: Searched, seed: int, size: int, turned: bool
) -> None:
    chance = Random(seed)  # noqa: S311
    position = chance.choice(searched.seen)
    rings = chance.sample(sorted(position.names), size)
    cells = {ring: signs_for(chance, position.state(position.names[ring])) for ring in rings}
    found = find_pattern(searched.database, Pattern(cells, turned=turned), every=True, limit=None)
    states = {ring: set(SIGNS[sign]) for ring, sign in cells.items()}
    assert listed(found) == {one.id for one in searched.seen if rings_match(states, one, turned)}


QUANTITIES: dict[str, Callable[[Seen], int]] = {
    "rings": lambda one: len(one.held),
    "marbles": lambda one: sum(sign != "o" for sign in one.held.values()),
    "marbles.grey": lambda one: sum(sign == "G" for sign in one.held.values()),
    "pool": lambda one: sum(one.pool.values()),
    "pool.white": lambda one: one.pool["W"],
    "mover": lambda one: sum(one.captures[one.side - 1].values()),
    "mover.black": lambda one: one.captures[one.side - 1]["B"],
    "opponent.grey": lambda one: one.captures[2 - one.side]["G"],
    "player1.white": lambda one: one.captures[0]["W"],
    "player2": lambda one: sum(one.captures[1].values()),
    "side": lambda one: one.side,
}
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(QUANTITIES)),
    st.sampled_from(sorted(COMPARED)),
    st.integers(0, 12),
    st.sampled_from(["", "W ", "o . "]),
)
def test_limits(searched: Searched, quantity: str, sign: str, number: int, cells: str) -> None:
    found = find_pattern(searched.database, f"{cells}{quantity}{sign}{number}", every=True, limit=None)
    states = {place_of((q, 0)): {cell} for q, cell in enumerate(cells.split())}
    assert listed(found) == {
        one.id
        for one in searched.seen
        if COMPARED[sign](QUANTITIES[quantity](one), number) and (not states or pattern_matches(states, one))
    }


def test_a_search_on_one_board_and_within_a_filter(searched: Searched) -> None:
    boards = {row["board"] for row in find_pattern(searched.database, "W board:48", limit=None).hits.dicts()}
    assert boards == {"48"}
    boards = {row["board"] for row in find_pattern(searched.database, "W", "board:61,40", limit=None).hits.dicts()}
    assert boards == {"61", "40"}


@pytest.mark.parametrize(("sign", "states"), SIGNS.items())
def test_signs(sign: str, states: str) -> None:
    assert allowed(sign) == set(states)


@pytest.mark.parametrize("sign", ["", "w", "WG", "[", "[]", "!", "!?", "!!W", "[W", "x"])
def test_what_is_no_sign(sign: str) -> None:
    with pytest.raises(QueryError):
        allowed(sign)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("W", Pattern({(0, 0): "W"})),
        ("W*o", Pattern({(0, 0): "W", (1, 0): "*", (2, 0): "o"})),
        (" W . o / ? B ", Pattern({(0, 0): "W", (1, 0): ".", (2, 0): "o", (0, 1): "?", (1, 1): "B"})),
        ("W / < < o", Pattern({(0, 0): "W", (-2, 1): "o"})),
        ("W / < o B", Pattern({(0, 0): "W", (-1, 1): "o", (0, 1): "B"})),
        ("W / < o B / G", Pattern({(0, 0): "W", (-1, 1): "o", (0, 1): "B", (-1, 2): "G"})),
        ("!W [Go]", Pattern({(0, 0): "!W", (1, 0): "[Go]"})),
        ("o5:o d4:!.", Pattern({"o5": "o", "d4": "!."})),
        ("d4:W turned", Pattern({"d4": "W"}, turned=True)),
        ("e9:W a1:o q12:.", Pattern({"e9": "W", "a1": "o", "q12": "."})),
        ("rings<20", Pattern({}, limits=(Limit("rings", "<", 20),))),
        ("W pool.white:0 side=2", Pattern({(0, 0): "W"}, limits=(Limit("pool.white", "=", 0), Limit("side", "=", 2)))),
        ("W rings:>=9 board:48", Pattern({(0, 0): "W"}, limits=(Limit("rings", ">=", 9),), board="48")),
    ],
)
def test_the_written_form(text: str, pattern: Pattern) -> None:
    assert parse_pattern(text) == pattern


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the pattern is empty"),
        ("W x o", r"unexpected 'x'(.|\n)*\^"),
        ("W /", "at the end"),
        ("d4:", "at the end"),
        ("d4:W e4", "unexpected 'e'"),
        ("W < G", "unexpected '<'"),
        ("!?", "allows nothing"),
        ("W rings<few", "invalid number 'few' after rings<; write rings<3"),
        ("W ringz<20", "ringz<20 is no limit; did you mean rings"),
        ("W board:36", "no board '36'"),
        ("W board:37 board:48", "several boards: 37, 48"),
        ("W turned", "the word turned is for named rings"),
        ("d4:W d4:G", "d4 is named twice"),
    ],
)
def test_what_is_no_pattern(text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse_pattern(text)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({(0, 0): "W", "d4": "W"}, "all by rings or all by coordinates"),
        ({"z1": "W"}, "no ring is called 'z1'"),
    ],
)
def test_cells_that_make_no_pattern(cells: dict[object, str], message: str) -> None:
    with pytest.raises(QueryError, match=message):
        Pattern(cells)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "board", "places"),
    [
        ("W", "37", 37),
        ("W o", "37", 2 * 90),
        ("* *", "37", 90),
        ("* * *", "61", 3 * (2 * (5 - 2 + 6 - 2 + 7 - 2 + 8 - 2) + 9 - 2)),
        ("d4:W", "37", 1),
        ("a1:W turned", "37", 6),
        ("h1:W", "37", 0),
        ("rings<20", "37", 1),
        ("W o", "48", 2 * 120),
    ],
)
def test_each_place_counts_once(text: str, board: str, places: int) -> None:
    found = embeddings(parse_pattern(text), board)
    assert len({placing.forbidden for placing in found}) == len(found)
    assert len(found) == places


def test_beyond_the_edge_there_are_no_rings() -> None:
    """So that a ring on the edge is beside none in several ways, which are one and the same place."""
    cells = {(0, 0): "W", (1, 0): "."}
    found = embeddings(Pattern(cells), "37")
    inside = 2 * standard_board("37").adjacencies()
    assert len(found) == inside + 18  # and one place for each ring on the edge


def embeddings(pattern: Pattern, board: str) -> list[Embedding]:
    return find_embeddings(list_layings(pattern, standard_board(board)), standard_board(board))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_both_ways_to_look_through_positions_find_the_same_place(searched: Searched, seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    some = chance.choice([one for one in searched.seen if one.board != "custom"])
    board, pattern = some.board, Pattern(drawn(chance, some, 4))
    rows = searched.database.connection().execute(
        f"SELECT {', '.join(RING_SETS)} FROM _position WHERE board = '{board}'"
    )
    sets = [np.array(column, np.int64) for column in zip(*rows.fetchall(), strict=True)]
    placed = embeddings(pattern, board)
    expected = [None if number < 0 else placed[number].way for number in find_by_place(placed, sets)]
    plan = plan_scan(pattern, standard_board(board))
    assert [None if number < 0 else plan.way(number) for number in plan.find(sets)] == expected
    if plan.select:
        assert {row for row, way in enumerate(expected) if way} <= {*plan.select(sets).tolist()}


@pytest.mark.parametrize("states", ["".join(some) for size in range(1, 5) for some in combinations("oWGB", size)])
def test_rings_in_some_states_are_told_by_three_sets(states: str) -> None:
    contents = ".oWGB"
    sets = [
        np.array([sum((held in one) << ring for ring, held in enumerate(contents))]) for one in ("oWGB", "WB", "GB")
    ]
    [found] = grid_scan.hold(sets, states).tolist()
    assert [held for ring, held in enumerate(contents) if found >> ring & 1] == [*states]
    room = np.zeros(1, np.int64)
    assert grid_scan.hold(sets, states, room).tolist() == [found]


@pytest.mark.parametrize("board", ["37", "48"])
def test_a_selection_leaves_out_most_positions_and_no_match(
    searched: Searched, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    monkeypatch.setattr(grid_scan, "_BLOCK", 50)
    query = f"SELECT {', '.join(RING_SETS)} FROM _position WHERE board = '{board}'"
    rows = searched.database.connection().execute(query).fetchall()
    sets = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
    plan = plan_scan(parse_pattern("W o / < B o"), standard_board(board))
    assert plan.select
    selected, matching = plan.select(sets).tolist(), np.flatnonzero(plan.find(sets) >= 0).tolist()
    assert selected == sorted({*selected})
    assert len(selected) < len(rows)
    assert matching
    assert {*matching} <= {*selected}


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_the_grid_of_a_standard_board_has_64_bits(board: str) -> None:
    assert find_grid(standard_board(board)).is_narrow
