"""List the commands; load a command's module only when that command runs.

The modules of commands import the database, the rules and tables of numbers: 0.2 s that `zertz --help` and other commands need not
wait for. So a command's module imports at its top whatever the command needs.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from zertz_db.cli.startup.duckdb_import import import_duckdb
from zertz_db.cli.startup.help_pages import load_help_pages
from zertz_db.cli.startup.plain_values import convert_plain_values_first
from zertz_db.extras import require_extra
from zertz_db.plain_errors import rewrite

_RAW_CSV = "--raw-csv"
HELP_OPTIONS = ["-h", "--help"]


class Command(NamedTuple):
    """A command, without its module loaded."""

    name: str
    module: str
    """Module below `zertz_db.cli` that registers it."""
    summary: str
    """First paragraph of its help."""
    extra: str = ""
    """Extra that it needs besides `db`: the error then names all missing packages at once."""


COMMANDS = (
    Command("check", "commands.check", "Check if records are legal, and locate each fault."),
    Command(
        "convert",
        "commands.convert",
        "Write verified and unfinished games in canonical form: every claim, every jumped marble, every result.",
    ),
    Command(
        "correct",
        "commands.correct",
        "Correct the tags of stored games: Event, Site, Date, Round, Player1, Player2, and tags that a database only stores.",
    ),
    Command(
        "dialects",
        "commands.dialects",
        "List the dialects: what each is, how it is detected, and whether zertz can write it.",
    ),
    Command(
        "explain",
        "commands.explain",
        "Explain the code of a finding: its meaning, its severity, the rule that it refers to, and a record that has it.",
    ),
    Command(
        "find",
        "commands.find",
        "Find a position or a pattern in the games, with the continuations and their results.",
    ),
    Command(
        "import",
        "commands.import_",
        "Check records and store their games. Each record is stored, a duplicate, or rejected with its reason.",
    ),
    Command(
        "mark",
        "commands.marks",
        "Mark a game or a position in it, with a label, a note, or as a bookmark; or save a filter under a name.",
    ),
    Command(
        "marks",
        "commands.marks",
        "List marks of games and positions, and saved filters, latest first; or remove a mark.",
    ),
    Command(
        "duplicates",
        "commands.marks",
        "List games that may be duplicates, with evidence, surest first; merge two games, or split them.",
    ),
    Command(
        "relays",
        "commands.people.relays",
        "List games with the same moves at about the same time, for a person to judge; the least expected by chance first.",
    ),
    Command(
        "studies",
        "commands.studies",
        "List studies, latest first; print one with its variations, write it to a file, or remove it.",
    ),
    Command("games", "commands.stored_games.overview", "List games, latest first."),
    Command(
        "show", "commands.stored_games.show", "Show a game: its tags, moves, a board, its findings and its sightings."
    ),
    Command(
        "export",
        "commands.stored_games.export",
        "Write games to a file or a folder: official notation, other dialects, JSON lines, tables, a database, a website, a data set.",
    ),
    Command("info", "commands.stored_games.overview", "Summarise a database, and print the path of its live file."),
    Command(
        "imports",
        "commands.stored_games.overview",
        "List the imports with their tallies: records = stored + duplicate + rejected.",
    ),
    Command(
        "sql",
        "commands.stored_games.overview",
        "Query the database in DuckDB SQL, read-only: the views games, plies, positions, records, findings, ….",
    ),
    Command(
        "doctor",
        "commands.maintain",
        "Examine a database: check that its tables are consistent, and that every record still reads and replays as stored.",
    ),
    Command(
        "recheck",
        "commands.maintain",
        "Reread all records of a database with the current readers and rules, and store the results.",
    ),
    Command(
        "undo",
        "commands.maintain",
        "Undo an import: remove its records, and games without records from other imports.",
    ),
    Command(
        "merge",
        "commands.maintain",
        "Merge databases: games keep their ids, and a game in several of them keeps all its records; the best represents it.",
    ),
    Command(
        "migrate",
        "commands.maintain",
        "Migrate a database of an older zertz-db to the current schema; commands that change a database do this too.",
    ),
    Command(
        "moves",
        "commands.positions",
        "List the legal moves of a position: captures, or placements with their claims; and what each player lacks.",
    ),
    Command(
        "solve",
        "commands.positions",
        "Search a position for a forced win of the player to move, and print the line and all winning moves.",
    ),
    Command(
        "analyse",
        "commands.tactics.analyse",
        "Search stored games for forced wins: kept, missed, and allowed by a blunder.",
    ),
    Command(
        "tactics",
        "commands.tactics.lists",
        "List forced wins of the analysed games: the longest that were missed, the longest that were played, and the quickest.",
    ),
    Command(
        "puzzles",
        "commands.tactics.puzzles",
        "List puzzles of the analysed games: positions where the player to move can win by force, and where to place is unique.",
    ),
    Command(
        "winchance",
        "commands.tactics.winchance",
        "Print how good the win chance is on games that were held out of the fit; with --fit, fit it to your own games.",
    ),
    Command(
        "openings",
        "commands.openings",
        "List the continuations of a position, up to the board's symmetry, with their games and scores.",
    ),
    Command(
        "players",
        "commands.people.players",
        "List players; print a profile, or compare two players; manage aliases; or redact a name.",
    ),
    Command(
        "ratings",
        "commands.people.ratings",
        "Rate players by their games, with deviations: humans first, then bots, each sorted by the lower bound of the rating.",
    ),
    Command(
        "play",
        "commands.board.play",
        "Play a game against the engine: type moves in official notation, and help for more.",
    ),
    Command(
        "match",
        "commands.board.match",
        "Play many games between two players, and print the score and the difference of ratings with its interval.",
    ),
    Command(
        "engine",
        "commands.board.engine",
        "Choose moves for a program that asks by the protocol of matches, on standard input and output; quit ends it.",
    ),
    Command(
        "picture",
        "commands.board.picture",
        "Draw a position as SVG or PNG, or moves as an animated GIF.",
    ),
    Command(
        "conformance",
        "commands.conformance.suite",
        "Test a program against the conformance suite: questions about the rules, with their answers.",
    ),
    Command(
        "generate",
        "commands.generate",
        "Generate legal games: most end with a winning set, some by resignation or on time.",
    ),
    Command(
        "serve",
        "servers.serve",
        "Serve a database over HTTP: games, openings, searches, statistics and checks as JSON. Ctrl-C ends it.",
        extra="api",
    ),
    Command(
        "dashboard",
        "servers.dashboard",
        "Show the games in a browser: lists, boards, openings, search. Ctrl-C ends it.",
        extra="dashboard",
    ),
    Command(
        "stats",
        "commands.stats",
        "Print statistics of games: endings, wins of the first mover, length, leads, captures and sacrifices.",
    ),
    Command(
        "insights",
        "commands.insights.one_insight",
        "Print the mean of a metric for each group of a dimension, beside the mean of all players.",
    ),
    Command(
        "compare",
        "commands.insights.filter_pair",
        "Compare the games of two filters: who wins, which sets win, how games end, or what is played in a position.",
    ),
    Command(
        "times",
        "commands.stats",
        "Print thinking times of records with clocks: by phase of the game, kind of turn and player; and who ran short of time.",
    ),
    Command(
        "tournaments",
        "commands.events.tournaments",
        "List tournaments, latest first, or print the crosstable of one: 1 is a win, = a tie, 0 a loss, * a game without a result.",
    ),
    Command(
        "pairings",
        "commands.events.pairings",
        "Print the pairings of a round robin by Berger tables: player1 moves first.",
    ),
)
"""All commands."""
PANELS = {
    "Records": ("check", "convert", "dialects", "explain", "generate", "conformance"),
    "Database": ("import", "info", "imports", "export", "sql", "merge", "migrate", "doctor", "recheck", "undo"),
    "Games": ("games", "show", "find", "openings", "duplicates", "correct", "mark", "marks", "studies"),
    "Players and statistics": (
        "players",
        "ratings",
        "relays",
        "stats",
        "insights",
        "compare",
        "times",
        "tournaments",
        "pairings",
    ),
    "Play and analyse": (
        "moves",
        "solve",
        "analyse",
        "tactics",
        "puzzles",
        "winchance",
        "play",
        "match",
        "engine",
        "picture",
    ),
    "Servers": ("serve", "dashboard"),
}
"""The panels of the help, with the names of their commands in order."""
WITHOUT_DUCKDB = {"check", "conformance", "convert", "dialects", "engine", "explain", "generate"}
"""Commands that don't import DuckDB."""
COMPLETION_VARIABLE = "_ZERTZ_COMPLETE"
"""Environment variable by which a shell asks for completions; its value names the shell."""


