"""`hearth tour DIR`: runs the window off screen in two processes, the second of which resumes the
chats of the first.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING

from app.base import paths
from app.base.errors import TourStuck
from app.base.program import this_app
from app.base.terminal import write
from app.desktop import bootstrap
from app.desktop.application import Application
from app.desktop.home import settle
from app.tour.guide import Guide
from ui.theme.theme import LIGHT
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.tour.guide import Scenes


SIZE = (1280, 840)  # of the pictures, whatever screen there is not


def run(folder: Path) -> int:
    """Play the first scenes, then the others in a new process with the same data. The pictures go to `folder`.

    Returns 0, or the second process's status. Raises TourStuck.
    """
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    _hide()
    with ExitStack() as stack:
        choose_home(stack)
        _go(Guide.first, folder)
        write("Hearth has ended. It starts again with the same data.\n")
        app = this_app("tour-again", str(folder))
        return subprocess.run([app.program, *app.arguments], cwd=app.folder, check=False).returncode  # noqa: S603 - our own program


def choose_home(stack: ExitStack) -> None:
    """Set HEARTH_HOME to a temporary folder, unless it names a home without chats. The scenes begin with none, and add
    some.
    """
    if not os.environ.get("HEARTH_HOME") or paths.find().library_file.exists():
        os.environ["HEARTH_HOME"] = stack.enter_context(tempfile.TemporaryDirectory(prefix="hearth-tour-"))


def run_again(folder: Path) -> int:
    """Play the scenes after the relaunch, in the home of the first process. Returns 0. Raises TourStuck."""
    _hide()
    _go(Guide.again, folder)
    write(f"The pictures are in {folder}\n")
    return 0


def _hide() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_SCALE_FACTOR", "2")


def _go(scenes: Callable[[Guide], Scenes], folder: Path) -> None:
    application = Application()
    with ExitStack() as stack:
        hearth = bootstrap.Hearth(settle(paths.find(), stack), MainWindow(system=lambda: LIGHT))
        hearth.ended.connect(application.quit)
        guide = Guide(hearth, folder)
        hearth.start()
        hearth.window.resize(*SIZE)
        guide.follow(scenes(guide))
        application.exec()
    if guide.stuck:
        raise TourStuck("The tour is stuck; the log has the details.")
