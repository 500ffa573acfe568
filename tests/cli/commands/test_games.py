"""The commands that ask a database, run as a user runs them, with their output in a pipe."""

import csv
import io
import json
import re
from pathlib import Path

import duckdb
import pytest

from tests.cli.conftest import Run
from tests.queries.sample import RECORDS
from zertz_db.check.findings import catalogue
from zertz_db.cli.commands.explain import SECTIONS
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.folder.build import next_generation


@pytest.fixture
def ids(run: Run) -> dict[str, str]:
    return {game["event"]: game["id"] for game in json.loads(run("games", "--json")[1])}


def test_games_are_listed_in_plain_columns(run: Run) -> None:
    status, out, err = run("games", "--player", "ada", "--sort", "date", "--limit", 2)
    lines = out.splitlines()
    assert (status, len(lines)) == (0, 3)
    assert lines[0].split() == ["id", "date", "player1", "player2", "result", "ending", "board", "plies"]
    assert lines[1].split()[1:] == ["2010.05.01", "Ada", "Ben", "0-1", "resign", "37", "4"]
    assert "\x1b" not in out
    assert "2 of 3 games" in err


@pytest.mark.parametrize(
    ("arguments", "events"),
    [
        (["player:ada", "board:37"], "clocks resigned"),
        (["player:ada board:37"], "clocks resigned"),
        (["player:eve", "or", "board:48"], "contradicted large"),
        (["player:eve or board:48", "--player", "ada"], "large"),
        (["event:made up", "or", "plies:<4"], "clocks"),
        (["player:Ada,Eve not", "board:37"], "large"),
        (["not", "(plies:<99)"], ""),
    ],
)
def test_the_filter_language_as_arguments(run: Run, arguments: list[str], events: str) -> None:
    assert [
        game["event"] for game in json.loads(run("games", *arguments, "--sort", "event", "--json")[1])
    ] == events.split()
    assert (
        sorted(row["event"] for row in csv.DictReader(io.StringIO(run("export", *arguments, "--to", "csv")[1])))
        == events.split()
    )


@pytest.mark.parametrize(
    ("argument", "found"),
    [
        ("event:two words", 1),
        ("event:two words,large", 2),
        ("event:two and words", 0),
        ("site:two words", 0),
        ("two words", 1),
    ],
)
def test_quotation_marks_that_a_shell_has_taken_are_put_back(
    tmp_path: Path, run: Run, argument: str, found: int
) -> None:
    records = tmp_path / "games.txt"
    records.write_text(RECORDS[0].replace('"resigned"', '"Two words"') + RECORDS[2], "utf-8")
    import_paths([records], tmp_path / "db")
    assert len(json.loads(run("games", argument, "--db", tmp_path / "db", "--json")[1])) == found


def test_a_fault_in_a_filter_is_pointed_at(run: Run) -> None:
    status, out, err = run("games", "player:ada", "bord:37")
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "zertz: unknown field 'bord'; did you mean board?",
        "  player:ada bord:37",
        f"{' ' * 13}^^^^^",
    ]


def test_games_come_in_pages(run: Run) -> None:
    whole = json.loads(run("games", "--json")[1])
    assert json.loads(run("games", "--json", "--limit", 2, "--offset", 3)[1]) == whole[3:5]


def test_games_as_csv_and_json_agree(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("games", "--csv")[1])))
    objects = json.loads(run("games", "--json")[1])
    assert [row["id"] for row in rows] == [game["id"] for game in objects]
    assert next(iter(rows[0])) == "id"
    assert len(rows) == 6


@pytest.mark.parametrize("command", [["games"], ["imports"], ["imports", "--rejects", "1"], ["sql", "from games"]])
def test_every_table_can_be_written_as_parquet(run: Run, tmp_path: Path, command: list[str]) -> None:
    status, out, _ = run(*command, "--parquet", tmp_path / "table.parquet")
    assert (status, out) == (0, "")
    assert run(*command, "--parquet", tmp_path / "table.parquet")[0] == 2
    status, _, err = run(*command, "--parquet", tmp_path / "table.parquet", "--force")
    assert (status, f"written to {tmp_path / 'table.parquet'}" in err) == (0, True)
    written = duckdb.read_parquet(str(tmp_path / "table.parquet"))
    assert len(written.fetchall()) == len(json.loads(run(*command, "--json")[1]))


