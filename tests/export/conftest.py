"""The database of the tests of queries, for the tests of exports."""

from tests.queries.conftest import database, folder, ids

__all__ = ["database", "folder", "ids"]
