"""The start of Hearth with a window: one process for each home, which runs until the window is closed.

`Application` receives what the system addresses to the app, such as a file or a link to open.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from typing import Final

from PySide6.QtCore import QEvent, QSettings, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

from app.base import paths
from app.base.errors import AlreadyRunning, AppError, notice
from app.base.paths import Paths
from app.desktop import excepthook, idle_collection, installation, signals, single_instance
from app.desktop.display_libraries import check
from app.desktop.hearth import Hearth
from app.desktop.home import Home, settle
from app.desktop.locales import Speech
from app.desktop.objective_c import MacService, ObjectiveC
from app.desktop.opened_items import OpenedItems
from app.desktop.single_instance import InstanceServer
from resources import ROOT
from ui.window.main_window import MainWindow

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
    speech = Speech()
    speech.speak("system")  # the language of most users, so that their window is made once
    opened_items = OpenedItems()
    application.opened.connect(opened_items.take)
    with ExitStack() as stack:
        if (home := _settled(places, opened, stack)) is not None:
            hearth = _started(home, application, opened_items, speech, stack)
            for item in opened:
                opened_items.take(item)
            opened_items.serve(hearth)
            idle_collection.begin()
            with excepthook.installed(lambda error: hearth.window.show_notice(notice(error))):
                application.exec()
                while not hearth.over:  # the system's own Quit ends Qt's loop before all is saved
                    hearth.window.leaving.leave()
                    application.exec()
    return 0


def _started(
    home: Home, application: Application, opened_items: OpenedItems, speech: Speech, stack: ExitStack
) -> Hearth:
    hearth = Hearth(home, MainWindow(), speech)
    hearth.ended.connect(application.quit)
    server = InstanceServer(home.paths, hearth)

    def rung(brought: tuple[str, ...]) -> None:
        hearth.to_front()
        for item in brought:
            opened_items.take(item)

    server.notified.connect(rung)
    hearth.window.closing.connect(server.close)
    stack.enter_context(signals.received(lambda _number: hearth.window.leaving.leave()))
    runtime = ObjectiveC.find()
    service = MacService(runtime, hearth.begin_with) if runtime is not None else None
    stack.callback(lambda: service)  # it lives as long as the app
    hearth.start()
    if (told := installation.advice()) is not None:
        hearth.window.show_notice(told)
    return hearth


def _settled(places: Paths, opened: tuple[str, ...], stack: ExitStack) -> Home | None:
    """As `settle`, but wait for a window that is still closing. None if a window that was about to listen has taken
    `opened`. An error is also shown to a person who has no terminal.
    """
    deadline = time.monotonic() + ENDING_SECONDS
    while True:
        try:
            return settle(places, stack)
        except AppError as error:
            is_held = isinstance(error, AlreadyRunning)
            if is_held and single_instance.notify_open_window(places, opened):
                return None
            if not is_held or time.monotonic() >= deadline:
                if not sys.stderr.isatty():
                    QMessageBox.critical(None, "Hearth", str(error))
                raise
