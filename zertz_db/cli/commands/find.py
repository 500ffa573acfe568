"""`zertz find`: find positions and patterns in games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options, report_coverage
from zertz_db.cli.game_text import draw_position
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, SortRows, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.tables import Form, choose_form, print_json, print_result, write_result
from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.plurals import format_count
from zertz_db.queries.filters.trees import required_value
from zertz_db.queries.games.one_game import course
from zertz_db.queries.openings.line import after
from zertz_db.queries.result import Result, sort_rows
from zertz_db.queries.search.matches import Found
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.positions import as_position
from zertz_db.queries.search.refinement import PATTERN, SAME, Search, find_within
from zertz_db.queries.search.sequences import find_sequence
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

_MAX_MOVES = 10
"""Maximum number of continuations on a terminal."""


class Mode(StrEnum):
    """Ways to match positions and patterns."""

    exact = "exact"
    symmetry = "symmetry"
    shape = "shape"
    reachable = "reachable"
    pattern = "pattern"


class Table(StrEnum):
    """Tables of a search result."""

    hits = "hits"
    next = "next"
    years = "years"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("find")(find_matches)


@add_filter_options
def find_matches(
    *,
    filters: str,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[POSITION|PATTERN]", help="Position string, or pattern: 'W . o / ? B'.", show_default=False
        ),
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option("--moves", metavar="TEXT", help="Find the position after these moves: 'Wd4,d1 Bd3,a1'."),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="Use a position of this game: see --ply.")
    ] = None,
    ply: Annotated[
        int | None, typer.Option("--ply", min=0, help="Number of plies before the position of --game (default: all).")
    ] = None,
    mode: Annotated[
        Mode | None,
        typer.Option("--mode", help="How to match: see above (default for positions: symmetry)."),
    ] = None,
    then: Annotated[
        str | None,
        typer.Option("--then", metavar="POSITION|PATTERN", help="Find it only if this follows later in the game."),
    ] = None,
    within: Annotated[
        int | None, typer.Option("--within", min=1, metavar="N", help="Maximum number of plies until --then follows.")
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", metavar="SEARCH", help="Only games that this search finds too; can be repeated."),
    ] = None,
    pool: Annotated[bool, typer.Option("--pool", help="Require the same pool.")] = False,
    captures: Annotated[bool, typer.Option("--captures", help="Require the same captures of both players.")] = False,
    side: Annotated[bool, typer.Option("--side", help="Require the same side to move.")] = False,
    every: Annotated[bool, typer.Option("--all", help="All matches of a game, not only the first.")] = False,
    table: Annotated[
        Table | None, typer.Option("--table", help="Print one table: hits, next (continuations) or years.")
    ] = None,
    sort: SortRows = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Maximum number of hits (0: no limit).")] = 20,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Find a position or a pattern in the games, with the continuations and their results.

    --mode is how a position matches: exact (unchanged), symmetry (also turned or mirrored), shape (also anywhere on any board: only the
    remaining rings count), reachable (positions that may have come from it). Moves are shown as if played on the board of your position.
    Without --pool, --captures and --side only rings and marbles count.

    A pattern is rows of cells: W G B marbles, o a vacant ring, . no ring (or beyond the edge), * any marble, # any ring, ? anything,
    !W all but white, [Wo] white or vacant. A row begins half a cell to the right of the row above, or with < half a cell to the left.
    A pattern matches anywhere and in any orientation; in moves (0,0) is its first cell, (1,0) the next to the right, (0,1) the next
    below to the right. Named rings match in place: d4:W e4:o; the word turned adds symmetry. Limits follow: rings<20 pool.white=0 side=1.
    forced>=3 is a position with a forced win that zertz analyse found; the word sacrifice requires that the next move leaves the opponent
    a capture.

    --then finds sequences: a position or a pattern, and after at most --within plies another one, which may lie in another orientation.

    --also searches within the games of another search: its mode, with .pool, .captures, .side for what must be equal, then what to find:
    --also 'pattern W o', --also 'exact.side POSITION'.

    Examples:  zertz find 'W * o'  ·  zertz find 'W o / < o B o / . .' --board 48  ·  zertz find 'd4:W rings<=20 pool.white=0' --all
    ·  zertz find --moves 'Wd4,d1 Bd3,a1' --player ada  ·  zertz find --game 3T7K --ply 20 --mode shape --table next --csv
    ·  zertz find sacrifice --then 'forced>=3' --within 4
    """
    form = choose_form(as_json, as_csv, parquet)
    most = limit or None
    wanted = None if sort else most  # the first of all hits
    if form is Form.json and table is not None:
        raise Stop("--json has all tables: omit --table")
    with open_for_query(folder) as database:
        target = _parse_target(
            database, filters, what and decode_argument(what), moves and decode_argument(moves), game, ply, mode,
            is_sequence=then is not None,
        )  # fmt: skip
        if then is not None:
            if also:
                raise Stop("--also and --then can't be combined; choose one")
            _refuse_options(pool or captures or side)
            later = decode_argument(then)
            found = find_sequence(
                database, target, later, within, filters, mode=_position_mode(mode), every=every, limit=wanted
            )
        elif within is not None:
            raise Stop("--within belongs to --then")
        else:
            searches = [decode_argument(text) for text in also or ()]
            same = (pool, captures, side)
            found = _search(database, target, what, mode, searches, filters, same, every, wanted)
        report_coverage(database, filters, is_needed="forced" in f"{what} {then} {also}")
    hits = sort_rows(found.hits, sort)
    found = replace(found, hits=Result(hits.columns, hits.rows[:most]))
    if form is Form.json:
        print_json(found.as_json())
    elif form is Form.text and table is None:
        _print(found, target)
    else:
        write_result(_tables(found)[table or Table.hits], form, parquet, force)
    listed, matches = len(found.hits.rows), found.plies if every else found.games
    if listed < matches and table in (None, Table.hits):
        typer.echo(f"{listed:,} of {format_count(matches, 'match', 'matches')}; --limit 0 lists all", err=True)


