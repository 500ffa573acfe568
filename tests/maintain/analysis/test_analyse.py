"""Analyses of stored games: what is stored agrees with the solver, ply by ply, and with what changed in the database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.ingest.databases import ask, written, zipped
from tests.tactics.samples import SAMPLES, Sample
from zertz_db.ingest.import_paths import import_paths
from zertz_db.maintain.analysis import analyse, game_search
from zertz_db.maintain.analysis.analyse import analyse_games
from zertz_db.maintain.analysis.game_search import Findings, Limits
from zertz_db.maintain.analysis.game_states import GameStates
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.recheck import recheck_database
from zertz_db.maintain.undo_import import undo
from zertz_db.play.generate import generate_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.replay_moves import moves, replayed
from zertz_db.rules.position import Position
from zertz_db.store.backend import change_database
from zertz_db.store.ids import to_text
from zertz_db.store.open_database import open_database
from zertz_db.tactics import judge_ply, solve
from zertz_db.tactics.limits import SearchError

LIMITS = Limits(3, 2_000)
EVERYTHING = "SELECT * FROM tactics ORDER BY game, ply"
OPTIONS = {"37": "37", "48": "48", "61": "61", "blitz": "37"}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of random games on three boards, one file each, analysed."""
    folder = tmp_path_factory.mktemp("games")
    for board in ("37", "48", "61"):
        import_paths([zipped(folder / f"{board}.zip", list(generate_games(4, seed=3, board=board)))], folder / "db")
    analyse_games(folder / "db", "", LIMITS, jobs=1)
    return folder / "db"


def test_each_ply_has_the_verdict_of_the_solver(games: Path) -> None:
    stored = {(game, ply): rest for game, ply, *rest in ask(games, EVERYTHING)}
    seen = Counter[str]()
    with open_database(games) as database:
        for game, movetext in ask(games, "SELECT id, movetext FROM games ORDER BY id"):
            played = moves(movetext)
            positions = replayed(find_game(database, game).row, played)
            for ply, (before, move) in enumerate(zip(positions, played, strict=False)):
                verdict = judge_ply(before, before.move(move), *LIMITS, blunder_depth=3)
                row = stored.pop((game, ply), None)
                if row is None:
                    assert (verdict.forced, verdict.blunder, verdict.lost_before) == (None, None, False)
                    continue
                forced, kept, missed, only_move, blunder, better, lost = row
                seen.update(missed=missed, blunder=blunder is not None, only=bool(only_move), kept=bool(kept))
                assert (forced, missed, blunder, lost) == (
                    verdict.forced, verdict.missed, verdict.blunder, verdict.lost_before,
                )  # fmt: skip
                if forced:
                    assert (kept, only_move) == (verdict.keeps, verdict.only_move)
                if blunder:
                    assert before.move(better) != before.move(move)
    assert not stored
    assert min(seen[name] for name in ("missed", "blunder", "only", "kept")) > 0


def test_an_analysis_names_its_limits(games: Path) -> None:
    found = ask(games, "SELECT DISTINCT solver, depth, nodes, skipped FROM analyses")
    assert found == [(analyse.SOLVER_VERSION, 3, 2_000, None)]
    assert ask(games, "SELECT count(*) FROM analyses") == ask(games, "SELECT count(*) FROM games")


