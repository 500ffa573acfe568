"""The fields of a filter: what each is called, takes, means, and asks of a row of `_game`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parser.gipf.results import result_of
from parser.gipf.tags import ending_of
from parser.text.board_names import BOARDS, board_named
from parser.text.rule_words import is_basic, rule_words
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Plain, Range
from zertz_db.queries.filters.date_ranges import days
from zertz_db.queries.filters.errors import suggestion
from zertz_db.queries.filters.player_conditions import (
    KINDS,
    Condition,
    all_of,
    called,
    fits,
    has,
    matches,
    of_kind,
    one_of,
    seated,
)
from zertz_db.queries.tournament_editions import TOURNAMENTS
from zertz_db.rules.rule_sets import REPETITIONS, RULE_SETS, RuleSetError, rule_set
from zertz_db.store.ids import beginning_with

RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")
ENDINGS = ("set", "board-filled", "resign", "time", "agreed", "repetition", "both-lose", "abandoned", "no-move")
VERDICTS = ("verified", "unfinished")
RULE_WORDS = ("original", "1999", "basic", "tournament", "standard+tournament", "standard+written")
"""Other words for rule sets; `parser.text.rule_words` has more."""
SETS = tuple(dict.fromkeys(name for rules in RULE_SETS.values() for name in rules.set_names(0b1111)))
NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of the language.

    noun: what messages call it. meaning, example: for those who read about it. asks: the condition that a value makes.
    between: the one that a range makes, where ranges have a sense. choices: the values to choose from, where there are
    only so many.
    """

    noun: str
    meaning: str
    example: str
    asks: Callable[[Plain], Condition]
    between: Callable[[Range], Condition] | None = None
    choices: tuple[str, ...] = ()


def condition_of(name: str, value: Plain | Range) -> Condition:
    """What a field with this value asks. QueryError for a value that no game can have."""
    field = FIELDS[name]
    if isinstance(value, Range):
        if field.between is None:
            raise QueryError(f"{name} takes no range; words with such signs need quotation marks")
        return field.between(value)
    if not value.text.strip():
        article = "an" if field.noun[0] in "aeiou" else "a"
        raise QueryError(f"{article} {field.noun} can't be empty; leave {name} out for any game")
    return field.asks(value)


def _choice(noun: str, meaning: str, example: str, choices: tuple[str, ...], asks: Mapping[str, str] | str) -> Field:
    """A field with so many values: a column that has them, or the condition that each of them means."""

    def asked(value: Plain) -> Condition:
        wanted = validate_choice(noun, value.text, choices)
        return (f"{asks} = ?", [wanted]) if isinstance(asks, str) else (asks[wanted], [])

    return Field(noun=noun, meaning=meaning, example=example, asks=asked, choices=choices)


def validate_choice(noun: str, text: str, choices: tuple[str, ...]) -> str:
    """The choice that is meant, capital and small letters alike. QueryError where there is none such."""
    for choice in choices:
        if choice.casefold() == text.strip().casefold():
            return choice
    raise QueryError(f"no game has the {noun} {text!r}; there are {', '.join(choices)}{suggestion(text, choices)}")


def _text(column: str, meaning: str, example: str) -> Field:
    """A field that is a text of the game, given whole."""
    return Field(noun=column, meaning=meaning, example=example, asks=lambda value: fits(column, value.text.strip()))


def _event(value: Plain) -> Condition:
    text = value.text.strip()
    named, values = fits("tournament_name", text)
    return one_of([fits("event", text), (f"_game.id IN (SELECT id FROM ({TOURNAMENTS}) WHERE {named})", values)])


def _board(value: Plain) -> Condition:
    return "board = ?", [validate_choice("board", board_named(value.text) or value.text, BOARDS)]


def _result(value: Plain) -> Condition:
    wanted = validate_choice("result", result_of(value.text) or value.text, (*RESULTS, NONE))
    return ("coalesce(result, '*') = '*'", []) if wanted in ("*", NONE) else ("result = ?", [wanted])


def _ending(value: Plain) -> Condition:
    return "ending = ?", [validate_choice("ending", ending_of(value.text) or value.text, ENDINGS)]


def _rules(value: Plain) -> Condition:
    """The rule set of that name, with the options that are named."""
    if rule_words(value.text)[0] not in RULE_SETS:
        validate_choice("rule set", value.text, (*RULE_SETS, *RULE_WORDS))
    try:
        rules = rule_set(value.text)
    except RuleSetError as error:
        raise QueryError(str(error)) from error
    asked: list[Condition] = [("rule_set = ?", [rules.name])]
    asked += [("board = '37'", [])] * is_basic(value.text)
    asked += [("tournament", [])] * rules.tournament
    asked += [("claims = 'written'", [])] * rules.written_claims
    asked += [(_NO_TIES, [])] * (not rules.ties)
    asked += [(_repeated(rules.repetition), [])] * bool(rules.repetition)
    return all_of(asked)