def _parse_target(
    database: Database,
    filters: str,
    what: str | None,
    moves: str | None,
    game: str | None,
    ply: int | None,
    mode: Mode | None,
    *,
    is_sequence: bool,
) -> Position | Pattern:
    """Return the position or the pattern to find; the mode of a sequence is about its positions. Raise Stop or QueryError."""
    if sum(one is not None for one in (what, moves, game)) != 1:
        raise Stop("give one thing to find: a position string, a pattern, --moves, or --game with --ply")
    if ply is not None and game is None:
        raise Stop("--ply belongs to --game")
    is_pattern = mode is Mode.pattern or (
        (mode is None or is_sequence) and what is not None and board_named(what.strip().partition(" ")[0]) is None
    )
    if what is not None and is_pattern:
        return parse_pattern(what)
    if is_pattern:
        raise Stop("--mode pattern needs a pattern as the argument; --moves and --game give a position")
    if game is not None:
        return course(database, game).position(ply)
    if moves is not None:
        return _play_moves(moves, filters)

    return as_position(what or "")


def _play_moves(moves: str, filters: str) -> Position:
    """Return the position after moves from the empty board that the filters name."""
    board, rules = required_value(filters, "board"), required_value(filters, "rules")
    if board and board_named(board) == "custom":
        raise Stop("moves need a described board, and 'custom' is not: give the position as a string")
    return after(Position.start(board or "37", rules or "standard"), moves)


def _position_mode(mode: Mode | None) -> str:
    """Return how positions of a sequence match; its patterns match as patterns."""
    return Mode.symmetry if mode in (None, Mode.pattern) else str(mode)


def _refuse_options(is_given: bool) -> None:
    if is_given:
        raise Stop("--pool, --captures and --side are for a single position: omit them, or omit --then")


def _search(
    database: Database,
    target: Position | Pattern,
    what: str | None,
    mode: Mode | None,
    searches: list[str],
    filters: str,
    same: tuple[bool, bool, bool],
    every: bool,
    limit: int | None,
) -> Found:
    if any(same) and (isinstance(target, Pattern) or mode is Mode.reachable):
        raise Stop(
            "--pool, --captures and --side are for positions; in a pattern use limits, for example pool.white=2 or side=1"
        )
    if isinstance(target, Pattern):
        search = Search(decode_argument(what or ""), PATTERN)
    else:
        names = tuple(name for name, is_same in zip(SAME, same, strict=True) if is_same)
        search = Search(target.text, mode or "symmetry", names)
    return find_within(database, [*searches, str(search)], filters, every=every, limit=limit)


def _tables(found: Found) -> dict[Table, Result]:
    return {Table.hits: found.hits, Table.next: found.continuations, Table.years: found.years}


def _print(found: Found, target: Position | Pattern) -> None:
    for line in draw_position(target) if isinstance(target, Position) else draw_pattern(target):
        typer.echo(line)
    matches = f" ({found.plies:,} times)" if found.plies > found.games else ""
    typer.echo(f"\nin {format_count(found.games, 'game')}{matches}")
    if found.first is None:
        return
    first = found.first
    players = " against ".join(str(first[name] or "an unknown player") for name in ("player1", "player2"))
    typer.echo(f"first played {first['date'] or 'without a date'}: {players}, game {first['id']}, ply {first['ply']}")
    typer.echo("\nContinuations, and results of the player who moved:")
    print_result(Result(found.continuations.columns, found.continuations.rows[:_MAX_MOVES]))
    if len(found.continuations.rows) > _MAX_MOVES:
        typer.echo(f"… {len(found.continuations.rows) - _MAX_MOVES:,} more; --table next lists all")
    typer.echo("")
    print_result(found.hits)


def draw_pattern(pattern: Pattern) -> Iterator[str]:
    """Yield the lines that draw a pattern: its cells, then its limits."""
    if pattern.is_named:
        yield "  " + "  ".join(f"{ring}:{sign}" for ring, sign in pattern.cells.items()) + "  turned" * pattern.turned
    else:
        yield from _rows(pattern)
    limits = [*map(str, pattern.limits), *([f"board {pattern.board}"] if pattern.board else [])]
    if limits:
        yield "  " + ", ".join(limits)


def _rows(pattern: Pattern) -> Iterator[str]:
    step = max((len(sign) for sign in pattern.cells.values()), default=1) // 2 + 1
    cells = [(cell, sign) for cell, sign in pattern.cells.items() if not isinstance(cell, str)]
    rows: dict[int, list[tuple[int, str]]] = {}
    for (q, r), sign in cells:
        rows.setdefault(r, []).append((step * (2 * q + r), sign))
    left = min((x for row in rows.values() for x, _ in row), default=0)
    for _, row in sorted(rows.items()):
        line = ""
        for x, sign in sorted(row):
            line = line.ljust(x - left) + sign
        yield f"  {line}"