def test_no_game_is_said_so(run: Run) -> None:
    assert run("games", "--player", "nobody") == (0, "", "No games match.\n")
    assert run("games", "--player", "nobody", "--json")[:2] == (0, "[]\n")


def test_show_has_tags_moves_board_and_sightings(run: Run, ids: dict[str, str]) -> None:
    status, out, _ = run("show", ids["resigned"][:6])
    assert status == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    for line in ("Player1: Ada", "Result: 0-1, resign", "Annotator: Cy", "1. Wd4,d1 Bd3,a1", "2. x d3Wd5 Gc3,g1"):
        assert line in lines
    assert "The board after ply 4, Gc3,g1; the game is over" in lines
    assert "Player 1 resigns." in lines
    assert "a b c d e f g" in lines
    assert {"7", "6 . 6", "1 . ."} <= set(lines)
    found = [line.rpartition("/")[2] for line in lines if line.startswith("found in")]
    assert found == ["club.txt, line 1 (stored, import 1)", "again.txt, line 1 (duplicate, import 2)"]


def test_show_at_a_ply(run: Run, ids: dict[str, str]) -> None:
    start = run("show", ids["resigned"], "--ply", 0)[1]
    assert "The board at the start; player 1 is to move" in start
    second = run("show", ids["resigned"], "--ply", 2)[1]
    assert "player 1 must capture" in second
    assert "▸Bd3,a1" in second


def test_show_tells_the_clocks_and_the_findings(run: Run, ids: dict[str, str]) -> None:
    assert "Wd4,d1 0:01:02" in run("show", ids["clocks"])[1]
    assert "W401 the record states 1/2-1/2" in run("show", ids["contradicted"])[1]


def test_show_draws_the_board(run: Run, ids: dict[str, str], tmp_path: Path) -> None:
    status, out, _ = run("show", ids["resigned"], "--ply", 2, "--svg", "-")
    assert (status, out.count("<svg"), "<title>a1: removed</title>" in out) == (0, 1, True)
    assert run("show", ids["resigned"], "--ply", 2, "--svg", tmp_path / "board.svg")[0] == 0
    assert (tmp_path / "board.svg").read_text("utf-8") == out
    status, _, err = run("show", ids["resigned"], "--svg", tmp_path / "board.svg")
    assert (status, "--force" in err) == (2, True)


def test_show_as_json(run: Run, ids: dict[str, str]) -> None:
    assert json.loads(run("show", ids["large"], "--json")[1])["board"] == "48"


def test_info(run: Run, sample: Path) -> None:
    out = run("info")[1]
    assert out.startswith("6 games, ")
    assert str(sample.resolve()) in out
    assert Path(json.loads(run("info", "--json")[1])["path"]).is_file()


def test_imports_and_their_rejects(run: Run) -> None:
    assert [row["stored"] for row in json.loads(run("imports", "--json")[1])] == [0, 6]
    first, second = run("imports", "--rejects", 1)[1].splitlines()
    assert re.fullmatch(r"\S+/club\.txt:\d+:\d+: E302 a capture is compulsory here: .+", first)
    assert re.fullmatch(r"\S+/club\.txt:\d+:\d+: E2\d\d .+", second)


def test_sql(run: Run) -> None:
    assert run("sql", "select board, count(*) as n from games group by board order by board", "--csv")[1] == (
        "board,n\n37,4\n48,1\ncustom,1\n"
    )


@pytest.mark.parametrize(
    ("name", "begins"),
    [("games.txt", b"[Event"), ("games.jsonl", b'{"id"'), ("games.csv", b"id,"), ("games.parquet", b"PAR1")],
)
def test_export_says_by_its_name_what_it_is(run: Run, tmp_path: Path, name: str, begins: bytes) -> None:
    assert run("export", "-o", tmp_path / name)[0] == 0
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert list(tmp_path.iterdir()) == [tmp_path / name]


