"""DetailButtons: the actions on the selected model, and the question before a download is cancelled."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import ModelsContext
from ui.dialogs.confirmation import confirm
from ui.intents.models import Download
from ui.models.row_words import ICONS, RowAction, actions, can_be_removed, intent_of, is_here, open_download, why_kept
from ui.state.models import DownloadView, FitLevel, ModelDetail, ModelRow
from ui.theme.phrases import size
from ui.widgets.face_button import ActionButton, ButtonFace
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import text_label
from ui.widgets.switch import Switch


def ask_to_cancel(parent: QWidget, name: str, download: DownloadView, cancel: Callable[[], object]) -> None:
    """Call `cancel` if the user agrees, or at once if nothing of the model `name` is here yet."""
    if not download.done:
        cancel()
        return
    question = tr("Cancel the download of {name}?", name=name)
    about = tr("What is here already, {done}, is deleted.", done=size(download.done))
    confirm(parent.window(), question, about, tr("Delete"), cancel, tr("Keep"))


_USE_ANYWAY, _IN_USE, _DOWNLOAD_ANYWAY = mark("Use anyway"), mark("In use"), mark("Download anyway")
_LISTED = (
    *(RowAction.NEW_CHAT, RowAction.DOWNLOAD, RowAction.CONTINUE),
    *(RowAction.TRY_AGAIN, RowAction.PAUSE, RowAction.CANCEL),
)
"""The actions that a row has as buttons."""
_OTHERS = (RowAction.FILES, RowAction.SETTINGS, RowAction.REMOVE)

_GAP_PX = 8


class DetailButtons(QWidget):
    """`requested` carries an intent, `settings_requested` the id of the model whose settings are wanted. `used` is
    emitted after a model was picked: all chats are answered by it.
    """

    settings_requested = Signal(str)
    used = Signal()

    def __init__(self, context: ModelsContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._detail: ModelDetail | None = None
        self._has_chat = False
        self.act = {action: ActionButton(_face(action)) for action in (RowAction.USE, *_LISTED, *_OTHERS)}
        self.use, self.files, self.settings, self.remove = (self.act[one] for one in (RowAction.USE, *_OTHERS))
        self.head = Switch(tr("Faster answers"))
        self.head_label = text_label("", "detailMuted", 13)
        self._all = tuple(self.act.values())
        self._main = self._all[: -len(_OTHERS)]
        self._head = QWidget()
        in_row(Placed(self.head_label), self.head, spacing=-1, margins=(0, 0, 0, 4), of=self._head)
        self._lines = tuple(in_row(Placed(), spacing=_GAP_PX) for _ in range(3))
        self.column = in_column(self._head, *self._lines, spacing=_GAP_PX, of=self)
        self._arrange()
        self._connect()

    def _arrange(self) -> None:
        """Use as few lines as there is room for, with the main button in the first one."""
        rest = (self.files, self.settings, self.remove)
        lines = next(
            (
                lines
                for lines in (
                    (self._all, (), ()),
                    (self._main, rest, ()),
                    ((*self._main, self.files), rest[1:], ()),
                )
                if all(map(self._fits, lines))
            ),
            (self._main, rest[:2], rest[2:]),
        )
        for layout, buttons in zip(self._lines, lines, strict=True):
            for place, button in enumerate(buttons):
                if layout.indexOf(button) != place:
                    layout.insertWidget(place, button)

    def _fits(self, buttons: tuple[ActionButton, ...]) -> bool:
        shown = [button.sizeHint().width() for button in buttons if not button.isHidden()]
        return sum(shown) + _GAP_PX * (len(shown) - 1) <= self.width()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Use the room."""
        super().resizeEvent(event)
        self._arrange()

    def _connect(self) -> None:
        for action, button in self.act.items():
            button.clicked.connect(lambda _on=False, action=action: self._act(action))

    def set_has_chat(self, has_chat: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Offer to use the model in the chats, or in a new one if none is open."""
        self._has_chat = has_chat
        if self._detail is not None:
            self.show_detail(self._detail)

    def show_detail(self, detail: ModelDetail) -> None:
        """Offer what can be done with this model."""
        former, self._detail = self._detail, detail
        if former is None or former.head != detail.head:
            self.head.set_on(detail.head is not None and detail.head.wanted)
        row = detail.row
        offered = self._offered(row)
        can_use = RowAction.NEW_CHAT in offered and self._has_chat
        self.use.setVisible(can_use)
        self.use.set_face(ButtonFace(_use_words(row), primary=not row.loaded))
        self.use.setEnabled(not row.loaded)
        for action in _LISTED:
            self.act[action].setVisible(action in offered and not (can_use and action is RowAction.NEW_CHAT))
        self.act[RowAction.DOWNLOAD].set_face(
            ButtonFace(tr(_DOWNLOAD_ANYWAY if _too_large(row) else RowAction.DOWNLOAD), "download", primary=True)
        )
        for part in (self._head, self.head):
            part.setVisible(detail.head is not None and RowAction.DOWNLOAD in offered)
        self.head_label.setText(tr("Faster answers: +{size}", size=size(detail.head.size)) if detail.head else "")
        self.files.setVisible(is_here(row))
        self.settings.setVisible(detail.settings is not None)
        self.remove.setVisible(can_be_removed(row))
        why_not = why_kept(row)
        self.remove.setEnabled(not why_not)
        self.remove.setToolTip(why_not)
        self.remove.setAccessibleDescription(why_not)
        self.setVisible(any(not button.isHidden() for button in self._all))
        self._arrange()

    def _offered(self, row: ModelRow) -> tuple[RowAction, ...]:
        """The row's actions. A download that runs can be cancelled here; its row has no room for that button."""
        return (*actions(row), RowAction.CANCEL) if open_download(row) is not None else actions(row)

    def _row(self) -> ModelRow:
        assert self._detail is not None, "buttons are shown for a model only"
        return self._detail.row

    def _act(self, action: RowAction) -> None:
        self.act_on(self._row(), action)

    def act_on(self, row: ModelRow, action: RowAction) -> None:
        """Do an action of a row. Ask first if it deletes what is on the disk."""
        if action is RowAction.SETTINGS:
            self.settings_requested.emit(row.id)
            return
        revision = self._detail.revision if self._detail is not None and self._detail.row.id == row.id else ""
        wanted = intent_of(action, row, revision)
        if action is RowAction.DOWNLOAD and revision and self._detail and self._detail.head and self.head.isChecked():
            wanted = Download(row.repository or row.id, revision, self._detail.head.repository)
        download = open_download(row)
        if action is RowAction.CANCEL and download is not None:
            ask_to_cancel(self, row.name, download, lambda: self._context.send(wanted))
        elif action is RowAction.REMOVE:
            about = tr("Its files are deleted. Chats stay, and another model can answer in them.")
            confirm(
                self.window(),
                tr("Remove {name}?", name=row.name),
                about,
                tr("Remove"),
                lambda: self._context.send(wanted),
            )
        else:
            self._context.send(wanted)
        if action is RowAction.USE:
            self.used.emit()


def _use_words(row: ModelRow) -> str:
    if row.loaded:
        return tr(_IN_USE)
    return tr(_USE_ANYWAY if _too_large(row) else RowAction.USE)


def _face(action: RowAction) -> ButtonFace:
    return ButtonFace(tr(action), "" if action is RowAction.CANCEL else ICONS.get(action, ""))


def _too_large(row: ModelRow) -> bool:
    return row.fit.level is FitLevel.TOO_LARGE
