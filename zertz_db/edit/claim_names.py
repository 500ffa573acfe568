"""Aliases and kinds in `people.jsonl`: state that two names are one player or are not, or what kind of player a name is; undo that."""

from __future__ import annotations

from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.queries.filters.close_texts import close_to
from zertz_db.store.annotations import people_file
from zertz_db.store.annotations.people_file import KINDS, UNKNOWN_KIND, NameAlias, NameKind
from zertz_db.store.annotations.player_rows import kind_of
from zertz_db.store.backend import annotate
from zertz_db.store.names import fold_name
from zertz_db.store.open_database import open_database


class InvalidAlias(UserMistake):
    """An alias of these names is impossible or pointless."""


def set_alias(folder: str | Path, name: str, player: str, verdict: str, evidence: str = "") -> NameAlias:
    """State that two names are one player (verdict "accepted"; `player` is shown for both), or are not ("rejected"), put the decision
    off ("later"), or undo what was stated ("undone"). Return the entry.

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


def set_kind(folder: str | Path, name: str, kind: str, evidence: str = "") -> NameKind:
    """State that a name is a human, a bot or a guest, whatever the name and its records suggest; "unknown" undoes that. Return the entry.

    Readers see it at once. Raise InvalidAlias, NoDatabase or LockHeld.
    """
    if kind not in (*KINDS, UNKNOWN_KIND):
        raise InvalidAlias(f"There is no kind {kind!r}; valid: {', '.join((*KINDS, UNKNOWN_KIND))}")
    with open_database(folder) as database:
        rows = database.connection().execute("SELECT folded, max(name) FROM _alias GROUP BY ALL").fetchall()
    stated = NameKind(_find_spelling(dict(rows), name), kind, evidence, people_file.today())

    def write(annotations_dir: Path) -> NameKind:
        now = {fold_name(one.name): one for one in people_file.read_kinds(annotations_dir)}
        before = now.get(fold_name(stated.name))
        if before is None and kind == UNKNOWN_KIND:
            raise InvalidAlias(f"No kind is stated for {stated.name}; all: zertz players --claims")
        if before is not None and before[:3] == stated[:3]:
            return before
        people_file.append_kinds(annotations_dir, [stated])
        return stated

    return annotate(folder, write)


def _find_known_name(spellings: dict[str, str], name: str) -> str:
    if kind_of(fold_name(name)) == "guest":
        _find_spelling(spellings, name)
        raise InvalidAlias(f"{name} is a guest name, which many people share.")
    return _find_spelling(spellings, name)


def _find_spelling(spellings: dict[str, str], name: str) -> str:
    folded = fold_name(name)
    if folded not in spellings:
        close = close_to(name, [*spellings.values()])
        hint = f"Did you mean {close[0]}?" if close else "All players: zertz players"
        raise InvalidAlias(f"No game has a player called {name}. {hint}")
    return spellings[folded]
