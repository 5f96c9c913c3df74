"""DetailButtons: the actions on the selected model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.dialogs.confirmation import confirm
from ui.intents.models import PickModel, RemoveModel, RevealModel
from ui.models.row_words import ICONS, RowAction, actions, intent_of, open_download
from ui.state.models import FitLevel, ModelState
from ui.theme.phrases import size
from ui.widgets.action_button import ActionButton
from ui.widgets.button_face import ButtonFace

if TYPE_CHECKING:
    from ui.state.models import ModelDetail, ModelRow
    from ui.theme.theme import Theme

_USE, _USE_ANYWAY, _IN_USE, _DOWNLOAD_ANYWAY = "Use this model", "Use anyway", "In use", "Download anyway"

_NOT_NOW = "This model is loaded. Pick another one first, then remove this one."


class DetailButtons(QWidget):
    """`requested` carries an intent, `settings_requested` is emitted for the model's settings, and `used` after the
    model was picked. All chats are answered by it.
    """

    requested = Signal(object)
    settings_requested = Signal()
    used = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._detail: ModelDetail | None = None
        self._has_chat = False
        self.use = ActionButton(ButtonFace(_USE, primary=True), theme)
        self.act = {action: ActionButton(_face(action), theme) for action in RowAction}
        self.files = ActionButton(ButtonFace("Show files"), theme)
        self.settings = ActionButton(ButtonFace("Settings…"), theme)
        self.remove = ActionButton(ButtonFace("Remove…"), theme)
        self._lines = ((self.use, *self.act.values(), self.files), (self.settings, self.remove))
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        for line in self._lines:
            self.column.addLayout(_row(line))
        self._connect()

    def _connect(self) -> None:
        self.use.clicked.connect(self._use)
        for action, button in self.act.items():
            button.clicked.connect(lambda _on=False, action=action: self._act(action))
        self.files.clicked.connect(lambda: self.requested.emit(RevealModel(self._row().id)))
        self.settings.clicked.connect(self.settings_requested)
        self.remove.clicked.connect(self._ask_to_remove)

    def set_has_chat(self, has_chat: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Offer to use the model in the chats, or in a new one if none is open."""
        self._has_chat = has_chat
        if self._detail is not None:
            self.show_detail(self._detail)

    def show_detail(self, detail: ModelDetail) -> None:
        """Offer what can be done with this model."""
        self._detail = detail
        row = detail.row
        offered = self._offered(row)
        can_use = RowAction.NEW_CHAT in offered and self._has_chat
        self.use.setVisible(can_use)
        self.use.set_face(ButtonFace(_use_words(row), primary=not row.loaded))
        self.use.setEnabled(not row.loaded)
        for action, button in self.act.items():
            button.setVisible(action in offered and not (can_use and action is RowAction.NEW_CHAT))
        self.act[RowAction.DOWNLOAD].set_face(
            ButtonFace(_DOWNLOAD_ANYWAY if _too_large(row) else RowAction.DOWNLOAD.value, "download", primary=True)
        )
        self.files.setVisible(_is_here(row))
        self.settings.setVisible(detail.settings is not None)
        self.remove.setVisible(row.removable and open_download(row) is None)
        self.remove.setEnabled(not row.loaded)
        self.remove.setToolTip(_NOT_NOW if row.loaded else "")
        self.remove.setAccessibleDescription(_NOT_NOW if row.loaded else "")
        self.setVisible(any(not button.isHidden() for line in self._lines for button in line))

    def _offered(self, row: ModelRow) -> tuple[RowAction, ...]:
        """The row's actions. A download that runs can be cancelled here; its row has no room for that button."""
        return (*actions(row), RowAction.CANCEL) if open_download(row) is not None else actions(row)

    def _row(self) -> ModelRow:
        assert self._detail is not None, "buttons are shown for a model only"
        return self._detail.row

    def _use(self) -> None:
        self.requested.emit(PickModel(self._row().id))
        self.used.emit()

    def _act(self, action: RowAction) -> None:
        self.act_on(self._row(), action)

    def act_on(self, row: ModelRow, action: RowAction) -> None:
        """Do an action of a row. Ask first if a cancelled download would lose what is on the disk already."""
        revision = self._detail.revision if self._detail is not None and self._detail.row.id == row.id else ""
        wanted = intent_of(action, row, revision)
        download = open_download(row)
        if action is RowAction.CANCEL and download is not None and download.done:
            question, about = (
                f"Cancel the download of {row.name}?",
                f"What is here already, {size(download.done)}, is deleted.",
            )
            confirm(self.window(), question, about, "Delete", lambda: self.requested.emit(wanted), "Keep")
        else:
            self.requested.emit(wanted)

    def _ask_to_remove(self) -> None:
        row = self._row()
        about = "Its files are deleted. Chats stay, and another model can answer in them."
        confirm(self.window(), f"Remove {row.name}?", about, "Remove", lambda: self.requested.emit(RemoveModel(row.id)))

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        for button in (button for line in self._lines for button in line):
            button.set_theme(theme)


def _use_words(row: ModelRow) -> str:
    if row.loaded:
        return _IN_USE
    return _USE_ANYWAY if _too_large(row) else _USE


def _face(action: RowAction) -> ButtonFace:
    return ButtonFace(action.value, "" if action is RowAction.CANCEL else ICONS[action])


def _row(buttons: tuple[ActionButton, ...]) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row


def _too_large(row: ModelRow) -> bool:
    return row.fit.level is FitLevel.TOO_LARGE


def _is_here(row: ModelRow) -> bool:
    """Whether the model has files on this machine, and no download writes them now."""
    return row.state is not ModelState.REMOTE and row.id != row.repository and open_download(row) is None
