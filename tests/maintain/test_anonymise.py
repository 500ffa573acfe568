"""A redacted name is nowhere, and does not return."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.databases import archives, ask, contents, copied, made_up, written, zipped
from tests.ingest.injecting import NAME, game, inject
from zertz_db.edit.claim_names import set_alias
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.redaction.redact_batches import RedactedNames
from zertz_db.ingest.redaction.redactor import Redactor, find_player_names
from zertz_db.maintain.anonymise import NoSuchPlayer, RedactionStopped, anonymise_player
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.store.annotations import people_file
from zertz_db.store.errors import NoDatabase, UnreadableDatabase
from zertz_db.store.folder import generations
from zertz_db.store.names import fold_name

NAMES = "SELECT name FROM players ORDER BY name"


def texts(folder: Path) -> Iterator[str]:
    """Yield everything in a database, with records' bytes unpacked."""
    for table, rows in contents(folder).items():
        for row in rows:
            for value in row:
                is_record = table == "record" and isinstance(value, bytes)
                yield value.decode() if is_record else str(value)
    yield from (what for (what,) in ask(folder, "SELECT what FROM imports"))


@pytest.fixture
def both(tmp_path: Path, imported_archives: Path) -> Path:
    return copied(imported_archives, tmp_path)


@pytest.mark.parametrize(
    "name", [*(pytest.param(name, marks=pytest.mark.long) for name in ("ada", "bo 2", "robot3")), "Čeněk"]
)
def test_the_name_is_nowhere_and_all_else_is_unchanged(both: Path, name: str) -> None:
    before = contents(both)
    done = anonymise_player(both, name.upper())
    assert not [text for text in texts(both) if name.casefold() in text.casefold()]
    assert len(list(both.glob("generation-*"))) == 1
    found = examine(both)
    assert (found.problems, found.differences) == ((), ())
    after = contents(both)
    for table in ("ply", "position", "node"):
        assert after[table] == before[table]
    games = "SELECT count(*) FROM games WHERE ? IN (player1, player2)"
    assert ask(both, games, done.shown) == [(done.games,)]
    assert done.games == sum(name in (record.player1, record.player2) for record in made_up())
    results = [[(row[0], *row[12:27]) for row in rows["game"]] for rows in (before, after)]
    assert results[0] == results[1]  # ids too


@pytest.mark.parametrize("name", ["Čeněk", "robot3"])
def test_no_file_has_the_name_any_more(both: Path, name: str) -> None:
    def files() -> list[Path]:
        return [file for file in both.rglob("*") if name.encode() in file.read_bytes()]

    assert files()
    anonymise_player(both, name)
    assert files() == []


def test_a_name_inside_another_one_stays(both: Path) -> None:
    anonymise_player(both, "eve")
    names = {name for (name,) in ask(both, NAMES)}
    assert {"eve_1", "ada"} <= names
    assert not {"Eve", "eve"} & names
    assert examine(both).is_fine


