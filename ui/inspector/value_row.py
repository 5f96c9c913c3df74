"""ValueRow: one sampling value with its name, a field to type it into and, if it has a useful range, a slider."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from resources.language.text import number, tr
from ui.inspector.value_slider import ValueSlider
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import text_label

_PAUSE_MS: Final = 250
_UNKNOWN: Final = "…"
_FIELD_PX: Final = 72
_FLUSH_PX: Final = -4
"""Moves the digits to the edge of the section, where the other values and the sliders end."""


class ValueSpec(NamedTuple):
    """A sampling value: its name in `SamplingView`, what the user reads, and the stops of its slider."""

    name: str
    label: str
    about: str
    stops: tuple[float, ...] = ()
    unset: str = ""


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
        self.reset = IconButton("rotate-ccw", tr("Use the model's own"))
        self.reset.set_icon_pixels(14, 22)
        self.field = _ValueField(placeholderText=tr(spec.unset) if spec.unset else _UNKNOWN)
        self.field.setObjectName("inspectorValue")
        self.field.setAccessibleName(tr(spec.label))
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self.field.setFont(ui_font(13))
        self.field.setFixedSize(_FIELD_PX, 24)
        self.field.setTextMargins(_FLUSH_PX, 0, _FLUSH_PX, 0)
        self.trouble = text_label("", "inspectorTrouble", 12)
        self.trouble.hide()
        self.slider = ValueSlider(tr(spec.label), spec.stops or (0.0,), self)
        self.slider.setVisible(bool(spec.stops))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        line = in_row(Placed(self.label, 1), self.reset, self.field, spacing=4)
        in_column(line, self.slider, self.trouble, spacing=1, of=self)
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the label must not move when the button appears
        self.reset.setSizePolicy(policy)

    def _connect(self) -> None:
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        self.field.editingFinished.connect(self.flush)
        self.field.taken_back.connect(self._take_back)
        self.slider.chosen.connect(self._slide)
        self.reset.clicked.connect(lambda: self.changed.emit(""))

    def show_value(self, value: float | None, suggested: float | None, *, own: bool, trouble: str = "") -> None:
        """Show the value that holds and the model's, either of which may not be known yet. Text that is being typed
        stays, and so does a refused text.
        """
        self._shown = self.field.held = _words(value)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
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


class _ValueField(QLineEdit):
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
