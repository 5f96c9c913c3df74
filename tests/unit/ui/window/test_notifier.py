from __future__ import annotations

from typing import ClassVar

import pytest
from PySide6.QtCore import QObject, Signal

from tests.fakes.intents import heard
from ui.intents.chat import InChat, Open
from ui.window import notifier
from ui.window.main_window import MainWindow


class Tray(QObject):
    """A tray that notes what it shows."""

    messageClicked = Signal()  # noqa: N815 - Qt's name
    activated = Signal(object)
    made: ClassVar[list[Tray]] = []

    def __init__(self, *_: object) -> None:
        super().__init__()
        self.said: list[tuple[str, str]] = []
        self.visible = False
        self.made.append(self)

    @staticmethod
    def isSystemTrayAvailable() -> bool:  # noqa: N802 - Qt's name
        return True

    def setToolTip(self, _: str) -> None:  # noqa: N802 - Qt's name
        pass

    def show(self) -> None:
        self.visible = True

    def hide(self) -> None:
        self.visible = False

    def showMessage(self, title: str, text: str, *_: object) -> None:  # noqa: N802 - Qt's name
        self.said.append((title, text))


@pytest.fixture
def tray(monkeypatch: pytest.MonkeyPatch) -> list[Tray]:
    monkeypatch.setattr(notifier, "QSystemTrayIcon", Tray)
    monkeypatch.setattr(Tray, "made", [])
    return Tray.made


def test_a_click_on_a_notification_opens_its_chat(window: MainWindow, tray: list[Tray]) -> None:
    """The icon is there only while there is something to click on."""
    window.notify("a", "Boats", "Two boats.")
    (one,) = tray
    assert one.said == [("Boats", "Two boats.")]
    assert one.visible
    asked = heard(window)
    one.messageClicked.emit()
    assert InChat("a", Open()) in asked
    window.notifier.put_away()
    assert not one.visible


def test_a_desktop_without_a_tray_gets_no_notification(
    window: MainWindow, tray: list[Tray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing fails there, and no icon is made."""
    monkeypatch.setattr(Tray, "isSystemTrayAvailable", staticmethod(lambda: False))
    window.notify("a", "Boats", "Two boats.")
    assert tray == []
