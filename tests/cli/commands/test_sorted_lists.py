"""`--sort` and `--limit` mean one thing in every list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import copied
from zertz_db.cli.share_bars import to_percent
from zertz_db.queries.result import Column, Result, sort_rows
from zertz_db.queries.wilson import share
from zertz_db.store.open_database import open_database


@pytest.fixture
def db(of_club: Path, tmp_path: Path) -> Path:
    return copied(of_club, tmp_path)


@pytest.mark.parametrize(
    ("command", "column"),
    [
        (["players"], "wins"),
        (["players"], "name"),
        (["ratings"], "games"),
        (["tournaments"], "games"),
        (["duplicates"], "evidence"),
        (["imports"], "records"),
    ],
)
def test_every_list_is_sorted_and_limited(run: Run, command: list[str], column: str) -> None:
    for sign in ("", "-"):
        whole = json.loads(run(*command, "--sort", f"{sign}{column}", "--limit", 0, "--json")[1])
        values = [row[column].casefold() if isinstance(row[column], str) else row[column] for row in whole]
        assert values == sorted(values, reverse=bool(sign))
        assert json.loads(run(*command, "--sort", f"{sign}{column}", "--limit", 1, "--json")[1]) == whole[:1]
    status, _, err = run(*command, "--sort", f"{column}x")
    assert status == 2 or not whole
    assert f"did you mean {column}?" in err or not whole


def test_matches_are_sorted_before_they_are_limited(run: Run) -> None:
    search = ["find", "--moves", "", "--csv", "--sort"]
    whole = run(*search, "-player1", "--limit", 0)[1].splitlines()
    column = whole[0].split(",").index("player1")
    names = [line.split(",")[column] for line in whole[1:]]
    assert names == sorted(names, key=str.casefold, reverse=True)
    assert len(set(names)) > 1
    assert run(*search, "-player1", "--limit", 1)[1].splitlines() == whole[:2]
    assert "did you mean date?" in run(*search, "dat")[2]


def test_who_is_not_known_is_a_sentence_with_names_that_are_near(run: Run) -> None:
    for command in (["ratings", "addda"], ["players", "addda"], ["ratings", "--history", "whole", "addda"]):
        status, _, err = run(*command)
        assert (status, err[:60]) == (2, "zertz: no player is called 'addda'; did you mean ada?\n")
    assert run("relays", "player:addda")[2] == "No games match. Did you mean player:ada?\n"
    status, out, err = run("compare", "sets", "player:addda", "player:ada")
    assert (status, out) == (1, "")
    assert err == "zertz: a: No games match. Did you mean player:ada?\n"


def test_two_deviations_have_one_sign_and_a_legend(run: Run) -> None:
    status, out, err = run("ratings", "--limit", 1)
    [row] = json.loads(run("ratings", "--limit", 1, "--json")[1])
    head, line = (one.split() for one in out.splitlines())
    assert (status, line[head.index("±")]) == (0, str(2 * row["deviation"]))
    assert "±: two deviations" in err
    assert f"± {2 * row['deviation']}" in run("players", row["name"])[1]


def test_shares_are_rounded_once() -> None:
    # 57.347 %: its four places, 0.5735, would be 57.4 %.
    assert str(to_percent(share(5734.7, 10_000).share)) == "57.3%"  # type: ignore[union-attr] # they are enough
    assert json.dumps(share(5734.7, 10_000)).startswith("[0.5735, ")


def test_rows_without_a_value_come_last() -> None:
    table = Result((Column("name"), Column("share")), [("b", None), ("C", 0.5), ("a", 0.7)])
    assert [row[0] for row in sort_rows(table, "share").rows] == ["C", "a", "b"]
    assert [row[0] for row in sort_rows(table, "-share").rows] == ["a", "C", "b"]
    assert [row[0] for row in sort_rows(table, "-name").rows] == ["C", "b", "a"]
    assert sort_rows(table, None) is table


def test_players_take_the_filters_of_other_lists(run: Run) -> None:
    by_option = json.loads(run("players", "--first", "ada", "--json")[1])
    assert by_option == json.loads(run("players", "--filter", "first:ada", "--json")[1])
    assert by_option == json.loads(run("players", "--filter", "first=ada", "--json")[1])
    assert [row["name"] for row in by_option] == [row["name"] for row in by_option if row["games"]]


def test_a_mistyped_id_and_a_mistyped_label_are_suggested(run: Run, of_club: Path) -> None:
    with open_database(of_club) as database:
        [[game]] = database.connection().execute("SELECT id FROM games ORDER BY id LIMIT 1").fetchall()
    other = "Z" if game[5] != "Z" else "Y"
    for wrong in (game[:5] + other + game[6:], (game[:5] + other + game[6:])[:9], game[:5] + game[6:] + "0"):
        status, _, err = run("show", wrong)
        assert (status, "did you mean" in err) == (2, True)
        assert game in err
    run("mark", game, "--label", "study")
    assert run("marks", "--label", "studdy")[2] == "no marks match; did you mean study?\n"


def test_a_new_kind_of_player_is_stated(run: Run) -> None:
    assert run("players", "Cy", "--kind", "bot") == (0, "Cy is a bot\n", "")
    assert {row["name"] for row in json.loads(run("ratings", "--kind", "bot", "--json")[1])} == {"Cy", "greedybot"}
    assert run("players", "Cy", "--kind", "unknown")[1] == "Cy is of the kind that its name and its records suggest\n"
    assert "zertz players NAME --kind KIND" in run("players", "--kind", "bot")[2]


def test_a_game_says_where_it_is_new(run: Run, of_club: Path) -> None:
    with open_database(of_club) as database:
        [[game]] = database.connection().execute("SELECT id FROM games WHERE plies > 5 ORDER BY id LIMIT 1").fetchall()
    out = run("show", game)[1]
    novelty = json.loads(run("show", game, "--json")[1])["novelty"]
    if novelty["ply"] is None:
        assert "No earlier game began with this position." in out
    else:
        assert f"New after ply {novelty['ply']}, with {novelty['move']}" in out
        assert f"*{novelty['move']}" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--history", "whole", "--history", "ada"], "omit the other --history"),
        (["--at", "2010"], "--at belongs to --history whole"),
    ],
)
def test_whole_histories_need_their_options(run: Run, arguments: list[str], words: str) -> None:
    status, _, err = run("ratings", *arguments)
    assert (status, words in err) == (2, True)


def test_whole_histories(run: Run) -> None:
    pytest.importorskip("whr")
    everybody = json.loads(run("ratings", "--history", "whole", "--json")[1])
    assert [row["name"] for row in everybody][-1] == "greedybot"
    years = json.loads(run("ratings", "--history", "whole", "ada", "--json")[1])
    [day] = json.loads(run("ratings", "--history", "whole", "ada", "--at", "2010", "--json")[1])
    assert (day["name"], day["date"]) == ("ada", "2010-12-31")
    assert abs(day["rating"] - years[0]["rating"]) < 50
