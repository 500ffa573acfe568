"""Games that people hold to be one: the records of the one become sightings of the other, and can become its own again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from zertz_db.errors import UserMistake
from zertz_db.maintain.recheck import apply_pending_merges
from zertz_db.store.annotations import game_merges
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.backend import change_database
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.open_database import open_database


class InvalidMerge(UserMistake):
    """Games that can't be one, or are not held to be."""


def merge_game(
    folder: str | Path, game: str, of: str, author: str, evidence: str = "", wait: Wait = NO_WAIT
) -> GameMerge:
    """Let a game (id in letters) be another one: that has the records of both, and the best of them leads.

    Nothing is lost: `part` undoes it. Raises ImpossibleUnion, NoDatabase, LockHeld.
    """
    folder = Path(folder)
    _require_mergeable(folder, game, of)
    said = GameMerge(game, of, "accepted", evidence, author, _now())
    _append_merge(folder, said, wait)
    return said


def split_game(folder: str | Path, game: str, author: str, wait: Wait = NO_WAIT) -> GameMerge:
    """Let a game that was united with another be one of its own again: the only one whose id begins so.

    Raises ImpossibleUnion, NoDatabase, LockHeld.
    """
    folder = Path(folder)
    with open_database(folder) as database:
        said_before = game_merges.read(database.annotations_dir)
        followed = game_merges.applied_merges(database.connection())
    # One that was said to be undone, but that was stopped, is only followed.
    ends = [GameMerge(to_text(one), to_text(of), "accepted", "", author, _now()) for one, of in followed.items()]
    known = {union.game: union for union in (*ends, *said_before)}
    found = [union for union in known.values() if union.game.startswith(game.strip().upper())]
    if len(found) != 1:
        raise InvalidMerge(
            f"{'No game' if not found else 'Several games'} with an id like {game} was united with another."
        )
    said = found[0]._replace(verdict="undone", evidence="", author=author, made_at=_now())
    _append_merge(folder, said, wait)
    return said


def _append_merge(folder: Path, said: GameMerge, wait: Wait) -> None:
    def change(build: Build) -> None:
        game_merges.append(build.annotations_dir, [said])
        apply_pending_merges(build)

    change_database(folder, change, wait)


def _require_mergeable(folder: Path, game: str, of: str) -> None:
    query = "SELECT id, board, rule_set, plies FROM _game WHERE id IN (SELECT unnest(?))"
    with open_database(folder) as database:
        found = database.connection().execute(query, [[from_text(game), from_text(of)]]).fetchall()
    there = {to_text(number): rest for number, *rest in found}
    for one in (game, of):
        if one not in there:
            raise InvalidMerge(f"There is no game {one} in {folder}.")
    if game == of:
        raise InvalidMerge(f"{game} is one game as it is.")
    if there[game] != there[of]:
        raise InvalidMerge(f"{game} and {of} differ in board, rule set or length, so one record can't stand for both.")


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)
