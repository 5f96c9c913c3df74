"""The line of buttons below the text of a message. It runs on the GUI thread.

`SendButton` sends or stops an answer, `ModelChip` has the menu of models, and
`ChipRow` fits all of them into one line:

- If the line is too narrow, pills lose their words and keep their icons: first those that come and go, then the others.
- No button is moved to another line, so that the message box keeps its height.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLayout, QWidget

from resources.language.text import mark, tr
from ui.context import PageContext, follow
from ui.intents.chat import FindWarmModels
from ui.intents.models import FreeModel, PickModel, ShowModels
from ui.state.engine import EngineState, ModelView
from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon
from ui.widgets.choice_pill import NARROWEST_PX, ChoicePill
from ui.widgets.face_button import Pill
from ui.widgets.layouts import Placed, in_row
from ui.widgets.push_button import pressed_by_return
from ui.widgets.shapes import draw_disc, draw_shape, smooth_painter

_SIDE_PX = 32
_ARROW_PX = 18
_SQUARE_PX = 11
_SPACING_PX = 7
_NAME_PX = 140
"""Room for the name of a model. A longer one is elided before a pill loses its words."""
_MOST_MODELS = 10
_WARM = mark("ready for this chat")


class SendButton(QAbstractButton):
    """One button with two functions. `is_busy` says whether a click stops the answer. It never moves or grows."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("send")
        self.setFixedSize(_SIDE_PX, _SIDE_PX)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the text field
        self.is_busy = False
        self._sendable = False
        self._show_state()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, as Space does."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Stop instead of send."""
        if busy is not self.is_busy:
            self.is_busy = busy
            self._show_state()

    def set_sendable(self, sendable: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Whether there is something to send."""
        if sendable is not self._sendable:
            self._sendable = sendable
            self._show_state()

    def _show_state(self) -> None:
        self.setEnabled(self.is_busy or self._sendable)
        self.setAccessibleName(tr("Stop answering") if self.is_busy else tr("Send message"))
        self.setToolTip(tr("Stop") if self.is_busy else tr("Send"))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The fixed size."""
        return QSize(_SIDE_PX, _SIDE_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the disc and its sign."""
        painter = smooth_painter(self)
        surface = appearance.theme.button if self.isEnabled() else appearance.theme.button_off
        draw_disc(painter, QRectF(self.rect()), surface)
        if self.hasFocus():
            draw_disc(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), surface, appearance.theme.accent)
        if not self.is_busy:
            corner = (_SIDE_PX - _ARROW_PX) // 2
            draw_icon(painter, "arrow-up", appearance.theme.button_text, _ARROW_PX, QPoint(corner, corner))
            return
        corner_f = (_SIDE_PX - _SQUARE_PX) / 2
        draw_shape(painter, QRectF(corner_f, corner_f, _SQUARE_PX, _SQUARE_PX), 2, appearance.theme.button_text)


class ModelChip(ChoicePill):
    """Shows the name of the model that will answer. Its menu lists the models and marks those that have read this chat,
    leads to the models page, and unloads the model. A choice is checked only when the app confirms it. Names of models
    are long, so this chip shrinks before the others.

    The marks are those of the last answer in this chat. The menu asks again when it opens, and shows the answer while
    it is open.
    """

    def __init__(self, context: PageContext) -> None:
        super().__init__("", tr("Model"), narrowest_px=NARROWEST_PX)
        self._context = context
        self.setObjectName("model")
        self._models: tuple[ModelView, ...] = ()
        self._warm: frozenset[str] = frozenset()
        self._current = ""
        self._unload = QAction(tr("Unload model"), self)
        self.picked.connect(lambda model: self._context.send(PickModel(model)))
        self._unload.triggered.connect(lambda: self._context.send(FreeModel()))
        follow(self, context.store.engine, lambda view: self._unload.setEnabled(view.state is EngineState.READY))
        self.choices.aboutToShow.connect(lambda: self._context.send(FindWarmModels()))

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models`; `current` is the one that would answer."""
        self._models, self._current = models, current
        self._fill()

    def set_warm(self, identities: frozenset[str]) -> None:
        """Mark the models with these identities: they have cached state of this chat."""
        self._warm = identities
        if self.choices.isVisible():
            self._mark()  # no entry moves under the pointer
        else:
            self._fill()

    def _fill(self) -> None:
        """The menu has room for the current model, then those that are warm for this chat, then those that are warm for
        others, then the others as listed.
        """

        def order(model: ModelView) -> tuple[bool, bool, bool]:
            return model.id != self._current, model.identity not in self._warm, not model.warm_chats

        offered = sorted(self._models, key=order)[:_MOST_MODELS]
        self.set_choices(tuple((model.id, model.name, model.detail) for model in offered), self._current)
        self._mark()
        if rest := len(self._models) - len(offered):
            self._add_way_to_models(tr("{number} more in “Manage models…”", number=rest))
        menu = self.choices
        menu.addSeparator()
        self._add_way_to_models(tr("Manage models…"))
        menu.addAction(self._unload)

    def _mark(self) -> None:
        """The mark is in words: a menu's entry shows either an icon or its check on some systems."""
        self.mark([model.id for model in self._models if model.identity in self._warm], tr(_WARM))

    def _add_way_to_models(self, words: str) -> None:
        self.choices.addAction(words).triggered.connect(lambda: self._context.send(ShowModels()))


class ChipRow(QWidget):
    """Pills at the `end` come and go, those at the `start` stay. The one without an icon has the name of the model."""

    def __init__(self, start: Sequence[QWidget], end: Sequence[QWidget]) -> None:
        super().__init__()
        self._groups = [[part for part in parts if isinstance(part, Pill) and part.icon_name] for parts in (end, start)]
        self._parts = (*start, *end)
        row = in_row(*start, Placed(), *end, spacing=_SPACING_PX, of=self)
        row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def event(self, event: QEvent) -> bool:
        """Fit the words again if a button comes, goes or gets another text."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the words to the new width."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for the icons. The words come if there is more."""
        least = sum(_least_width(part) + _SPACING_PX for part in self._shown())
        return QSize(least, self.sizeHint().height())

    def _shown(self) -> list[QWidget]:
        return [part for part in self._parts if not part.isHidden()]

    def _fit(self) -> None:
        shown = self._shown()
        needed = sum(_whole_width(part) + _SPACING_PX for part in shown)
        for group in self._groups:
            is_short = needed > self.width()
            for pill in group:
                pill.set_short(is_short)
            if is_short:
                needed -= sum(pill.whole_width() - pill.short_width() for pill in group if pill in shown)


def _whole_width(part: QWidget) -> int:
    if isinstance(part, Pill):
        return part.whole_width() if part.icon_name else min(_NAME_PX, part.sizeHint().width())
    return part.sizeHint().width()


def _least_width(part: QWidget) -> int:
    return part.short_width() if isinstance(part, Pill) and part.icon_name else part.minimumSizeHint().width()
