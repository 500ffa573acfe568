"""Corrected tags of stored games: shown and queried everywhere at once, permanently, and never in the records themselves."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ingest.databases import ask, contents, written, zipped
from tests.queries.sample import record
from zertz_db.edit.correct_tags import InvalidCorrection, correct_games, revert_corrections
from zertz_db.edit.merge_games import merge_game, split_game
from zertz_db.export.notation import write_notations
from zertz_db.export.rows import game_object
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import NoSuchPlayer, anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import copy_games, merge
from zertz_db.maintain.recheck import preview_changes, recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.play.generate import generate_games
from zertz_db.queries.games.game_list import game_ids
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.openings.tree import find_openings
from zertz_db.queries.players.player_list import list_players
from zertz_db.store.annotations import corrections, people_file
from zertz_db.store.errors import NoDatabase
from zertz_db.store.folder import generations
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.open_database import open_database

MOVES = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1 3. Player1 resigns 0-1"
LONGER = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g2 3. Player1 resigns 0-1"
SLIP = record("Clubb night", "Adda", "Ben", "2010.05.01", MOVES, Board="37", Annotator="Cy")
OTHER = record("Cup", "Ada", "Cleo", "2011.05.01", LONGER, Board="37")
COLUMNS = "event, site, round, player1, player2, date, date_from, date_to"
LEFT_OUT = ("correction.made_at",)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two files and their database: a game with slips in its tags, another one, and made-up ones around them."""
    folder = tmp_path_factory.mktemp("imported")
    made_up = zipped(folder / "a.zip", list(generate_games(4, seed=2)))
    import_paths([written(folder / "a.txt", [SLIP, OTHER]), made_up], folder / "db")
    return folder


@pytest.fixture
def db(imported: Path, tmp_path: Path) -> Path:
    """Return a separate copy of the database."""
    return Path(shutil.copytree(imported / "db", tmp_path / "db"))


@pytest.fixture
def slip(db: Path) -> str:
    return str(ask(db, "SELECT id FROM games WHERE event = 'Clubb night'")[0][0])


def row(db: Path, game_id: str, columns: str = COLUMNS) -> tuple[Any, ...]:
    return ask(db, f"SELECT {columns} FROM games WHERE id = ?", game_id)[0]


@pytest.mark.parametrize(
    ("tag", "value", "columns", "shown"),
    [
        ("event", "Club night", "event", ("Club night",)),
        ("Event", "  Club \t night ", "event", ("Club night",)),
        ("EVENT", "", "event", (None,)),
        ("Event", None, "event", (None,)),
        ("Event", "?", "event", (None,)),
        ("site", "Lyon", "site", ("Lyon",)),
        ("round", "3", "round", ("3",)),
        ("player1", "Ada", "player1, player2", ("Ada", "Ben")),
        ("White", "Ada", "player1, player2", ("Ada", "Ben")),
        ("Player2", "<script>", "player1, player2", ("Adda", "<script>")),
        ("date", "2012-2-3", "date, date_from, date_to", ("2012.02.03", dt.date(2012, 2, 3), dt.date(2012, 2, 3))),
        ("Date", "2012.02.??", "date, date_from, date_to", ("2012.02.??", dt.date(2012, 2, 1), dt.date(2012, 2, 29))),
        ("Date", "2012", "date, date_from, date_to", ("2012.??.??", dt.date(2012, 1, 1), dt.date(2012, 12, 31))),
        ("Date", "????.??.??", "date, date_from, date_to", (None, None, None)),
    ],
)
def test_what_is_corrected_is_shown(
    db: Path, slip: str, tag: str, value: str | None, columns: str, shown: tuple[Any, ...]
) -> None:
    before = row(db, slip)
    [made] = correct_games(db, [slip], {tag: value}, "me", "a slip")
    assert row(db, slip, columns) == shown
    assert examine(db).is_fine
    assert correct_games(db, [slip], {tag: value}, "me") == []  # it has the value already
    assert revert_corrections(db, slip, [tag], "you") == [made]
    assert row(db, slip) == before


