"""Plies of games in columns of `_game`: clocks, and a letter for each ply. The view `_ply` computes a row for each ply from them.

A row for each ply would take three times the space, and a tenth of an import's time. The view is lazy: DuckDB splits the text of moves
only for queries that read the notation, and only for the games that a condition on `game` selects. A join selects no games: for the
plies of few games use `plies_of`.
"""

from __future__ import annotations

from zertz_db.parser.vocabulary.terms import MoveKind

COLUMNS = ("ply_letters", "ply_clocks")
"""The columns of `_game` that only the view reads."""
KINDS = tuple(str(kind) for kind in MoveKind)
FLAGS = ("mover", "forced", "sacrifice", "claim")
"""The lowest bits of a letter's number, from the first on; those of the kind follow. mover: player 2."""
KIND_SHIFT = len(FLAGS)
FIRST_LETTER = ord("@")
"""The letter of a placement of player 1 with no flag; its lowest bits are 0."""
LETTERS_MEANING = (
    "a letter for each ply: its code is 64, plus 1 for player 2, 2 if no other move was legal, 4 if the opponent had to capture after it, "
    "8 if it claimed a group, and 16 for a capture or 32 for a pass"
)

NOTATIONS = r"""string_split(
                regexp_replace(replace(replace(movetext, ' ', '_'), 'x_', 'x '), '_x ([WGB])', ' x \1', 'g'), '_'
            )"""
"""SQL that splits a game's `movetext`: at each space except those behind an x, and before the x of a claim. An empty text has one part."""


def plies_sql(game: str = "id", games: str = "_game") -> str:
    """Return SQL of the plies of some games: the columns of `_ply`.

    game: SQL of the column `game`, over rows of `_game`. games: `_game`, or SQL of some of its rows.
    The lists are made in a query of their own, or DuckDB would make them for each ply.
    """
    kinds = " ".join(f"WHEN {number} THEN '{kind}'" for number, kind in enumerate(KINDS))
    return f"""
    SELECT game, ply::INTEGER AS ply, (1 + {_flag("mover")})::UTINYINT AS mover,
        CASE (letter >> {KIND_SHIFT}) & 3 {kinds} END AS kind, notations[ply + 1] AS notation, clocks[ply + 1] AS clock,
        {_flag("forced")} = 1 AS forced, {_flag("claim")} = 1 AS claim, {_flag("sacrifice")} = 1 AS sacrifice
    FROM (
        SELECT game, ply, notations, clocks, ascii(letters[ply + 1]) AS letter FROM (
            SELECT *, unnest(range(plies)) AS ply FROM (
                SELECT {game} AS game, plies, {NOTATIONS} AS notations, ply_clocks AS clocks, string_split(ply_letters, '') AS letters
                FROM {games}
            )
        )
    )
    """


def _flag(name: str) -> str:
    return f"((letter >> {FLAGS.index(name)}) & 1)"


def plies_of(games: str) -> str:
    """Return SQL of the plies of games. games: SQL of their ids, in parentheses."""
    return f"({plies_sql(games=f'(FROM _game WHERE id IN {games})')})"
