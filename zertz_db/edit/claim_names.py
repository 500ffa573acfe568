"""Aliases and kinds of players in `people.jsonl`: state that two names are one player or are not, state a kind, and undo that."""

from __future__ import annotations

from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.store.annotations import people_file
from zertz_db.store.annotations.people_file import NameAlias, StatedKind
from zertz_db.store.annotations.player_rows import kind_of
from zertz_db.store.backend import annotate
from zertz_db.store.folder.database import Database
from zertz_db.store.names import fold_name
from zertz_db.store.open_database import open_database


class InvalidAlias(UserMistake):
    """An alias of these names is impossible or pointless."""


class InvalidKind(UserMistake):
    """A player can't have this kind, or the name is of no player."""


def set_alias(folder: str | Path, name: str, player: str, verdict: str, evidence: str = "") -> NameAlias:
    """State that two names are one player (verdict "accepted"; `player` is shown for both), or are not ("rejected"), or undo what was
    stated ("undone"). Return the entry.

    Readers see it at once. Raise InvalidAlias, NoDatabase or LockHeld.
    """
    with open_database(folder) as database:
        spellings = _read_spellings(database)
        kinds = people_file.read_kinds(database.annotations_dir)
    name, player = (_find_known_name(spellings, one) for one in (name, player))
    for one in (name, player):
        if verdict != "undone" and kind_of(fold_name(one), kinds) == "guest":
            raise InvalidAlias(f"{one} is a guest name, which many people share.")
    alias = NameAlias(name, player, verdict, evidence, people_file.today())
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


def set_kind(folder: str | Path, name: str, kind: str) -> StatedKind:
    """State the kind of the player with a name: human, bot or guest; "detected" cancels that, so the name decides. Return the entry.

    Readers see it at once. Raise InvalidKind, NoDatabase or LockHeld.
    """
    if kind not in (*people_file.KINDS, people_file.DETECTED):
        raise InvalidKind(f"There is no kind {kind}. Kinds: {', '.join((*people_file.KINDS, people_file.DETECTED))}.")
    with open_database(folder) as database:
        spellings = _read_spellings(database)
    if fold_name(name) not in spellings:
        raise InvalidKind(f"No game has a player called {name}. All players: zertz players")
    entry = StatedKind(spellings[fold_name(name)], kind, people_file.today())

    def write(annotations_dir: Path) -> StatedKind:
        before = people_file.read_kinds(annotations_dir).get(fold_name(name))
        if kind != (before.kind if before else people_file.DETECTED):
            people_file.append_kinds(annotations_dir, [entry])
        return entry

    return annotate(folder, write)


def _read_spellings(database: Database) -> dict[str, str]:
    return dict(database.connection().execute("SELECT folded, max(name) FROM _alias GROUP BY ALL").fetchall())


def _find_known_name(spellings: dict[str, str], name: str) -> str:
    folded = fold_name(name)
    if folded not in spellings:
        raise InvalidAlias(f"No game has a player called {name}. All players: zertz players")
    return spellings[folded]
