"""The command `zertz`: a thin layer over the library."""

from __future__ import annotations

import logging
import os
import shutil
import sys
from contextlib import nullcontext, suppress
from typing import Annotated

import typer

from zertz_db import __version__, logs
from zertz_db.cli.command_table import COMPLETION_VARIABLE, HELP_OPTIONS, CommandTable
from zertz_db.cli.errors import FAILURE, Stop, convert_errors
from zertz_db.cli.safe_output import make_printable
from zertz_db.cli.startup.lean_process import run_lean
from zertz_db.cli.startup.quick_exit import exit_at_once
from zertz_db.extras import hide_pandas

app = typer.Typer(
    name="zertz",
    cls=CommandTable,
    help="Check, store and query ZÈRTZ game records. Each command's --help has examples.",
    epilog="Start with: zertz check FILE · zertz import FOLDER · zertz games · zertz help COMMAND",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_OPTIONS},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"zertz-db {__version__}")
        raise typer.Exit


@app.callback()
def _set_colour(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", "-V", metavar="", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        context.color = False


class _Warnings(logging.Handler):
    """Handler that prints warnings of the library, for example of a damaged line that it skips."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one warning, without a traceback."""
        typer.echo(f"zertz: {record.getMessage()}", err=True)


_HELP_WIDTH = 80
_WARNINGS = _Warnings(logging.WARNING)


def _complete() -> None:
    """Print completions for a shell, and exit. A shell has no place for errors."""
    with suppress(Exception):
        app(prog_name="zertz")
    sys.exit()


def run_program() -> None:
    """Run the command line as a program: the process ends with it."""
    run_lean()
    try:
        main()
    except SystemExit as end:
        exit_at_once(int(end.code or 0))
        raise


def main() -> None:
    """Run the command line; report any error in one sentence, with exit status 2 (`ZERTZ_DEBUG=1` prints the traceback)."""
    make_printable()
    if COMPLETION_VARIABLE in os.environ:
        _complete()
    # Help is wrapped once, at 80 columns or at a narrower terminal.
    os.environ.setdefault("TERMINAL_WIDTH", str(min(_HELP_WIDTH, shutil.get_terminal_size().columns)))
    logs.start_logging()
    logging.getLogger("zertz_db.store").addHandler(_WARNINGS)
    try:
        with convert_errors(), hide_pandas() if sys.argv[1:2] == ["import"] else nullcontext():
            app(prog_name="zertz")
    except Stop as stop:
        typer.echo(f"zertz: {stop}", err=True)
        sys.exit(stop.status)
    except Exception as error:
        if os.environ.get("ZERTZ_DEBUG"):
            raise
        typer.echo(f"zertz: an error in zertz itself, please report it: {type(error).__name__}: {error}", err=True)
        sys.exit(FAILURE)
