"""Aliases: set, effective, undone, copied by merges; they never restore a redacted name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.databases import ask, contents, copied
from zertz_db.edit.claim_names import InvalidAlias, set_alias
from zertz_db.edit.marks import add_mark
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import copy_games, merge
from zertz_db.queries.games.game_list import game_ids
from zertz_db.store.annotations import marks, people_file
from zertz_db.store.errors import NoDatabase
from zertz_db.store.open_database import open_database

NAMES = "SELECT a.name FROM aliases a JOIN players p ON p.id = a.player WHERE p.name = ? ORDER BY a.name"


@pytest.fixture
def db(imported_archives: Path, tmp_path: Path) -> Path:
    return copied(imported_archives, tmp_path)


def names(db: Path, player: str) -> list[str]:
    return [name for (name,) in ask(db, NAMES, player)]


def test_an_alias_counts_at_once_and_undoing_it_leaves_no_trace_in_the_tables(db: Path) -> None:
    before = contents(db)
    alias = set_alias(db, "BO 2", "ada", "accepted", "he said so")
    assert (alias.name, alias.player) == ("bo 2", "ada")
    assert names(db, "ada") == ["ada", "bo 2"]
    assert names(db, "bo 2") == []
    set_alias(db, "ada", "bo 2", "undone")
    assert contents(db) == before


def test_an_alias_builds_no_generation_and_is_in_the_next_one(db: Path, tmp_path: Path) -> None:
    files = sorted(db.glob("generation-*"))
    set_alias(db, "bo 2", "ada", "accepted")
    assert sorted(db.glob("generation-*")) == files
    (tmp_path / "c.txt").write_text('[Player1 "ada"]\n[Board "37"]\n\n1. Wd4,d1 *\n', "utf-8")
    import_paths([tmp_path / "c.txt"], db)
    with open_database(db) as database:
        assert database.overlay("x") == []
    assert names(db, "ada") == ["ada", "bo 2"]
    assert examine(db).is_fine


def test_an_equal_alias_is_stored_once(db: Path) -> None:
    set_alias(db, "bo 2", "ada", "accepted", "first")
    set_alias(db, "bo 2", "ada", "accepted", "second")
    assert [one.evidence for one in people_file.read_aliases(db)] == ["first"]


@pytest.mark.parametrize(
    ("name", "player", "verdict", "words"),
    [
        ("nobody", "ada", "accepted", "No game has a player called nobody"),
        ("ada", "nobody", "rejected", "No game has a player called nobody"),
        ("eve", "EVE", "accepted", "differ only in case, spaces or the form of accents"),
        ("ada", "bo 2", "undone", "ada and bo 2 have no alias"),
    ],
)
def test_an_invalid_alias_is_reported_and_not_stored(
    db: Path, name: str, player: str, verdict: str, words: str
) -> None:
    with pytest.raises(InvalidAlias, match=words):
        set_alias(db, name, player, verdict)
    assert not (db / people_file.FILE).exists()


def test_guests_have_no_aliases(tmp_path: Path) -> None:
    text = '[Player1 "guest"]\n[Player2 "ada"]\n[Board "37"]\n\n1. Wd4,d1 *\n'
    (tmp_path / "g.txt").write_text(text, "utf-8")
    import_paths([tmp_path / "g.txt"], tmp_path / "db")
    with pytest.raises(InvalidAlias, match="guest is a guest name"):
        set_alias(tmp_path / "db", "guest", "ada", "accepted")


def test_no_database_is_made(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        set_alias(tmp_path / "none", "a", "b", "accepted")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", ["bo 2", "Čeněk"])
def test_a_player_is_anonymised_under_all_names_also_in_aliases(db: Path, name: str) -> None:
    set_alias(db, "bo 2", "Čeněk", "accepted", "bo 2 and Čeněk look alike")
    set_alias(db, "robot3", "bo 2", "rejected")
    saved = (db / people_file.FILE).read_bytes()
    done = anonymise_player(db, name)
    assert set(done.names) == {"bo 2", "Čeněk"}
    assert names(db, done.shown) == [done.shown]
    files = [file for file in db.rglob("*") if file.is_file()]
    assert not [file for file in files if b"bo 2" in file.read_bytes() or "Čeněk".encode() in file.read_bytes()]
    with (db / people_file.FILE).open("ab") as file:  # for example, from version control
        file.write(saved)
    assert people_file.read_aliases(db) == []
    assert names(db, done.shown) == [done.shown]


def test_aliases_are_copied_with_the_games_of_their_names(db: Path, tmp_path: Path) -> None:
    set_alias(db, "bo 2", "ada", "accepted")
    set_alias(db, "robot3", "Čeněk", "rejected")
    merge([db], tmp_path / "all")
    assert people_file.read_aliases(tmp_path / "all") == people_file.read_aliases(db)
    with open_database(db) as database:
        copy_games(database, game_ids(database, "player:ada not player:robot3"), tmp_path / "part", "some")
    assert [one.pair for one in people_file.read_aliases(tmp_path / "part")] == [{"bo 2", "ada"}]
    set_alias(tmp_path / "all", "bo 2", "ada", "rejected")
    merge([db], tmp_path / "all")
    assert [one.verdict for one in people_file.read_aliases(tmp_path / "all")] == ["rejected", "rejected"]


def test_marks_are_copied_with_their_games_once(db: Path, tmp_path: Path) -> None:
    ids = {player: game for game, player in ask(db, "SELECT id, player1 FROM games")}
    for player in ("ada", "robot3"):
        add_mark(db, "me", label=player, game=ids[player])
    for _ in range(2):
        merge([db], tmp_path / "all")
    assert marks.read(tmp_path / "all") == marks.read(db)
    with open_database(db) as database:
        copy_games(database, game_ids(database, f"id:{ids['ada']}"), tmp_path / "part", "some")
    assert [one.label for one in marks.read(tmp_path / "part")] == ["ada"]
    assert ask(tmp_path / "part", "SELECT game, label FROM marks") == [(ids["ada"], "ada")]
    assert examine(tmp_path / "part").is_fine


def test_names_are_redacted_in_marks(db: Path) -> None:
    [(game,)] = ask(db, "SELECT id FROM games WHERE player1 = 'ada' ORDER BY id LIMIT 1")
    add_mark(db, "ada", label="by ada", text="ada should have jumped", game=game)
    shown = anonymise_player(db, "ada").shown
    assert ask(db, "SELECT label, text, author FROM marks") == [(f"by {shown}", f"{shown} should have jumped", shown)]
    assert b"ada" not in (db / marks.FILE).read_bytes()
