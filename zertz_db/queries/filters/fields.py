"""Fields of the filter language: names, values, meanings, and conditions on rows of `_game`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from zertz_db.parser.gipf.results import result_of
from zertz_db.parser.gipf.tags import ending_of
from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.vocabulary.board_names import BOARDS, board_named
from zertz_db.parser.vocabulary.rule_words import is_basic, parse_rule_words
from zertz_db.parser.vocabulary.terms import GAMES, Ending, GameResult
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Plain, Range
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
from zertz_db.queries.filters.ranges import days, within
from zertz_db.queries.filters.rating_conditions import ratings_within
from zertz_db.queries.filters.tactic_conditions import (
    ANALYSED,
    blunders_within,
    by_player,
    equal_to,
    forced_within,
    missed_within,
)
from zertz_db.queries.tournament_editions import TOURNAMENTS
from zertz_db.rules.rule_sets import REPETITIONS, RULE_SETS, RuleSetError, rule_set
from zertz_db.store.ids import beginning_with
from zertz_db.store.sql_literals import literal

RULE_WORDS = ("original", "1999", "basic", "tournament", "standard+tournament", "standard+written")
"""More names of rule sets; `zertz_db.parser.vocabulary.rule_words` has others."""
SETS = tuple(dict.fromkeys(name for rules in RULE_SETS.values() for name in rules.set_names(0b1111)))
NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Field of the language.

    noun: its name in messages. meaning, example: for the documentation. asks: returns the condition of a value.
    between: returns the condition of a range; None for a field without ranges. choices: the valid values of a closed field.
    """

    noun: str
    meaning: str
    example: str
    asks: Callable[[Plain], Condition]
    between: Callable[[Range], Condition] | None = None
    choices: tuple[str, ...] = ()


def condition_of(name: str, value: Plain | Range) -> Condition:
    """Return the condition of a field with a value. QueryError for a value that no game can have."""
    field = FIELDS[name]
    if isinstance(value, Range):
        if field.between is None:
            raise QueryError(f"{name} takes no range; quote values with these characters")
        return field.between(value)
    if not value.text.strip():
        article = "an" if field.noun[0] in "aeiou" else "a"
        raise QueryError(f"{article} {field.noun} can't be empty; omit {name} for any game")
    return field.asks(value)


def _choice(noun: str, meaning: str, example: str, choices: tuple[str, ...], asks: Mapping[str, str] | str) -> Field:
    """Return a closed field. asks: the column that has the values, or the condition of each value."""

    def ask(value: Plain) -> Condition:
        wanted = validate_choice(noun, value.text, choices)
        return (f"{asks} = ?", [wanted]) if isinstance(asks, str) else (asks[wanted], [])

    return Field(noun=noun, meaning=meaning, example=example, asks=ask, choices=choices)


def validate_choice(noun: str, text: str, choices: tuple[str, ...]) -> str:
    """Return the choice that equals a text, ignoring case. QueryError if there is none."""
    for choice in choices:
        if choice.casefold() == text.strip().casefold():
            return choice
    raise QueryError(f"no game has the {noun} {text!r}; there are {', '.join(choices)}{suggestion(text, choices)}")


def _text(column: str, meaning: str, example: str) -> Field:
    """Return a field whose value is a whole text of the game."""
    return Field(noun=column, meaning=meaning, example=example, asks=lambda value: fits(column, value.text.strip()))


def _event(value: Plain) -> Condition:
    text = value.text.strip()
    named, values = fits("tournament_name", text)
    return one_of([fits("event", text), (f"_game.id IN (SELECT id FROM ({TOURNAMENTS}) WHERE {named})", values)])


def _edition(value: Plain) -> Condition:
    """Return the condition that a game is one of a listed tournament. A `*` is a letter here, since it may be one in a name."""
    return f"_game.id IN (SELECT id FROM ({TOURNAMENTS}) WHERE lower(tournament_name) = lower(?))", [value.text.strip()]


def _board(value: Plain) -> Condition:
    return "board = ?", [validate_choice("board", board_named(value.text) or value.text, BOARDS)]


def _result(value: Plain) -> Condition:
    wanted = validate_choice("result", result_of(value.text) or value.text, (*GameResult, NONE))
    return (_NO_RESULT, []) if wanted in (GameResult.UNKNOWN, NONE) else ("result = ?", [wanted])


_NO_RESULT = f"coalesce(result, {literal(GameResult.UNKNOWN)}) = {literal(GameResult.UNKNOWN)}"


def _ending(value: Plain) -> Condition:
    return "ending = ?", [validate_choice("ending", ending_of(value.text) or value.text, tuple(Ending))]


def _rules(value: Plain) -> Condition:
    """Return the condition of a rule set with its options."""
    if parse_rule_words(value.text)[0] not in RULE_SETS:
        validate_choice("rule set", value.text, (*RULE_SETS, *RULE_WORDS))
    try:
        rules = rule_set(value.text)
    except RuleSetError as error:
        raise QueryError(str(error)) from error
    parts: list[Condition] = [("rule_set = ?", [rules.name])]
    parts += [("board = '37'", [])] * is_basic(value.text)
    parts += [("tournament", [])] * rules.tournament
    parts += [("claims = 'written'", [])] * rules.written_claims
    parts += [(_NO_TIES, [])] * (not rules.ties)
    parts += [(_repeated(rules.repetition), [])] * bool(rules.repetition)
    return all_of(parts)


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


