"""A pill that shows one choice and opens a menu of all of them."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction, QActionGroup, QFontMetrics
from PySide6.QtWidgets import QWidget

from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import without_middle
from ui.widgets.face_button import Pill
from ui.widgets.menu import Menu

_NAME_PX, _DETAIL_PX = 280, 240
"""The most room for a choice's name and its detail, so that the menu fits into the narrowest window. The detail has the
room that the name leaves.
"""
NARROWEST_PX = 96
"""The least width of a pill that may elide its text."""


class ChoicePill(Pill):
    """Shows the current choice. `picked` carries the key of the choice that the user made.

    The menu elides long names, and gives them whole as tooltips. The pill gets no narrower than its text, unless
    `narrowest_px` allows that.
    """

    picked = Signal(str)

    def __init__(self, icon: str, label: str, parent: QWidget | None = None, narrowest_px: int | None = None) -> None:
        super().__init__(icon, parent)
        self._label = label
        self._narrowest_px = narrowest_px
        self.setToolTip(label)
        self._menu = Menu(parent=self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._choices: dict[str, tuple[str, str]] = {}
        self.clicked.connect(self._open)

    def set_choices(self, choices: tuple[tuple[str, str, str], ...], current: str) -> None:
        """Offer choices as (key, name, detail). Show the name of the key `current`, or the label if that key is not
        offered.
        """
        self._menu.clear()
        self._choices = {key: (name, detail) for key, name, detail in choices}
        for key, name, detail in choices:
            self._add_choice(key, name, detail, current)
        self.show_name(next((name for key, name, _ in choices if key == current), self._label))

    def _add_choice(self, key: str, name: str, detail: str, current: str) -> None:
        action = self._menu.addAction("")
        _word(action, name, detail)
        action.setCheckable(True)
        action.setChecked(key == current)
        action.setData(key)
        self._group.addAction(action)
        action.triggered.connect(lambda: self.picked.emit(key))

    def mark(self, keys: Collection[str], words: str) -> None:
        """Say `words` of these choices and of no others, also while the menu is open. They are never elided."""
        for action in self._group.actions():
            name, detail = self._choices[action.data()]
            _word(action, name, detail, words if action.data() in keys else "")

    def show_name(self, name: str) -> None:
        """Show `name` as the current choice."""
        self.setText(name)
        self.setAccessibleName(f"{self._label}: {name}")
        self.setToolTip(plain_tip(self.accessibleName()) if name != self._label else self._label)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as it may get."""
        hint = self.sizeHint()
        return hint if self._narrowest_px is None else QSize(min(self._narrowest_px, hint.width()), hint.height())

    def choices(self) -> Menu:
        """The menu."""
        return self._menu

    def _open(self) -> None:
        self._menu.open_above(self)


def _word(action: QAction, name: str, detail: str, mark: str = "") -> None:
    lead = f"{mark} · " if mark and detail else mark
    metrics, name_shown = QFontMetrics(ui_font(13)), _elided(name, _NAME_PX)
    room = _NAME_PX - metrics.horizontalAdvance(name_shown) + _DETAIL_PX - metrics.horizontalAdvance(lead)
    shown = _joined(name_shown, lead + _elided(detail, room))
    whole = _joined(name, lead + detail)
    action.setText(shown.replace("&", "&&"))
    action.setToolTip(plain_tip(whole) if shown != whole else "")


def _joined(name: str, detail: str) -> str:
    return "  —  ".join(filter(None, (name, detail)))


def _elided(text: str, pixels: int) -> str:
    return without_middle(text, QFontMetrics(ui_font(13)), pixels)
