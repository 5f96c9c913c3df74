"""`make soak`: every long-running check.

- Eight simulated tabs for half an hour.
- A process that is killed again and again while it writes the caches, another while it writes the library, and another
  while it downloads models.
- Eight tabs over a group of two processes, of which one is killed each minute.
- Caches that rot, and a disk that fills up.
- A failure of every call that copies or evaluates an array, and of every function of the engine's loop, one at a time.
- Damaged images in five formats, for a minute, and a bomb, while the window's event loop turns.
- A user who does anything at all in the window, for 10,000 steps.
- The benches of whole processes, which must print their tables.
- Every property test with twenty times the examples of a test run, and every case of each sweep.

Returns status 0 only if everything passed. `python -m tests.soak tabs --minutes 5` runs one part for a shorter time. A
failure can be repeated with the same `--seed`.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from resources import DEMO_MODEL
from tests.soak import (
    answer_kills,
    disk_full,
    download_kills,
    faults,
    group_kills,
    images,
    library_kills,
    rot,
    store_kills,
    troubled_chats,
)
from tests.soak.engine_pipe import EnginePipe
from tests.soak.run import Soak
from tests.soak.small_disk import small_disk
from tests.soak.troubled_chats import Filling, Rotting
from tests.soak.twin import Twins

Part = Callable[[Path, argparse.Namespace], bool]

QUOTA = 1 << 30
ROOT = Path(__file__).parents[2]


def main() -> int:
    """Run the given parts, or all of them, and report."""
    options = _options()
    wrong = 0
    for name in options.parts or PARTS:
        print(f"--- {name}, seed {options.seed}", flush=True)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            wrong += not PARTS[name](Path(home), options)
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Hearth's soak test.")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all, if none is named")
    parser.add_argument("--minutes", type=float, default=30.0, help="of the tabs")
    parser.add_argument("--tabs", type=int, default=8)
    parser.add_argument("--group-minutes", type=float, default=10.0, help="of each split of a group")
    parser.add_argument("--store-kills", type=int, default=200)
    parser.add_argument("--answer-kills", type=int, default=40)
    parser.add_argument("--library-kills", type=int, default=1000)
    parser.add_argument("--download-kills", type=int, default=50, help="downloads, each killed up to three times")
    parser.add_argument("--rots", type=int, default=2000)
    parser.add_argument("--rotting-turns", type=int, default=100)
    parser.add_argument("--fills", type=int, default=500)
    parser.add_argument("--full-turns", type=int, default=100)
    parser.add_argument("--image-seconds", type=float, default=60.0)
    parser.add_argument("--window-steps", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="fail one call in N, of all that can fail")
    parser.add_argument("--families", nargs="+", choices=faults.FAMILIES, default=[*faults.FAMILIES])
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _tabs(home: Path, options: argparse.Namespace) -> bool:
    """Whether no request failed, memory did not grow, and every reply equals its cold, lone twin."""
    batched, lone = home / "batched", home / "lone"
    batched.mkdir()
    lone.mkdir()
    with EnginePipe(batched, QUOTA) as engine, EnginePipe(lone, QUOTA) as other:
        twins = Twins(other, DEMO_MODEL)
        twins.start()
        soak = Soak(engine, twins, options.tabs, options.seed)
        engine.load(DEMO_MODEL)
        soak.run(options.minutes * 60)
        twins.finish()
        ended = engine.close(), other.close()
    print(f"{soak.report()}\nengines ended with status {ended[0]} and {ended[1]}", flush=True)
    return soak.sound and ended == (0, 0)


def _groups(home: Path, options: argparse.Namespace) -> bool:
    """Whether every reply of a group that is killed each minute equals its cold, lone twin, for both splits."""
    problems = []
    for split in ("pipeline", "tensor"):
        with EnginePipe(home, group_kills.QUOTA, home / f"{split}-alone") as other:
            soak = group_kills.GroupKills(home, DEMO_MODEL, split, other)
            print(soak.run(options.tabs, options.group_minutes * 60, 60, options.seed), flush=True)
        problems += soak.problems
    return _told(problems, "groups of two ranks")


def _kills(run: Callable[[int, Path, int], list[str]], of: str, home: Path, options: argparse.Namespace) -> bool:
    kills = getattr(options, of)
    problems = run(kills, home, options.seed)
    return _told(problems, f"{kills} kills")


def _rot(home: Path, options: argparse.Namespace) -> bool:
    """Whether every damage to the caches was a counted miss, in the store alone and under chats."""
    seen = rot.witness(options.rots, home, options.seed)
    print(f"{options.rots} rounds, {seen.deeds.total()} damages, {seen.causes.total()} misses: {dict(seen.causes)}")
    chats = troubled_chats.run(options.rotting_turns, home, Rotting(home / "rotting"), options.seed)
    return _told([*seen.problems, *chats.problems], chats.report())


def _full(home: Path, options: argparse.Namespace) -> bool:
    """Whether a full disk lost nothing that was acknowledged, and no chat noticed it."""
    places = home / "stores", home / "chats"
    for place in places:
        place.mkdir()
    seen = disk_full.witness(options.fills, places[0], options.seed)
    print(f"{options.fills} fills, done: {dict(seen.done)}, refused: {dict(seen.refused)}", flush=True)
    with small_disk(places[1]) as disk:
        chats = troubled_chats.run(options.full_turns, home, Filling(disk), options.seed)
    return _told([*seen.problems, *chats.problems], chats.report())


def _faults(home: Path, options: argparse.Namespace) -> bool:
    """Whether each failure inside the engine cost at most one request and caused no wrong output or state."""
    logging.disable(logging.CRITICAL)  # thousands of failures are logged with their tracebacks
    problems = []
    for family in options.families:
        sweep = faults.Sweep(family, home / family)
        found = [*sweep.run(options.every), *sweep.entries(options.every)]
        print(f"{family}: {sweep.plays} plays, {len(found)} problems", flush=True)
        problems += [f"{family}, {problem}" for problem in found]
    return _told(problems, "every call has failed")


def _images(_home: Path, options: argparse.Namespace) -> bool:
    """Whether the window never waited for an image, and showed a good one after each hundred bad ones."""
    seen = images.witness(options.image_seconds, options.seed)
    return _told(seen.problems, seen.report())


def _window(home: Path, options: argparse.Namespace) -> bool:
    """Whether a user who does anything loses no word, and leaves no warning, thread or timer."""
    from tests.soak import window_walk

    problems = window_walk.witness(options.window_steps, home, options.seed)
    return _told(problems, window_walk.report())


def _properties(_home: Path, _options: argparse.Namespace) -> bool:
    """Whether every property holds for many examples, each sweep for all its cases, and every test of the stores passes
    on a later SQLite.
    """
    pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", "1800"]
    runs = [
        [*pytest, "-m", "hypothesis", "--hypothesis-profile", "thorough", "tests/unit"],
        [*pytest, "-m", "sweep", "--sweeps", "tests"],
        [*pytest, "-m", "not sweep", "--sweeps", "tests/unit/engine"],
    ]
    if find_spec("pysqlite3"):
        runs.append([*pytest, "-p", "tests.fakes.later_sqlite", "tests/unit/storage"])
    codes = [subprocess.run(run, cwd=ROOT, check=False).returncode for run in runs]
    return not any(codes)


def _benches(_home: Path, _options: argparse.Namespace) -> bool:
    """Whether the benches of processes print their tables. `make test` makes those of a model and of the stores."""
    run = [sys.executable, "-m", "tests.bench", "peers", "ranks", "ui"]
    return subprocess.run(run, cwd=ROOT, check=False).returncode == 0


def _told(problems: list[str], report: str) -> bool:
    print("\n".join([*problems, report, f"{len(problems)} problems"]), flush=True)
    return not problems


PARTS: dict[str, Part] = {
    "tabs": _tabs,
    "store": partial(_kills, store_kills.run, "store_kills"),
    "answers": partial(_kills, answer_kills.run, "answer_kills"),
    "groups": _groups,
    "library": partial(_kills, library_kills.run, "library_kills"),
    "downloads": partial(_kills, download_kills.run, "download_kills"),
    "rot": _rot,
    "full": _full,
    "faults": _faults,
    "images": _images,
    "window": _window,
    "properties": _properties,
    "benches": _benches,
}


if __name__ == "__main__":
    sys.exit(main())
