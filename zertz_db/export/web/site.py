"""Write the folder of a site: our pages and scripts, the board of the dashboard, and the games.

Equal databases give equal bytes: games are in a fixed order, and compressed files have no time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.export.web.board_data import describe_board
from zertz_db.export.web.checker import collect_checker
from zertz_db.export.web.game_data import SiteGames, collect_games
from zertz_db.export.web.start_data import collect_start
from zertz_db.rules.svg.symbols import definitions
from zertz_db.store.folder.database import Database

FRONTEND = Path(__file__).parent / "frontend"
TITLE = "ZÈRTZ games"
"""Default title of a site; a database has none that is not a path."""
_LEVEL = 9
"""Level of compression: slow to write, small to read."""
_PRELOADED = "<!-- modules -->"
_VERSION = "VERSION"
_HAS_CHECKER = '<meta name="zertz-checker" content="yes">'
_FIRST, _LAST = "offline.js", "index.html"
"""Files that are written first, which marks the folder as a site, and last: a site that is not whole shows no page."""
_MARK = b'const CACHE = "zertz '
_NOT_CACHED = ("index.html", "offline.js", "checker/")
"""Files that a browser does not fetch for use offline: the page has the name `./`, and the checker is fetched when it is asked for."""


class BoardFiles(NamedTuple):
    """The dashboard's board for pages: a script that is a module, its style, and its elements (HTML)."""

    script: str
    style: str
    elements: str


class Site(NamedTuple):
    """A written site: its number of games, and its bytes by file."""

    games: int
    sizes: dict[str, int]


def is_site(folder: Path) -> bool:
    """Return whether a folder has a site, perhaps one that was not written to its end: another site may replace its files."""
    try:
        return _MARK in (folder / _FIRST).read_bytes()
    except OSError:
        return False


def write_site(
    database: Database,
    folder: Path,
    board: BoardFiles,
    filters: str = "",
    title: str = TITLE,
    pyodide: Path | None = None,
) -> Site:
    """Write a site of the games that pass the filters into a folder; files with the same names are replaced.

    title: of all pages. pyodide: the folder of Pyodide's package, for a page that checks records.
    Raises OSError if the folder can't be written, and CheckerError for a folder without Pyodide.
    """
    games = collect_games(database, filters)
    files = {
        **_read_frontend(),
        **_build_board(board),
        **_build_data(games, collect_start(database, filters, games), title),
    }
    if pyodide is not None:
        files |= collect_checker(pyodide)
    files |= _link_files(files)
    for name in sorted(files, key=lambda name: (name == _LAST, name != _FIRST, name)):
        path, content = folder / name, files[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Site(len(games.rows), {name: len(content) for name, content in sorted(files.items())})


def _read_frontend() -> dict[str, bytes]:
    paths = [path for path in FRONTEND.rglob("*") if path.is_file()]
    return {path.relative_to(FRONTEND).as_posix(): path.read_bytes() for path in paths}


def _build_board(board: BoardFiles) -> Mapping[str, bytes]:
    """Return the dashboard's board as a module that also has its style and elements, since they are made in a shadow tree."""
    symbols = f'<svg width="0" height="0" style="position:absolute" aria-hidden="true">{definitions()}</svg>'
    constants = {"STYLE": board.style, "ELEMENTS": board.elements, "SYMBOLS": symbols}
    exported = "".join(f"export const {name} = {json.dumps(text)};\n" for name, text in constants.items())
    return {"board/board.js": f"{board.script}\n{exported}".encode()}


def _build_data(games: SiteGames, start: Mapping[str, Any], title: str) -> Mapping[str, bytes]:
    """Return the files of the games, and the small one that a page needs first."""
    facts = {"title": title, **start["facts"]}
    described = [describe_board(board) for board in games.boards]
    first = {"facts": facts, "openings": start["openings"], "described": described, **games.players}
    return {
        "data/start.json.gz": _compress(_write_json(first)),
        "data/games.json.gz": _compress(_write_json(games.columns)),
        "data/moves.txt.gz": _compress(games.movetext),
    }


def _write_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _compress(text: str) -> bytes:
    return gzip.compress(text.encode(), _LEVEL, mtime=0)


def _link_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the two files that name the others: the page, which loads all modules at once, and the worker for use offline.

    The worker's version is a hash of all files: a browser takes the new ones if any of them differs.
    """
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)} ".encode() + content)
    links = [*_preload(files), *(_HAS_CHECKER for name in files if name == "checker/zertz.zip")]
    page = files["index.html"].decode().replace(_PRELOADED, "\n".join(links))
    offline = files["offline.js"].decode().replace(_VERSION, digest.hexdigest()[:16])
    cached = sorted(name for name in files if not name.startswith(_NOT_CACHED))
    names = json.dumps(["./", *cached])
    return {"index.html": page.encode(), "offline.js": offline.replace('"FILES"', names).encode()}


def _preload(files: Mapping[str, bytes]) -> Iterator[str]:
    for name in sorted(files):
        if name.endswith(".js") and not name.startswith(("archive/", "check", "offline", "worker")):
            yield f'<link rel="modulepreload" href="{name}">'
