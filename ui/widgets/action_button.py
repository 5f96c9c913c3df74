"""A button with an icon and a text, as used on the models page: as a widget, and as a picture in the rows of a list."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QWidget

from ui.theme.appearance import appearance
from ui.theme.theme import ui_font
from ui.widgets.face_button import FaceButton

HEIGHT_PX = 33


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """A button's content: an icon, a text or both. A primary one is filled with the accent colour."""

    text: str = ""
    icon: str = ""
    primary: bool = False

    def width(self) -> int:
        """The width that the content needs. A face without a text is square."""
        if not self.text:
            return HEIGHT_PX
        icon = ActionButton.ICON_PX + ActionButton.GAP_PX if self.icon else 0
        return round(2 * ActionButton.PAD_PX + icon + QFontMetricsF(face_font()).horizontalAdvance(self.text) + 0.5)


def face_font() -> QFont:
    """The font of every button of this kind."""
    return ui_font(13, QFont.Weight.Medium)


class ActionButton(FaceButton):
    """Shows a `ButtonFace` in its middle."""

    PAD_PX, ICON_PX, GAP_PX = 14, 15, 8
    IS_CENTRED = True
    OFF_OPACITY = 0.45

    def __init__(self, face: ButtonFace, parent: QWidget | None = None) -> None:
        super().__init__("action", parent=parent)
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_face(face)

    def set_face(self, face: ButtonFace) -> None:
        """Show another content."""
        self._face = face
        self.icon_name = face.icon
        self.setText(face.text)
        self.setAccessibleName(face.text)
        kind = "primary" if face.primary else "action"
        if kind != self.property("kind"):
            self.setProperty("kind", kind)
            self.style().unpolish(self)  # else Qt keeps the rules of the kind before
            self.style().polish(self)
        self.updateGeometry()
        self.update()

    def label_font(self) -> QFont:
        """The same font in a dialog."""
        return face_font()

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:  # noqa: ARG002 - one colour in each state
        """One colour for both."""
        ink = appearance.theme.page if self._face.primary else appearance.theme.text
        return ink, ink

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Ignore the second click of a double click: the first one may have given the button another meaning."""
        event.accept()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for icon and text."""
        return QSize(self._face.width(), HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A narrow button elides its text."""
        return QSize(0, HEIGHT_PX)

    def draw(self, painter: QPainter, option: QStyleOptionButton) -> None:
        """Paint the ring of a focused primary button inside: its rim has the colour of its surface."""
        super().draw(painter, option)
        if self._face.primary and option.state & QStyle.StateFlag.State_HasFocus:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(appearance.theme.page))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(2.5, 2.5, -2.5, -2.5), 8, 8)
