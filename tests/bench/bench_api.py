"""The server under load: many readers at once, while games are imported. python -m tests.bench.bench_api --help."""

import argparse
import asyncio
import itertools
import math
import os
import random
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from tests.api.serving import Served, serving
from tests.bench.material import made_up
from tests.bench.timing import heading, row
from zertz_db.client import Client
from zertz_db.ingest.importing import import_paths
from zertz_db.queries import list_games
from zertz_db.store.opening import open_database

TOKEN = "a-token-of-the-benchmark"  # noqa: S105 - it opens nothing
TOO_SLOW = 5
"""Seconds that one in a hundred answers may take longer than."""


class Load(NamedTuple):
    """What readers met: the seconds of each answer, and the answers by status."""

    seconds: list[float]
    statuses: Counter[int]
    lasted: float
    busy: float
    """Seconds that the server's processor worked for an answer; nan where the system does not tell."""

    @property
    def p99(self) -> float:
        return statistics.quantiles(self.seconds, n=100)[98]


def questions(database: Path) -> list[str]:
    """What readers ask, as often as they do: games and the explorer most."""
    with open_database(database) as opened:
        ids = [game for game, *_ in list_games(opened, "plies:>10", limit=200).rows]
    lists = ["/games", "/games?q=board:37 ending:set", "/games?q=plies:<30&sort=plies", "/games?q=player:random*"]
    trees = ["/explorer", "/explorer?moves=Wd4,d1", "/explorer?q=plies:<30&topGames=0"]
    tables = ["/stats/first-mover?by=board", "/stats/sets", "/players?limit=20", "/healthz", "/imports"]
    found = [path for game in ids for path in (f"/games/{game}", f"/games/{game}.svg?ply=8")]
    searches = [f"/positions/search?game={game}&ply={ply}" for game in ids[:20] for ply in (2, 6)]
    return [*found, *(40 * lists), *(40 * trees), *(10 * tables), *searches]


class _Reader:
    """One connection that asks one question after the other. A client made for comfort would take more time than the server."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self.tag = b""

    async def __aenter__(self) -> "_Reader":
        self._answers, self._questions = await asyncio.open_connection(*self._address)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._questions.close()

    async def ask(self, path: str, tag: bytes = b"") -> int:
        """The status of the answer, which is read to its end."""
        known = b"If-None-Match: " + tag + b"\r\n" if tag else b""
        target = quote(path, safe="/?&=:,<>*").encode()
        self._questions.write(b"GET %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (target, known))
        head = (await self._answers.readuntil(b"\r\n\r\n")).split(b"\r\n")
        headers = dict(line.split(b": ", 1) for line in head[1:-2])
        await self._answers.readexactly(int(headers.get(b"content-length", 0)))
        self.tag = headers.get(b"etag", self.tag)
        return int(head[0].split()[1])


async def _load(served: Served, asked: list[str], readers: int, seconds: float, known: bool) -> Load:
    deadline = time.monotonic() + seconds
    taken: list[float] = []
    statuses: Counter[int] = Counter()

    async def read(number: int) -> None:
        mine = random.Random(number)  # noqa: S311 - no secret
        async with _Reader((served.host, served.port)) as reader:
            await reader.ask("/imports")  # connected, and the tag known
            while time.monotonic() < deadline:
                begin = time.perf_counter()
                status = await reader.ask(mine.choice(asked), reader.tag if known else b"")
                taken.append(time.perf_counter() - begin)
                statuses[status] += 1

    begin, worked = time.monotonic(), _worked(served)
    await asyncio.gather(*map(read, range(readers)))
    return Load(taken, statuses, time.monotonic() - begin, (_worked(served) - worked) / len(taken))


def _worked(served: Served) -> float:
    """Seconds that the server's process has had the processor."""
    status = Path(f"/proc/{served.process.pid}/stat")
    if not status.exists():
        return math.nan
    fields = status.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(served: Served, asked: list[str], readers: int, seconds: float, known: bool = False) -> Load:
    """Let so many readers ask, one question after the other each. known: they send back the tag of the last answer."""
    return asyncio.run(_load(served, asked, readers, seconds, known))


def while_importing(
    served: Served, asked: list[str], wanted: argparse.Namespace, files: Iterator[Path]
) -> tuple[Load, int]:
    """The same while one file after the other is imported, and how many were."""

    async def both() -> tuple[Load, int]:
        readers = asyncio.create_task(_load(served, asked, wanted.readers, wanted.seconds, False))
        done = 0
        with Client(served.address, token=TOKEN) as client:
            while not readers.done():
                job = await asyncio.to_thread(client.import_, next(files))
                assert job["stored"], job
                done += 1
        return await readers, done

    return asyncio.run(both())


def told(what: str, met: Load, floor: float | None = None) -> None:
    """A few lines of the table; errors are told by themselves."""
    row(f"{what}: answers a second", len(met.seconds) / met.lasted, floor, at_least=True)
    row("  processor, seconds for each", met.busy)
    row("  median, seconds", statistics.median(met.seconds))
    row("  99 % within, seconds", met.p99, goal=TOO_SLOW)
    row("  errors", sum(count for status, count in met.statuses.items() if status >= 400), goal=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2_000, help="made-up games (2000)")
    parser.add_argument("--db", type=Path, help="a copy of this database instead")
    parser.add_argument("--readers", type=int, default=50, help="readers at once (50)")
    parser.add_argument("--seconds", type=float, default=10, help="seconds of each measurement (10)")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder, database, token = Path(work), Path(work) / "bench.zertz", Path(work) / "token.txt"
        if wanted.db:
            shutil.copytree(wanted.db, database)
        else:
            import_paths(made_up(folder / "games", wanted.games), database)
        token.write_text(TOKEN)
        asked = questions(database)
        files = (made_up(folder / f"more-{seed}", 100, seed=seed)[0] for seed in itertools.count(1))
        with serving("--db", database, "--token-file", token) as served:
            heading("serving", f"{wanted.db.name if wanted.db else 'made-up games'}, {wanted.readers} readers")
            health = load(served, ["/healthz"], wanted.readers, wanted.seconds / 2)
            told("a question that costs nothing", health)
            floor = len(health.seconds) / health.lasted
            told("questions", load(served, asked, wanted.readers, wanted.seconds), floor)
            told("answers that are known", load(served, asked, wanted.readers, wanted.seconds / 2, known=True), floor)
            met, imports = while_importing(served, asked, wanted, files)
            told(f"questions during {imports} imports", met, floor)


if __name__ == "__main__":
    main()