@pytest.mark.parametrize("to", ["parquet", "sqlite", "dataset"])
def test_export_writes_to_the_first_argument_what_can_not_be_printed(run: Run, tmp_path: Path, to: str) -> None:
    first, other = tmp_path / "my first", tmp_path / "other"
    for written in ([first, "board:37", "player:ada"], ["--output", other, "board:37", "player:ada"]):
        assert run("export", "--to", to, *written)[0] == 0
    assert _bytes_below(first) == _bytes_below(other)


def _bytes_below(path: Path) -> dict[str, bytes]:
    files = path.rglob("*") if path.is_dir() else [path]
    return {file.name if path.is_dir() else "": file.read_bytes() for file in files if file.is_file()}


def test_the_first_argument_of_an_export_of_text_is_a_filter(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", "--to", "csv", "ada") == run("export", "--to", "csv", "text:ada")
    assert list(tmp_path.iterdir()) == []


def test_export_prints_what_passes_the_filters(run: Run) -> None:
    out = run("export", "--player", "ada", "--to", "jsonl")[1]
    assert [json.loads(line)["date"] for line in out.splitlines()] == ["2010.05.01", "2010.06.??", "2011.??.??"]


def test_export_of_the_whole_database(run: Run, tmp_path: Path) -> None:
    assert run("export", "-o", tmp_path / "all.duckdb")[0] == 0
    with duckdb.connect(tmp_path / "all.duckdb", read_only=True) as copy:
        assert copy.execute("SELECT count(*) FROM games").fetchall() == [(6,)]


def test_export_replaces_a_file_only_if_told_to(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "games.csv"
    target.write_text("mine")
    assert run("export", "-o", target)[0] == 2
    assert target.read_text() == "mine"
    assert run("export", "-o", target, "--force")[0] == 0
    assert target.read_text().startswith("id,")


def test_export_writes_a_site_into_a_new_folder(run: Run, tmp_path: Path) -> None:
    site = tmp_path / "site"
    status, out, err = run("export", "--to", "web", site, "--title", "Club", "player:ada")
    assert (status, out) == (0, "")
    assert re.fullmatch(rf"3 games in {re.escape(str(site))}, \d+ files, \d\.\d MB\n", err)
    assert b"modulepreload" in (site / "index.html").read_bytes()
    assert run("export", "--to", "web", site)[0] == 2
    assert run("export", "--to", "web", "-o", site, "--force")[2].startswith("6 games")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.html").write_text("mine")
    status, _, err = run("export", "--to", "web", "-o", tmp_path / "other", "--force")
    assert (status, "has other files than those of a site" in err) == (2, True)
    assert (tmp_path / "other" / "index.html").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["games", "--db", "nowhere.zertz"], "There is no database nowhere.zertz. Make one: zertz import"),
        (["games", "--board", "36"], "there are 37, 40"),
        (["games", "--json", "--csv"], "--json and --csv can't be combined"),
        (["imports", "--csv", "--parquet", "x.parquet"], "--csv and --parquet can't be combined"),
        (["sql", "select 1", "--json", "--csv"], "--json and --csv can't be combined"),
        (["games", "--player", ""], "a player's name can't be empty"),
        (["games", "--first", " "], "a player's name can't be empty"),
        (["games", "--player", "ada", "--versus", ""], "a player's name can't be empty"),
        (["export", "--second", ""], "a player's name can't be empty"),
        (["games", "--source", ""], "a part of a path can't be empty"),
        (["games", "--parquet", "nowhere/games.parquet"], "there is no folder nowhere"),
        (["show", "abcu"], "'abcu' is an invalid id"),
        (["explain", "E999"], "no finding has the code 'E999'"),
        (["games", "--since", "soon"], "invalid date 'soon'"),
        (["games", "--sort", "colour"], "can't be sorted by 'colour'"),
        (["show", "ABC"], "too short"),
        (["show", "0000000000000"], "there is no game"),
        (["imports", "--rejects", "9"], "no import has the number 9"),
        (["sql", "drop table _game"], "only SELECT"),
        (
            ["export", "--to", "parquet"],
            "parquet needs a file, before any filter: zertz export --to parquet games.parquet",
        ),
        (["export", "--to", "web"], "web needs a folder, before any filter: zertz export --to web site"),
        (["export", "--to", "dataset", "-"], "dataset needs a folder"),
        (["export", "--to", "web", "board:37", "site"], "web needs a folder, before any filter"),
        (["export", "--to", "sqlite", "not", "board:37"], "sqlite needs a file"),
        (["export", "--to", "csv", "board:37", "--to-db", "x"], "omit --output and --to"),
        (["export", "--to", "web", "-o", "site", "--checker", "nowhere"], "nowhere has no pyodide.mjs"),
        (["export", "--title", "Club"], "--title needs --to web"),
        (["export", "-o", "games.xyz"], "can't tell the format from"),
        (["export", "-o", "nowhere/games.csv"], "there is no folder nowhere"),
        (["export", "-o", ".", "--to", "csv"], "is a folder"),
        (["export", "-o", "x.duckdb", "--board", "37"], "copy of the whole database"),
    ],
)
def test_what_goes_wrong_is_one_message_and_status_2(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("zertz: ")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("option", "choice"), [("--board", "custom"), ("--result", "1/2-1/2"), ("--ending", "resign")])
def test_help_names_the_choices(run: Run, option: str, choice: str) -> None:
    words = run("games", "--help")[1].replace("│", "").split()
    assert choice in [word.strip(",.:") for word in words]
    assert f"{option} {option.strip('-').upper()}" in " ".join(words)


