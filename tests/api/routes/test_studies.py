"""Studies over HTTP, and by the client."""

from __future__ import annotations

from starlette.testclient import TestClient

from tests.api.waiting import PATIENT
from zertz_db.api.app import create_app
from zertz_db.edit.studies import save_study
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.variations.move_tree import MoveTree, add_moves
from zertz_db.variations.notation import read_tree

TREE, _ = add_moves(MoveTree(Position.start("37")), 0, ["Wd4,d1", "Bd3,a1"])


def test_studies_are_listed_and_sent(own: Database) -> None:
    with TestClient(create_app(own, limits=PATIENT), raise_server_exceptions=False) as api:
        before = api.get("/studies")
        assert before.json()["rows"] == []
        save_study(own.folder, "A trap/1", TREE, "ada")
        after = api.get("/studies", headers={"If-None-Match": before.headers["etag"]})
        assert [row["name"] for row in after.json()["rows"]] == ["A trap/1"]
        found = api.get("/studies/a%20trap%2F1").json()
        assert (found["name"], read_tree(found["record"]).tree) == ("A trap/1", TREE)
        assert api.get(f"/studies/{found['id']}").json() == found
        missing = api.get("/studies/nothing")
        assert (missing.status_code, missing.json()["detail"][:30]) == (404, "no study is called 'nothing'; ")
