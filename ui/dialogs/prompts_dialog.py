"""The dialog of saved prompts: a list, and a form for the selected one."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QWidget

from resources.language.text import mark, tr
from ui.context import WindowContext, follow
from ui.dialogs.file_dialogs import ask_prompts_file, ask_prompts_target
from ui.intents.library import DeletePrompt, ExportPrompts, ImportPrompts, SavePrompt
from ui.state.library import PromptView
from ui.theme.long_texts import breakable
from ui.theme.phrases import one_line
from ui.widgets.announcement import announce, show_aloud
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named, show_words
from ui.widgets.sheet import Sheet
from ui.widgets.text_field import LineField, TextField

_SIZE_PX = (760, 500)
_LIST_PX = 230
_ABOUT = mark("To use one, type / in an empty message. Hearth asks for each {variable} in it.")
_NO_TEXT = mark("“{name}” has no text yet. Write one, or close again to drop it.")
_EMPTIED = mark("“{name}” has no text any more. Write one, or close again to keep the former one.")
_ID = Qt.ItemDataRole.UserRole


class PromptsDialog(Sheet):
    """Adds, edits and deletes prompts. A prompt is saved when the user leaves its form, so that no word is lost. A new
    one is listed from the start. It is saved once it has a text; until then its name is kept. If a prompt has no text
    when the user closes the dialog, the dialog says so once.
    """

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__("promptsDialog", tr("Prompts"), parent)
        self._context = context
        self.resize(*_SIZE_PX)
        self._prompts: dict[str, PromptView] = {}
        self._shown = ""
        self._is_adding = False
        self._new_name = ""
        self._is_told = False
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
        self.trouble, self.news = (
            named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), name, 13) for name in ("trouble", "news")
        )
        self.trouble.hide()
        self.news.hide()
        about = named(QLabel(tr(_ABOUT, variable="{{name}}"), wordWrap=True), "sheetText", 13)
        form = in_column(self.name, self.text, self.trouble, self.news, about, spacing=10)
        acts = (self.add_button, self.delete_button, self.import_button, self.export_button, Placed(), self.done_button)
        foot = in_row(*acts, spacing=8)
        top = in_row(self.list, Placed(form), spacing=14)
        in_column(Placed(top), foot, spacing=16, margins=(22, 20, 22, 18), of=self)
        self.name.textChanged.connect(self._list_name)
        self.name.returnPressed.connect(self.text.setFocus)
        for field in (self.name, self.text):
            field.textChanged.connect(lambda: self._say(""))
        self.list.currentItemChanged.connect(lambda item, _before: self._turn_to(item))
        self.finished.connect(self.save)
        follow(self, context.store.prompts, self._show_prompts)
        if self._is_adding:
            self.name.setFocus()

    def _show_prompts(self, prompts: tuple[PromptView, ...]) -> None:
        """List these prompts. The form keeps what is typed; a new prompt that was just saved is selected."""
        typed, known = self.text.toPlainText(), self._prompts
        new = (prompt.id for prompt in prompts if prompt.id not in known and prompt.text == typed)
        kept = next(new, "") if self._is_adding else self._shown
        self._prompts = {prompt.id: prompt for prompt in prompts}
        with QSignalBlocker(self.list):
            self.list.clear()
            for prompt in prompts:
                item = _item(prompt.name, prompt.id, self.list)
                if prompt.id == kept:
                    self.list.setCurrentItem(item)
        self._shown = kept if kept in self._prompts else ""
        self._is_adding = not prompts or (self._is_adding and not self._shown)
        if not self._shown and not self._is_adding:
            self.list.setCurrentRow(0)
        self._refresh()

    def tell(self, words: str, *, is_trouble: bool) -> None:
        """Say what has become of an import or an export, until the next one or until the user types."""
        self._say("")
        show_aloud(self.trouble if is_trouble else self.news, breakable(words))

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
        if not self._is_adding and not self._shown_lacks_text():
            self.list.setCurrentRow(self.list.count() - 1)
        self.text.setFocus()
        self._say(words)

    def _unfinished(self) -> str:
        """What to say about a prompt without a text, "" if there is none."""
        if not self._is_adding and self._shown_lacks_text():
            return tr(_EMPTIED, name=one_line(self.name.text()))
        name = one_line(self.name.text() if self._is_adding else self._new_name)
        has_text = self._is_adding and self._typed() is not None
        return tr(_NO_TEXT, name=name) if name and not has_text else ""

    def _shown_lacks_text(self) -> bool:
        return bool(self._shown) and self._typed() is None

    def _say(self, words: str) -> None:
        self._is_told = bool(words)
        self.news.hide()
        show_words(self.trouble, breakable(words))
        if words:
            announce(self.trouble, words)

    def _typed(self) -> tuple[str, str] | None:
        name, text = self.name.text(), self.text.toPlainText()
        return (name, text) if text.strip() else None

    def _turn_to(self, item: QListWidgetItem | None) -> None:
        self._leave()
        self._fill(self._prompts.get(str(item.data(_ID))) if item is not None else None)

    def _fill(self, prompt: PromptView | None) -> None:
        self._is_adding = prompt is None
        shown = prompt or PromptView("", self._new_name, "")
        self._shown = shown.id
        self.name.setText(shown.name)
        self.text.setPlainText(shown.text)
        self._refresh()

    def _leave(self) -> None:
        """Save the form, or keep the name of a prompt that has no text yet."""
        if self._is_adding:
            self._new_name = "" if self._typed() is not None else self.name.text()
        self.save()

    def save(self) -> None:
        """Save the form if it has other words than the saved prompt."""
        typed, saved = self._typed(), self._prompts.get(self._shown)
        if typed is not None and (saved is None or (saved.name, saved.text) != typed):
            self._context.send(SavePrompt(self._shown, *typed))

    def _add(self) -> None:
        """Begin a prompt, or continue the one that has no text yet."""
        self._leave()
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(-1)
        self._fill(None)
        (self.text if self._new_name.strip() else self.name).setFocus()

    def _list_name(self) -> None:
        """Show in the list what the prompt in the form is called by now."""
        item = self.list.currentItem()
        if item is not None:
            item.setText(one_line(self.name.text(), tr("New prompt")))

    def _list_new(self) -> None:
        """List the prompt that is not saved yet, if there is one."""
        last = self.list.item(self.list.count() - 1)
        is_listed = last is not None and not last.data(_ID)
        with QSignalBlocker(self.list):
            if is_listed and not (self._is_adding or self._new_name):
                self.list.takeItem(self.list.count() - 1)
            elif not is_listed and (self._is_adding or self._new_name):
                last = _item(one_line(self._new_name, tr("New prompt")), "", self.list)
            if self._is_adding:
                self.list.setCurrentItem(last)
                self._list_name()

    def _delete(self) -> None:
        shown, self._shown = self._shown, ""
        self.name.clear()
        self.text.clear()
        self._context.send(DeletePrompt(shown))

    def _import(self) -> None:
        ask_prompts_file(self, lambda path: self._context.send(ImportPrompts(path)))

    def _export(self) -> None:
        self.save()
        ask_prompts_target(self, lambda path: self._context.send(ExportPrompts(path)))

    def _refresh(self) -> None:
        self._list_new()
        self.delete_button.setEnabled(bool(self._shown))
        self.export_button.setEnabled(bool(self._prompts))


def _variable(name: str) -> str:
    return "{{" + name + "}}"


def _item(words: str, prompt: str, of: QListWidget) -> QListWidgetItem:
    item = QListWidgetItem(words, of)
    item.setData(_ID, prompt)
    return item
