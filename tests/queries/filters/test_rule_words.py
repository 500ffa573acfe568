"""Games are found by their rules, results and endings in any words for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.check.test_repetition_and_ends import REPEATED
from tests.queries.sample import record
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries import find_game, list_games
from zertz_db.queries.errors import QueryError
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

TURNS = "1. Wd4,a1 Bd2,a2"
GAMES = {
    "plain": f'[RuleSet "standard"]\n[Board "37"]\n{TURNS} *',
    "blitz": f'[RuleSet "original"]\n[Board "37"]\n{TURNS} *',
    "large": f'[RuleSet "standard"]\n[Board "48"]\n{TURNS} tie',
    "tournament": f'[RuleSet "tournament"]\n[Board "48"]\n{TURNS} *',
    "written": f'[RuleSet "standard+written"]\n[Board "37"]\n{TURNS} 1-0 {{on time}}',
    "noties": f'[RuleSet "tournament+noties"]\n[Board "48"]\n[Termination "draw agreed"]\n{TURNS}',
    "repeated": f'[Repetition "2"]\n{REPEATED}',
    "thrice": f'[Repetition "3"]\n{REPEATED} 1/2-1/2',
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A game for each choice of rules."""
    folder = tmp_path_factory.mktemp("rules")
    games = [record(name, "Ada", "Ben", "2013.01.01", "").rstrip() + f"\n{text}\n\n" for name, text in GAMES.items()]
    (folder / "games.txt").write_text("".join(games), "utf-8")
    import_paths([folder / "games.txt"], folder / "games.zertz")
    with open_database(folder / "games.zertz") as opened:
        yield opened


STANDARD = {*GAMES} - {"blitz"}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("rules:standard", STANDARD),
        ("rules:original", {"blitz"}),
        ("rules:1999", {"blitz"}),
        ("rules:BLITZ", {"blitz"}),
        ('rules:"original basic game"', {"blitz"}),
        ("rules:basic", {"plain", "written", "repeated", "thrice"}),
        ("rules:tournament", {"tournament", "noties"}),
        ("rules:standard+tournament", {"tournament", "noties"}),
        ("rules:standard+written", {"written"}),
        ("rules:tournament+noties", {"noties"}),
        ("rules:standard+repetition2", {"repeated"}),
        ("rules:blitz,standard+written", {"blitz", "written"}),
        ("ties:no", {"noties"}),
        ("ties:yes", {*GAMES} - {"noties"}),
        ("repetition:2", {"repeated"}),
        ("repetition:3", {"thrice"}),
        ("repetition:open", {*GAMES} - {"repeated", "thrice"}),
        ("result:tie", {"large", "repeated", "thrice"}),
        ("result:Tie", {"large", "repeated", "thrice"}),
        ("result:draw", {"large", "repeated", "thrice"}),
        ("result:½-½", {"large", "repeated", "thrice"}),
        ("result:0-0", {"noties"}),
        ("ending:agreed", {"large", "noties", "thrice"}),
        ("ending:agreement", {"large", "noties", "thrice"}),
        ("ending:Tie", {"large", "noties", "thrice"}),
        ('ending:"repeated moves"', {"repeated"}),
        ("ending:both_lose", set()),
    ],
)
def test_words_find_games(database: Database, asked: str, found: set[str]) -> None:
    assert {event for (event,) in list_games(database, asked, columns=["event"]).rows} == found


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("rules:blits", "did you mean blitz?"),
        ("rules:nonsense", "no game has the rule set 'nonsense'; there are standard, blitz, original"),
        ("rules:standard+nonsense", "'nonsense' is not an option"),
        ("ending:adjourned", "no game has the ending 'adjourned'"),
        ("ending:normal", "no game has the ending 'normal'"),
        ("ties:maybe", "no game has the ties 'maybe'"),
        ("repetition:1", "no game has the repetition '1'"),
    ],
)
def test_a_word_that_means_nothing_is_an_error(database: Database, asked: str, message: str) -> None:
    with pytest.raises(QueryError, match=message.replace("?", "[?]")):
        list_games(database, asked)


@pytest.mark.parametrize(
    ("asked", "end"),
    [
        ("repetition:2", "The moves are repeated: a tie."),
        ("ties:no", "The players agree on a tie, which both players lose."),
        ("ending:agreed ties:yes rules:standard board:48", "The players agree on a tie."),
    ],
)
def test_the_end_of_a_tie_is_told_by_the_rules_that_were_chosen(database: Database, asked: str, end: str) -> None:
    ((game,),) = list_games(database, asked, columns=["id"]).rows
    assert find_game(database, game).end == end
