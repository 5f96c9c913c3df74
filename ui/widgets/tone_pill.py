"""Paints a short text on a rounded surface, in the colours of a tone."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from ui.theme.long_texts import cut
from ui.theme.phrases import Badge
from ui.theme.theme import Theme, ui_font

PILL_PX = 21
_PAD_PX = 10
_LEAST_PX = 60


def tone_colours(tone: str, theme: Theme) -> tuple[str, str]:
    """The colours of a tone: of its text, and of the surface."""
    return {
        "success": (theme.success, theme.success_surface),
        "warning": (theme.warning, theme.warning_surface),
        "danger": (theme.danger, theme.danger_surface),
        "accent": (theme.accent, theme.field),
        "quiet": (theme.muted, theme.field),
    }[tone]


def pill_width(pill: Badge) -> int:
    """The width of the painted pill."""
    return round(QFontMetricsF(_font()).horizontalAdvance(cut(pill.text)) + 2 * _PAD_PX + 0.5)


def paint_pill(painter: QPainter, rect: QRectF, pill: Badge, theme: Theme) -> None:
    """Paint the pill in `rect`."""
    ink, surface = tone_colours(pill.tone, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(surface))
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setFont(_font())
    painter.setPen(QColor(ink))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, _elided(pill, rect.width()))


def _elided(pill: Badge, width: float) -> str:
    room = width - 2 * _PAD_PX + 1
    return QFontMetricsF(_font()).elidedText(cut(pill.text), Qt.TextElideMode.ElideRight, room)


def _font() -> QFont:
    return ui_font(12, QFont.Weight.DemiBold)


class TonePill(QLabel):
    """The pill as a widget, in the colours that the style sheet has for its tone. It elides its text rather than push
    its neighbours away.
    """

    def __init__(self, pill: Badge, parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText, alignment=Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFont(_font())
        self.show_badge(pill)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The size of the painted pill."""
        return QSize(pill_width(self._pill), PILL_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for some letters."""
        return QSize(min(_LEAST_PX, self.sizeHint().width()), PILL_PX)

    def show_badge(self, pill: Badge) -> None:
        """Show another text or tone."""
        self._pill = pill
        self.setAccessibleName(pill.text)
        if pill.tone != self.property("tone"):
            self.setProperty("tone", pill.tone)
            self.style().unpolish(self)
            self.style().polish(self)
        self.updateGeometry()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the text into the new room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText(_elided(self._pill, self.width()))
