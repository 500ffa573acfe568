"""TRF files: what a line means, what is refused, and that files are read as they were written."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.export.trf import format_trf
from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments.crosstable import build_crosstable
from zertz_db.queries.tournaments.standings import TournamentGame, rank_players
from zertz_db.queries.tournaments.tournament_games import Tournament
from zertz_db.queries.tournaments.trf_file import parse_trf

DAY = dt.date(2010, 5, 1)


def player(number: int, name: str, points: str, *cells: str, rating: str = "") -> str:
    return f"001 {number:4}      {name:<33} {rating:>4}{'':28}{points:>4} {number:4}" + "".join(
        f"  {one.rstrip():8}" for one in cells
    )


def read(*lines: str) -> Tournament:
    return parse_trf("\r\n".join(lines).encode())


def test_a_file_of_another_program() -> None:
    found = read(
        "012 Club Open",
        "013 a team",
        "022 Town",
        "042 2010-05-01",
        "052 05.02.2010",
        f"{'132':<89}  10/05/01  99/05/02",
        "### a comment",
        player(1, "Ada", "2.5", "   2 w 1 ", "   3 b = ", "0000 - F", rating="1650"),
        player(2, "Ben", "1.5", "   1 b 0 ", "0000 - H", "   3 - + "),
        player(3, "Cy", "1.5", "0000 - U", "   1 w D ", "   2 - - "),
        player(4, "Dan", "0.0", "        ", "   5 w   "),
        player(5, "Dan", "", "0000 - Z", "   4 b   "),
        "XXR 5",
    )
    assert (found.name, found.first_day, found.last_day) == ("Club Open", DAY, None)
    assert found.games == [
        TournamentGame(("Ada", "Ben"), (1.0, 0.0), "1", (1650, None), DAY, "Town"),
        TournamentGame(("Cy", "Ada"), (0.5, 0.5), "2", (None, 1650), dt.date(1999, 5, 2), "Town"),
        TournamentGame(("Dan", "Dan (5)"), None, "2", (None, None), dt.date(1999, 5, 2), "Town"),
    ]
    assert found.unplayed == {"Ada": 1.0, "Ben": 1.5, "Cy": 1.0, "Dan": 0.0, "Dan (5)": 0.0}
    assert found.doubts == ()
    rows = build_crosstable(found).dicts()
    assert [(row["player"], row["points"], row["games"], row["unfinished"]) for row in rows] == [
        ("Ada", 2.5, 2, 0), ("Cy", 1.5, 1, 0), ("Ben", 1.5, 1, 0), ("Dan", 0.0, 0, 1), ("Dan (5)", 0.0, 0, 1),
    ]  # fmt: skip


def test_points_that_the_rounds_do_not_give_are_a_doubt() -> None:
    found = read(player(1, "Ada", "3.0", "   2   1"), player(2, "Ben", "0.0", "   1   0"))
    assert found.games[0].players == ("Ada", "Ben")
    assert found.doubts == ("line 1: Ada has 3 points as stated, 1 by the rounds",)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["012 Open"], "no line begins with 001"),
        (["001"], "line 1: a player needs a number"),
        ([player(0, "Ada", "0.0")], "line 1: a player needs a number"),
        ([player(1, "Ada", "nan")], "line 1: 'nan' in columns 81 to 84 are not points"),
        ([player(1, "Ada", "0.0"), player(1, "Ben", "0.0")], "line 2: number 1 is also that of line 1"),
        ([player(1, "Ada", "0.0", "   7 w 1")], "line 1: no other player has the number 7, the opponent in round 1"),
        ([player(1, "Ada", "0.0", "   1 w 1")], "line 1: no other player has the number 1"),
        ([player(1, "Ada", "0.0", "0000 - 1")], "line 1: round 1 has the result 1 and no opponent"),
        ([player(1, "Ada", "0.0", "   x w 1")], "is not an opponent, w or b, and a result"),
        ([player(1, "Ada", "0.0", "  2 w 1 ")], "is not an opponent, w or b, and a result"),  # a column to the left
        ([player(1, "Ada", "0.0", "   2 w 1x")], "is not an opponent, w or b, and a result"),
        ([player(1, "Ada", "0.0", "   2 g 1")], "is not an opponent, w or b, and a result"),
        ([player(1, "Ada", "0.0", "   2 w ?")], "line 1: the result '?' is unknown; valid: 1 W = D 0 L"),
        ([player(1, "Ada", "0.0", "   2 w 1"), player(2, "Ben", "0.0")], "whose own opponent is nobody"),
        ([player(1, "Ada", "1.0", "   2 w 1"), player(2, "Ben", "0.0", "   1 w 0")], "have the side w"),
        ([player(1, "Ada", "1.0", "   2 w 1"), player(2, "Ben", "1.0", "   1 b 1")], "contradict each other"),
        ([player(1, "Ada", "1.0", "   2 w 1"), player(2, "Ben", "0.0", "   1 b  ")], "the results 1 and nothing"),
        (["x" * 10_000_001], "larger than 10 MB"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_refused_with_its_line(lines: list[str], message: str) -> None:
    with pytest.raises(QueryError) as error:
        read(*lines)
    assert message in str(error.value)


names = st.text("Aé ~\t()", min_size=1, max_size=40)
days = st.none() | st.dates(dt.date(1970, 1, 1), dt.date(2069, 12, 31))
results = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0), None])
ratings = st.none() | st.integers(-100, 12_000)
rounds = st.none() | st.sampled_from(["1", "2", "3", "final"])


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    players = draw(st.lists(names, min_size=2, max_size=8, unique=True))
    pairs = st.lists(st.sampled_from(players), min_size=2, max_size=2, unique=True).map(lambda two: (two[0], two[1]))
    games = st.builds(
        TournamentGame,
        pairs,
        results,
        rounds,
        st.tuples(ratings, ratings),
        days,
        st.sampled_from(["Town", "Là bas", None]),
    )
    return Tournament(draw(names), draw(st.lists(games, min_size=1, max_size=20)))


@given(tournaments())
def test_what_is_written_reads_and_writes_alike(tournament: Tournament) -> None:
    text = format_trf(tournament)
    read_back = parse_trf(text.encode())
    assert format_trf(read_back) == text
    assert read_back.doubts == ()
    assert summarise(read_back) == summarise(tournament)


def summarise(tournament: Tournament) -> list[tuple[float, ...]]:
    """The standings without names: those that are too long are cut, which can exchange players of one rank."""
    return sorted(
        (one.rank, one.points, one.games, one.unfinished, one.sonneborn_berger, one.buchholz, one.direct or 0, one.wins)
        for one in rank_players(tournament.games)
    )


@given(st.binary(max_size=300) | st.text("001 wb=1-+2\n", max_size=400).map(str.encode))
def test_any_bytes_are_a_tournament_or_an_explained_error(data: bytes) -> None:
    try:
        found = parse_trf(b"001    1\n" + data)
    except QueryError as error:
        assert str(error)
    else:
        assert len({*(found.unplayed or ())}) >= 1
