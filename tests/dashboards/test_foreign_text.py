"""Foreign text reaches Markdown only through `escape_markdown`: a check of the calls of Streamlit in the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db import dashboards
from zertz_db.dashboards.state.markdown_text import close_directions, escape_markdown

FILES = sorted(Path(dashboards.__file__).parent.rglob("*.py"))
LABELLED = {"label", "body", "text", "title", "help", "page_title"}
MARKDOWN = {
    *("title", "header", "subheader", "caption", "markdown", "write", "error", "warning", "info", "success", "toast", "badge"),
    *("button", "form_submit_button", "download_button", "link_button", "page_link", "popover", "expander", "tabs", "status"),
    *("text_input", "text_area", "number_input", "selectbox", "multiselect", "radio", "checkbox", "toggle", "slider", "pills"),
    *("segmented_control", "file_uploader", "progress", "spinner", "metric", "feedback", "chat_message", "dialog", "date_input"),
}  # fmt: skip
"""Calls of Streamlit whose first argument, label, body or help is Markdown."""
OURS_WITH_MARKDOWN = {"write_button", "bind_select"}
"""Functions of ours that hand their first argument to one of them."""
OPTIONS = {"pills", "segmented_control", "radio"}
"""Calls whose options are Markdown too; those of a select box are text."""
SAFE_CALLS = {
    "escape_markdown",
    "build_link",
    "build_game_link",
    "build_player_link",
    "build_facts",
    "format_count",
    "format_percent",
    "format_age",
    "format_interval",
    "len",
    "format_mean",
    "describe_total",
}
"""Functions that return numbers, words of ours, or what `escape_markdown` returned."""
WORDS_OF_OURS = {
    "app.py": ["_FAILURE_MESSAGE.format(type(error).__name__)"],
    "charts.py": ["field"],
    "check.py": [
        "describe_import(games, len(rejected))",
        "location.get_number('record', len(found.records), numbers[0] + 1)",
        "name",
    ],
    "compare.py": ["LABELS[name]"],
    "session_work.py": ["caption"],
    "game_corrections.py": ["LABELS.get(tag, tag)", "game.id"],
    "engine_answer.py": ["*STRENGTHS"],
    "enter.py": ["checked.verdict.capitalize()", "label", "ply"],
    "entered_game.py": ["check(record).completed()"],
    "filter_bar.py": ["build_field_table()"],
    "switch_row.py": [
        "KIND_LABELS[kind]",
        "SIDE_LABELS[field]",
        "SIDE_LABELS[choice.field]",
        "describe_years(now)",
        "label",
    ],
    "download_menu.py": ["label"],
    "heading.py": ["game.outcome", "row['verdict']"],
    "known_lines.py": ["describe_novelty(game.id, run_query(find, game.id))"],
    "list_steps.py": ["label"],
    "source.py": ["game.id"],
    "unknown.py": ["find_game_id(path)", "label"],
    "game.py": ["game.id", "label", "nothing", "ply"],
    "imports.py": ["describe_edit(edited.is_changed, edited.is_game, reject.game is not None)", "run"],
    "location.py": ["label", "list(tabs)"],
    "missed_moves.py": ["number"],
    "possible_moves.py": ["map(escape_markdown, sentences(found))"],
    "notices.py": ["notice.label"],
    "node_tools.py": ["name"],
    "position_facts.py": ["filter(None, parts)"],
    "start_form.py": ["*RULE_SETS"],
    "openings.py": [
        "found.position.side",
        "run_query(list_played_boards, get_value('board'))",
        "run_query(list_played_rules, board, get_value('rules'))",
    ],
    "overview.py": [
        "label",
        "map(escape_markdown, found[:MAX_REPORTED])",
        "description",
        "filter(None, parts)",
        "last['run']",
    ],
    "players.py": ["list(dict.fromkeys((row['kind'] for row in players)))"],
    "puzzles.py": ["puzzle.length", "puzzle.position.side"],
    "record_view.py": ["checked.verdict", "finding.code", "str(part)"],
    "game_pairs.py": ["label"],
    "name_pairs.py": ["list_evidence(row['evidence'])", "row['grade']", "row['precision']", "row['score']"],
    "relayed_games.py": ["list_evidence(row['evidence'])"],
    "pair_controls.py": ["choice.label"],
    "player_kind.py": ["MEANINGS.__getitem__"],
    "search.py": ["help_text", "label"],
    "search_editor.py": [
        "colour",
        "holder",
        "name",
        "'player {}'.format",
    ],
    "stats.py": [
        "capitalise((TIMES if is_time else STATISTICS)[name].title)",
        "coverage",
        "group(name).meaning",
        "name",
    ],
}
"""Expressions by file whose values are numbers or our own words: ids, verdicts, names of statistics, titles."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_markdown_is_ours_or_plain(path: Path) -> None:
    found = dict(foreign(ast.parse(path.read_text("utf-8"))))
    known = WORDS_OF_OURS.get(path.name, [])
    assert {source: f"{path.name}:{line}" for source, line in found.items() if source not in known} == {}
    assert [source for source in known if source not in found] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("st.error(str(error))", {"str(error)"}),
        ("st.error(escape_markdown(error), icon=':material/error:')", set()),
        ("st.caption(f'{name} and {escape_markdown(name)}, {count:,}')", {"name"}),
        ("place.button('Save', help=note)", {"note"}),
        ("st.pills('Label', labels)", {"labels"}),
        ("st.pills('Label', labels, format_func=escape_markdown)", set()),
        ("text = row['note'] if row else ''\nst.markdown(f'**{text}**')", {"row['note']"}),
        ("st.selectbox('Which', names)", set()),
        ("st.page_link('game.py', label=title)", {"title"}),
        ("st.toast(' '.join(escape_markdown(one) for one in found))", set()),
    ],
)
def test_what_is_foreign_is_found(source: str, found: set[str]) -> None:
    assert {part for part, _ in foreign(ast.parse(source))} == found


