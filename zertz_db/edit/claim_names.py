"""Claims that two names are one player's, or that they are not: said in `people.toml`, and taken back there."""

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
    """What can't be said of these names, or has no sense."""


def set_alias(folder: str | Path, name: str, player: str, verdict: str, evidence: str = "") -> NameAlias:
    """Say that two names are one player's (verdict "accepted"; `player` stands for both), that they are not ("rejected"), or take
    back what was said of them ("undone").

    It counts at once for whoever reads the database. Raises ImpossibleClaim, NoDatabase, LockHeld.
    """
    with open_database(folder) as database:
        spelt = dict(database.connection().execute("SELECT folded, max(name) FROM _alias GROUP BY ALL").fetchall())
    said = NameAlias(
        _find_known_name(spelt, name), _find_known_name(spelt, player), verdict, evidence, people_file.today()
    )
    if len(said.pair) < 2:
        raise InvalidAlias(
            f"{name} and {player} differ only in case, blanks or the form of accents: they are one player as it is."
        )

    def say(words: Path) -> NameAlias:
        now = {claim.pair: claim for claim in people_file.read_aliases(words)}
        before = now.get(said.pair)
        if verdict == "undone" and before is None:
            raise InvalidAlias(f"Nothing was said of {said.name} and {said.player}; all claims: zertz players --claims")
        if before is not None and before[:3] == said[:3]:
            return before
        people_file.append_aliases(words, [said])
        return said

    return annotate(folder, say)


def _find_known_name(spelt: dict[str, str], name: str) -> str:
    folded = fold_name(name)
    if folded not in spelt:
        raise InvalidAlias(f"No game has a player called {name}. All players: zertz players")
    if kind_of(folded) == "guest":
        raise InvalidAlias(f"{name} is a seat for guests, nobody's own name.")
    return spelt[folded]
