"""Each closed vocabulary has one definition (`zertz_db.parser.vocabulary.terms`), and all that derives from it is complete."""

import ast
import json
import pickle
from collections.abc import Collection, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from zertz_db.api.models import Check, Finding, Moves, Record
from zertz_db.check.findings import catalogue
from zertz_db.cli.check_report import LEVELS, STYLES
from zertz_db.cli.commands.explain import CONSEQUENCES
from zertz_db.dashboards.components.palette import ENDING_COLOURS
from zertz_db.dashboards.sections.record_view import COLOURS, VERDICT_MEANINGS, VERDICTS
from zertz_db.dashboards.state.entered_game import GAME_ENDS
from zertz_db.parser import packed_plies
from zertz_db.parser.gipf.results import result_of
from zertz_db.parser.gipf.tags import ENDINGS, ending_of
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT
from zertz_db.parser.vocabulary import terms
from zertz_db.parser.vocabulary.terms import Ending, GameResult, MoveKind, Severity, Term, Verdict
from zertz_db.queries.filters.fields import FIELDS, NONE
from zertz_db.queries.games.one_game import SENTENCES
from zertz_db.rules import kernel
from zertz_db.rules.position import ENDINGS as ENDINGS_OF_RULES

ROOT = Path(__file__).parents[2]
VOCABULARIES = (MoveKind, GameResult, Ending, Verdict, Severity)
TERMS = [term for vocabulary in VOCABULARIES for term in vocabulary]


def choices(model: type, field: str) -> list[str]:
    """Return the values that OpenAPI lists for a field."""
    schema = model.model_json_schema()["properties"][field]  # type: ignore[attr-defined]
    return next(one["enum"] for one in (schema, *schema.get("anyOf", ())) if "enum" in one)


@pytest.mark.parametrize(
    ("derived", "vocabulary"),
    [
        (LEVELS, Severity),
        (STYLES, Severity),
        (COLOURS, Severity),
        (CONSEQUENCES, Severity),
        (terms.SEVERITY_OF.values(), Severity),
        ({kind.severity for kind in catalogue().values()}, Severity),
        (choices(Finding, "severity"), Severity),
        (VERDICTS, Verdict),
        (VERDICT_MEANINGS, Verdict),
        (choices(Record, "verdict"), Verdict),
        (Check.model_fields.keys() - {"records"}, Verdict),
        (FIELDS["verdict"].choices, terms.GAMES),
        (ENDINGS.keys() - {None}, Ending),
        (SENTENCES, Ending),
        (FIELDS["ending"].choices, Ending),
        (set(ENDINGS_OF_RULES.values()) - {None}, terms.ENDINGS_BY_MOVES),
        ((*terms.ENDINGS_BY_MOVES, *terms.LOSSES, *terms.TIES, Ending.ABANDONED), Ending),
        (terms.WINNER_OF, set(GameResult) - {GameResult.UNKNOWN}),
        (FIELDS["result"].choices, (*GameResult, NONE)),
        ((PLACEMENT, CAPTURE, PASS), MoveKind),
        (choices(Moves, "kind"), MoveKind),
    ],
)
def test_what_derives_from_a_vocabulary_is_complete(derived: Collection[str], vocabulary: Collection[str]) -> None:
    assert sorted(derived) == sorted(vocabulary)


def test_charts_have_a_colour_for_every_ending_and_kind_of_turn() -> None:
    assert {*Ending, MoveKind.PLACEMENT, MoveKind.CAPTURE, Verdict.UNFINISHED} <= ENDING_COLOURS.keys()


def test_the_form_of_an_entered_game_offers_every_ending_that_players_cause() -> None:
    assert {end.ending for end in GAME_ENDS.values()} == {None, *terms.LOSSES, Ending.AGREED}


def test_readers_know_every_term_by_its_value() -> None:
    assert [result_of(result.value) for result in GameResult] == [*GameResult]
    assert [ending_of(ending.value) for ending in Ending] == [*Ending]


def test_the_winner_follows_from_the_result() -> None:
    assert {result.value: terms.WINNER_OF.get(result) for result in GameResult} == {
        "1-0": 1, "0-1": 2, "1/2-1/2": 0, "0-0": 0, "*": None,
    }  # fmt: skip
    assert [terms.WINNER_OF[terms.win_against(loser)] for loser in (1, 2)] == [2, 1]


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_a_term_is_its_value_for_every_consumer(term: Term) -> None:
    assert (str(term), f"{term}", repr(term), json.dumps(term)) == (
        term.value, term.value, repr(term.value), json.dumps(term.value),
    )  # fmt: skip
    assert {term: 1}[term.value] == {term.value: 1}[term] == 1
    assert pa.array([term], pa.string()).to_pylist() == [term.value]
    assert duckdb.execute("SELECT ?", [term]).fetchall() == [(term.value,)]
    assert pickle.loads(pickle.dumps(term)) is term  # noqa: S301 - our own bytes


def test_packed_plies_have_the_numbers_of_the_kernel() -> None:
    """The kernel has its own, since compiled code is stored under a hash of the rules' sources."""
    names = ("PLACE", "JUMP", "SKIP", "RACK_UNSAID", "RACK_POOL", "RACK_OWN", "RACK_OTHER")
    assert {name: getattr(packed_plies, name) for name in names} == {name: getattr(kernel, name) for name in names}


OTHER_MEANINGS = {
    "parser/boardspace/game_builder.py": {"resign"},  # an action of the server
    "parser/gipf/tags.py": {"resign", "agreed", "abandoned"},  # words of texts, by their ending
    "parser/minor/transcript.py": {"capture"},  # a key of its texts
    "zertz_db/api/models.py": {
        "verified",
        "unfinished",
        "illegal",
        "unreadable",
        "resign",
        "0-1",
        "capture",
    },  # examples
    "zertz_db/check/repair/malformed_turns.py": {"resign"},  # an action of the server
    "zertz_db/cli/check_report.py": {"warning"},  # a level of a workflow's annotations
    "zertz_db/queries/statistics/game_length.py": {"unfinished"},  # a column
    "zertz_db/queries/tournaments/crosstable.py": {"unfinished"},  # a column
    "zertz_db/export/standings_page.py": {"unfinished"},  # a column
    "zertz_db/queries/tournaments/tournament_games.py": {"unfinished"},  # a column
    "zertz_db/store/annotations/overlay.py": {"unreadable"},  # a file's state
    "dashboards/views/game.py": {"agreed"},  # a result on which record and moves agree
}
"""Strings that equal a term but mean something else, by file."""
AMBIGUOUS = {"set", "time", "repetition", "pass", "error", "note", "*"}
"""Terms that are words of other fields too."""


def literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_module_spells_a_term_out() -> None:
    spelled = {term.value for term in TERMS} - AMBIGUOUS
    found = {}
    for package in ("parser", "zertz_db", "dashboards"):
        for path in (ROOT / package).rglob("*.py"):
            name = path.relative_to(ROOT).as_posix()
            if name != "parser/vocabulary/terms.py" and (words := spelled.intersection(literals(path))):
                found[name] = words
    assert found == OTHER_MEANINGS
