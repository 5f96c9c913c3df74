"""The start of Hearth with a window: one process for each home, which runs until the window is closed.

Finds out whether Qt's connection to an X display can be loaded. Qt itself would abort the process.

Qt's application object. It receives what the system addresses to the app as a whole, such as a file or a link to
open.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSettings, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from app.base import paths
from app.base.errors import AlreadyRunning, DisplayRefused, notice
from app.desktop import excepthook, installation, single_instance, wiring
from app.desktop.bootstrap import Hearth
from app.desktop.home import Home, settle
from app.desktop.locales import Speech
from app.desktop.objective_c import MacService, ObjectiveC
from app.desktop.opened_items import OpenedItems
from app.desktop.signals import SignalReceiver
from app.desktop.single_instance import InstanceServer
from resources import ROOT
from resources.language.text import tr
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.base.paths import Paths


MAC: Final = sys.platform == "darwin"  # platform: the icon is the bundle's there


class Application(QApplication):
    """Does not end with its last window: the app's shutdown ends it. `opened` carries the path or the link that was
    opened.
    """

    opened = Signal(str)

    def __init__(self) -> None:
        super().__init__(["hearth"])
        self.setApplicationName("Hearth")
        self.setApplicationDisplayName("Hearth")
        self.setQuitOnLastWindowClosed(False)
        # Qt's own file dialog would write the folders that were visited to a file of all its programs.
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)
        if not MAC:
            self.setWindowIcon(icon())

    def event(self, event: QEvent) -> bool:
        """Handle only events that are sent to the application itself, not those of every widget."""
        if isinstance(event, QFileOpenEvent):
            self.opened.emit(event.file() or event.url().toString())
            return True
        return super().event(event)


def icon() -> QIcon:
    """Return Hearth's icon, in every size that was drawn."""
    found = QIcon()
    for picture in sorted((ROOT / "icon").glob("hearth-*.png")):
        found.addFile(str(picture))
    return found


LIBRARIES: Final = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""What Qt's plugin for X11 loads beside what every desktop has: each library with its Debian package."""


def check(
    environment: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    load: Callable[[str], object] = ctypes.CDLL,
) -> None:
    """Raise DisplayRefused if Qt would use X11 and could not load its libraries."""
    if platform == "linux" and _uses_x11(environment) and (missing := _missing(load)):
        packages = " ".join(LIBRARIES[library] for library in missing)
        raise DisplayRefused(
            tr(
                "The window needs system libraries that are missing here: {libraries}. On Debian and Ubuntu run “sudo "
                "apt-get install {packages}”, and start Hearth again.",
                libraries=", ".join(missing),
                packages=packages,
            )
        )


def _uses_x11(environment: Mapping[str, str]) -> bool:
    chosen = environment.get("QT_QPA_PLATFORM", "")
    return chosen.startswith("xcb") if chosen else not environment.get("WAYLAND_DISPLAY")


def _missing(load: Callable[[str], object]) -> list[str]:
    missing = []
    for library in LIBRARIES:
        try:
            load(library)
        except OSError:
            missing.append(library)
    return missing


ENDING_SECONDS = 30.0
"""Within this time, a window that was closed has saved everything, also a large cache on a slow disk."""


def run(opened: tuple[str, ...] = ()) -> int:
    """Open this home's window and run until it is closed. If a window is open already, bring that one to the front.
    `opened` are files and links to begin with. Raises AlreadyRunning, FolderRefused.
    """
    places = paths.find()
    if single_instance.notify_open_window(places, opened):
        return 0
    check()
    application = Application()
    opened_items = OpenedItems()
    application.opened.connect(opened_items.take)
    with ExitStack() as stack:
        if (home := _settled(places, opened, stack)) is not None:
            hearth = _started(home, application, opened_items, stack)
            for item in opened:
                opened_items.take(item)
            opened_items.serve(hearth.open_handlers())
            wiring.begin()
            _run_to_the_end(hearth, application)
    return 0


def _started(home: Home, application: Application, opened_items: OpenedItems, stack: ExitStack) -> Hearth:
    speech = Speech()
    speech.speak("system")  # the language of most users, so that their window is made once
    hearth = Hearth(home, MainWindow(), speech)
    hearth.ended.connect(application.quit)
    _listen(hearth, opened_items, InstanceServer(home.paths, hearth))
    signals = SignalReceiver()
    stack.callback(signals.close)
    signals.received.connect(lambda _number: hearth.window.private_chats.leave())
    runtime = ObjectiveC.find()
    service = MacService(runtime, hearth.begin_with) if runtime is not None else None
    stack.callback(lambda: service)  # it lives as long as the app
    hearth.start()
    if (told := installation.advice()) is not None:
        hearth.window.show_notice(told)
    return hearth


def _run_to_the_end(hearth: Hearth, application: Application) -> None:
    with excepthook.installed(lambda error: hearth.window.show_notice(notice(error))):
        application.exec()
        while not hearth.over:  # the system's own Quit ends Qt's loop before all is saved
            hearth.window.private_chats.leave()
            application.exec()


def _settled(places: Paths, opened: tuple[str, ...], stack: ExitStack) -> Home | None:
    """As `settle`, but wait for a window that is still closing. None if a window that was about to listen has taken
    `opened`.
    """
    deadline = time.monotonic() + ENDING_SECONDS
    while True:
        try:
            return settle(places, stack)
        except AlreadyRunning:
            if single_instance.notify_open_window(places, opened):
                return None
            if time.monotonic() >= deadline:
                raise


def _listen(hearth: Hearth, opened_items: OpenedItems, server: InstanceServer) -> None:
    """Handle what later starts bring, until the window closes."""

    def rung(brought: tuple[str, ...]) -> None:
        hearth.open_handlers().activate()
        for item in brought:
            opened_items.take(item)

    server.notified.connect(rung)
    hearth.window.closing.connect(server.close)
