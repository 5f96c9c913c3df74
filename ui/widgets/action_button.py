"""A button with an icon and a text, as used on the models page."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from ui.theme.appearance import appearance
from ui.widgets.button_face import HEIGHT_PX, ButtonFace, ButtonLook, paint_face
from ui.widgets.return_key import pressed_by_return


class ActionButton(QAbstractButton):
    """A painted button, because a native one would be grey and lower."""

    def __init__(self, face: ButtonFace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._face = face
        self.setText(face.text)
        self.setAccessibleName(face.text)
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def set_face(self, face: ButtonFace) -> None:
        """Show another content."""
        self._face = face
        self.setText(face.text)
        self.setAccessibleName(face.text)
        self.updateGeometry()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, as Space does."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Ignore the second click of a double click: the first one may have given the button another meaning."""
        event.accept()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for icon and text."""
        return QSize(self._face.width(), HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the button."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = ButtonLook(self.underMouse(), self.isDown(), self.hasFocus(), self.isEnabled())
        paint_face(painter, QRectF(self.rect()), self._face, look, appearance.theme)
