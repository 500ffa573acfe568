"""Many faults at random moments: kills, lost workers, Ctrl-C, full disks, and readers beside imports (`make stress`).

Each round ends with the check that nothing is lost: a published state is whole until the next one is published, and that equals the
state of an uninterrupted import. With `--tails` the changes are published as tails, as in large databases.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.stress import full_disk, interrupts, kills, readers, setting, workers
from tests.stress.setting import Setting

STRESSES = {
    "kills": kills.run,
    "workers": workers.run,
    "interrupts": interrupts.run,
    "full-disk": full_disk.run,
    "readers": readers.run,
}


def main() -> None:
    """Run the stresses and print a table; raise an AssertionError about a broken promise."""
    arguments = argparse.ArgumentParser(prog="python -m tests.stress", description=__doc__)
    arguments.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(STRESSES)} (default: all)")
    arguments.add_argument("--tails", action="store_true", help="publish changes as tails, as in large databases")
    given = arguments.parse_args()
    if unknown := set(given.names) - set(STRESSES):
        arguments.error(f"there is no stress {', '.join(sorted(unknown))}; there are {', '.join(STRESSES)}")
    setting.tails = given.tails
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        rounds = Setting(Path(folder))
        for name in given.names or STRESSES:
            began = time.monotonic()
            print(f"{name} …", file=sys.stderr, flush=True)
            facts = STRESSES[name](rounds)
            rows += [(name, fact, figure) for fact, figure in facts] + [(name, "seconds", time.monotonic() - began)]
    for name, fact, figure in rows:
        print(f"{name:<12}{fact:<60}{figure:>10,.2f}" if figure % 1 else f"{name:<12}{fact:<60}{figure:>10,.0f}")


if __name__ == "__main__":
    main()
