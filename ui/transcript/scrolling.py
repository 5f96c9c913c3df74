"""Scrolling: where the view of a transcript is. It follows the end of the document, or keeps its place in the text.

Invariants:
- If the view is at the end when the document grows, it stays at the end. Otherwise the text in view does not move.
- The user decides whether the view follows, by scrolling. What the transcript does itself is no decision.

`ReadingPlace` remembers the place, so that another transcript of the same chat can show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.intents.chat import EVERYTHING
from ui.theme.appearance import appearance
from ui.transcript.older_messages import load_until
from ui.widgets.icon_button import IconButton
from ui.widgets.shapes import draw_disc, smooth_painter

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

FOLLOW_PX: Final = 40
"""The view follows the end if it is within this distance of it."""

_ABOVE_PX: Final = 16
_BELOW_PX: Final = 56
"""Space that a hit needs at the edges of the view. At the lower one is the button for the newest message."""


_JUMP_ABOVE_PX: Final = 20
"""Space above the message that was jumped to."""
_NEAR_PX: Final = 6
_GROUND_PX: Final = 8
"""The text fades out so far around the button. The style sheet has the same number."""
_BUTTON_PX: Final = 34 + 2 * _GROUND_PX
_BUTTON_ABOVE_PX: Final = 14 - _GROUND_PX


class NewestButton(IconButton):
    """The round button that scrolls to the newest message. It is hidden while that is in view."""

    def __init__(self, parent: QWidget) -> None:
        label = tr("Jump to the newest message")
        super().__init__("chevron-down", label, parent, name="newest", pixels=(18, _BUTTON_PX))
        self.show_icon("chevron-down", "text")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the page around the button, so that no word runs into it."""
        painter, ground = smooth_painter(self), QColor(appearance.theme.page)
        ground.setAlphaF(0.4)
        for ring in range(_GROUND_PX):
            draw_disc(painter, QRectF(self.rect()).adjusted(ring, ring, -ring, -ring), ground)
        painter.end()
        super().paintEvent(event)

    def settle(self, size: QSize) -> None:
        """Move to the middle of the lower edge of a parent of this size."""
        self.move((size.width() - _BUTTON_PX) // 2, size.height() - _BUTTON_PX - _BUTTON_ABOVE_PX)


class Scrolling(QObject):
    """The scroll bar of one transcript. `is_following` says whether the view stays at the end as the document grows."""

    def __init__(self, page: Transcript) -> None:
        super().__init__(page)
        self.is_following = True
        self.newest_button = NewestButton(page)
        self.newest_button.clicked.connect(self.to_newest)
        self._page = page
        self._bar = page.verticalScrollBar()
        self._holds = 0
        self._edge: int | None = None
        self._remainder = 0.0  # fraction of a pixel: the scroll bar rounds, and the errors would add up
        self._bar.valueChanged.connect(self._scrolled)
        self._bar.rangeChanged.connect(self.follow)
        self._is_going_up = False
        page.settled.connect(self._go_up)

    def to_newest(self) -> None:
        """Scroll to the end, and follow it from now on."""
        self._page.older.return_to_end()
        self.is_following = True
        self._bar.setValue(self._bar.maximum())
        self.newest_button.hide()

    def to_previous(self) -> None:
        """Go to the last message that begins above the view's top."""
        above = (place for place in self._places() if place < self._bar.value() - _NEAR_PX)
        self._bar.setValue(max(above, default=self._bar.value()))

    def to_next(self) -> None:
        """Go to the first message that begins below the view's top, or else to the end."""
        below = (place for place in self._places() if place > self._bar.value() + _NEAR_PX)
        self._bar.setValue(next(below, self._bar.maximum()))

    def _places(self) -> Iterator[int]:
        """The values of the scroll bar that have a message of the page at the top."""
        for at in self._page.loaded:
            top = round(self.top_of(at)) - _JUMP_ABOVE_PX if at else 0
            yield max(0, min(top, self._bar.maximum()))

    def to_message(self, message: str) -> None:
        """Go to a message. It is loaded first."""
        ReadingPlace(message, -_JUMP_ABOVE_PX).restore(self._page)

    def to_top(self) -> None:
        """Go to the first message of the chat. All of it is loaded first."""
        self._is_going_up = True
        load_until(self._page, EVERYTHING)
        self._go_up()

    def _go_up(self) -> None:
        page = self._page
        if not self._is_going_up or not len(page.messages):
            return
        if page.has_earlier:
            page.busy_sign.begin()
            return
        page.older.load_to(0)
        if not page.loaded.start:
            self._is_going_up = False
            page.busy_sign.end()
            self._bar.setValue(0)

    def stop_following(self) -> None:
        """Stay where the view is."""
        self.is_following = False
        self.newest_button.show()

    def follow(self) -> None:
        """The end may have moved: follow it, if the view does that."""
        if self.is_following and not self._holds:
            self.to_newest()

    def follow_edge(self) -> None:
        """The upper edge of the page may have moved, for a notice. The text stays where it was in the window."""
        before, self._edge = self._edge, self._page.mapTo(self._page.window(), QPoint()).y()
        if before is not None and not self.is_following:
            self._by(self._edge - before)

    def bring_into_view(self, rect: QRectF) -> None:
        """Scroll so that a rectangle of the document is in view, at a third of the height if it was not."""
        top, height = self._bar.value(), self._page.viewport().height()
        if not top + _ABOVE_PX <= rect.top() <= rect.bottom() <= top + height - _BELOW_PX:
            self._bar.setValue(round(rect.top() - height / 3))
        self._page.sideways.reveal(rect)

    def top_of(self, index: int) -> float:
        """The distance of a message's text from the top of the page, in pixels."""
        return self.line_top(self._page.writer.start(index))

    def in_view(self) -> range:
        """The positions of the text in view."""
        view = self._page.viewport().rect()
        first, last = (self._page.cursorForPosition(place) for place in (view.topLeft(), view.bottomRight()))
        return range(first.position(), last.position() + 1)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wrap a write. What the scroll bar does meanwhile is no wish of the user, and the view follows afterwards."""
        self._holds += 1
        yield
        self._holds -= 1
        self.follow()

    @contextmanager
    def keeping_top(self, before: int | None = None) -> Iterator[None]:
        """Wrap a change that must not move the text at the top of the view, even if the view was at the end. If only
        the text before position `before` survives the change, keep the last of that text in place.
        """
        top = self._page.cursorForPosition(QPoint(0, 0))
        top.setKeepPositionOnInsert(True)
        if before is not None:
            top.setPosition(min(top.position(), before - 1))
        height = self._page.cursorRect(top).top()
        self.is_following = False
        self._holds += 1
        yield
        self._holds -= 1
        self._by(self._page.cursorRect(top).top() - height)
        self._scrolled(self._bar.value())

    @contextmanager
    def keeping(self, top: Callable[[], float]) -> Iterator[None]:
        """Wrap a change that moves a line from one `top` to another. The line stays in place in the view, unless the
        view follows the end.
        """
        value, height = self._bar.value(), top()
        yield
        if not self.is_following:
            moved = top() - height + self._remainder
            self._bar.setValue(value + round(moved))  # Qt has moved it already if the page got shorter than that
            self._remainder = moved - round(moved)

    def line_top(self, position: int) -> float:
        """The distance of the line at a position from the top of the page, in pixels."""
        document = self._page.document()
        block = document.findBlock(position)
        line = block.layout().lineForTextPosition(position - block.position())
        return document.documentLayout().blockBoundingRect(block).top() + (line.y() if line.isValid() else 0)

    def _scrolled(self, value: int) -> None:
        if not self._holds:
            self.is_following = self._page.older.reaches_end and self._bar.maximum() - value <= FOLLOW_PX
            self.newest_button.setVisible(not self.is_following)

    def _by(self, pixels: int) -> None:
        self._bar.setValue(self._bar.value() + pixels)


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """The message at the top of the view, and how far it is scrolled. Without a message the view is at the end."""

    message: str = ""
    below_px: int = 0

    @classmethod
    def of(cls, transcript: Transcript) -> ReadingPlace:
        """The place in a transcript now, or the one to which it will return when it is shown."""
        if (pending := transcript.findChild(_Return)) is not None:
            return pending.place
        value = transcript.verticalScrollBar().value()
        above = [at for at in transcript.loaded if transcript.scrolling.top_of(at) <= value]
        if transcript.scrolling.is_following or not above:
            return cls()
        return cls(transcript.messages[above[-1]].view.id, value - round(transcript.scrolling.top_of(above[-1])))

    def restore(self, transcript: Transcript) -> None:
        """Scroll to the place, once the text is there."""
        if self.message:
            _Return(self, transcript).go()


class _Return(QObject):
    """Loads older messages until the one of the place is on the page, and scrolls there. A hidden transcript has
    nothing on its page: it waits until it is shown.
    """

    def __init__(self, place: ReadingPlace, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.place = place
        self._transcript = transcript
        transcript.settled.connect(self.go)
        transcript.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Return once the transcript has written what it shows first."""
        if event.type() == QEvent.Type.Show:
            QTimer.singleShot(0, self, self.go)
        return False

    def go(self) -> None:
        """Scroll, or ask for what is missing."""
        transcript = self._transcript
        if not transcript.isVisible():
            return
        at = transcript.messages.index(self.place.message)
        if at is None:
            load_until(transcript, self.place.message)
            return
        if at not in transcript.loaded:
            transcript.older.load_to(at)
        if at in transcript.loaded and transcript.is_settled:
            transcript.verticalScrollBar().setValue(round(transcript.scrolling.top_of(at)) + self.place.below_px)
            self.deleteLater()
