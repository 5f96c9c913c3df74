"""Finds words in one chat: `FindBar` has the query, the number of hits and the buttons, and `Finding` connects it with
the transcript. On the GUI thread.

- Messages on the page are searched in the document. Those that are not written yet are searched in their text, and the
  app counts the hits of those that are not loaded.
- A hit in an older message loads the transcript up to it, and a hit in folded reasoning unfolds that.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from resources.language.text import tr
from ui.context import PageContext
from ui.intents.chat import FindEarlier
from ui.markdown.lines import Line
from ui.search import matching
from ui.search.matching import Hits, Matcher, Place
from ui.state.chat import LONGEST_QUESTION, MessageState
from ui.transcript.older_messages import load_until
from ui.transcript.selected_text import selected_text
from ui.transcript.transcript import Transcript
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_row
from ui.widgets.settings_group import named, plain_label
from ui.widgets.text_field import LineField
from ui.widgets.theme_icons import IconAction

_HEIGHT_PX = 46
_FIELD_PX = 300
_COUNT_PX = 104
_LONGEST = 1_000
"""Characters that are looked for. A page that was pasted would take seconds."""
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QFrame):
    """A strip above the transcript, so that it hides no text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setFixedHeight(_HEIGHT_PX)
        self.field = _field()
        self.count = plain_label("findCount", 12)
        self.count.setMinimumWidth(_COUNT_PX)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.count.setIndent(10)
        self.field.addAction(IconAction("search", "faint", tr("Find"), self), QLineEdit.ActionPosition.LeadingPosition)
        self.previous_button = _button("chevron-up", tr("Previous hit"), "findPrevious")
        self.next_button = _button("chevron-down", tr("Next hit"), "findNext")
        self.close_button = _button("x", tr("Close the find bar"), "findClose")
        buttons = (self.previous_button, self.next_button, self.close_button)
        field = Placed(self.field, 1000)  # up to its maximum width
        in_row(Placed(), field, self.count, *buttons, spacing=2, margins=(14, 0, 12, 0), of=self)
        self.hide()

    def begin(self, words: str) -> None:
        """Show the bar with these words selected, ready to be replaced."""
        self.field.setText(words)
        self.show()
        self.raise_()
        self.field.setFocus()
        self.field.selectAll()

    def show_count(self, position: int, total: int, *, is_counting: bool = False) -> None:
        """Show which hit of how many is the current one. That there is none is said only once all are counted."""
        if not self.field.text().strip():
            words = ""
        elif not total:
            words = tr("Searching…") if is_counting else tr("No hits")
        else:
            words = tr("{position} of {total}", position=position, total=total)
        self.count.setText(words)
        self.count.setAccessibleName(words)
        for button in (self.previous_button, self.next_button):
            button.setEnabled(total > 0)


def _field() -> QLineEdit:
    words = tr("Find in this chat")
    field = named(LineField(placeholderText=words, maxLength=_LONGEST), "findField", 13, words)
    field.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
    field.setFixedHeight(30)
    field.setMaximumWidth(_FIELD_PX)
    return field


def _button(icon: str, label: str, name: str) -> IconButton:
    return IconButton(icon, label, name=name, pixels=(16, 26))


_RECOUNT_MS = 100
_ASK_MS = 150


