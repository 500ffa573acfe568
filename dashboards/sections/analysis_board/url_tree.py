"""The tree on the analysis board: where it began, and its moves, which the URL has.

The URL names what the tree began with: a game, a study, a position, or an empty board. Once the tree differs from that, `tree` has its
moves, `note` its comments and `aside` its asides, each with the number of its node before it. `at` is the node that is shown. A tree too
long for a URL stays in the session; the URL then has its digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

import streamlit as st

from zertz_db.dashboards.components import location
from zertz_db.dashboards.state.query_cache import run_query
from zertz_db.export.notation import write_notations
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.openings.line import start_of
from zertz_db.queries.studies import find_study
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RULE_SETS
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text
from zertz_db.variations.move_tree import MoveTree, TreeError
from zertz_db.variations.notation import FACTS, TreeOfRecord, read_tree
from zertz_db.variations.short_text import read_short, write_short

ORIGINS = ("game", "study", "start", "board", "rules")
"""URL parameters that name what a tree began with."""
CHANGES = ("tree", "note", "aside")
"""URL parameters of a changed tree."""
MAX_QUERY = 6_000
"""Maximum characters of a changed tree in the URL: servers accept about 8,000."""
_HELD = "~~"
"""Start of the digest of a tree that the session holds."""
_HELD_KEY, _READ_KEY = "trees too long for the URL", "tree of the URL"
_BASE_KEY, _SHOWN_KEY = "study before its changes", "study that was shown last"
_MAX_HELD = 20


@dataclass(frozen=True, slots=True)
class Origin:
    """What a tree began with. title: in words. facts: of the game, see `variations.notation.FACTS`. game, study: an id.

    problem: why the record of the game is not complete. is_gone: whether it was a study that another window deleted.
    """

    tree: MoveTree
    title: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    game: str | None = None
    study: str | None = None
    problem: str | None = None
    is_gone: bool = False


def load_origin() -> Origin:
    """Return what the URL names, by default an empty board. QueryError, TreeError."""
    facts = {name: text for name in FACTS if (text := location.get_value(name))}
    if study := location.get_value("study"):
        return _load_study_origin(study)
    if game := location.get_value("game"):
        found, title, number = run_query(_load_game, game)
        return Origin(found.tree, title, found.facts, game=number, problem=found.problem)
    start = location.get_value("start") or None
    board, rules = location.get_value("board", STANDARD_BOARDS[0]), location.get_value("rules", next(iter(RULE_SETS)))
    return Origin(MoveTree(start_of(start, board, rules)), facts=facts)


def _load_study_origin(study: str) -> Origin:
    """Return a study as the origin; if it was deleted elsewhere, as this window showed it last. QueryError."""
    try:
        found, name = run_query(_load_study, study)
    except QueryError:
        shown, last = st.session_state.get(_SHOWN_KEY, ("", None))
        if shown != study:
            raise
        gone: Origin = replace(last, study=None, is_gone=True)
        return gone
    origin = Origin(found.tree, name, found.facts, study=find_study_id(study), problem=found.problem)
    st.session_state[_SHOWN_KEY] = study, origin
    return origin


def is_overtaken(study: str) -> bool:
    """Return whether a study was saved elsewhere since this window began to change it. QueryError without the study."""
    found, _ = run_query(_load_study, study)
    changed, base = st.session_state.get(_BASE_KEY, ("", None))
    return bool(changed == study and found.tree != base)


def list_origin() -> list[list[str]]:
    """Return the URL's values that name what the tree began with."""
    return [location.list_values(name) for name in ORIGINS]


def find_study_id(study: str) -> str:
    """Return the id of a study, by its id or name. QueryError."""
    return run_query(_find_id, study)


def load_tree(origin: Origin) -> MoveTree:
    """Return the tree of the URL: the one that it began with, or the changed one. TreeError."""
    text = location.get_value("tree")
    notes = {name: tuple(location.list_values(name)) for name in ("note", "aside")}
    if not text and not any(notes.values()):
        return origin.tree
    if text.startswith(_HELD):
        held: dict[str, MoveTree] = st.session_state.get(_HELD_KEY, {})
        if text not in held:
            raise TreeError("this tree was too long for the URL, and only the window where it was made has it")
        return held[text]
    key = (origin.tree.start, text, notes["note"], notes["aside"])
    known: tuple[object, MoveTree] | None = st.session_state.get(_READ_KEY)
    if known is None or known[0] != key:
        known = key, _with_notes(read_short(origin.tree.start, text), **notes)
        st.session_state[_READ_KEY] = known
    return known[1]


