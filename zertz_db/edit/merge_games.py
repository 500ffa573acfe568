"""Decide if two games are one: merge and split them, or note that they are two, or that the decision is put off.

The records of a merged game become sightings of another, and can become its own again.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from zertz_db.errors import UserMistake
from zertz_db.maintain.recheck import apply_pending_merges
from zertz_db.queries.duplicates import is_beginning
from zertz_db.store.annotations import game_merges
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.backend import annotate, change_database
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.open_database import open_database
from zertz_db.store.partial_dates import utc_now


class InvalidMerge(UserMistake):
    """Games that can't be merged, or are not merged."""


def merge_game(
    folder: str | Path, game: str, of: str, author: str, evidence: str = "", wait: Wait = NO_WAIT
) -> GameMerge:
    """Merge a game (id in letters) into another, which has the records of both and is represented by the best; return the merge.

    A game that ends early is merged into one that begins with all its positions: the longer record represents both. Nothing is lost:
    `split_game` undoes it. Raise InvalidMerge, NoDatabase or LockHeld.
    """
    folder = Path(folder)
    _require_mergeable(folder, game, of)
    merge = GameMerge(game, of, "accepted", evidence, author, utc_now())
    _append_merge(folder, merge, wait)
    return merge


def split_game(folder: str | Path, game: str, author: str, wait: Wait = NO_WAIT) -> GameMerge:
    """Split off the only merged game whose id has this prefix; return the entry.

    Raise InvalidMerge, NoDatabase or LockHeld.
    """
    folder = Path(folder)
    with open_database(folder) as database:
        in_force = game_merges.read(database.annotations_dir)
        applied = game_merges.applied_merges(database.connection())
    # A merge that a stopped run has undone in the file is still applied.
    ends = [GameMerge(to_text(one), to_text(of), "accepted", "", author, utc_now()) for one, of in applied.items()]
    known = {merge.game: merge for merge in (*ends, *in_force)}
    matches = [merge for merge in known.values() if merge.game.startswith(game.strip().upper())]
    if len(matches) != 1:
        raise InvalidMerge(
            f"{'Several merged games have' if matches else 'No merged game has'} an id that begins with {game}."
        )
    undo = matches[0]._replace(verdict="undone", evidence="", author=author, made_at=utc_now())
    _append_merge(folder, undo, wait)
    return undo


def separate_games(folder: str | Path, game: str, other: str, author: str, evidence: str = "") -> GameMerge:
    """Note that two games (ids in letters) are two although they look alike, so that they are not proposed again; return the entry.

    Readers see it at once. Raise InvalidMerge for equal ids, for a merged game and for one that the database lacks; NoDatabase or LockHeld.
    """
    return _note_pair(Path(folder), GameMerge(game, other, "rejected", evidence, author, utc_now()))


def postpone_games(folder: str | Path, game: str, other: str, author: str, evidence: str = "") -> GameMerge:
    """Note that the decision about two games (ids in letters) is put off; return the entry. Raise as `separate_games` does."""
    return _note_pair(Path(folder), GameMerge(game, other, "later", evidence, author, utc_now()))


def _note_pair(folder: Path, entry: GameMerge) -> GameMerge:
    if entry.game == entry.of:
        raise InvalidMerge(f"{entry.game} is one game: give the ids of two.")
    with open_database(folder) as database:
        _require_games(database, entry.game, entry.of)

    def write(annotations_dir: Path) -> GameMerge:
        known = _read_pairs(annotations_dir).get(entry.pair)
        if known and known.verdict == entry.verdict:
            return known
        game_merges.append(annotations_dir, [entry])
        return entry

    return annotate(folder, write)


def _read_pairs(annotations_dir: Path) -> dict[frozenset[str], GameMerge]:
    """Return the pairs that are two games or put off."""
    return {one.pair: one for one in game_merges.read_pairs(annotations_dir)}


def undo_separation(folder: str | Path, game: str, other: str, author: str) -> GameMerge:
    """Undo the note that two games are two, or are put off, so that they are proposed again; return the entry.

    Raise InvalidMerge if nothing was noted about them, NoDatabase or LockHeld.
    """
    open_database(folder).close()

    def write(annotations_dir: Path) -> GameMerge:
        entry = _read_pairs(annotations_dir).get(frozenset((game, other)))
        if entry is None:
            raise InvalidMerge(f"Nothing is noted about {game} and {other}.")
        undo = entry._replace(verdict="undone", evidence="", author=author, made_at=utc_now())
        game_merges.append(annotations_dir, [undo])
        return undo

    return annotate(folder, write)


def decide_pair(
    folder: str | Path, game: str, other: str, verdict: str, author: str, evidence: str = "", wait: Wait = NO_WAIT
) -> GameMerge:
    """Store a decision about two games (ids in letters) by its verdict, or undo it ("undone"); return the entry.

    accepted: as `merge_game`; rejected: as `separate_games`; later: as `postpone_games`. Raise as they do.
    """
    if verdict == "accepted":
        return merge_game(folder, game, other, author, evidence, wait)
    if verdict != "undone":
        note = {"rejected": separate_games, "later": postpone_games}[verdict]
        return note(folder, game, other, author, evidence)
    with open_database(folder) as database:
        merges = game_merges.read(database.annotations_dir)
    merged = next((one.game for one in merges if one.pair == {game, other}), None)
    return split_game(folder, merged, author, wait) if merged else undo_separation(folder, game, other, author)


def _append_merge(folder: Path, merge: GameMerge, wait: Wait) -> None:
    def change(build: Build) -> None:
        game_merges.append(build.annotations_dir, [merge])
        apply_pending_merges(build)

    change_database(folder, change, wait)


def _require_mergeable(folder: Path, game: str, of: str) -> None:
    with open_database(folder) as database:
        games = _require_games(database, game, of)
        if game == of:
            raise InvalidMerge(f"{game} can't be merged into itself.")
        (kind, plies), (kind_of_other, plies_of_other) = games[game], games[of]
        if plies > plies_of_other:
            raise InvalidMerge(f"{game} is longer than {of}, and the longer game stays: merge {of} into {game}.")
        if kind != kind_of_other:
            obstacle = f"{game} and {of} differ in board or rule set"
        elif plies < plies_of_other and not is_beginning(database, game, of):
            obstacle = f"{of} does not begin with the moves of {game}, which is shorter"
        else:
            return
        raise InvalidMerge(
            f"{obstacle}, so one record can't represent both. "
            "Mark one of them instead (zertz mark): the filter not label:LABEL leaves it out."
        )


class _Extent(NamedTuple):
    """The board and the rule set of a game, and its number of plies."""

    kind: tuple[str, str]
    plies: int


def _require_games(database: Database, game: str, of: str) -> dict[str, _Extent]:
    """Return the extents of two games by their ids. Raise InvalidMerge unless the database has both."""
    query = "SELECT id, board, rule_set, plies FROM _game WHERE id IN (SELECT unnest(?))"
    rows = database.connection().execute(query, [[from_text(game), from_text(of)]]).fetchall()
    games = {to_text(number): _Extent((board, rules), plies) for number, board, rules, plies in rows}
    for one in (game, of):
        if one not in games:
            raise InvalidMerge(f"There is no game {one}.")
    return games
