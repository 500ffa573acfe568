"""Any filter, written out and asked of the database, gives the games that an obvious reading of the filter gives.

The reading below knows games as plain values and filters as tuples; it shares nothing with the product.
"""

import calendar
import datetime as dt
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.rows import rows
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.sql_params import execute
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.names import fold_name
from zertz_db.store.schema.ddl import create

PEOPLE = [
    ["Ada", "ADA", "ada l."],
    ["Ben"],
    ["a_b"],
    ["axb"],
    ["100%"],
    ["Čeněk", "ČENĚK"],
    ["guest7"],
    ["plainbot"],
    ["O'B, n"],
]
KINDS = {"guest7": "guest", "plainbot": "bot"}
DATES = {
    None: (None, None),
    "2010.05.17": (dt.date(2010, 5, 17), dt.date(2010, 5, 17)),
    "2010.05.??": (dt.date(2010, 5, 1), dt.date(2010, 5, 31)),
    "2010.??.??": (dt.date(2010, 1, 1), dt.date(2010, 12, 31)),
    "2012.02.29": (dt.date(2012, 2, 29), dt.date(2012, 2, 29)),
    "2013.01.01": (dt.date(2013, 1, 1), dt.date(2013, 1, 1)),
}


@dataclass(frozen=True)
class Game:
    id: int
    player1: str | None
    player2: str | None
    board: str
    rule_set: str
    claims: str
    tournament: bool
    flags: str | None
    event: str | None
    site: str | None
    round: str | None
    date: str | None
    plies: int
    movetext: str
    result: str | None
    winner: int | None
    ending: str | None
    winning_sets: str | None
    won_by: str | None
    verdict: str
    codes: tuple[str, ...]
    path: str
    label: str | None


def made_up(dice: random.Random, number: int) -> Game:
    names = [name for person in PEOPLE for name in person]
    result = dice.choice([("1-0", 1), ("0-1", 2), ("1/2-1/2", 0), (None, None)])
    return Game(
        id=number << 58 | number,
        player1=dice.choice([*names, None]),
        player2=dice.choice([*names, None]),
        board=dice.choice(["37", "48", "custom"]),
        rule_set=dice.choice(["standard", "blitz"]),
        claims=dice.choice(["automatic", "written"]),
        tournament=dice.random() < 0.2,
        flags=dice.choice([None, "unranked", "tournament", "tournament unranked"]),
        event=dice.choice([None, "Ada's Cup", "Open 2010"]),
        site=dice.choice([None, "the club"]),
        round=dice.choice([None, "1", "10"]),
        date=dice.choice(list(DATES)),
        plies=dice.randrange(12),
        movetext=dice.choice(["Wd4,d1 Bd3,a1", "Wd4,d1 Bd3,a1 x d3Wd5", "Gb3 Bb2"]),
        result=result[0],
        winner=result[1],
        ending=dice.choice([None, "set", "resign"]),
        winning_sets=dice.choice([None, "4W", "4W+3each", "5G"]),
        won_by=dice.choice([None, "jump", "claim"]),
        verdict=dice.choice(["verified", "unfinished"]),
        codes=tuple(dice.sample(["W401", "W702", "N420"], dice.randrange(3))),
        path=dice.choice(["a/2010.zip", "B/club.txt"]),
        label=dice.choice([None, None, "Study", "nice"]),
    )