def _repeated(times: int | str) -> str:
    return f"coalesce(contains({_OPTIONS}, '+repetition{times}'), false)"


def _sets(value: Plain) -> Condition:
    wanted = [validate_choice("winning set", name, (*SETS, "several", NONE)) for name in value.text.split("+")]
    return all_of([_set(name) for name in wanted])


def _set(name: str) -> Condition:
    if name == NONE:
        return "winning_sets IS NULL", []
    if name == "several":
        return "contains(winning_sets, '+')", []
    return "list_contains(string_split(winning_sets, '+'), ?)", [name]


def _day(value: Plain) -> Condition:
    first, last = days(value.text)
    return "(date_to >= ? AND date_from <= ?)", [first, last]


def _days(asked: Range) -> Condition:
    """Games that may lie in the range, if their date is not known to the day."""
    low, high = (days(end) if end is not None else None for end in (asked.low, asked.high))
    if low and high and low[0] > high[1]:
        raise QueryError(f"the range of dates is empty: {asked.low} comes after {asked.high}")
    parts: list[Condition] = []
    if low:
        parts.append(("date_to > ?", [low[1]]) if asked.strict else ("date_to >= ?", [low[0]]))
    if high:
        parts.append(("date_from < ?", [high[0]]) if asked.strict else ("date_from <= ?", [high[1]]))
    return all_of(parts)


def _plies(asked: Range) -> Condition:
    low, high = (_number(end) if end is not None else None for end in (asked.low, asked.high))
    if low is not None and high is not None and low > high:
        raise QueryError(f"the range of plies is empty: {low} is more than {high}")
    equal = "" if asked.strict else "="
    ends: list[tuple[str, int | None]] = [(">", low), ("<", high)]
    return all_of([(f"plies {sign}{equal} ?", [end]) for sign, end in ends if end is not None])


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise QueryError(f"{text!r} is no number of plies; write 20, 20..40, <20 or >=20")
    return int(text)


def _source(value: Plain) -> Condition:
    where, values = has(_PLACE, value.text.strip())
    return f"_game.id IN (SELECT game FROM _record JOIN _source s ON s.id = source WHERE {where})", values


_PLACE = "(s.path || CASE WHEN member = '' THEN '' ELSE '!' || member END)"
"""Where a record is, as commands print it: a path, and behind `!` the name inside an archive."""


def _code(value: Plain) -> Condition:
    if not re.fullmatch(r"[EWN][0-9*]{1,3}", value.text.strip().upper()):
        raise QueryError(f"{value.text!r} is no code of a finding; they are like W702, and W3* is all that begin so")
    where, values = fits("code", value.text.strip())
    return f"_game.id IN (SELECT game FROM _record WHERE id IN (SELECT record FROM _finding WHERE {where}))", values


def _id(value: Plain) -> Condition:
    try:
        first, last = beginning_with(value.text)
    except ValueError as error:
        raise QueryError(str(error)) from error
    return "_game.id BETWEEN ? AND ?", [first, last]


def _label(value: Plain) -> Condition:
    where, values = fits("label", value.text.strip())
    return f"_game.id IN (SELECT game FROM _mark WHERE {where})", values


def _anywhere(value: Plain) -> Condition:
    part = value.text.strip()
    names = [called(side, f"*{part}*") for side in (1, 2)]
    columns = _SEARCHED if re.search("[^0-9.?*]", part) else (*_SEARCHED, "date")
    return one_of([*names, *(has(column, part) for column in columns)])


def _moves(value: Plain) -> Condition:
    """Written as the notation has it, the text need not be compared letter by letter alike: that takes five times as long."""
    plies = re.sub(_MARBLE, lambda found: found[1].upper() + found[2].lower(), value.text.strip())
    plies = re.sub("X(?= )", "x", plies)
    if "*" in plies:
        return matches("movetext", f"*{plies}*")
    return "contains(movetext, ?)", [plies]


_MARBLE = re.compile(r"([WGB]?)([A-Q])(?=[0-9])", re.IGNORECASE)
_SEARCHED = ("event", "site", "round", "flags")
_OPTIONS = "split_part(start, ' ', 2)"
"""The rule set with its options, in a start that has any which no column tells."""
_NO_TIES = f"coalesce(contains({_OPTIONS}, '+noties'), false)"
_TOURNAMENT = "(tournament OR coalesce(list_contains(string_split(flags, ' '), 'tournament'), false))"


def _player(field: str, meaning: str, example: str) -> Field:
    """A field that names a player."""
    return Field(noun="player's name", meaning=meaning, example=example, asks=lambda value: seated(field, value))


