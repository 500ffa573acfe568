"""Tables whose rows are made late."""

import pickle

from zertz_db.queries.result import Column, LateResult, Result

COLUMNS = (Column("move", "what was played"), Column("matches"))


def test_rows_are_made_once_and_when_they_are_first_used() -> None:
    made = []

    def make() -> list[tuple[object, ...]]:
        made.append(True)
        return [("Wd4", 3)]

    late = LateResult(COLUMNS, make)
    assert (late.names, made) == (["move", "matches"], [])
    assert late.rows == [("Wd4", 3)]
    assert late.dicts() == [{"move": "Wd4", "matches": 3}]
    assert made == [True]


def test_a_late_table_equals_a_plain_one() -> None:
    late, plain = LateResult(COLUMNS, lambda: [("Wd4", 3)]), Result(COLUMNS, [("Wd4", 3)])
    assert (late == plain, plain == late) == (True, True)
    assert late != Result(COLUMNS, [("Wd4", 4)])
    assert late != "a table"


def test_a_late_table_is_pickled_as_a_plain_one() -> None:
    late = LateResult(COLUMNS, lambda: [("Wd4", 3)])
    assert pickle.loads(pickle.dumps(late)) == Result(COLUMNS, [("Wd4", 3)])  # noqa: S301 - of this test