def foreign(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield what is given to Markdown and may be foreign: source and line of each expression."""
    for function in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]:
        known = assigned(function)
        for call in own_calls(function):
            for value in shown(call):
                yield from ((ast.unparse(part), part.lineno) for part in unsafe(value, known))


def own_calls(function: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls within a function (or module), without those within functions in it."""
    waiting = [*ast.iter_child_nodes(function)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            continue
        if isinstance(node, ast.Call):
            yield node
        waiting += ast.iter_child_nodes(node)


def shown(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are shown as Markdown."""
    if isinstance(call.func, ast.Attribute):
        name, is_shown = call.func.attr, call.func.attr in MARKDOWN
    else:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        is_shown = name in OURS_WITH_MARKDOWN
    if is_shown:
        yield from call.args[1:2] if name == "progress" else [] if name == "page_link" else call.args[:1]
        yield from (keyword.value for keyword in call.keywords if keyword.arg in LABELLED)
        if name in OPTIONS:
            formats = [keyword.value for keyword in call.keywords if keyword.arg == "format_func"]
            yield from [one.body if isinstance(one, ast.Lambda) else one for one in formats] or call.args[1:2]


def assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    """Return the values of each name in a function, from assignments of the form `name = value`."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


def unsafe(value: ast.expr, known: dict[str, list[ast.expr]], depth: int = 0) -> list[ast.expr]:
    """Return the parts of an expression that may be foreign text."""
    match value:
        case ast.Constant():
            return []
        case ast.JoinedStr():
            return [part for one in value.values for part in unsafe(one, known, depth)]
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=form)])) if form[-1] in ",fdgM%":
            return []
        case ast.FormattedValue():
            return unsafe(value.value, known, depth)
        case ast.Call(func=ast.Name(id=name)) if name in SAFE_CALLS:
            return []
        case ast.Call(func=ast.Attribute(attr="join"), args=[argument]):
            return unsafe(argument, known, depth)
        case ast.GeneratorExp() | ast.ListComp():
            return unsafe(value.elt, known, depth)
        case ast.IfExp():
            return [*unsafe(value.body, known, depth), *unsafe(value.orelse, known, depth)]
        case ast.BoolOp(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
            return [part for one in values for part in unsafe(one, known, depth)]
        case ast.BinOp():
            return [*unsafe(value.left, known, depth), *unsafe(value.right, known, depth)]
        case ast.Name(id=name) if name.isupper() or name == "escape_markdown":
            return []
        case ast.Name(id=name) if name in known and depth < 5:
            return [part for one in known[name] for part in unsafe(one, known, depth + 1)]
        case _:
            return [value]


@given(st.text())
def test_a_text_is_closed_once(text: str) -> None:
    found = close_directions(text)
    assert found.startswith(text)
    assert close_directions(found) == found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ada  L.\n(bot)", r"Ada L\. \(bot\)"),
        ("a--b", r"a:color[\-]\-b"),
        (":material_x:", r":color[\:]material\_x\:"),
        ("http://x", r"http:color[\:]\/\/x"),
        ("\u202ea", "\u202ea\u202c"),
        ("\u2067a\u202eb", "\u2067a\u202eb\u2069\u202c"),
    ],
)
def test_text_as_markdown(text: str, shown: str) -> None:
    assert escape_markdown(text) == shown
