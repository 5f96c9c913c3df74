"""Draws the main states of the window in each language, light and dark, at 1x and 2x, and contact sheets.

`make shots`, or `python -m tests.shots [--folder FOLDER] [--language LANGUAGE] [STATE...]` for some of them only. The
pseudo-locale (see `languages`) is drawn at 1x. Each scale is a process of its own: Qt knows one scale a process. At
last every state is searched for texts without a translation and texts that are cut off (see `inspection`).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from tests.shots import languages
from tests.shots.extremes import STATES
from tests.shots.sheet import contact_sheet

SCALES = (1, 2)
SCREEN = Path(__file__).with_name("screen.json")


def main() -> int:
    """Draw the states that are named, or all. Returns 0, or the status of the process that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.shots")
    parser.add_argument("--folder", type=Path, default=Path("shots"))
    parser.add_argument("--language", choices=languages.ALL, action="append", default=[])
    parser.add_argument("states", nargs="*", choices=[*STATES, []])
    chosen = parser.parse_args()
    application = QGuiApplication(["shots", "-platform", "offscreen"])  # the sheets have captions
    for language in chosen.language or languages.ALL:
        folder = chosen.folder / language
        for scale in SCALES if language != languages.PSEUDO else SCALES[:1]:
            status = _run("painter", scale, str(folder / f"{scale}x"), language, *chosen.states)
            if status:
                return status
        for appearance in ("light", "dark"):
            contact_sheet(sorted((folder / "1x").glob(f"*-{appearance}.png")), folder / f"sheet-{appearance}.png")
    application.quit()
    print(f"The pictures are in {chosen.folder}/")
    return 0 if chosen.states else max(_run("inspection", 1, language) for language in chosen.language or languages.ALL)


def _run(module: str, scale: int, *arguments: str) -> int:
    screen = {"QT_QPA_PLATFORM": f"offscreen:configfile={SCREEN}", "QT_SCALE_FACTOR": str(scale)}
    command = (sys.executable, "-m", f"tests.shots.{module}", *arguments)
    return subprocess.run(command, env={**os.environ, **screen}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
