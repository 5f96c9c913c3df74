"""`make conformance`: checks all families against the page in the docs, in one worker process for each core. `--write`
writes the page anew.
"""

from __future__ import annotations

import argparse
import sys

from tests.conformance import table
from tests.conformance.families import FAMILIES
from tests.conformance.workers import check_all


def main() -> int:
    """Returns 0 if no family is wrong and the page matches the run."""
    options = _options()
    names = sorted(options.families or FAMILIES)
    rows = [checked.row for checked in check_all(names)]
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


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
