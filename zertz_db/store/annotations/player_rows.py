"""The names in games as players: one for each name in its normal form (`names`), and for all names that are claimed to be his."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import duckdb

from zertz_db.store.annotations.game_merges import ends
from zertz_db.store.annotations.people_file import NameAlias
from zertz_db.store.ids import id_of
from zertz_db.store.names import fold_name, tidy_name

_NAMES = """
    SELECT name, count(*) FROM (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game)
    WHERE name IS NOT NULL GROUP BY name
"""


Rows = list[tuple[object, ...]]


def rows(connection: duckdb.DuckDBPyConnection, claims: Iterable[NameAlias]) -> tuple[Rows, Rows]:
    """The rows of the tables of players and of aliases, as they follow from the names in the games and from accepted claims.

    A player is shown as most of his games have it; where names are claimed to be one player's, as the name that stands for them is.
    """
    times = dict(connection.execute(_NAMES).fetchall())
    accepted = [claim for claim in claims if claim.verdict == "accepted"]
    heads, evidence = standing_for(accepted), _evidence(accepted)
    spellings: dict[str, list[str]] = defaultdict(list)
    for name in times:
        folded = fold_name(name)
        spellings[heads.get(folded, folded)].append(name)
    players: Rows = []
    aliases: Rows = []
    for head, names in spellings.items():
        player = id_of(head.encode())
        own = [name for name in names if fold_name(name) == head] or names
        shown = tidy_name(max(own, key=lambda name: (times[name], name)))
        players.append((player, shown, kind_of(head)))
        for name in names:
            folded = fold_name(name)
            is_own = folded == fold_name(shown)
            why = (None if name == shown else f"the same letters as {shown}") if is_own else evidence[folded]
            aliases.append((name, player, "case" if is_own else "file", why, "accepted", folded))
    return players, aliases


def standing_for(claims: Iterable[NameAlias]) -> dict[str, str]:
    """For each name that is claimed to be another's player the name that stands for him, both in normal form.

    Guests are nobody: claims about them count for nothing.
    """
    named = ((fold_name(claim.name), fold_name(claim.player)) for claim in claims)
    return ends(pair for pair in named if "guest" not in map(kind_of, pair))


_GUEST = re.compile(r"(?:guest|anonymous).*|gast\d*")
"""What servers call those who come without a name."""


def kind_of(folded_name: str) -> str:
    """What kind of player a name tells of: `guest` is nobody's own name, programs are called something with bot."""
    if _GUEST.fullmatch(folded_name):
        return "guest"
    return "bot" if folded_name.endswith("bot") else "human"


def _evidence(claims: Sequence[NameAlias]) -> dict[str, str]:
    """Why a name is claimed to be somebody's, by either name of the claim."""
    said: dict[str, str] = {}
    for claim in claims:
        for name in (claim.name, claim.player):
            said.setdefault(fold_name(name), claim.evidence)
    return said
