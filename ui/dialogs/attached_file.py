"""FileSheet: an attached file as the model is given it, to read and to save."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import tr
from ui.context import ChatContext
from ui.dialogs.file_dialogs import ask_copy
from ui.intents.chat import SaveFile
from ui.state.chat import FileView
from ui.theme.long_texts import breakable, cut
from ui.theme.theme import mono_font, ui_font
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named
from ui.widgets.sheet import Sheet
from ui.widgets.text_field import LONGEST_WORD, TextField

_SIZE_PX = (720, 520)
_MOST_SHOWN = 2_000_000
"""The most characters, and a row for 25 of them at most: Qt takes seconds to lay out a million rows."""
_LONG_LINE = re.compile(rf"[^\n]{{{LONGEST_WORD}}}(?!\n|\Z)")


class FileSheet(Sheet):
    """Shows the text of one file, or why there is none. Escape closes it. Very long lines are shown in pieces: Qt would
    lay out all of such a line at once, for minutes. Of a very long text only the beginning is shown. A saved copy has
    all of it. `use` puts the text into the message in place of the file, if that is possible.
    """

    def __init__(
        self, context: ChatContext, file: FileView, parent: QWidget, use: Callable[[FileView], object] | None = None
    ) -> None:
        super().__init__("attachedFile", file.name, parent)
        self.resize(*_SIZE_PX)
        self.name = _label(file.name, "fileName", ui_font(15, QFont.Weight.DemiBold))
        self.detail = _label(file.detail, "sheetText", ui_font(12))
        self.detail.setWordWrap(False)
        # one sign at the end of each row that Qt would begin
        text = file.text[: 2 * _MOST_SHOWN].replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n")
        shown = cut(text, _MOST_SHOWN)
        about = file.note or (
            tr("This is the text that the model is given.")
            if shown is text
            else tr("This is the beginning of the text that the model is given. A saved copy has all of it.")
        )
        self.about = _label("\n".join(filter(None, (about, file.left_out))), "sheetText", ui_font(13))
        self.text = TextField(_LONG_LINE.sub(r"\g<0>\n", shown))
        named(self.text, "fileText", mono_font(12), tr("Text of the file"))
        self.text.setTabChangesFocus(True)
        by_mouse, by_keys = (
            Qt.TextInteractionFlag.TextSelectableByMouse,
            Qt.TextInteractionFlag.TextSelectableByKeyboard,
        )
        self.text.setTextInteractionFlags(by_mouse | by_keys)
        save = partial(ask_copy, self, file.copy_name, lambda path: context.send(SaveFile(file.id, path)))
        self.save_button = PushButton(tr("Save a copy…"), "saveCopy", save)
        self.use_button = PushButton(tr("Put into the message"), "useText")
        self.use_button.setHidden(use is None)
        if use is not None:
            self.use_button.clicked.connect(lambda: use(file))
            self.use_button.clicked.connect(self.accept)
        for part in (self.text, self.save_button):
            part.setHidden(bool(file.note))
        done = PushButton(tr("Done"), "fileDone", self.accept)
        done.setDefault(True)
        head = in_row(Placed(self.name), Placed(self.detail, 0, Qt.AlignmentFlag.AlignBottom), spacing=10)
        foot = in_row(self.save_button, self.use_button, Placed(), done, spacing=-1)
        in_column(head, self.about, Placed(self.text), foot, spacing=10, margins=(22, 20, 22, 18), of=self)
        (done if file.note else self.text).setFocus()


def _label(words: str, name: str, font: QFont) -> QLabel:
    return named(QLabel(breakable(words), textFormat=Qt.TextFormat.PlainText, wordWrap=True), name, font)
