"""`python -m tests.tour DIR`: runs the window off screen in two processes, the second of which resumes the chats of the
first, and leaves pictures in DIR.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from app.base import paths
from app.base.terminal import write
from app.desktop.hearth import Hearth
from app.desktop.home import settle
from app.desktop.launch import Application
from tests.tour.guide import Guide, Scenes
from ui.theme.theme import LIGHT
from ui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parent.parent.parent
SIZE = (1280, 840)  # of the pictures, whatever screen there is not


def main() -> int:
    """Play the first scenes, then the others in a new process with the same data. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.tour")
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the pictures go")
    chosen = parser.parse_args()
    folder = chosen.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_SCALE_FACTOR", "2")
    if chosen.again:
        _go(Guide.again, folder)
        write(f"The pictures are in {folder}\n")
        return 0
    with ExitStack() as stack:
        choose_home(stack)
        _go(Guide.first, folder)
        write("Hearth has ended. It starts again with the same data.\n")
        again = (sys.executable, "-m", "tests.tour", "--again", str(folder))
        return subprocess.run(again, cwd=ROOT, check=False).returncode


def choose_home(stack: ExitStack) -> None:
    """Set HEARTH_HOME to a temporary folder, unless it names a home without chats. The scenes begin with none, and add
    some.
    """
    if not os.environ.get("HEARTH_HOME") or paths.find().library_file.exists():
        os.environ["HEARTH_HOME"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="hearth-tour-"))


def _go(scenes: Callable[[Guide], Scenes], folder: Path) -> None:
    application = Application()
    with ExitStack() as stack:
        hearth = Hearth(settle(paths.find(), stack), MainWindow(system=lambda: LIGHT))
        hearth.ended.connect(application.quit)
        guide = Guide(hearth, folder)
        hearth.start()
        hearth.window.resize(*SIZE)
        guide.follow(scenes(guide))
        application.exec()
    if guide.stuck:
        sys.exit("The tour is stuck; the log has the details.")


if __name__ == "__main__":
    sys.exit(main())
