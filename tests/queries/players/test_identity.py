"""Evidence that two names are one person: likeness of names, habits, careers; precision and recall on planted second names."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from tests.bench.players.bench_names import measure, try_names
from tests.queries.players.planted_names import SPELLINGS, WAYS, make_players, plant_names
from zertz_db.queries.players.identity.careers import PlayedGame, build_field
from zertz_db.queries.players.identity.distributions import measure_distance, weigh_counts
from zertz_db.queries.players.identity.evidence import Evidence, gather_evidence
from zertz_db.queries.players.identity.neighbours import Neighbours
from zertz_db.queries.players.identity.score import GRADES, grade_score, list_features, score_evidence
from zertz_db.queries.players.identity.spelling import Likeness, compare_names, find_alike

NAMES = {1: "ada", 2: "adah", 3: "ben", 4: "Cy", 5: "Dora"}


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("dorothea", "Dorothea1", Likeness.letters),
        ("doro-thea", "dorothea", Likeness.letters),
        ("dora1", "dora22", Likeness.numbers),
        ("Ada Berg", "berg ada", Likeness.order),
        ("A. Berg", "Ada Berg", Likeness.initial),
        ("B. Berg", "Ada Berg", Likeness.none),
        ("ada", "adah", Likeness.edit),
        ("dorothea", "dorohtea", Likeness.edit),
        ("doro", "dorothea", Likeness.part),
        ("thea", "dorothea", Likeness.part),
        ("dorothea", "dorothy", Likeness.similar),
        ("1", "2", Likeness.edit),
        ("dorothea", "benedict", Likeness.none),
    ],
)
def test_kinds_of_likeness(one: str, other: str, likeness: Likeness) -> None:
    assert compare_names(one, other) is compare_names(other, one) is likeness


def test_every_pair_of_names_that_are_alike_is_found() -> None:
    dice = Random(2)  # noqa: S311 - no secret
    names = dict(enumerate(make_players(60, 0, seed=4)[0].values()))
    for name in list(names.values())[:30]:
        names[len(names)] = dice.choice(list(SPELLINGS.values()))(name, dice)
    expected = {
        (one, other)
        for one in names
        for other in names
        if one < other and compare_names(names[one], names[other]) is not Likeness.none
    }
    assert set(find_alike(names)) == expected
    assert len(expected) > 20


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [({1: 2, 2: 2}, {1: 5, 2: 5}, 0.0), ({1: 3}, {2: 1}, 1.0), ({1: 1}, {}, None), ({1: 1, 2: 1}, {1: 1}, 0.5579)],
)
def test_distance_of_counts(one: dict[int, int], other: dict[int, int], distance: float | None) -> None:
    found = measure_distance(one, other)
    assert found == (distance if distance is None else pytest.approx(distance, abs=1e-4))


def test_a_rare_choice_weighs_more_than_a_usual_one_and_many_games_more_than_few() -> None:
    base = {1: 900, 2: 90, 3: 9}
    usual, unlike = (weigh_counts({1: 5}, other, base, 3.0) for other in ({1: 5}, {2: 5}))
    assert unlike < 0 < usual
    assert weigh_counts({3: 5}, {3: 5}, base, 3.0) > usual
    assert weigh_counts({3: 9}, {3: 9}, base, 3.0) > weigh_counts({3: 5}, {3: 5}, base, 3.0)
    assert weigh_counts({}, {1: 3}, base, 3.0) == pytest.approx(0)


def test_the_evidence_of_two_careers() -> None:
    games = [
        PlayedGame(1, 3, 100, 20, "37", 7),
        PlayedGame(3, 1, 101, 20, "37", 8),
        PlayedGame(2, 3, 131, 21, "37", 7),
        PlayedGame(4, 2, 131, 21, "37", 9),
        PlayedGame(5, 4, 120, None, "37", None),
        PlayedGame(4, None, None, None, "48", 7),
    ]
    field = build_field(NAMES, games)
    found = gather_evidence(field, 1, 2)
    assert (found.likeness, found.letters, found.meetings) == (Likeness.edit, 3, 0)
    assert (found.common, found.opponents, found.gap, found.same_days) == (1, 1, 30, 0)
    assert (found.distance, found.first_moves) == (0.0, 1)
    # Seats of the year: ada 2, adah 2, ben 3, Cy 2, Dora 1 of 10.
    assert found.expected_meetings == pytest.approx(2 * 2 / 10)
    drawn = {share: 1 - (1 - share) ** 2 for share in (0.2, 0.3, 0.1)}
    assert found.expected_common == pytest.approx(3 * drawn[0.2] ** 2 + drawn[0.3] ** 2 + drawn[0.1] ** 2)
    assert gather_evidence(field, 1, 3).meetings == 2
    assert score_evidence(gather_evidence(field, 1, 3)) == 0
    assert list_features(found)["gap"] == pytest.approx(log(2))


@pytest.mark.parametrize(
    ("change", "sign"),
    [
        ({"common": 3}, 1), ({"expected_common": 3.0}, -1), ({"gap": 900}, -1), ({"letters": 9}, 1),
        ({"rivals": 5}, -1), ({"rivals": 0}, 1), ({"owners": 9}, -1), ({"openings": 3.0}, 1),
        ({"hours": -3.0}, -1), ({"likeness": Likeness.similar}, -1), ({"meetings": 1}, -1),
    ],
)  # fmt: skip
def test_each_evidence_moves_the_score_in_its_direction(change: dict[str, object], sign: int) -> None:
    plain = Evidence(Likeness.edit, 90, 6, 1, 2, 0, 0.0, 0, 0.1, 1, 30, 0, 0.0, 0.0, None, None, 0)
    assert (score_evidence(plain._replace(**change)) - score_evidence(plain)) * sign > 0  # type: ignore[arg-type]


def test_a_crowd_of_names_is_counted() -> None:
    names = {1: "Ada Berg", 2: "Ada Bergh", 3: "Ada Burg", 4: "Berg Ada", 5: "Cy"}
    near = Neighbours(names)
    assert set(near.pairs) == {(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)} & set(find_alike(names))
    # The third name is as near to one of both, by one letter; so is the fourth or the first.
    assert near.count_rivals(1, 2) == near.count_rivals(2, 3) == 2
    assert (near.count_owners(1, 2), near.count_owners(1, 4), near.count_owners(1, 5)) == (4, 2, 0)


def test_grades_divide_the_scores() -> None:
    assert [grade.name for grade in map(grade_score, (0.95, 0.9, 0.6, 0.2)) if grade] == [
        "likely", "likely", "possible", "weak",
    ]  # fmt: skip
    assert grade_score(0.05) is None


def test_planting_divides_games_and_loses_none_but_those_of_a_pause() -> None:
    names, games = make_players(120, 1500, seed=3)
    planted = plant_names(names, games, seed=0, share=0.3)
    assert len(planted.games) == len(games)
    assert {way for _, way in planted.pairs.values()} == set(WAYS)
    for (player, second), (_, way) in planted.pairs.items():
        before = sum(player in game[:2] for game in games)
        after = [sum(one in game[:2] for game in planted.games) for one in (player, second)]
        assert all(after)
        assert sum(after) < before if way == "absence" else sum(after) == before


def test_precision_and_recall_on_planted_names() -> None:
    """The grades hold what they state; `make bench` has more players, and real ones."""
    trials = [try_names(*make_players(250, 3000, seed=6), seed=seed) for seed in (50, 51, 52)]
    number, precision, recall = measure(trials, 50)
    assert number >= 15
    assert precision >= 0.7
    assert recall >= 0.5
    assert measure(trials, GRADES[0].least)[1] >= GRADES[0].precision / 100
