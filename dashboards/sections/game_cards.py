"""Games and places in games as small boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dashboards.components.gallery import Card
from dashboards.state.markdown_text import close_directions
from zertz_db.queries.games.thumbnails import list_thumbnails
from zertz_db.store.folder.database import Database


def build_cards(opened: Database, rows: Iterable[Mapping[str, Any]]) -> list[Card]:
    """A card for each row: its game's position after `ply` plies, at the end where it has none.

    rows: id, player1, player2, date, result, board, and perhaps ply and cells (rings to mark). Games that were taken back meanwhile
    are left out.
    """
    wanted = {(row["id"], row.get("ply")): row for row in rows}
    found = {(one.game, one.ply): one for one in list_thumbnails(opened, list(wanted))}
    ends = {game: one for (game, _), one in found.items()}
    made = []
    for (game, ply), row in wanted.items():
        glimpse = ends.get(game) if ply is None else found.get((game, ply))
        if glimpse is None:
            continue
        lines = [" · ".join(str(part) for part in (row["date"], row["result"] or "*", f"board {row['board']}") if part)]
        if ply is not None:
            lines.append(f"after ply {ply}: {glimpse.next or 'the end'}")
        made.append(
            Card(
                position=glimpse.position,
                title=f"{close_directions(row['player1'] or '?')} – {close_directions(row['player2'] or '?')}",
                lines=lines,
                move=glimpse.move,
                rings=[ring for ring in (row.get("cells") or "").split() if ring != "-"],
                query={"id": game, "ply": str(glimpse.ply)},
            )
        )
    return made
