"""`zertz picture`: draw a position as SVG or PNG, or moves as an animated GIF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.commands.board.start import BoardOption, Game, Line, Ply, PositionText, Rules, find_start
from zertz_db.cli.errors import Stop
from zertz_db.cli.options import DEFAULT_DATABASE, DatabaseFolder, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument, write_atomically
from zertz_db.export.pictures.drawing import Look, Theme, draw_frame
from zertz_db.export.pictures.frames import Frame, list_frames
from zertz_db.export.pictures.raster import FRAME_SECONDS, MOST_FRAMES, to_gif, to_png, widest_gif
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import course
from zertz_db.rules.position import Position
from zertz_db.tactics.limits import LARGEST_DEPTH, LARGEST_NODES
from zertz_db.tactics.solver import DEPTH, NODES_LIMIT, solve

_LARGEST = 4096


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("picture")(draw_picture)


def draw_picture(
    position: PositionText = None,
    line: Line = "",
    board: BoardOption = None,
    rules: Rules = None,
    game: Game = None,
    ply: Ply = None,
    begin: Annotated[
        int | None,
        typer.Option("--from", min=0, metavar="PLY", help="Draw the plies of --game from here to --ply, one by one."),
    ] = None,
    with_win: Annotated[bool, typer.Option("--solve", help="Go on with the forced win of the player to move.")] = False,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=LARGEST_DEPTH, help="Maximum length of that win, an odd number.")
    ] = DEPTH,
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, max=LARGEST_NODES, help="Maximum number of positions to examine for it.")
    ] = NODES_LIMIT,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="File to write: .svg, .png or .gif.")
    ] = Path("position.svg"),
    size: Annotated[int, typer.Option("--size", min=100, max=_LARGEST, help="Width of a PNG or GIF in pixels.")] = 640,
    theme: Annotated[Theme, typer.Option("--theme", help="Colours.")] = Theme.light,
    coordinates: Annotated[
        bool, typer.Option("--coordinates/--no-coordinates", help="Name columns and rings at the edge.")
    ] = True,
    letters: Annotated[bool, typer.Option("--letters", help="Write W, G, B on the marbles.")] = False,
    racks: Annotated[bool, typer.Option("--racks/--no-racks", help="Draw captures and pool below the board.")] = True,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=60, help="Time of a position in a GIF.")
    ] = FRAME_SECONDS,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Draw a position as SVG or PNG, or moves as an animated GIF.

    A GIF shows the start and the position after each move of --moves, --solve or --from; the other forms show the last position, with its
    last move marked. PNG and GIF need the extra pictures. Only --game needs a database.

    Examples:  zertz picture --moves 'Wd4,d1 Bd3,a1' -o board.svg  ·  zertz picture --game 3T7K --ply 2 -o board.png
    ·  zertz picture --game 3T7K --from 0 -o game.gif
    """
    form = output.suffix.casefold()
    if form not in _FORMS:
        raise Stop(f"{output} has no ending of a picture: name a file that ends in .svg, .png or .gif")
    if begin is not None and (game is None or line):
        raise Stop("--from belongs to --game, without --moves")
    text, moves = position and decode_argument(position), decode_argument(line)
    try:
        if game is not None:
            frames = _frames_of_game(game, ply, begin, moves, folder)
        else:
            frames = list_frames(find_start(text, "", board, rules, game, ply, folder)[0], moves)
    except QueryError as error:
        raise Stop(str(error)) from error
    if game is not None and (text is not None or board is not None or rules is not None):
        raise Stop("give one start: a position string, or --game with --ply, or --board with --rules")
    if with_win:
        frames = frames[:-1] + _frames_of_win(frames[-1], depth, nodes)
    if len(frames) > MOST_FRAMES:
        raise Stop(f"a picture shows at most {MOST_FRAMES} positions, not {len(frames):,}; use --from and --ply")
    widest = widest_gif(len(frames))
    if form == ".gif" and size > widest:
        raise Stop(
            f"a GIF of {format_count(len(frames), 'position')} is at most {widest:,} pixels wide: use a smaller --size"
        )
    look = Look(theme, coordinates, letters, racks)
    drawn = _draw(frames, form, look, size, seconds)
    with write_atomically(output, force) as part:
        part.write_bytes(drawn)
    shown = f" of {format_count(len(frames), 'position')}" if form == ".gif" else ""
    typer.echo(f"wrote {output}{shown}")


_FORMS = (".svg", ".png", ".gif")


def _draw(frames: Sequence[Frame], form: str, look: Look, size: int, seconds: float) -> bytes:
    if form == ".gif":
        return to_gif([draw_frame(frame, look) for frame in frames], size, look.ground, seconds)
    drawing = draw_frame(frames[-1], look)
    return to_png(drawing, size) if form == ".png" else drawing.encode()


def _frames_of_game(game: str, ply: int | None, begin: int | None, line: str, folder: Path) -> list[Frame]:
    """Return the position after `ply` plies with those from ply `begin` on before it, and further moves."""
    with open_for_query(folder) as database:
        played = course(database, game)
    last = len(played.moves) if ply is None else ply
    if begin is not None and begin > last:
        raise Stop(f"--from {begin} is after --ply {last}")
    first = last if begin is None else begin
    start = played.position(first)
    before = played.moves[first - 1] if first else None
    played.position(last)  # whether the game has that many plies
    return list_frames(start, line or played.moves[first:last], before)


def _frames_of_win(frame: Frame, depth: int, nodes: int) -> list[Frame]:
    position: Position = frame.position
    solution = solve(position, depth, nodes)
    if not solution.forced:
        raise Stop(f"there is no win to draw: {solution.verdict}; try more --depth or --nodes")
    return list_frames(position, solution.line, frame.last_move)