def _lonely(value: Plain) -> Condition:
    raise QueryError(f"an opponent needs a player: say whose opponent is meant, as in player:NAME vs:{value.text}")


def _since(value: Plain) -> Condition:
    return _days(Range(value.text, None))


def _until(value: Plain) -> Condition:
    return _days(Range(None, value.text))


FIELDS = {
    "player": _player("player", "played, on either side", 'player:"ada l*"'),
    "vs": Field(noun="player's name", meaning="the opponent of the player named beside it", example="player:ada vs:ben", asks=_lonely),
    "first": _player("first", "moved first", "first:ada"),
    "second": _player("second", "moved second", "second:ada"),
    "won": _player("won", "won the game", "won:ada vs:ben"),
    "lost": _player("lost", "lost the game", "lost:ada"),
    "kind": Field(
        noun="kind of player", meaning="one player is of this kind, or the two are", example="kind:human-bot", asks=of_kind, choices=KINDS
    ),
    "board": Field(
        noun="board", meaning="played on this board", example="board:37,48", asks=_board, choices=BOARDS
    ),
    "rules": Field(
        noun="rule set", meaning="played under this rule set, and with these options", example="rules:blitz", asks=_rules,
        choices=(*RULE_SETS, *RULE_WORDS),
    ),
    "claims": _choice(
        "claims", "isolated groups are taken by themselves, or as written", "claims:written", ("automatic", "written"), "claims"
    ),
    "tournament": _choice(
        "tournament", "played in a tournament, or with that option of the rules", "tournament:yes", ("yes", "no"),
        {"yes": _TOURNAMENT, "no": f"NOT {_TOURNAMENT}"},
    ),
    "ties": _choice(
        "ties", "whether a game could be tied; no: both would lose", "ties:no", ("yes", "no"), {"yes": f"NOT {_NO_TIES}", "no": _NO_TIES}
    ),
    "repetition": _choice(
        "repetition", "how often turns were made until that ended the game; open: only a record that ends there makes it an end",
        "repetition:2", ("open", *map(str, REPETITIONS)),
        {"open": f"NOT {_repeated('')}"} | {str(times): _repeated(times) for times in REPETITIONS},
    ),
    "result": Field(
        noun="result", meaning="with this result", example="result:1-0", asks=_result, choices=(*RESULTS, NONE)
    ),
    "winner": _choice(
        "winner", "who won: the player who moved first, second, or nobody", "winner:second", ("first", "second", NONE),
        {"first": "winner = 1", "second": "winner = 2", NONE: "coalesce(winner, 0) = 0"},
    ),
    "sets": Field(
        noun="winning set", meaning="this winning set was held at the end, perhaps with others", example="sets:4W+3each",
        asks=_sets, choices=(*SETS, "several", NONE),
    ),
    "by": _choice("way to win", "what brought the winning set", "by:claim", ("jump", "claim"), "won_by"),
    "ending": Field(noun="ending", meaning="ended so", example="ending:resign", asks=_ending, choices=ENDINGS),
    "verdict": _choice("verdict", "with an end or without", "verdict:unfinished", VERDICTS, "verdict"),
    "date": Field(
        noun="date", meaning="may have been played then", example="date:2010..2012.06", asks=_day, between=_days
    ),
    "since": Field(noun="date", meaning="not played before", example="since:2010.05", asks=_since),
    "until": Field(noun="date", meaning="not played after", example="until:2010-05-31", asks=_until),
    "plies": Field(
        noun="number of plies", meaning="so many plies long", example="plies:20..40", between=_plies,
        asks=lambda value: _plies(Range(value.text, value.text)),
    ),
    "event": Field(
        noun="event", meaning="the event, or the tournament as `zertz tournaments` lists it", example='event:"open*"', asks=_event
    ),
    "site": _text("site", "where it was played", "site:club*"),
    "round": _text("round", "the round", "round:3"),
    "moves": Field(noun="moves", meaning="has these plies in a row", example='moves:"Wd4,d1 Bd3,a1"', asks=_moves),
    "text": Field(noun="text", meaning="a name, event, site, round, date or flag has this in it", example="text:open", asks=_anywhere),
    "source": Field(
        noun="part of a path", meaning="found in a file with this in its path, or in its name inside an archive", example="source:2010",
        asks=_source,
    ),
    "code": Field(noun="code", meaning="a record of it has this finding", example="code:W702", asks=_code),
    "label": Field(noun="label", meaning="somebody gave it this label", example="label:study*", asks=_label),
    "id": Field(noun="id", meaning="the id begins so", example="id:3T7K", asks=_id),
}  # fmt: skip
"""By name. A bare word in a filter is one of the field `text`."""
