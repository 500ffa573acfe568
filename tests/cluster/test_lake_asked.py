"""A lake answers every query as a folder with the same contents does: in Python, over HTTP, in the dashboard, on the command line."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from starlette.testclient import TestClient
from typer.testing import CliRunner

from tests.dashboards.conftest import Boards, Lists, boards, lists  # noqa: F401 - the fixtures
from tests.dashboards.opened_pages import opened, texts
from zertz_db import open_database, queries
from zertz_db.api.app import create_app
from zertz_db.cli.main import app
from zertz_db.dashboards.state.markdown_text import escape_markdown
from zertz_db.queries.statistics.registry import STATISTICS
from zertz_db.queries.statistics.thinking_time import TIMES
from zertz_db.store.folder.database import Database

PATTERN = "[W][B]"
QUESTIONS: dict[str, Callable[[Database], object]] = {
    "games": lambda database: queries.list_games(database, "board:48 plies:<40").rows,
    "how many games": lambda database: queries.count_games(database, "ending:set"),
    "a game": lambda database: queries.find_game(database, first_game(database)).moves,
    "openings": lambda database: queries.find_openings(database).continuations.rows,
    "openings under a filter": lambda database: queries.find_openings(database, filters="board:37").continuations.rows,
    "a position": lambda database: queries.find_position(database, middle(database)).as_json(),
    "a pattern": lambda database: queries.find_pattern(database, PATTERN).as_json(),
    **{f"statistics: {name}": lambda it, name=name: queries.ask_statistics(it, name).rows for name in STATISTICS},
    **{f"times: {name}": lambda it, name=name: queries.ask_times(it, name).rows for name in TIMES},
    "tournaments": lambda database: queries.list_tournaments(database).rows,
    "players": lambda database: queries.list_players(database).rows,
    "ratings": lambda database: queries.rate_players(database).rows,
    "duplicates": lambda database: queries.list_duplicates(database, shortest=2).rows,
    "names that are alike": lambda database: queries.propose_names(database).rows,
    "rejects": lambda database: queries.list_rejects(database, 1).rows,
    "SQL": lambda it: queries.run_sql(it, "SELECT board, count(*) FROM games GROUP BY ALL ORDER BY ALL").rows,
}
ADDRESSES = (
    "/games?q=board:48&limit=5",
    "/games.ndjson?q=board:37",
    "/games/{game}",
    "/games/{game}.txt",
    "/games/{game}.svg?ply=3",
    "/explorer",
    "/explorer?moves=Wd4,d1",
    "/stats/endings",
    "/tournaments",
    "/players",
    "/ratings",
    "/imports",
)
PAGES = ("overview.py", "games.py", "players.py", "bookmarks.py", "openings.py", "stats.py", "imports.py")
COMMANDS = ("games --limit 5", "stats first-mover", "imports", "doctor")


def first_game(database: Database) -> str:
    return str(queries.list_games(database, "board:37", limit=1).rows[0][0])


def timeless(text: str) -> str:
    """Return the output without times of imports."""
    return re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?|just now|\d+ \w+ ago", "…", text)


def middle(database: Database) -> str:
    return queries.find_game(database, first_game(database)).positions[5].text


@pytest.fixture(scope="module")
def both(shared: Path, embedded: Path) -> Iterator[tuple[Database, Database]]:
    """Return a lake and a folder with the same games."""
    with open_database(shared) as lake, open_database(embedded) as folder:
        yield lake, folder


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question(question: Callable[[Database], object], both: tuple[Database, Database]) -> None:
    lake, folder = map(question, both)
    assert lake == folder


def test_answers_over_http(both: tuple[Database, Database]) -> None:
    game = first_game(both[1])
    found = []
    for database in both:
        with TestClient(create_app(database)) as api:
            answers = [api.get(address.format(game=game)) for address in ADDRESSES]
            found.append([(answer.status_code, timeless(answer.text)) for answer in answers])
    lake, folder = found
    assert {status for status, _ in folder} == {200}
    assert dict(zip(ADDRESSES, lake, strict=True)) == dict(zip(ADDRESSES, folder, strict=True))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.long
def test_a_page(
    page: str,
    shared: Path,
    embedded: Path,
    lists: Lists,  # noqa: F811
    boards: Boards,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outputs = []
    for database in (shared, embedded):
        monkeypatch.setenv("ZERTZ_DB", str(database))
        st.cache_resource.clear()
        shown = opened(page)
        assert not shown.exception
        assert not shown.error
        listed = {key: data.get("rows") or data.get("cards") for key, data in lists.given.items()}
        outputs.append(
            (
                timeless(texts(shown)).replace(escape_markdown(database.name), "it"),
                boards.given.get("position"),
                timeless(str(listed)),
            )
        )
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command(command: str, shared: Path, embedded: Path) -> None:
    lake, folder = (
        CliRunner().invoke(app, [*command.split(), "--db", str(database)]) for database in (shared, embedded)
    )
    assert (lake.exit_code, folder.exit_code) == (0, 0)
    assert timeless(lake.output.replace(str(shared), "it")) == timeless(folder.output.replace(str(embedded), "it"))