@pytest.mark.parametrize(
    ("tag", "value", "says"),
    [
        ("Result", "1-0", "Result can't be corrected here: moves, result and times follow from the record"),
        ("Board", "48", "can't be corrected"),
        ("Flags", "rated", "can't be corrected"),
        ("Date", "yesterday", "the date 'yesterday' can't be read; write it as YYYY.MM.DD"),
        ("Date", "2010.02.31", r"There is no day 2010\.02\.31"),
        ("Date", "2010.13.??", r"There is no day 2010\.13\.\?\?"),
        ("Evnt", "x", "The tag Evnt is unknown and ignored; perhaps Event was meant"),
        ("two words", "x", "'two words' can't be a tag's name"),
        ("", "x", "'' can't be a tag's name"),
    ],
)
def test_an_invalid_correction_is_rejected_and_nothing_is_written(
    db: Path, slip: str, tag: str, value: str, says: str
) -> None:
    with pytest.raises(InvalidCorrection, match=says):
        correct_games(db, [slip], {"Event": "x", tag: value}, "me")
    assert not (db / corrections.FILE).exists()


def test_missing_games_and_missing_corrections_are_named(db: Path, slip: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidCorrection, match=f"There is no game {to_text(5)}"):
        correct_games(db, [slip, to_text(5)], {"Event": "x"}, "me")
    correct_games(db, [slip], {"Event": "x"}, "me")
    with pytest.raises(InvalidCorrection, match=f"Round of {slip} has no correction; corrected tags: Event"):
        revert_corrections(db, slip, ["Event", "Round"], "me")
    with pytest.raises(NoDatabase):
        correct_games(tmp_path / "none", [slip], {"Event": "x"}, "me")
    assert not (tmp_path / "none").exists()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DATES = st.dates(dt.date(1900, 1, 1)).map(lambda day: f"{day:%Y.%m.%d}")
CHANGES = st.dictionaries(st.sampled_from(["Event", "Site", "Round", "Player1", "Player2", "Annotator", "Club"]), TEXTS)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(first=CHANGES, second=CHANGES, date=DATES)
@pytest.mark.long
def test_reverted_corrections_leave_everything_unchanged(
    db: Path, slip: str, first: dict[str, str], second: dict[str, str], date: str
) -> None:
    states = [contents(db, *LEFT_OUT)]
    made = []
    for changes in (first, second, {"Date": date}):
        made.append(correct_games(db, [slip], changes, "me"))
        states.append(contents(db, *LEFT_OUT))
    states.pop()
    for done in reversed(made):
        revert_corrections(db, slip, [one.tag for one in done], "me")
        assert contents(db, *LEFT_OUT) == states.pop()


def test_a_tag_that_no_record_has_is_one_tag_in_any_spelling(db: Path, slip: str) -> None:
    correct_games(db, [slip], {"Table": "3"}, "me")
    [made] = correct_games(db, [slip], {"table": "4"}, "me")
    assert (made.tag, made.old, made.new) == ("Table", "3", "4")
    assert ask(db, "SELECT tag, new FROM _correction") == [("Table", "4")]


def test_several_games_are_corrected_together(db: Path, slip: str) -> None:
    other = str(ask(db, "SELECT id FROM games WHERE event = 'Cup'")[0][0])
    made = correct_games(db, [slip, other, slip], {"Event": "Cup", "Round": "1"}, "me")
    assert [(one.game, one.tag, one.old) for one in made] == [
        (slip, "Event", "Clubb night"),
        (slip, "Round", None),
        (other, "Round", None),
    ]
    assert row(db, slip, "event, round") == row(db, other, "event, round") == ("Cup", "1")


def test_a_corrected_name_counts_for_the_player_and_in_filters(db: Path, slip: str) -> None:
    with open_database(db) as database:
        assert ("Ada", 1) in [(one["name"], one["games"]) for one in list_players(database).dicts()]
        correct_games(db, [slip], {"Player1": "Ada", "Event": "Club night", "Date": "2020.01.01"}, "me")
        listed = {one["name"]: one["games"] for one in list_players(database).dicts()}
        assert listed["Ada"] == 2
        assert "Adda" not in listed
        for words in ("player:ada vs:ben", 'event:"club night"', "date:2020.01.01"):
            assert game_ids(database, words) == [from_text(slip)]
        assert game_ids(database, "player:adda") == []


