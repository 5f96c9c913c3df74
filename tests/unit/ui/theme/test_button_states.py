"""The colours of buttons, as Qt paints them by the rules of the style sheet in each of their states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QDialog, QPushButton, QStyle, QStyleOptionButton, QWidget
from pytestqt.qtbot import QtBot

from tests.unit.ui.theme.test_theme import BOTH, contrast
from ui.dialogs.settings_dialog import PaneButton
from ui.theme.appearance import appearance
from ui.theme.style_sheet import PLAIN_DESKTOP, WINDOW
from ui.theme.theme import Theme
from ui.widgets.face_button import ActionButton, ButtonFace, FaceButton, Pill
from ui.widgets.select_button import SelectButton

IN_DIALOGS = ("", *sorted(set(re.findall(r'QDialog QPushButton\[kind="(\w+)"\]', PLAIN_DESKTOP))))
"""The kinds of buttons that a dialog may make its default one: that which has the focus, in a message box."""
ELSEWHERE = sorted(set(re.findall(r'^QPushButton\[kind="(\w+)"\]', WINDOW, re.MULTILINE)))
NAMED = ("noticeAction", "noticeOther", "editCancel", "queueSend", "builtIn")
GROUNDS = ("page", "raised", "sidebar")
"""What is seen through a button without a surface of its own."""
STATES = {
    "focus": QStyle.StateFlag.State_HasFocus,
    "hover": QStyle.StateFlag.State_MouseOver,
    "pressed": QStyle.StateFlag.State_Sunken,
}
FACES: dict[str, Callable[[], FaceButton]] = {
    "action": lambda: ActionButton(ButtonFace("HHH")),
    "primary": lambda: ActionButton(ButtonFace("HHH", primary=True)),
    "pane": lambda: PaneButton("box", "HHH"),
    "pill": lambda: Pill("box"),
    "select": lambda: SelectButton(""),
}
"""Buttons whose words are painted on the surface that the style sheet paints."""
_PLACE = QRect(0, 0, 90, 36)
_SCALE = 4
"""So large that a stroke of a letter covers whole pixels."""


def _states(*names: str) -> Iterator[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, number) for number in range(len(names) + 1))


def _button(parent: QWidget, kind: str = "", name: str = "") -> QPushButton:
    button = FACES[kind]() if kind in FACES else QPushButton()
    button.setParent(parent)
    button.setText("HHH")
    button.setObjectName(name)
    button.setProperty("kind", kind)
    return button


def _painted(button: QPushButton, state: tuple[str, ...], ground: str) -> QImage:
    """A button in one state. No window is needed for it, nor a pointer."""
    option = QStyleOptionButton()
    option.initFrom(button)
    option.rect, option.text = _PLACE, button.text()
    option.state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Active
    for name in set(state) & STATES.keys():
        option.state |= STATES[name]
    if "default" in state:
        option.features |= QStyleOptionButton.ButtonFeature.DefaultButton
    image = QImage(_PLACE.size() * _SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(_SCALE)
    image.fill(QColor(ground))
    painter = QPainter(image)
    if isinstance(button, FaceButton):
        button.draw(painter, option)
    else:
        button.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, button)
    painter.end()
    return image


def _contrast(image: QImage) -> float:
    """That of the letters to the surface around them, inside the button's edge."""
    inside = image.copy(image.rect().adjusted(60, 24, -60, -24))
    (surface, _), *letters = Counter(memoryview(inside.constBits()).cast("I")).most_common()
    assert letters, "something is written there"
    return max(contrast(QColor.fromRgb(surface).name(), QColor.fromRgb(one).name()) for one, _ in letters)


def _too_faint(theme: Theme, button: QPushButton, *states: str) -> list[tuple[str, ...]]:
    button.ensurePolished()
    return [
        (str(button.property("kind")), button.objectName(), ground, *state)
        for ground in GROUNDS
        for state in _states(*states)
        if _contrast(_painted(button, state, getattr(theme, ground))) < 4.5
    ]


@BOTH
@pytest.mark.parametrize("kind", IN_DIALOGS)
def test_the_buttons_of_dialogs_can_be_read_in_each_state(qtbot: QtBot, theme: Theme, kind: str) -> None:
    """Their words have a contrast of 4.5:1, also in the default button, which has a surface in a strong colour."""
    appearance.turn_to(theme)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.setStyleSheet((WINDOW + PLAIN_DESKTOP).format(t=theme))
    assert _too_faint(theme, _button(dialog, kind), "default", *STATES) == []


@BOTH
def test_the_default_button_of_a_dialog_looks_like_the_primary_one_of_a_page(qtbot: QtBot, theme: Theme) -> None:
    """One accent says which button Return presses. A ring shows that it has the focus."""
    appearance.turn_to(theme)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.setStyleSheet((WINDOW + PLAIN_DESKTOP).format(t=theme))
    plain, primary = _button(dialog), _button(dialog, "primary")
    for state in ((), ("hover",), ("pressed",)):
        shown, wanted = (_surface(_painted(one, state, theme.page)) for one in (plain, primary))
        default = _surface(_painted(plain, (*state, "default"), theme.page))
        assert default == wanted != shown
    at_rest, focused = (_painted(plain, ("default", *more), theme.page) for more in ((), ("focus",)))
    assert at_rest != focused
    assert _surface(focused) == theme.accent


def _surface(image: QImage) -> str:
    """The commonest colour inside the button's edge."""
    inside = image.copy(image.rect().adjusted(60, 24, -60, -24))
    ((surface, _),) = Counter(memoryview(inside.constBits()).cast("I")).most_common(1)
    return QColor.fromRgb(surface).name()


@BOTH
def test_the_buttons_of_the_window_can_be_read_in_each_state(qtbot: QtBot, theme: Theme) -> None:
    """Those of each kind, and those that have rules of their own."""
    appearance.turn_to(theme)
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet((WINDOW + PLAIN_DESKTOP).format(t=theme))
    buttons = [_button(window, kind) for kind in ELSEWHERE] + [_button(window, name=name) for name in NAMED]
    assert len(buttons) > len(NAMED)
    assert [faint for button in buttons for faint in _too_faint(theme, button, *STATES)] == []
