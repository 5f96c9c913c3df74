"""`make soak`: eight simulated tabs on the built-in model, for half an hour or as many minutes as are asked for.

Ends with status 0 only if no request failed, memory stayed flat, and every reply equals its cold, lone twin.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from resources import DEMO_MODEL
from tests.soak.engine_pipe import EnginePipe
from tests.soak.run import Soak
from tests.soak.twin import Twins

QUOTA = 1 << 30


def main() -> int:
    """Run, print the tally, and judge."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Hearth's soak test.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tabs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        company, lone = Path(home) / "company", Path(home) / "lone"
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
    print(f"{soak.report()}\nengines ended with status {ended[0]} and {ended[1]}")
    return 0 if soak.sound and ended == (0, 0) else 1


if __name__ == "__main__":
    sys.exit(main())
