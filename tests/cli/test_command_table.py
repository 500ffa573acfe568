"""The table of commands: it has each command once, with the summary that the command's own help begins with."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest
import typer

from zertz_db.cli import command_table, commands, servers
from zertz_db.cli.command_table import COMMANDS, Command, load_command


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_a_summary_is_the_first_paragraph_of_the_help(row: Command) -> None:
    paragraph = inspect.cleandoc(load_command(row).help).split("\n\n")[0]
    assert " ".join(paragraph.split()) == row.summary


def test_every_command_of_every_module_has_a_row() -> None:
    registered = []
    for package in (commands, servers):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            loaded = importlib.import_module(module.name)
            if hasattr(loaded, "register"):
                app = typer.Typer()
                loaded.register(app)
                place = module.name.removeprefix(f"{command_table.__package__}.")
                registered += [(str(one.name), place) for one in (*app.registered_commands, *app.registered_groups)]
    assert sorted(registered) == sorted((row.name, row.module) for row in COMMANDS)


def test_the_help_loads_no_command() -> None:
    program = (
        "import sys\n"
        "from zertz_db.cli.main import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith(('zertz_db.cli.commands.', 'duckdb', 'numpy'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Check if records are legal" in done.stdout