@pytest.mark.parametrize("again", ["ada", "eve_1"])
def test_all_names_of_a_player_are_redacted_despite_a_stop(
    both: Path, again: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    set_alias(both, "ada", "eve_1", "accepted")
    whole = Path(shutil.copytree(both, both.with_name("whole")))
    anonymise_player(whole, "ada")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(generations, "publish", stop)
        anonymise_player(both, "ada")
    done = anonymise_player(both, again)
    assert done.names == ("ada", "eve_1")
    assert contents(both) == contents(whole)
    assert people_file.read_redacted(both) == people_file.read_redacted(whole)


def test_importing_the_files_again_does_not_restore_the_name(imported_archives: Path, both: Path) -> None:
    first, second = archives(imported_archives.parent)
    shown = anonymise_player(both, "ada").shown
    names, games = ask(both, NAMES), ask(both, "SELECT id FROM games ORDER BY id")
    assert import_paths([*first, *second], both).run is None  # the files are known
    undo(both, 1)
    undo(both, 2)
    import_paths([*first, *second], both)
    assert ask(both, NAMES) == names
    assert ask(both, "SELECT id FROM games ORDER BY id") == games
    assert (shown,) in names
    assert not [text for text in texts(both) if "ada" in text.casefold()]
    assert examine(both).is_fine


def test_another_record_of_a_redacted_game_is_a_sighting(tmp_path: Path, both: Path) -> None:
    anonymise_player(both, "ada")
    again = written(tmp_path / "again.txt", [record for record in made_up() if record.player1 == "ada"])
    balance = import_paths([again], both)
    assert (balance.stored, balance.duplicate) == (0, 2)
    new = zipped(tmp_path / "new.zip", [record for record in made_up() if record.player2 == "ada"])
    assert import_paths([new], both).stored == 0
    assert not [text for text in texts(both) if "ada" in text.casefold()]
    assert examine(both).is_fine


def test_a_recheck_preserves_redactions_and_ids(both: Path) -> None:
    anonymise_player(both, "ada")
    assert recheck_database(both) == []


def test_two_players_can_be_anonymised(both: Path) -> None:
    shown = {anonymise_player(both, "ada").shown, anonymise_player(both, "bo 2").shown}
    assert len(shown) == 2
    assert shown <= {name for (name,) in ask(both, NAMES)}
    assert len(people_file.read_redacted(both)) == 2
    assert examine(both).is_fine


@pytest.mark.parametrize(("name", "words"), [("nobody", "No player is called nobody"), ("guest", "guest name")])
def test_guests_and_unknown_players_can_not_be_anonymised(both: Path, name: str, words: str) -> None:
    with pytest.raises(NoSuchPlayer, match=words):
        anonymise_player(both, name)
    assert not (both / people_file.FILE).exists()


def test_a_missing_database_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(NoDatabase):
        anonymise_player(tmp_path / "none", "ada")
    assert not (tmp_path / "none").exists()


def test_a_broken_people_file_stops_imports(tmp_path: Path, both: Path) -> None:
    (both / people_file.FILE).write_text("[[withheld]]\nname_hash = ", "utf-8")
    with pytest.raises(UnreadableDatabase, match=r"people\.jsonl:1 can't be read"):
        import_paths([written(tmp_path / "one.txt", made_up()[:1])], both)


OFFICIAL = (
    '[Event "Ada\'s cup"]\n[Player1 "Ada"]\n[Player2 "Ada Low"]\n[Result "1-0"]\n[Annotator "ada, Ada Low"]\n\n'
    "{by Ada; not Adam} 1. Wd4,d1 {ADA thinks} *"
)
OFFICIAL_AFTER = (
    '[Event "X\'s cup"]\n[Player1 "X"]\n[Player2 "Ada Low"]\n[Result "1-0"]\n[Annotator "X, Ada Low"]\n\n'
    "{by X; not Adam} 1. Wd4,d1 {X thinks} *"
)
SERVER = (
    "(;GM[22]SU[Zertz]GN[TU!Z-W-bob7-2004-03-05-1200]RE[Game won by bob]"
    'P0[id "W"]P1[id "bob7"]; P0[1 RtoB 2 W 0 D 4]TM[7]; C[W: done, bob7?])'
)
SERVER_AFTER = (
    "(;GM[22]SU[Zertz]GN[TU!Z-X-Y-2004-03-05-1200]RE[Game won by Y]"
    'P0[id "X"]P1[id "Y"]; P0[1 RtoB 2 W 0 D 4]TM[7]; C[X: done, Y?])'
)


@pytest.mark.parametrize(
    ("shown", "others", "dialect", "before", "after"),
    [
        ({"ada": "X"}, ["Ada", "Ada Low"], "gipf", OFFICIAL, OFFICIAL_AFTER),
        ({"w": "X", "bob7": "Y"}, [], "boardspace", SERVER, SERVER_AFTER),
        ({"1-0": "X"}, [], "gipf", OFFICIAL, OFFICIAL),
        ({"zertz": "X", "2004": "X", "rtob": "X"}, [], "boardspace", SERVER, SERVER),
        ({'q "z" \\': "X"}, [], "gipf", '[White "Q \\"z\\" \\\\"]', '[White "X"]'),
    ],
)
def test_names_are_redacted_and_text_that_the_rules_read_stays(
    shown: dict[str, str], others: list[str], dialect: str, before: str, after: str
) -> None:
    redactor = Redactor(shown, others).for_players(find_player_names(before.encode()))
    assert redactor.record(before.encode(), dialect, is_game=True) == after.encode()


@pytest.mark.parametrize(
    ("shown", "first", "second", "before", "after"),
    [
        ({"bob7": "X"}, "bob7", "ann", "Game won by bob", "Game won by X"),
        ({"bob7": "X"}, "bob7", "bob", "Game won by bob", "Game won by bob"),
        ({"bob": "X"}, "bob7", "ann", "Game won by bob", "Game won by bob"),
        ({"bob": "X"}, "bob", "ann", "bobが勝利", "Xが勝利"),
        ({"bob": "X"}, "bob", "bobo", "bobo hat gewonnen", "bobo hat gewonnen"),
        ({"bob": "X", "ann": "Y"}, "bob", "ann", "Y or ann or bob", "Y or Y or X"),
    ],
)
def test_the_winner_is_one_of_the_record_s_players(
    shown: dict[str, str], first: str, second: str, before: str, after: str
) -> None:
    def text(result: str) -> bytes:
        return f'(;GM[22]RE[{result}]P0[id "{first}"]P1[id "{second}"])'.encode()

    redactor = Redactor(shown).for_players(find_player_names(text(before)))
    assert find_player_names(text(before)) == {first, second}
    assert f"RE[{after}]".encode() in redactor.record(text(before), "boardspace", is_game=True)
    assert redactor.tag("RE", before) == after


def test_in_a_record_without_a_game_names_are_redacted_everywhere() -> None:
    assert Redactor({"ada": "X"}).record(b"Ada plays Wd4,d1 [Event", None, is_game=False) == b"X plays Wd4,d1 [Event"


def test_a_letter_of_another_encoding_is_unchanged() -> None:
    before = '[Player1 "Ada"]\n[Player2 "Zo\xeb"]'
    after = before.replace("Ada", "X")
    assert Redactor({"ada": "X"}).record(before.encode("latin-1"), "gipf", is_game=True) == after.encode("latin-1")


def test_in_a_dialect_without_a_pattern_names_are_redacted_everywhere() -> None:
    redactor = Redactor({"ada": "player one"})
    assert redactor.record(b"37\n# Player 1: Ada\nWd4,d1\n", "zertz3d", True) == b"37\n# Player 1: player one\nWd4,d1\n"


ALIKE = ["René", "Rene\u0301", "RENÉ ", "rené\u00a0", "Re\u200bné"]


@pytest.mark.parametrize("asked", [*ALIKE[:2], *(pytest.param(name, marks=pytest.mark.long) for name in ALIKE[2:])])
def test_every_spelling_of_a_name_is_redacted(tmp_path: Path, asked: str) -> None:
    """In tags, in comments, in file names; and none returns."""
    folder = tmp_path / "games René"
    folder.mkdir()
    for number, name in enumerate(ALIKE):
        tags = f'[Player1 "{name}"]\n[Player2 "Rene"]\n[Date "2026.05.0{number + 1}"]'
        text = f"{tags}\n\n1. Wd4,d1 {{by {name}!}} Bd3,a1 2. x d3Wd5 resigns\n"
        (folder / f"{number}.txt").write_text(text, "utf-8")
    import_paths([folder], tmp_path / "db")
    anonymise_player(tmp_path / "db", asked)
    import_paths([folder], tmp_path / "db")
    held = [fold_name(text) for text in texts(tmp_path / "db")]
    assert not [text for text in held if "rené" in text]
    assert [name for (name,) in ask(tmp_path / "db", NAMES) if not name.startswith("anon_")] == ["Rene"]


@pytest.mark.parametrize(
    ("withheld", "written"), [("Straße", "STRASSE"), ("STRASSE", "Straße"), ("Fiona", "ﬁona"), ("Ada L", "ada\u2003 l")]
)
def test_full_case_folding_in_texts(withheld: str, written: str) -> None:
    redactor = Redactor({fold_name(withheld): "X"})
    assert redactor.text(f"by {written}, and {written}s") == f"by X, and {written}s"


def test_the_longest_of_the_names_around_it_stays() -> None:
    veil = Redactor({"ann": "X"}, ["jo ann", "jo ann ann"])
    assert veil.text("Jo Ann Ann, Jo Ann, Ann") == "Jo Ann Ann, Jo Ann, X"


def test_a_tombstone_of_an_older_version_still_counts() -> None:
    """They have the hash of the name with only its case folded."""
    name = "Rene\u0301 "
    old = people_file.Tombstone(hashlib.sha256(name.casefold().encode()).hexdigest(), "anon_1", people_file.today())
    assert RedactedNames([old]).shown(name) == "anon_1"


@pytest.mark.parametrize(
    "written", ['"Ada [3d]"', r'"Ada [3d\]"', "Ada [3d]"], ids=["as it is", "escaped", "without quotation marks"]
)
def test_a_name_with_brackets_is_redacted(written: str) -> None:
    record = f'(;GM[22]SU[Zertz]P0[id {written}]P1[id "bo"]\n; P0[RtoB 2 0 D 4]; P0[R- D 1]; P0[Done]\n)'.encode()
    assert find_player_names(record) == {"Ada [3d]", "bo"}
    without = Redactor({"ada [3d]": "withheld 1"}).record(record, "boardspace", is_game=True)
    assert b"3d" not in without
    assert find_player_names(without) == {"withheld 1", "bo"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[Player1 “Ada L”]\n1. Wd4,d1 *", "[Player1 “X”]\n1. Wd4,d1 *"),
        ('[Event "5th "Ada L" Open"]\n1. Wd4,d1 *', '[Event "5th "X" Open"]\n1. Wd4,d1 *'),
        (
            'On Monday Ada L wrote:\n> [Player1 "Ada L"]\n> 1. Wd4,d1 *',
            'On Monday X wrote:\n> [Player1 "X"]\n> 1. Wd4,d1 *',
        ),
        (
            "| n | Ada L | Ben |\n|---|---|---|\n| 1. | Wd4,d1 | Bd3,a1 |",
            "| n | X | Ben |\n|---|---|---|\n| 1. | Wd4,d1 | Bd3,a1 |",
        ),
        ("Ada L: Wd4,d1\nBen: Bd3,a1", "X: Wd4,d1\nBen: Bd3,a1"),
        ("% of Ada L\n1. Wd4,d1 *", "% of X\n1. Wd4,d1 *"),
    ],
)
def test_names_are_redacted_in_any_text_around_a_game(before: str, after: str) -> None:
    redactor = Redactor({"ada l": "X"})
    assert redactor.record(before.encode(), "gipf", is_game=True).decode() == after


