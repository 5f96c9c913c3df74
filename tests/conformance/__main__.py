"""`make conformance`: checks all families, two at a time, against the page in the docs. `--write` writes the page anew.

Each worker is a process: a family that crashes its process is one wrong row, and the run continues.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING

import msgspec

from tests.conformance import table
from tests.conformance.families import FAMILIES
from tests.conformance.table import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORKERS = 2
_SECONDS = 1800


def main() -> int:
    """Returns 0 if no family is wrong and the page matches the run."""
    options = _options()
    names = sorted(options.families or FAMILIES)
    with ThreadPoolExecutor(_WORKERS) as pool:
        rows = sorted(chain(*pool.map(_checked, [names[start::_WORKERS] for start in range(_WORKERS)])))
    if options.write:
        table.PATH.write_text(table.written(rows), "utf-8")
    committed = table.read(table.PATH.read_text("utf-8"))
    wanted = {name: line for name, line in committed.items() if not options.families or name in names}
    failed = [str(line) for line in rows if line.verdict == table.WRONG]
    differing = table.differences(rows, wanted)
    _say(*failed, *differing, f"{len(rows)} families, {len(failed)} wrong, {len(differing)} not as written")
    return 1 if failed or differing else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--write", action="store_true", help="make docs/families.md from this run")
    chosen.add_argument("families", nargs="*", default=[], help="only these")
    return parser.parse_args()


def _checked(names: Sequence[str]) -> list[Row]:
    rows: list[Row] = []
    rest = list(names)
    while rest:
        command = [sys.executable, "-m", "tests.conformance.worker", *rest]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
        rows += [msgspec.json.decode(line, type=Row) for line in run.stdout.splitlines()]
        rest = [name for name in rest if name not in {line.family for line in rows}]
        if rest:
            last_words = (run.stderr.strip().splitlines() or [f"the process ended with {run.returncode}"])[-1]
            rows.append(table.crashed(rest.pop(0), last_words))
    return rows


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
