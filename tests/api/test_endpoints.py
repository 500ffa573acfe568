"""What the endpoints answer."""

import json

import pytest
from starlette.testclient import TestClient

from tests.queries.sample import OPENING, RECORDS
from zertz_db.export.rows import game_object
from zertz_db.queries.games.game_list import SUMMARY, list_games
from zertz_db.queries.games.novelty import find_novelty
from zertz_db.queries.players.ratings import rate_players
from zertz_db.queries.search.positions import find_position
from zertz_db.rules.moves import list_moves
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

AFTER_TWO = Position.start("37").play("Wd4,d1").play("Bd3,a1").text


def ids(database: Database, q: str) -> list[str]:
    return [row[0] for row in list_games(database, q).rows]


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/healthz", {"status": "ok", "generation": 2}),
        ("/games?q=board:48", {"total": 1, "next": None}),
        ("/games?q=player:nobody", {"rows": [], "total": 0}),
        ("/stats/endings?q=ending:resign", {"total": 1}),
        ("/times/clocks", {"total": 2}),
        ("/insights/points?by=board&of=ada", {"total": 2}),
        ("/tournaments?limit=2", {"total": 6}),
        ("/pairings?players=6", {"total": 15}),
        ("/pairings?player=Ada&player=Ben&player=Cy&double=true", {"total": 12}),
        ("/tactics?kind=played", {"total": 0}),
        ("/players", {"total": 7}),
        ("/players/ADA", {"name": "Ada", "kind": "human", "games": 3}),
        ("/players/a%5Fb", {"name": "a_b"}),
        ("/players/ada/versus/ben", {"player": "Ada", "opponent": "Ben"}),
        ("/players/ADA/preparation?known=1", {"player": "Ada"}),
        (
            "/compare/first-mover?a=player:ada&b=not%20player:ada",
            {"title": "how often the first mover wins", "common": 0},
        ),
        ("/ratings?kind=bot", {"rows": []}),
        ("/imports", {"total": 2}),
        ("/positions/search?moves=Wd4,d1", {"games": 2, "plies": 2}),
        ("/positions/search?moves=Wd4,d1&q=ending:resign", {"games": 1}),
        ("/positions/search?pattern=d4:W+rings%3E36", {"games": 0}),
        ("/positions/moves", {"kind": "placement", "count": 1944, "side": 1, "forcing": 0}),
        ("/positions/moves?board=61&limit=0", {"count": 4320, "moves": []}),
    ],
)
def test_answers(api: TestClient, path: str, part: dict[str, object]) -> None:
    answer = api.get(path)
    assert answer.status_code == 200
    assert part.items() <= answer.json().items()


@pytest.mark.parametrize(
    "where", ["moves=Wd4,d1+Bd3,a1", f"position={AFTER_TWO}", "game={game}&ply=2", "game={game}&ply=1&moves=Bd3,a1"]
)
def test_what_can_be_played(api: TestClient, database: Database, where: str) -> None:
    [game] = ids(database, "event:resigned")
    answer = api.get(f"/positions/moves?{where.format(game=game)}")
    assert answer.json() == list_moves(AFTER_TWO).as_json()
    assert [move["move"] for move in answer.json()["moves"]] == ["x d3Wd5", "x d4Bd2"]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("position=37", "a position is written"),
        (f"position={AFTER_TWO}&game=3T7K", "give one start"),
        ("moves=Wd4,d2", "move 1: Wd4,d2 is not legal here"),
        ("game={game}&ply=9", "ply takes 0 (the start) to 4 (the end)"),
    ],
)
def test_a_position_that_can_t_be_is_explained(api: TestClient, database: Database, where: str, message: str) -> None:
    [game] = ids(database, "event:resigned")
    answer = api.get(f"/positions/moves?{where.format(game=game)}")
    assert answer.status_code == 400
    assert message in answer.json()["detail"]


def test_the_rating_of_a_player_is_that_of_the_list(api: TestClient, database: Database) -> None:
    listed = rate_players(database).dicts()
    for number, row in enumerate([row for row in listed if row["kind"] == "human"], 1):
        answer = api.get(f"/players/{row['name']}/rating")
        [own] = answer.json()["rating"]["rows"]
        assert (own["rank"], own["rating"], own["games"]) == (number, row["rating"], row["games"])
        assert answer.json()["curve"][-1] == row["rating"]
        assert sum(year["games"] for year in answer.json()["years"]["rows"]) == row["games"]
    assert api.get("/players/nobody/rating").status_code == 404


