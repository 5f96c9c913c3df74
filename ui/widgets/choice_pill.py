"""A pill that shows one choice and opens a menu of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from ui.widgets.pill import Pill

if TYPE_CHECKING:
    from ui.theme.theme import Theme


class ChoicePill(Pill):
    """Shows the current choice. `picked` carries the key of the choice that the user made."""

    picked = Signal(str)

    def __init__(self, icon: str, label: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(icon, theme, parent)
        self._label = label
        self.setToolTip(label)
        self._menu = QMenu(self)
        self._group = QActionGroup(self)
        self.clicked.connect(self._open)

    def set_choices(self, choices: tuple[tuple[str, str, str], ...], current: str) -> None:
        """Offer choices as (key, name, detail). Show the name of the key `current`, or the label if that key is not
        offered.
        """
        self._menu.clear()
        for key, name, detail in choices:
            self._add_choice(key, name, detail, current)
        self.show_name(next((name for key, name, _ in choices if key == current), self._label))

    def _add_choice(self, key: str, name: str, detail: str, current: str) -> None:
        action = self._menu.addAction("  —  ".join(filter(None, (name, detail))).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(key == current)
        action.setData(key)
        self._group.addAction(action)
        action.triggered.connect(lambda: self.picked.emit(key))

    def show_name(self, name: str) -> None:
        """Show `name` as the current choice."""
        self.setText(name)
        self.setAccessibleName(f"{self._label}: {name}")
        self.updateGeometry()

    def choices(self) -> QMenu:
        """The menu."""
        return self._menu

    def _open(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, -self._menu.sizeHint().height() - 4)))
