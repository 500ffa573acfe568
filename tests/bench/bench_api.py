"""The server under load: many readers at once, while games are imported. python -m tests.bench.bench_api --help.

It prints the table of docs/performance.md, "The server". The readers are plain sockets in one process, which keep their connections,
because they share the cores with the server: a comfortable client would take more time than the server. The processor time of the
readers for an answer is printed too.
"""

import argparse
import asyncio
import contextlib
import itertools
import os
import random
import re
import selectors
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from tests.api.serving import Served, serving
from tests.bench.material import made_up
from tests.bench.timing import heading, row
from zertz_db.client import Client
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.worker_pool import count_cores
from zertz_db.queries import list_games
from zertz_db.queries.replay_moves import moves
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database

TOKEN = "a-token-of-the-benchmark"  # noqa: S105 - it opens nothing
ALONE = 60
"""Number of questions of each kind for measuring its cost."""


class Kind(NamedTuple):
    """Questions of a kind, and how many of a hundred questions are such."""

    share: int
    paths: Sequence[str]


class Answer(NamedTuple):
    """An answer: kind and path of the question, seconds, status."""

    kind: str
    path: str
    seconds: float
    status: int


class Load(NamedTuple):
    """All answers, the duration of the load, and the processor seconds of the readers and of the server."""

    answers: list[Answer]
    lasted: float
    worked: float
    served: float

    def seconds(self, kind: str | None = None) -> list[float]:
        """Of the answers to questions of a kind, or all."""
        return [answer.seconds for answer in self.answers if kind in (None, answer.kind)]

    @property
    def repeated(self) -> float:
        """Share of the questions that were asked before: their answers may come from the cache."""
        return 1 - len({answer.path for answer in self.answers}) / max(1, len(self.answers))

    @property
    def errors(self) -> int:
        return sum(answer.status >= 400 for answer in self.answers)


def kinds(database: Path) -> dict[str, Kind]:
    """Questions of readers: any game, but always the same few first moves and lists."""
    with open_database(database) as opened:
        some = list_games(opened, "board:37 rules:standard plies:>10", limit=20_000, columns=["id", "movetext"]).rows
    chance = random.Random(2026)  # noqa: S311 - no secret
    chance.shuffle(some)
    ids = [game for game, _ in some]
    lines = [" ".join(moves(text)[: chance.randint(2, 6)]) for _, text in some[:2000]]
    searched = [f"/positions/search?game={game}&ply={chance.randint(2, 8)}" for game in ids[:2000]]
    lists = ["/games", "/games?q=board:37 ending:set", "/games?q=plies:<30&sort=plies"]
    trees = ["/explorer", "/explorer?moves=Wd4,d1", "/explorer?q=plies:<30"]
    tables = ["/stats/first-mover?by=board", "/stats/sets", "/stats/endings", "/players?limit=20", "/imports"]
    return {
        "a game": Kind(30, [f"/games/{game}" for game in ids]),
        "its board as a picture": Kind(10, [f"/games/{game}.svg?ply=8" for game in ids]),
        "a list of games": Kind(15, lists),
        "the next part of a list": Kind(5, [f"/games?cursor={game}" for game in ids]),
        "the explorer at first moves": Kind(15, trees),
        "the explorer further on": Kind(10, [f"/explorer?moves={line}" for line in lines]),
        "a position searched for": Kind(5, searched),
        "statistics, players": Kind(10, tables),
    }


