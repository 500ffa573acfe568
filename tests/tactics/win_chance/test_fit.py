"""The fit: its measures by hand, its trees as LightGBM has them, its file, and its command on generated games."""

from __future__ import annotations

import json
import sys
from math import log
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from zertz_db.cli.main import app
from zertz_db.ingest.import_paths import import_paths
from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import write_archive
from zertz_db.rules.position import Position
from zertz_db.tactics.win_chance import ModelError, read_model, shipped_model
from zertz_db.tactics.win_chance.engine import open_engine
from zertz_db.tactics.win_chance.features import FEATURES_SIZE
from zertz_db.tactics.win_chance.fit import LightgbmMissing, boost, fit_model, is_held_out, model_of, weigh_by_date
from zertz_db.tactics.win_chance.intervals import find_interval, wilson
from zertz_db.tactics.win_chance.measures import area_under_curve, calibrate, calibration_error, log_loss
from zertz_db.tactics.win_chance.model import SCORE_UNIT, Bin, Model, link_nodes

START = Position.start("37")


@pytest.mark.parametrize("interpreted", [False, True])
def test_trees_are_added_by_hand(interpreted: bool) -> None:
    # Tree 1: 2 if feature 0 <= 5, else (3 if feature 1 <= -1, else 5). Tree 2: a leaf of 100.
    model = Model((0, -1, 1, -1, -1, -1), (5, 2, -1, 3, 5, 100), (), (), "")
    rows = np.array([[5, 0], [6, -1], [6, 0]], np.int64)
    engine = open_engine(START.board, START.rules, interpreted)
    assert model.scores(engine, rows).tolist() == [102, 103, 105]
    assert model.chances(engine, rows)[0] == pytest.approx(1 / (1 + np.exp(-0.0102)))


def test_the_trees_are_those_of_lightgbm() -> None:
    pytest.importorskip("lightgbm")
    chance = np.random.default_rng(1)
    rows = chance.integers(-3, 12, (4000, FEATURES_SIZE)).astype(np.int16)
    won = (rows[:, 0] + rows[:, 5] * (rows[:, 3] > 4) + chance.normal(0, 3, 4000) > 7).astype(float)
    booster = boost(rows, won, 30, threads=1)
    engine = open_engine(START.board, START.rules)
    model = model_of(booster)
    scores = SCORE_UNIT * model.scores(engine, rows.astype(np.int64))
    assert np.abs(scores - booster.predict(rows, raw_score=True)).max() < 1e-12
    assert np.abs(model.chances(engine, rows.astype(np.int64)) - booster.predict(rows)).max() < 1e-12
    assert len(model.features) > 500


def test_a_model_is_written_and_read(tmp_path: Path) -> None:
    shipped_model().write(tmp_path / "copy.json")
    assert read_model(tmp_path / "copy.json") == shipped_model()


def test_the_shipped_numbers_are_small() -> None:
    file = Path(sys.modules[Model.__module__].__file__ or "").with_name("trees.json")
    assert file.stat().st_size < 300_000
    assert {one.board for one in shipped_model().bins} == {"37", "48", "61"}


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"format": 1}', "[" * 100_000, "\udc80"])
def test_a_damaged_file_is_explained(tmp_path: Path, damage: str) -> None:
    (tmp_path / "damaged.json").write_text(damage, "utf-8", "surrogateescape")
    with pytest.raises(ModelError, match=r"damaged\.json can't be read as a win chance.*: copy the file again"):
        read_model(tmp_path / "damaged.json")


