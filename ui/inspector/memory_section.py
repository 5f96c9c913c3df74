"""MemorySection: whether a chat is ready at once, the map of its turns, and more figures, folded away.

`ContextMap` shows the turns as blocks, as wide as they are long, in the colours of what happens to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QSizePolicy, QWidget

from resources.language.text import mark, plural, tr
from ui.context import ChatContext, follow
from ui.inspector.heading import SectionHeading
from ui.inspector.value_row import UNKNOWN
from ui.intents.chat_settings import ClearMemory, UndoClearMemory
from ui.state.chat_memory import ChatMemoryView, TurnBlock
from ui.theme.phrases import Badge, quoted, token_count, undo_words, whole_figures
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import Block, Blocks
from ui.widgets.layouts import Placed, discard, in_column, in_row
from ui.widgets.push_button import FoldButton, PushButton
from ui.widgets.settings_group import named, text_label
from ui.widgets.tone_pill import TonePill

_HEIGHT_PX: Final = 32
_BLOCK_PX: Final = 24
_GAP_PX: Final = 2
_LEAST_PX: Final = 3
_RADIUS_PX: Final = 4
_LINE_PX: Final = 3
_LAST_ROW: Final = 99
_COLOURS: Final = {"kept": "chats_share", "again": "button_off", "writing": "accent"}
_STATES: Final = {"kept": mark("kept ready"), "again": mark("will be read"), "writing": mark("being written")}
_STEPS: Final[dict[int, int]] = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_CHOOSING: Final = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}


def widths(turns: tuple[TurnBlock, ...], room: float) -> list[float]:
    """The width of each block: its share of the room, and at least a few pixels."""
    total = sum(turn.tokens for turn in turns) or 1
    free = max(0.0, room - _GAP_PX * (len(turns) - 1) - _LEAST_PX * len(turns))
    return [_LEAST_PX + free * turn.tokens / total for turn in turns]


class ContextMap(Blocks):
    """The turns as blocks. The pointer and the arrow keys point at one, which is marked and named. `chosen` carries the
    message at which it begins.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("contextMap")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setMouseTracking(True)
        self._turns: tuple[TurnBlock, ...] = ()
        self._at = -1

    def turn(self) -> None:
        """Another chat is in front, whose turns are not known yet."""
        self._turns = ()
        self._point_at(-1)

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show the turns of a conversation."""
        self._turns = view.turns
        self._point_at(self._at)
        self.setVisible(bool(self._turns))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as there is room."""
        return QSize(120, _HEIGHT_PX)

    def _point_at(self, at: int) -> None:
        """Mark and name a turn; -1 for none."""
        self._at = at if at < len(self._turns) else -1
        words = _turn_words(self._turns[self._at]) if self._at >= 0 else ""
        kept, count = sum(turn.state == "kept" for turn in self._turns), len(self._turns)
        whole = plural("{kept} of {count} turn kept", "{kept} of {count} turns kept", count, kept=kept)
        self.setAccessibleName(words or whole)
        self.setToolTip(plain_tip(words))
        self.update()

    def _places(self) -> Iterable[tuple[float, float]]:
        left = 0.0
        for width in widths(self._turns, self.width()):
            yield left, width
            left += width + _GAP_PX

    def blocks(self) -> Iterable[Block]:
        """The blocks of the turns, and a line below the marked one, or below all while the keyboard is here."""
        for at, (left, width) in enumerate(self._places()):
            radius = min(_RADIUS_PX, width / 2)
            yield Block(QRectF(left, 0, width, _BLOCK_PX), _COLOURS[self._turns[at].state], radius)
            if at == self._at:
                yield self._line(left, width, "muted")
        if self._at < 0 and self.hasFocus():
            yield self._line(0, self.width(), "accent")

    def _line(self, left: float, width: float, colour: str) -> Block:
        return Block(QRectF(left, _HEIGHT_PX - _LINE_PX - 1, width, _LINE_PX), colour, _LINE_PX / 2)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Point at the turn under the pointer."""
        self._point_at(sum(left <= event.position().x() for left, _ in self._places()) - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the turn under the pointer."""
        self.mouseMoveEvent(event)
        self._choose()

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Point at none."""
        self._point_at(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Point at the turn beside, or choose the one that is pointed at."""
        if step := _STEPS.get(event.key(), 0):
            self._point_at(min(max(self._at + step, 0), len(self._turns) - 1))
        elif event.key() in _CHOOSING:
            self._choose()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        if self._at >= 0:
            self.chosen.emit(self._turns[self._at].message)


def _turn_words(turn: TurnBlock) -> str:
    """A turn in words: "Turn 3 · “Tell me a story” · 610 tokens · kept ready"."""
    name = tr("Turn {number}", number=turn.first)
    if turn.first < turn.last:
        name = tr("Turns {first} to {last}", first=turn.first, last=turn.last)
    words = quoted(turn.words) if turn.words.strip() else ""
    return " · ".join(filter(None, (name, words, token_count(turn.tokens), tr(_STATES[turn.state]))))


