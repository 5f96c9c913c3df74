"""A file of chats and a link, opened by a real window in its own process."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from app.base import paths
from app.import_export import hearth_json
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.library import Library
from tests.fakes import command

_OPEN = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from app.desktop import launch
from ui.window.main_window import MainWindow
make = launch.Application
file, link = sys.argv[1:]
AGAIN_MS = 500  # a second import would have come within this time
def tell(application):
    for url in (QUrl.fromLocalFile(file), QUrl(link)):
        QCoreApplication.sendEvent(application, QFileOpenEvent(url))
def look(application, timer):
    for window in application.topLevelWidgets():
        if isinstance(window, MainWindow):
            titles = [row.title for row in window.sidebar.model.known.values()]
            tabs = [window.chats.tab(chat) for chat in window.tabs.order()]
            drafts = [tab.composer.edit.toPlainText() for tab in tabs if tab]
            if "Under the mat" in titles and "Is it warm?" in drafts:
                timer.stop()
                QTimer.singleShot(AGAIN_MS, application, application.quit)
def made():
    application = make()
    QTimer.singleShot(300, application, lambda: tell(application))
    timer = QTimer(application, interval=50)
    timer.timeout.connect(lambda: look(application, timer))
    timer.start()
    assert not application.windowIcon().isNull() or sys.platform == "darwin"
    return application
launch.Application = made
raise SystemExit(launch.run((file,)))
"""


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    told = (ArchivedMessage("a", None, "user", "done", reasoning="Where is the key?", created=1),)
    archive = Archive((ArchivedConversation("Under the mat", messages=told, leaf="a", created=1, updated=1),))
    path = tmp_path / "chats.hearth"
    path.write_bytes(hearth_json.encode(archive))
    return path


def test_a_file_is_imported_once_and_a_link_becomes_a_draft(chats: Path) -> None:
    """The command line and the system both report the file, but its chat is imported once. The text of a link is not
    sent.
    """
    arguments = (str(chats), "hearth://new?text=Is%20it%20warm%3F")
    result = subprocess.run(
        [sys.executable, "-c", _OPEN, *arguments], cwd=command.ROOT, capture_output=True, timeout=100, check=False
    )
    said = set(result.stderr.splitlines()) - {b"This plugin does not support raise()"}  # the offscreen platform
    assert (result.returncode, said) == (0, set())
    with closing(Library.open(paths.find().library_file)) as library:
        titles = [row.title for row in library.conversations.listed()]
        drafts = [library.conversations.draft(row.id).typed for row in library.conversations.listed()]
    assert titles.count("Under the mat") == 1
    assert drafts.count("Is it warm?") == 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize("argument", ["nowhere.hearth", "hearth://nonsense"])
def test_an_invalid_argument_is_one_line(argument: str) -> None:
    """The error is one line, and no window opens."""
    result = command.hearth(argument)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