@pytest.mark.parametrize(
    "change",
    [
        {"features": [-1], "thresholds": ["5"]},
        {"features": [-1], "thresholds": [2**63]},
        {"features": [-1], "thresholds": [0.5]},
        {"features": [-1], "thresholds": []},
        {"features": [], "thresholds": []},
        {"features": [FEATURES_SIZE, -1, -1], "thresholds": [0, 0, 0]},
        {"features": [-2, -1, -1], "thresholds": [0, 0, 0]},
        {"bins": [["37", 0.0]]},
        {"bins": [["37", "a", 1, 1, 0.5, 0.5]]},
        {"card": 5},
        {"card": ["all"]},
        {"card": [{"group": "all"}]},
        {"card": [{"group": "all", "positions": 1, "games": 1, "log_loss": 1, "auc": "high", "calibration_error": 1}]},
    ],
)
def test_wrong_numbers_are_explained(tmp_path: Path, change: dict[str, object]) -> None:
    file = tmp_path / "wrong.json"
    shipped_model().write(file)
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | change), "utf-8")
    with pytest.raises(ModelError, match=r"wrong\.json can't be read as a win chance"):
        read_model(file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for file in (tmp_path / "none.json", tmp_path):
        with pytest.raises(ModelError, match=r"can't be read \((No such file|Is a directory).*name a file"):
            read_model(file)


def test_a_file_of_other_features_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    shipped_model().write(file)
    file.write_text(file.read_text("utf-8").replace('"rings"', '"bells"'), "utf-8")
    with pytest.raises(ModelError, match=r"fit it anew with `zertz winchance --fit --output .*other\.json --force`"):
        read_model(file)


@pytest.mark.parametrize("features", [(0,), (0, -1), (-1, 0), (3, 2, -1, -1)])
def test_incomplete_trees_are_refused(features: tuple[int, ...]) -> None:
    with pytest.raises(ModelError, match="incomplete"):
        link_nodes(features)


def test_measures_by_hand() -> None:
    chances, won = np.array([0.9, 0.6, 0.6, 0.2]), np.array([1.0, 1.0, 0.0, 0.0])
    assert log_loss(chances, won) == pytest.approx(-(log(0.9) + log(0.6) + log(0.4) + log(0.8)) / 4)
    assert area_under_curve(chances, won) == (2 + 1 + 0.5) / 4
    assert area_under_curve(chances, np.ones(4)) is None
    assert calibration_error(chances, won) == pytest.approx(100 * (0.1 + 0.2 + 0.2) / 4)
    bins = calibrate("37", chances, won, np.array([1, 2, 3, 3]))
    assert bins[1] == Bin("37", 0.6, 2, 2, 0.6, 0.5)


def test_certain_and_wrong_chances_cost_a_limited_loss() -> None:
    assert log_loss(np.array([0.0]), np.array([1.0])) == pytest.approx(-log(0.002))


def test_intervals() -> None:
    bins = [Bin("37", 0.5, 900, 400, 0.52, 0.5), Bin("37", 0.6, 90, 49, 0.62, 0.6)]
    low, high, games = find_interval(bins, "37", 0.53)
    assert (low, high) == pytest.approx((0.4513 + 0.01, 0.5487 + 0.01), abs=1e-4)
    assert games == 400
    assert find_interval(bins, "37", 0.61) == (0.0, 1.0, 49)
    assert find_interval(bins, "48", 0.53) == (0.0, 1.0, 0)
    assert wilson(0.0, 10)[0] == pytest.approx(0)


def test_a_fifth_of_the_games_is_held_out() -> None:
    assert 0.19 < is_held_out(np.arange(-5000, 5000)).mean() < 0.21


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fit")
    with (folder / "games.zip").open("wb") as file:
        write_archive(generate_games(60, seed=4, first="greedy"), file)
    import_paths([folder / "games.zip"], folder / "my.zertz")
    return folder / "my.zertz"


def test_the_command_fits_and_reads_again(generated: Path, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    file = tmp_path / "chance.json"
    arguments = ["winchance", "--fit", "--trees", "5", "--db", str(generated), "--output", str(file), "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.exception
    card = json.loads(done.stdout)
    assert card[0]["group"] == "all"
    assert card[0]["log_loss"] < 0.69
    assert [row["group"] for row in card[-2:]] == ["later games", "later games, recent ones weigh more"]
    again = CliRunner().invoke(app, ["winchance", "--model", str(file), "--json"])
    assert json.loads(again.stdout) == card


def test_the_command_prints_the_shipped_table() -> None:
    done = CliRunner().invoke(app, ["winchance"])
    assert done.exit_code == 0
    assert "board 61" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["board:37"], "belong to --fit"),
        (["--fit", "--model", "x.json"], "can't be combined"),
        (["--fit", "board:61"], "needs at least 20 games with a winner, not 0"),
        (["--model", "absent.json"], "can't be read"),
    ],
)
def test_mistakes_are_explained(generated: Path, arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["winchance", "--db", str(generated), *arguments])
    assert done.exit_code != 0
    assert message in str(done.exception)


def test_without_lightgbm_nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(LightgbmMissing):  # not TooFewGames
        fit_model([])


def test_without_lightgbm_the_command_names_the_remedy(generated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    done = CliRunner().invoke(app, ["winchance", "--fit", "--db", str(generated)])
    assert "pip install '.[fit]'" in str(done.exception)


def test_recent_positions_weigh_more() -> None:
    dates = np.array([0, 365, 730])
    assert weigh_by_date(dates, 1).tolist() == [0.25, 0.5, 1]
    assert weigh_by_date(dates, 2)[0] == 0.5
