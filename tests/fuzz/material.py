"""Build fuzzing material: records of every irregular kind, spliced, damaged, repeated and packed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import strategies as st

from zertz_db import samples
from zertz_db.check.findings import OUR_FAULT
from zertz_db.check.repair.repairs import find_repairs
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.discover import list_places
from zertz_db.ingest.sources.place import Damage, Place
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.parser.vocabulary.terms import Verdict

CORPUS = Path(__file__).with_name("corpus")
_LONGEST = 2_500
"""Maximum bytes of a sample: longer ones only repeat themselves."""


def corpus() -> list[bytes]:
    """Return the records to splice: those here, and the starts of the samples."""
    files = sorted(CORPUS.iterdir()) + sorted(samples.folder().rglob("*.*"))
    return [path.read_bytes()[:_LONGEST] for path in files if path.suffix in (".txt", ".sgf")]


SIGNS = [
    *(
        sign.encode()
        for sign in ("{", "}", "(", ")", "[", "]", '"', ";", "\\", "\n", "\r", "\0", " ", "x", "-", "*", "1.")
    ),
    *(
        word.encode()
        for word in ("1-0", ",", "(;", "P0[", "Done", "W", "d4", "{half turn: ", "'", "Player 1: {", "\ufeff")
    ),
    *(b"\xff\xfe", b"\xf0", b"\xf018", b"\xc3"),
]
"""Texts that readers are sensitive to."""


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Return some records, or pieces of them, with some characters inserted, removed or replaced."""
    pieces = draw(st.lists(st.sampled_from(corpus()), min_size=1, max_size=3))
    data = bytearray(draw(st.sampled_from([b"", b"\n", b"\n\n", b" "])).join(pieces))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(data)))
        until = min(len(data), at + draw(st.sampled_from([0, 0, 1, 2, 10, 300])))
        put_in = draw(st.sampled_from(SIGNS) | st.binary(max_size=4))
        data[at:until] = put_in * draw(st.sampled_from([0, 1, 1, 2, 30]))
    return bytes(data)


# Without the time of day in them: the size of a packed archive must not change between two runs of an example.
def _zipped(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (("a.txt", data), ("sub/b.sgf", data[::2])):
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def _tarred(data: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        info = tarfile.TarInfo("inner.zip")
        packed = _zipped(data)
        info.size = len(packed)
        archive.addfile(info, io.BytesIO(packed))
    return target.getvalue()


def _gzipped(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


PACKINGS: list[Callable[[bytes], bytes]] = [
    bytes,
    _zipped,
    _tarred,
    _gzipped,
    bz2.compress,
    lzma.compress,
    lambda data: _gzipped(_tarred(data)),
]


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """Return a packed text, with some bytes of the packing replaced or cut off."""
    data = bytearray(draw(st.sampled_from(PACKINGS))(draw(texts())))
    for _ in range(draw(st.integers(0, 4))):
        if data:
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data[: len(data) - draw(st.sampled_from([0, 0, 0, 1, 20, 500]))])


class Broken(AssertionError):
    """A forbidden outcome, with its details."""


def go_all_the_way(data: bytes, name: str = "games.txt") -> list[SourceRecord]:
    """Convert a file's bytes to verdicts. Raises Broken, or the program's own failure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        there = list(list_places([(str(path), True)]))
        damaged = [place for place in there if isinstance(place, Damage)]
        contents = list(read_contents(place for place in there if isinstance(place, Place)))
        found = [one for one in read_and_check([*damaged, *contents], full=False) if isinstance(one, SourceRecord)]
    for one in found:
        _examine(one)
    return found


def _examine(one: SourceRecord) -> None:
    if one.checked.verdict not in tuple(Verdict):
        raise Broken(f"there is no verdict {one.checked.verdict!r}")
    if one.checked.record.fault is not None:
        find_repairs(one.checked, 1, one.text)
    for finding in one.checked.findings:
        if finding.code == OUR_FAULT.code:
            raise Broken(finding.message)
        span = finding.span
        if (
            span
            and one.text
            and not (0 <= span.start <= span.end <= len(one.text) and span.line > 0 and span.column > 0)
        ):
            raise Broken(f"{finding.code} is nowhere: {span}")
