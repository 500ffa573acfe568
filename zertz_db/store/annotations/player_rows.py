"""Players: one for each name in its normal form (`names`), and for all of its accepted aliases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import duckdb

from zertz_db.store.annotations.game_merges import ends
from zertz_db.store.annotations.people_file import NameAlias, StatedKind
from zertz_db.store.ids import id_of
from zertz_db.store.names import fold_name, tidy_name

_NAMES = """
    SELECT name, count(*) FROM (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game)
    WHERE name IS NOT NULL GROUP BY name
"""


Rows = list[tuple[object, ...]]
NO_KINDS: Mapping[str, StatedKind] = {}


def rows(
    connection: duckdb.DuckDBPyConnection, claims: Iterable[NameAlias], kinds: Mapping[str, StatedKind] = NO_KINDS
) -> tuple[Rows, Rows]:
    """Return the rows of the tables of players and of aliases, from the names in the games, accepted aliases and stated kinds.

    A player is shown as most of his games spell the name; merged names are shown as the alias's player. The kind of a player is the one
    stated about the shown name, or about the first of his other names that has one, or the one that the shown name suggests.
    """
    times = dict(connection.execute(_NAMES).fetchall())
    accepted = [claim for claim in claims if claim.verdict == "accepted"]
    heads, evidence = standing_for(accepted, kinds), _evidence(accepted)
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
        stated = next((one for one in (head, *sorted(map(fold_name, names))) if one in kinds), head)
        players.append((player, shown, kind_of(stated, kinds)))
        for name in names:
            folded = fold_name(name)
            is_own = folded == fold_name(shown)
            why = (None if name == shown else f"the same letters as {shown}") if is_own else evidence[folded]
            aliases.append((name, player, "case" if is_own else "file", why, "accepted", folded))
    return players, aliases


def standing_for(claims: Iterable[NameAlias], kinds: Mapping[str, StatedKind] = NO_KINDS) -> dict[str, str]:
    """Return the name that represents each aliased name, both in normal form.

    Ignore aliases of guests: many people share such a name.
    """
    named = ((fold_name(claim.name), fold_name(claim.player)) for claim in claims)
    return ends(pair for pair in named if "guest" not in (kind_of(one, kinds) for one in pair))


_GUEST = re.compile(r"(?:guest|anonymous).*|gast\d*")
"""Names that servers give to unnamed players."""


def kind_of(folded_name: str, kinds: Mapping[str, StatedKind] = NO_KINDS) -> str:
    """Return the kind of player that is stated about a name (in normal form), or that the name suggests.

    `guest` is shared by many people, names of programs end in bot.
    """
    if folded_name in kinds:
        return kinds[folded_name].kind
    if _GUEST.fullmatch(folded_name):
        return "guest"
    return "bot" if folded_name.endswith("bot") else "human"


def _evidence(claims: Sequence[NameAlias]) -> dict[str, str]:
    """Return the evidence of the aliases, by either name."""
    evidence: dict[str, str] = {}
    for claim in claims:
        for name in (claim.name, claim.player):
            evidence.setdefault(fold_name(name), claim.evidence)
    return evidence