DICE = random.Random(4)  # noqa: S311 - no secret
GAMES = [made_up(DICE, number - 16) for number in range(32)]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database of those games."""
    with duckdb.connect() as opened:
        create(opened)
        columns = [name for name in Game.__dataclass_fields__ if name not in ("codes", "path", "label")]
        dates = {f"date_{end}": [DATES[game.date][at] for game in GAMES] for at, end in enumerate(("from", "to"))}
        load(
            opened, "game", rows("game", **{name: [getattr(game, name) for game in GAMES] for name in columns}, **dates)
        )
        people = list(enumerate(PEOPLE))
        load(opened, "player", rows("player", id=[at for at, _ in people], name=[names[0] for _, names in people],
             kind=[KINDS.get(names[0], "human") for _, names in people]))  # fmt: skip
        named = [(name, at, "accepted") for at, names in people for name in names] + [("Ben", 0, "proposed")]
        names, players, states = zip(*named, strict=True)
        load(
            opened,
            "alias",
            rows("alias", name=names, player=players, status=states, folded=[fold_name(name) for name in names]),
        )
        paths = sorted({game.path for game in GAMES})
        load(opened, "source", rows("source", id=list(range(len(paths))), path=paths))
        load(opened, "record", rows("record", source=[paths.index(game.path) for game in GAMES], id=[-game.id for game in GAMES],
             index=list(range(len(GAMES))), game=[game.id for game in GAMES]))  # fmt: skip
        found = [(-game.id, code) for game in GAMES for code in game.codes]
        load(
            opened, "finding", rows("finding", record=[record for record, _ in found], code=[code for _, code in found])
        )
        marked = [game for game in GAMES if game.label]
        load(opened, "mark", rows("mark", game=[game.id for game in marked], label=[game.label for game in marked]))
        yield opened


# The reading. A filter is ("term", field, [value, …]), ("and", [filter, …]), ("or", [filter, …]) or ("not", filter); a value is a
# text, or (sign, text) with a sign such as >=, or (text or None, text or None) for a range.


class Lonely(Exception):
    """An opponent without a player."""


def names_of(name: str | None) -> list[str]:
    return next((person for person in PEOPLE if name in person), [])


def alike(text: str | None, wanted: str) -> bool:
    expression = ".*".join(map(re.escape, wanted.lower().split("*")))
    return text is not None and re.fullmatch(expression, text.lower(), re.DOTALL) is not None


def inside(text: str | None, wanted: str) -> bool:
    return alike(text, f"*{wanted}*")


def is_called(name: str | None, wanted: str) -> bool:
    return any(alike(other, wanted) for other in names_of(name))


def seats(game: Game, field: str) -> list[tuple[str | None, str | None]]:
    """Who is meant by the field, with his opponent."""
    first, second = (game.player1, game.player2), (game.player2, game.player1)
    winner = {1: [first], 2: [second]}.get(game.winner or 0, [])
    return {
        "player": [first, second], "first": [first], "second": [second], "won": winner, "lost": [(two, one) for one, two in winner],
    }[field]  # fmt: skip


def ranged(low: object, high: object, value: object, known: object) -> bool:
    """Whether what is known to lie from low to high may be in the range that a value says; `known` gives a value's ends."""
    if low is None:
        return False
    if isinstance(value, str):
        value = (value, value)
    one, other = value
    if one in ("<", "<=", ">", ">="):
        first, last = known(other)
        return {"<": low < first, "<=": low <= last, ">": high > last, ">=": high >= first}[one]
    if one == "=":
        one = other
    return (one is None or high >= known(one)[0]) and (other is None or low <= known(other)[1])


def span(text: str) -> tuple[dt.date, dt.date]:
    year, month, day = [*map(int, text.replace("-", ".").split(".")), 0, 0][:3]
    last = calendar.monthrange(year, month or 12)[1]
    return dt.date(year, month or 1, day or 1), dt.date(year, month or 12, day or last)


def holds(game: Game, field: str, value: object) -> bool:
    if field in ("player", "first", "second", "won", "lost"):
        return any(is_called(name, value) for name, _ in seats(game, field))
    if field == "date":
        return ranged(*DATES[game.date], value, span)
    if field in ("since", "until"):
        return ranged(*DATES[game.date], (value, None) if field == "since" else (None, value), span)
    if field == "plies":
        return ranged(game.plies, game.plies, value, lambda text: (int(text), int(text)))
    kinds = [
        KINDS.get(name, "human") if (name := next(iter(names_of(one)), None)) else None
        for one in (game.player1, game.player2)
    ]
    sets = (game.winning_sets or "none").split("+")
    texts = [*names_of(game.player1), *names_of(game.player2), game.event, game.site, game.round, game.flags]
    return {
        "kind": lambda: value in kinds if "-" not in value else value.split("-") in (kinds, kinds[::-1]),
        "board": lambda: game.board == value.lower(),
        "rules": lambda: game.rule_set == value.lower(),
        "claims": lambda: game.claims == value.lower(),
        "tournament": lambda: (game.tournament or "tournament" in (game.flags or "").split()) == (value == "yes"),
        "result": lambda: (game.result or "*") == value.replace("none", "*"),
        "winner": lambda: (game.winner or 0) == {"first": 1, "second": 2, "none": 0}[value],
        "sets": lambda: {*value.split("+")} <= {*sets} if value != "several" else len(sets) > 1,
        "by": lambda: game.won_by == value,
        "ending": lambda: game.ending == value,
        "verdict": lambda: game.verdict == value,
        "event": lambda: alike(game.event, value) or alike(tournament(game), value),
        "site": lambda: alike(game.site, value),
        "round": lambda: alike(game.round, value),
        "moves": lambda: inside(game.movetext, value),
        "text": lambda: any(inside(text, value) for text in [*texts, game.date]),
        "source": lambda: inside(game.path, value),
        "code": lambda: any(alike(code, value) for code in game.codes),
        "label": lambda: alike(game.label, value),
        "id": lambda: letters(game.id).startswith(value),
    }[field]()  # fmt: skip


