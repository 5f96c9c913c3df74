"""The dialog of saved prompts: a list, and a form for the selected one."""

from __future__ import annotations

from uuid import uuid4

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.file_dialogs import ask_prompts_file, ask_prompts_target
from ui.intents.library import DeletePrompt, ExportPrompts, ImportPrompts, SavePrompt
from ui.intents.notice import Notice
from ui.state.library import PromptView
from ui.theme.long_texts import breakable
from ui.theme.phrases import one_line
from ui.widgets.announcement import announce, show_aloud
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import hidden_label, named, show_words
from ui.widgets.sheet import Sheet
from ui.widgets.text_field import LineField, TextField

_SIZE_PX = (760, 500)
_LIST_PX = 230
_ABOUT = mark("To use one, type / in an empty message. Hearth asks for each {variable} in it.")
_NO_TEXT = mark("“{name}” has no text yet. Write one, or close again to drop it.")
_EMPTIED = mark("“{name}” has no text any more. Write one, or close again to keep the former one.")
_ID = Qt.ItemDataRole.UserRole


class PromptsDialog(Sheet):
    """Adds, edits and deletes prompts. A prompt is saved when the user pauses, and when its form is left. A new one is
    listed from the start. It is saved once it has a text; until then its name is kept in `_new`. If a prompt has no
    text when the user closes the dialog, the dialog says so once. While the dialog is open, each prompt keeps its place
    in the list.
    """

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__("promptsDialog", tr("Prompts"), parent)
        self._context = context
        self.resize(*_SIZE_PX)
        self._prompts: dict[str, PromptView] = {}
        self._new: PromptView | None = None
        self._shown = ""
        self._is_told, self._told = False, ""
        self.list = named(QListWidget(), "promptList", 13, tr("Prompts"))
        self.list.setFixedWidth(_LIST_PX)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # a long name is elided
        self.name = named(LineField(placeholderText=tr("Name")), "promptName", 13, tr("Name of the prompt"))
        language, text = _variable(tr("language", "variable")), _variable(tr("text", "variable"))
        example = tr("Translate into {language}: {text}", language=language, text=text)
        self.text = named(TextField(placeholder=example), "promptText", 13, tr("Text of the prompt"))
        self.text.setTabChangesFocus(True)
        self.add_button = PushButton(tr("New prompt"), "addPrompt", self._add)
        self.delete_button = PushButton(tr("Delete"), "deletePrompt", self._delete)
        self.import_button = PushButton(tr("Import…"), "importPrompts", self._import)
        self.export_button = PushButton(tr("Export…"), "exportPrompts", self._export)
        self.done_button = PushButton(tr("Done"), "promptsDone", self.accept)
        self.done_button.setDefault(True)
        self.trouble, self.news = (hidden_label(name, 13) for name in ("trouble", "news"))
        about = named(QLabel(tr(_ABOUT, variable="{{name}}"), wordWrap=True), "sheetText", 13)
        form = in_column(self.name, self.text, self.trouble, self.news, about, spacing=10)
        acts = (self.add_button, self.delete_button, self.import_button, self.export_button, Placed(), self.done_button)
        foot = in_row(*acts, spacing=8)
        top = in_row(self.list, Placed(form), spacing=14)
        in_column(Placed(top), foot, spacing=16, margins=(22, 20, 22, 18), of=self)
        self.name.textChanged.connect(self._refresh)
        self.name.textChanged.connect(lambda _name: self.text.pause.start())
        self.name.returnPressed.connect(self.text.setFocus)
        for field in (self.name, self.text):
            field.textChanged.connect(lambda: self._say(""))
        self.list.currentItemChanged.connect(lambda item, _before: self._turn_to(item))
        self.text.rested.connect(self.save)
        self.finished.connect(self.save)
        follow(self, context.store.prompts, self._show_prompts)
        if self._is_adding():
            self.name.setFocus()

    def _show_prompts(self, prompts: tuple[PromptView, ...]) -> None:
        """List these prompts. The form keeps what is typed, unless its prompt has gone."""
        found = {prompt.id: prompt for prompt in prompts}
        self._prompts = {one: found[one] for one in (*self._prompts, *found) if one in found}
        if self._new is not None and self._new.id in found:
            self._new = None
        if self._shown in found or self._is_adding():
            self._refresh()
        else:
            self._fill(next(iter(self._prompts.values()), None))

    def tell(self, notice: Notice) -> None:
        """Say what has become of a change, an import or an export, until the next one or until the user types."""
        self._say("")
        self._told = notice.key
        show_aloud(self.news if notice.passing else self.trouble, breakable(notice.text))

    def clear(self, key: str) -> None:
        """Take a notice away: its cause is over."""
        if key == self._told:
            self._say("")

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Return in the name has led to the text. It does not press the default button."""
        if event.key() == Qt.Key.Key_Escape or self.focusWidget() is not self.text:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Close, unless a prompt lacks its text and the user does not know yet."""
        words = "" if self._is_told else self._unfinished()
        if not words:
            super().done(result)
            return
        if not self._is_adding() and self._typed() is not None:
            self.list.setCurrentRow(self.list.count() - 1)
        self.text.setFocus()
        self._say(words)

    def _unfinished(self) -> str:
        """What to say about a prompt without a text, "" if there is none."""
        if self._typed() is not None:
            name = "" if self._new is None or self._is_adding() else self._new.name
        elif self._is_adding():
            name = self.name.text()
        else:
            return tr(_EMPTIED, name=one_line(self.name.text()))
        return tr(_NO_TEXT, name=one_line(name)) if one_line(name) else ""

    def _say(self, words: str) -> None:
        self._is_told, self._told = bool(words), ""
        self.news.hide()
        show_words(self.trouble, breakable(words))
        if words:
            announce(self.trouble, words)

    def _typed(self) -> tuple[str, str] | None:
        name, text = self.name.text(), self.text.toPlainText()
        return (name, text) if text.strip() else None

    def _is_adding(self) -> bool:
        return self._new is not None and self._new.id == self._shown

    def _turn_to(self, item: QListWidgetItem | None) -> None:
        turned = "" if item is None else str(item.data(_ID))  # the item may stand for another prompt in a moment
        self._leave()
        self._fill(self._prompts.get(turned))

    def _fill(self, prompt: PromptView | None) -> None:
        """Show a prompt in the form; None begins one, or continues the one that has no text yet."""
        if prompt is None:
            prompt = self._new = self._new or PromptView(uuid4().hex, "", "")
        self._shown = prompt.id
        self.name.setText(prompt.name)
        self.text.setPlainText(prompt.text)
        self._refresh()

    def _leave(self) -> None:
        """Save the form, or keep the name of a prompt that has no text yet."""
        if self._is_adding():
            is_kept = self.name.text() and self._typed() is None
            self._new = PromptView(self._shown, self.name.text(), "") if is_kept else None
        self.save()

    def save(self) -> None:
        """Save the form if it has other words than the saved prompt."""
        typed, saved = self._typed(), self._prompts.get(self._shown)
        if typed is not None and (saved is None or (saved.name, saved.text) != typed):
            self._context.send(SavePrompt(self._shown, *typed))

    def _add(self) -> None:
        self._leave()
        self._fill(None)
        (self.text if self.name.text().strip() else self.name).setFocus()

    def _delete(self) -> None:
        self._context.send(DeletePrompt(self._shown))

    def _import(self) -> None:
        ask_prompts_file(self, lambda path: self._context.send(ImportPrompts(path)))

    def _export(self) -> None:
        self.save()
        ask_prompts_target(self, lambda path: self._context.send(ExportPrompts(path)))

    def _refresh(self) -> None:
        """List the prompts, the new one last, and the one in the form under the name that it has there."""
        listed = (*self._prompts.values(), *(() if self._new is None else (self._new,)))
        with QSignalBlocker(self.list):
            for _ in range(self.list.count(), len(listed)):
                QListWidgetItem(self.list)
            for _ in range(len(listed), self.list.count()):
                self.list.takeItem(len(listed))
            for row, prompt in enumerate(listed):
                name = self.name.text() if prompt.id == self._shown else prompt.name
                self.list.item(row).setText(one_line(name, tr("New prompt")))
                self.list.item(row).setData(_ID, prompt.id)
                if prompt.id == self._shown:
                    self.list.setCurrentRow(row)
        self.delete_button.setEnabled(self._shown in self._prompts)
        self.export_button.setEnabled(bool(self._prompts))


def _variable(name: str) -> str:
    return "{{" + name + "}}"
