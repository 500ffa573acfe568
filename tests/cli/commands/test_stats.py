"""`zertz stats`, `times` and `tournaments`, run as a user runs them, with their output in a pipe."""

import csv
import io
import json
from pathlib import Path
from unittest.mock import ANY

import duckdb
import pytest

from tests.cli.conftest import Run
from tests.queries.made_games import Made, build, games
from zertz_db.queries.statistics.grouping import GROUPS
from zertz_db.queries.statistics.registry import STATISTICS
from zertz_db.queries.statistics.thinking_time import TIMES
from zertz_db.store.folder.build import next_generation

MADE = [
    *games(),
    Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="resigned by 2", event="Cup", clocks=(3, 5), direction="up"),
    Made(moves=("Wd4,d1", "Bd3,a1"), broken_off="tie", event="Cup", date="2010.05.02"),
]


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("made"), MADE)


def sections(out: str) -> dict[str, list[list[str]]]:
    """The lines of each table of an overview, split at blanks, by what stands in parentheses in its heading."""
    parts = out.strip().split("\n\n")
    return {
        lines[0].rpartition("(")[2].rstrip(")"): [line.split() for line in lines[1:]]
        for lines in map(str.splitlines, parts)
    }


def test_the_overview_names_the_tables_it_shows(run: Run) -> None:
    status, out, err = run("stats")
    shown = sections(out)
    assert status == 0
    assert list(shown) == [
        f"stats {name}" for name in STATISTICS if name not in ("lead-changes", "captures-by-ply", "tactics")
    ]
    assert shown["stats first-mover"][0][:3] == ["games", "first", "second"]
    assert shown["stats first-mover"][1][0] == "62"
    assert "--by board,era divides" in err
    for name in shown:
        assert run(*name.split())[0] == 0


def test_a_divided_overview_leaves_the_long_tables_out(run: Run) -> None:
    shown = sections(run("stats", "--by", "board,rules")[1])
    assert list(shown) == [
        f"stats {name}"
        for name in ("first-mover", "sets", "endings", "lengths", "minutes", "leads", "sacrifices", "first-moves")
    ]
    assert all(lines[0][:2] == ["board", "rules"] for lines in shown.values())


def test_a_tournament_is_written_for_other_programs(run: Run, tmp_path: Path) -> None:
    status, out, err = run("tournaments", "cup", "--trf", "-")
    assert (status, err) == (0, "2 games\n")
    assert out.startswith("012 Cup\n")
    assert run("tournaments", "cup", "--trf", tmp_path / "cup.trf") == (0, "", "2 games\n")
    assert (tmp_path / "cup.trf").read_text("utf-8") == out
    assert "exists; name another file" in run("tournaments", "cup", "--trf", tmp_path / "cup.trf")[2]


def test_a_file_is_shown_and_compared(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.trf"
    assert run("tournaments", "cup", "--trf", file)[0] == 0
    shown = json.loads(run("tournaments", "--from", file, "--json")[1])
    stored = json.loads(run("tournaments", "cup", "--json")[1])
    assert [(row["player"], row["points"], row["1"]) for row in shown] == [
        (row["player"], row["points"], row["1"]) for row in stored
    ]
    assert run("tournaments", "cup", "--from", file) == (0, f"{file} and the database agree on 2 games\n", "")
    assert "round 1" in run("tournaments", "--from", file, "--rounds", "--csv")[1]
    first = next(line for line in file.read_text("utf-8").splitlines() if line.startswith("001    1"))
    file.write_text(file.read_text("utf-8").replace(first[14:18], "Zoe ", 1), "utf-8")
    status, out, err = run("tournaments", "cup", "--from", file)
    assert (status, out.splitlines()[1].split()[:2]) == (1, ["player", "Zoe"])
    assert f"2 differences; {file} has 2 games" in err
    assert run("tournaments", "cup", "--from", file, "--json")[0] == 1


def test_standings_to_print(run: Run, tmp_path: Path) -> None:
    assert run("tournaments", "cup", "--html", tmp_path / "cup.html") == (0, "", "2 games\n")
    assert "<title>Cup</title>" in (tmp_path / "cup.html").read_text("utf-8")
    assert "<title>Cup</title>" in run("tournaments", "cup", "--html", "-")[1]


def test_pairings(run: Run) -> None:
    out = run("pairings", "Ada", "Ben", "Cy")[1]
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "round player1 player2", "1 Ben Cy", "1 Ada bye", "2 Ada Ben", "2 Cy bye", "3 Cy Ada", "3 Ben bye",
    ]  # fmt: skip
    assert len(json.loads(run("pairings", "Ada", "Ben", "--double", "--json")[1])) == 2
    assert run("pairings", "Ada") == (2, "", "zertz: a round robin has 2 to 200 players, not 1\n")


def test_rounds_that_no_game_states(run: Run) -> None:
    status, out, err = run("tournaments", "cup", "--rounds")
    assert (status, out.split()[:6]) == (0, ["number", "rank", "player", "points", "1", "1"])
    assert err.startswith("no game of this tournament states its round\n")


