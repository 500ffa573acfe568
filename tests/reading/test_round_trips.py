"""Every form that is written gives the same game when it is read again."""

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from parser.dialects import DIALECTS, WRITERS, Unwritable
from tests.reading.forms import FORMS
from tests.reading.round_trips import completed, expressed, forms_of, moves_again, settings, there_and_back

GAMES = 6


@pytest.mark.parametrize(("setting"), [setting for _, setting in settings()], ids=[name for name, _ in settings()])
@pytest.mark.parametrize("form", WRITERS)
def test_a_game_that_is_written_and_read_again_is_the_same(form: str, setting: dict[str, Any]) -> None:
    outcomes = [there_and_back(form, record) for record in islice(completed(GAMES, 5, **setting), GAMES)]
    refused = [outcome for outcome in outcomes if isinstance(outcome, Unwritable)]
    if not expressed(form, setting):
        assert len(refused) == GAMES
    else:
        assert len(refused) <= 1, refused  # a game may end as the form can't say
    for outcome in outcomes:
        if not isinstance(outcome, Unwritable):
            assert outcome[1] == outcome[0]


@pytest.mark.parametrize("players", [(None, None), ("ada", None), (None, "ada"), ("ada", "Ada"), ("draw", "tie")])
def test_names_that_are_not_there_or_tell_nobody_do_not_change_a_game(players: tuple[str | None, str | None]) -> None:
    for record in islice(completed(40, 5, board="37", rule_set="standard"), 40):
        named = replace(record, player1=players[0], player2=players[1])
        outcome = there_and_back("boardspace", named)
        if isinstance(outcome, Unwritable):
            assert named.result in ("1-0", "0-1") and named.ending is None
        else:
            assert outcome[1] == outcome[0]


def test_a_winner_whom_no_name_tells_is_not_lost_in_silence() -> None:
    record = next(completed(1, 5, board="37", rule_set="standard"))
    claimed = replace(record, plies=tuple(record.plies[:4]), result="1-0", ending=None, ending_by=None, player1=None)
    assert there_and_back("boardspace", claimed) == Unwritable(
        "the server says by name who has won, and the names don't tell"
    )


ONLY_READ = [(form, setting) for _, setting in settings() for form in forms_of(setting)]


@pytest.mark.parametrize(("form", "setting"), ONLY_READ, ids=[f"{form} {kind}" for form, kind in ONLY_READ])
def test_forms_that_are_only_read_are_read_as_they_were_written(form: str, setting: dict[str, Any]) -> None:
    for record in islice(completed(GAMES, 5, **setting), GAMES):
        written, again = moves_again(form, record)
        assert again == written


def test_every_dialect_makes_a_round_trip() -> None:
    read_back = {dialect for dialect, *_ in FORMS.values()} | WRITERS.keys()
    assert read_back == {dialect.name for dialect in DIALECTS}


def test_whatever_is_written_can_be_read() -> None:
    assert WRITERS.keys() <= {dialect.name for dialect in DIALECTS}
