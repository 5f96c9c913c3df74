"""StopWords: the texts that end an answer, one a line."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.layouts import in_column
from ui.widgets.settings_group import text_label
from ui.widgets.text_field import TextField

_HEIGHT_PX = 58


class StopWords(QWidget):
    """`changed` carries the lines when the focus leaves the field."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.setToolTip(plain_tip(tr("An answer ends before any of these texts would be shown.")))
        self.field = TextField(placeholder=tr("None"))
        self.field.setObjectName("inspectorStop")
        self.field.setAccessibleName(tr("Stop words, one a line"))
        self.field.setFont(ui_font(13))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(_HEIGHT_PX)
        self.field.left.connect(self.flush)
        self.trouble = text_label("", "inspectorTrouble", 12)
        self.trouble.hide()
        in_column(
            text_label(tr("Stop words, one a line"), "rowAbout", 13),
            self.field,
            self.trouble,
            spacing=4,
            margins=(0, 2, 0, 0),
            of=self,
        )

    def show_stops(self, stops: tuple[str, ...], trouble: str) -> None:
        """Show the lines that hold, unless the user is writing others."""
        self._shown = "\n".join(stops)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        if not trouble and not self.field.hasFocus():
            self.field.setPlainText(self._shown)

    def flush(self) -> None:
        """Report the lines, if they are new."""
        typed = self.field.toPlainText()
        if typed.strip("\n") != self._shown:
            self._shown = typed.strip("\n")
            self.changed.emit(self._shown)