def store_tree(origin: Origin, tree: MoveTree, node: int) -> None:
    """Store a tree and the node that is shown in the URL; for callbacks too."""
    if origin.study and not is_changed():
        st.session_state[_BASE_KEY] = origin.study, origin.tree
    values = {} if tree == origin.tree else build_changes(tree)
    if len(urlencode(values, doseq=True)) > MAX_QUERY:
        values = {"tree": _hold(tree)}
    location.set_values(**{name: values.get(name) for name in CHANGES}, at=str(node), ply=None)


def build_changes(tree: MoveTree) -> dict[str, str | Sequence[str]]:
    """Return the URL parameters of a tree, without those of its start."""
    nodes = list(enumerate(tree.nodes))
    return {
        "tree": write_short(tree),
        "note": [f"{number} {node.comment}" for number, node in nodes if node.comment],
        "aside": [f"{number} {text}" for number, node in nodes for text in node.asides],
    }


def build_query(tree: MoveTree, facts: Mapping[str, str]) -> dict[str, list[str]] | None:
    """Return the whole URL query of a tree with its start, or None if it is too long."""
    start = tree.start
    usual = not start.board.is_custom and start.rules in RULE_SETS.values()
    if usual and start == Position.start(start.board, start.rules):
        query: dict[str, str | Sequence[str]] = {"board": start.board.name, "rules": start.rules.name}
    else:
        query = {"start": start.text}
    query |= {**facts, **build_changes(tree)}
    if len(urlencode(query, doseq=True)) > MAX_QUERY:
        return None
    return {name: [text] if isinstance(text, str) else list(text) for name, text in query.items() if text}


def open_tree(found: TreeOfRecord) -> None:
    """Show another tree, at its start."""
    query = build_query(found.tree, found.facts)
    if query is None:
        query = build_query(MoveTree(found.tree.start), found.facts) or {}
        query["tree"] = [_hold(found.tree)]
    location.replace_all(query)


def is_held() -> bool:
    """Return whether the tree is too long for the URL."""
    return location.get_value("tree").startswith(_HELD)


def is_changed() -> bool:
    """Return whether the tree differs from what it began with."""
    return any(location.list_values(name) for name in CHANGES)


def _load_study(database: Database, wanted: str) -> tuple[TreeOfRecord, str]:
    study = find_study(database, wanted)
    return read_tree(study.record, "gipf"), study.name


def _find_id(database: Database, wanted: str) -> str:
    return find_study(database, wanted).id


def _load_game(database: Database, wanted: str) -> tuple[TreeOfRecord, str, str]:
    """Return the tree of a game, with the variations of its record; its players; its id."""
    game = find_game(database, wanted)
    ((_, notation),) = write_notations(database, [from_text(game.id)])
    if notation is None:
        raise QueryError("this version of zertz-db reads its record differently: run `zertz recheck`")
    title = f"{game.row['player1'] or '?'} – {game.row['player2'] or '?'}"
    return read_tree(notation, "gipf"), title, game.id


def _with_notes(tree: MoveTree, note: Sequence[str], aside: Sequence[str]) -> MoveTree:
    """Return a tree with comments and asides, each with its node before it."""
    nodes = list(tree.nodes)
    for text in note:
        number, written = _split_note(text, len(nodes))
        nodes[number] = nodes[number]._replace(comment=written)
    for text in aside:
        number, written = _split_note(text, len(nodes))
        nodes[number] = nodes[number]._replace(asides=(*nodes[number].asides, written))
    return MoveTree(tree.start, tuple(nodes))


def _split_note(text: str, count: int) -> tuple[int, str]:
    start, _, written = text.partition(" ")
    number = location.parse_number(start)
    if number is None or number >= count:
        raise TreeError(f"the tree has no move for the note {text[:40]!r}")
    return number, written


def _hold(tree: MoveTree) -> str:
    """Store a tree in the session; return its digest for the URL."""
    held: dict[str, MoveTree] = st.session_state.setdefault(_HELD_KEY, {})
    digest = _HELD + hashlib.sha256(repr((tree.start.text, tree.nodes)).encode()).hexdigest()[:16]
    while len(held) >= _MAX_HELD:
        del held[next(iter(held))]
    held[digest] = tree
    return digest
