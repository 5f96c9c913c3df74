"""TextMenu: the context menu of the transcript, and the selection as a quote in the message box."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QGuiApplication

from resources.language.text import tr
from ui.composer.composer import Composer
from ui.context import PageContext
from ui.intents.chat import DeleteTurn
from ui.intents.voice import ReadAloud, StopReading
from ui.state.chat import MessageView
from ui.transcript.selected_text import selected_text
from ui.transcript.transcript import Transcript
from ui.widgets.menu import Menu, context_menu


class TextMenu(QObject):
    """Offers what can be done with the selection, and with the message under the mouse."""

    def __init__(self, context: PageContext, transcript: Transcript, composer: Composer, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._transcript = transcript
        self._composer = composer
        transcript.menu_wanted.connect(self.open)

    def open(self, place: QPoint) -> None:
        """Open the menu at a place in the viewport."""
        menu = context_menu("textMenu", self._transcript)
        if self._selection():
            menu.addAction(tr("Copy"), self._transcript.copy)
            menu.addAction(tr("Quote in message"), self.quote)
            menu.addSeparator()
        link = self._transcript.anchorAt(place)
        if link.startswith(("http:", "https:", "mailto:")):
            menu.addAction(tr("Copy link"), lambda: QGuiApplication.clipboard().setText(link))
        if (message := self._message_at(place)) is not None:
            text = self._transcript.messages.text_of(message.id)
            menu.addAction(tr("Copy message"), lambda: QGuiApplication.clipboard().setText(text))
            if message.role == "assistant":
                self._add_voice(menu, message)
            if message.role == "user":
                menu.addAction(tr("Edit message"), partial(self._transcript.edit_started.emit, message.id))
        menu.addAction(tr("Select all"), self._transcript.selectAll)
        if message is not None:
            delete = partial(self._transcript.requested.emit, DeleteTurn(message.id))
            menu.add_destructive(tr("Delete question and answer"), delete)
        menu.open_at(self._transcript.viewport().mapToGlobal(place))

    def _add_voice(self, menu: Menu, message: MessageView) -> None:
        if self._context.store.voice.now.message == message.id:
            menu.addAction(tr("Stop reading"), partial(self._context.send, StopReading()))
        else:
            menu.addAction(tr("Read aloud"), partial(self.read_aloud, message))

    def read_aloud(self, message: MessageView) -> None:
        """Have an answer read by a voice of the system."""
        self._context.send(ReadAloud(message.id, self._transcript.messages.text_of(message.id)))

    def quote(self) -> None:
        """Put the selection into the message box, as a quote."""
        if text := self._selection():
            self._composer.edit.quote(text)

    def _selection(self) -> str:
        return selected_text(self._transcript.textCursor()).strip("\n")

    def _message_at(self, place: QPoint) -> MessageView | None:
        at = self._transcript.cursorForPosition(place).position()
        messages, writer = self._transcript.messages, self._transcript.writer
        shown = (index for index in reversed(range(len(messages))) if writer.lines(index))  # also a part of a message
        index = next((index for index in shown if writer.start(index) <= at), None)
        return None if index is None else messages[index].view
