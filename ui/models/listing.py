"""Listing: one of the two lists of the models page, with the lines above and below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.models.folder_rows import FolderRows
from ui.models.model_list import ModelList
from ui.theme.long_texts import breakable
from ui.widgets.action_button import ActionButton, ButtonFace
from ui.widgets.layouts import Placed, centred, in_column
from ui.widgets.settings_group import text_label
from ui.widgets.theme_icons import IconLabel

if TYPE_CHECKING:
    from ui.context import ModelsContext
    from ui.state.models import ModelRow

_SIGN_PX = 34


class ModelListing(QWidget):
    """A list, or a sign and a sentence in its place if it is empty. `trouble` is a warning above it. `repeated` is
    emitted by the button below a sentence about something that can be tried again.
    """

    repeated = Signal()

    def __init__(self, context: ModelsContext, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.list = ModelList(name)
        self.trouble = text_label("", "trouble", 13)
        self.trouble.hide()
        self._gap = QWidget()
        self._gap.setFixedHeight(10)
        self._gap.hide()
        self.sign = IconLabel("box", "faint", _SIGN_PX)
        self.sign.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.sign.setContentsMargins(24, 72, 24, 0)
        self.empty = text_label("", "nothingFound", 14)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.empty.setContentsMargins(24, 14, 24, 24)
        self.again_button = ActionButton(ButtonFace(tr("Try again"), "refresh-cw"))
        self.again_button.hide()
        self.again_button.clicked.connect(self.repeated)
        self.folders = FolderRows(context)
        in_column(
            *(self.trouble, self._gap, self.sign, self.empty, centred(self.again_button)),
            *(Placed(self.list, 1000), self.folders, Placed()),
            of=self,
        )
        self.list.hide()

    def show_rows(self, rows: tuple[ModelRow, ...], otherwise: str) -> None:
        """List `rows`, or say `otherwise` if the list is empty."""
        self.list.show_rows(rows)
        self.say(otherwise)

    def say(self, otherwise: str) -> None:
        """Say `otherwise` if no row is listed."""
        is_empty = not self.list.rows.rowCount()
        self.empty.setText(otherwise)
        for part in (self.sign, self.empty):
            part.setVisible(is_empty)
        self.list.setVisible(not is_empty)

    def offer_again(self, *, failed: bool) -> None:
        """Offer to try again, or no longer."""
        self.again_button.setVisible(failed)

    def warn(self, text: str) -> None:
        """Show a warning above the list; "" for none."""
        self.trouble.setText(breakable(text))
        self.trouble.setVisible(bool(text))
        self._gap.setVisible(bool(text))
