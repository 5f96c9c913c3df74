"""Paints a short text on a rounded surface, in the colours of a tone."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.phrases import Badge
from ui.theme.theme import Theme, ui_font
from ui.widgets.shapes import draw_shape

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


def paint_pill(painter: QPainter, rect: QRectF, pill: Badge, font: QFont | None = None) -> None:
    """Paint the pill in `rect`, in its usual font or in another one."""
    ink, surface = tone_colours(pill.tone, appearance.theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_shape(painter, rect, rect.height() / 2, surface)
    painter.setFont(font or _font())
    painter.setPen(QColor(ink))
    room = rect.width() - 2 * _PAD_PX + 1
    words = QFontMetricsF(_font()).elidedText(cut(pill.text), Qt.TextElideMode.ElideRight, room)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)


def _font() -> QFont:
    return ui_font(12, QFont.Weight.DemiBold)


class TonePill(QLabel):
    """The pill as a widget. It elides its text rather than push its neighbours away."""

    def __init__(self, pill: Badge) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFont(_font())
        self.show_badge(pill)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The size of the painted pill."""
        return QSize(pill_width(self.badge), PILL_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for some letters."""
        return QSize(min(_LEAST_PX, self.sizeHint().width()), PILL_PX)

    def show_badge(self, pill: Badge) -> None:
        """Show another text or tone."""
        self.badge = pill
        self.setAccessibleName(pill.text)
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the pill."""
        paint_pill(QPainter(self), QRectF(self.rect()), self.badge, self.font())