def test_a_corrected_date_counts_in_the_sums_of_openings(db: Path, tmp_path: Path) -> None:
    import_paths([zipped(tmp_path / "b.zip", list(generate_games(70, seed=5)))], db)
    last = str(ask(db, "SELECT id FROM games WHERE board = '37' ORDER BY date_from LIMIT 1")[0][0])
    correct_games(db, [last], {"Date": "2077.01.01"}, "me")
    with open_database(db) as database:
        assert "2077-01-01" in {
            str(one["last_date"]) for one in find_openings(database, board="37", limit=100).continuations.dicts()
        }
        revert_corrections(db, last, ["date"], "me")
        assert "2077-01-01" not in {
            str(one["last_date"]) for one in find_openings(database, board="37", limit=100).continuations.dicts()
        }


def test_a_game_lists_its_corrections_and_the_values_of_its_record(db: Path, slip: str) -> None:
    correct_games(db, [slip], {"Event": "Club night", "annotator": "Dee", "Club": "Lyon", "Site": "x"}, "me", "why not")
    revert_corrections(db, slip, ["Site"], "me")
    with open_database(db) as database:
        found = find_game(database, slip)
        rows_read = [(one["tag"], one["old"], one["new"], one["author"]) for one in found.corrections.dicts()]
        assert rows_read == [
            ("Annotator", "Cy", "Dee", "me"),
            ("Club", None, "Lyon", "me"),
            ("Event", "Clubb night", "Club night", "me"),
        ]
        tags = {one["name"]: one["value"] for one in found.tags.dicts()}
        assert (tags["Annotator"], tags["Club"]) == ("Dee", "Lyon")
        assert [one["tag"] for one in game_object(database, slip)["corrections"]] == ["Annotator", "Club", "Event"]
        [(_, notation)] = write_notations(database, [from_text(slip)])
    assert notation is not None
    for line in (
        '[Event "Club night"]',
        '[Annotator "Dee"]',
        '[Club "Lyon"]',
        '[Corrected "Annotator (was Cy), Club (had none), Event (was Clubb night)"]',
    ):
        assert line in notation.splitlines()
    assert ask(db, "SELECT name, value FROM tags WHERE value = 'Cy'")  # the record's own
    assert b"Clubb night" in bytes_of(db, slip)


def exported(db: Path, game_id: str) -> str:
    with open_database(db) as database:
        [(_, notation)] = write_notations(database, [from_text(game_id)])
    return str(notation)


def test_exports_list_the_corrections_in_every_format(db: Path, slip: str, tmp_path: Path) -> None:
    plain = exported(db, slip)
    assert "Corrected" not in plain
    correct_games(db, [slip], {"Event": 'Ada "C" {x}', "Annotator": None}, "me")
    assert "[Annotator" not in exported(db, slip)
    import_paths([written(tmp_path / "out.txt", [exported(db, slip)])], tmp_path / "elsewhere")
    assert row(tmp_path / "elsewhere", slip, "event") == ('Ada "C" {x}',)  # by its id the same game
    correct_games(tmp_path / "elsewhere", [slip], {"Round": "2"}, "you")
    assert (
        '[Corrected "Annotator (was Cy), Event (was Clubb night); Round (had none)"]'
        in exported(tmp_path / "elsewhere", slip).splitlines()
    )
    revert_corrections(db, slip, ["Event", "Annotator"], "me")
    assert exported(db, slip) == plain


def bytes_of(db: Path, game_id: str) -> bytes:
    rows = ask(db, "SELECT bytes FROM _record WHERE game = ? AND bytes IS NOT NULL", from_text(game_id))
    return b"".join(data for (data,) in rows)


RIGHT = {"Event": "Club night", "Player1": "Ada", "Date": "2010.05.02", "Annotator": "Dee"}


_OF_IMPORTS = ("record", "source")
"""Tables with times of reading."""


