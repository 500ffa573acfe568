"""Kinds of players: what a name suggests, what records state, and what users state, which counts most."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ingest.databases import copied
from zertz_db.edit.claim_names import InvalidAlias, set_alias, set_kind
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.maintain.merge_databases import merge
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.players.player_list import list_aliases, list_players
from zertz_db.queries.players.ratings import rate_players
from zertz_db.store.annotations import overlay, people_file
from zertz_db.store.open_database import open_database

GAME = '[Player1 "{}"]\n[Player2 "{}"]\n[Date "2010.05.{:02}"]\n[Board "37"]\n{}\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 Player2 resigns 1-0\n\n'
GAMES = (
    ("Ada", "deepgrey", ""),
    ("Ada", "robo", '[Player2Type "Program"]\n'),
    ("robo", "Ben", ""),
    ("Ben", "human-bot", '[Player2Type "human"]\n'),
    ("Ben", "greedy-3", ""),
    ("Ada", "smartbot", ""),
    ("Ada", "guest7", '[Player2Type "computer"]\n'),
)
KINDS = {
    "Ada": "human", "Ben": "human", "deepgrey": "human", "robo": "bot", "human-bot": "human", "greedy-3": "bot",
    "smartbot": "bot", "guest7": "bot",
}  # fmt: skip


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imported")
    text = "".join(GAME.format(one, other, day, tags) for day, (one, other, tags) in enumerate(GAMES, 1))
    (folder / "a.txt").write_text(text, "utf-8")
    import_paths([folder / "a.txt"], folder / "db")
    return folder / "db"


@pytest.fixture
def db(imported: Path, tmp_path: Path) -> Path:
    return copied(imported, tmp_path)


def kinds(folder: Path) -> dict[str, str]:
    with open_database(folder) as database:
        return {row["name"]: row["kind"] for row in list_players(database).dicts()}


def test_names_and_records_suggest_kinds(db: Path) -> None:
    assert kinds(db) == KINDS


def test_what_a_user_states_counts_at_once_and_is_undone(db: Path) -> None:
    with open_database(db) as database:
        assert count_games(database, "kind:bot") == 5
        set_kind(db, "DeepGrey", "bot", "its author said so")
        set_kind(db, "robo", "human")
        assert kinds(db) == {**KINDS, "deepgrey": "bot", "robo": "human"}
        assert count_games(database, "kind:bot") == 4
        assert {row["name"] for row in rate_players(database, kind="bot").dicts()} >= {"deepgrey", "greedy-3"}
        [row, _] = list_aliases(database).dicts()
        assert (row["name"], row["player"], row["kind"], row["evidence"]) == (
            "deepgrey",
            None,
            "bot",
            "its author said so",
        )
    set_kind(db, "deepgrey", "unknown")
    set_kind(db, "robo", "unknown")
    assert kinds(db) == KINDS
    assert overlay.faults(db) == []


def test_a_kind_holds_for_all_names_of_a_player_and_stays_after_an_import(db: Path, tmp_path: Path) -> None:
    set_kind(db, "deepgrey", "bot")
    set_alias(db, "deepgrey", "Ben", "accepted")
    (tmp_path / "b.txt").write_text(GAME.format("Ada", "Dora", 9, ""), "utf-8")
    import_paths([tmp_path / "b.txt"], db)
    assert kinds(db)["Ben"] == "bot"


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("deepgray", "bot", "No game has a player called deepgray. Did you mean deepgrey?"),
        ("deepgrey", "robot", "There is no kind 'robot'; valid: human, bot, guest, unknown"),
        ("deepgrey", "unknown", "No kind is stated for deepgrey"),
    ],
)
def test_what_can_t_be_stated_is_explained(db: Path, name: str, kind: str, words: str) -> None:
    with pytest.raises(InvalidAlias) as caught:
        set_kind(db, name, kind)
    assert words in str(caught.value)


def test_the_same_statement_is_written_once(db: Path) -> None:
    assert set_kind(db, "deepgrey", "bot") == set_kind(db, "deepgrey", "bot")
    assert len((db / people_file.FILE).read_text("utf-8").splitlines()) == 1


def test_a_merge_copies_kinds_and_a_redaction_deletes_them(db: Path, tmp_path: Path) -> None:
    set_kind(db, "deepgrey", "bot")
    merge([db], tmp_path / "all")
    assert kinds(tmp_path / "all")["deepgrey"] == "bot"
    anonymise_player(db, "deepgrey")
    assert people_file.read_kinds(db) == []
    assert "deepgrey" not in (db / people_file.FILE).read_text("utf-8")


def test_a_damaged_kind_is_skipped_and_named(db: Path) -> None:
    (db / people_file.FILE).write_text('{"name": "Ada", "kind": "robot", "since": "2026-05-01"}\n', "utf-8")
    assert "a kind is one of human, bot, guest, unknown" in overlay.faults(db)[0]
    assert kinds(db) == KINDS
