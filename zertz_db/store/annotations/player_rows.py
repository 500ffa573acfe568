"""Players: one for each name in its normal form (`names`), and for all of its accepted aliases.

The kind of a player is what a user states, or else what a record states in a tag, or else what the name suggests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import duckdb

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.store.annotations.game_merges import ends
from zertz_db.store.annotations.people_file import NameAlias, NameKind
from zertz_db.store.ids import id_of
from zertz_db.store.names import fold_name, tidy_name

_NAMES = """
    SELECT name, count(*) FROM (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game)
    WHERE name IS NOT NULL GROUP BY name
"""


Rows = list[tuple[object, ...]]


def rows(
    connection: duckdb.DuckDBPyConnection, claims: Iterable[NameAlias], kinds: Iterable[NameKind] = ()
) -> tuple[Rows, Rows]:
    """Return the rows of the tables of players and of aliases, from the names in the games, accepted aliases and stated kinds.

    A player is shown as most of his games spell the name; merged names are shown as the alias's player.
    """
    times = dict(connection.execute(_NAMES).fetchall())
    accepted = [claim for claim in claims if claim.verdict == "accepted"]
    heads, evidence = standing_for(accepted), _evidence(accepted)
    recorded = _recorded_kinds(connection)
    stated = {fold_name(one.name): one.kind for one in kinds}
    folds = {name: fold_name(name) for name in times}
    spellings: dict[str, list[str]] = defaultdict(list)
    for name, folded in folds.items():
        spellings[heads.get(folded, folded)].append(name)
    players: Rows = []
    aliases: Rows = []
    for head, names in spellings.items():
        player = id_of(head.encode())
        own = [name for name in names if folds[name] == head] or names
        shown = tidy_name(max(own, key=lambda name: (times[name], name)) if len(own) > 1 else own[0])
        folded_names = dict.fromkeys((head, *(folds[name] for name in names)))
        claimed = (found[name] for found in (stated, recorded) for name in folded_names if name in found)
        players.append((player, shown, next(claimed, None) or kind_of(head)))
        folded_shown = folds.get(shown) or fold_name(shown)
        for name in names:
            folded = folds[name]
            is_own = folded == folded_shown
            why = (None if name == shown else f"the same letters as {shown}") if is_own else evidence[folded]
            aliases.append((name, player, "case" if is_own else "file", why, "accepted", folded))
    return players, aliases


def standing_for(claims: Iterable[NameAlias]) -> dict[str, str]:
    """Return the name that represents each aliased name, both in normal form.

    Ignore aliases of guests: many people share such a name.
    """
    named = ((fold_name(claim.name), fold_name(claim.player)) for claim in claims)
    return ends(pair for pair in named if "guest" not in map(kind_of, pair))


_TAGS = " UNION ALL ".join(
    f"SELECT record, name, value FROM _tag WHERE name = '{name}'"
    for name in ("Player1Type", "Player2Type", "WhiteType", "BlackType")
)
"""Rows of these tags. DuckDB compares a column with one value several times as fast as with a list of them."""
_TYPES = f"""
    SELECT name, value FROM (
        SELECT CASE WHEN t.name IN ('Player1Type', 'WhiteType') THEN player1 ELSE player2 END AS name, lower(trim(value)) AS value
        FROM ({_TAGS}) t
        JOIN _game g ON g.record = t.record
    ) WHERE name IS NOT NULL GROUP BY ALL ORDER BY ALL
"""
"""Names with the values of the tags that state what their players are; `WhiteType` and `BlackType` are those of PGN."""
_BOT_WORDS = {"bot", "program", "computer", "engine", "ai", "software"}


def _recorded_kinds(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the kinds that records state in tags, by names in normal form; one record that states a bot is enough."""
    found: dict[str, str] = {}
    if not connection.execute(f"SELECT count(*) FROM ({_TAGS})").fetchall()[0][0]:
        return found  # DuckDB would read all games to join them with no tag
    for name, value in connection.execute(_TYPES).fetchall():
        if value in _BOT_WORDS:
            found[fold_name(name)] = "bot"
        elif value == "human":
            found.setdefault(fold_name(name), "human")
    return found


_GUEST = compile_on_use(r"(?:guest|anonymous).*|gast\d*")
"""Names that servers give to unnamed players."""


_BOT = compile_on_use(r".*bot|(?:random|greedy)-\d+")
"""Names of programs: those that end in bot, and the players of `zertz generate`."""


def kind_of(folded_name: str) -> str:
    """Return the kind of player that a name suggests: `guest` is shared by many people, names of programs end in bot."""
    if _GUEST.fullmatch(folded_name):
        return "guest"
    return "bot" if _BOT.fullmatch(folded_name) else "human"


def _evidence(claims: Sequence[NameAlias]) -> dict[str, str]:
    """Return the evidence of the aliases, by either name."""
    evidence: dict[str, str] = {}
    for claim in claims:
        for name in (claim.name, claim.player):
            evidence.setdefault(fold_name(name), claim.evidence)
    return evidence
