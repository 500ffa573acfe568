"""`zertz players` and `ratings`, run as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.ingest.databases import copied


@pytest.fixture
def db(of_club: Path, tmp_path: Path) -> Path:
    """The club's database."""
    return copied(of_club, tmp_path)


def test_a_list_has_so_many_and_says_how_many_there_are(run: Run) -> None:
    assert (run("players", "--limit", 2, "--csv")[1].count("\n"), run("players", "--limit", 2)[2]) == (
        1 + 2,
        "2 of 6; --limit 0 lists all\n"
        "share: the points per game with a result, a tie is half a point; interval: the true share, with 95 % confidence\n",
    )
    assert len(json.loads(run("players", "--limit", 0, "--json")[1])) == 6


def test_people_are_told_shares_in_per_cent_and_programs_as_fractions(run: Run) -> None:
    (row, *_) = [row for row in json.loads(run("players", "--json")[1]) if row["share"] is not None]
    line = next(line for line in run("players")[1].splitlines() if line.startswith(row["name"]))
    assert line.split()[-2:] == [f"{row['share']:.1%}", f"{100 * row['low']:.1f}–{row['high']:.1%}"]


def test_players_profiles_and_pairs_in_every_form(run: Run, tmp_path: Path) -> None:
    listed = json.loads(run("players", "--json")[1])
    assert {one["name"] for one in listed} == {"ada", "ben", "Cy", "greedybot", "guest", "guest7"}
    status, out, _ = run("players", "ADAH")
    assert (status, out.splitlines()[0].split(":")[0]) == (0, "ada (human, also ADA, adah)")
    titles = [line.split(",")[0] for line in out.split("\n\n")[1:] for line in line.splitlines()[:1]]
    assert titles == ["results", "conditions", "first moves", "opponents", "years"]
    whole = json.loads(run("players", "ada", "--json")[1])
    for table in ("results", "conditions", "first-moves", "opponents", "years", "tactics"):
        rows = list(csv.DictReader(io.StringIO(run("players", "ada", "--csv", "--table", table)[1])))
        assert [row["games"] for row in rows] == [str(row["games"]) for row in whole[table.replace("-", "_")]]
    both = json.loads(run("players", "ada", "--vs", "ben", "--json")[1])
    assert both["opponent"] == "ben"
    assert len(both["games"]) == sum(row["games"] for row in both["results"])
    assert run("players", "ada", "--vs", "ben")[1].startswith(f"ada against ben: {len(both['games'])} game")
    assert run("players", "--parquet", tmp_path / "p.parquet")[0] == 0


def test_a_profile_begins_with_all_games_and_the_rating(run: Run) -> None:
    listed = {row["name"]: row for row in json.loads(run("players", "--json")[1])}
    ratings = json.loads(run("ratings", "--limit", 0, "--json")[1])
    rated = {row["name"]: row for row in ratings}
    first, second, *_ = run("players", "ada")[1].splitlines()
    one = listed["ada"]
    assert f": {one['games']} games, {one['wins']} won, {one['ties']} tied, {one['losses']} lost" in first
    humans = [row["name"] for row in ratings if row["kind"] == "human"]
    ada = f"rating {rated['ada']['rating']} ± {2 * rated['ada']['deviation']}, rank {humans.index('ada') + 1} of {len(humans)} humans"
    assert second == ada
    assert json.loads(run("players", "ada", "--json")[1])["rating"]["rating"] == rated["ada"]["rating"]
    assert json.loads(run("players", "guest", "--json")[1])["rating"] is None
    total, first, second, *_ = run("players", "ada", "--vs", "ben")[1].splitlines()
    [counts] = csv.DictReader(io.StringIO(run("players", "ada", "--vs", "ben", "--csv", "--table", "total")[1]))
    assert f"{counts['wins']} won, {counts['ties']} tied, {counts['losses']} lost" in total
    assert (first, second.split(",")[0]) == (
        f"ada: {ada}",
        f"ben: rating {rated['ben']['rating']} ± {2 * rated['ben']['deviation']}",
    )


def test_a_filter_counts_for_all_of_it(run: Run) -> None:
    assert json.loads(run("players", "--filter", "first:nobody", "--json")[1]) == []
    games = json.loads(run("players", "ada", "--filter", "vs:ben player:ada", "--json")[1])["opponents"]
    assert [row["opponent"] for row in games] == ["ben"]


