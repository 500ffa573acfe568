"""`zertz players`: list players, profiles and aliases."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from zertz_db.cli.completion import complete_values
from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    DEFAULT_SECONDS,
    TEXT_COLUMNS,
    Csv,
    DatabaseFolder,
    Json,
    Limit,
    Parquet,
    SortRows,
    WaitOption,
    build_wait,
    open_for_query,
)
from zertz_db.cli.progress import show_progress
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.share_bars import to_percent
from zertz_db.cli.tables import (
    Form,
    choose_form,
    print_json,
    print_result,
    select_columns,
    write_result,
    write_rows,
)
from zertz_db.edit.claim_names import set_alias, set_kind
from zertz_db.maintain.anonymise import anonymise_player
from zertz_db.plurals import format_count
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.players.head_to_head import HeadToHead, compare_players
from zertz_db.queries.players.identity.proposals import evidence, propose_names
from zertz_db.queries.players.player_list import list_aliases, list_players
from zertz_db.queries.players.player_rating import rank_ratings
from zertz_db.queries.players.profile import Profile, find_profile
from zertz_db.queries.preparation.preparation import prepare_against
from zertz_db.queries.result import Result, sort_rows
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

_MAX_ROWS = 10
"""Maximum number of rows of a profile's table on a terminal; --json, --csv and --parquet have all."""
PROPOSAL_COLUMNS = ("name", "player", "score", "grade", "precision", "evidence")
"""Columns of proposals on a terminal; --json, --csv and --parquet have all."""


_LEGEND = (
    "share: the points per game with a result, a tie is half a point; interval: the true share, with 95 % confidence"
)


class Table(StrEnum):
    """The tables of a profile, and of --prepare."""

    total = "total"
    results = "results"
    conditions = "conditions"
    first_moves = "first-moves"
    opponents = "opponents"
    years = "years"
    tactics = "tactics"
    replies = "replies"
    losses = "losses"
    leaving = "leaving"
    departures = "departures"
    missed = "missed"


_TITLES = {
    Table.tactics: "forced wins, proven blunders and accuracy in analysed games",
    Table.replies: "replies as second player",
    Table.losses: "how games were lost",
    Table.leaving: "when games leave known lines",
    Table.departures: "last known positions",
    Table.missed: "forced wins let go in analysed games, by length",
}


class Kind(StrEnum):
    """The kinds of players, and the word that reverts a statement."""

    human = "human"
    bot = "bot"
    guest = "guest"
    unknown = "unknown"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("players")(show_players)


