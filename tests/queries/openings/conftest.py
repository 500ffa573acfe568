from collections.abc import Iterator

import pytest

from tests.queries.openings.slow_openings import made_up
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.folder.database import Database
from zertz_db.store.loading import opening_nodes
from zertz_db.store.open_database import open_database

GAMES = made_up(seed=5, games=210)


@pytest.fixture(scope="package")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    folder = tmp_path_factory.mktemp("openings")
    (folder / "games.txt").write_text("".join(game.text(number) for number, game in enumerate(GAMES)), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening_nodes, "FLOOR", 4)  # so that some positions have nodes and others have none
        balance = import_paths([folder / "games.txt"], folder / "games.zertz")
    assert balance.stored == len(GAMES)
    with open_database(folder / "games.zertz") as opened:
        query = "SELECT event, rating1, rating2 FROM games JOIN ratings ON game = id"
        for event, *ratings in opened.connection().execute(query).fetchall():
            GAMES[int(event.removeprefix("game "))].ratings = tuple(ratings)
        yield opened
