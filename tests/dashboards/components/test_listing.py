"""The columns of lists that a narrow page leaves out."""

import ast
from collections.abc import Iterator
from pathlib import Path

from zertz_db import dashboards

ROOT = Path(dashboards.__file__).parent
WIDE = {
    "sections/analysis_board/position_facts.py": "Last",
    "sections/analysis_board/study_tools.py": "Saved (UTC)",
    "sections/decisions/relayed_games.py": "At any time | Meaning",
    "sections/game_page/explorer_rows.py": "First | Last",
    "sections/game_page/source.py": "Line | Notation | Import",
    "sections/game_rows.py": "Board | Plies | Event | Rules | Ply",
    "sections/player_profile.py": "Rules | Kind",
    "sections/players/preparation.py": "In words | Latest",
    "sections/tournaments/tournament_list.py": "Since",
    "views/bookmarks.py": "Target | By | When (UTC)",
    "views/check.py": "Where | Board | Plies",
    "views/imports.py": "Files | Duplicate | Source | Example | File | Stored as",
    "views/openings.py": "By these moves | Plies | Rating | First | Last | Name",
    "views/players.py": "Kind | Since | Last game | Names | Kind | Last game",
}


def list_wide_columns(path: Path) -> Iterator[str]:
    """Yield the titles of the columns that a module marks as wide. The modules of pages run when they are imported: they are only read."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        match node:
            case ast.Call(func=ast.Name(id="Column"), args=[title, *_], keywords=options) if any(
                option.arg == "wide" and ast.literal_eval(option.value) for option in options
            ):
                yield ast.literal_eval(title) if isinstance(title, ast.Constant) else ast.unparse(title)


def test_a_narrow_page_leaves_these_columns_out() -> None:
    found = {str(path.relative_to(ROOT)): " | ".join(list_wide_columns(path)) for path in sorted(ROOT.rglob("*.py"))}
    assert {name: titles for name, titles in found.items() if titles} == WIDE
