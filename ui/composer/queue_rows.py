"""QueueRows: the messages that wait for the end of the answer, above the composer's text field."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import plural, tr
from ui.context import PageContext
from ui.intents.chat import DropQueued, EditQueued, SendQueued, SendQueuedNow
from ui.state.chat import QueuedView, QueueView
from ui.theme.appearance import appearance
from ui.theme.phrases import one_line, paused_line, waiting_line
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import draw_written
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, discard, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.scroll_area import ScrollArea
from ui.widgets.settings_group import named, plain_label
from ui.widgets.theme_icons import IconLabel

_ROW_PX = 30
_MOST_ROWS = 3
_MOST_MADE = 50
"""Each row has three buttons. The messages behind these get theirs as these are sent."""
_ICON_PX = 14
_TIP_CHARS = 600
_LEFT_PX = 25
_BUTTON_PX = 24


class QueueRows(QWidget):
    """A line that says what becomes of the messages, and one row for each of the first ones. Hidden while none waits.
    More than three rows scroll.
    """

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self.setObjectName("queue")
        self._shown = QueueView()
        self.rows: list[QueueRow] = []
        self._icon = IconLabel("message-square", "muted", _ICON_PX)
        self._words = plain_label("queueWords", 12)
        send = PushButton(tr("Send now"), act=lambda: self._context.send(SendQueued()))
        self.send_button = named(send, "queueSend", 12)
        self.send_button.setFixedHeight(24)
        self.send_button.setToolTip(tr("Send these messages, one after another"))
        self._words.setMinimumHeight(_BUTTON_PX)  # the button comes and goes without a jump
        head = in_row(self._icon, Placed(self._words), self.send_button, spacing=7, margins=(4, 0, 0, 0))
        inside = named(QWidget(), "queueRows")
        self._column = in_column(of=inside)
        self._scroll = ScrollArea("queueScroll")
        self._scroll.setWidget(inside)
        in_column(head, self._scroll, spacing=2, margins=(0, 0, 0, 2), of=self)
        self.hide()

    def set_queue(self, queue: QueueView) -> None:
        """Show these messages."""
        if queue.messages != self._shown.messages:
            self._show_rows(queue.messages)
        self._shown = queue
        count = len(queue.messages)
        self._words.setText(paused_line(count) if queue.paused else waiting_line(count))
        self.send_button.setVisible(queue.paused)
        self._scroll.setFixedHeight(_ROW_PX * min(count, _MOST_ROWS))
        self.setVisible(bool(count))
        self._icon.show_icon("pause" if self._shown.paused else "message-square")

    def _show_rows(self, messages: tuple[QueuedView, ...]) -> None:
        discard(self.rows)
        self.rows = [QueueRow(self._context, message) for message in messages[:_MOST_MADE]]
        for row in self.rows:
            self._column.addWidget(row)
        stops = [self.send_button, *(button for row in self.rows for button in row.buttons)]
        for before, after in pairwise(stops):  # else Tab would reach them behind everything else in the window
            QWidget.setTabOrder(before, after)


class QueueRow(QWidget):
    """One message on one line. An arrow sends it instead of the answer, a pencil returns it to the text field, and a
    cross removes it.
    """

    def __init__(self, context: PageContext, message: QueuedView) -> None:
        super().__init__()
        self._context = context
        self.message = message
        self.setFixedHeight(_ROW_PX)
        files = plural("{count} file", "{count} files", message.files) if message.files else ""
        self._words = words = " · ".join(filter(None, (one_line(message.text), files)))
        named(self, "", 13, words)
        self.setToolTip(plain_tip(message.text[:_TIP_CHARS] or words))
        self.now_button = self._button(
            "arrow-up", tr("Stop the answer and send this message now"), "queueNow", SendQueuedNow(message.id)
        )
        self.edit_button = self._button(
            "pencil", tr("Edit this message before it is sent"), "queueEdit", EditQueued(message.id)
        )
        self.drop_button = self._button("x", tr("Do not send this message"), "queueDrop", DropQueued(message.id))
        self.buttons = (self.now_button, self.edit_button, self.drop_button)
        in_row(Placed(), *self.buttons, spacing=2, margins=(_LEFT_PX, 0, 0, 0), of=self)

    def _button(self, icon: str, label: str, name: str, intent: SendQueuedNow | EditQueued | DropQueued) -> IconButton:
        return IconButton(icon, label, name=name, pixels=(14, _BUTTON_PX), act=lambda: self._context.send(intent))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the words, elided before the buttons."""
        line = self.rect().adjusted(_LEFT_PX, 0, -3 * _BUTTON_PX - 14, 0)
        draw_written(QPainter(self), line, self._words, self.font(), appearance.theme.text)
