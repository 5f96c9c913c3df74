"""LabelSection: the folder and the tags of a chat, and whether what the model read of it is kept."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QWidget

from resources.language.text import mark, tr
from ui.context import ChatContext, follow
from ui.inspector.heading import SectionHeading
from ui.intents.chat import MoveToFolder, SetTags
from ui.intents.chat_settings import SetSwitch
from ui.state.chat_settings import ChatSettingsView
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.select_button import SelectButton
from ui.widgets.settings_group import named, text_label
from ui.widgets.switch import Switch
from ui.widgets.text_field import LineField

_NAME_PX: Final = 64
_NO_FOLDER: Final = mark("No folder")


class LabelSection(QWidget):
    """Asks by a `LabelIntent` or a `SetSwitch`."""

    def __init__(self, context: ChatContext) -> None:
        super().__init__()
        self._context = context
        self._view: ChatSettingsView | None = None
        self._tags = ""
        self.folder = named(SelectButton(tr("Folder")), "inspectorFolder")
        self.tags = named(LineField(placeholderText=tr("Separated by commas")), "inspectorTags", 13, tr("Tags"))
        self.tags.setFixedHeight(34)
        keep = Switch(tr("Keep ready on disk"), lambda is_kept: context.send(SetSwitch("cached", is_kept)))
        self.keep = named(keep, "inspectorKeep")
        kept = text_label(tr("Keep ready on disk"), "rowAbout", 13)
        self.keep_row = held(in_row(Placed(kept), self.keep, spacing=-1, margins=(0, 2, 0, 0)))
        rows = (_row(tr("Folder"), self.folder), _row(tr("Tags"), self.tags), self.keep_row)
        in_column(SectionHeading(tr("Labels")), *rows, spacing=6, of=self)
        self.folder.picked.connect(lambda folder: self._context.send(MoveToFolder(folder)))
        self.tags.editingFinished.connect(self.flush)
        follow(self, context.store.folders, lambda _folders: self._fill())

    def show_settings(self, view: ChatSettingsView) -> None:
        """Show the labels of a conversation. Tags that are being typed stay."""
        self._view = view
        self._fill()
        self._tags = ", ".join(view.tags)
        if not (self.tags.hasFocus() and self.tags.isModified()):
            self.tags.setText(self._tags)
        self.keep.set_on(view.cached and view.on_disk)
        self.keep.setEnabled(view.on_disk)
        self.keep_row.setToolTip("" if view.on_disk else tr("The settings, under Storage, keep no chat on disk."))
        self.setVisible(not view.private)

    def _fill(self) -> None:
        folder = self._view.folder if self._view is not None else ""
        names = sorted({folder, *self._context.store.folders.now} - {""}, key=str.casefold)
        self.folder.set_choices((("", tr(_NO_FOLDER)), *((name, name) for name in names)), folder)

    def flush(self) -> None:
        """Report the tags that were typed, if they are new."""
        typed = self.tags.text().strip()
        self.tags.setModified(False)
        if typed != self._tags:
            self._tags = typed
            self._context.send(SetTags(typed))


def _row(name: str, field: QWidget) -> QHBoxLayout:
    label = text_label(name, "rowAbout", 13)
    label.setFixedWidth(_NAME_PX)
    return in_row(label, Placed(field), spacing=8)
