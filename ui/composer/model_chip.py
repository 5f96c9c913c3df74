"""ModelChip: the menu of models."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import PageContext
from ui.intents.chat import FindWarmModels
from ui.intents.models import FreeModel, PickModel, ShowModels
from ui.state.engine import ModelView
from ui.widgets.choice_pill import NARROWEST_PX, ChoicePill

_MOST_MODELS = 10
_WARM = mark("ready for this chat")


class ModelChip(ChoicePill):
    """Shows the name of the model that will answer. Its menu lists the models and marks those that have read this chat,
    leads to the models page, and unloads the model. A choice is checked only when the app confirms it. Names of models
    are long, so this chip shrinks before the others.

    The marks are those of the last answer in this chat. The menu asks again when it opens, and shows the answer while
    it is open.
    """

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__("", tr("Model"), parent, narrowest_px=NARROWEST_PX)
        self._context = context
        self.setObjectName("model")
        self._models: tuple[ModelView, ...] = ()
        self._warm: frozenset[str] = frozenset()
        self._current = ""
        self._can_unload = False
        self._unload: QAction | None = None
        self.picked.connect(lambda model: self._context.send(PickModel(model)))
        self.choices().aboutToShow.connect(lambda: self._context.send(FindWarmModels()))

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models`; `current` is the one that would answer."""
        self._models, self._current = models, current
        self._fill()

    def set_warm(self, identities: frozenset[str]) -> None:
        """Mark the models with these identities: they have cached state of this chat."""
        self._warm = identities
        if self.choices().isVisible():
            self._mark()  # no entry moves under the pointer
        else:
            self._fill()

    def set_can_unload(self, can: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Say whether a model is in memory, so that the user may free it."""
        self._can_unload = can
        if self._unload is not None:
            self._unload.setEnabled(can)

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
        menu = self.choices()
        menu.addSeparator()
        self._add_way_to_models(tr("Manage models…"))
        self._unload = menu.addAction(tr("Unload model"))
        self._unload.setEnabled(self._can_unload)
        self._unload.triggered.connect(lambda: self._context.send(FreeModel()))

    def _mark(self) -> None:
        """The mark is in words: a menu's entry shows either an icon or its check on some systems."""
        self.mark([model.id for model in self._models if model.identity in self._warm], tr(_WARM))

    def _add_way_to_models(self, words: str) -> None:
        self.choices().addAction(words).triggered.connect(lambda: self._context.send(ShowModels()))
