"""The client gives what the library gives."""

from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from zertz_db import queries
from zertz_db.client import Client, ServerError
from zertz_db.export.rows import objects
from zertz_db.queries import QueryError, Result
from zertz_db.queries.duplicates import list_duplicates
from zertz_db.queries.insights.comparison import compare_filters
from zertz_db.queries.players.head_to_head import compare_players
from zertz_db.queries.preparation.preparation import prepare_against
from zertz_db.queries.tournaments.file_comparison import compare_with_file
from zertz_db.queries.tournaments.round_robin import list_pairings
from zertz_db.queries.tournaments.trf_file import parse_trf
from zertz_db.rules.moves import list_moves
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

TRF = b"012 resigned\n001    1      Ada\n001    2      Dan\n"
AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1").text


class Passing(httpx2.BaseTransport):
    """Hands requests to a server without a network between."""

    def __init__(self, api: TestClient) -> None:
        self._api = api

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        target = request.url.raw_path.decode()
        answer = self._api.request(request.method, target, content=request.read(), headers=dict(request.headers))
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
        return httpx2.Response(answer.status_code, headers=headers, content=answer.content)


@pytest.fixture
def client(api: TestClient) -> Iterator[Client]:
    with Client("http://localhost", transport=Passing(api)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda c: c.games("player:ada", sort="plies"), lambda d: queries.list_games(d, "player:ada", sort="plies")),
        (lambda c: c.games(limit=2), lambda d: queries.list_games(d, limit=2)),
        (lambda c: c.games("player:nobody"), lambda d: queries.list_games(d, "player:nobody")),
        (
            lambda c: c.stats("endings", "board:37", "board"),
            lambda d: queries.ask_statistics(d, "endings", "board:37", ["board"]),
        ),
        (
            lambda c: c.tactics("player:ada", kind="quickest"),
            lambda d: queries.find_tactics(d, "quickest", "player:ada"),
        ),
        (
            lambda c: c.insights("captures", "board", "date:2010..", of="ada"),
            lambda d: queries.find_insight(d, "captures", "board", "date:2010..", "Ada").table,
        ),
        (lambda c: c.times("turns"), lambda d: queries.ask_times(d, "turns")),
        (lambda c: c.tournaments(), queries.list_tournaments),
        (lambda c: c.crosstable("resigned"), lambda d: queries.find_crosstable(d, "resigned")),
        (lambda c: c.crosstable("resigned", rounds=True), lambda d: queries.find_rounds(d, "resigned")),
        (
            lambda c: c.compare_tournament("resigned", TRF, "board:37"),
            lambda d: compare_with_file(d, "resigned", parse_trf(TRF), "board:37"),
        ),
        (
            lambda c: c.pairings(["Ada", "Ben & Co", "Cy"], double=True),
            lambda _: list_pairings(["Ada", "Ben & Co", "Cy"], double=True),
        ),
        (lambda c: c.players("board:37"), lambda d: queries.list_players(d, "board:37")),
        (lambda c: c.player("ada")["opponents"], lambda d: queries.find_profile(d, "ada").opponents),
        (lambda c: c.versus("a_b", "Ben")["games"], lambda d: compare_players(d, "a_b", "Ben").games),
        (lambda c: c.preparation("ada", known=1)["replies"], lambda d: prepare_against(d, "ada", known=1).replies),
        (
            lambda c: c.compare("endings", "board:37", "board:48")["table"],
            lambda d: compare_filters(d, "endings", "board:37", "board:48").table,
        ),
        (lambda c: c.ratings(kind="human"), lambda d: queries.rate_players(d, kind="human")),
        (lambda c: c.duplicates("player:ada"), lambda d: list_duplicates(d, "player:ada")),
    ],
)
def test_tables(
    client: Client, database: Database, ours: Callable[[Client], Result], theirs: Callable[[Database], Result]
) -> None:
    assert ours(client) == theirs(database)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (Client.games, "/games"),
        (Client.players, "/players"),
        (Client.puzzles, "/puzzles"),
        (Client.ratings, "/ratings"),
        (Client.studies, "/studies"),
        (Client.tactics, "/tactics"),
        (Client.tournaments, "/tournaments"),
        (Client.puzzle, "/puzzles/{puzzle_id}"),
        (Client.crosstable, "/tournaments/{name}"),
        (Client.insights, "/insights/{metric}"),
        (Client.pairings, "/pairings"),
    ],
)
def test_what_is_left_out_is_what_the_server_takes_for_it(
    api: TestClient, method: Callable[..., Any], path: str
) -> None:
    theirs = {one["name"]: one for one in api.get("/openapi.json").json()["paths"][path]["get"]["parameters"]}
    for name, parameter in signature(method).parameters.items():
        default = parameter.default
        if name in theirs and default is not Parameter.empty and default is not None:
            assert theirs[name]["schema"].get("default", "") == default, name


