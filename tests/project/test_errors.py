"""One base for all errors that zertz-db raises on purpose, and a child by who can do something about it."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import zertz_db
from zertz_db import BrokenEnvironment, InternalFault, UserMistake, ZertzError
from zertz_db.edit.marks import NoSuchMark
from zertz_db.ingest.sources.place import SourceError
from zertz_db.queries import QueryError
from zertz_db.rules.board import BoardError
from zertz_db.rules.errors import IllegalMove, PositionError
from zertz_db.rules.rule_sets import RuleSetError
from zertz_db.store.errors import DiskFull, LockHeld, NoDatabase, NotInLakes

CONTROL_FLOW = {"MemberRefusal", "NotModified", "Problem", "QueryStopped", "Stop", "Unsuited"}
"""Exceptions that are caught in the room that raises them, such as answers of the API and statuses of the command line."""

ELSEWHERE = ("zertz_db.dashboards.", "zertz_db.parser.")
"""Pages, which are drawn when they are imported, and readers, which import nothing of the other rooms."""


def errors() -> list[type[Exception]]:
    modules = [module.name for module in pkgutil.walk_packages(zertz_db.__path__, "zertz_db.")]
    modules = [name for name in modules if not name.startswith(ELSEWHERE)]
    found = {
        value
        for name in modules
        for value in vars(importlib.import_module(name)).values()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__.startswith("zertz_db.")
        and not value.__module__.startswith(ELSEWHERE)
    }
    return sorted(found, key=lambda error: error.__name__)


def test_every_public_error_has_the_base() -> None:
    outside = {error.__name__ for error in errors() if not issubclass(error, ZertzError)}
    assert {name for name in outside if not name.startswith("_")} == CONTROL_FLOW


def test_every_error_is_one_of_the_three_kinds() -> None:
    kinds = (UserMistake, BrokenEnvironment, InternalFault)
    for error in errors():
        if issubclass(error, ZertzError) and error is not ZertzError:
            assert sum(issubclass(error, kind) for kind in kinds) == 1, error


@pytest.mark.parametrize(
    ("kind", "children"),
    [
        (UserMistake, [BoardError, IllegalMove, NoSuchMark, NotInLakes, PositionError, QueryError, RuleSetError, SourceError]),
        (BrokenEnvironment, [DiskFull, LockHeld, NoDatabase]),
    ],
)  # fmt: skip
def test_the_kind_of_an_error(kind: type[Exception], children: list[type[Exception]]) -> None:
    assert [child for child in children if not issubclass(child, kind)] == []


def test_a_users_mistake_is_a_value_error() -> None:
    assert issubclass(UserMistake, ValueError)