class _Reader:
    """Connection that sends one question after the other."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> "_Reader":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, path: str) -> None:
        """Send a question."""
        target = quote(path, safe="/?&=:,<>*").encode()
        self.socket.sendall(b"GET %b HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n" % target)
        self._received = b""

    def receive(self) -> int | None:
        """Receive what has arrived of the answer; return its status once it is complete."""
        piece = self.socket.recv(1 << 20)
        assert piece, "the server closed the connection"
        self._received += piece
        head, end, body = self._received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if not end or len(body) < (int(length[1]) if length else 0):
            return None
        return int(head[9:12])

    def ask(self, path: str) -> int:
        """Read the answer to its end; return its status."""
        self.send(path)
        while (status := self.receive()) is None:
            pass
        return status


_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)")


def _load(served: Served, asked: Mapping[str, Kind], readers: int, seconds: float, seed: str, different: bool) -> Load:
    """Let `readers` clients send one question after the other.

    seed: of the questions; with a repeated seed, answers would be cached. different: make each question new by an irrelevant difference.
    """
    answers: list[Answer] = []
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as ready:
        sent: dict[_Reader, tuple[str, str, float]] = {}

        def send(reader: _Reader, questions: Iterator[tuple[str, str]]) -> None:
            kind, path = next(questions)
            sent[reader] = kind, path, time.perf_counter()
            reader.send(path)

        for number in range(readers):
            reader = stack.enter_context(_Reader((served.host, served.port)))
            reader.ask("/healthz")
            ready.register(reader.socket, selectors.EVENT_READ, (reader, _questions(asked, seed, number, different)))
        begin, worked, server = time.monotonic(), time.thread_time(), _worked(served)
        for key in [*ready.get_map().values()]:
            send(*key.data)
        while sent:
            for key, _ in ready.select():
                reader, questions = key.data
                if (status := reader.receive()) is None:
                    continue
                kind, path, since = sent.pop(reader)
                answers.append(Answer(kind, path, time.perf_counter() - since, status))
                if time.monotonic() < begin + seconds:
                    send(reader, questions)
        return Load(answers, time.monotonic() - begin, time.thread_time() - worked, _worked(served) - server)


def _questions(asked: Mapping[str, Kind], seed: str, number: int, different: bool) -> Iterator[tuple[str, str]]:
    """Yield the questions of a reader without end: kind and path."""
    names, shares = list(asked), [kind.share for kind in asked.values()]
    mine = random.Random(f"{seed} {number}")  # noqa: S311 - no secret
    for count in itertools.count():
        [kind] = mine.choices(names, shares)
        path = mine.choice(asked[kind].paths)
        yield kind, _make_new(path, f"{seed}{number}-{count}") if different else path


async def _while_importing(
    served: Served, asked: Mapping[str, Kind], wanted: argparse.Namespace, files: Iterator[Path]
) -> tuple[Load, int]:
    """Load the server while files are imported one by one; return the load and the number of imports."""
    load = asyncio.to_thread(_load, served, asked, wanted.readers, wanted.seconds, "busy", wanted.different)
    readers = asyncio.create_task(load)
    done = 0
    with Client(served.address, token=TOKEN) as client:
        while not readers.done():
            job = await asyncio.to_thread(client.import_, next(files))
            assert job["stored"], job
            done += 1
    return await readers, done


def _costs(served: Served, asked: Mapping[str, Kind]) -> dict[str, float]:
    """Return milliseconds of the processor per uncached answer of each kind: an irrelevant difference makes each question new."""
    found = {}
    with _Reader((served.host, served.port)) as reader:
        for number in range(ALONE):  # what the server finds once for a generation that is asked often
            reader.ask(_make_new(asked["a game"].paths[-number], "first"))
        for name, kind in asked.items():
            paths = list(itertools.islice(itertools.cycle(kind.paths), ALONE))
            begin = _worked(served)
            for number, path in enumerate(paths):
                reader.ask(_make_new(path, str(number)))
            found[name] = 1000 * (_worked(served) - begin) / len(paths)
    return found


def _make_new(path: str, number: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}another={number}"


def _worked(served: Served) -> float:
    """Return the processor seconds of the server's processes; 0 if the system does not report them."""
    ticks = 0
    for number in _list_processes(served):
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _list_memory(served: Served) -> str:
    """Return the resident megabytes of each of the server's processes, the largest first."""
    texts = [Path(f"/proc/{number}/status").read_text() for number in _list_processes(served)]
    sizes = [int(found[1]) for text in texts if (found := re.search(r"VmRSS:\s+(\d+)", text))]
    return ", ".join(f"{size >> 10}" for size in sorted(sizes, reverse=True)) + " MB"