def test_names_with_unusual_quotation_marks_are_players() -> None:
    assert find_player_names('[Player1 “Ada L”]\n[Player2 "Ben "the" Best"]\n'.encode()) == {"Ada L", 'Ben "the" Best'}


def test_names_are_redacted_in_json_lines_with_any_escapes() -> None:
    before = '{"tags": {"Player1": "Ad\\u00e9", "Event": "Ad\\u00e9 and Ben"}, "moves": ["Wd4,d1"]}'
    after = Redactor({"adé": "X"}).record(before.encode(), "jsonl", is_game=True).decode()
    assert after == '{"tags": {"Player1": "X", "Event": "X and Ben"}, "moves": ["Wd4,d1"]}'
    assert find_player_names(before.encode()) == {"Adé"}


def test_a_record_without_the_name_stays_byte_for_byte() -> None:
    """Unescaped brackets in it stay, too: a record's id is that of its bytes."""
    record = b'(;GM[22]SU[Zertz]P0[id "Ada [3d]"]P1[id "bo"]\n; P0[RtoB 2 0 D 4]; P0[R- D 1]; P0[Done]\n)'
    assert Redactor({"eve": "X"}).record(record, "boardspace", is_game=True) == record


PLAIN = '[Player1 "Zoraida"]\n[Player2 "Cy"]\n[Board "48"]\n\n1. Wd4,d1 *'


