"""ModelChip: the menu of models, and the properties of the loaded one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QLabel, QWidget, QWidgetAction

from ui.intents.chat import FindWarmModels
from ui.intents.models import PickKvBits, PickModel, ShowModels, UnloadModel
from ui.theme.theme import ui_font
from ui.widgets.choice_pill import ChoicePill

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from ui.state.engine import ModelCapabilities, ModelView
    from ui.theme.theme import Theme

_NARROWEST_PX = 96
_MOST_MODELS = 10
_WARM = "warm for this chat"
_PRECISIONS = ((0, "Full"), (8, "8-bit"), (4, "4-bit"))


class ModelChip(ChoicePill):
    """Shows the name of the model that will answer. Its menu lists the models and marks those that are warm for this
    chat, says how the loaded one's chats are cached, offers the precision of its cache, leads to the models page, and
    unloads the model. A choice is checked only when the app confirms it.

    The marks are those of the last answer in this chat. The menu asks again when it opens, and shows the answer while
    it is open.
    """

    requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", "Model", theme, parent)
        self.setObjectName("model")
        self._models: tuple[ModelView, ...] = ()
        self._warm: frozenset[str] = frozenset()
        self._current = ""
        self._capabilities: ModelCapabilities | None = None
        self._precisions: QActionGroup | None = None
        self._can_unload = False
        self._unload: QAction | None = None
        self.picked.connect(lambda model: self.requested.emit(PickModel(model)))
        self.choices().aboutToShow.connect(lambda: self.requested.emit(FindWarmModels()))

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

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Show what the loaded model can do."""
        self._capabilities = capabilities
        self._fill()

    def set_can_unload(self, can: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Say whether a model is in memory, so that the user may free it."""
        self._can_unload = can
        if self._unload is not None:
            self._unload.setEnabled(can)

    def _fill(self) -> None:
        offered = self._offered()
        self.set_choices(tuple((model.id, model.name, model.detail) for model in offered), self._current)
        self._mark()
        self._add_rest(len(self._models) - len(offered))
        if self._capabilities is not None:
            self._add_capabilities(self._capabilities)
        menu = self.choices()
        menu.addSeparator()
        self._add_way_to_models("Manage models…")
        self._unload = menu.addAction("Unload model")
        self._unload.setEnabled(self._can_unload)
        self._unload.triggered.connect(lambda: self.requested.emit(UnloadModel()))

    def _offered(self) -> list[ModelView]:
        """The models that the menu has room for: the current one, then those that are warm for this chat, then those
        that are warm for others, then as listed.
        """

        def order(model: ModelView) -> tuple[bool, bool, bool]:
            return model.id != self._current, model.identity not in self._warm, not model.warm_chats

        return sorted(self._models, key=order)[:_MOST_MODELS]

    def _mark(self) -> None:
        """The mark is in words: a menu's entry shows either an icon or its check on some systems."""
        self.mark([model.id for model in self._models if model.identity in self._warm], _WARM)

    def _add_rest(self, number: int) -> None:
        if number:
            self._add_way_to_models(f"{number} more in “Manage models…”")

    def _add_way_to_models(self, words: str) -> None:
        self.choices().addAction(words).triggered.connect(lambda: self.requested.emit(ShowModels()))

    def _add_capabilities(self, capabilities: ModelCapabilities) -> None:
        menu = self.choices()
        menu.addSeparator()
        if capabilities.lines:
            self._add_words("\n".join(capabilities.lines))
            menu.addSeparator()
        self._add_words("Cache precision")
        self._precisions = QActionGroup(menu)
        for bits, name in _PRECISIONS:
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(bits == capabilities.kv_bits)
            action.setData(bits)
            self._precisions.addAction(action)
            action.triggered.connect(partial(self._pick, bits))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Names of models are long, so this chip shrinks before the others."""
        return QSize(min(_NARROWEST_PX, self.sizeHint().width()), self.sizeHint().height())

    def precisions(self) -> list[QAction]:
        """The menu's entries for the precision of the cache; their data is the number of bits."""
        return [] if self._precisions is None else self._precisions.actions()

    def _add_words(self, text: str) -> None:
        label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
        label.setObjectName("menuWords")
        label.setFont(ui_font(12))
        action = QWidgetAction(self.choices())
        action.setDefaultWidget(label)
        action.setText(text)
        action.setEnabled(False)
        self.choices().addAction(action)

    def _pick(self, bits: int) -> None:
        for action in self.precisions():
            action.setChecked(self._capabilities is not None and action.data() == self._capabilities.kv_bits)
        self.requested.emit(PickKvBits(bits))
