"""The description of the service, and the service against it."""

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

import zertz_db.api
from tests.api.waiting import PATIENT
from zertz_db.api.app import create_app
from zertz_db.cli.servers.serve import build_openapi
from zertz_db.store.folder.database import Database

KEPT = Path(zertz_db.api.__file__).with_name("openapi.json")


def test_the_description_that_is_kept_is_true() -> None:
    assert KEPT.read_text("utf-8") == build_openapi() + "\n", (
        "the API has changed; look at what has, then: zertz serve --openapi > zertz_db/api/openapi.json"
    )


def described() -> list[tuple[str, dict[str, object]]]:
    paths = create_app(None).openapi()["paths"]
    return [(f"{method} {path}", one) for path, methods in paths.items() for method, one in methods.items()]


@pytest.mark.parametrize(("name", "endpoint"), described())
def test_every_endpoint_says_what_it_does_with_examples(name: str, endpoint: dict) -> None:  # type: ignore[type-arg]
    assert endpoint["description"].endswith("."), name
    for parameter in endpoint.get("parameters", []):
        assert parameter["description"], parameter
        assert parameter["in"] != "path" or parameter["schema"]["examples"], parameter
    for media in endpoint.get("requestBody", {}).get("content", {}).values():
        assert "example" in media or media["schema"].get("contentMediaType"), name
    for status, answer in endpoint["responses"].items():
        problems = answer.get("content", {}).keys() == {"application/problem+json"}
        assert problems == (int(status) >= 400), (name, status)


@pytest.fixture(scope="module")
def service(database: Database) -> BaseSchema:
    return schemathesis.openapi.from_asgi("/openapi.json", create_app(database, limits=PATIENT))


def kinds() -> list[tuple[str, GenerationMode]]:
    """Endpoints with questions as the description has them, and, where anything can be wrong, with others."""
    positive, negative = GenerationMode.POSITIVE, GenerationMode.NEGATIVE
    found = [(name, positive) for name, _ in described()]
    return found + [(name, negative) for name, one in described() if one.keys() & {"parameters", "requestBody"}]


@pytest.mark.parametrize(("name", "mode"), kinds())
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_service_keeps_to_its_description(
    service: BaseSchema, name: str, mode: GenerationMode, data: st.DataObject
) -> None:
    """Whatever is asked, allowed or not: no answer has a status or a form that the description does not have."""
    method, path = name.split(" ", 1)
    case = data.draw(service[path][method].as_strategy(generation_mode=mode))
    case.call_and_validate(
        excluded_checks=[positive_data_acceptance]
    )  # filters and patterns have grammars of their own