def load_command(row: Command) -> Any:
    """Import a command's module and return the command with its options."""
    if row.extra:
        require_extra(row.extra, f"zertz {row.name}")
    app = typer.Typer()
    # Typer makes a group only of an app with a callback or with several commands.
    app.callback()(lambda: None)
    if row.name not in WITHOUT_DUCKDB:
        import_duckdb()
    importlib.import_module(f"zertz_db.cli.{row.module}").register(app)
    command: Any = typer.main.get_group(app).commands[row.name]
    command.help = unwrap(command.help)
    context = typer.Context(command)  # with it, the command keeps its option --help
    context.help_option_names = HELP_OPTIONS
    convert_plain_values_first(hide_flag_types(command.get_params(context)))
    return command


def unwrap(text: str | None) -> str:
    """Return a help text with one line for each paragraph: the terminal wraps it."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in inspect.cleandoc(text or "").split("\n\n"))


def hide_flag_types(params: Any) -> Any:
    """Return the parameters of a command; flags among them lose the type `<bool>`, which the help would print."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params


class CommandTable(TyperGroup):
    """The group `zertz`: its help lists summaries, and the command that runs is loaded."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        summaries = {row.name: row.summary for row in COMMANDS}
        self.commands = {
            name: TyperCommand(name, help=summaries[name], rich_help_panel=panel)
            for panel, names in PANELS.items()
            for name in names
        }

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments; `help COMMAND` is `COMMAND --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what is wrong with its options is said in plain words."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = rewrite(error.message)
            raise

    def get_params(self, ctx: Any) -> Any:
        """Return the options, flags without a type."""
        params = hide_flag_types(super().get_params(ctx))
        convert_plain_values_first(params)
        return params

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the page of all commands."""
        load_help_pages()
        super().format_help(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return name, loaded command and remaining arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        rows = [row for row in COMMANDS if row.name == name]
        if rows:
            command = load_command(rows[0])
            if not set(HELP_OPTIONS).isdisjoint(rest):
                load_help_pages()
            rest = _take_raw_csv(ctx, command, rest)
        return name, command, rest


def _take_raw_csv(context: Any, command: Any, args: list[str]) -> list[str]:
    """Return the arguments with --raw-csv replaced by --csv, and make the command write raw CSV. Only commands that write CSV have it."""
    options = {name for param in command.params for name in param.opts}
    if _RAW_CSV not in args or not {"--csv", "--to-db"} & options:
        return args
    from zertz_db.queries.csv_text import IS_RAW  # most commands write no CSV, and --help waits for this module

    token = IS_RAW.set(True)
    context.call_on_close(lambda: IS_RAW.reset(token))
    replaced = ["--csv"] if "--csv" in options else []
    at = args.index(_RAW_CSV)
    return [*args[:at], *replaced, *args[at + 1 :]]
