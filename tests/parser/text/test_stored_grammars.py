"""The stored expressions and tables are those of the grammars, and stale ones don't count."""

from __future__ import annotations

from typing import Any

import pytest
from lark.parsers.lalr_analysis import Shift

from zertz_db.parser.text import stored_grammars
from zertz_db.parser.text.stored_grammars import STORED, build_parser, derive_expressions, expressions_of, parser_of

REWRITE = "run: python -m zertz_db.parser.text.stored_grammars"


@pytest.mark.parametrize("grammar", sorted({grammar for grammar, _ in STORED}))
def test_expressions_are_those_of_the_grammar(grammar: str) -> None:
    stored = stored_grammars._read(stored_grammars._terminals_file(grammar))
    assert stored is not None, REWRITE
    assert stored["grammar"] == stored_grammars._checksum(grammar), REWRITE
    assert expressions_of(grammar) == derive_expressions(grammar), REWRITE


@pytest.mark.parametrize(("grammar", "starts"), STORED)
def test_tables_are_those_of_the_grammar(grammar: str, starts: tuple[str, ...]) -> None:
    """States may be numbered in another order: both automata are walked side by side."""
    loaded = stored_grammars._load(grammar, starts)
    if loaded is None:
        stored = stored_grammars._read(stored_grammars._tables_file(grammar, starts))
        assert stored is not None and stored["grammar"] == stored_grammars._checksum(grammar), REWRITE
        pytest.skip("the tables were made by another version of Lark")
    built = build_parser(grammar, *starts)
    ours, expected = table_of(loaded), table_of(built)
    assert terminals_of(loaded) == terminals_of(built)
    assert (loaded.lexer_conf.ignore, loaded.options.start) == (built.lexer_conf.ignore, built.options.start)
    pairs = {(ours.start_states[rule], expected.start_states[rule]) for rule in starts}
    seen: set[tuple[int, int]] = set()
    while pairs:
        pair = pairs.pop()
        seen.add(pair)
        here, there = ours.states[pair[0]], expected.states[pair[1]]
        assert here.keys() == there.keys(), REWRITE
        for token, (action, argument) in here.items():
            other_action, other = there[token]
            assert action is other_action, REWRITE
            if action is Shift:
                pairs |= {(argument, other)} - seen
            else:
                assert (argument, options_of(argument)) == (other, options_of(other)), REWRITE
    assert len({one for one, _ in seen}) == len({one for _, one in seen}) == len(seen) == len(expected.states)


def table_of(parser: Any) -> Any:
    return parser.parser.parser._parse_table


def options_of(rule: Any) -> dict[str, Any]:
    """JSON makes lists of tuples."""
    return {**vars(rule.options), "empty_indices": list(rule.options.empty_indices)}


def terminals_of(parser: Any) -> Any:
    return sorted((one.name, one.pattern.to_regexp(), one.priority) for one in parser.terminals)


@pytest.mark.parametrize("stale", ["lark", "grammar", "missing"])
def test_a_stale_file_does_not_count(stale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = stored_grammars._read
    stored = None if stale == "missing" else {**(read(stored_grammars._tables_file(*STORED[2])) or {}), stale: "other"}
    monkeypatch.setattr(stored_grammars, "_read", lambda _: stored)
    assert stored_grammars._load(*STORED[2]) is None
    assert "ACTIONS" in {terminal.name for terminal in parser_of.__wrapped__(STORED[2][0], *STORED[2][1]).terminals}


def test_stale_expressions_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_grammars, "_read", lambda _: {"grammar": "other", "terminals": {}})
    assert "ACTIONS" in expressions_of.__wrapped__(STORED[2][0])
