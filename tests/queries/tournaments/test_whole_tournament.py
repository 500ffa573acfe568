"""A tournament on generated games: pairings, records, import, crosstable, TRF, and back."""

import dataclasses
from collections import Counter
from pathlib import Path

from zertz_db.export.standings_page import format_standings_page
from zertz_db.export.trf import format_trf
from zertz_db.ingest.import_paths import import_paths
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.queries.tournaments.crosstable import build_crosstable, find_crosstable, find_rounds
from zertz_db.queries.tournaments.file_comparison import compare_with_file
from zertz_db.queries.tournaments.round_robin import pair_players
from zertz_db.queries.tournaments.tournament_games import read_tournament
from zertz_db.queries.tournaments.trf_file import parse_trf
from zertz_db.store.open_database import open_database

NAMES = ["Ada", "Ben", "Cy", "Dan", "Eve"]
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


def test_from_pairings_to_the_crosstable_and_back(tmp_path: Path) -> None:
    pairings = [one for one in pair_players(NAMES) if one.second]
    played = list(zip(pairings, generate_games(len(pairings), seed=20), strict=True))
    expected: Counter[str] = Counter(dict.fromkeys(NAMES, 0.0))  # type: ignore[arg-type] # points can be halves
    records = []
    for pairing, record in played:
        named = {
            "event": "Club Open",
            "round": str(pairing.round),
            "player1": pairing.first,
            "player2": pairing.second,
            "date": f"2024.05.{pairing.round:02}",
        }
        records.append(write(dataclasses.replace(record, **named)))  # type: ignore[arg-type] # all of them are texts
        for name, points in zip((pairing.first, pairing.second), POINTS[str(record.result)], strict=True):
            expected[str(name)] += points  # type: ignore[assignment]
    (tmp_path / "open.txt").write_text("\n".join(records), "utf-8")
    tally = import_paths([tmp_path / "open.txt"], tmp_path / "open.zertz")
    assert tally.stored == len(pairings) == 10
    with open_database(tmp_path / "open.zertz") as database:
        table = find_crosstable(database, "Club Open")
        assert {row["player"]: row["points"] for row in table.dicts()} == expected
        assert find_rounds(database, "Club Open").names[-5:] == [f"round {number}" for number in range(1, 6)]
        tournament = read_tournament(database, "Club Open")
        text = format_trf(tournament)
        file = parse_trf(text.encode())
        assert compare_with_file(database, "Club Open", file).rows == []
        lost = parse_trf(text.encode())
        lost.games.pop()
        assert [row[0] for row in compare_with_file(database, "Club Open", lost).rows] == ["extra"]
    assert format_trf(file) == text
    same = [column for column in table.names if column != "performance"]
    assert [[row[name] for name in same] for row in build_crosstable(file).dicts()] == [
        [row[name] for name in same] for row in table.dicts()
    ]
    page = format_standings_page(file)
    assert all(f'<td class="name">{name}</td>' in page for name in NAMES)
