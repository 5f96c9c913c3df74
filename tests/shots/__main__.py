"""Draws the main states of the window, light and dark, at 1x and 2x, and a contact sheet of each appearance.

`make shots`, or `python -m tests.shots [--folder FOLDER] [STATE...]` for some states only. Each scale is a process of
its own: Qt knows one scale a process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from tests.shots.extremes import STATES
from tests.shots.sheet import contact_sheet

SCALES = (1, 2)
SCREEN = Path(__file__).with_name("screen.json")


def main() -> int:
    """Draw the states that are named, or all. Returns 0, or the status of the process that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.shots")
    parser.add_argument("--folder", type=Path, default=Path("shots"))
    parser.add_argument("states", nargs="*", choices=[*STATES, []])
    chosen = parser.parse_args()
    for scale in SCALES:
        status = _paint(chosen.folder / f"{scale}x", scale, chosen.states)
        if status:
            return status
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication([])  # the sheets have text, which Qt draws with an application only
    for appearance in ("light", "dark"):
        pictures = sorted((chosen.folder / "1x").glob(f"*-{appearance}.png"))
        contact_sheet(pictures, chosen.folder / f"sheet-{appearance}.png")
    application.quit()
    print(f"The pictures are in {chosen.folder}/")
    return 0


def _paint(folder: Path, scale: int, states: list[str]) -> int:
    screen = {"QT_QPA_PLATFORM": f"offscreen:configfile={SCREEN}", "QT_SCALE_FACTOR": str(scale)}
    painter = (sys.executable, "-m", "tests.shots.painter", str(folder), *states)
    return subprocess.run(painter, env={**os.environ, **screen}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