@pytest.mark.parametrize("verb", ["stats", "times"])
@pytest.mark.parametrize("group", GROUPS)
def test_an_overview_can_be_divided_by_every_group(run: Run, verb: str, group: str) -> None:
    status, out, err = run(verb, "--by", f"{group} , board" if group != "board" else group)
    assert (status, "can't be divided" in err) == (0, False)
    assert ("stats first-mover" in sections(out)) == (verb == "stats" and group != "side")


def test_one_table_says_what_its_columns_mean(run: Run) -> None:
    _, out, err = run("stats", "sets")
    assert out.splitlines()[0].split() == ["set", "games", "jump", "claim", "plies", "share", "interval"]
    assert "claim  those in which a claim completed it" in err
    assert "%" in out
    assert "█" in out


@pytest.mark.parametrize(
    ("verb", "name"), [*(("stats", name) for name in STATISTICS), *(("times", name) for name in TIMES)]
)
def test_a_table_in_every_form(run: Run, tmp_path: Path, verb: str, name: str) -> None:
    by = ("--by", "kind")
    rows = json.loads(run(verb, name, *by, "--json")[1])
    lines = list(csv.DictReader(io.StringIO(run(verb, name, *by, "--csv")[1])))
    assert [[str(value) if value is not None else "" for value in row.values()] for row in rows] == [
        [*line.values()] for line in lines
    ]
    assert run(verb, name, *by, "--parquet", tmp_path / "table.parquet")[0] == 0
    assert len(duckdb.read_parquet(str(tmp_path / "table.parquet")).fetchall()) == len(rows)


def test_the_whole_overview_as_json(run: Run) -> None:
    tables = json.loads(run("stats", "--json")[1])
    assert tables["first-mover"] == json.loads(run("stats", "first-mover", "--json")[1])
    assert list(json.loads(run("times", "--json")[1])) == list(TIMES)


def test_filters_as_words_and_options(run: Run) -> None:
    words = run("stats", "sets", "board:48", "not", "kind:bot", "--json")[1]
    assert words == run("stats", "sets", "not", "kind:bot", "--board", "48", "--json")[1]
    assert words != run("stats", "sets", "--json")[1]
    assert words == run("stats", "sets", "board:48", "not kind:bot", "--json")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["stats", "--csv"], "--csv has one table: zertz stats TABLE --csv; valid: first-mover"),
        (
            ["times", "--parquet", "x.parquet"],
            "--parquet has one table: zertz times TABLE --parquet; valid: clocks",
        ),
        (["stats", "--by", "colour"], "games can't be divided by 'colour'; valid: board"),
        (["stats", "bord:48"], "unknown field 'bord'"),
        (["stats", "--json", "--csv"], "--json and --csv can't be combined"),
        (["tournaments", "--trf", "x.trf"], "--trf needs the name of a tournament"),
        (["tournaments", "--rounds"], "--rounds needs the name of a tournament"),
        (["tournaments", "--html", "x.html"], "--html needs the name of a tournament"),
        (["tournaments", "cup", "--trf", "x.trf", "--html", "x.html"], "--trf and --html can't be combined"),
        (["tournaments", "cup", "--from", "x.trf", "--rounds"], "NAME with --from compares both: omit --rounds"),
        (["tournaments", "--from", "x.trf", "--filter", "board:37"], "--from reads a file, which has no filter"),
        (["tournaments", "--from", "missing.trf"], "missing.trf"),
        (["tournaments", "--from", __file__], "no line begins with 001"),
        (["tournaments", "cup", "--trf", "x.trf", "--json"], "--trf writes one file: omit the options of tables"),
        (["tournaments", "Cap", "--trf", "-"], "no tournament is called 'Cap'"),
        (["tournaments", "Cap"], "no tournament is called 'Cap'; did you mean 'Cup'"),
    ],
)
def test_what_can_t_be_asked_is_explained(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("verb", ["stats", "times"])
def test_no_game_is_said_so(run: Run, verb: str) -> None:
    assert run(verb, "player:nobody") == (0, "", "No games match.\n")


def test_an_empty_database(run: Run, tmp_path: Path) -> None:
    with next_generation(tmp_path / "empty"):
        pass
    assert run("stats", "--db", tmp_path / "empty") == (0, "", "The database has no games yet.\n")


def test_tournaments_and_a_crosstable(run: Run) -> None:
    listed = ["Cup", "2010-05-01", "2010-05-02", "2", "0", "2", "edition:Cup"]
    assert run("tournaments")[1].splitlines()[1].split() == listed
    assert [line.split() for line in run("tournaments", "cup")[1].splitlines()[1:]] == [
        ["1", "1", "Ada", "1.5", "2", "0", "0.75", "1.0", "1", ANY, "1="],
        ["2", "2", "Ben", "0.5", "2", "0", "0.75", "3.0", "0", ANY, "0="],
    ]
    assert json.loads(run("games", json.loads(run("tournaments", "--json")[1])[0]["filter"], "--json")[1]) != []
    assert run("tournaments", "--filter", "board:48")[2] == "no tournaments among these games\n"
    assert json.loads(run("tournaments", "--json")[1])[0]["tournament"] == "Cup"
