"""The order of test files for a mutant."""

from pathlib import Path, PurePath

import pytest

from tests.mutation.near_tests import NearTests

FILES = {
    "zertz_db/__init__.py": "from zertz_db.rules.board import Board",
    "zertz_db/rules/board.py": "class Board: ...",
    "zertz_db/rules/moves.py": "from zertz_db.rules.board import Board",
    "zertz_db/queries/games.py": "from zertz_db.rules import moves",
    "tests/rules/test_board.py": "",
    "tests/rules/test_moves.py": "from zertz_db.rules.moves import list_moves",
    "tests/rules/test_diagrams.py": "",
    "tests/queries/games.py": "import zertz_db.queries.games",
    "tests/queries/test_games.py": "from tests.queries import games",
    "tests/cli/test_board.py": "from zertz_db import Board  # of the board",
    "zertz_db/cli/command_table.py": 'Command("games", "commands.lists")',
    "zertz_db/cli/commands/lists.py": "",
    "tests/cli/test_sorted.py": 'run("games", "--json")',
    "parser/zen/reader.py": "",
    "tests/parser/test_dialects.py": "from zertz_db.parser.zen.reader import read",
    "tests/parser/zen/test_reader.py": "",
    "tests/parser/zen/test_names.py": "from zertz_db.parser.zen import reader",
    "tests/parser/gipf/test_writer.py": "",
    "tests/browser/test_board.py": "from zertz_db.rules.board import Board",
}


@pytest.mark.parametrize(
    ("module", "tests"),
    [
        (
            "zertz_db/rules/board.py",
            "rules/test_board cli/test_board rules/test_moves queries/test_games rules/test_diagrams",
        ),
        ("zertz_db/rules/moves.py", "rules/test_moves queries/test_games rules/test_board rules/test_diagrams"),
        ("zertz_db/queries/games.py", "queries/test_games"),
        ("zertz_db/cli/commands/lists.py", "cli/test_sorted cli/test_board"),
        (
            "parser/zen/reader.py",
            "parser/zen/test_names parser/zen/test_reader parser/test_dialects parser/gipf/test_writer",
        ),
    ],
)
def test_few_imports_lie_between_a_module_and_its_first_tests(module: str, tests: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = NearTests(tmp_path, list(FILES)).tests_of(PurePath(module))
    assert found == [f"tests/{name}.py" for name in tests.split()]
