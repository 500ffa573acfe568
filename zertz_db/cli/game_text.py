"""Format one game as text: its facts, moves, a board, findings and sightings."""

from __future__ import annotations

from collections.abc import Iterator

from zertz_db.cli.safe_output import style
from zertz_db.parser.vocabulary.board_names import COLUMNS
from zertz_db.queries.games.novelty import Novelty
from zertz_db.queries.games.one_game import Game
from zertz_db.rules.position import Position

_FACTS = (
    ("Player1", "player1"), ("Player2", "player2"), ("Event", "event"), ("Site", "site"), ("Date", "date"), ("Round", "round"),
    ("Board", "board"), ("RuleSet", "rule_set"), ("Claims", "claims"), ("Position", "start"),
)  # fmt: skip
_MARBLES = {
    "W": style("W", fg="bright_white", bold=True),
    "G": style("G", fg="cyan", bold=True),
    "B": style("B", fg="magenta", bold=True),
    ".": style(".", dim=True),
}
"""Marbles in colours for dark and light terminals; the letters alone distinguish them too."""
_CELL_CHARACTERS = {None: " ", "o": ".", "W": "W", "G": "G", "B": "B"}
_COLUMN_WIDTH = 3
"""Number of characters from one column of the board to the next."""


def format_game(game: Game, ply: int | None, novelty: Novelty) -> Iterator[str]:
    """Yield the lines that describe a game, with the board after `ply` plies (None: at the end)."""
    yield from _facts(game)
    yield ""
    yield from _moves(game, ply, novelty)
    yield ""
    yield from _board(game, len(game.moves) if ply is None else ply)
    yield from _findings(game)
    yield from _format_sources(game)


def _facts(game: Game) -> Iterator[str]:
    row = game.row
    tags = {tag["name"]: tag["value"] for tag in game.tags.dicts()}
    corrected = {one["tag"]: _format_correction(one["new"], one["old"]) for one in game.corrections.dicts()}
    facts = {name: row[column] for name, column in _FACTS if row[column] != "automatic"} | corrected
    yield from (_line(name, facts[name]) for name, _ in _FACTS if facts.get(name))
    yield _line("Result", game.outcome)
    yield from (
        _line(name, corrected.get(name, tags.get(name)))
        for name in sorted(tags | corrected)
        if name not in dict(_FACTS)
    )
    yield _line("Id", f"{game.id}, {row['verdict']}")


def _format_correction(new: str | None, old: str | None) -> str:
    before = "the record has none" if old is None else f"the record has “{old}”"
    return f"{new or '–'} (corrected; {before})"


def _line(name: str, value: object) -> str:
    return f"{name + ':':<14} {value}"


def _moves(game: Game, ply: int | None, novelty: Novelty) -> Iterator[str]:
    """Yield the moves in two columns, with player 1 on the left. A star marks the first new one."""
    first_new = None if novelty.ply is None or novelty.move is None else novelty.ply + 1
    turns: list[list[str]] = []
    for played in game.plies.dicts():
        if played["mover"] == 1 or not turns:
            turns.append(["" if played["mover"] == 1 else "…"])
        mark = "▸" if played["ply"] == ply else "*" if played["ply"] == first_new else " "
        turns[-1].append(mark + played["notation"] + _clock(played["clock"]))
        if turns[-1][0] == "":
            del turns[-1][0]
    width = max((len(turn[0]) for turn in turns), default=0)
    for number, (left, *right) in enumerate(turns, 1):
        yield f"{number:>3}. {left:<{width}}  {'  '.join(right)}".rstrip()
    if not turns:
        yield "no moves"
    if game.end:
        yield f"     {game.end}"
    yield f"     {novelty}"


def _clock(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    seconds = milliseconds // 1000
    return f" {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _board(game: Game, ply: int) -> Iterator[str]:
    position = game.positions[ply]
    when = "at the start" if ply == 0 else f"after ply {ply}, {game.moves[ply - 1]}"
    yield f"The board {when}; {_describe_turn(position, game, ply)}"
    yield from draw_position(position)


def draw_position(position: Position) -> Iterator[str]:
    """Yield the lines that draw a board, its pool and its captures."""
    yield from ("".join(_MARBLES.get(character, character) for character in line) for line in _draw_board(position))
    first, second = position.captured
    yield f"  pool {position.pool}, player 1 holds {first}, player 2 holds {second} (white/grey/black)"


def _draw_board(position: Position) -> Iterator[str]:
    """Yield the board, each ring at its height, with letters of columns below and numbers of rings at the left and above each column."""
    places = dict(zip(position.board.rings, position.board.places, strict=True))
    left, top = min(x for x, _ in places.values()), max(y for _, y in places.values())
    lowest = min(y for _, y in places.values())
    lines = [[" "] * (_COLUMN_WIDTH * (len(COLUMNS) + 2)) for _ in range(top - lowest + 3)]

    def put(text: str, x: int, y: int) -> None:
        end = _COLUMN_WIDTH * (x - left + 1) + 2
        lines[top - y + 1][end - len(text) : end] = text

    for ring, (x, y) in places.items():
        put(_CELL_CHARACTERS[position.on(ring)], x, y)
        if x == left:
            put(ring[1:], x - 1, y)
        put(ring[0], x, lowest - 1)
    highest = {
        x: (ring, y) for ring, (x, y) in places.items() if x > left
    }  # rings of a column are sorted from bottom to top
    for x, (ring, y) in highest.items():
        put(ring[1:], x, y + 1)
    yield from ("".join(line).rstrip() for line in lines)


def _describe_turn(position: Position, game: Game, ply: int) -> str:
    if position.is_over or (ply == len(game.moves) and game.row["ending"]):
        return "the game is over"
    return f"player {position.side} {'must capture' if position.capture_is_due else 'is to move'}"


def _findings(game: Game) -> Iterator[str]:
    for number, finding in enumerate(game.findings.dicts()):
        if number == 0:
            yield ""
        place = f" (line {finding['line']}, column {finding['col']})" if finding["line"] else ""
        yield f"{finding['code']} {finding['message']}{place}"


def _format_sources(game: Game) -> Iterator[str]:
    yield ""
    for found in game.sightings.dicts():
        member = f"!{found['member']}" if found["member"] else ""
        yield f"found in {found['path']}{member}, line {found['line_from']} ({found['status']}, import {found['run']})"