def copied(games: Path, tmp_path: Path) -> Path:
    """Return a copy of a database, to change."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in games.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def test_a_second_analysis_searches_nothing(games: Path, tmp_path: Path) -> None:
    folder = copied(games, tmp_path)
    with open_database(folder) as database:
        before = database.generation
    again = analyse_games(folder, "", LIMITS, jobs=1)
    assert (again.games, again.known, again.published) == (0, 12, 0)
    with open_database(folder) as database:
        assert database.generation == before


@pytest.mark.parametrize(
    ("limits", "searched"),
    [(Limits(1, 2_000), 0), (Limits(3, 100), 0), (Limits(5, 2_000), 4), (Limits(3, 3_000), 4), (Limits(1, 3_000), 4)],
)
def test_only_greater_limits_search_again(games: Path, tmp_path: Path, limits: Limits, searched: int) -> None:
    tally = analyse_games(copied(games, tmp_path), "board:37", limits, jobs=1)
    assert (tally.games, tally.known) == (searched, 4 - searched)


def test_a_new_solver_searches_again(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(games, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(analyse, "SOLVER_VERSION", analyse.SOLVER_VERSION + 1)
        assert analyse_games(folder, "board:48", LIMITS, jobs=1).games == 4
    assert ask(folder, "SELECT count(*) FROM analyses") == [(12,)]


def test_new_games_alone_are_searched(games: Path, tmp_path: Path) -> None:
    folder = copied(games, tmp_path)
    import_paths([zipped(tmp_path / "more.zip", list(generate_games(3, seed=9)))], folder)
    tally = analyse_games(folder, "", LIMITS, jobs=1)
    assert (tally.games, tally.known, tally.published) == (3, 12, 3)


@pytest.mark.long
def test_two_processes_and_a_cluster_find_the_same(games: Path, tmp_path: Path) -> None:
    before = ask(games, EVERYTHING)
    folder = copied(games, tmp_path)
    for number, options in enumerate(({"jobs": 2}, {"cluster": "local:1"})):
        analyse_games(folder, "", Limits(3, 2_001 + number), **options)
        assert ask(folder, EVERYTHING) == before


def test_an_analysis_goes_with_its_game(games: Path, tmp_path: Path) -> None:
    folder = copied(games, tmp_path)
    undo(folder, 1)
    assert ask(folder, "SELECT count(*) FROM analyses") == [(8,)]
    assert ask(folder, "SELECT count(*) FROM tactics WHERE game NOT IN (SELECT id FROM games)") == [(0,)]
    assert examine(folder).is_fine


def test_a_recheck_without_differences_keeps_analyses(games: Path, tmp_path: Path) -> None:
    folder = copied(games, tmp_path)
    assert recheck_database(folder) == []
    assert ask(folder, EVERYTHING) == ask(games, EVERYTHING)


def test_games_that_vanish_before_the_results_come_are_left_out(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(games, tmp_path)
    publish = analyse.change_database

    def undo_first(*arguments: object) -> object:
        monkeypatch.setattr(analyse, "change_database", publish)
        undo(folder, 2)
        return publish(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(analyse, "change_database", undo_first)
    tally = analyse_games(folder, "", Limits(3, 2_001), jobs=1)
    assert (tally.games, tally.published) == (12, 8)
    assert examine(folder).is_fine


def test_results_are_published_again_and_again(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(games, tmp_path)
    monkeypatch.setattr(analyse, "PUBLISH_SECONDS", 0.0)
    monkeypatch.setattr(analyse, "_SEARCH_AT_ONCE", 2)
    with open_database(folder) as database:
        before = database.generation.number
        analyse_games(folder, "board:61", Limits(3, 2_001), jobs=1)
        database.connection()
        assert database.generation.number == before + 2
    assert ask(folder, EVERYTHING) == ask(games, EVERYTHING)


def test_what_was_found_before_an_interrupt_is_published(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(games, tmp_path)
    monkeypatch.setattr(analyse, "_SEARCH_AT_ONCE", 2)

    def interrupt(done: int, _: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyse_games(folder, "", Limits(3, 2_001), jobs=1, tick=interrupt)
    assert ask(folder, "SELECT count(*) FROM analyses WHERE nodes = 2001") == [(4,)]
    assert analyse_games(folder, "", Limits(3, 2_001), jobs=1).games == 8


@pytest.mark.skipif(os.name == "nt", reason="kills by a signal of POSIX")
def test_a_killed_analysis_leaves_a_whole_database(games: Path, tmp_path: Path) -> None:
    folder = copied(games, tmp_path)
    command = [sys.executable, "-m", "zertz_db", "analyse", "--depth", "5", "--db", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert examine(folder).is_fine
    assert analyse_games(folder, "", LIMITS, jobs=1).games == 0


def test_a_game_with_written_claims_states_why_it_was_not_searched(tmp_path: Path) -> None:
    text = '[Claims "written"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 *\n'
    ordinary = list(generate_games(1, seed=1))
    import_paths([written(tmp_path / "games.txt", [*ordinary, text])], tmp_path / "db")
    tally = analyse_games(tmp_path / "db", "", LIMITS, jobs=1)
    assert (tally.games, dict(tally.skipped)) == (1, {"written-claims": 1})
    assert ask(tmp_path / "db", "SELECT skipped FROM analyses WHERE depth = 0") == [("written-claims",)]
    assert analyse_games(tmp_path / "db", "", LIMITS, jobs=1).skipped.total() == 0


def test_a_fault_of_ours_costs_one_game(games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(games, tmp_path)
    [(unlucky,)] = ask(folder, "SELECT id FROM _game WHERE board = '48' ORDER BY id LIMIT 1")
    search = game_search._search

    def fail(start: Position, batch: GameStates, limits: Limits) -> Findings:
        if unlucky in batch.games:
            raise RuntimeError("a fault")
        return search(start, batch, limits)

    monkeypatch.setattr(game_search, "_search", fail)
    tally = analyse_games(folder, "board:48", Limits(3, 2_001), jobs=1)
    assert (tally.games, dict(tally.skipped)) == (3, {"internal-error": 1})
    assert ask(folder, "SELECT game FROM analyses WHERE skipped IS NOT NULL") == [(to_text(unlucky),)]


def test_the_doctor_proves_wins_again(games: Path, tmp_path: Path) -> None:
    assert examine(games).is_fine
    folder = copied(games, tmp_path)
    change_database(folder, lambda build: build.connection.execute("UPDATE _tactic SET forced = 1 WHERE forced = 3"))
    kinds = [problem.kind for problem in examine(folder).problems]
    assert "a stored forced win can't be proven again" in kinds
    assert "a puzzle has no forced win of its length, or is not the only one of its game" in kinds


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.plies == 3], ids=lambda sample: sample.position[:12]
)
def test_a_game_from_a_set_up_position_is_searched(tmp_path: Path, sample: Sample) -> None:
    line = solve(sample.position, 3).line
    text = f'[Position "{sample.position}"]\n\n{" ".join(line)}\n'
    import_paths([written(tmp_path / "game.txt", [text])], tmp_path / "db")
    analyse_games(tmp_path / "db", "", LIMITS, jobs=1)
    assert ask(
        tmp_path / "db", "SELECT ply, forced, kept, missed FROM tactics WHERE forced IS NOT NULL ORDER BY ply"
    ) == [
        (0, 3, True, False),
        (2, 1, True, False),
    ]


@pytest.mark.parametrize("limits", [Limits(2, 100), Limits(0, 100), Limits(3, 0)])
def test_limits_out_of_range_are_refused(games: Path, limits: Limits) -> None:
    with pytest.raises(SearchError):
        analyse_games(games, "", limits)
