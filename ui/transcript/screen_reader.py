"""Messages for screen readers: an invisible object for each finished message, with author, text and buttons.

A text document is one object to a screen reader, so these widgets stand for its messages. They paint nothing and take
neither mouse nor focus. They exist only while a screen reader runs.

Invariants:
- The objects are in the order of the conversation. An answer gets its object when it has ended.
- The names of the buttons say which message they belong to.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QAccessible, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QWidget

from resources.language.text import tr
from ui.markdown.lines import Line
from ui.state.chat import MessageState
from ui.theme.phrases import action_name, message_name
from ui.transcript.anchors import parse_action
from ui.transcript.message_lines import plain_text

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

_UPDATE_MS = 150


class FinishedMessage(NamedTuple):
    """A message on the page that has ended. `number` counts from 1, `top` and `height` are pixels of the document."""

    number: int
    role: str
    lines: tuple[Line, ...]
    top: int
    height: int


class ScreenReader(QObject):
    """Watches one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._stand_ins: StandIns | None = None
        self._timer = transcript.timer(self._update)
        transcript.document().contentsChanged.connect(self._note_change)

    def _note_change(self) -> None:
        if QAccessible.isActive() and not self._timer.isActive():
            self._timer.start(_UPDATE_MS)

    def _update(self) -> None:
        if self._transcript.isVisible():
            self._stand_ins = self._stand_ins or StandIns(self._transcript)
            self._stand_ins.show_messages()


class StandIns(QWidget):
    """The objects of one transcript, over its viewport."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript.viewport())
        _install_roles()
        self.setObjectName("stand-ins")
        self.setAccessibleName(tr("Messages"))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._transcript = transcript
        self._shown: list[tuple[FinishedMessage, _MessageObject]] = []
        transcript.verticalScrollBar().valueChanged.connect(self._follow)
        self.show()

    def _follow(self) -> None:
        """Move with the document."""
        page = self._transcript
        height = max(1, round(page.document().size().height()))
        self.setGeometry(0, -page.verticalScrollBar().value(), page.viewport().width(), height)

    def show_messages(self) -> None:
        """Update the objects. Those of messages that did not change stay, and move to their new place."""
        self._follow()
        messages = tuple(self._finished())
        pairs = enumerate(zip(self._shown, messages, strict=False))
        changed = (at for at, ((old, _), new) in pairs if old[:2] != new[:2] or old.lines is not new.lines)
        same = next(changed, min(len(self._shown), len(messages)))
        for _, gone in self._shown[same:]:
            gone.setParent(None)
            gone.deleteLater()
        kept = [one for _, one in self._shown[:same]]
        made = [_MessageObject(message, self._transcript, self) for message in messages[same:]]
        self._shown = list(zip(messages, [*kept, *made], strict=True))
        for message, one in self._shown:
            one.place(message, max(1, self.width()))

    def _finished(self) -> Iterator[FinishedMessage]:
        page = self._transcript
        layout, document, loaded = page.document().documentLayout(), page.document(), page.loaded
        for index, (start, end) in zip(loaded, page.writer.bounds_from(loaded.start), strict=False):
            view = page.messages[index].view
            if view.state is not MessageState.OPEN and end > start:
                top = layout.blockBoundingRect(document.findBlock(start)).top()
                bottom = layout.blockBoundingRect(document.findBlock(end - 1)).bottom()
                place = round(top), max(1, round(bottom - top))
                yield FinishedMessage(index + 1, view.role, page.writer.lines(index), *place)


class _MessageObject(QWidget):
    def __init__(self, message: FinishedMessage, transcript: Transcript, parent: StandIns) -> None:
        super().__init__(parent)
        self.setAccessibleName(message_name(message.number, message.role))
        self._text = _TextObject(self)
        self._text.setAccessibleName(plain_text(message.lines))
        hrefs = (span.style.href for line in message.lines for span in line.spans)
        for action in dict.fromkeys(map(parse_action, hrefs)):  # each once, in the order of the lines
            if action is not None:
                button = _ButtonObject(self)
                button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
                button.setAccessibleName(action_name(action.verb, action.number, message.number))
                button.clicked.connect(partial(_press, transcript, action.href))
        self.show()

    def place(self, message: FinishedMessage, width: int) -> None:
        self.setGeometry(0, message.top, width, message.height)
        self._text.setGeometry(0, 0, width, message.height)


def _press(transcript: Transcript, href: str) -> None:
    transcript.anchorClicked.emit(QUrl(href))


class _TextObject(QWidget):
    pass


class _ButtonObject(QAbstractButton):
    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint nothing: the transcript shows the anchor."""


_ROLES = {
    StandIns: QAccessible.Role.List,
    _MessageObject: QAccessible.Role.Section,
    _TextObject: QAccessible.Role.Paragraph,
}


def _interface(_kind: str, widget: QObject) -> QAccessibleWidget | None:
    role = _ROLES.get(type(widget))
    return None if role is None or not isinstance(widget, QWidget) else QAccessibleWidget(widget, role)


@cache
def _install_roles() -> None:
    """Tell Qt which roles the widgets have. Qt asks for each widget once."""
    QAccessible.installFactory(_interface)
