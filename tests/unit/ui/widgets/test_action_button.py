from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QKeyEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.theme import DARK, LIGHT, Theme
from ui.widgets.face_button import HEIGHT_PX, ActionButton, ButtonFace, face_font

pytestmark = pytest.mark.usefixtures("qapp")  # fonts need an application
NEW_CHAT = ButtonFace("New chat", "message-square")


def surface(button: ActionButton, *states: QStyle.StateFlag) -> str:
    image = QImage(button.sizeHint(), QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    option = QStyleOptionButton()
    option.initFrom(button)
    option.rect = image.rect()
    for state in states:
        option.state |= state
    painter = QPainter(image)
    button.draw(painter, option)
    painter.end()
    return image.pixelColor(6, HEIGHT_PX // 2).name()


def test_the_button_has_room_for_its_text() -> None:
    """With the icon. Without a text it is square."""
    assert NEW_CHAT.width() > QFontMetricsF(face_font()).horizontalAdvance("New chat") + 15 + 2 * 14
    assert ButtonFace(icon="x").width() == HEIGHT_PX


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("face", [NEW_CHAT, ButtonFace("Use", primary=True)])
def test_the_mouse_is_answered(qtbot: QtBot, face: ButtonFace, theme: Theme) -> None:
    """A button looks different while the mouse is over it, and while it is pressed."""
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(theme.qss())
    button = ActionButton(face, parent=window)
    button.ensurePolished()
    hovered, pressed = QStyle.StateFlag.State_MouseOver, QStyle.StateFlag.State_Sunken
    assert len({surface(button), surface(button, hovered), surface(button, hovered, pressed)}) == 3


def test_space_return_and_a_click_press_it(qtbot: QtBot) -> None:
    """Its name is what it shows, also after a change."""
    button = ActionButton(NEW_CHAT)
    qtbot.addWidget(button)
    button.show()
    pressed: list[str] = []
    button.clicked.connect(lambda: pressed.append(button.text()))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
        QTest.keyClick(button, key)
    assert pressed == ["New chat"] * 4
    held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "", True)  # noqa: FBT003
    QApplication.sendEvent(button, held)
    assert len(pressed) == 4, "a key that is held down presses it once"
    button.set_face(ButtonFace("Download", "download"))
    assert (button.text(), button.accessibleName()) == ("Download", "Download")
    button.setFocus()
    assert not button.grab().isNull()
