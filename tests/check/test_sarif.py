"""Findings in SARIF: the objects of the format, with the names, the types and the required keys that SARIF 2.1.0 has."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from zertz_db.check.findings import Finding
from zertz_db.check.sarif import SarifLog
from zertz_db.cli.main import main
from zertz_db.parser.record import Span

ILLEGAL = '[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 Bd3,a1\n2. Wa2,b1\n'


def thing(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    """Return the schema of an object of SARIF that has only these properties, of those that the standard allows."""
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def several(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string"}
COUNT = {"type": "integer", "minimum": 1}
MESSAGE = thing(("text",), text={"type": "string", "minLength": 1})
LEVEL = {"enum": ["none", "note", "warning", "error"]}
LOCATION = thing(
    physicalLocation=thing(
        ("artifactLocation",),
        artifactLocation=thing(uri={"type": "string", "pattern": r"^(file:///)?[A-Za-z0-9._~%/!$&'()*+,;=@-]+$"}),
        region=thing(startLine=COUNT, startColumn=COUNT, endColumn=COUNT),
    ),
    logicalLocations=several(thing(name=TEXT, fullyQualifiedName=TEXT)),
)
RESULT = thing(
    ("message",),
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=several(LOCATION),
)
RULE = thing(
    ("id",), id=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE, defaultConfiguration=thing(level=LEVEL)
)
DRIVER = thing(("name",), name=TEXT, version=TEXT, rules=several(RULE))
RUN = thing(
    ("tool",),
    tool=thing(("driver",), driver=DRIVER),
    results=several(RESULT),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    invocations=several(thing(("executionSuccessful",), executionSuccessful={"type": "boolean"})),
)
LOG = thing(("version", "runs"), **{"$schema": TEXT}, version={"const": "2.1.0"}, runs=several(RUN))


def check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object
) -> tuple[int, dict[str, Any]]:
    monkeypatch.setattr(sys, "argv", ["zertz", "check", "--format", "sarif", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    log = json.loads(capsys.readouterr().out)
    assert [error.message for error in Draft202012Validator(LOG).iter_errors(log)] == []
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    return int(ended.value.code or 0), run


def test_a_finding_is_a_result_with_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a game: 1.txt").write_text(ILLEGAL)
    status, run = check(monkeypatch, capsys, "a game: 1.txt")
    [result] = run["results"]
    assert (status, result["ruleId"], result["level"]) == (1, "E302", "error")
    assert result["message"]["text"].endswith("Suggestion: ply 2: Ba3,a1 for Bd3,a1; with that all 3 plies are legal")
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20game%3A%201.txt"},
                "region": {"startLine": 4, "startColumn": 4, "endColumn": 10},
            }
        }
    ]


def test_a_member_of_an_archive_is_a_logical_location(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("bad.txt", ILLEGAL)
    _, run = check(monkeypatch, capsys, tmp_path / "games.zip")
    [[location]] = [result["locations"] for result in run["results"]]
    assert location["logicalLocations"] == [
        {"name": "bad.txt", "fullyQualifiedName": f"{tmp_path}/games.zip!bad.txt:4:4"}
    ]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": (tmp_path / "games.zip").as_uri()}}


def test_legal_records_have_no_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.txt").write_text('[Board "37"]\n[RuleSet "standard"]\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n')
    status, run = check(monkeypatch, capsys, tmp_path / "game.txt")
    assert (status, run["results"]) == (0, [])


def test_the_samples_are_one_valid_log(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    data = Path(__file__).parents[2] / "data"
    _, run = check(monkeypatch, capsys, data / "faults.txt", data / "dialects")
    assert {result["level"] for result in run["results"]} == {"error", "warning", "note"}


def test_braces_are_doubled() -> None:
    result = SarifLog("1").describe_result(
        "a.txt", "", Finding("E211", "no } after {", suggestion="close it with }"), None
    )
    assert result["message"] == {"text": "no }} after {{. Suggestion: close it with }}"}


@pytest.mark.parametrize(
    ("finding", "region"),
    [
        (Finding("E302", "x"), None),
        (Finding("E302", "x", Span(3, 5, 2, 1)), {"startLine": 2, "startColumn": 1, "endColumn": 3}),
    ],
)
def test_a_finding_without_a_place_has_no_region(finding: Finding, region: dict[str, int] | None) -> None:
    [location] = SarifLog("1").describe_result("a.txt", "", finding, 2)["locations"]
    assert location["physicalLocation"].get("region") == region
