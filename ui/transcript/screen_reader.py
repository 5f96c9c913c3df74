"""Keeps the objects that a screen reader sees in step with a transcript. It costs nothing while none runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QAccessible

from ui.state.chat import MessageState
from ui.transcript.stand_ins import FinishedMessage, StandIns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ui.transcript.transcript import Transcript

_UPDATE_MS = 150


class ScreenReader(QObject):
    """Watches one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._stand_ins: StandIns | None = None
        self._timer = transcript.timer(self._update)
        transcript.document().contentsChanged.connect(self._note_change)
        transcript.verticalScrollBar().valueChanged.connect(self._scroll)

    def _note_change(self) -> None:
        if QAccessible.isActive() and not self._timer.isActive():
            self._timer.start(_UPDATE_MS)

    def _update(self) -> None:
        if not self._transcript.isVisible():
            return
        if self._stand_ins is None:
            self._stand_ins = StandIns(self._transcript.viewport())
            self._stand_ins.pressed.connect(lambda href: self._transcript.anchorClicked.emit(QUrl(href)))
        self._scroll()
        self._stand_ins.show_messages(tuple(self._finished()))

    def _scroll(self) -> None:
        if self._stand_ins is not None:
            page = self._transcript
            height = max(1, round(page.document().size().height()))
            self._stand_ins.follow(page.verticalScrollBar().value(), page.viewport().width(), height)

    def _finished(self) -> Iterator[FinishedMessage]:
        page = self._transcript
        layout, document = page.document().documentLayout(), page.document()
        loaded = page.loaded
        for index, (start, end) in zip(loaded, page.writer.bounds_from(loaded.start), strict=False):
            view = page.messages.view(index)
            if view.state is not MessageState.OPEN and end > start:
                top = layout.blockBoundingRect(document.findBlock(start)).top()
                bottom = layout.blockBoundingRect(document.findBlock(end - 1)).bottom()
                place = round(top), max(1, round(bottom - top))
                yield FinishedMessage(index + 1, view.role, page.writer.lines(index), *place)
