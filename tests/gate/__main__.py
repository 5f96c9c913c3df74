"""`python -m tests.gate`: compares the counts of a journey with the page in this folder. `--write` makes the page."""

from __future__ import annotations

import argparse
import sys

import mlx.core as mx

from tests.gate import page
from tests.gate.journey import FAMILIES, travelled


def main() -> int:
    """Returns 0 if the page is exact."""
    options = _options()
    mx.disable_compile()  # with a compiler MLX would build its CPU kernels at run time, which takes seconds
    journeys = {family: travelled(family) for family in FAMILIES}
    recorded = page.read(page.PATH.read_text("utf-8")) if page.PATH.exists() else {}
    differing = page.differences(journeys, recorded)
    _say(*differing, f"{len(differing)} counts are not as recorded")
    if options.write:
        page.PATH.write_text(page.written(journeys), "utf-8")
    elif differing:
        _say(page.ADVICE)
    return 1 if differing and not options.write else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.gate", description=__doc__)
    parser.add_argument("--write", action="store_true", help="make tests/gate/counts.md from this run")
    return parser.parse_args()


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
