"""Small dialogs that ask for a text: a title, a folder or tags. Each calls back with the user's input."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QDialogButtonBox,
    QInputDialog,
    QLabel,
    QLineEdit,
    QStyledItemDelegate,
    QWidget,
)

from resources.language.text import tr
from ui.theme.long_texts import breakable, cut
from ui.theme.phrases import one_line
from ui.theme.theme import MAC
from ui.widgets.settings_group import named

Callback = Callable[[str], object]

_FIELD_PX = 320
_MARGINS_PX = (20, 18, 20, 18)
_ABOVE_BUTTONS_PX = 8


def ask_title(parent: QWidget, title: str, on_accept: Callback) -> None:
    """Ask for a new title. A blank one is ignored."""
    dialog = _make_dialog(parent, "renameDialog", tr("Rename chat"), tr("Title"), tr("Rename"))
    _edit(dialog, title, on_accept)


def ask_folder(parent: QWidget, folders: tuple[str, ...], folder: str, on_accept: Callback) -> None:
    """Ask for a folder: one of `folders`, if there is any, a new one, or "" for no folder."""
    dialog = _make_dialog(parent, "folderDialog", tr("Move to folder"), tr("Folder"), tr("Move"))
    names = {cut(name): name for name in sorted({folder, *folders} - {""}, key=str.casefold)}
    if names:
        dialog.setComboBoxEditable(True)
        dialog.setComboBoxItems(list(names))
    _edit(dialog, folder, lambda words: on_accept(names.get(words, words)), may_be_blank=True)


def ask_folder_name(parent: QWidget, folder: str, on_accept: Callback) -> None:
    """Ask for the name of a folder. A blank one is ignored."""
    heading, yes = (tr("Rename folder"), tr("Rename")) if folder else (tr("New folder"), tr("Create"))
    _edit(_make_dialog(parent, "folderNameDialog", heading, tr("Name"), yes), folder, on_accept)


def ask_tags(parent: QWidget, tags: tuple[str, ...], on_accept: Callback) -> None:
    """Ask for tags, separated by commas."""
    dialog = _make_dialog(parent, "tagsDialog", tr("Tags"), tr("Tags, separated by commas"), tr("Save"))
    _edit(dialog, ", ".join(tags), on_accept, may_be_blank=True)


def ask_preset_name(parent: QWidget, name: str, taken: Collection[str], on_accept: Callback) -> None:
    """Ask for the name of a preset. A blank one is ignored. One of those that are `taken` cannot be accepted."""
    heading, yes = (tr("Rename preset"), tr("Rename")) if name else (tr("Save as preset"), tr("Save"))
    dialog = _make_dialog(parent, "presetDialog", heading, tr("Name"), yes)
    _edit(dialog, name, on_accept)
    _refuse_names(dialog, frozenset(map(str.casefold, taken)))


def ask_token(parent: QWidget, where: str, on_accept: Callback) -> None:
    """Ask for the user's access token of the hub. `where` is the place of the one that is kept, "" for none. An empty
    one forgets it.
    """
    kept = tr("A token is kept in {where}. Enter another, or leave it empty to forget it.", where=where)
    label = tr("Your access token for Hugging Face, for models that ask for one.")
    label = f"{label}\n{kept}" if where else label
    dialog = _make_dialog(parent, "tokenDialog", tr("Access token"), label, tr("Save"))
    dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
    dialog.textValueSelected.connect(lambda text: on_accept(text.strip()))
    _open(dialog)


def _make_dialog(parent: QWidget, name: str, heading: str, label: str, yes: str) -> QInputDialog:
    """`yes` are the words of the button that accepts: what it does, as on a Mac."""
    dialog = named(QInputDialog(parent), name)
    dialog.setWindowTitle(heading)
    dialog.setLabelText(breakable(label))
    dialog.setOkButtonText(yes)
    dialog.setCancelButtonText(tr("Cancel"))
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def _edit(dialog: QInputDialog, text: str, on_accept: Callback, *, may_be_blank: bool = False) -> None:
    """Let the user edit a text. Of a very long one the beginning is offered, and accepting that changes nothing."""
    offered = cut(text)

    def accept(typed: str) -> None:
        words = one_line(typed)
        is_left = typed == offered != text
        if (words or may_be_blank) and not is_left:
            on_accept(words)

    dialog.setTextValue(offered)
    dialog.textValueSelected.connect(accept)
    _open(dialog)


def _open(dialog: QInputDialog) -> None:
    for box in dialog.findChildren(QComboBox):
        box.setItemDelegate(QStyledItemDelegate(box))  # the default delegate ignores padding
    for field in (*dialog.findChildren(QLineEdit), *dialog.findChildren(QComboBox)):
        field.setMinimumWidth(_FIELD_PX)  # the dialog itself cannot be resized
    dialog.open()
    layout = dialog.layout()  # Qt lays the dialog out when it opens
    if isinstance(layout, QBoxLayout) and not MAC:  # platform: macOS has margins of its own
        layout.setContentsMargins(*_MARGINS_PX)
        layout.insertSpacing(layout.count() - 1, _ABOVE_BUTTONS_PX)


def _refuse_names(dialog: QInputDialog, taken: frozenset[str]) -> None:
    """Say below the field that a preset has the typed name, and accept no such name. The line has its room from the
    beginning, so that nothing moves.
    """
    refusal = named(QLabel(), "nameRefusal")
    refusal.setMinimumHeight(refusal.fontMetrics().height())
    layout, field, buttons = dialog.layout(), dialog.findChild(QLineEdit), dialog.findChild(QDialogButtonBox)
    assert isinstance(layout, QBoxLayout)
    assert isinstance(field, QLineEdit)
    assert isinstance(buttons, QDialogButtonBox), "an input dialog has all three once it is open"
    layout.insertWidget(layout.indexOf(field) + 1, refusal)

    def judge(text: str) -> None:
        is_taken = one_line(text).casefold() in taken
        refusal.setText(tr("There is a preset with this name already.") if is_taken else "")
        buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not is_taken)

    dialog.textValueChanged.connect(judge)
