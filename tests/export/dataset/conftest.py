"""The analysed database of the tests of queries."""

from tests.queries.conftest import judged

__all__ = ["judged"]