def test_a_guest_is_no_single_player(run: Run) -> None:
    assert "many people share" in run("players", "guest")[1]


def test_names_are_claimed_and_claims_taken_back(run: Run) -> None:
    assert run("players", "ada", "--undo", "adah") == (0, "ada may or may not be adah\n", "")
    assert "no aliases yet" in run("players", "--claims")[2]
    # Their first moves are random, so they are two players'.
    assert run("players", "--proposals") == (0, "", "no aliases to propose\n")
    status, out, _ = run("players", "adah", "--is", "ada")
    assert (status, out.startswith("adah is ada (names 86 % alike")) == (0, True)
    assert run("players", "ben", "--is-not", "ada") == (0, "ben is not ada\n", "")
    assert [row["verdict"] for row in json.loads(run("players", "--claims", "--json")[1])] == ["accepted", "rejected"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["players", "--is", "ada"], "--is needs a name before it: zertz players NAME --is OTHER"),
        (["players", "ada", "--is", "ben", "--vs", "Cy"], "can't be combined"),
        (["players", "addda"], "no player is called 'addda'; did you mean ada"),
        (["players", "ada", "--is", "nobody"], "No game has a player called nobody"),
        (["players", "ada", "--table", "replies", "--csv"], "with --prepare it can be replies"),
        (["players", "ada", "--prepare", "--table", "years", "--csv"], "--table years is not among replies"),
        (["ratings", "--history", "nobody"], "no player is called 'nobody'"),
        (["ratings", "board:99"], "99"),
    ],
)
def test_what_is_impossible_is_a_sentence(run: Run, command: list[str], words: str) -> None:
    status, out, err = run(*command)
    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_ratings_and_their_history(run: Run) -> None:
    rows = json.loads(run("ratings", "--json")[1])
    assert [row["kind"] for row in rows] == ["human", "human", "human", "bot"]
    status, out, err = run("ratings", "--limit", 1)
    assert (status, len(out.splitlines()), "1 of 4" in err) == (0, 2, True)
    assert [row["name"] for row in json.loads(run("ratings", "--kind", "bot", "--json")[1])] == ["greedybot"]
    history = json.loads(run("ratings", "--history", "ada", "--limit", 0, "--json")[1])
    assert history[-1]["rating"] == next(row["rating"] for row in rows if row["name"] == "ada")
    assert len(json.loads(run("ratings", "--history", "ada", "--limit", 2, "--json")[1])) == 2
    one = json.loads(run("ratings", "ada", "--json")[1])
    assert (one["rank"], one["rating"]) == (1 + [row["name"] for row in rows].index("ada"), history[-1]["rating"])
    [best] = json.loads(run("ratings", "--history", "ada", "--sort", "-rating", "--limit", 1, "--json")[1])
    assert best["rating"] == max(row["rating"] for row in history)
    assert "No game that matches can be rated." in run("ratings", "player:guest*")[2]


def test_a_name_shows_the_rank_among_all_and_a_filter_says_that_it_is_one(run: Run) -> None:
    everybody = json.loads(run("ratings", "--limit", 0, "--json")[1])
    humans = [row["name"] for row in everybody if row["kind"] == "human"]
    for name in ("ADAH", "ben"):
        status, out, err = run("ratings", name, "--json")
        row = json.loads(out)
        assert row.pop("years")[-1]["rating"] == row["rating"] <= row.pop("best")
        assert row.pop("best_date") <= row["last_date"]
        assert (status, err) == (0, "")
        shown = "ada" if name == "ADAH" else "ben"
        assert (row.pop("rank"), row.pop("of")) == (humans.index(shown) + 1, len(humans))
        assert row in everybody
        lines = run("ratings", name)[1].splitlines()
        assert lines[0].startswith("rank  of  name")
        assert lines[3].endswith(", game by game")
        assert lines[5].split() == ["year", "games", "rating", "±", "lowest", "highest"]
    games = json.loads(run("players", "ada", "--json")[1])["games"]
    said = f"Ratings from the {games} games that match the filter alone, not the stored ones."
    assert run("ratings", "player:ada")[1].splitlines()[0] == said
    assert run("ratings", "player:ada", "--json")[2].splitlines()[0] == said
    assert run("ratings", "guest")[0] == 2
    assert "has no rating" in run("ratings", "guest")[2]
    assert run("ratings", "bemn")[2] == "zertz: no player is called 'bemn'; did you mean ben?\n"
