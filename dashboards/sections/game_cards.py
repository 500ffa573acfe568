"""Build cards of games and of positions in games: small boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zertz_db.dashboards.components.gallery import Card
from zertz_db.dashboards.state.markdown_text import close_directions
from zertz_db.parser.vocabulary.terms import GameResult
from zertz_db.queries.games.thumbnails import list_thumbnails
from zertz_db.store.folder.database import Database


def build_cards(database: Database, rows: Iterable[Mapping[str, Any]]) -> list[Card]:
    """Return a card for each row: its game's position after `ply` plies, or at the end if the row has no ply.

    rows: id, player1, player2, date, result, board, and optionally ply and cells (rings to mark). Games that were reverted meanwhile
    are left out.
    """
    row_by_place = {(row["id"], row.get("ply")): row for row in rows}
    thumbnails = {(one.game, one.ply): one for one in list_thumbnails(database, list(row_by_place))}
    ends = {game: one for (game, _), one in thumbnails.items()}
    cards = []
    for (game, ply), row in row_by_place.items():
        thumbnail = ends.get(game) if ply is None else thumbnails.get((game, ply))
        if thumbnail is None:
            continue
        lines = [
            " · ".join(
                str(part)
                for part in (row["date"], row["result"] or GameResult.UNKNOWN, f"board {row['board']}")
                if part
            )
        ]
        if ply is not None:
            lines.append(f"after ply {ply}: {thumbnail.next or 'the end'}")
        cards.append(
            Card(
                position=thumbnail.position,
                title=f"{close_directions(row['player1'] or '?')} – {close_directions(row['player2'] or '?')}",
                lines=lines,
                move=thumbnail.move,
                rings=[ring for ring in (row.get("cells") or "").split() if ring != "-"],
                query={"id": game, "ply": str(thumbnail.ply)},
            )
        )
    return cards
