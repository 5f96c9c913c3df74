"""ValueRow: one sampling value with its name, a field to type it into and, if it has a useful range, a slider.

`ValueSlider` is a thin line over stops, filled up to the chosen one, with a mark at the one that the model suggests.
Without a value it is an empty line.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRectF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import number, tr
from ui.theme.appearance import appearance
from ui.theme.tooltips import plain_tip
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row, steady
from ui.widgets.settings_group import hidden_label, named, show_words, text_label
from ui.widgets.shapes import draw_disc, draw_shape, smooth_painter
from ui.widgets.stop_slider import FollowingSlider
from ui.widgets.text_field import LineField

_HEIGHT_PX = 18
_LINE_PX = 4
_KNOB_PX = 14
_QUIET_KNOB_PX = 11
_MARK_PX = 10


class ValueSlider(FollowingSlider):
    """`chosen` carries the stop that the user moved to. The knob is larger while the pointer or the focus is here."""

    chosen = Signal(float)

    def __init__(self, label: str, stops: Sequence[float], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stops = tuple(stops)
        self._mark: int | None = None
        self._is_known = True
        self.setAccessibleName(label)
        self.setRange(0, len(self._stops) - 1)
        self.setPageStep(max(1, len(self._stops) // 10))
        self.setFixedHeight(_HEIGHT_PX)
        self.setMouseTracking(True)
        self.valueChanged.connect(lambda stop: self.chosen.emit(self._stops[stop]))

    def show_value(self, value: float | None, suggested: float | None) -> None:
        """Show the stops nearest to the value and the suggestion, without a signal. None is hidden."""
        self._mark = None if suggested is None else self._nearest(suggested)
        self._is_known = value is not None
        if value is not None:
            with QSignalBlocker(self):
                self.setValue(self._nearest(value))
        self.setAccessibleDescription(_description(value, suggested))
        self.update()

    def _nearest(self, value: float) -> int:
        place = bisect_left(self._stops, value)
        near = [one for one in (place - 1, place) if 0 <= one < len(self._stops)]
        return min(near, key=lambda one: abs(self._stops[one] - value))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Repaint the knob under the pointer."""
        super().mouseMoveEvent(event)
        self.update()

    def is_handle(self, _point: QPoint) -> bool:
        """The knob has no other place than its stop."""
        return False

    def stop_at(self, x: int) -> int:
        """The stop at `x`."""
        return round(min(max(x / max(1, self.width()), 0.0), 1.0) * self.maximum())

    def _x_of(self, stop: int, rim: float) -> float:
        """The place at which a stop is painted, at least `rim` from both ends."""
        x = self.width() * stop / max(1, self.maximum())
        return min(max(x, rim), self.width() - rim)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the line, its filled part, the mark and the knob."""
        theme, painter = appearance.theme, smooth_painter(self)
        middle, now = self.height() / 2, self._x_of(self.value(), 0)
        line = QRectF(0, middle - _LINE_PX / 2, self.width(), _LINE_PX)
        draw_shape(painter, line, _LINE_PX / 2, theme.field)
        if not self._is_known:
            return
        filled = QRectF(0, line.top(), now, _LINE_PX)
        draw_shape(painter, filled, _LINE_PX / 2, theme.accent if self.isEnabled() else theme.button_off)
        if self._mark is not None:
            mark = QRectF(self._x_of(self._mark, _KNOB_PX / 2) - 1, middle - _MARK_PX / 2, 2, _MARK_PX)
            draw_shape(painter, mark, 1, theme.muted)
        is_used = self.hasFocus() or self.underMouse()
        radius = (_KNOB_PX if is_used else _QUIET_KNOB_PX) / 2 - 1
        knob = QRectF(self._x_of(self.value(), _KNOB_PX / 2) - radius, middle - radius, 2 * radius, 2 * radius)
        draw_disc(painter, knob, "#ffffff", theme.accent if self.hasFocus() else theme.faint)


def _description(value: float | None, suggested: float | None) -> str:
    if value is None:
        return tr("Not known until the model is loaded.")
    if suggested is None:
        return number(value, "g")
    return tr("{value:g}. The model suggests {suggested:g}.", value=value, suggested=suggested)


_PAUSE_MS: Final = 250
UNKNOWN: Final = "…"
_FIELD_PX: Final = 72
_FLUSH_PX: Final = -4
"""Moves the digits to the edge of the section, where the other values and the sliders end."""


class ValueSpec(NamedTuple):
    """A sampling value: its name in `SamplingView`, what the user reads, the stops of its slider, and further words by
    which the palette finds it.
    """

    name: str
    label: str
    about: str = ""
    stops: tuple[float, ...] = ()
    unset: str = ""
    words: str = ""


class ValueRow(QWidget):
    """`changed` carries what the user typed or slid to, as text; "" leaves the value to the model."""

    changed = Signal(str)

    def __init__(self, spec: ValueSpec) -> None:
        super().__init__()
        self.spec = spec
        self._shown = ""
        self.setObjectName(f"value_{spec.name}")
        self.setToolTip(plain_tip(tr(spec.about)))
        self.label = text_label(tr(spec.label), "rowAbout", 13)
        own = tr("Use the model's own")
        self.reset = IconButton("rotate-ccw", own, pixels=(14, 22), act=lambda: self.changed.emit(""))
        field = _ValueField(placeholderText=tr(spec.unset) if spec.unset else UNKNOWN)
        self.field = named(field, "inspectorValue", 13, tr(spec.label))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self.field.setFixedSize(_FIELD_PX, 24)
        self.field.setTextMargins(_FLUSH_PX, 0, _FLUSH_PX, 0)
        self.trouble = hidden_label("inspectorTrouble", 12)
        self.slider = ValueSlider(tr(spec.label), spec.stops or (0.0,), self)
        self.slider.setVisible(bool(spec.stops))
        line = in_row(Placed(self.label, 1), steady(self.reset), self.field, spacing=4)
        in_column(line, self.slider, self.trouble, spacing=1, of=self)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        self.field.editingFinished.connect(self.flush)
        self.field.taken_back.connect(self._take_back)
        self.slider.chosen.connect(self._slide)

    def show_value(self, value: float | None, suggested: float | None, *, own: bool, trouble: str = "") -> None:
        """Show the value that holds and the model's, either of which may not be known yet. Text that is being typed
        stays, and so does a refused text.
        """
        self._shown = self.field.held = _words(value)
        show_words(self.trouble, trouble)
        self.reset.setVisible(own and value != suggested)
        if not trouble and not self._pause.isActive() and not (self.field.hasFocus() and self.field.isModified()):
            self.field.setText(self._shown)
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.show_value(value, suggested)

    def flush(self) -> None:
        """Report what was typed or slid to, if it is new."""
        self._pause.stop()
        typed = self.field.text().strip()
        self.field.setModified(False)
        if typed != self._shown:
            self._shown = typed
            self.changed.emit(typed)

    def _take_back(self) -> None:
        """Show the value that holds instead of what was typed."""
        self._pause.stop()
        self.trouble.hide()
        self._shown = self.field.held
        self.field.setText(self._shown)
        self.field.selectAll()

    def _slide(self, stop: float) -> None:
        self.field.setText(_words(stop))
        self._pause.start()


class _ValueField(LineField):
    """While its text is not the one that is `held`, Escape emits `taken_back`, before a menu or the window takes it."""

    taken_back = Signal()
    held = ""

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and self._takes_back(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if self._takes_back(event):
            self.taken_back.emit()
        else:
            super().keyPressEvent(event)

    def _takes_back(self, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        return is_escape and self.text() != self.held


def _words(value: float | None) -> str:
    if value is None:
        return ""
    return number(value) if isinstance(value, int) else number(value, "g")
