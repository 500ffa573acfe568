"""What `zertz_db.queries` itself offers."""

import subprocess
import sys
from inspect import signature
from types import FunctionType

import pytest

from zertz_db import queries
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.store.folder.database import Database


def test_every_public_name_is_there() -> None:
    assert all(getattr(queries, name) for name in queries.__all__)
    assert (queries.list_games, queries.find_game) == (list_games, find_game)


KINDS = (int, float, bool)
DEFAULTS = {
    "compare_with_chance": {"hours": 24, "shortest": 12},
    "find_openings": {"offset": 0, "board_only": False, "details": True},
    "find_pattern": {"every": False, "limit": 100},
    "find_position": {"pool": False, "captures": False, "side": False, "every": False, "limit": 100},
    "find_reachable": {"every": False, "limit": 100},
    "find_sequence": {"every": False, "limit": 100},
    "find_tactics": {"limit": 20},
    "find_within": {"every": False, "limit": 100, "offset": 0},
    "list_duplicates": {"shortest": 8},
    "list_games": {"offset": 0},
    "list_relays": {"hours": 24, "shortest": 12},
    "prepare_against": {"known": 3},
    "propose_names": {"least": 10},
    "run_sql": {"seconds": 60},
    "Pattern": {"turned": False},
}


def test_numbers_and_switches_that_callers_leave_out() -> None:
    found = {
        name: {one.name: one.default for one in signature(called).parameters.values() if type(one.default) in KINDS}
        for name in queries.__all__
        if isinstance(called := getattr(queries, name), FunctionType) or name == "Pattern"
    }
    assert {name: defaults for name, defaults in found.items() if defaults} == DEFAULTS


def test_no_public_name_is_that_of_a_module() -> None:
    from importlib.util import find_spec

    assert not any(find_spec(f"zertz_db.queries.{name}") for name in queries.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = queries.nothing


def test_importing_the_room_loads_neither_duckdb_nor_pandas() -> None:
    code = "import sys, zertz_db.queries; from zertz_db.queries import Filters; print({'duckdb', 'pandas'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_answers_turn_into_frames(database: Database) -> None:
    assert list(queries.list_games(database, "board:48").df()["player1"]) == ["Čeněk"]
    assert queries.run_sql(database, "select count(*) as n from games").df()["n"][0] == 6
    assert queries.summarise(database).imports == 2
