"""Players, profiles and head to head: the same as counted slowly from the list of games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from pathlib import Path

import pytest

from tests.queries import club
from tests.queries.club import Seat, tallied, year
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.players.head_to_head import compare_players
from zertz_db.queries.players.identity.proposals import evidence, propose_names
from zertz_db.queries.players.player_list import find_player, list_aliases, list_players
from zertz_db.queries.players.profile import find_profile
from zertz_db.queries.result import Result
from zertz_db.queries.wilson import share
from zertz_db.rules.board import standard_board
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

EVERYBODY = ["Cy", "ada", "ben", "greedybot", "guest", "guest7"]


@pytest.fixture
def folder(of_club: Path) -> Path:
    return of_club


@pytest.fixture
def seats(database: Database) -> list[Seat]:
    return list(club.seats(database))


def grouped(seats: list[Seat], key: Callable[[Seat], Hashable]) -> dict[Hashable, tuple[int, int, int, int]]:
    groups = defaultdict(list)
    for seat in seats:
        groups[key(seat)].append(seat)
    return {group: tallied(found) for group, found in groups.items()}


def counts(found: Result, *keys: str) -> dict[Hashable, tuple[int, int, int, int]]:
    """The tallies of a table by its keys, having looked whether their shares are right."""
    told = {}
    for row in found.dicts():
        known = share(row["wins"] + row["ties"] / 2, row["wins"] + row["ties"] + row["losses"])
        assert (row["share"], row["low"], row["high"]) == (known or (None, None, None))
        key = tuple(row[name] for name in keys)
        told[key if len(keys) > 1 else key[0]] = (row["games"], row["wins"], row["ties"], row["losses"])
    return told


def test_players_are_listed_with_what_their_games_say(database: Database, seats: list[Seat]) -> None:
    found = list_players(database)
    assert counts(found, "name") == grouped(seats, lambda seat: seat.player)
    assert {row["name"]: row["kind"] for row in found.dicts()} == {
        "ada": "human", "ben": "human", "Cy": "human", "greedybot": "bot", "guest": "guest", "guest7": "guest",
    }  # fmt: skip
    assert {row["name"]: row["names"] for row in found.dicts()}["ada"] == 3
    assert [row["games"] for row in found.dicts()] == sorted((row["games"] for row in found.dicts()), reverse=True)
    assert all(column.meaning for column in found.columns)


def test_players_of_some_games(database: Database, seats: list[Seat]) -> None:
    boards = {seat.row["board"] for seat in seats}
    for board in boards:
        wanted = [seat for seat in seats if seat.row["board"] == board]
        assert counts(list_players(database, f"board:{board}"), "name") == grouped(wanted, lambda seat: seat.player)


@pytest.mark.parametrize("name", EVERYBODY)
def test_a_profile_is_what_the_games_say(database: Database, seats: list[Seat], name: str) -> None:
    own = [seat for seat in seats if seat.player == name]
    found = find_profile(database, name.upper())
    assert (found.player.name, found.games) == (name, len({seat.game for seat in own}))
    assert counts(found.results, "board", "rule_set", "side") == grouped(
        own, lambda seat: (seat.row["board"], seat.row["rule_set"], seat.side)
    )
    assert counts(found.years, "year") == grouped(own, year)
    assert counts(found.opponents, "opponent") == grouped(
        [seat for seat in own if seat.opponent != name], lambda seat: seat.opponent
    )
    outcomes = {1: "won", 0: "neither", -1: "lost"}
    expected: dict[tuple[object, ...], int] = defaultdict(int)
    for seat in own:
        if seat.score is not None:
            row = seat.row
            expected[outcomes[seat.score], row["ending"], row["winning_sets"], row["won_by"]] += 1
    assert {tuple(row[:-1]): row[-1] for row in found.conditions.rows} == expected


@pytest.mark.parametrize("name", EVERYBODY)
def test_first_moves_are_counted_up_to_symmetry(database: Database, seats: list[Seat], name: str) -> None:
    expected: dict[tuple[object, ...], list[Seat]] = defaultdict(list)
    for seat in seats:
        if seat.player == name and seat.side == 1:
            first = find_game(database, seat.game).moves[0]
            key = seat.row["board"], seat.row["rule_set"], frozenset(images(str(seat.row["board"]), first))
            expected[key].append(seat)
    found = {
        (row["board"], row["rule_set"], frozenset(images(row["board"], row["move"]))): (
            row["games"], row["wins"], row["ties"], row["losses"],
        )
        for row in find_profile(database, name).first_moves.dicts()
    }  # fmt: skip
    assert found == {key: tallied(group) for key, group in expected.items()}


def images(board: str, move: str) -> Iterator[str]:
    """A placement under each of the board's symmetries."""
    rings = standard_board(board).rings
    for image in standard_board(board).symmetries:
        turned = {ring: rings[there] for ring, there in zip(rings, image, strict=True)}
        ring, _, removed = move[1:].partition(",")
        yield f"{move[0]}{turned[ring]}{',' + turned[removed] if removed else ''}"


