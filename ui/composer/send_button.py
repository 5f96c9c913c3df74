"""The buttons of the composer: `SendButton` sends or stops an answer, `PauseButton` pauses and resumes it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from resources.language.text import tr
from ui.context import PageContext
from ui.intents.chat import PauseAnswer, ResumeAnswer
from ui.state.chat import ChatPhase
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon
from ui.widgets.face_button import Pill
from ui.widgets.push_button import pressed_by_return

_SIDE_PX = 32
_ARROW_PX = 18
_SQUARE_PX = 11


class SendButton(QAbstractButton):
    """One button with two functions. It never moves or changes its size."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("send")
        self.setFixedSize(_SIDE_PX, _SIDE_PX)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the text field
        self._busy = False
        self._sendable = False
        self._show_state()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, as Space does."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)

    def is_busy(self) -> bool:
        """Whether a click stops the answer."""
        return self._busy

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Stop instead of send."""
        if busy is not self._busy:
            self._busy = busy
            self._show_state()

    def set_sendable(self, sendable: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Whether there is something to send."""
        if sendable is not self._sendable:
            self._sendable = sendable
            self._show_state()

    def _show_state(self) -> None:
        self.setEnabled(self._busy or self._sendable)
        self.setAccessibleName(tr("Stop answering") if self._busy else tr("Send message"))
        self.setToolTip(tr("Stop") if self._busy else tr("Send"))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The fixed size."""
        return QSize(_SIDE_PX, _SIDE_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the disc and its sign."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(appearance.theme.button if self.isEnabled() else appearance.theme.button_off))
        painter.drawEllipse(QRectF(self.rect()))
        if self.hasFocus():
            painter.setPen(QColor(appearance.theme.accent))
            painter.drawEllipse(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        self._paint_sign(painter)

    def _paint_sign(self, painter: QPainter) -> None:
        if not self._busy:
            corner = (_SIDE_PX - _ARROW_PX) // 2
            draw_icon(painter, "arrow-up", appearance.theme.button_text, _ARROW_PX, QPoint(corner, corner))
            return
        corner_f = (_SIDE_PX - _SQUARE_PX) / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(appearance.theme.button_text))
        painter.drawRoundedRect(QRectF(corner_f, corner_f, _SQUARE_PX, _SQUARE_PX), 2, 2)


class PauseButton(Pill):
    """Visible only while an answer is being written or paused."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__("pause", parent)
        self._context = context
        self.setObjectName("pause")
        self.clicked.connect(
            lambda: self._context.send(ResumeAnswer() if self._phase is ChatPhase.PAUSED else PauseAnswer())
        )
        self.set_phase(ChatPhase.IDLE)

    def set_phase(self, phase: ChatPhase) -> None:
        """Offer to pause or to resume, according to `phase`."""
        self._phase, paused = phase, phase is ChatPhase.PAUSED
        self.set_icon("play" if paused else "pause")
        self.setText(tr("Resume") if paused else tr("Pause"))
        self.setAccessibleName(tr("Resume answer") if paused else tr("Pause answer"))
        self.setToolTip(tr("Go on with this answer") if paused else tr("Pause this answer; it goes on where it was"))
        self.setVisible(phase in {ChatPhase.GENERATING, ChatPhase.PAUSED})
        self.updateGeometry()
