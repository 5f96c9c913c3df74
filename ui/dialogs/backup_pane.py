"""The settings page that lists the copies of all chats."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.settings import MakeBackup, RestoreBackup, Reveal
from ui.state.settings import StorageView
from ui.theme.theme import ui_font
from ui.widgets.announcement import show_aloud
from ui.widgets.layouts import Placed, held, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import SettingsGroup, SettingsRow, hidden_label, named, text_label

_EXPLAINED = mark("All chats are copied once a day. A copy is kept for about 30 days, in case the library is damaged.")
_ABOUT = mark(
    "{when}: all chats become as they were then. What is there now becomes a copy in this list first, so that you can "
    "come back to it."
)
_NONE = mark(
    "There is no copy yet. Hearth makes the first one within an hour of your first message, or at the next start."
)
_TIGHT = (14, 5, 14, 5)
"""Margins of a row. With them, ten copies fit without scrolling."""


class BackupPane(QWidget):
    """One row for each copy, newest first."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        self._context = context
        self._backups: tuple[tuple[str, str], ...] | None = None
        self.group = SettingsGroup()
        self.group.hide()
        self.buttons: dict[str, PushButton] = {}
        self.empty_label = text_label(tr(_NONE), "footnote", 13)
        self.empty_label.hide()
        self.reveal_button = PushButton(tr("Show copies"), act=lambda: context.send(Reveal("backups")))
        self.make_button = PushButton("", "makeBackup", self._make)
        self._show_making(is_making=False)
        self.trouble = hidden_label("trouble", 13)
        buttons = in_row(self.make_button, Placed(), self.reveal_button, spacing=8)
        heading = text_label(tr("Backups"), "rowName", ui_font(15, QFont.Weight.DemiBold))
        explained = text_label(tr(_EXPLAINED), "footnote", 12)
        in_column(
            heading, explained, self.group, self.empty_label, self.trouble, buttons, Placed(), spacing=14, of=self
        )
        follow(self, context.store.storage, self._show_backups)

    def _make(self) -> None:
        """The button stays enabled while the copy is made: a disabled one would lose the focus."""
        if not self._is_making:
            self._show_making(is_making=True)
            self.trouble.hide()
            self._context.send(MakeBackup())

    def _show_making(self, *, is_making: bool) -> None:
        self._is_making = is_making
        self.make_button.setText(tr("Making a copy…") if is_making else tr("Make a copy now"))

    def tell(self, words: str) -> None:
        """Say why the copy that the user asked for was not made."""
        self._show_making(is_making=False)
        self.warn(words)

    def warn(self, words: str) -> None:
        """Show a sentence above the buttons."""
        show_aloud(self.trouble, words)

    def _show_backups(self, view: StorageView) -> None:
        self._show_making(is_making=False)
        if view.backups == self._backups:
            return
        self._backups = view.backups
        focus = self.window().focusWidget()  # Qt would move it to a button of another page
        focused = next((backup for backup, button in self.buttons.items() if button is focus), "")
        self.group.clear()
        self.buttons = {backup: self._add(backup, about) for backup, about in view.backups}
        self.group.setVisible(bool(view.backups))
        self.empty_label.setVisible(not view.backups)
        if focused:
            self.buttons.get(focused, self.make_button).setFocus()

    def _add(self, backup: str, about: str) -> PushButton:
        when, _, contents = about.partition(" · ")
        button = named(PushButton(tr("Use this copy…")), "", label=tr("Use this copy: {when}", when=when))
        restore = partial(self._context.send, RestoreBackup(backup))
        question, about, yes = tr("Use this copy?"), tr(_ABOUT, when=when), tr("Use this copy")
        button.clicked.connect(lambda: confirm(self.window(), question, about, yes, restore))
        row = SettingsRow(when, "", held(in_row(text_label(contents, "rowValue", 13), button, spacing=14)))
        row.column.setContentsMargins(*_TIGHT)
        self.group.add(row)
        return button