def test_a_list_of_games_longer_than_an_answer(
    client: Client, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zertz_db.client._PAGE_SIZE", 2)
    assert client.games() == queries.list_games(database)
    assert client.games(limit=5) == queries.list_games(database, limit=5)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda c: c.search("W . o"), lambda d: queries.find_pattern(d, "W . o", limit=50)),
        (
            lambda c: c.search("W", q="board:48", every=True),
            lambda d: queries.find_pattern(d, "W", "board:48", every=True, limit=50),
        ),
        (lambda c: c.search(moves="Wd4,d1"), lambda d: queries.find_position(d, Position.start("37").play("Wd4,d1"))),
        *(
            (
                lambda c, mode=mode: c.search(position=AFTER_TWO, mode=mode, pool=True, side=True),
                lambda d, mode=mode: queries.find_position(d, AFTER_TWO, mode, pool=True, side=True),
            )
            for mode in ("exact", "symmetry", "shape")
        ),
        (
            lambda c: c.search(position=AFTER_TWO, mode="reachable", limit=3),
            lambda d: queries.find_reachable(d, AFTER_TWO, limit=3),
        ),
    ],
)
def test_searches(
    client: Client, database: Database, ours: Callable[[Client], Any], theirs: Callable[[Database], Any]
) -> None:
    assert ours(client) == theirs(database)


def test_one_game(client: Client, database: Database) -> None:
    [game] = [row[0] for row in queries.list_games(database, "event:resigned").rows]
    assert client.game(game)["moves"] == queries.find_game(database, game).moves
    assert client.notation(game).startswith("[Event ")
    assert client.picture(game, 0).startswith("<svg")


def test_a_stream_of_games(client: Client, database: Database) -> None:
    assert [one["moves"] for one in client.stream("board:37")] == [
        one["moves"] for one in objects(database, "board:37")
    ]


def test_the_explorer(client: Client) -> None:
    assert client.explorer("Wd4,d1", q="ending:resign", topGames=0)["games"] == 1


def test_what_can_be_played(client: Client) -> None:
    assert client.moves(AFTER_TWO) == client.moves(moves="Wd4,d1 Bd3,a1") == list_moves(AFTER_TWO).as_json()


def test_a_check(client: Client) -> None:
    [one, other] = client.check("1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n\n1. Wd4,d1 Bd3,a1 2. Wa2,b1")
    assert (one["verdict"], other["verdict"]) == ("verified", "illegal")
    assert "E302" in [finding["code"] for finding in other["findings"]]


@pytest.mark.parametrize(
    "ask",
    [
        lambda c: c.games("ending:resing"),
        lambda c: list(c.stream(sort="colour")),
        lambda c: c.game("000"),
        lambda c: c.player("nobody/at all"),
        lambda c: c.stats("nothing"),
        lambda c: c.search("W x"),
        lambda c: c.moves("37"),
    ],
)
def test_what_can_not_be_asked(client: Client, ask: Callable[[Client], object]) -> None:
    with pytest.raises(QueryError):
        ask(client)


def test_what_may_not_be_done(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "club.txt"
    file.write_text("1. Wd4,d1 *")
    with pytest.raises(ServerError, match="this server only reads") as error:
        client.import_(file)
    assert error.value.status == 403


def test_nobody_there() -> None:
    with Client("http://127.0.0.1:9", timeout=5) as client, pytest.raises(ServerError, match="can't be reached"):
        client.games()