@pytest.mark.parametrize(("every", "counted"), [("false", "games"), ("true", "plies")])
def test_the_total_of_a_search_counts_what_is_listed(api: TestClient, every: str, counted: str) -> None:
    found = api.get(f"/positions/search?pattern=W&every={every}&limit=1").json()
    assert found["plies"] > found["games"] > 1
    assert (found["hits"]["total"], len(found["hits"]["rows"])) == (found[counted], 1)


@pytest.mark.parametrize(
    ("path", "column"), [("/players", "games"), ("/ratings", "rating"), ("/tournaments", "games"), ("/studies", "name")]
)
def test_every_list_is_sorted_by_a_column(api: TestClient, path: str, column: str) -> None:
    for sign in ("", "-"):
        values = [row[column] for row in api.get(f"{path}?sort={sign}{column}").json()["rows"]]
        assert values == sorted(values, reverse=bool(sign))
    answer = api.get(f"{path}?sort={column}x")
    assert (answer.status_code, f"did you mean {column}?" in answer.json()["detail"]) == (400, True)


def test_a_table_tells_what_its_columns_mean(api: TestClient) -> None:
    [row] = api.get("/games?q=event:resigned").json()["rows"]
    assert (row["player1"], row["result"], row["plies"]) == ("Ada", "0-1", 4)
    columns = {column["name"]: column for column in api.get("/tournaments").json()["columns"]}
    assert (columns["since"]["type"], columns["games"]["type"]) == ("date", "number")
    assert columns["players"]["meaning"]


@pytest.mark.parametrize("sort", ["-date", "player1", "-winning_sets"])
def test_a_list_in_parts_is_the_whole_list(api: TestClient, database: Database, sort: str) -> None:
    rows, cursor = [], ""
    while cursor is not None:
        part = api.get(f"/games?limit=2&sort={sort}" + (f"&cursor={cursor}" if cursor else "")).json()
        assert part["total"] == len(RECORDS)
        rows += part["rows"]
        cursor = part["next"]
    assert rows == list_games(database, sort=sort).dicts()
    assert list(rows[0]) == list(SUMMARY)


def test_all_games_as_lines(api: TestClient, database: Database) -> None:
    answer = api.get("/games.ndjson?sort=date")
    assert answer.headers["content-type"] == "application/x-ndjson"
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [one["id"] for one in found] == [row[0] for row in list_games(database, sort="date").rows]
    assert found[0]["moves"] == ["Wd4,d1", "Bd3,a1", "x d3Wd5", "Gc3,g1"]
    assert len(api.get("/games.ndjson?limit=2").text.splitlines()) == 2
    assert api.get("/games.ndjson?q=player:nobody").text == ""


@pytest.mark.parametrize("form", ["", ".json"])
def test_one_game(api: TestClient, database: Database, form: str) -> None:
    [game] = ids(database, "event:clocks")
    found = api.get(f"/games/{game[:5]}{form}").json()
    expected = game_object(database, game)
    assert found["source"] == "club.txt"
    assert found.pop("novelty") == find_novelty(database, game).as_json()
    assert found == {**expected, "source": "club.txt"}


