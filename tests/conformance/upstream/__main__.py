"""`make upstream`: checks all model families with another mlx-lm beside the pinned one, and prints what differs.

The exit status is 1 if something that worked no longer does, and 2 if that version cannot be installed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

import msgspec

from tests.conformance.families import FAMILIES
from tests.conformance.upstream import comparison, environment
from tests.conformance.upstream.comparison import Difference
from tests.conformance.upstream.environment import FOLDER, NotInstalledError
from tests.conformance.upstream.probe import Libraries
from tests.conformance.workers import ROOT, check_all


def main() -> int:
    """Returns the exit status."""
    options = _options()
    try:
        python = str(environment.make(options.version))
    except NotInstalledError as error:
        _say(str(error))
        return 2
    before, after = _libraries(sys.executable), _libraries(python)
    old, new = before.versions["mlx-lm"], after.versions["mlx-lm"]
    if old == new:
        _say(f"mlx-lm {old} is the pinned one; there is nothing to compare")
        return 0
    _say(f"mlx-lm {old} (pinned) beside {new}")
    found = [*_of_libraries(before, after), *_of_families(options.families, before, after, python)]
    _write_diff(before, after, new)
    _say(comparison.table(found), _summary(found))
    return 1 if any(difference.broken for difference in found) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.upstream", description=__doc__)
    parser.add_argument("--version", default="", help="of mlx-lm (default: the newest)")
    parser.add_argument("families", nargs="*", default=[], help="only these")
    return parser.parse_args()


def _libraries(python: str) -> Libraries:
    command = [python, "-m", "tests.conformance.upstream.probe"]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(run.stdout, type=Libraries)


def _of_libraries(before: Libraries, after: Libraries) -> list[Difference]:
    return [
        *comparison.of_versions(before.versions, after.versions),
        *comparison.of_symbols(before.symbols, after.symbols),
    ]


def _of_families(chosen: Sequence[str], before: Libraries, after: Libraries, python: str) -> list[Difference]:
    names = sorted(chosen or FAMILIES)
    _say(f"checking {len(names)} families with each")
    old = check_all([name for name in names if name in before.families])
    offers = list(comparison.of_offers(before.families, after.families, comparison.working(old)))
    if refusal := _refusal(python):
        return [*offers, comparison.engine_refused(refusal)]
    new = check_all([name for name in names if name in after.families], python)
    return [*offers, *comparison.of_families(old, new)]


def _refusal(python: str) -> str:
    """Why the engine cannot be imported with those libraries; empty if it can."""
    command = [python, "-c", "import engine.server.server, tests.conformance.worker"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stderr.strip().splitlines()[-1] if run.returncode else ""


def _write_diff(before: Libraries, after: Libraries, version: str) -> None:
    file = FOLDER / f"mlx-lm-{version}.diff"
    file.write_text(comparison.diff(before.symbols, after.symbols), "utf-8")
    _say(f"the source of what Hearth uses of it: {file.relative_to(ROOT)}", "")


def _summary(found: Sequence[Difference]) -> str:
    broken = sum(difference.broken for difference in found)
    return f"\n{len(found)} differences, {broken} broken"


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
