from dataclasses import replace

import pytest

from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import SHORTEST_PREFIX, course, find_game
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import LETTERS

EVENTS = ["resigned", "clocks", "large", "blitz", "custom", "contradicted"]


@pytest.mark.parametrize("event", EVENTS)
def test_the_positions_are_those_that_are_stored(database: Database, ids: dict[str, str], event: str) -> None:
    positions = find_game(database, ids[event]).positions
    stored = database.connection().execute(_STORED, [ids[event]]).fetchall()
    assert [_as_stored(position) for position in positions] == stored


_STORED = """
    SELECT side, rings, white, grey, black, pool_white, pool_grey, pool_black,
        captured1_white, captured1_grey, captured1_black, captured2_white, captured2_grey, captured2_black
    FROM positions WHERE game = ? ORDER BY ply
"""


def _as_stored(position: Position) -> tuple[int, ...]:
    marbles = (sum(1 << n for n, ring in enumerate(position.board.rings) if position.on(ring) in on) for on in _ON)
    return (position.side, *marbles, *position.pool, *(count for held in position.captured for count in held))


_ON = (("o", "W", "G", "B"), ("W",), ("G",), ("B",))


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("ply", [0, 1, 2])
def test_a_game_is_played_through(database: Database, ids: dict[str, str], event: str, ply: int) -> None:
    whole, played = find_game(database, ids[event]), course(database, ids[event])
    assert played.moves == whole.moves == [row["notation"] for row in whole.plies.dicts()]
    assert played.position(ply) == whole.positions[ply]


def test_a_game_by_other_rules_says_so(database: Database, ids: dict[str, str]) -> None:
    found = find_game(database, ids["resigned"])
    with pytest.raises(QueryError, match=r"illegal under the current rules: .* zertz recheck"):
        _ = replace(found, row={**found.row, "movetext": "Wd4,d1 Gd4,d2"}).positions


@pytest.mark.parametrize("event", EVENTS)
def test_a_game_is_found_by_its_id_and_by_its_first_letters(
    database: Database, ids: dict[str, str], event: str
) -> None:
    for length in range(SHORTEST_PREFIX, LETTERS + 1):
        assert find_game(database, ids[event][:length].lower()).id == ids[event]


def test_everything_about_a_game(database: Database, ids: dict[str, str]) -> None:
    found = find_game(database, ids["resigned"])
    assert found.row["player1"] == "Ada"
    assert found.moves == ["Wd4,d1", "Bd3,a1", "x d3Wd5", "Gc3,g1"]
    assert found.tags.rows == [("Annotator", "Cy")]
    assert found.outcome == "0-1, resign"
    sightings = [(row["path"].rpartition("/")[2], row["status"]) for row in found.sightings.dicts()]
    assert sightings == [("club.txt", "stored"), ("again.txt", "duplicate")]
    assert [(row["ply"], row["mover"], row["kind"]) for row in found.plies.dicts()] == [
        (1, 1, "placement"), (2, 2, "placement"), (3, 1, "capture"), (4, 2, "placement"),
    ]  # fmt: skip


def test_clocks_are_in_milliseconds(database: Database, ids: dict[str, str]) -> None:
    assert find_game(database, ids["clocks"]).clocks == [62_000, 3_600_000]
    assert set(find_game(database, ids["blitz"]).clocks) == {None}


@pytest.mark.parametrize(
    ("ending", "winner", "sets", "said"),
    [
        (None, 1, None, None),
        ("resign", 1, None, "Player 2 resigns."),
        ("resign", None, None, "It is said to have ended by resign."),
        ("time", 2, None, "Player 1's time runs out."),
        ("set", 2, "4W+3each", "Player 2 has a winning set: 4W+3each."),
        ("agreed", 0, None, "The players agree on a tie."),
        ("abandoned", None, None, "The game is abandoned."),
    ],
)
def test_the_end_in_words(
    database: Database, ids: dict[str, str], ending: str | None, winner: int | None, sets: str | None, said: str | None
) -> None:
    found = find_game(database, ids["resigned"])
    row = {**found.row, "ending": ending, "winner": winner, "winning_sets": sets}
    assert replace(found, row=row).end == said


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_has_words(database: Database, ids: dict[str, str], ending: str) -> None:
    found = find_game(database, ids["resigned"])
    end = replace(found, row={**found.row, "ending": ending, "winner": 1, "winning_sets": "4W"}).end
    assert end is not None
    assert end[0].isupper() and end.endswith(".") and "{" not in end and ending != end


def test_a_contradiction_shows_both_results_and_the_finding(database: Database, ids: dict[str, str]) -> None:
    found = find_game(database, ids["contradicted"])
    assert found.outcome == "the record states 1/2-1/2, the moves give 1-0"
    assert "W401" in [row["code"] for row in found.findings.dicts()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ABC", "too short"),
        ("", "too short"),
        ("ABCU*", "an id has no \\* U"),
        ("A" * 14, "an id has 13 letters, this has 14"),
        ("Z" * 13, "the first letter is at most F"),
        ("0000000000000", "there is no game 0000000000000"),
    ],
)
def test_what_is_no_games_id(database: Database, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        find_game(database, text)
