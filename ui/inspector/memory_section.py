"""MemorySection: whether a chat is ready at once, the map of its turns, and how the engine works, folded away.

`ContextMap` shows the turns as blocks, as wide as they are long, in the colours of what happens to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QSizePolicy, QWidget

from resources.language.text import mark, plural, tr
from ui.context import ChatContext, follow
from ui.inspector.heading import SectionHeading
from ui.intents.chat_settings import ClearMemory, UndoClearMemory
from ui.state.chat_memory import ChatMemoryView, TurnBlock
from ui.theme.phrases import Badge, undo_words
from ui.widgets.blocks import Block, Blocks
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import FoldButton, PushButton
from ui.widgets.settings_group import named, text_label
from ui.widgets.tone_pill import TonePill

_HEIGHT_PX: Final = 32
_BLOCK_PX: Final = 24
_GAP_PX: Final = 2
_LEAST_PX: Final = 3
_RADIUS_PX: Final = 4
_DOT_PX: Final = 3
_COLOURS: Final = {"kept": "chats_share", "again": "button_off", "writing": "accent"}


def widths(turns: tuple[TurnBlock, ...], room: float) -> list[float]:
    """The width of each block: its share of the room, and at least a few pixels."""
    total = sum(turn.tokens for turn in turns) or 1
    free = max(0.0, room - _GAP_PX * (len(turns) - 1) - _LEAST_PX * len(turns))
    return [_LEAST_PX + free * turn.tokens / total for turn in turns]


class ContextMap(Blocks):
    """Dots below the blocks are the points at which reading could begin from disk."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("contextMap")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._turns: tuple[TurnBlock, ...] = ()
        self._places: tuple[float, ...] = ()

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show the turns of a conversation."""
        self._turns, self._places = view.turns, view.places
        kept = sum(turn.state == "kept" for turn in self._turns)
        self.setAccessibleName(
            plural("{kept} of {count} turn kept", "{kept} of {count} turns kept", len(self._turns), kept=kept)
        )
        self.setVisible(bool(self._turns))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as there is room."""
        return QSize(120, _HEIGHT_PX)

    def blocks(self) -> Iterable[Block]:
        """The blocks of the turns, and the dots."""
        left = 0.0
        for turn, width in zip(self._turns, widths(self._turns, self.width()), strict=True):
            yield Block(QRectF(left, 0, width, _BLOCK_PX), _COLOURS[turn.state], min(_RADIUS_PX, width / 2))
            left += width + _GAP_PX
        for place in self._places:
            x = min(place * self.width(), self.width() - _DOT_PX)
            yield Block(QRectF(x, _HEIGHT_PX - _DOT_PX - 1, _DOT_PX, _DOT_PX), "muted", _DOT_PX / 2)


_ABOUT: Final = mark(
    "Every block is a question with its answer. Green is kept, grey will be read, blue is written now."
)
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
        can_undo = self._view.conversation in self._context.store.clearing.now
        self._context.send(UndoClearMemory() if can_undo else ClearMemory())

    def _show_clearing(self) -> None:
        left = self._context.store.clearing.now.get(self._view.conversation, 0)
        self.clear_button.setText(undo_words(left) if left else tr("Free this space"))
        self._stack_buttons()

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show what is kept of a conversation."""
        self._view = view
        self._show_clearing()
        self.pill.show_badge(Badge(view.words, view.state))
        self.pill.setVisible(bool(view.words))
        self.map.show_memory(view)
        self.about.setVisible(bool(view.turns))
        self.facts.show_rows(view.facts)
        self.details.show_rows(view.details)
        if self.clear_button.hasFocus() and not view.can_clear:
            self.more_button.setFocus()  # Qt would bring the focus of a disabled button to the next section
        self.clear_button.setEnabled(view.can_clear)


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

    def show_rows(self, rows: tuple[tuple[str, str], ...]) -> None:
        """Show these rows. Values that change stay where they are."""
        if [name for name, _ in rows] != [name for name, _ in self._rows]:
            self._make(rows)
        self._rows = rows
        values = [label for label in self._labels if label.objectName() != "rowAbout"]
        for label, (_, value) in zip(values, rows, strict=True):
            label.setText(value)

    def _make(self, rows: tuple[tuple[str, str], ...]) -> None:
        for label in self._labels:
            self._grid.removeWidget(label)
            label.deleteLater()
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
