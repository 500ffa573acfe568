"""List the boards and rule sets of the stored games, to choose from."""

from __future__ import annotations

from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.store.folder.database import Database
from zertz_db.store.sql_literals import literal


def list_played_boards(database: Database, also: str = "") -> tuple[str, ...]:
    """Return the standard boards with games, and the board `also`; the first standard board if there are none."""
    rows = database.connection().execute("SELECT DISTINCT board FROM _game").fetchall()
    played = {also, *(board for (board,) in rows)}
    return tuple(board for board in STANDARD_BOARDS if board in played) or STANDARD_BOARDS[:1]


def list_played_rules(database: Database, board: str, also: str = "") -> tuple[str, ...]:
    """Return the rule sets with games on a standard board, and the rule set `also`; the first rule set if there are none."""
    rows = (
        database.connection().execute(f"SELECT DISTINCT rule_set FROM _game WHERE board = {literal(board)}").fetchall()
    )
    played = {also, *(rules for (rules,) in rows)}
    return tuple(rules for rules in RULE_SETS if rules in played) or tuple(RULE_SETS)[:1]