def test_one_game_in_official_notation(api: TestClient, database: Database) -> None:
    [game] = ids(database, "event:resigned")
    answer = api.get(f"/games/{game}.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    assert '[Annotator "Cy"]' in answer.text
    assert OPENING.split()[1] in answer.text


@pytest.mark.parametrize(("ply", "title"), [("?ply=0", "player 1 to move"), ("?ply=1", "player 2 to move")])
def test_one_game_as_a_picture(api: TestClient, database: Database, ply: str, title: str) -> None:
    [game] = ids(database, "event:resigned")
    answer = api.get(f"/games/{game}.svg{ply}")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert f"<title>37 rings, {title}</title>" in answer.text


def test_the_picture_is_of_the_end_if_nothing_is_said(api: TestClient, database: Database) -> None:
    [game] = ids(database, "event:resigned")
    assert api.get(f"/games/{game}.svg").text == api.get(f"/games/{game}.svg?ply=4").text


def test_the_explorer(api: TestClient) -> None:
    found = api.get("/explorer?moves=Wd4,d1&recentGames=1&topGames=0").json()
    assert (found["line"], found["side"], found["name"]) == (["Wd4,d1"], 2, "white centre, corner out")
    assert {name: found[name] for name in ("first", "ties", "second", "unknown", "games")} == {
        "first": 0,
        "ties": 0,
        "second": 1,
        "unknown": 1,
        "games": 2,
    }
    assert (found["transpositions"], found["choices"], found["ended"]) == (0, 1, None)
    [move] = found["moves"]
    assert (move["games"], move["second"], move["score"], move["lastDate"]) == (2, 1, None, "2010-06-01")
    assert (found["topGames"], [game["player1"] for game in found["recentGames"]]) == ([], ["Ben"])


def test_the_explorer_sees_sides_from_the_first_mover(api: TestClient) -> None:
    one, two = (api.get(f"/explorer?moves={moves}").json() for moves in ("Wd4,d1", "Wd4,d1 Bd3,a1"))
    assert (one["side"], two["side"]) == (2, 1)
    assert [(found["first"], found["second"]) for found in (one, two)] == [(0, 1), (0, 1)]


def test_the_explorer_counts_transpositions(api: TestClient) -> None:
    turned = Position.start("37").play("Wd4,a1").text
    found = api.get("/explorer", params={"position": turned}).json()
    assert (found["games"], found["transpositions"]) == (2, None)


def test_the_explorer_cuts_the_moves_and_not_the_sums(api: TestClient) -> None:
    whole, cut = (api.get(f"/explorer?limit={limit}").json() for limit in (50, 0))
    assert cut["moves"] == []
    assert (cut["games"], cut["unknown"], cut["choices"]) == (whole["games"], whole["unknown"], len(whole["moves"]))


def test_where_no_game_was_is_said(api: TestClient) -> None:
    found = api.get("/explorer?moves=Gd4,d1").json()
    assert found["games"] == 0
    assert found["absence"].startswith("no game reached this position")


def test_a_position_of_a_game_is_found(api: TestClient, database: Database) -> None:
    [game] = ids(database, "event:resigned")
    found = api.get(f"/positions/search?game={game}&ply=2&mode=exact").json()
    expected = find_position(database, AFTER_TWO, "exact")
    assert found["games"] == expected.games == 2
    assert [row["id"] for row in found["hits"]["rows"]] == [row["id"] for row in expected.hits.dicts()]
    assert [row["move"] for row in found["continuations"]["rows"]] == ["x d3Wd5", None]


@pytest.mark.parametrize("path", ["/stats", "/times"])
def test_every_table_that_is_listed_is_there(api: TestClient, path: str) -> None:
    for table in api.get(path).json():
        assert api.get(f"{path}/{table['name']}?by=board").status_code == 200


def test_the_index_names_what_there_is(api: TestClient) -> None:
    described = api.get("/openapi.json").json()["paths"]
    index = api.get("/").json()
    assert {line.split()[1] for line in index} == set(described)
    assert index["GET /games"] == "List games, latest first."


def test_a_long_answer_is_compressed(api: TestClient) -> None:
    assert api.get("/games").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in api.get("/games", headers={"Accept-Encoding": "identity"}).headers


def test_head_is_answered_as_get(api: TestClient) -> None:
    assert api.head("/games").headers["etag"] == api.get("/games").headers["etag"]


@pytest.mark.parametrize(("form", "start"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_a_position_as_a_picture(api: TestClient, database: Database, form: str, start: bytes) -> None:
    answer = api.get(f"/picture.{form}?moves=Wd4,d1&theme=dark&letters=true")
    assert (answer.status_code, answer.content[: len(start)]) == (200, start)
    [game] = ids(database, "event:resigned")
    first, second = (api.get(f"/picture.{form}?game={game}&ply={ply}") for ply in (1, 2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.content != second.content
    assert api.get(f"/picture.{form}?position=nowhere").status_code == 400
    assert api.get(f"/picture.{form}?game={game}&position=x").status_code == 400
    assert api.get(f"/picture.{form}?ply=1").json()["detail"] == "give one start: position, or game with ply"


def test_the_size_of_an_image_is_bounded(api: TestClient) -> None:
    assert api.get("/picture.png?size=100000").status_code == 422
