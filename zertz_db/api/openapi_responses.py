"""OpenAPI descriptions of bodies and error responses."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from pydantic import BaseModel

from zertz_db.api.problems import MEDIA_TYPE

RECORDS = {
    "text/plain": {
        "schema": {"type": "string", "minLength": 1},
        "example": "1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n",
    }
}
NDJSON = {
    "application/x-ndjson": {"schema": {"type": "string"}, "example": '{"id": "3T7K0V9QZ4M1A", "moves": ["Wd4,d1"]}\n'}
}
TEXT = {"text/plain": {"schema": {"type": "string"}, "example": '[Player1 "Ada"]\n[Board "37"]\n\n1. Wd4,d1 *\n'}}
SVG = {"image/svg+xml": {"schema": {"type": "string"}, "example": '<svg xmlns="http://www.w3.org/2000/svg"/>'}}
PNG = {"image/png": {"schema": {"type": "string", "format": "binary"}}}

PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}}}
_COMMON_STATUSES = (421, 422, 500, 503)
_MEANINGS = {
    304: "The client has the response: `If-None-Match` names its `ETag`.",
    400: "Invalid request; the problem has the reason.",
    401: "Missing or invalid token.",
    403: "The server has no token: it is read-only.",
    404: "Not found.",
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    415: "A form with files; send the bytes of the file as the body.",
    421: "The server has another name.",
    422: "Invalid parameter.",
    500: "An error in zertz itself.",
    503: "Too many requests at once, a request that takes too long, or an unreadable database. Try again later.",
}


def describe_body(description: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a request's body. content: by media type."""
    return {"requestBody": {"description": description, "required": True, "content": content}}


def describe_question(description: str, model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    """Return the description of a body that is a question in JSON."""
    return describe_body(description, {"application/json": {"schema": model.model_json_schema(), "example": example}})


def describe_responses(
    *problems: int, content: dict[str, Any] | None = None, has_etag: bool = True
) -> dict[int | str, dict[str, Any]]:
    """Return the descriptions of error responses: problems with these statuses, and those of every endpoint.

    content: what the usual answer holds where it is no JSON. has_etag: the answer has an ETag, so that there may be no need of it.
    """
    found: dict[int | str, dict[str, Any]] = {
        status: {"description": _MEANINGS[status], **PROBLEM} for status in sorted({*problems, *_COMMON_STATUSES})
    }
    if has_etag:
        found[304] = {"description": _MEANINGS[304]}
    if content:
        found[200] = {"description": HTTPStatus.OK.phrase, "content": content}
    return found
