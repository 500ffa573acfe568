"""Describe findings in SARIF 2.1.0, the format of static analysis that editors and code hosts read."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from zertz_db.check.catalogue import explanations
from zertz_db.check.findings import Finding, catalogue

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class SarifLog:
    """The codes of the results so far, which a log describes once at its end. Severities have the names of SARIF's levels."""

    def __init__(self, version: str) -> None:
        """Begin a log. version: that of zertz-db."""
        self._version = version
        self._codes: dict[str, int] = {}

    def describe_result(self, path: str, member: str, finding: Finding, width: int | None) -> dict[str, Any]:
        """Return the result for a finding. member: the file in the archive, or empty. width: characters that it spans in its line."""
        suggestion = f". Suggestion: {finding.suggestion}" if finding.suggestion else ""
        return {
            "ruleId": finding.code,
            "ruleIndex": self._codes.setdefault(finding.code, len(self._codes)),
            "level": finding.severity,
            "message": {"text": _escape_braces(f"{finding.message}{suggestion}")},
            "locations": [_describe_location(path, member, finding, width)],
        }

    def describe_run(self) -> dict[str, Any]:
        """Return the parts of the run besides its results: the tool with the codes that occurred, and the unit of columns."""
        driver = {"name": "zertz-db", "version": self._version, "rules": [_describe_rule(code) for code in self._codes]}
        return {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": True}],
        }


def _describe_location(path: str, member: str, finding: Finding, width: int | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _to_uri(path)}}
    location: dict[str, Any] = {"physicalLocation": physical}
    if member:  # lines are those of the member, and an archive has none
        line = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
        location["logicalLocations"] = [{"name": member, "fullyQualifiedName": f"{path}!{member}{line}"}]
    elif finding.span:
        physical["region"] = {"startLine": finding.span.line, "startColumn": finding.span.column}
        if width:
            physical["region"]["endColumn"] = finding.span.column + width
    return location


def _escape_braces(text: str) -> str:
    """Return a text with its braces doubled: single ones are placeholders in a message."""
    return text.replace("{", "{{").replace("}", "}}")


def _to_uri(path: str) -> str:
    """Return the URI of an absolute path, or the reference of a relative one."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(Path(path).as_posix(), errors="replace")


def _describe_rule(code: str) -> dict[str, Any]:
    kind = catalogue()[code]
    return {
        "id": code,
        "shortDescription": {"text": _escape_braces(kind.title)},
        "fullDescription": {"text": _escape_braces(" ".join(explanations()[code].text.split()))},
        "defaultConfiguration": {"level": kind.severity},
    }