def test_a_code_is_explained(run: Run) -> None:
    status, out, _ = run("explain", "e302")
    assert (status, out.splitlines()[:2]) == (
        0,
        ["E302 error, rule 3.1: a capture is compulsory", "a placement where a capture is compulsory"],
    )
    assert json.loads(run("explain", "W536", "--json")[1])["severity"] == "warning"


def test_all_codes_are_listed_with_their_sections(run: Run) -> None:
    kinds = json.loads(run("explain", "--json")[1])
    assert [kind["code"] for kind in kinds] == sorted(catalogue())
    assert {kind["rule"] for kind in kinds} - {None} == SECTIONS.keys()
    assert len(run("explain")[1].splitlines()) == len(kinds) + 1


def test_one_is_not_many(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(RECORDS[0], "utf-8")
    import_paths([tmp_path / "one.txt"], tmp_path / "one.zertz")
    out = run("info", "--db", tmp_path / "one.zertz")[1]
    assert out.startswith("1 game, 4 plies, 5 positions\n")
    assert "from 1 file in 1 import\n" in out


def test_a_ply_that_the_game_does_not_have(run: Run, ids: dict[str, str]) -> None:
    assert "--ply takes 0 (the start) to 4 (the end)" in run("show", ids["resigned"], "--ply", 5)[2]


@pytest.mark.parametrize(
    ("command", "message"),
    [(["games"], "The database has no games yet."), (["imports"], "no imports yet"), (["info"], "0 games")],
)
def test_an_empty_database(run: Run, tmp_path: Path, command: list[str], message: str) -> None:
    with next_generation(tmp_path / "empty"):
        pass
    status, out, err = run(*command, "--db", tmp_path / "empty")
    assert status == 0
    assert message in out + err


@pytest.mark.parametrize(
    "command", ["games", "stats", "stats sets", "times", "ratings", "tournaments --filter", "players --filter"]
)
def test_a_misspelt_name_gets_a_suggestion(run: Run, command: str) -> None:
    status, _, err = run(*command.split(), "player:bem")
    assert (status, err.splitlines()[0]) == (0, "No games match. Did you mean player:Ben?")


def test_an_id_in_place_of_a_filter_gets_a_suggestion(run: Run, ids: dict[str, str]) -> None:
    assert run("games", ids["large"])[2] == f"No games match. Did you mean id:{ids['large']}?\n"


@pytest.mark.parametrize(
    "options",
    [["--to", "jsonl"], ["-o", "FILE.txt"], ["-o", "FILE.parquet"], ["-o", "FILE.csv"], ["--to-db", "FILE"], []],
)
def test_an_export_of_nothing_writes_nothing_and_says_so(run: Run, tmp_path: Path, options: list[str]) -> None:
    written = [option.replace("FILE", str(tmp_path / "file")) for option in options]
    said = "zertz: No games match. Did you mean player:Ben? Nothing written.\n"
    assert run("export", "player:bem", *written) == (1, "", said)
    assert list(tmp_path.iterdir()) == []
