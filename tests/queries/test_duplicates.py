"""Duplicates in tiers: as a slow comparison of notations finds them, and as a person would say."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from tests.queries.sample import played, record
from zertz_db.edit.claim_names import set_alias
from zertz_db.ingest.import_paths import import_paths
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.queries import duplicates
from zertz_db.queries.duplicates import DUPLICATES, list_duplicates
from zertz_db.queries.games.game_list import list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.rules.board import standard_board
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

RING = re.compile(r"[a-q]\d+")
MOVES = "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc3,g1"


def image(moves: str, symmetry: tuple[int, ...], board: str) -> str:
    rings = standard_board(board).rings
    return RING.sub(lambda ring: rings[symmetry[rings.index(ring[0])]], moves)


def is_image(one: str, other: str, board: str) -> bool:
    """Whether a symmetry turns some plies into others, `|` between them; the order of the rings in a ply is not looked at."""

    def told(moves: str) -> list[list[str]]:
        return [sorted(re.findall(r"[WGB]?[a-q]\d+", ply)) for ply in moves.split("|")]

    return any(told(image(one, symmetry, board)) == told(other) for symmetry in standard_board(board).symmetries)


TURNED = image(MOVES, standard_board("37").symmetries[1], "37")
"""The same moves after a turn."""
TURNED_SAID = "the same positions all along, turned, mirrored or noted otherwise"
CONTRADICTED = "the same moves; but the results are 1-0 and none"


def archive(seed: int) -> Iterator[str]:
    """Some games, with copies that are cut off, turned or mirrored, and dated otherwise."""
    dice = Random(seed)  # noqa: S311 - no secret
    for number, made in enumerate(generate_games(8, board=dice.choice(("37", "48")), seed=seed)):
        yield write(made)
        for _ in range(dice.randrange(3)):
            plies = made.plies[: dice.randrange(6, len(made.plies) + 1)] if dice.random() < 0.6 else made.plies
            board = str(made.board)
            tags, blank, moves = write(
                replace(made, plies=plies, date=f"19{number + 10}.01.{dice.randrange(10, 29)}")
            ).rpartition("]\n\n")
            yield tags + blank + image(moves, dice.choice(standard_board(board).symmetries), board)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
def test_the_same_pairs_are_found_as_by_comparing_all_notations(tmp_path: Path, seed: int) -> None:
    (tmp_path / "a.txt").write_text("\n".join(archive(seed)), "utf-8")
    import_paths([tmp_path / "a.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        rows = list_games(database, columns=["id", "plies", "board", "rule_set"]).dicts()
        moves = {row["id"]: "|".join(find_game(database, row["id"]).moves) for row in rows}
        found = {(row["game"], row["other"]): row["tier"] for row in list_duplicates(database, shortest=4).dicts()}
    same = [
        (one, other)
        for one in rows
        for other in rows
        if one["id"] != other["id"] and (one["board"], one["rule_set"]) == (other["board"], other["rule_set"])
    ]
    equal = {(a["id"], b["id"]) for a, b in same if is_image(moves[a["id"]], moves[b["id"]], a["board"])}
    begun = {
        (a["id"], b["id"])
        for a, b in same
        if 4 <= a["plies"] < b["plies"] and is_image(moves[a["id"]], cut(moves[b["id"]], a["plies"]), a["board"])
    }
    assert {pair for pair, tier in found.items() if tier in ("game", "moves")} <= equal
    assert joined(pair for pair, tier in found.items() if tier in ("game", "moves")) == joined(equal)
    assert {pair for pair, tier in found.items() if tier == "contained"} <= begun
    assert {one for (one, _), tier in found.items() if tier == "contained"} == {one for one, _ in begun}


def cut(moves: str, plies: int) -> str:
    return "|".join(moves.split("|")[:plies])


def joined(pairs: object) -> set[frozenset[str]]:
    """The groups of games that pairs connect."""
    groups: list[set[str]] = []
    for pair in pairs:  # type: ignore[attr-defined]
        meeting = [group for group in groups if group & {*pair}]
        groups = [group for group in groups if group not in meeting] + [set(pair).union(*meeting)]
    return {frozenset(group) for group in groups}


@pytest.mark.parametrize(
    ("first", "second", "tier", "evidence"),
    [
        ({}, {"event": "other", "moves": TURNED}, "game", f"{TURNED_SAID}; the same players"),
        ({}, {"date": "2010.05.??"}, "game", "the same moves; the same players; the dates can be the same"),
        ({}, {"first": "adah"}, "game", "the same moves; the same players under other names"),
        ({}, {"date": "2011.05.01"}, "moves", "the same moves; the same players"),
        ({}, {"first": "Ben", "second": "Ada"}, "moves", "the same moves; the same players on the other sides"),
        ({}, {"first": "Eve"}, "moves", "the same moves"),
        ({"date": "2009.01.01"}, {"first": "Eve", "moves": f"{MOVES} Player2 resigns 1-0"}, "moves", CONTRADICTED),
        ({"moves": f"{MOVES} 3. Gf4,g2"}, {"first": "Eve"}, "contained", "all 4 plies begin the other's 5"),
        ({}, {"event": "other"}, None, ""),
        ({}, {"moves": "1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gc4,g1"}, None, ""),
    ],
)  # fmt: skip
def test_tiers_and_evidence(
    tmp_path: Path, first: dict[str, str], second: dict[str, str], tier: str | None, evidence: str
) -> None:
    plain = {"event": "e", "first": "Ada", "second": "Ben", "date": "2010.05.01", "moves": MOVES, "Board": "37"}
    text = (
        record(**{**plain, **first})
        + record(**{**plain, **second})
        + record(**{**plain, "first": "adah", "moves": "1. Wd4,d1 *"})
    )
    (tmp_path / "a.txt").write_text(text, "utf-8")
    import_paths([tmp_path / "a.txt"], tmp_path / "db")
    set_alias(tmp_path / "db", "adah", "Ada", "accepted")
    with open_database(tmp_path / "db") as database:
        rows = list_duplicates(database, shortest=4).dicts()
        assert [(row["tier"], row["evidence"]) for row in rows] == ([(tier, evidence)] if tier else [])
        assert list_duplicates(database, shortest=6).rows == []
        assert list_duplicates(database, "plies:<4", shortest=4).rows == []


def test_by_default_games_of_eight_plies_are_compared_and_shorter_ones_are_not(tmp_path: Path) -> None:
    start = Position.start("37")
    text = [
        record(f"{plies} plies", "Ada", "Ben", f"{year}.05.01", " ".join(played(start, plies)[:plies]), Board="37")
        for plies in (7, 8)
        for year in (2010, 2011)
    ]
    (tmp_path / "a.txt").write_text("".join(text), "utf-8")
    import_paths([tmp_path / "a.txt"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        [row] = list_duplicates(database).dicts()
        assert find_game(database, row["game"]).row["event"] == "8 plies"


def test_the_same_bytes_may_be_two_games_by_their_names(tmp_path: Path) -> None:
    from zertz_db.play.write_files import write_archive

    with (tmp_path / "one.zip").open("wb") as file:
        write_archive(generate_games(1, seed=1), file)
    with ZipFile(tmp_path / "one.zip") as made, ZipFile(tmp_path / "two.zip", "w") as copy:
        [name] = made.namelist()
        data = re.sub(rb"GN\[[^]]*\]", b"", made.read(name))
        for day in ("2011-01-02-0304", "2009-01-02-0304"):
            copy.writestr(re.sub(r"\d{4}-\d{2}-\d{2}-\d{4}", day, name), data)
    import_paths([tmp_path / "two.zip"], tmp_path / "db")
    with open_database(tmp_path / "db") as database:
        [row] = list_duplicates(database).dicts()
        assert (row["tier"], row["date"], row["other_date"]) == ("bytes", "2011.01.02", "2009.01.02")
        assert row["evidence"].startswith("records with the same bytes")
        assert all(column.meaning for column in DUPLICATES)


FIRST, SECOND, THIRD = (dt.date(2020, 1, day) for day in (1, 2, 3))


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        (("2020.01.01", FIRST, FIRST), ("2020.01.01", FIRST, FIRST), True),
        (("2020.01.01", FIRST, FIRST), ("2020.01.02", SECOND, SECOND), False),
        (("2020.01", FIRST, SECOND), ("2020", SECOND, THIRD), True),
        (("2020.01.01", FIRST, FIRST), (None, None, None), False),
        ((None, None, None), ("2020.01.01", FIRST, FIRST), False),
        ((None, None, None), (None, None, None), True),
        (("May", None, None), ("June", None, None), False),
    ],
)
def test_games_are_one_only_if_their_dates_can_be(
    one: tuple[str | None, dt.date | None, dt.date | None],
    other: tuple[str | None, dt.date | None, dt.date | None],
    is_one: bool,
) -> None:
    both = [duplicates._Game(1, *dates, "Ada", "Ben", 1, 2, "37", "standard", 20, "1-0", "") for dates in (one, other)]
    assert duplicates._is_one(*both) == is_one
