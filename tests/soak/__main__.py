"""`make soak`: everything that takes long and must never fail. Eight simulated tabs for half an hour; a process killed
again and again while it writes the caches, another while it writes the library.

Ends with status 0 only if nothing was wrong. `python -m tests.soak tabs --minutes 5` runs one part, shorter.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from resources import DEMO_MODEL
from tests.soak import library_kills, store_kills
from tests.soak.engine_pipe import EnginePipe
from tests.soak.run import Soak
from tests.soak.twin import Twins

if TYPE_CHECKING:
    from collections.abc import Callable

    Part = Callable[[Path, argparse.Namespace], bool]

QUOTA = 1 << 30


def main() -> int:
    """Run the parts that are asked for, all if none is, and judge."""
    options = _options()
    wrong = 0
    for name in options.parts or PARTS:
        print(f"--- {name}", flush=True)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            wrong += not PARTS[name](Path(home), options)
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Hearth's soak test.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all, if none is named")
    parser.add_argument("--minutes", type=float, default=30.0, help="of the tabs")
    parser.add_argument("--tabs", type=int, default=8)
    parser.add_argument("--store-kills", type=int, default=200)
    parser.add_argument("--library-kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _tabs(home: Path, options: argparse.Namespace) -> bool:
    """Whether no request failed, memory stayed flat, and every reply equals its cold, lone twin."""
    company, lone = home / "company", home / "lone"
    company.mkdir()
    lone.mkdir()
    with EnginePipe(company, QUOTA) as engine, EnginePipe(lone, QUOTA) as other:
        twins = Twins(other, DEMO_MODEL)
        twins.start()
        soak = Soak(engine, twins, options.tabs, options.seed)
        engine.load(DEMO_MODEL)
        soak.run(options.minutes * 60)
        twins.finish()
        ended = engine.close(), other.close()
    print(f"{soak.report()}\nengines ended with status {ended[0]} and {ended[1]}", flush=True)
    return soak.sound and ended == (0, 0)


def _kills(run: Callable[[int, Path, int], list[str]], of: str, home: Path, options: argparse.Namespace) -> bool:
    kills = getattr(options, of)
    problems = run(kills, home, options.seed)
    print("\n".join([*problems, f"{kills} kills, {len(problems)} problems"]), flush=True)
    return not problems


PARTS: dict[str, Part] = {
    "tabs": _tabs,
    "store": partial(_kills, store_kills.run, "store_kills"),
    "library": partial(_kills, library_kills.run, "library_kills"),
}


if __name__ == "__main__":
    sys.exit(main())
