"""FolderRows: the folders in which the user lets Hearth look for models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.intents.models import DropModelFolder
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import without_middle
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.settings_group import plain_label
from ui.widgets.theme_icons import IconLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.context import ModelsContext


class FolderRows(QWidget):
    """One line for each folder, with a button that takes it off the list. Its files stay."""

    def __init__(self, context: ModelsContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._folders: tuple[tuple[str, str], ...] = ()
        self.lines: list[FolderLine] = []
        self._column = in_column(margins=(0, 10, 0, 0), of=self)
        self.hide()

    def show_folders(self, folders: tuple[tuple[str, str], ...]) -> None:
        """List these folders, each a path with the reason if none of its models is listed."""
        if folders == self._folders:
            return
        self._folders = folders
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines = [FolderLine(self._context, path, reason) for path, reason in folders]
        for line in self.lines:
            self._column.addWidget(line)
        self.setVisible(bool(folders))


class FolderLine(QWidget):
    """A path, and a button that drops it."""

    def __init__(self, context: ModelsContext, path: str, reason: str) -> None:
        super().__init__()
        self._context = context
        self._text = " · ".join(filter(None, (path, reason)))
        self._icon = IconLabel("folder", "faint", 15)
        self.label = plain_label("detailMuted", 12)
        self.label.setMinimumWidth(1)
        self.label.setToolTip(plain_tip(self._text))
        self.label.setAccessibleName(self._text)
        self.drop = IconButton("x", tr("Stop looking for models in {path}", path=path))
        self.drop.set_icon_pixels(14, 26)
        self.drop.clicked.connect(lambda: self._context.send(DropModelFolder(path)))
        in_row(self._icon, Placed(self.label), self.drop, spacing=10, margins=(17, 0, 8, 0), of=self)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Shorten the path in its middle."""
        super().resizeEvent(event)
        width = self.label.width()
        self.label.setText(without_middle(self._text, self.label.fontMetrics(), width))
