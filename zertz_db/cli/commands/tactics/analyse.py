"""`zertz analyse`: search the stored games for forced wins."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from zertz_db.cli.errors import INTERRUPTED, NO_GAMES, Stop
from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    DEFAULT_SECONDS,
    DatabaseFolder,
    WaitOption,
    build_wait,
    open_for_query,
)
from zertz_db.cli.progress import show_progress
from zertz_db.maintain.analysis.analyse import SHORTEST_CHANCE, AnalysisTally, analyse_games
from zertz_db.maintain.analysis.game_search import Limits
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.suggestions import absence
from zertz_db.tactics.limits import LARGEST_DEPTH, LARGEST_NODES, SearchError

_DEFAULTS = Limits()
_LARGEST_JOBS = 256
_REASONS = {
    "written-claims": "claims are written, which can't be searched",
    "large-board": "the board has more than 63 rings",
    "large-pool": "too many marbles",
    "internal-error": "internal error in zertz, please report it",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyse")(analyse_database)


@add_filter_options
def analyse_database(
    *,
    filters: str,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=LARGEST_DEPTH, help="Maximum length of a win in plies, an odd number.")
    ] = _DEFAULTS.depth,
    nodes: Annotated[
        int,
        typer.Option(
            "--nodes", min=1, max=LARGEST_NODES, help="Maximum number of nodes (positions to examine) per position."
        ),
    ] = _DEFAULTS.nodes,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, max=_LARGEST_JOBS, help="Number of processes (default: one per core)."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Address of a Dask cluster to use: tcp://HOST:PORT, or local:N."
        ),
    ] = None,
    wait: WaitOption = DEFAULT_SECONDS,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Search stored games for forced wins: kept, missed, and allowed by a blunder.

    A forced win beats every legal defence; its length counts the plies of both players. The search proves what it finds. What it does
    not find within --depth plies and --nodes nodes may exist all the same. Games that were searched with these limits or greater
    ones are skipped, so run the command again after an import. Results are stored every few minutes: after a failure or Ctrl-C the same
    command resumes.

    To ask about the results: zertz games missed:>=3, zertz stats tactics, zertz tactics, zertz puzzles, zertz show ID --review.

    Examples:  zertz analyse  ·  zertz analyse --depth 3  ·  zertz analyse player:ada --depth 9 --nodes 100000
    """
    limits = Limits(depth, nodes)

    def stopped() -> str:
        return f"stopped. To continue, run the same command: {_build_command(filters, limits, folder)}"

    try:
        with stop_on_signal(stopped), show_progress("analysing", "games") as progress:
            tally = analyse_games(
                folder,
                filters,
                limits,
                jobs=jobs,
                cluster=cluster,
                tick=progress.show,
                wait=build_wait(wait),
            )
    except KeyboardInterrupt as error:
        raise Stop(stopped(), INTERRUPTED) from error
    except (QueryError, SearchError) as error:
        raise Stop(str(error)) from error
    if not (tally.games or tally.known or tally.skipped):
        with open_for_query(folder) as database:
            raise Stop(absence(database, filters), NO_GAMES)
    _print_tally(tally, limits)


def _build_command(filters: str, limits: Limits, folder: object) -> str:
    words = ["zertz", "analyse", *([filters] if filters else [])]
    return shlex.join([*words, "--depth", str(limits.depth), "--nodes", str(limits.nodes), "--db", str(folder)])


def _print_tally(tally: AnalysisTally, limits: Limits) -> None:
    typer.echo(
        f"{format_count(tally.games, 'game')} analysed within {limits.depth} plies and {limits.nodes:,} nodes a position"
    )
    if tally.known:
        typer.echo(f"{format_count(tally.known, 'game')} skipped: analysed before within such limits")
    for reason, count in sorted(tally.skipped.items()):
        typer.echo(f"{format_count(count, 'game')} not searched: {_REASONS[reason]}")
    if tally.games:
        typer.echo(
            f"forced wins of {SHORTEST_CHANCE} plies or more: {tally.wins:,}, missed: {tally.missed:,}; "
            f"proven blunders: {tally.blunders:,}; games with a puzzle: {tally.puzzles:,}"
        )
