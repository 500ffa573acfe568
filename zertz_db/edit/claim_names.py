"""Aliases in `people.jsonl`: state that two names are one player or are not, and undo that."""

from __future__ import annotations

from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.store.annotations import people_file
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.annotations.player_rows import kind_of
from zertz_db.store.backend import annotate
from zertz_db.store.names import fold_name
from zertz_db.store.open_database import open_database


class InvalidAlias(UserMistake):
    """An alias of these names is impossible or pointless."""


def set_alias(folder: str | Path, name: str, player: str, verdict: str, evidence: str = "") -> NameAlias:
    """State that two names are one player (verdict "accepted"; `player` is shown for both), or are not ("rejected"), or undo what was
    stated ("undone"). Return the entry.

    Readers see it at once. Raise InvalidAlias, NoDatabase or LockHeld.
    """
    with open_database(folder) as database:
        spellings = dict(database.connection().execute("SELECT folded, max(name) FROM _alias GROUP BY ALL").fetchall())
    alias = NameAlias(
        _find_known_name(spellings, name), _find_known_name(spellings, player), verdict, evidence, people_file.today()
    )
    if len(alias.pair) < 2:
        raise InvalidAlias(
            f"{name} and {player} differ only in case, spaces or the form of accents: they are one player already."
        )

    def write(annotations_dir: Path) -> NameAlias:
        now = {one.pair: one for one in people_file.read_aliases(annotations_dir)}
        before = now.get(alias.pair)
        if verdict == "undone" and before is None:
            raise InvalidAlias(f"{alias.name} and {alias.player} have no alias; all aliases: zertz players --claims")
        if before is not None and before[:3] == alias[:3]:
            return before
        people_file.append_aliases(annotations_dir, [alias])
        return alias

    return annotate(folder, write)


def _find_known_name(spellings: dict[str, str], name: str) -> str:
    folded = fold_name(name)
    if folded not in spellings:
        raise InvalidAlias(f"No game has a player called {name}. All players: zertz players")
    if kind_of(folded) == "guest":
        raise InvalidAlias(f"{name} is a guest name, which many people share.")
    return spellings[folded]
