"""LoadRow: the line under the composer while a model is loaded, with the stage in words, a bar and a way out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from resources.language.text import tr
from ui.chat.status_strip import HEIGHT_PX
from ui.context import PageContext
from ui.intents.models import StopLoading
from ui.state.engine import EngineView
from ui.theme.phrases import engine_line
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import UsageBar
from ui.widgets.elided_text import without_middle
from ui.widgets.push_button import PushButton

_BAR_PX = 140
_SIDE_PX = 12
_GAP_PX = 12
_LIFT_PX = 8  # the composer's shadow already leaves a gap above
_BUTTON_PX = 22


class LoadRow(QWidget):
    """As high as the status strip, which it replaces. `requested` carries a `ModelIntent`."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("loadRow")
        self.setFixedHeight(HEIGHT_PX)
        self._text = ""
        self.label = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setObjectName("loadText")
        self.label.setFont(ui_font(12))
        self.bar = UsageBar()
        self.bar.setFixedWidth(_BAR_PX)
        self.button = PushButton(tr("Cancel"), "cancelLoad")
        self.button.setAccessibleName(tr("Cancel the load"))
        self.button.setProperty("kind", "quiet")
        self.button.setFont(ui_font(12))
        self.button.setFixedHeight(_BUTTON_PX)
        self.button.clicked.connect(lambda: self._context.send(StopLoading()))
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE_PX, 0, _SIDE_PX, _LIFT_PX)
        row.setSpacing(_GAP_PX)
        row.addStretch(1)
        row.addWidget(self.label)
        row.addWidget(self.bar)
        row.addWidget(self.button)
        row.addStretch(1)

    def set_engine(self, view: EngineView) -> None:
        """Show a load. Without a share there is no bar: how long that stage takes is not known."""
        self._text = engine_line(view)
        self.setAccessibleName(self._text)
        self.bar.setVisible(view.share is not None)
        self.bar.set_share(view.share or 0.0)
        self.button.setVisible(view.can_cancel)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten the text to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        taken = (_BAR_PX + _GAP_PX) * (not self.bar.isHidden())
        taken += (self.button.sizeHint().width() + _GAP_PX) * (not self.button.isHidden())
        room = self.width() - 2 * _SIDE_PX - taken - 2 * _GAP_PX
        self.label.setText(without_middle(self._text, self.label.fontMetrics(), room))
        self.setToolTip(plain_tip(self._text))
