"""Games in the server's form: the reader reads what the writer writes."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.check.check_record import check
from zertz_db.parser.boardspace.reader import read
from zertz_db.parser.boardspace.writer import VARIANTS, NoServerForm, game_name, write
from zertz_db.parser.losses import find_losses
from zertz_db.parser.record import Ply, Record
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import write_archive


def without_what_the_server_leaves_out(ply: Ply) -> tuple[object, ...]:
    jumps = tuple(jump.ring for jump in ply.jumps)
    return ply.kind, ply.ring, ply.colour, ply.removed, jumps, ply.taken_from, ply.clock, ply.comment


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(),
    board=st.sampled_from(sorted(VARIANTS)),
    annotated=st.booleans(),
    player=st.sampled_from(["random", "greedy"]),
)
def test_a_game_is_read_as_it_was_written(seed: int, board: str, annotated: bool, player: str) -> None:
    (record,) = generate_games(1, board, seed=seed, first=player, annotated=annotated)
    (again,) = read(write(record), f"{game_name(record)}.sgf")
    assert (again.fault, again.remarks) == (None, ())
    for field in ("board", "player1", "player2", "date", "result", "ending_by"):
        assert getattr(again, field) == getattr(record, field), field
    assert list(map(without_what_the_server_leaves_out, again.plies)) == list(
        map(without_what_the_server_leaves_out, record.plies)
    )
    checked, meant = check(again), check(record)
    assert checked.verdict == Verdict.VERIFIED
    assert (checked.completed_plies, checked.result, checked.ending) == (
        tuple(
            ply._replace(mover=number % 2 + 1, span=again.plies[number].span)
            for number, ply in enumerate(meant.completed_plies)
        ),
        meant.result,
        meant.ending,
    )


def test_brackets_and_backslashes_in_names_and_comments_survive() -> None:
    (record,) = generate_games(1)
    record = replace(record, player1="a]b", comment="c\\d]e")
    (again,) = read(write(record, "n]ame"))
    assert (again.player1, again.comment, dict(again.tags)["GN"]) == ("a]b", "c\\d]e", "n]ame")


@pytest.mark.parametrize(
    ("name", "stated", "date", "time"),
    [
        ("Z-ada-bo-2003-12-27-0402.sgf", "Fri Dec 26 21:02:55 MST 2003", "????.12.27", "04:02"),
        ("Z-ada-bo-2003-12-27-0402.sgf", "Sat Dec 27 04:02:00 GMT 2003", "????.12.27", "04:02"),
        ("Z-ada-bo-2003-01-01-0402.sgf", "Tue Dec 31 21:02:55 MST 2002", "????.01.01", "04:02"),
        ("Z-ada-bo-2003-12-31-2302.sgf", "Thu Jan 01 08:02:55 JST 2004", "????.12.31", "23:02"),
        ("Z-ada-bo-2105-05-06-0708.sgf", "Wed May 06 09:08:00 CEST 2105", "????.05.06", "07:08"),
        ("Z-ada-bo-2021-05-06-0708.sgf", "Wed May 05 23:08:00 MST 2021", "2021.05.06", "07:08"),
    ],
)
def test_the_day_of_the_servers_clock_survives(name: str, stated: str, date: str, time: str) -> None:
    """A file's name has the server's date; DT in the file has the writer's, which may be another day."""
    text = (
        write(game(player1="????", date="2021.05.06"))
        .replace("DT[6 May 2021]", f"DT[{stated}]")
        .replace("GN[", "GN[ada-bo]C[")
    )
    (record,) = read(text, name)
    (again,) = read(write(record))
    assert (record.date, record.time) == (again.date, again.time) == (date, time)


@pytest.mark.parametrize("date", ["????.12.27", "2021.12.??", None])
def test_dt_is_left_out_if_it_would_be_another_date(date: str | None) -> None:
    record = game(date=date, tags=(("DT", "May 6, 2021"), ("GN", "ada-bo")))
    (again,) = read(write(record))
    assert again.date is None
    assert ("dates" in find_losses(record, [again])) == bool(date)


EMPTY = "oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo"


def game(**changes: object) -> Record:
    (record,) = generate_games(1)
    return replace(record, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "obstacle"),
    [
        (game(board="44"), "no board 44"),
        (game(rule_set="blitz"), "standard rules only"),
        (game(tournament=True), "standard rules only"),
        (game(claims="written"), "written claims"),
        (game(position=f"37 standard {EMPTY} 5/8/10 0/0/0 0/0/0 1"), "all marbles"),
        (game(position=f"37 standard {EMPTY} 6/8/10 0/0/0 0/0/0 2"), "player 1 begins"),
        (game(position=f"37 standard {EMPTY} 6/8/10 0/0/0 0/0/0 1 1"), "player 1 begins"),
        (
            game(board="custom", position="custom standard a-2:ooo/b-3:oooo 6/8/10 0/0/0 0/0/0 1"),
            "are not where the server",
        ),
        (game(result="0-0"), "both players lose"),
    ],
)
def test_games_without_a_server_form_are_rejected(record: Record, obstacle: str) -> None:
    with pytest.raises(NoServerForm, match=obstacle):
        write(record)


def test_an_archive_has_a_member_for_each_game_with_a_name_of_its_own() -> None:
    records = [game(player1="ada", player2="bo", date="2021.06.03")] * 70
    target = io.BytesIO()
    write_archive(records, target)
    with zipfile.ZipFile(target) as archive:
        names = archive.namelist()
        assert names[0] == "Z-ada-bo-2021-06-03-0000.sgf"
        assert names[69] == "Z-ada-bo-2021-06-03-0109.sgf"
        assert len(set(names)) == 70
        for name in names:
            (again,) = read(archive.read(name).decode("utf-8"), name)
            assert (again.date, dict(again.tags)["GN"] + ".sgf") == ("2021.06.03", name)
