"""Read positions with their results, to fit the win chance to them."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import numpy as np

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.sql_params import execute
from zertz_db.rules import kernel
from zertz_db.rules.board import standard_board
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.position_columns import STATE_COLUMNS, STATE_SQL
from zertz_db.tactics.win_chance.fit import Sample

_BOT = "(player{side} IN (SELECT a.name FROM _alias a JOIN _player p ON p.id = a.player WHERE a.status = 'accepted' AND p.kind = 'bot'))"


def read_samples(database: Database, filters: str = "") -> list[Sample]:
    """Return the positions of games that somebody won, on standard boards with automatic claims, by board and rule set.

    The final position of a game is none of them. Raises QueryError for an invalid filter.
    """
    where, values = condition(filters)
    connection = database.connection()
    bots = " + ".join(f"coalesce({_BOT.format(side=side)}, false)::TINYINT" for side in (1, 2))
    execute(
        connection,
        f"""
        CREATE OR REPLACE TEMP TABLE fitted AS SELECT id, board AS on_board, rule_set, tournament, plies, {bots} AS bots,
            date_diff('day', DATE '1900-01-01', coalesce(date_from, DATE '1900-01-01')) AS day
        FROM _game WHERE winner > 0 AND board <> 'custom' AND claims = 'automatic' AND ({where})
        """,
        values,
    )
    kinds = connection.execute("SELECT DISTINCT on_board, rule_set, tournament FROM fitted ORDER BY ALL").fetchall()
    return [_read(connection, *kind) for kind in kinds]


def _read(connection: duckdb.DuckDBPyConnection, board: str, rule_set: str, tournament: bool) -> Sample:
    found = connection.execute(
        f"""
        SELECT {STATE_COLUMNS}, side - 1 AS side, score, ply, plies - ply AS remaining, game, day, bots
        FROM _position JOIN fitted ON game = id
        WHERE on_board = ? AND rule_set = ? AND tournament = ? AND next_move IS NOT NULL AND score <> 0 ORDER BY game, ply
        """,
        [board, rule_set, tournament],
    )
    columns = found.fetchnumpy()
    states = np.zeros((len(columns["game"]), kernel.STATE_SIZE), np.int64)
    for place, name in enumerate((*STATE_SQL, "side")):
        states[:, place] = columns[name]
    return Sample(
        board=standard_board(board),
        rules=replace(RULE_SETS[rule_set], tournament=tournament),
        states=states,
        won=(np.asarray(columns["score"]) > 0).astype(np.float64),
        plies=np.asarray(columns["ply"], np.int64),
        left=np.asarray(columns["remaining"], np.int64),
        games=np.asarray(columns["game"], np.int64),
        dates=np.asarray(columns["day"], np.int64),
        bots=np.asarray(columns["bots"], np.int64),
    )
