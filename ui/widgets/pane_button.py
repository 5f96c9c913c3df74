"""The button of one settings page: an icon and a name, in the list at the left."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from ui.theme.appearance import appearance
from ui.theme.theme import ui_font
from ui.widgets.face_button import FaceButton

_HEIGHT_PX = 34


class PaneButton(FaceButton):
    """One of several exclusive buttons. Tab reaches the checked one, and the arrow keys check its neighbours."""

    PAD_PX, ICON_PX, GAP_PX = 11, 17, 10

    def __init__(self, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__("pane", icon, name, parent)
        self.setFont(ui_font(14))
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self._follow_check(self.isChecked())
        self.toggled.connect(self._follow_check)
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _follow_check(self, is_checked: bool) -> None:  # noqa: FBT001 - what Qt's signal carries
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_checked else Qt.FocusPolicy.NoFocus)

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:
        """The icon of the checked one is coloured."""
        is_on = state & QStyle.StateFlag.State_On
        return appearance.theme.accent if is_on else appearance.theme.muted, appearance.theme.text

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the name."""
        beside = 2 * self.PAD_PX + self.ICON_PX + self.GAP_PX
        return QSize(beside + self.fontMetrics().horizontalAdvance(self.text()), _HEIGHT_PX)
