"""A slider that offers a few values, with the chosen one as a text beside it. `CalmSlider` leaves the mouse wheel to
the page under it.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from ui.widgets.layouts import in_row
from ui.widgets.settings_group import named, text_label


class CalmSlider(QSlider):
    """A wheel changes it only while it has the focus. Otherwise, the page under the pointer scrolls, so that no value
    changes because a slider came under the pointer.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Let the page scroll, unless the focus is here."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


_HANDLE = QStyle.SubControl.SC_SliderHandle
_SLIDER_PX = 176
_TEXT_PX = 148


class StopSlider(QWidget):
    """A slider over stops, each shown by its text of at least `text_px`. The value of the `slider` is the number of the
    chosen one.
    """

    def __init__(self, label: str, stops: Sequence[str], current: int, text_px: int = _TEXT_PX) -> None:
        super().__init__()
        self._stops = tuple(stops)
        self.slider = named(FollowingSlider(), "", label=label)
        self.slider.setFixedWidth(_SLIDER_PX)
        self.slider.setRange(0, len(self._stops) - 1)
        self.slider.setPageStep(1)
        self.text = text_label("", "rowValue", 13)
        self.text.setWordWrap(False)
        widest = max(self.text.fontMetrics().horizontalAdvance(stop) for stop in self._stops)
        self.text.setFixedWidth(max(text_px, widest + 1))  # the slider must not move when this text changes
        self.text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        in_row(self.slider, self.text, spacing=10, of=self)
        self.slider.valueChanged.connect(self._say)
        self.slider.setValue(current)
        self._say(current)

    def _say(self, stop: int) -> None:
        self.text.setText(self._stops[stop])
        self.slider.setAccessibleDescription(self._stops[stop])


class FollowingSlider(CalmSlider):
    """A slider whose handle comes to the stop that is pressed, and follows the mouse from there.

    Qt's own moves it by one stop on some systems.
    """

    _follows = False

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Bring the handle to the mouse. Qt drags a handle that is pressed itself."""
        point = event.position().toPoint()
        self._follows = event.button() == Qt.MouseButton.LeftButton and not self.is_handle(point)
        if self._follows:
            self.setSliderDown(True)
            self.setSliderPosition(self.stop_at(point.x()))
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Drag the handle."""
        if self._follows:
            self.setSliderPosition(self.stop_at(event.position().toPoint().x()))
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Leave the handle where it is."""
        if self._follows:
            self._follows = False
            self.setSliderDown(False)
        else:
            super().mouseReleaseEvent(event)

    def is_handle(self, point: QPoint) -> bool:
        """Whether Qt itself drags from there."""
        return self._part(_HANDLE).contains(point)

    def stop_at(self, x: int) -> int:
        """The stop whose handle has its middle nearest to `x`."""
        groove, handle = self._part(QStyle.SubControl.SC_SliderGroove), self._part(_HANDLE)
        place, room = x - groove.left() - handle.width() // 2, groove.width() - handle.width()
        return QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, room)

    def _part(self, part: QStyle.SubControl) -> QRect:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self)
