"""Write answers as JSON in the thread that has found them: FastAPI would hand them to another thread for that."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from fastapi import Response
from pydantic import BaseModel, TypeAdapter

from zertz_db.api.snapshot import Snapshot

Parameters = ParamSpec("Parameters")


def write_json(
    model: type[BaseModel],
) -> Callable[[Callable[Parameters, dict[str, Any]]], Callable[Parameters, Response]]:
    """Let an endpoint with a parameter `snapshot` return its answer as a response with the shape of `model`, as FastAPI writes it."""
    adapter = TypeAdapter(model)

    def decorate(find: Callable[Parameters, dict[str, Any]]) -> Callable[Parameters, Response]:
        @wraps(find)
        def respond(*values: Parameters.args, **named: Parameters.kwargs) -> Response:
            answer = adapter.validate_python(find(*values, **named))
            response = Response(adapter.dump_json(answer, by_alias=True), media_type="application/json")
            snapshot = named["snapshot"]
            assert isinstance(snapshot, Snapshot)  # noqa: S101 - FastAPI gives it
            response.headers.update(snapshot.headers)
            return response

        return respond

    return decorate