def _days(wanted: Range) -> Condition:
    """Return the condition of a range of dates; an incomplete date matches if it may be in the range."""
    low, high = (days(end) if end is not None else None for end in (wanted.low, wanted.high))
    if low and high and low[0] > high[1]:
        raise QueryError(f"the range of dates is empty: {wanted.low} comes after {wanted.high}")
    parts: list[Condition] = []
    if low:
        parts.append(("date_to > ?", [low[1]]) if wanted.strict else ("date_to >= ?", [low[0]]))
    if high:
        parts.append(("date_from < ?", [high[0]]) if wanted.strict else ("date_from <= ?", [high[1]]))
    return all_of(parts)


def _plies(wanted: Range) -> Condition:
    return within("plies", wanted, "plies")


def _source(value: Plain) -> Condition:
    where, values = has(PLACE, value.text.strip())
    return f"_game.id IN (SELECT game FROM _record JOIN _source s ON s.id = source WHERE {where})", values


PLACE = "(s.path || CASE WHEN member = '' THEN '' ELSE '!' || member END)"
"""Place of a record as commands print it: a path, and after `!` the name inside an archive."""


def _code(value: Plain) -> Condition:
    if not re.fullmatch(r"[EWN][0-9*]{1,3}", value.text.strip().upper()):
        meant = _MISSPELT_CODE.match(value.text.strip().upper())
        hint = f"; did you mean {meant[1]}{meant[2].translate(_DIGITS)}?" if meant else ""
        raise QueryError(f"invalid code {value.text!r}; write a code such as W702, or a prefix such as W3*{hint}")
    where, values = fits("code", value.text.strip())
    return f"_game.id IN (SELECT game FROM _record WHERE id IN (SELECT record FROM _finding WHERE {where}))", values


_MISSPELT_CODE = compile_on_use(r"([EWN])[\W_]*([0-9OIL]{3})(?![0-9])")
_DIGITS = str.maketrans("OIL", "011")
"""Letters that look like digits."""


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
    """Return the condition of plies in a row. The text is normalised first: a comparison that ignores case takes five times as long."""
    plies = _MARBLE.sub(lambda found: found[1].upper() + found[2].lower(), value.text.strip())
    plies = re.sub("X(?= )", "x", plies)
    if "*" in plies:
        return matches("movetext", f"*{plies}*")
    return "contains(movetext, ?)", [plies]


_MARBLE = compile_on_use(r"([WGB]?)([A-Q])(?=[0-9])", re.IGNORECASE)
_SEARCHED = ("event", "site", "round", "flags")
_OPTIONS = "split_part(start, ' ', 2)"
"""The rule set with its options, from a start whose options have no columns."""
_NO_TIES = f"coalesce(contains({_OPTIONS}, '+noties'), false)"
_TOURNAMENT = "(tournament OR coalesce(list_contains(string_split(flags, ' '), 'tournament'), false))"


def _player(field: str, meaning: str, example: str) -> Field:
    """Return a field that names a player."""
    return Field(noun="player's name", meaning=meaning, example=example, asks=lambda value: seated(field, value))


def _counted(within_range: Callable[[Range], Condition], noun: str, meaning: str, example: str) -> Field:
    """Return a field whose values are ranges of numbers."""
    return Field(noun=noun, meaning=meaning, example=example, asks=equal_to(within_range), between=within_range)


def _lonely(value: Plain) -> Condition:
    raise QueryError(f"an opponent needs a player: player:NAME vs:{value.text}")


def _since(value: Plain) -> Condition:
    return _days(Range(value.text, None))


def _until(value: Plain) -> Condition:
    return _days(Range(None, value.text))