@pytest.mark.parametrize(
    "tag",
    [
        "Date",
        "Result",
        *(
            pytest.param(tag, marks=pytest.mark.long)
            for tag in ("PlyCount", "Termination", "Tournament", "Claims", "Board", "Clock", "SetUp")
        ),
    ],
)
def test_a_name_in_a_tag_for_a_number_or_a_word_is_redacted(tmp_path: Path, tag: str) -> None:
    others = {"Board": "37", "Result": "*"}
    tags = {"Player1": "Zoraida", "Player2": "Ben"} | others | {tag: "Zoraida"}
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    (tmp_path / "a.txt").write_text("\n".join([*lines, "", "1. Wd4,d1 Bd3,a1 *", "", PLAIN, ""]))
    import_paths([tmp_path / "a.txt"], tmp_path / "db")
    anonymise_player(tmp_path / "db", "Zoraida")
    assert not [text for text in texts(tmp_path / "db") if "zoraida" in text.casefold()]
    assert examine(tmp_path / "db").is_fine


STEPS = [
    "zertz_db.ingest.redaction.redactor:Redactor.record",
    "zertz_db.ingest.redaction.redactor:Redactor.name",
]


@pytest.mark.parametrize("step", STEPS)
def test_a_record_that_can_not_be_redacted_is_named_and_nothing_is_changed(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club.txt").write_text(game(NAME) + "\n" + game("Ada"), "utf-8")
    import_paths([tmp_path / "club.txt"], tmp_path / "db")
    before = contents(tmp_path / "db")
    with monkeypatch.context() as patch:
        inject(patch, step, KeyError(NAME))
        with pytest.raises(RedactionStopped) as caught:
            anonymise_player(tmp_path / "db", NAME)
    assert "club.txt:1 (import 1, record " in str(caught.value)
    assert "in 1 record:" in str(caught.value)
    assert "Nothing was changed" in str(caught.value)
    assert contents(tmp_path / "db") == before
    assert people_file.read_redacted(tmp_path / "db") == []
    assert anonymise_player(tmp_path / "db", NAME).records == 1
