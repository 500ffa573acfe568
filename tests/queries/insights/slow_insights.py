"""Insights the slow and obvious way: tables of sides and moves in pandas, and a mean for each group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from zertz_db.queries.openings.names import opening_name
from zertz_db.queries.statistics.forced_wins import PHASE, RATING_BOUNDS
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

ENOUGH = 10
WHOLE_BOARDS = ("37", "40", "43", "44", "48", "61")


def sides(database: Database, filters: str = "true") -> pd.DataFrame:
    """A row for each side of each game that meets a condition (SQL), with its player's and opponent's number and kind."""
    connection = database.connection()
    games = connection.execute(f"SELECT * FROM _game WHERE {filters}").df()
    named = {
        name: (player, kind)
        for name, player, kind in connection.execute(
            "SELECT a.name, p.id, kind FROM _alias a JOIN _player p ON p.id = player"
        ).fetchall()
    }
    rows = []
    for game in games.to_dict("records"):
        who = [named.get(game[name], (None, None)) for name in ("player1", "player2")]
        for side in (1, 2):
            (player, kind), (opponent, other_kind) = who[side - 1], who[2 - side]
            rows.append(
                {**game, "mover": side, "player": player, "kind": kind, "opponent": opponent, "other_kind": other_kind}
            )
    return pd.DataFrame(rows)


def moves(database: Database, found: pd.DataFrame) -> pd.DataFrame:
    """A row for each move of these sides, with its forced win and whether its game was analysed."""
    connection = database.connection()
    plies = connection.execute(
        "SELECT game AS id, ply, mover, kind AS turn, forced AS only, sacrifice, clock FROM _ply"
    ).df()
    tactics = connection.execute("SELECT game AS id, ply, forced, kept, missed, blunder FROM _tactic").df()
    return found.merge(plies, on=["id", "mover"]).merge(tactics, on=["id", "ply"], how="left")


def points(row: Any) -> float | None:
    if pd.isna(row["winner"]) or row["player"] == row["opponent"] is not None:
        return None
    return 0.5 if row["winner"] == 0 else float(row["winner"] == row["mover"])


def captures(row: Any) -> float:
    return float(sum(row[f"captured{row['mover']}_{colour}"] for colour in ("white", "grey", "black")))


def is_free(row: Any) -> bool:
    return bool(row["turn"] == "placement" and not row["only"])


def missed(row: Any) -> float | None:
    if pd.isna(row["forced"]) or row["forced"] < 3 or not (row["kept"] is True or row["missed"] is True):
        return None
    return float(row["missed"] is True)


VALUES: dict[str, Callable[[Any], float | None]] = {
    "points": points,
    "captures": captures,
    "length": lambda row: None if row["ending"] is None or pd.isna(row["ending"]) else float(row["plies"]),
    "accuracy": lambda row: row[f"accuracy{row['mover']}"],
    "missed": missed,
    "blunders": lambda row: float(not pd.isna(row["blunder"])) if is_free(row) else None,
    "sacrifices": lambda row: float(row["sacrifice"]) if is_free(row) else None,
}
OF_MOVES = ("missed", "blunders", "sacrifices")
ANALYSED = ("accuracy", "missed", "blunders")


def band(rating: float | None) -> str | None:
    if rating is None or pd.isna(rating):
        return None
    low = max((bound for bound in RATING_BOUNDS if rating >= bound), default=None)
    high = min((bound for bound in RATING_BOUNDS if rating < bound), default=None)
    return f"<{high}" if low is None else f">={low}" if high is None else f"{low}-{high - 1}"


def ending(row: Any) -> str | None:
    sets = row["winning_sets"]
    if not pd.isna(sets):
        return "several" if "+" in sets else str(sets)
    return None if pd.isna(row["ending"]) else str(row["ending"])


def opening(row: Any) -> str | None:
    if row["board"] not in WHOLE_BOARDS or not pd.isna(row["start"]) or not row["movetext"]:
        return None
    first = row["movetext"].split()[0]
    start = Position.start(row["board"], row["rule_set"])
    return opening_name(start, start.move(first))


def kinds(row: Any) -> str | None:
    both = [row["kind"], row["other_kind"]]
    return None if any(pd.isna(one) for one in both) else "-".join(sorted(both, reverse=True))


GROUPS: dict[str, Callable[[Any], Any]] = {
    "side": lambda row: ("first", "second")[row["mover"] - 1],
    "board": lambda row: row["board"],
    "rules": lambda row: row["rule_set"],
    "year": lambda row: None if pd.isna(row["date_from"]) else row["date_from"].year,
    "hour": lambda row: None if pd.isna(row["time"]) else row["time"][:2],
    "opening": opening,
    "ending": ending,
    "kind": kinds,
    "phase": lambda row: f"{2 * PHASE}+" if row["ply"] >= 2 * PHASE else "0-9" if row["ply"] < PHASE else "10-19",
}


def valued(database: Database, metric: str) -> pd.DataFrame:
    """All rows that a metric counts, with `value` and `id`."""
    found = sides(database)
    if metric in ANALYSED:
        analysed = (
            database.connection()
            .execute("SELECT game AS id, accuracy1, accuracy2 FROM _analysis WHERE skipped IS NULL")
            .df()
        )
        found = found.merge(analysed, on="id")
    if metric in OF_MOVES:
        found = moves(database, found).astype({"kept": object, "missed": object})
    found["value"] = [VALUES[metric](row) for row in found.to_dict("records")]
    return found[found["value"].notna()]


def means(rows: pd.DataFrame, group: Callable[[Any], Any]) -> dict[Any, tuple[int, int, float | None]]:
    """By group: games, values, and their mean unless the games are too few."""
    keys = [group(row) for row in rows.to_dict("records")]
    found = {}
    for key in set(keys):
        of_key = rows[[one == key for one in keys]]
        games = of_key["id"].nunique()
        found[key] = games, len(of_key), of_key["value"].mean() if games >= ENOUGH else None
    return found