class Finding(QObject):
    """`requested` carries a `ChatIntent`; `ended` is emitted when the user closes the bar."""

    ended = Signal()

    def __init__(self, context: PageContext, transcript: Transcript, bar: FindBar) -> None:
        super().__init__(bar)
        self._context = context
        self._transcript = transcript
        self._bar = bar
        self._marks = transcript.find_marks
        self._hits = Hits()
        self._terms: tuple[str, ...] = ()
        self._above: tuple[tuple[str, int], ...] = ()
        self._is_counting = False  # the hits above what is loaded are not known yet
        self._unwritten: dict[str, int] = {}
        self._written_counts: dict[str, tuple[tuple[Line, ...], int]] = {}
        self._folded_counts: dict[str, tuple[str, int]] = {}  # with the reasoning
        self._place: Place | None = None
        self._begins_at = QTextCursor(transcript.document())
        self._is_moving = False
        self._is_best_wanted = False  # which hit is the best one is known once the message is written
        self._recount_timer = transcript.timer(self._recount)
        self._ask_timer = transcript.timer(self._ask_earlier)
        bar.field.textEdited.connect(lambda words: self._find((words,)))
        bar.field.installEventFilter(self)
        bar.previous_button.clicked.connect(lambda: self.step(-1))
        bar.next_button.clicked.connect(lambda: self.step(1))
        bar.close_button.clicked.connect(self.end)
        transcript.document().contentsChanged.connect(self._note_change)

    def begin(self) -> None:
        """Show the bar. What is selected in the transcript is searched; else the last words are offered again."""
        cursor = self._transcript.textCursor()
        words = "" if "\u2029" in cursor.selectedText() else " ".join(selected_text(cursor).split())
        self._begins_at = self._transcript.cursorForPosition(QPoint(0, 0))
        self._open(words or self._bar.field.text())
        text = self._bar.field.text()
        self._find(self._terms if text == " ".join(self._terms) else (text,))

    def begin_at(self, message: str, terms: tuple[str, ...]) -> None:
        """Show the bar with the words of a search, and go to the best hit in a message. Without words, only go to the
        message: a file of it was found.
        """
        if not terms:
            self.end()
            self._go(Place(message, 0))
            return
        self._open(" ".join(terms))
        self._search(terms)
        self._is_best_wanted = True
        self._go(Place(message, 0))

    def end(self) -> None:
        """Hide the bar and all marks."""
        self._bar.hide()
        self._lay_out()
        self._marks.clear()
        self._hits, self._place = Hits(), None
        self._transcript.viewport().update()
        self.ended.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Step on Return and back on Shift+Return; close on Escape."""
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        is_press, is_escape = event.type() == QEvent.Type.KeyPress, event.key() == Qt.Key.Key_Escape
        if event.type() == QEvent.Type.ShortcutOverride and is_escape:
            event.accept()  # else the menu's shortcut would stop the answer
        elif is_press and event.key() in _RETURN:
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        elif is_press and (is_escape or event.matches(QKeySequence.StandardKey.Cancel)):
            self.end()
            return True
        return super().eventFilter(watched, event)

    def _open(self, words: str) -> None:
        self._bar.begin(words)
        self._lay_out()

    def _lay_out(self) -> None:
        """The page gets its new place at once, before a hit is scrolled into it."""
        page = self._bar.parentWidget()
        if page is not None and (layout := page.layout()) is not None:
            layout.activate()

    def step(self, by: int) -> None:
        """Go `by` hits on, around the ends of the chat. A hidden bar comes back first."""
        if self._bar.isHidden():
            self.begin()
            return
        position = self._hits.position(self._place) if self._place else 0
        if (place := self._hits.at(position + by)) is not None:
            self._go(place)
        if self._marks.current is not None:
            self._begins_at.setPosition(self._marks.current[0])

    def show_found(self, terms: tuple[str, ...], counts: tuple[tuple[str, int], ...]) -> None:
        """The app counted the hits in messages that are not loaded. Counts of other words are late and are dropped."""
        if terms == self._marks.matcher.terms:
            self._above = counts
            self._is_counting = False
            self._recount()
            if self._place is None:
                self._go_to_nearest()

    def _find(self, terms: tuple[str, ...]) -> None:
        self._search(terms)
        self._place = self._marks.current = None
        self._go_to_nearest()
        self._show_count()

    def _search(self, terms: tuple[str, ...]) -> None:
        self._terms = terms
        self._marks.matcher = Matcher(terms)
        self._is_best_wanted = False
        self._above = ()
        self._unwritten.clear()
        self._written_counts.clear()
        self._folded_counts.clear()
        self._is_counting = bool(self._marks.matcher.terms) and self._transcript.has_earlier
        self._recount()
        self._transcript.viewport().update()
        self._ask_timer.start(_ASK_MS)

    def _ask_earlier(self) -> None:
        terms, messages = self._marks.matcher.terms, self._transcript.messages
        if terms and self._transcript.has_earlier and len(messages):
            self._context.send(FindEarlier(terms, messages[0].view.id))

    def _note_change(self) -> None:
        if (self._is_moving or not self._bar.isHidden()) and not self._recount_timer.isActive():
            self._recount_timer.start(_RECOUNT_MS)

    def _recount(self) -> None:
        """Count again: an answer grew, or older messages came. A hit that the user waits for may be there now."""
        messages = self._transcript.messages
        here = {messages[at].view.id for at in range(len(messages))} if self._above else set()
        self._above = tuple(one for one in self._above if one[0] not in here)
        self._hits = Hits((*self._above, *self._counted()))
        if self._is_moving and self._place is not None:
            self._go(self._place)
        else:
            self._mark_current()
        self._show_count()

    def _counted(self) -> Iterator[tuple[str, int]]:
        messages, matcher = self._transcript.messages, self._marks.matcher
        if not matcher.terms:
            return
        for at in range(len(messages)):
            view = messages[at].view
            if at in self._transcript.loaded:
                count = self._count_written(at)
            else:
                if view.id not in self._unwritten:
                    self._unwritten[view.id] = matching.count(view, matcher)
                count = self._unwritten[view.id]
            if count:
                yield view.id, count

    def _count_written(self, at: int) -> int:
        """The hits in a message on the page. They are counted again if its lines have changed, or it is being written:
        folded reasoning grows without a line.
        """
        messages, writer = self._transcript.messages, self._transcript.writer
        view = messages[at].view
        known = self._written_counts.get(view.id)
        if known is not None and known[0] is writer.lines(at) and view.state is not MessageState.OPEN:
            return known[1]
        if messages[at].is_shortened and self._marks.matcher.may_occur(view.text[:LONGEST_QUESTION]):
            self._transcript.unfold(view.id)
        count = self._folded(at) + len(self._written(at))
        self._written_counts[view.id] = writer.lines(at), count
        return count

    def _folded(self, at: int) -> int:
        """The hits in the reasoning of a message if that is not on the page."""
        message = self._transcript.messages[at]
        if not message.is_folded:
            return 0
        reasoning, known = message.view.reasoning, self._folded_counts.get(message.view.id)
        if known is None or known[0] is not reasoning:
            known = reasoning, matching.in_reasoning(message.view, self._marks.matcher)
            self._folded_counts[message.view.id] = known
        return known[1]

    def _written(self, at: int) -> list[tuple[int, int]]:
        return self._marks.between(*self._transcript.writer.bounds(at))

    def _go_to_nearest(self) -> None:
        """Go to the first hit from where the search began, else to the last one before."""
        start = self._begins_at.position()
        for at in self._transcript.loaded:
            if self._transcript.writer.bounds(at)[1] <= start:
                continue
            for number, hit in enumerate(self._written(at)):
                if hit[0] >= start:
                    self._go(Place(self._transcript.messages[at].view.id, self._folded(at) + number))
                    return
        if (last := self._hits.at(0)) is not None:
            self._go(last)

    def _go(self, place: Place) -> None:
        """Make a hit the current one. What is not loaded, not written or folded is asked for; then this runs again."""
        transcript = self._transcript
        is_new, self._place = place != self._place or not self._is_moving, place
        at = transcript.messages.index(place.message)
        self._is_moving = at is None or at not in transcript.loaded
        self._marks.current = None
        if at is None:
            if is_new and len(transcript.messages):
                transcript.busy_sign.begin()
                load_until(transcript, place.message)
        elif self._is_moving:
            if is_new:
                transcript.older.load_to(at)
                self._recount()
        else:
            self._reveal(at, place)
        self._show_count()

    def _reveal(self, at: int, place: Place) -> None:
        self._transcript.busy_sign.end()
        if self._is_best_wanted:
            self._is_best_wanted = False
            if written := self._written(at):
                place = self._place = Place(place.message, self._folded(at) + self._marks.best(written))
        if place.number < self._folded(at):
            self._transcript.unfold(place.message)
        self._mark_current()
        current, scrolling = self._marks.current, self._transcript.scrolling
        beginning = QRectF(0, scrolling.top_of(at), 1, 1)
        scrolling.bring_into_view(beginning if current is None else self._marks.rect(current))
        self._transcript.viewport().update()

    def _mark_current(self) -> None:
        """Find the current hit in the document, where it may have moved."""
        self._marks.current = None
        at = self._transcript.messages.index(self._place.message) if self._place else None
        if at is None or self._place is None or at not in self._transcript.loaded:
            return
        written = self._written(at)
        number = self._place.number - self._folded(at)
        if written and number >= 0:
            self._marks.current = written[min(number, len(written) - 1)]

    def _show_count(self) -> None:
        position = self._hits.position(self._place) if self._place else 0
        self._bar.show_count(position, self._hits.total, is_counting=self._is_counting)