@add_filter_options
def show_players(
    *,
    filters: str,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="Player whose profile to print.",
            show_default=False,
            autocompletion=complete_values("player"),
        ),
    ] = None,
    versus: Annotated[
        str | None, typer.Option("--vs", metavar="OTHER", help="Opponent: compare NAME with this player.")
    ] = None,
    prepare: Annotated[
        bool,
        typer.Option("--prepare", help="Print what to know before a game with NAME, instead of the profile."),
    ] = False,
    same: Annotated[
        str | None, typer.Option("--is", metavar="OTHER", help="Make NAME an alias of this player.")
    ] = None,
    different: Annotated[
        str | None, typer.Option("--is-not", metavar="OTHER", help="Record that NAME is not this player.")
    ] = None,
    undo: Annotated[
        str | None, typer.Option("--undo", metavar="OTHER", help="Undo --is or --is-not for NAME and this player.")
    ] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="State what kind of player NAME is; unknown undoes that.")
    ] = None,
    proposals: Annotated[
        bool, typer.Option("--proposals", help="List names that may be aliases, with score and evidence.")
    ] = False,
    claims: Annotated[bool, typer.Option("--claims", help="List aliases, rejected aliases and stated kinds.")] = False,
    anonymise: Annotated[
        str | None, typer.Option("--anonymise", metavar="NAME", help="Redact this name everywhere, for good.")
    ] = None,
    table: Annotated[
        Table, typer.Option("--table", help="Table of a profile for --csv and --parquet.")
    ] = Table.results,
    wait: WaitOption = DEFAULT_SECONDS,
    sort: SortRows = None,
    limit: Limit = 20,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List players; print a profile, or compare two players; manage aliases; or redact a name.

    A profile begins with the total, and the rating with its rank, by all games whatever the filter. It has results by board and side,
    endings, first moves, opponents and years, latest first, and forced wins kept and missed, proven blunders and accuracy in analysed
    games. Shares need 10 games; the interval has the true share with 95 % confidence. Many people share the name of a guest, so its
    statistics mean little.

    --prepare prints replies as second player, how games were lost, where games leave known lines (positions that three other games
    reached), and forced wins let go.

    Names that differ in case only are one player. For other names, --proposals lists candidates with a score and its measured precision.
    NAME --is OTHER and NAME --is-not OTHER decide, and --undo reverts a decision. Aliases are lines of people.jsonl in the database's
    folder, fit for version control. They count at once.

    Names that end in bot and the players of zertz generate are bots, and so are players whose record says so in the tag Player1Type or
    Player2Type (bot, program, computer or engine). NAME --kind bot states it for any other name.

    --anonymise replaces a name in games, records, tags, findings, aliases, marks, corrections and names of files, and removes earlier
    generations of the database. people.jsonl keeps a hash of the name, so that later imports redact it too. Ids of games stay. You can't
    undo this, and the imported files still have the name.

    Examples:  zertz players  ·  zertz players ada  ·  zertz players ada --vs ben --filter board:37  ·  zertz players ada --prepare
    ·  zertz players --proposals  ·  zertz players adah --is ada  ·  zertz players adah --undo ada
    ·  zertz players deepgrey --kind bot
    ·  zertz players --anonymise 'Ada Example'
    """
    name = name and decode_argument(name)
    verdicts = {"--is": (same, "accepted"), "--is-not": (different, "rejected"), "--undo": (undo, "undone")}
    decisions = {option: what for option, what in verdicts.items() if what[0] is not None}
    others = {"--vs": versus, "--kind": kind, "--prepare": prepare or None}
    _require_one([*decisions, *(option for option, value in others.items() if value is not None)], name)
    if anonymise is not None:
        _anonymise(folder, anonymise, wait)
        return
    if name is not None and (proposals or claims):
        raise Stop(f"{'--proposals' if proposals else '--claims'} lists all players; leave out {name!r}")
    if name is not None and decisions:
        [(other, verdict)] = decisions.values()
        _set_alias(folder, name, decode_argument(other or ""), verdict)
        return
    if name is not None and kind is not None:
        _set_kind(folder, name, kind)
        return
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        if name is not None:
            whole, tables, show = (
                _prepare(database, name, filters)
                if prepare
                else _describe_players(database, name, versus and decode_argument(versus), filters)
            )
            if as_json:
                print_json(whole)
            elif as_csv or parquet is not None:
                write_result(_choose_table(tables, table), form, parquet, force)
            else:
                show()
            return
        found, nothing = _list_players(database, proposals, claims, filters)
    if proposals and form is Form.text:
        found, sort = select_columns(sort_rows(found, sort), PROPOSAL_COLUMNS), None
    if found.rows or as_json or as_csv or parquet is not None:
        write_rows(found, limit, form, parquet, force, sort=sort)
        if form is Form.text and "share" in found.names:
            typer.echo(_LEGEND, err=True)
    else:
        typer.echo(nothing, err=True)


def _choose_table(tables: dict[Table, Result], table: Table) -> Result:
    """Return the table that --table names; by default the first."""
    if table not in tables and table is not Table.results:
        hint = (
            ""
            if Table.replies in tables
            else "; with --prepare it can be replies, losses, leaving, departures or missed"
        )
        raise Stop(f"--table {table} is not among {', '.join(tables)}{hint}")
    return tables.get(table, next(iter(tables.values())))


def _require_one(options: list[str], name: str | None) -> None:
    if len(options) > 1:
        raise Stop(f"{' and '.join(options)} can't be combined; choose one")
    if options and name is None:
        value = {"--kind": " KIND", "--prepare": ""}.get(options[0], " OTHER")
        raise Stop(f"{options[0]} needs a name before it: zertz players NAME {options[0]}{value}")


def _list_players(database: Database, proposals: bool, claims: bool, words: str) -> tuple[Result, str]:
    """Return a list, and the message if it is empty."""
    if proposals:
        return propose_names(database), "no aliases to propose"
    if claims:
        return list_aliases(database), "no aliases yet; candidates: zertz players --proposals"

    found = list_players(database, words)
    if found.rows:
        return found, ""
    return found, absence(database, words) if words else "no games with named players yet"


def _describe_players(
    database: Database, name: str, versus: str | None, words: str
) -> tuple[dict[str, object], dict[Table, Result], Callable[[], None]]:
    """Return a profile or a comparison: as an object, as tables, and a function that prints it."""
    if versus is not None:
        both = compare_players(database, name, versus, words)
        ratings = rank_ratings(database, (both.one.name, both.other.name))
        tables = {Table.results: both.results, Table.years: both.years, Table.total: both.total}
        whole = {**both.as_json(), "ratings": ratings.dicts()}
        return whole, tables, lambda: _print_head_to_head(both, ratings)

    one = find_profile(database, name, words)
    ratings = rank_ratings(database, (one.player.name,))
    tables = {
        Table.results: one.results,
        Table.conditions: one.conditions,
        Table.first_moves: one.first_moves,
        Table.opponents: one.opponents,
        Table.years: one.years,
        Table.tactics: one.tactics,
    }
    whole = {**one.as_json(), "rating": next(iter(ratings.dicts()), None)}
    return whole, {**tables, Table.total: one.total}, lambda: _print_profile(one, ratings, tables)


def _prepare(
    database: Database, name: str, words: str
) -> tuple[dict[str, object], dict[Table, Result], Callable[[], None]]:
    """Return the preparation for a player: as an object, as tables, and a function that prints it."""
    found = prepare_against(database, name, words)
    tables = {
        Table.replies: found.replies,
        Table.losses: found.losses,
        Table.leaving: found.leaving,
        Table.departures: found.departures,
        Table.missed: found.missed,
    }

    def show() -> None:
        typer.echo(f"{found.player.name}: preparation")
        for table, rows in tables.items():
            _print_table(_TITLES[table], rows)

    return found.as_json(), tables, show


def _print_profile(one: Profile, ratings: Result, tables: dict[Table, Result]) -> None:
    player = one.player
    others = [name for name in player.names if name != player.name]
    also = f", also {', '.join(others)}" if others else ""
    typer.echo(f"{player.name} ({player.kind}{also}): {_describe_total(one.total)}")
    if player.kind == "guest":
        typer.echo("many people share the name of a guest: these are not one player's games, and they are not rated")
    for row in ratings.dicts():
        typer.echo(_describe_rating(row))
    for table, found in tables.items():
        _print_table(_TITLES.get(table, table.replace("-", " ")), found)


def _print_head_to_head(both: HeadToHead, ratings: Result) -> None:
    typer.echo(f"{both.one.name} against {both.other.name}: {_describe_total(both.total)}")
    for row in sorted(ratings.dicts(), key=lambda row: row["name"] != both.one.name):
        typer.echo(f"{row['name']}: {_describe_rating(row)}")
    for title, found in (
        ("results", both.results),
        ("years", both.years),
        ("games", select_columns(both.games, TEXT_COLUMNS)),
    ):
        _print_table(title, found)


def _describe_total(total: Result) -> str:
    """Return the number of games and the score, such as `12 games, 7 won, 1 tied, 3 lost, 1 unknown; score 68.2%`."""
    [row] = total.dicts()
    known = [f"{row[name]:,} {word}" for name, word in (("wins", "won"), ("ties", "tied"), ("losses", "lost"))]
    unknown = row["games"] - row["wins"] - row["ties"] - row["losses"]
    parts = [format_count(row["games"], "game"), *known, *([f"{unknown:,} unknown"] if unknown > 0 else [])]
    share = "" if row["share"] is None else f"; score {to_percent(row['share'])}"
    return f"{', '.join(parts)}{share}"


def _describe_rating(row: dict[str, Any]) -> str:
    """Return a rating by all games as a sentence without its full stop. row: columns of `rank_ratings`."""
    return f"rating {row['rating']} ± {2 * row['deviation']}, rank {row['rank']:,} of {row['of']:,} {row['kind']}s"


def _print_table(title: str, found: Result) -> None:
    if not found.rows:
        return
    more = f", {_MAX_ROWS} of {len(found.rows):,}" if len(found.rows) > _MAX_ROWS else ""
    typer.echo(f"\n{title}{more}")
    print_result(Result(found.columns, found.rows[:_MAX_ROWS]))


def _set_alias(folder: Path, name: str, other: str, verdict: str) -> None:
    why = ""
    if verdict == "accepted":
        with open_database(folder) as database:
            why = evidence(database, name, other)
    alias = set_alias(folder, name, other, verdict, why)
    now = {"accepted": "is", "rejected": "is not", "undone": "may or may not be"}[verdict]
    typer.echo(f"{alias.name} {now} {alias.player}" + (f" ({alias.evidence})" if alias.evidence else ""))


def _set_kind(folder: Path, name: str, kind: Kind) -> None:
    stated = set_kind(folder, name, kind.value)
    said = "is of the kind that its name and its records suggest" if kind == Kind.unknown else f"is a {stated.kind}"
    typer.echo(f"{stated.name} {said}")


def _anonymise(folder: Path, name: str, wait: float) -> None:
    with show_progress("looking for the name", "records") as tick:
        done = anonymise_player(folder, name, tick, build_wait(wait))
    typer.echo(
        f"{', '.join(done.names)}: now {done.shown} in {format_count(done.games, 'game')} and {format_count(done.records, 'record')}"
    )
    if done.recorded_as:
        typer.echo(
            f"corrected games have {', '.join(done.recorded_as)} in their records: redact that too if it is the same person"
        )
