"""Messages for screen readers: an invisible object for each finished message, with author, text and buttons.

A text document is one object to a screen reader, so these widgets stand for its messages. They paint nothing and take
neither mouse nor focus. They exist only while a screen reader runs.

Invariants:
- The objects are in the order of the conversation. An answer gets its object when it has ended.
- The names of the buttons say which message they belong to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QRect, Qt, QUrl, Signal
from PySide6.QtGui import QAccessible, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QWidget

from resources.language.text import tr
from ui.markdown.lines import Line
from ui.state.chat import MessageState
from ui.theme.phrases import action_name, message_name
from ui.transcript.anchors import AnchorAction, parse_action
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


class StandIns(QWidget):
    """The objects of one transcript, over its viewport. `pressed` carries the address of a button's anchor."""

    pressed = Signal(str)

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        _install_roles()
        self.setObjectName("stand-ins")
        self.setAccessibleName(tr("Messages"))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._shown: list[tuple[FinishedMessage, _MessageObject]] = []
        self.show()

    def show_messages(self, messages: Sequence[FinishedMessage]) -> None:
        """Update the objects. Those of messages that did not change stay, and move to their new place."""
        same = _common(self._shown, messages)
        for _, gone in self._shown[same:]:
            gone.setParent(None)
            gone.deleteLater()
        kept = [one for _, one in self._shown[:same]]
        made = [_MessageObject(message, self) for message in messages[same:]]
        for message, one in zip(messages, [*kept, *made], strict=True):
            one.place(message)
        self._shown = list(zip(messages, [*kept, *made], strict=True))

    def follow(self, offset: int, width: int, height: int) -> None:
        """Move with the document, which is `height` pixels high and scrolled by `offset`."""
        self.setGeometry(0, -offset, width, height)


class _MessageObject(QWidget):
    def __init__(self, message: FinishedMessage, parent: StandIns) -> None:
        super().__init__(parent)
        self._stand_ins = parent
        self.setAccessibleName(message_name(message.number, message.role))
        self._text = _TextObject(plain_text(message.lines), self)
        for action in _actions(message.lines):
            _ButtonObject(action, message.number, parent, self)
        self.show()

    def place(self, message: FinishedMessage) -> None:
        width = max(1, self._stand_ins.width())
        self.setGeometry(0, message.top, width, message.height)
        self._text.setGeometry(QRect(0, 0, width, message.height))


class _TextObject(QWidget):
    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(text)


class _ButtonObject(QAbstractButton):
    def __init__(self, action: AnchorAction, number: int, stand_ins: StandIns, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(action_name(action.verb, action.number, number))
        self.clicked.connect(lambda: stand_ins.pressed.emit(action.href))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint nothing: the transcript shows the anchor."""


_ROLES = {
    StandIns: QAccessible.Role.List,
    _MessageObject: QAccessible.Role.Section,
    _TextObject: QAccessible.Role.Paragraph,
}


@cache
def _install_roles() -> None:
    """Tell Qt which roles the widgets have. Qt asks for each widget once."""
    QAccessible.installFactory(_interface)


def _interface(_kind: str, widget: QObject) -> QAccessibleWidget | None:
    role = _ROLES.get(type(widget))
    return None if role is None or not isinstance(widget, QWidget) else QAccessibleWidget(widget, role)


def _common(shown: Sequence[tuple[FinishedMessage, object]], messages: Sequence[FinishedMessage]) -> int:
    pairs = enumerate(zip(shown, messages, strict=False))
    changed = (at for at, ((old, _), new) in pairs if old[:2] != new[:2] or old.lines is not new.lines)
    return next(changed, min(len(shown), len(messages)))


def _actions(lines: Iterable[Line]) -> list[AnchorAction]:
    """The actions of a message in the order of its lines, each once."""
    spans = (span for line in lines for span in line.spans)
    found = (parse_action(span.style.href) for span in spans if span.style.href)
    return list(dict.fromkeys(action for action in found if action is not None))