def corrected(db: Path, slip: str) -> dict[str, list[tuple[Any, ...]]]:
    correct_games(db, [slip], RIGHT, "me", "by the scoresheet")
    return contents(db)


@pytest.mark.long
def test_corrections_survive_changes_of_a_database(db: Path, slip: str, imported: Path, tmp_path: Path) -> None:
    before = corrected(db, slip)
    assert preview_changes(db) == []
    assert recheck_database(db) == []
    assert contents(db) == before
    again = import_paths([written(tmp_path / "again.txt", [f"{SLIP}\n"])], db)
    assert (again.stored, again.duplicate) == (0, 1)  # it is recognised as the game
    assert row(db, slip)[0] == "Club night"
    richer = record(
        "Clubb night", "adda", "Ben", "2010.05.01", MOVES, Board="37", Annotator="Cy", Section="A", Table="1"
    )
    import_paths([written(tmp_path / "richer.txt", [richer])], db)
    assert row(db, slip, "event, player1") == ("Club night", "Ada")
    for run in (1, 2, 3):
        undo(db, run)
    assert ask(db, "SELECT count(*) FROM games") == ask(db, "SELECT count(*) FROM corrections") == [(0,)]
    import_paths([imported / "a.txt", imported / "a.zip"], db)
    after = contents(db)
    assert {name: rows for name, rows in after.items() if name not in _OF_IMPORTS} == {
        name: rows for name, rows in before.items() if name not in _OF_IMPORTS
    }
    assert examine(db).is_fine


def test_a_merged_database_has_the_corrections_of_both(db: Path, slip: str, tmp_path: Path) -> None:
    correct_games(db, [slip], {"Event": "First"}, "me")
    with open_database(db) as database:
        copy_games(database, game_ids(database), tmp_path / "other", "all")
    assert row(tmp_path / "other", slip, "event") == ("First",)
    correct_games(tmp_path / "other", [slip], {"Event": "Second", "Round": "2"}, "you")
    revert_corrections(db, slip, ["Event"], "me")
    correct_games(db, [slip], {"Site": "Lyon"}, "me")
    merge([tmp_path / "other"], db)
    assert row(db, slip, "event, site, round") == ("Second", "Lyon", "2")
    assert merge([tmp_path / "other"], db)[0].records == 0
    assert len(corrections.read(db)) == 4
    assert revert_corrections(db, slip, ["Event"], "me")
    assert row(db, slip, "event") == ("Clubb night",)
    merge([db], tmp_path / "new")
    assert row(tmp_path / "new", slip, "event, site, round") == ("Clubb night", "Lyon", "2")
    assert corrections.read(tmp_path / "new") == corrections.read(db)
    assert examine(tmp_path / "new").is_fine


def test_merged_games_and_corrections_are_independent(db: Path, slip: str, tmp_path: Path) -> None:
    before = corrected(db, slip)
    import_paths([written(tmp_path / "b.txt", [record("b", "A.", "B.", "2012.01.01", MOVES, Board="37")])], db)
    other = str(ask(db, "SELECT id FROM games WHERE event = 'b'")[0][0])
    merge_game(db, slip, other, "me")
    assert row(db, other, "event, player1") == ("Clubb night", "Adda")  # its own corrections don't count
    split_game(db, slip, "me")
    assert row(db, slip)[0] == "Club night"
    assert before["correction"] == contents(db)["correction"]
    assert examine(db).is_fine


