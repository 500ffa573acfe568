"""Every form that is written gives the same game when it is read again."""

from itertools import islice
from typing import Any

import pytest

from parser.dialects import DIALECTS, WRITERS, Unwritable
from tests.reading.round_trips import completed, expressed, settings, there_and_back

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


def test_whatever_is_written_can_be_read() -> None:
    assert WRITERS.keys() <= {dialect.name for dialect in DIALECTS}
