"""The settings page about the model in memory. It leads to the models page, which has all the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from resources.language.text import mark, plural, tr
from ui.context import WindowContext, follow
from ui.intents.settings import SetUnloadAfter
from ui.theme.phrases import of_machine, size
from ui.widgets.choice_pill import ChoicePill
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow

if TYPE_CHECKING:
    from ui.state.models import LocalModelsView

_HOUR: Final = 60
_TIMES: Final = (0, 5, 15, 30, 60, 4 * _HOUR)
_HELD: Final = (mark("Models on this Mac"), mark("Models on this computer"))
_ELSEWHERE: Final = mark("Find new ones, and see, set up or delete those that you have.")
_ABOUT: Final = mark(
    "After this time without a message the model leaves the memory, so that other apps have it. The next message loads "
    "it again, and chats stay ready on disk."
)


class ModelsPane(QWidget):
    """Shows the values that the app sends, and reports what the user wants. `models_requested` asks for the models
    page.
    """

    models_requested = Signal()

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self.unload_after = ChoicePill("", tr("Unload an unused model"))
        self.show_button = PushButton(tr("Show models"))
        self.show_button.clicked.connect(self.models_requested)
        self.held = SettingsRow(of_machine(*_HELD), tr(_ELSEWHERE), self.show_button)
        self.group = SettingsGroup()
        self.group.add(self.held)
        self.group.add(SettingsRow(tr("Unload an unused model"), tr(_ABOUT), self.unload_after))
        self.unload_after.picked.connect(lambda minutes: self._context.send(SetUnloadAfter(int(minutes))))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.group)
        column.addStretch(1)
        follow(self, context.store.local_models, self._count_models)
        follow(self, context.store.unload_after, self._show_unload_after)

    def _count_models(self, view: LocalModelsView) -> None:
        if view.usable:
            about = plural(
                "{count} model, {size}. Find new ones, and see, set up or delete those that you have.",
                "{count} models, {size}. Find new ones, and see, set up or delete those that you have.",
                view.usable,
                size=size(view.bytes_),
            )
            self.held.set_about(about)

    def _show_unload_after(self, minutes: int) -> None:
        # a time that was written into the settings file by hand is offered too
        times = sorted({*_TIMES, minutes})
        self.unload_after.set_choices(tuple((str(time), _words(time), "") for time in times), str(minutes))


def _words(minutes: int) -> str:
    if not minutes:
        return tr("Never")
    hours, rest = divmod(minutes, _HOUR)
    if rest:
        return plural("After {count} minute", "After {count} minutes", minutes)
    return plural("After {count} hour", "After {count} hours", hours)
