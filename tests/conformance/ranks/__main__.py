"""`make conformance-ranks`: checks all families that mlx-lm can split, on two and three ranks, against the page in the
docs. `--write` writes the page anew.
"""

from __future__ import annotations

import argparse
import sys

from tests.conformance.ranks import table
from tests.conformance.ranks.check import WRONG
from tests.conformance.ranks.families import RANKS, SPLIT, splittable
from tests.conformance.ranks.groups import check_all


def main() -> int:
    """Returns 0 if no family is wrong, none is left out, and the page matches the run."""
    options = _options()
    families = sorted(options.families or SPLIT)
    checks = [f"{family}:{how}" for family in families for how in SPLIT[family]]
    rows = [table.row(result) for ranks in RANKS for result in check_all(checks, ranks)]
    if options.write:
        table.PATH.write_text(table.written(rows), "utf-8")
    committed = table.read(table.PATH.read_text("utf-8"))
    failed = [str(line) for line in rows if line.verdict == WRONG]
    differing = table.differences(rows, {name: line for name, line in committed.items() if name[0] in families})
    unknown = [] if options.families else [f"{name} is not checked" for name in sorted(splittable() - set(checks))]
    found = [*failed, *differing, *unknown]
    _say(*found, f"{len(rows)} splits, {len(failed)} wrong, {len(differing)} not as written")
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.ranks", description=__doc__)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--write", action="store_true", help="make docs/families-ranks.md from this run")
    chosen.add_argument("families", nargs="*", default=[], help="only these")
    return parser.parse_args()


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