def tournament(game: Game) -> str | None:
    """The name that `tournaments` lists it under."""
    if game.event is None:
        is_flagged = "tournament" in (game.flags or "").split()
        return f"tournament {(game.date or '????.??')[:7]}" if is_flagged else None
    spans: dict[int, list[tuple[dt.date, dt.date]]] = {}
    for low, high in (DATES[one.date] for one in GAMES if one.event == game.event):
        if low is not None:
            spans.setdefault(low.year, []).extend([(low, high)] if (high - low).days <= 31 else [])
    began: dict[int, int] = {}
    for year in sorted(spans):
        before, now = spans.get(year - 1), spans[year]
        goes_on = before and now and (min(now)[0] - max(high for _, high in before)).days <= 60
        began[year] = began[year - 1] if goes_on else year
    if len({*began.values()}) < 2:
        return game.event
    low = DATES[game.date][0]
    return f"{game.event} {began[low.year] if low else '????'}"


def letters(number: int) -> str:
    bits = f"{number % 2**64:065b}"
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[int(bits[at : at + 5], 2)] for at in range(0, 65, 5))


def passes(game: Game, asked: tuple, beside: tuple = ()) -> bool:
    kind, *rest = asked
    if kind == "not":
        return not passes(game, rest[0], beside)
    if kind == "or":
        return any([passes(game, part, beside) for part in rest[0]])  # noqa: C419 - each part must be looked at
    if kind == "and":
        parts = flat(rest[0])
        beside += tuple(part[1:] for part in parts if part[0] == "term" and part[1] in SEATED)
        return all([passes(game, part, beside) for part in parts])  # noqa: C419
    field, values = rest
    if field != "vs":
        return any(holds(game, field, value) for value in values)
    whose = [one for one in beside if one[0] == "player"] or list(beside)
    if not whose:
        raise Lonely
    return any(
        all(
            any(
                is_called(name, named) and is_called(other, value)
                for named in names
                for name, other in seats(game, seat)
            )
            for seat, names in whose
        )
        for value in values
    )


def flat(parts: list[tuple]) -> list[tuple]:
    return [inner for part in parts for inner in (flat(part[1]) if part[0] == "and" else [part])]


SEATED = ("player", "first", "second", "won", "lost")
NAMES = ["ada", "ADA L.", "ad*", "*", "ben", "a_b", "100%", "čeněk", "O'B, n", "guest*", "nobody", "*b*"]
DAYS = ["2010", "2010.05", "2010-05-17", "2012.02", "2012.2.29", "2013.01.01", "2011"]
PLAIN = {
    **dict.fromkeys([*SEATED, "vs"], NAMES),
    "kind": ["human", "bot", "guest", "human-bot", "human-human", "bot-guest"],
    "board": ["37", "48", "61", "custom", "Custom"],
    "rules": ["standard", "BLITZ"],
    "claims": ["written", "automatic"],
    "tournament": ["yes", "no"],
    "result": ["1-0", "0-1", "1/2-1/2", "*", "none"],
    "winner": ["first", "second", "none"],
    "sets": ["4W", "3each", "5G", "4W+3each", "several", "none"],
    "by": ["jump", "claim"],
    "ending": ["set", "resign", "time"],
    "verdict": ["verified", "unfinished"],
    "since": DAYS,
    "until": DAYS,
    "event": ["open*", "ada's cup", "*", "ada", "Open 2010 2012", "ada's cup 2010", "* ????", "tournament 2010.*"],
    "site": ["the club", "*"],
    "round": ["1", "1*"],
    "moves": ["Wd4,d1 Bd3,a1", "x d3*Wd5", "wD4", "bb2", "b2", "d1*a1"],
    "text": ["ada", "open", "2010", "cup", "nobody", "tournament", "%", "l.", "05.1", "o*2"],
    "source": ["CLUB", "2010", "a/*.zip"],
    "code": ["W702", "w3*", "N420", "E301"],
    "label": ["study", "n*"],
    "id": ["0", "F", "1", "8", "00"],
}


@st.composite
def terms(draw: st.DrawFn) -> tuple:
    field = draw(st.sampled_from([*PLAIN, "date", "plies"]))
    return ("term", field, draw(st.lists(values(field), min_size=1, max_size=1 if field == "text" else 3)))


def values(field: str) -> st.SearchStrategy:
    if field in PLAIN:
        return st.sampled_from(PLAIN[field])
    one = st.sampled_from(DAYS if field == "date" else [str(number) for number in range(13)])
    ends = st.lists(one, min_size=2, max_size=2).map(lambda two: tuple(sorted(two, key=key(field))))
    return (
        one
        | ends
        | st.tuples(st.sampled_from(["<", ">", "<=", ">=", "="]), one)
        | st.tuples(one, st.none())
        | st.tuples(st.none(), one)
    )