_ABOUT: Final = mark("Every block is a question with its answer. Green is kept, grey will be read, blue is new.")
"""The same words in each state: longer ones would move the values below them under the user's hand."""
_ABOUT_FREEING: Final = mark("The chat stays, and its next message reads all of it again.")


class MemorySection(QWidget):
    """While what is kept is about to be freed, the button undoes that."""

    def __init__(self, context: ChatContext) -> None:
        super().__init__()
        self._context = context
        self._view = ChatMemoryView("")
        self.pill = TonePill(Badge("", "quiet"))
        self.map = ContextMap()
        self.about = text_label(tr(_ABOUT), "footnote", 12)
        self.facts, self.details = _Table(), _Table()
        self.clear_button = named(PushButton(act=self._clear_or_undo, kind="outline"), "clearMemory", 13)
        self.clear_button.setToolTip(tr(_ABOUT_FREEING))
        self.more_button = FoldButton("memoryMore", tr("Details"), tr("Hide details"), self.details)
        self.more_button.setMinimumWidth(1)  # it moves to a line of its own, rather than make the pane wider
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        buttons = (Placed(self.more_button, 0, left), Placed(), Placed(self.clear_button, 0, right))
        self._buttons = in_row(*buttons, spacing=-1)
        heading = SectionHeading(tr("Kept ready"), self.pill)
        in_column(heading, self.map, self.about, self.facts, self.details, self._buttons, spacing=6, of=self)
        self.more_button.toggled.connect(self._stack_buttons)
        self.show_memory(self._view)
        follow(self, context.store.clearing, lambda _: self._show_clearing())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Put the buttons below each other if their words are too long for one line."""
        super().resizeEvent(event)
        self._stack_buttons()

    def _stack_buttons(self) -> None:
        needed = sum(button.sizeHint().width() for button in (self.more_button, self.clear_button))
        fits = needed + self._buttons.spacing() <= self.width()
        self._buttons.setDirection(QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom)

    def _clear_or_undo(self) -> None:
        self._context.send(UndoClearMemory() if self._left else ClearMemory())

    @property
    def _left(self) -> int:
        """How many seconds the user has to undo the clearing of this chat."""
        return self._context.store.clearing.now.get(self._view.conversation, 0)

    def _show_clearing(self) -> None:
        self.clear_button.setText(undo_words(self._left) if self._left else tr("Free this space"))
        self._stack_buttons()

    def turn(self) -> None:
        """Another chat is in front. Until its view comes, show no figures, but keep their places: nothing moves."""
        self._view = ChatMemoryView("")
        self.pill.hide()
        self.map.turn()
        self.clear_button.setEnabled(False)
        for table in (self.facts, self.details):
            table.turn()

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show what is kept of a conversation."""
        self._view = view
        self._show_clearing()
        self.pill.show_badge(Badge(view.words, view.state))
        self.pill.setVisible(bool(view.words))
        self.map.show_memory(view)
        self.about.setVisible(bool(view.turns))
        for table, rows in ((self.facts, view.facts), (self.details, view.details)):
            height = max(table.minimumHeight(), table.heightForWidth(table.width()))
            table.setMinimumHeight(height if self._left else 0)  # the undo stays under the pointer
            table.show_rows(rows)
        can_use = view.can_clear or self._left > 0
        if self.clear_button.hasFocus() and not can_use:
            self.more_button.setFocus()  # Qt would bring the focus of a disabled button to the next section
        self.clear_button.setEnabled(can_use)


class _Table(QWidget):
    """Labels with values at the right. A value without a label is a sentence of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[tuple[str, str], ...] = ()
        self._labels: list[QLabel] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._grid.setRowStretch(_LAST_ROW, 1)

    def show_rows(self, rows: tuple[tuple[str, str], ...]) -> None:
        """Show these rows. Values that change stay where they are."""
        if [name for name, _ in rows] != [name for name, _ in self._rows]:
            self._make(rows)
        self._rows = rows
        values = [label for label in self._labels if label.objectName() != "rowAbout"]
        for label, (_, value) in zip(values, rows, strict=True):
            label.setText(whole_figures(value))

    def turn(self) -> None:
        """Another chat is in front, whose values are not known yet."""
        for label in self._labels:
            if label.objectName() == "memoryValue":
                label.setText(UNKNOWN)

    def _make(self, rows: tuple[tuple[str, str], ...]) -> None:
        discard(self._labels)
        self._labels = []
        for number, (name, _) in enumerate(rows):
            value = text_label("", "memoryValue" if name else "memoryLine", 13 if name else 12)
            if name:
                label = text_label(name, "rowAbout", 13)
                label.setWordWrap(False)
                self._grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
                end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
                value.setAlignment(end | Qt.AlignmentFlag.AlignTop)
                self._labels.append(label)
            self._grid.addWidget(value, number, 1 if name else 0, 1, 1 if name else 2)
            self._labels.append(value)
