"""Questions to a database and to the site of its games: the same ones, with answers in one form.

Answers of both sides are lists and plain values that are equal if the answers are.
"""

from __future__ import annotations

import datetime as dt
import math
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import course
from zertz_db.queries.openings.tree import find_openings
from zertz_db.queries.players.player_list import list_players
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.queries.search.positions import find_position
from zertz_db.queries.statistics.game_length import histogram, lengths
from zertz_db.queries.statistics.win_conditions import endings, first_mover, winning_sets
from zertz_db.store.folder.database import Database

Question = dict[str, Any]
"""`ask`: the name of a question of `archive/questions.js`; `about`: what it is about."""

_TABLES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "firstMover": (first_mover, ("games", "first", "second", "ties", "unknown", "decided")),
    "endings": (endings, ("ending", "games", "first", "second", "plies")),
    "winningSets": (winning_sets, ("set", "games", "jump", "claim", "plies")),
    "lengths": (lengths, ("games", "unfinished", "mean", "shortest", "q10", "q25", "q50", "q75", "q90", "longest")),
    "histogram": (histogram, ("plies", "games")),
}
_SIGNS = "WGBo.*#?"
_SHARE = ("share", "low", "high")


def make_questions(database: Database, count: int, seed: int) -> Iterator[Question]:
    """Yield questions about positions, moves and players of random games."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    games = list_games(database, sort="id", columns=("id", "player1", "player2", "board")).dicts()
    makers = (_openings, _position, _named_pattern, _drawn_pattern, _statistics, _players, _openings, _position)
    for number in range(count):
        game = chance.choice(games)
        yield makers[number % len(makers)](database, game, chance)


def answer(database: Database, question: Question) -> Any:
    """Return the database's answer."""
    return _ANSWERS[question["ask"]](database, question["about"])


def reduce_answer(question: Question, found: Any) -> Any:
    """Return the site's answer in the form of `answer`."""
    return _REDUCED[question["ask"]](question["about"], found)


def _filter(game: Mapping[str, Any], chance: random.Random) -> dict[str, str]:
    some = {
        "player": game["player1"],
        "result": chance.choice(("1-0", "0-1")),
        "from": str(chance.randrange(2000, 2015)),
        "board": game["board"] if game["board"] != "custom" else None,
    }
    asked = {name: value for name, value in some.items() if value and chance.random() < 0.2}
    if "player" in asked and game["player2"] and chance.random() < 0.5:
        asked["versus"] = game["player2"]
    return asked


def _written(asked: Mapping[str, str]) -> str:
    terms = {
        "player": 'player:"{}"',
        "versus": 'vs:"{}"',
        "result": "result:{}",
        "from": "date:{}..9000",
        "board": "board:{}",
    }
    return " ".join(terms[name].format(value) for name, value in asked.items())


def _openings(database: Database, game: Mapping[str, Any], chance: random.Random) -> Question:
    played = course(database, game["id"])
    ply = min(chance.choice((0, 1, 1, 2, 3, 8)), max(0, len(played.moves) - 1))
    about = {"filter": _filter(game, chance), "boardOnly": chance.random() < 0.3}
    if played.row["board"] == "custom":
        ply = 0
    if played.row["start"] or chance.random() < 0.3:
        return {"ask": "openings", "about": about | {"position": played.position(ply).text}}
    rules = played.position(0).rules.name
    return {
        "ask": "openings",
        "about": about | {"board": game["board"], "rules": rules, "moves": " ".join(played.moves[:ply])},
    }


def _position(database: Database, game: Mapping[str, Any], chance: random.Random) -> Question:
    played = course(database, game["id"])
    # The text of a custom board without some of its rings is another board for the database, where the site finds the game's board.
    # The database does not take the text of a position in which somebody has won.
    ply = 0 if played.row["board"] == "custom" else chance.randrange(len(played.moves)) if played.moves else 0
    position = played.position(ply)
    switches = {name: chance.random() < 0.2 for name in ("pool", "captures", "side", "every")}
    about = {
        "text": position.text,
        "mode": chance.choice(("exact", "symmetry", "shape")),
        "filter": _filter(game, chance),
        "limit": 1_000_000,
    }
    return {"ask": "position", "about": about | switches}


def _named_pattern(database: Database, game: Mapping[str, Any], chance: random.Random) -> Question:
    position = course(database, game["id"]).position()
    rings = chance.sample(position.board.rings, 2)
    cells = " ".join(f"{ring}:{chance.choice((position.on(ring) or '.', *_SIGNS))}" for ring in rings)
    limit = chance.choice(
        ("", "rings<=20", "pool.white=0", "mover>=2", "opponent.black<3", "player1.grey>0", "marbles.white>1", "side:2")
    )
    text = f"{cells} {chance.choice(('', 'turned'))} {limit}"
    return {"ask": "pattern", "about": {"text": text, "filter": _filter(game, chance), "limit": 1_000_000}}


def _drawn_pattern(_: Database, game: Mapping[str, Any], chance: random.Random) -> Question:
    rows = " / ".join(
        "<" * chance.randrange(2)
        + "".join(chance.choice((*_SIGNS, "[Wo]", "!W")) for _ in range(chance.randrange(1, 4)))
        for _ in range(2)
    )
    return {"ask": "pattern", "about": {"text": f"W / {rows}", "filter": _filter(game, chance), "limit": 1_000_000}}


