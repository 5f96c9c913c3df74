"""The dialog about newer versions: their notes, and the switch that allows Hearth to look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from resources.language.text import mark, tr
from ui.intents.settings import AllowUpdateChecks, CheckForUpdate, OpenUpdatePage, SkipUpdate
from ui.theme.long_texts import cut
from ui.theme.theme import ui_font
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, text_label
from ui.widgets.switch import Switch

if TYPE_CHECKING:
    from ui.state.settings import UpdateView
    from ui.theme.theme import Theme

_ALLOW = mark("Check for updates once a day")
_ABOUT = mark(
    "Hearth fetches one small file that says which version is the newest. It tells nothing about you, your chats or "
    "this computer, and it installs nothing by itself."
)
_WIDTH_PX = 520
_NOTES_PX = 240
_LONGEST_NOTES = 6_000


class UpdateDialog(QDialog):
    """Shows the values that the app sends, and reports what the user wants."""

    requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("update")
        self.setWindowTitle(tr("Updates"))
        self.title = text_label("", "rowName", 16)
        self.title.setFont(ui_font(16, QFont.Weight.DemiBold))
        self.status = text_label("", "rowAbout", 13)
        self.notes = _Notes(theme)
        self.allow = Switch(tr(_ALLOW), theme)
        self.group = SettingsGroup(theme)
        self.group.add(SettingsRow(tr(_ALLOW), tr(_ABOUT), self.allow))
        self.check_button = PushButton(tr("Check now"), "check")
        self.skip_button = PushButton(tr("Skip this version"), "skip")
        self.page_button = PushButton(tr("Open its page"), "openPage")
        self.page_button.setDefault(True)
        self._lay_out()
        self._connect()
        self._notes_of = ""
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()  # otherwise the first button would show the focus ring

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.check_button)
        buttons.addStretch(1)
        buttons.addWidget(self.skip_button)
        buttons.addWidget(self.page_button)
        heading = QVBoxLayout()
        heading.setSpacing(2)
        heading.addWidget(self.title)
        heading.addWidget(self.status)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 18)
        column.setSpacing(14)
        column.addLayout(heading)
        column.addWidget(self.notes)
        column.addWidget(self.group)
        column.addLayout(buttons)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        self.status.setFixedWidth(_WIDTH_PX)
        self.group.setFixedWidth(_WIDTH_PX)

    def _connect(self) -> None:
        self.allow.clicked.connect(lambda allowed: self.requested.emit(AllowUpdateChecks(allowed)))
        self.check_button.clicked.connect(lambda _on: self.requested.emit(CheckForUpdate()))
        self.skip_button.clicked.connect(self._skip)
        self.page_button.clicked.connect(lambda _on: self.requested.emit(OpenUpdatePage()))

    def show_update(self, view: UpdateView) -> None:
        """Show the state of the updates. Notes that are already shown keep their scroll position."""
        self.title.setText(tr("Hearth {running}", running=view.running))
        self.status.setText(view.status or tr("Not checked yet."))
        self.allow.set_on(view.allowed)
        self.check_button.setEnabled(not view.checking)
        has_news = bool(view.version)
        self.skip_button.setVisible(has_news)
        self.page_button.setVisible(has_news)
        self.notes.setVisible(has_news and bool(view.notes))
        if view.notes != self._notes_of:
            self._notes_of = view.notes
            self.notes.show_notes(view.notes)

    def _skip(self) -> None:
        self.requested.emit(SkipUpdate())
        self.accept()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self.group.set_theme(theme)
        self.allow.set_theme(theme)
        self.notes.set_theme(theme)
        self.notes.show_notes(self._notes_of)


class _Notes(QTextBrowser):
    """Release notes in Markdown. Nothing is loaded for them, and their links are inactive: a button opens the release
    page.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("notes")
        self.setAccessibleName(tr("What is new"))
        self.setOpenLinks(False)
        self.setFont(ui_font(13))
        self.setFixedSize(_WIDTH_PX, _NOTES_PX)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(6)
        self.document().setIndentWidth(18)
        self.set_theme(theme)

    def loadResource(self, _kind: int, _name: object) -> QByteArray:  # noqa: N802 - Qt's name
        """Return an empty resource. For None, Qt would read a local file itself."""
        return QByteArray(b"")

    def set_theme(self, theme: Theme) -> None:
        self._ink = QColor(theme.text)

    def show_notes(self, notes: str) -> None:
        self.document().setMarkdown(cut(notes, _LONGEST_NOTES), QTextDocument.MarkdownFeature.MarkdownNoHTML)
        plain = QTextCharFormat()
        plain.setAnchor(False)
        plain.setFontUnderline(False)
        plain.setForeground(self._ink)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeCharFormat(plain)
        self._format_blocks()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def _format_blocks(self) -> None:
        """Add space between paragraphs, and make headings no larger than those of the dialog."""
        block = self.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            form, is_heading = block.blockFormat(), block.blockFormat().headingLevel() > 0
            form.setBottomMargin(3 if block.textList() else 6)
            form.setTopMargin(8 if is_heading and block.position() else 0)
            cursor.setBlockFormat(form)
            if is_heading:
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                size = QTextCharFormat()
                size.setProperty(QTextFormat.Property.FontSizeAdjustment, 1)
                cursor.mergeCharFormat(size)
            block = block.next()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(_WIDTH_PX, _NOTES_PX)
