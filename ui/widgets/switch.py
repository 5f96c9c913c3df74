"""A switch for a setting that is on or off."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QRectF, QSize, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QAbstractButton

from ui.theme.appearance import appearance
from ui.widgets.push_button import Act
from ui.widgets.shapes import draw_disc, draw_shape, smooth_painter

_WIDTH_PX, _HEIGHT_PX = 38, 22
_RIM_PX = 2
_RING_PX = 2
_SLIDE_MS = 130


class Switch(QAbstractButton):
    """A knob on a track. It slides after a click, which calls `act` with the new state. `set_on` moves it at once."""

    def __init__(self, label: str, act: Act = None) -> None:
        super().__init__()
        self._place = 0.0
        self.setAccessibleName(label)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(self.sizeHint())
        self._slide = QVariantAnimation(self, duration=_SLIDE_MS)
        self._slide.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._slide.valueChanged.connect(self._move)
        self.clicked.connect(self._begin)
        if act is not None:
            self.clicked.connect(act)

    def set_on(self, on: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show `on` without an animation and without a signal."""
        if on != self.isChecked():
            self.setChecked(on)
            self._slide.stop()
            self._move(float(on))

    def _begin(self, on: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        if appearance.theme.reading.calm:
            self._move(float(on))
            return
        self._slide.setStartValue(self._place)
        self._slide.setEndValue(float(on))
        self._slide.start()

    def _move(self, place: float) -> None:
        self._place = place
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The track, with space for the focus ring around it."""
        return QSize(_WIDTH_PX + 2 * _RING_PX, _HEIGHT_PX + 2 * _RING_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the track, the focus ring and the knob."""
        painter = smooth_painter(self)
        painter.setOpacity(1.0 if self.isEnabled() else 0.45)
        track = QRectF(_RING_PX, _RING_PX, _WIDTH_PX, _HEIGHT_PX)
        if self.hasFocus():
            ring = track.adjusted(-1.5, -1.5, 1.5, 1.5)
            draw_shape(painter, ring, ring.height() / 2, edge=appearance.theme.accent)
        colour = _between(appearance.theme.edge, appearance.theme.accent, self._place)
        draw_shape(painter, track, _HEIGHT_PX / 2, colour)
        side = _HEIGHT_PX - 2 * _RIM_PX
        left = track.left() + _RIM_PX + self._place * (track.width() - 2 * _RIM_PX - side)
        knob = QRectF(left, track.top() + _RIM_PX, side, side)
        draw_disc(painter, knob.translated(0, 0.75), QColor(0, 0, 0, 40))
        draw_disc(painter, knob, "#ffffff")


def _between(one: str, other: str, share: float) -> QColor:
    """The colour between `one` and `other`, at `share` (0 to 1) of the way."""
    ends = zip(QColor(one).getRgb(), QColor(other).getRgb(), strict=True)  # type: ignore[call-overload] # two tuples
    return QColor(*(round(from_ + (to - from_) * share) for from_, to in ends))