def test_an_import_that_stopped_at_its_end_is_resumed(
    db: Path, slip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = corrected(db, slip)
    again = written(tmp_path / "again.txt", [SLIP, record("new", "Eve", "Ben", "2012.05.01", MOVES, Board="37")])

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(generations, "publish", stop)
        import_paths([again], db)
    balance = import_paths([again], db)
    assert (balance.stored, balance.duplicate) == (1, 1)
    assert contents(db)["correction"] == before["correction"]
    assert row(db, slip)[0] == "Club night"
    assert examine(db).is_fine


def test_a_stopped_correction_is_made_when_it_is_repeated(db: Path, slip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = row(db, slip)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(generations, "publish", stop)
        correct_games(db, [slip], {"event": "Club night"}, "me")
    assert row(db, slip) == before
    correct_games(db, [slip], {"event": "Club night"}, "me")
    assert row(db, slip, "event") == ("Club night",)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(generations, "publish", stop)
        revert_corrections(db, slip, ["event"], "me")
    [gone] = revert_corrections(db, slip, ["event"], "me")
    assert (gone.new, row(db, slip)) == ("Club night", before)
    with pytest.raises(InvalidCorrection, match="has no correction"):
        revert_corrections(db, slip, ["event"], "me")


def test_a_row_without_its_correction_is_found(db: Path, slip: str) -> None:
    corrected(db, slip)
    live = generations.live_generation(db)
    assert live is not None
    with duckdb.connect(live.path) as connection:
        connection.execute("UPDATE _game SET event = 'spoilt' WHERE event = 'Club night'")
    assert [(one.kind, one.examples) for one in examine(db).problems] == [
        ("a game does not have its corrections", (f"game {slip}",))
    ]


def test_an_edited_file_counts_after_a_recheck(db: Path, slip: str) -> None:
    line = f'{{"game": "{slip}", "tag": "Event", "old": null, "new": "By hand", "made_at": "2026-05-01T12:00:00Z"}}\n'
    (db / corrections.FILE).write_text(line, "utf-8")
    assert row(db, slip, "event") == ("Clubb night",)
    assert recheck_database(db) == []
    assert row(db, slip, "event") == ("By hand",)
    (db / corrections.FILE).unlink()
    assert recheck_database(db) == []
    assert row(db, slip, "event") == ("Clubb night",)


@pytest.mark.parametrize("name", ["Ada Example", "ada example"])
def test_a_name_that_only_corrections_have_is_redacted_there(db: Path, slip: str, name: str) -> None:
    correct_games(
        db, [slip], {"Player1": "Ada Example", "Event": "Cup of Ada Example"}, "Ada Example", "Ada Example says so"
    )
    done = anonymise_player(db, name)
    assert (done.games, done.records, done.recorded_as) == (1, 0, ("Adda",))
    assert row(db, slip, "player1, event") == (done.shown, f"Cup of {done.shown}")
    assert "example" not in (db / corrections.FILE).read_text("utf-8").lower()
    assert "example" not in repr(contents(db)).lower()
    assert examine(db).is_fine
    with pytest.raises(InvalidCorrection, match="this database has redacted that name for good"):
        correct_games(db, [slip], {"Player2": "ADA Example"}, "me")


def test_a_name_that_was_corrected_away_can_be_redacted_in_records_and_history(db: Path, slip: str) -> None:
    correct_games(db, [slip], {"Player1": "Ada"}, "me")
    revert_corrections(db, slip, ["Player1"], "me")
    correct_games(db, [slip], {"Player1": "Ada Two"}, "me")
    assert anonymise_player(db, "Adda").records == 1
    assert b"Adda" not in bytes_of(db, slip)
    assert "Adda" not in (db / corrections.FILE).read_text("utf-8")
    assert row(db, slip, "player1") == ("Ada Two",)
    anonymise_player(db, "Ada Two")
    assert "Ada Two" not in (db / corrections.FILE).read_text("utf-8")
    assert examine(db).is_fine
    with pytest.raises(NoSuchPlayer):
        anonymise_player(db, "Nobody")


def test_corrections_of_another_database_do_not_bring_a_redacted_name(db: Path, slip: str, tmp_path: Path) -> None:
    with open_database(db) as database:
        copy_games(database, game_ids(database), tmp_path / "other", "all")
    correct_games(tmp_path / "other", [slip], {"Player2": "Cleo", "Event": "Cleo's cup"}, "me", "Cleo told me")
    shown = anonymise_player(db, "Cleo").shown
    merge([tmp_path / "other"], db)
    assert "Cleo" not in (db / corrections.FILE).read_text("utf-8")
    assert row(db, slip, "player2, event") == (shown, f"{shown}'s cup")
    assert [one.shown for one in people_file.read_redacted(db)] == [shown]