def _list_processes(served: Served) -> list[int]:
    """Return the numbers of the server's processes; none if the system does not report them."""
    main = served.process.pid
    children = Path(f"/proc/{main}/task/{main}/children")
    return [main, *map(int, children.read_text().split())] if children.exists() else []


def report(costs: Mapping[str, float], quiet: Load, busy: Load, imports: int, readers: int, games: int) -> None:
    """Print the table."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"\n{readers} readers, {games:,} games, {cores} cores, Python {sys.version.split()[0]}\n")
    print("| question | processor, not cached | median, 99 % within | the same during imports |")
    print("|---|---|---|---|")
    for kind, cost in costs.items():
        print(f"| {kind} | {cost:.1f} ms | {_times(quiet.seconds(kind))} | {_times(busy.seconds(kind))} |")
    print(f"| all | | {_times(quiet.seconds())} | {_times(busy.seconds())} |")
    rates = [f"{len(load.answers) / load.lasted:,.0f}/s" for load in (quiet, busy)]
    print(f"| answers | | {rates[0]} | {rates[1]}, {imports} imports of 100 games |")
    print(f"| repeated questions | | {quiet.repeated:.0%} | {busy.repeated:.0%} |")
    each = [f"{1000 * load.worked / max(1, len(load.answers)):.2f} ms" for load in (quiet, busy)]
    print(f"| the readers' processor time for an answer | | {each[0]} | {each[1]} |")
    print(f"| the server's processor time for an answer | | {1000 * quiet.served / len(quiet.answers):.2f} ms | |")
    print(f"| errors | | {quiet.errors} | {busy.errors} |", flush=True)


def note_results(quiet: Load, readers: int, games: int) -> None:
    """Print the rows with accepted values."""
    heading("the server", f"{readers} readers, {games:,} games")
    row("answers a second", len(quiet.answers) / quiet.lasted, goal=800, accepted=500, at_least=True)
    row("99 % of answers within, seconds", statistics.quantiles(quiet.seconds(), n=100)[98], goal=0.2, accepted=0.3)


def _times(seconds: list[float]) -> str:
    if len(seconds) < 2:
        return ""
    return f"{_short(statistics.median(seconds))}, {_short(statistics.quantiles(seconds, n=100)[98])}"


def _short(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="made-up games (10000)")
    parser.add_argument("--db", type=Path, help="a copy of this database instead")
    parser.add_argument("--readers", type=int, default=50, help="readers at once (50)")
    parser.add_argument("--seconds", type=float, default=30, help="seconds of each measurement (30)")
    parser.add_argument(
        "--processes", type=int, default=min(4, count_cores()), help="processes that serve (one per core)"
    )
    parser.add_argument("--different", action="store_true", help="repeat no question, so that no answer is cached")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        folder, database, token = Path(work), Path(work) / "bench.zertz", Path(work) / "token.txt"
        if wanted.db:
            shutil.copytree(wanted.db, database)
        else:
            import_paths(made_up(folder / "games", wanted.games), database)
        token.touch(mode=0o600)  # the server warns of a file that others can read
        token.write_text(TOKEN)
        asked = kinds(database)
        files = (made_up(folder / f"more-{seed}", 100, seed=seed)[0] for seed in itertools.count(1))
        with open_database(database) as opened:
            games = opened.connection().execute("SELECT count(*) FROM games").fetchall()[0][0]
        with serving("--db", database, "--token-file", token, processes=wanted.processes) as served:
            with Client(served.address, timeout=600) as client:
                client.solve(Position.start("37").text, depth=1)  # the search is compiled and loaded now
            costs = _costs(served, asked)
            quiet = _load(served, asked, wanted.readers, wanted.seconds, "quiet", wanted.different)
            busy, imports = asyncio.run(_while_importing(served, asked, wanted, files))
            report(costs, quiet, busy, imports, wanted.readers, games)
            print(f"| memory of the processes | | | {_list_memory(served)} |")
            note_results(quiet, wanted.readers, games)


if __name__ == "__main__":
    main()
