"""Fuzz for a long time: python -m tests.fuzz --help.

Damaged texts and archives go through all steps until the time is over. Then pieces of the corpus are repeated, and the program reports
those that take more than their share of time for twice the length.
"""

import argparse
import itertools
import random
import sys
import time

from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.material import SIGNS, archives, corpus, go_all_the_way, texts

_ROUND = 500
"""Examples between looks at the clock."""
_TOO_STEEP = 3.0
"""Maximum factor of time for twice the length; linear is 2, quadratic 4."""
_WORTH_TIMING = 0.05
"""Seconds below which a measurement says nothing."""


def fuzz(minutes: float, first_seed: int) -> int:
    """Fuzz for a number of seconds; return the number of examples. Raises the failure, minimised by hypothesis."""
    end = time.monotonic() + 60 * minutes
    slowest = 0.0
    count = 0
    for number in itertools.count(first_seed):

        @seed(number)
        @settings(max_examples=_ROUND, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(texts() | archives())
        def way(data: bytes) -> None:
            nonlocal count, slowest
            count += 1
            begin = time.process_time()
            go_all_the_way(data)
            slowest = max(slowest, time.process_time() - begin)

        way()
        print(f"seed {number}: {count:,} examples, the slowest took {slowest:.2f} s", flush=True)
        if time.monotonic() > end:
            return count
    return count


def steepness(pieces: int, first_seed: int) -> list[str]:
    """Repeat pieces of the corpus and the characters that readers are sensitive to; return those that grow faster than their length."""
    chosen = random.Random(first_seed)  # noqa: S311 - nothing is secret
    steep = []
    material = corpus()
    for number in range(pieces):
        whole = chosen.choice(material)
        begin = chosen.randrange(len(whole))
        piece = whole[begin : begin + chosen.choice([1, 5, 40, 400])]
        head = whole[: chosen.choice([0, 60, len(whole)])] if number % 2 else b""
        piece = chosen.choice([piece, chosen.choice(SIGNS), chosen.choice(SIGNS) + piece]) or b" "
        ratio, taken = _growth(head, piece)
        if ratio > _TOO_STEEP:
            steep.append(f"{ratio:.1f} times as long for twice the length ({taken:.2f} s): {head!r} and many {piece!r}")
            print(steep[-1], flush=True)
    return steep


def _growth(head: bytes, piece: bytes) -> tuple[float, float]:
    """Return the factor of time for twice the length, at the first measurable length."""
    length = 20_000
    before = _taken(head, piece, length)
    while length < 2_000_000:
        length *= 2
        now = _taken(head, piece, length)
        if before > _WORTH_TIMING:
            again = min(now, _taken(head, piece, length))
            return again / before, again
        before = now
    return 0.0, before


def _taken(head: bytes, piece: bytes, length: int) -> float:
    data = head + piece * (length // len(piece) + 1)
    begin = time.process_time()
    go_all_the_way(data)
    return time.process_time() - begin


def main() -> None:
    """Fuzz and print the failures; exit status 1 if there is any."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--minutes", type=float, default=10, help="how long to fuzz")
    options.add_argument("--pieces", type=int, default=150, help="how many pieces to repeat")
    options.add_argument("--seed", type=int, default=1)
    wanted = options.parse_args()
    count = fuzz(wanted.minutes, wanted.seed)
    steep = steepness(wanted.pieces, wanted.seed)
    print(
        f"{count:,} examples without a failure; {len(steep)} of {wanted.pieces} repetitions grow faster than their length"
    )
    sys.exit(bool(steep))


if __name__ == "__main__":
    main()