@st.composite
def duels(draw: st.DrawFn) -> tuple:
    """A player and an opponent, perhaps somewhere further inside."""
    seat = st.sampled_from(SEATED)
    players = [("term", draw(seat), draw(st.lists(st.sampled_from(NAMES[:5]), min_size=1, max_size=2)))]
    if draw(st.booleans()):
        players.append(("term", draw(seat), [draw(st.sampled_from(["*", "*a*", "ada"]))]))
    opponent = ("term", "vs", draw(st.lists(st.sampled_from(["*", "*b*", "ben", "ada"]), min_size=1, max_size=2)))
    for shape in draw(st.lists(st.sampled_from(["not", "or", "and"]), max_size=3)):
        opponent = ("not", opponent) if shape == "not" else (shape, [draw(terms()), opponent])
    return ("and", [*players, opponent])


def key(field: str) -> Callable[[str], object]:
    return (lambda text: span(text)[0]) if field == "date" else int


def joined(leaves: st.SearchStrategy, most: int) -> st.SearchStrategy:
    return st.recursive(
        leaves,
        lambda inner: (
            st.tuples(st.just("not"), inner)
            | st.tuples(st.sampled_from(["and", "or", "and"]), st.lists(inner, min_size=2, max_size=4))
        ),
        max_leaves=most,
    )


FILTERS = joined(terms(), 8) | duels() | joined(terms() | duels(), 3)


def written(asked: tuple, dice: random.Random) -> str:
    """A filter in the language, in one of the ways in which it can be written."""
    kind, *rest = asked
    if kind == "term":
        return term(*rest, dice)
    if kind == "not":
        inner = written(rest[0], dice)
        return dice.choice(["not ", "NOT ", "-"]) + (f"({inner})" if rest[0][0] in ("and", "or") else inner)
    words = {"and": [" ", " and ", "  AND "], "or": [" or ", " Or "]}[kind]
    inner = [f"({written(part, dice)} )" if part[0] in ("and", "or") else written(part, dice) for part in rest[0]]
    return inner[0] + "".join(dice.choice(words) + part for part in inner[1:])


def term(field: str, choices: list, dice: random.Random) -> str:
    name = dice.choice([field, field.upper()])
    if field == "text" and dice.random() < 0.8 and re.match(r"[\w*]", choices[0]):
        return quoted(choices[0], dice)
    return f"{name}:{dice.choice(['', ' '])}" + dice.choice([",", ", "]).join(value(one, dice) for one in choices)


def value(one: object, dice: random.Random) -> str:
    if isinstance(one, str):
        return quoted(one, dice)
    low, high = one
    return f"{low}{high}" if low in ("<", ">", "<=", ">=", "=") else f"{low or ''}..{high or ''}"


def quoted(text: str, dice: random.Random) -> str:
    return text if re.fullmatch(r"[\w*%/+.'-]+", text) and dice.random() < 0.7 else f'"{text}"'


@settings(max_examples=150, deadline=None)
@given(FILTERS, st.randoms(use_true_random=False))
def test_a_filter_gives_the_games_of_its_obvious_reading(
    connection: duckdb.DuckDBPyConnection, asked: tuple, dice: random.Random
) -> None:
    text = written(asked, dice)
    try:
        check(connection, asked, text)
    except Lonely:
        with pytest.raises(QueryError, match="an opponent needs a player"):
            condition(text)


def check(connection: duckdb.DuckDBPyConnection, asked: tuple, text: str) -> int:
    """Whether the database answers a text as the filter is read; how many games that are."""
    wanted = {game.id for game in GAMES if passes(game, asked)}
    where, bound = condition(text)
    assert {
        number for (number,) in execute(connection, f"SELECT id FROM _game WHERE {where}", bound).fetchall()
    } == wanted, text
    return len(wanted)


def every_value(field: str) -> list:
    if field in PLAIN:
        return PLAIN[field]
    some = DAYS if field == "date" else ["0", "3", "11", "12"]
    ends = [*some, None]
    ranges = [
        (low, high)
        for low in ends
        for high in ends
        if (low or high) and not (low and high and key(field)(low) > key(field)(high))
    ]
    return [*some, *((sign, end) for sign in ("<", ">", "<=", ">=", "=") for end in some), *ranges]


@pytest.mark.parametrize("field", [*PLAIN, "date", "plies"])
def test_every_value_of_every_field(connection: duckdb.DuckDBPyConnection, field: str) -> None:
    counts = set()
    for value in every_value(field):
        asked = ("term", field, [value])
        if field == "vs":
            asked = ("and", [("term", "player", ["ada"]), asked])
        counts.add(check(connection, asked, written(asked, DICE)))
    assert any(0 < count < len(GAMES) for count in counts)
