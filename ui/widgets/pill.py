"""A small button with round ends, as used in the composer."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.theme import ui_font
from ui.widgets.face_button import FaceButton

_HEIGHT_PX = 26
_WIDEST_PX = 300


class Pill(FaceButton):
    """`icon` is drawn before the text. If it is "", a chevron is drawn after the text. A checked pill is filled. A
    short one keeps its text for screen readers.
    """

    PAD_PX = 13

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__("pill", icon, parent=parent)
        self._is_short = False
        self.setFont(ui_font(12))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the text field
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        self.icon_name = name
        self.update()

    def set_short(self, is_short: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show the icon alone, as long as there is no room for the words."""
        if is_short is not self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self.update()

    def whole_width(self) -> int:
        """The width with icon, words and chevron. A very long text is elided."""
        words = QFontMetrics(self.font()).horizontalAdvance(cut(self.text()))
        return min(_WIDEST_PX, words + 2 * self.PAD_PX + self.ICON_PX + self.GAP_PX)

    def short_width(self) -> int:
        """The width with the icon alone."""
        return 2 * self.PAD_PX + self.ICON_PX

    @property
    def has_icon(self) -> bool:
        """Whether it can be short."""
        return bool(self.icon_name)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for all that is shown."""
        return QSize(self.short_width() if self._is_short else self.whole_width(), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Never narrower than the size hint."""
        return self.sizeHint()

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:
        """Stronger while the pill is checked or under the mouse."""
        is_strong = state & (QStyle.StateFlag.State_On | QStyle.StateFlag.State_MouseOver)
        ink = appearance.theme.text if is_strong else appearance.theme.muted
        return ink, ink

    def elided(self, text: str, room: int) -> str:
        """Nothing, if the pill is short."""
        return "" if self._is_short else super().elided(text, room)
