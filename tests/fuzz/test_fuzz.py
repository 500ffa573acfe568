"""Any bytes reach their verdicts: no crash, and every finding has a place."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.material import CORPUS, archives, go_all_the_way, texts

_PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
def test_every_kind_in_the_corpus_has_verdicts(name: str) -> None:
    assert go_all_the_way((CORPUS / name).read_bytes(), name)


@_PATIENT
@given(texts())
def test_damaged_texts_have_verdicts(data: bytes) -> None:
    go_all_the_way(data)


@_PATIENT
@given(archives())
def test_damaged_archives_have_verdicts(data: bytes) -> None:
    go_all_the_way(data)
