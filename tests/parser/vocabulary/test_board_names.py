"""Names of boards in tags, queries and Python."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.parser import Record, read
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.text.ring_names import places
from zertz_db.parser.vocabulary.board_names import BOARDS, STANDARD_BOARDS, board_in, board_named, stated_board
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.terms import write_term
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.rules import board as rules
from zertz_db.rules.board import BoardError, standard_board
from zertz_db.rules.position import Position

NAMES = {
    "37": ("37", "ZÈRTZ", "zertz", "37 rings", "zertz 37", "board 37", "Zertz (37 rings)"),
    "40": ("40", "37+3", "zertz+3", "40-ring board"),
    "43": ("43", "+6", "43 rings"),
    "44": ("44", "+7", "Zertz+7", "44 Ringe"),
    "48": (
        "48", "ZÈRTZ+11", "ZE\u0300RTZ+11", "Zertz+11", "zertz + 11", "ZERTZ-11", "zertz11", "Z11", "z+11", "+11", "+ 11", "37+11",
        "37 + 11", "zertz 37+11", "48 rings", "48rings", "48-rings", "48_rings", " 48 ", "48 Ringe", "48 ringen", "48 anelli", "48 anneaux",
        "48 anillos", "48 anéis", "+11 rings", "Zertz 48", "ZÈRTZ (48 rings)", "48-ring board", "\uff14\uff18", "\uff0b\uff11\uff11",
        "Zertz+H",
    ),
    "61": ("61", "Zertz+24", "+24", "Z24", "37+24", "61 RINGS"),
    "custom": ("custom", "Custom", "Zertz+xx", "custom board"),
}  # fmt: skip
NO_NAMES = (
    "", " ", "?", "38", "49", "11", "24", "+12", "37+12", "48+11", "48+13", "Z", "z48x", "zertz+", "rings", "board", "4 8", "48 49", "048",
    "huge", "standard", "37 or 48", "37/48", "-11",
)  # fmt: skip


@pytest.mark.parametrize(("name", "board"), [(name, board) for board, names in NAMES.items() for name in names])
def test_a_name_means_a_board_in_any_place(name: str, board: str) -> None:
    assert board_named(name) == board
    assert one(f'[Board "{name}"]\n1. Wd4,d1 *').board == board
    assert condition(write_term("board", name)) == ("board = ?", [board])
    if board != "custom":
        assert standard_board(name) is standard_board(board)
        assert Position.start(name) == Position.start(board)


@pytest.mark.parametrize("name", NO_NAMES)
def test_no_other_name_means_a_board(name: str) -> None:
    assert board_named(name) is None
    with pytest.raises(BoardError):
        standard_board(name)
    with pytest.raises(QueryError):
        condition(write_term("board", name))


@pytest.mark.parametrize(
    "query", ["board:zertz+11", "board:ZÈRTZ+11", "board:+11", "board:37+11", 'board:"48 rings"', "board:48"]
)
def test_a_filter_takes_names_with_and_without_quotation_marks(query: str) -> None:
    assert condition(query) == ("board = ?", ["48"])


def test_a_pattern_takes_names() -> None:
    assert parse_pattern("W * o board:zertz+11").board == "48"
    with pytest.raises(QueryError):
        parse_pattern("W * o board:49")


def test_a_position_begins_with_any_name() -> None:
    assert Position.parse(str(Position.start("61")).replace("61", "Zertz+24", 1)) == Position.start("61")


def test_another_spelling_is_reported() -> None:
    (remark,) = one('[Board "ZÈRTZ+11"]\n1. Wd4,d1 *').remarks
    assert (remark.code, remark.message) == ("W733", "Board 'ZÈRTZ+11' is read as 48")


@given(st.text(alphabet="zertz+0123456789 rings37ÈéZ-_.", max_size=20))
def test_any_text_is_a_board_or_none(text: str) -> None:
    assert board_named(text) in (*BOARDS, None)


@given(
    st.sampled_from([name for names in NAMES.values() for name in names]),
    st.sampled_from([str.upper, str.lower, str.title]),
)
def test_capitals_make_no_difference(name: str, spelt: object) -> None:
    assert board_named(spelt(name)) == board_named(name)  # type: ignore[operator]


def test_there_are_the_boards_that_readers_and_rules_know() -> None:
    assert STANDARD_BOARDS == rules.STANDARD_BOARDS
    assert all(len(places(board)) == int(board) for board in STANDARD_BOARDS)


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("ZÈRTZ+11 finals", "48"), ("48_rings.txt", "48"), ("my zertz+24 games", "61"), ("37+11.txt", "48"),
        ("zertz.txt", None), ("48.txt", None), ("zertz+11 and 61 rings", None), ("games-2011+12.txt", None), ("a+24.txt", None), ("", None),
    ],
)  # fmt: skip
def test_a_title_speaks_of_a_board(text: str, board: str | None) -> None:
    assert board_in(text) == board


@pytest.mark.parametrize(
    ("board", "position", "stated"),
    [
        (None, None, None), ("48", None, "48"), ("odd", None, "odd"), (None, "61 standard o", "61"), ("48", "61 standard o", "61"),
        ("48", "38 standard o", None),
    ],
)  # fmt: skip
def test_a_position_states_the_board_before_a_tag(board: str | None, position: str | None, stated: str | None) -> None:
    assert stated_board(board, position) == stated


GN = "Z11-ada-ben-2021-06-03-1200"
POSITION = f'[SetUp "1"]\n[Position "{Position.start("61")}"]\n'


@pytest.mark.parametrize(
    ("tags", "name", "board", "is_said"),
    [
        ("", "", None, False),
        ('[SU "Zertz+11"]\n', "", "48", True),
        ('[SU "Zertz"]\n', GN, "37", True),
        ('[SU "Zertz+99"]\n', GN, "Zertz+99", True),
        ('[SU "Hive"]\n', "", None, False),
        (f'[GN "{GN}"]\n', "", "48", True),
        (f'[GN "TU!{GN}"]\n', "", "48", True),
        (f'[GN "{GN}"]\n', "Z24-ada-ben-2021-06-03-1200.txt", "48", True),
        ('[GN "ZXX-ada-ben-2021-06-03-1200"]\n', "", None, False),
        ("", f"folder/U!{GN}.txt", "48", True),
        ("", "Z-ada-ben-2021-06-03-1200.txt", "37", True),
        ("", "zertz+24.txt", "61", True),
        ("", "48 rings/games.txt", None, False),
        ("", "zertz.txt", None, False),
        ('[Board "37"]\n[SU "Zertz+11"]\n', GN, "37", False),
        (POSITION + '[SU "Zertz+11"]\n', GN, None, False),
    ],
)
def test_the_stored_source_gives_the_board(tags: str, name: str, board: str | None, is_said: bool) -> None:
    (record,) = read(f"{tags}1. Wd4,d1 *", "gipf", name)
    assert (record.board, "N571" in {remark.code for remark in record.remarks}) == (board, is_said)


def test_the_name_of_a_servers_game_says_the_board() -> None:
    game = '(;GM[22]{}P0[id "ada"]P1[id "ben"]; P0[Start P0]; P0[RtoB 2 0 D 4]; P0[R- D 1]; P0[Done])'
    boards = [
        [record.board for record in read(game.format(properties), "boardspace", name)]
        for properties, name in ((f"GN[{GN}]", ""), ("", f"{GN}.sgf"), ("SU[Zertz+24]", f"{GN}.sgf"), ("", "a.sgf"))
    ]
    assert boards == [["48"], ["48"], ["61"], [None]]


@pytest.mark.parametrize("board", ["61", "Zertz+24"])
@pytest.mark.parametrize("tags", ['[Board "{}"]\n', POSITION])
def test_every_spelling_of_board_61_has_the_ninth_column(tags: str, board: str) -> None:
    record = one(f"{tags.format(board)}1. Wd4,j1 *")
    assert (record.plies[0].removed, "W730" in {remark.code for remark in record.remarks}) == ("i1", True)


def one(text: str) -> Record:
    (record,) = gipf.read(text)
    return record