def _statistics(_: Database, game: Mapping[str, Any], chance: random.Random) -> Question:
    about = {
        "table": chance.choice([*_TABLES]),
        "by": chance.choice(("", "board", "year", "rules")),
        "filter": _filter(game, chance),
    }
    return {"ask": "statistics", "about": about}


def _players(_: Database, game: Mapping[str, Any], chance: random.Random) -> Question:
    return {"ask": "players", "about": {"filter": _filter(game, chance)}}


def _answer_openings(database: Database, about: Mapping[str, Any]) -> Any:
    found = find_openings(
        database,
        about.get("moves", ""),
        position=about.get("position"),
        board=about.get("board"),
        rules=about.get("rules"),
        filters=_written(about["filter"]),
        board_only=about["boardOnly"],
        details=False,
    )
    names = ("move", "games", "by_line", "wins", "ties", "losses", "unknown", "score", "score_low", "score_high")
    rows = [
        [row[name] or 0 if name == "by_line" else row[name] for name in names] for row in found.continuations.dicts()
    ]
    return [list(found.moves), found.games, found.wins, found.ties, found.losses, found.by_line, rows]


def _reduce_openings(_: Mapping[str, Any], found: Any) -> Any:
    names = ("move", "games", "byLine", "wins", "ties", "losses", "unknown", *_SHARE)
    rows = [[row[name] for name in names] for row in found["continuations"]]
    return [*(found[name] for name in ("moves", "games", "wins", "ties", "losses", "byLine")), rows]


_COUNTS = ("matches", "wins", "ties", "losses", *_SHARE)


def _answer_position(database: Database, about: Mapping[str, Any]) -> Any:
    switches = {name: about[name] for name in ("pool", "captures", "side", "every")}
    found = find_position(database, about["text"], about["mode"], _written(about["filter"]), limit=None, **switches)
    return _flatten(found, has_moves=True)


def _answer_pattern(database: Database, about: Mapping[str, Any]) -> Any:
    found = find_pattern(database, about["text"], _written(about["filter"]), limit=None)
    return _flatten(found, has_moves=_has_one_way(about))


def _has_one_way(about: Mapping[str, Any]) -> bool:
    """Whether a pattern lies in one way only: else each side names one of several ways."""
    return ":" in about["text"] and "turned" not in about["text"]


def _flatten(found: Any, *, has_moves: bool) -> Any:
    hits = [[row["id"], row["ply"], row["next"] if has_moves else None] for row in found.hits.dicts()]
    moves = (
        [[row["move"], *(row[name] for name in _COUNTS)] for row in found.continuations.dicts()] if has_moves else []
    )
    years = [[row["year"], *(row[name] for name in _COUNTS)] for row in found.years.dicts()]
    return [found.games, found.plies, hits, moves, years]


def _reduce_search(about: Mapping[str, Any], found: Any) -> Any:
    has_moves = "mode" in about or _has_one_way(about)
    hits = [[row["id"], row["ply"], row["next"] if has_moves else None] for row in found["hits"]]
    tables = [
        [[row["key"], *(row[name] for name in _COUNTS)] for row in found[table]] for table in ("continuations", "years")
    ]
    return [found["games"], found["plies"], hits, tables[0] if has_moves else [], tables[1]]


def _answer_statistics(database: Database, about: Mapping[str, Any]) -> Any:
    ask, names = _TABLES[about["table"]]
    by = [about["by"]] if about["by"] else []
    rows = ask(database, _written(about["filter"]), by).dicts()
    shown = [*by, *names, *(() if about["table"] == "lengths" else _SHARE)]
    return [[_rounded(row[name]) for name in shown] for row in rows]


def _reduce_statistics(about: Mapping[str, Any], found: Any) -> Any:
    by = [about["by"]] if about["by"] else []
    shown = [*by, *_TABLES[about["table"]][1], *(() if about["table"] == "lengths" else _SHARE)]
    return [[_rounded(row[name]) for name in shown] for row in found]


def _rounded(value: Any) -> Any:
    """Round a mean as DuckDB does: the site's means have all their digits."""
    return math.floor(100 * value + 0.5) / 100 if isinstance(value, float) and value > 1 else value


def _answer_players(database: Database, about: Mapping[str, Any]) -> Any:
    rows = list_players(database, _written(about["filter"])).dicts()
    names = ("name", "kind", "games", "wins", "ties", "losses", *_SHARE)
    return [[*(row[name] for name in names), _days(row["first_date"]), _days(row["last_date"])] for row in rows]


def _reduce_players(_: Mapping[str, Any], found: Any) -> Any:
    names = ("name", "kind", "games", "wins", "ties", "losses", *_SHARE, "first", "last")
    return [[row[name] for name in names] for row in found]


def _days(day: dt.date | None) -> int | None:
    return None if day is None else (day - dt.date(1970, 1, 1)).days


_ANSWERS = {
    "openings": _answer_openings,
    "position": _answer_position,
    "pattern": _answer_pattern,
    "statistics": _answer_statistics,
    "players": _answer_players,
}
_REDUCED = {
    "openings": _reduce_openings,
    "position": _reduce_search,
    "pattern": _reduce_search,
    "statistics": _reduce_statistics,
    "players": _reduce_players,
}
