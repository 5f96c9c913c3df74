"""Greeting: what an empty chat shows, a line of welcome and a few example questions."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from resources import DEMO_MODEL
from resources.language.text import mark, tr
from ui.theme.theme import ui_font
from ui.widgets.layouts import Placed, centred, in_column
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named
from ui.widgets.theme_icons import IconLabel

EXAMPLES = (
    mark("What can Hearth do?"),
    mark("My code word is marigold. Please remember it."),
    mark("Tell me a short story about a lighthouse."),
)
_KEPT = mark("The model runs on this computer, and this chat stays ready.")
_KEPT_ON_SEVERAL = mark("The model runs on {macs} Macs, and this chat stays ready.")
_PRIVATE = mark("This chat is private: it is never saved, and gone when its tab is closed.")
_ICON_PX = 36
_SIDE_PX = 9
_EXAMPLE_PX = 360
_ROOMY_PX = 330
_LOW_PX = 210


class Greeting(QWidget):
    """Buttons with examples. `example_picked` carries the text of the one that was clicked; `clicked` is emitted for a
    click beside them.
    """

    example_picked = Signal(str)
    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("greeting")
        self._is_private, self._macs = False, 1
        self._flame = IconLabel("flame", "accent", _ICON_PX)
        self._flame.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.explanation = _line(tr(_KEPT), "greetingText", ui_font(15))
        self._examples = [self._example(number, example) for number, example in enumerate(map(tr, EXAMPLES))]
        self._block = QWidget()  # all examples are as wide as the widest
        in_column(*self._examples, spacing=10, of=self._block)
        title = _line(tr("What is on your mind?"), "greetingTitle", ui_font(26, QFont.Weight.DemiBold))
        in_column(
            *(Placed(share=4), self._flame, 4, title, self.explanation, 18, centred(self._block), Placed(share=5)),
            spacing=10,
            margins=(_SIDE_PX, 5, _SIDE_PX, 5),
            of=self,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the decoration first if there is little room, so that nothing is cut off."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height, room = self.height(), self.width() - 2 * _SIDE_PX
        for part in (self._flame, self.explanation):
            part.setVisible(height >= _ROOMY_PX)
        widest = max(_EXAMPLE_PX, *(button.sizeHint().width() for button in self._examples))
        self._block.setFixedWidth(min(room, widest))
        for button in self._examples:
            button.setVisible(height >= _LOW_PX and button.sizeHint().width() <= room)

    def mousePressEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Report the click: of two chats side by side, it chooses this one."""
        self.clicked.emit()

    def set_private(self, private: bool) -> None:  # noqa: FBT001 - what the chat is, not a mode of this call
        """Say whether the chat is kept or private."""
        self._is_private = private
        self._flame.show_icon("eye-off" if private else "flame")
        self._explain()

    def set_model(self, model: str, macs: int) -> None:
        """Say on how many Macs the model runs. The built-in one reads English alone, and so are the examples for it."""
        is_english = model == str(DEMO_MODEL)
        for button, example in zip(self._examples, EXAMPLES, strict=True):
            button.setText(example if is_english else tr(example))
        self._macs = macs
        self._explain()
        self._fit()

    def _explain(self) -> None:
        kept = tr(_KEPT_ON_SEVERAL, macs=self._macs) if self._macs > 1 else tr(_KEPT)
        self.explanation.setText(tr(_PRIVATE) if self._is_private else kept)

    def _example(self, number: int, text: str) -> PushButton:
        button = PushButton(text, act=lambda: self.example_picked.emit(button.text()), kind="example")
        button.setFixedHeight(38)
        return named(button, f"example{number}", 13)


def _line(text: str, name: str, font: QFont) -> QLabel:
    return named(QLabel(text, alignment=Qt.AlignmentFlag.AlignHCenter, wordWrap=True), name, font)
