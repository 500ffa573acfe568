"""A client for `zertz serve`: its methods return the results of `zertz_db.queries` over HTTP. Needs the extra `api`.

>>> with Client("http://localhost:8000") as client:  # doctest: +SKIP
...     shortest = client.games("board:48 ending:set", sort="plies", limit=10).df()
...     client.game(shortest["id"][0])["moves"]
"""

from __future__ import annotations

import datetime as dt
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import httpx2

from zertz_db.errors import BrokenEnvironment
from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result
from zertz_db.queries.search.matches import Found

_PAGE_SIZE = 1000
"""Number of games per request."""
_POLL_SECONDS = 0.5
"""Seconds between two requests for the progress of an import."""
_QUERY_ERRORS = (HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY)

Value = str | int | bool | None


class ServerError(BrokenEnvironment):
    """The server failed to answer. status: of HTTP (None: no response). The message is a sentence."""

    def __init__(self, status: int | None, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class Client:
    """Client of a server. Every method may raise QueryError (invalid request) and ServerError (the server can't answer now)."""

    def __init__(
        self,
        address: str,
        *,
        token: str | None = None,
        timeout: float = 60,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """address: for example http://localhost:8000. token: allows imports. timeout: seconds to wait for a response."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx2.Client(base_url=address, headers=headers, timeout=timeout, transport=transport)

    def games(self, q: str = "", *, sort: str = "-date", limit: int | None = None) -> Result:
        """Return the games that pass a filter, as `list_games`; all without a limit."""
        left = limit
        found = Result((), [])
        cursor: str | None = None
        while left is None or left > 0:
            part = min(_PAGE_SIZE, _PAGE_SIZE if left is None else left)
            answer = self._get("/games", q=q, sort=sort, limit=part, cursor=cursor)
            more = _result(answer)
            found = Result(more.columns, found.rows + more.rows)
            cursor = answer["next"]
            left = None if left is None else left - len(more.rows)
            if cursor is None:
                break
        return found

    def stream(self, q: str = "", *, sort: str = "-date", limit: int | None = None) -> Iterator[dict[str, Any]]:
        """Yield the games that pass a filter with their moves, as they arrive, all from one generation of the database."""
        wanted = _drop_missing(q=q, sort=sort, limit=limit)
        with _convert_errors(), self._http.stream("GET", "/games.ndjson", params=wanted) as answer:
            if answer.is_error:
                answer.read()
            _raise_for_error(answer)
            for line in answer.iter_lines():
                yield json.loads(line)

    def game(self, game: str) -> dict[str, Any]:
        """Return a game with its moves, by its id or the first letters of it."""
        found: dict[str, Any] = self._get(f"/games/{_quote(game)}")
        return found

    def notation(self, game: str) -> str:
        """Return a game in official notation."""
        return self._ask("GET", f"/games/{_quote(game)}.txt").text

    def picture(self, game: str, ply: int | None = None) -> str:
        """Return the board of a game after a number of plies (default: at the end) as SVG."""
        return self._ask("GET", f"/games/{_quote(game)}.svg", params=_drop_missing(ply=ply)).text

    def explorer(self, moves: str = "", *, q: str = "", **wanted: Value) -> dict[str, Any]:
        """Return the continuations of a position. wanted: the parameters of `/explorer`."""
        found: dict[str, Any] = self._get("/explorer", moves=moves, q=q, **wanted)
        return found

    def search(self, pattern: str | None = None, *, q: str = "", **wanted: Value) -> Found:
        """Return the matches of a pattern or a position (the parameters of `/positions/search`), as `find_position`."""
        found = self._get("/positions/search", pattern=pattern, q=q, **wanted)
        tables = {name: _result(found[name]) for name in ("hits", "continuations", "years")}
        return Found(found["games"], found["plies"], **tables, first=found["first"])

    def moves(self, position: str | None = None, **wanted: Value) -> dict[str, Any]:
        """Return the legal moves of a position. wanted: the other parameters of `/positions/moves`."""
        found: dict[str, Any] = self._get("/positions/moves", position=position, **wanted)
        return found

    def solve(self, position: str | None = None, **wanted: Value) -> dict[str, Any]:
        """Return the forced win of a position, and what was searched. wanted: the other parts of the body of `/solve`."""
        found: dict[str, Any] = self._ask("POST", "/solve", json=_drop_missing(position=position, **wanted)).json()
        return found

    def judge(self, position: str | None = None, move: str = "", **wanted: Value) -> dict[str, Any]:
        """Return the judgement of a move by forced wins. wanted: the other parts of the body of `/judge`."""
        body = _drop_missing(position=position, move=move, **wanted)
        found: dict[str, Any] = self._ask("POST", "/judge", json=body).json()
        return found

    def review(self, game: str) -> dict[str, Any]:
        """Return the review of a game as JSON: win chances, marks on its plies, counts of both players."""
        found: dict[str, Any] = self._get(f"/games/{_quote(game)}/review")
        return found

    def stats(self, name: str, q: str = "", by: str = "") -> Result:
        """Return a statistic, as `ask_statistics`. by: names of groups, separated by commas."""
        return _result(self._get(f"/stats/{_quote(name)}", q=q, by=by))

    def insights(self, metric: str, by: str = "side", q: str = "", *, of: str = "") -> Result:
        """Return a metric by a dimension, as `find_insight`. of: a player's name; empty for all players."""
        return _result(self._get(f"/insights/{_quote(metric)}", q=q, by=by, of=of))

    def tactics(self, q: str = "", *, kind: str = "missed", sort: str = "", limit: int = 20) -> Result:
        """Return forced wins of the analysed games, as `find_tactics`; sort: as in `games`."""
        return _result(self._get("/tactics", q=q, kind=kind, sort=sort or None, limit=limit))

    def puzzles(
        self,
        q: str = "",
        *,
        themes: Sequence[str] = (),
        grade: str = "B",
        length: int | None = None,
        missed_by: str = "",
        sort: str = "",
        limit: int = 20,
    ) -> Result:
        """Return puzzles of the analysed games, as `list_puzzles`; sort: as in `games`."""
        wanted = _drop_missing(
            q=q, grade=grade, length=length, missed_by=missed_by or None, sort=sort or None, limit=limit
        )
        return _result(self._ask("GET", "/puzzles", params={**wanted, "theme": [*themes]}).json())

    def puzzle(self, puzzle: str, *, solution: bool = False) -> dict[str, Any]:
        """Return a puzzle by its id, with its solution if that is wanted."""
        found: dict[str, Any] = self._get(f"/puzzles/{_quote(puzzle)}", solution=solution)
        return found

    def daily_puzzle(self, day: dt.date | None = None, *, solution: bool = False) -> dict[str, Any]:
        """Return the puzzle of a day (default: today in UTC)."""
        found: dict[str, Any] = self._get("/puzzles/daily", date=day.isoformat() if day else None, solution=solution)
        return found

    def try_puzzle(self, puzzle: str, moves: Sequence[str]) -> dict[str, Any]:
        """Return the judgement of the last of these moves, and the defender's reply."""
        found: dict[str, Any] = self._ask("POST", f"/puzzles/{_quote(puzzle)}/moves", json={"moves": [*moves]}).json()
        return found

    def times(self, name: str, q: str = "", by: str = "") -> Result:
        """Return a table of thinking times, as `ask_times`."""
        return _result(self._get(f"/times/{_quote(name)}", q=q, by=by))

    def tournaments(self, q: str = "", *, sort: str = "", limit: int = 100) -> Result:
        """Return the tournaments, latest first; sort: as in `games`."""
        return _result(self._get("/tournaments", q=q, sort=sort or None, limit=limit))

    def crosstable(self, name: str, q: str = "", *, rounds: bool = False) -> Result:
        """Return the crosstable of a tournament, or the opponents of each round."""
        return _result(self._get(f"/tournaments/{_quote(name)}", q=q, rounds=rounds))

    def compare_tournament(self, name: str, trf: bytes, q: str = "") -> Result:
        """Return what differs between a tournament and the bytes of its TRF file, as `compare_with_file`."""
        return _result(self._ask("POST", f"/tournaments/{_quote(name)}", params={"q": q}, content=trf).json())

    def pairings(self, names: Sequence[str], *, double: bool = False) -> Result:
        """Return the pairings of a round robin, as `list_pairings`."""
        return _result(self._ask("GET", "/pairings", params={"player": [*names], "double": double}).json())

    def players(self, q: str = "", *, sort: str = "", limit: int = 100) -> Result:
        """Return the players, most games first; sort: as in `games`."""
        return _result(self._get("/players", q=q, sort=sort or None, limit=limit))

    def player(self, name: str, q: str = "") -> dict[str, Any]:
        """Return a player's profile; the tables are Results."""
        return _convert_tables(self._get(f"/players/{_quote(name)}", q=q))

    def studies(self, *, sort: str = "", limit: int = 100) -> Result:
        """Return the studies, the latest saved first; sort: as in `games`."""
        return _result(self._get("/studies", sort=sort or None, limit=limit))

    def study(self, name: str) -> dict[str, Any]:
        """Return a study, by its name or id; `record` has its moves in official notation."""
        found: dict[str, Any] = self._get(f"/studies/{_quote(name)}")
        return found

    def versus(self, name: str, other: str, q: str = "") -> dict[str, Any]:
        """Return a comparison of two players; the tables are Results."""
        return _convert_tables(self._get(f"/players/{_quote(name)}/versus/{_quote(other)}", q=q))

    def preparation(self, name: str, q: str = "", *, known: int | None = None) -> dict[str, Any]:
        """Return what to know before a game with a player, as `prepare_against`; the tables are Results."""
        return _convert_tables(self._get(f"/players/{_quote(name)}/preparation", q=q, known=known))

    def compare(self, subject: str, a: str, b: str, *, moves: str = "", **start: str) -> dict[str, Any]:
        """Return a comparison of two filters, as `compare_filters`; the table is a Result. start: board and rules of continuations."""
        return _convert_tables(self._get(f"/compare/{_quote(subject)}", a=a, b=b, moves=moves, **start))

    def rating(self, name: str) -> dict[str, Any]:
        """Return a player's rating by all games, as `rate_player`: rating and years are Results, curve is a list of numbers."""
        return _convert_tables(self._get(f"/players/{_quote(name)}/rating"))

    def ratings(self, q: str = "", *, kind: str | None = None, sort: str = "", limit: int = 100) -> Result:
        """Return the ratings of players, highest lower bound first; sort: as in `games`."""
        return _result(self._get("/ratings", q=q, kind=kind, sort=sort or None, limit=limit))

    def check(self, records: str | bytes, dialect: str | None = None) -> list[dict[str, Any]]:
        """Return the verdict on each record in a text."""
        content = records.encode() if isinstance(records, str) else records
        found: list[dict[str, Any]] = self._ask(
            "POST",
            "/check",
            params=_drop_missing(dialect=dialect),
            content=content,
            headers={"Content-Type": "text/plain"},
        ).json()["records"]
        return found

    def import_(
        self, file: Path | str, watch: Callable[[dict[str, Any]], object] = lambda _: None, *, replace: bool = False
    ) -> dict[str, Any]:
        """Import a file, wait for the end, and return the tally. `watch` receives the progress.

        replace: withdraw the records of earlier files of this name that it no longer holds. ServerError where it failed.
        """
        path = Path(file)
        with path.open("rb") as content:
            job: dict[str, Any] = self._ask(
                "POST",
                "/import",
                params=_drop_missing(name=path.name, replace=replace or None),
                content=content,
                headers={"Content-Type": "application/octet-stream"},
            ).json()
        while job["state"] in ("waiting", "running"):
            watch(job)
            time.sleep(_POLL_SECONDS)
            job = self._get(f"/imports/{job['id']}")
        if job["state"] == "failed":
            raise ServerError(None, f"{path.name}: {job['problem']}")
        return job

    def duplicates(self, q: str = "", *, limit: int = 100) -> Result:
        """Return pairs of games that may be one, the surest first."""
        return _result(self._get("/duplicates", q=q, limit=limit))

    def decisions(self, *, limit: int = 100) -> Result:
        """Return the decisions about pairs of games, the latest first."""
        return _result(self._get("/duplicates/decisions", limit=limit))

    def decide(self, game: str, other: str, verdict: str, *, author: str = "") -> dict[str, Any]:
        """Decide if two games are one (`accepted`: `game` becomes a record of `other`), two (`rejected`) or put off (`later`); return that.

        `undone` undoes an earlier decision. QueryError where it is impossible.
        """
        wanted = {"game": game, "other": other, "verdict": verdict, "author": author}
        found: dict[str, Any] = self._ask("POST", "/duplicates/decisions", params=wanted).json()
        return found

    def imports(self) -> Result:
        """Return the imports of the database, latest first."""
        return _result(self._get("/imports"))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        """Use it as `with Client(address) as client:`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _get(self, path: str, **wanted: Value) -> Any:
        return self._ask("GET", path, params=_drop_missing(**wanted)).json()

    def _ask(self, method: str, path: str, **keywords: Any) -> httpx2.Response:
        with _convert_errors():
            answer = self._http.request(method, path, **keywords)
        _raise_for_error(answer)
        return answer


@contextmanager
def _convert_errors() -> Iterator[None]:
    try:
        yield
    except httpx2.HTTPError as error:
        raise ServerError(None, f"the server can't be reached: {error}") from error


def _raise_for_error(answer: httpx2.Response) -> None:
    """Raise QueryError or ServerError for a response that is not a success."""
    if not answer.is_error:
        return
    try:
        detail = str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        detail = answer.reason_phrase
    if answer.status_code in _QUERY_ERRORS:
        raise QueryError(detail)
    raise ServerError(answer.status_code, detail)


def _drop_missing(**wanted: Value) -> dict[str, str | int | bool]:
    return {name: value for name, value in wanted.items() if value is not None}


def _quote(name: str) -> str:
    return quote(name, safe="")


def _convert_tables(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _result(value) if isinstance(value, dict) and "columns" in value else value
        for name, value in answer.items()
    }


def _result(answer: Mapping[str, Any]) -> Result:
    """Return a table as a Result of the library."""
    columns = tuple(Column(column["name"], column["meaning"]) for column in answer["columns"])
    read = [_READERS.get(column["type"], _return_unchanged) for column in answer["columns"]]
    rows = [
        tuple(
            None if row[column.name] is None else reader(row[column.name])
            for column, reader in zip(columns, read, strict=True)
        )
        for row in answer["rows"]
    ]
    return Result(columns, rows)


def _return_unchanged(value: Any) -> Any:
    return value


_READERS: dict[str | None, Callable[[Any], Any]] = {"date": dt.date.fromisoformat, "time": dt.datetime.fromisoformat}