FIELDS = {
    "player": _player("player", "a player, on either side", 'player:"ada l*"'),
    "vs": Field(noun="player's name", meaning="the opponent of the named player", example="player:ada vs:ben", asks=_lonely),
    "first": _player("first", "the player who moved first", "first:ada"),
    "second": _player("second", "the player who moved second", "second:ada"),
    "won": _player("won", "the player who won", "won:ada vs:ben"),
    "lost": _player("lost", "the player who lost", "lost:ada"),
    "kind": Field(
        noun="kind of player", meaning="the kind of one player, or of both", example="kind:human-bot", asks=of_kind, choices=KINDS
    ),
    "board": Field(
        noun="board", meaning="the board", example="board:37,48", asks=_board, choices=BOARDS
    ),
    "rules": Field(
        noun="rule set", meaning="the rule set, with these options", example="rules:blitz", asks=_rules,
        choices=(*RULE_SETS, *RULE_WORDS),
    ),
    "claims": _choice(
        "claims", "how full groups are claimed: automatically, or as written", "claims:written", ("automatic", "written"), "claims"
    ),
    "tournament": _choice(
        "tournament", "whether played in a tournament, or with that option of the rules", "tournament:yes", ("yes", "no"),
        {"yes": _TOURNAMENT, "no": f"NOT {_TOURNAMENT}"},
    ),
    "ties": _choice(
        "ties", "whether ties are possible; no: both players lose", "ties:no", ("yes", "no"), {"yes": f"NOT {_NO_TIES}", "no": _NO_TIES}
    ),
    "repetition": _choice(
        "repetition", "number of repetitions that end the game; open: a repetition ends it only where the record ends",
        "repetition:2", ("open", *map(str, REPETITIONS)),
        {"open": f"NOT {_repeated('')}"} | {str(times): _repeated(times) for times in REPETITIONS},
    ),
    "result": Field(
        noun="result", meaning="the result", example="result:1-0", asks=_result, choices=(*GameResult, NONE)
    ),
    "winner": _choice(
        "winner", "the winner: the player who moved first, second, or none", "winner:second", ("first", "second", NONE),
        {"first": "winner = 1", "second": "winner = 2", NONE: "coalesce(winner, 0) = 0"},
    ),
    "sets": Field(
        noun="winning set", meaning="a winning set at the end, perhaps with others", example="sets:4W+3each",
        asks=_sets, choices=(*SETS, "several", NONE),
    ),
    "by": _choice("way to win", "the kind of move that completed the winning set", "by:claim", ("jump", "claim"), "won_by"),
    "ending": Field(noun="ending", meaning="how the game ended", example="ending:resign", asks=_ending, choices=tuple(Ending)),
    "verdict": _choice("verdict", "whether the record has the end of the game", "verdict:unfinished", GAMES, "verdict"),
    "date": Field(
        noun="date", meaning="a possible date, or a range", example="date:2010..2012.06", asks=_day, between=_days
    ),
    "since": Field(noun="date", meaning="the earliest date", example="since:2010.05", asks=_since),
    "until": Field(noun="date", meaning="the latest date", example="until:2010-05-31", asks=_until),
    "plies": _counted(_plies, "number of plies", "the number of plies", "plies:20..40"),
    "rating": _counted(
        ratings_within("rating1", "rating2"), "rating", "the ratings of both players before the game", "rating:>1900"
    ),
    "rating-first": _counted(
        ratings_within("rating1"), "rating", "the rating of the player who moved first", "rating-first:1600..1800"
    ),
    "rating-second": _counted(
        ratings_within("rating2"), "rating", "the rating of the player who moved second", "rating-second:>=2000"
    ),
    "rating-diff": _counted(
        ratings_within("abs(rating1 - rating2)", usual=100), "difference of ratings", "the difference of both ratings", "rating-diff:<100"
    ),
    "rating-deviation": _counted(
        ratings_within("deviation1", "deviation2", usual=100), "deviation", "the standard deviations of both ratings",
        "rating-deviation:<=150",
    ),
    "forced": _counted(
        forced_within, "number of plies", "a forced win of so many plies for the player to move, at some ply", "forced:3..7"
    ),
    "missed": _counted(missed_within, "number of plies", "a missed forced win of so many plies", "missed:>=3"),
    "blunders": _counted(blunders_within, "number of blunders", "the number of proven blunders of both players", "blunders:>0"),
    "missed-by": Field(
        noun="player's name", meaning="a player who missed a forced win", example="missed-by:ada", asks=by_player("missed-by")
    ),
    "blunder-by": Field(
        noun="player's name", meaning="a player with a proven blunder", example="blunder-by:ada", asks=by_player("blunder-by")
    ),
    "analysed": _choice(
        "analysis", "whether it was searched for forced wins", "analysed:yes", ("yes", "no"),
        {"yes": ANALYSED, "no": f"NOT {ANALYSED}"},
    ),
    "event": Field(
        noun="event", meaning="the event, or the tournament as `zertz tournaments` lists it", example='event:"open*"', asks=_event
    ),
    "edition": Field(
        noun="tournament", meaning="exactly the tournament that `zertz tournaments` lists", example='edition:"Club Open 2010"',
        asks=_edition,
    ),
    "site": _text("site", "the place of the game", "site:club*"),
    "round": _text("round", "the round", "round:3"),
    "moves": Field(noun="moves", meaning="plies in a row", example='moves:"Wd4,d1 Bd3,a1"', asks=_moves),
    "text": Field(noun="text", meaning="part of a name, event, site, round, date or flag", example="text:open", asks=_anywhere),
    "source": Field(
        noun="part of a path", meaning="part of the path of a file, or of its name inside an archive", example="source:2010",
        asks=_source,
    ),
    "code": Field(noun="code", meaning="a finding of a record of the game", example="code:W702", asks=_code),
    "label": Field(noun="label", meaning="a label of a mark", example="label:study*", asks=_label),
    "id": Field(noun="id", meaning="the prefix of the id", example="id:3T7K", asks=_id),
}  # fmt: skip
"""Fields by name. A bare word in a filter is a value of `text`."""