def test_two_players_against_each_other(database: Database, seats: list[Seat]) -> None:
    own = [seat for seat in seats if (seat.player, seat.opponent) == ("ada", "ben")]
    found = compare_players(database, "adah", "BEN")
    assert (found.one.name, found.other.name) == ("ada", "ben")
    assert counts(found.results, "board", "rule_set", "side") == grouped(
        own, lambda seat: (seat.row["board"], seat.row["rule_set"], seat.side)
    )
    assert counts(found.years, "year") == grouped(own, year)
    [total] = found.total.dicts()
    assert (total["games"], total["wins"]) == (len(found.games.rows), sum(seat.score == 1 for seat in own))
    years = [row["year"] for row in found.years.dicts()]
    assert years == sorted(years, key=lambda one: -(one or 0))
    assert {row[0] for row in found.games.rows} == {seat.game for seat in own}
    mirrored = compare_players(database, "ben", "ada")
    assert sum(row["wins"] for row in mirrored.results.dicts()) == sum(row["losses"] for row in found.results.dicts())


def test_all_names_of_a_player_will_do(database: Database) -> None:
    for name in ("ada", "ADA", "AdaH"):
        assert find_player(database.connection(), name).names == ("ADA", "ada", "adah")
    assert len(list_games(database, "player:adah").rows) == find_profile(database, "ada").games


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda database: find_profile(database, "adda"), "no player is called 'adda'; did you mean ad"),
        (lambda database: find_profile(database, "Zoltan"), "zertz players lists all"),
        (lambda database: compare_players(database, "ada", "adah"), "names of one player, ada"),
        (lambda database: compare_players(database, "ada", "nobody"), "no player is called 'nobody'"),
    ],
)
def test_who_is_not_there_is_said(database: Database, ask: Callable[[Database], object], words: str) -> None:
    with pytest.raises(QueryError, match=words):
        ask(database)


def test_claims_are_listed(database: Database) -> None:
    assert [row[:4] for row in list_aliases(database).rows] == [("adah", "ada", "accepted", "she said so")]


@pytest.fixture
def alike(tmp_path: Path) -> Path:
    """Five names that are alike: some met, some have an opponent in common, some differ in digits only."""
    pairs = [
        ("dorothea", "ben"),
        ("ben", "dorothéa"),
        ("dorothee", "Cy"),
        ("dorothea1", "Cy"),
        ("dorothea", "dorothie"),
        ("dorothie", "ben"),
    ]
    text = "".join(
        f'[Player1 "{one}"]\n[Player2 "{other}"]\n[Board "37"]\n[Date "201{day}.05.01"]\n\n1. Wd4,d1 Bd3,a1 *\n\n'
        for day, (one, other) in enumerate(pairs)
    )
    (tmp_path / "a.txt").write_text(text, "utf-8")
    from zertz_db.ingest.import_paths import import_paths

    import_paths([tmp_path / "a.txt"], tmp_path / "db")
    return tmp_path / "db"


def test_names_that_may_be_one_players_are_proposed_with_what_speaks_for_it(alike: Path) -> None:
    with open_database(alike) as database:
        found = {frozenset((row["name"], row["player"])): row for row in propose_names(database).dicts()}
        assert found.keys() == {
            frozenset(("dorothea", "dorothéa")),
            frozenset(("dorothee", "dorothea")),
            frozenset(("dorothee", "dorothie")),
            frozenset(("dorothea", "dorothea1")),
        }, "dorothea met dorothie, so these are two people"
        row = found[frozenset(("dorothea", "dorothéa"))]
        assert (row["common_opponents"], row["opponents"], row["player_years"]) == (1, 1, "2010–2014")
        assert evidence(database, "DOROTHEA", "dorothea1").startswith(
            "names 94 % alike: equal but for digits or signs; 0 of 1 human opponents in common"
        )
        assert "they met in 1 game, which is strong evidence against it" in evidence(database, "dorothea", "dorothie")
        assert evidence(database, "dorothea", "nobody") == ""


def list_proposed(database: Database) -> list[tuple[str, str]]:
    return [row[:2] for row in propose_names(database).rows]


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
def test_what_was_decided_is_not_proposed_again_until_that_is_undone(alike: Path, verdict: str) -> None:
    from zertz_db.edit.claim_names import set_alias

    pair = "dorothea1", "dorothea"
    with open_database(alike) as database:
        assert pair in list_proposed(database)
        set_alias(alike, *pair, verdict)
        assert pair not in list_proposed(database)
        set_alias(alike, *pair, "undone")
        assert pair in list_proposed(database)
