"""PresetMenu: saves the values of a chat as a preset, and renames, deletes, exports and imports the user's presets.

The entries follow the presets in the menu of the inspector's pill.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from resources.language.text import tr
from ui.context import WindowContext
from ui.dialogs.confirmation import confirm
from ui.dialogs.file_dialogs import ask_preset_file, ask_preset_target
from ui.dialogs.text_dialogs import ask_preset_name
from ui.intents.chat import InChat
from ui.intents.chat_settings import DeletePreset, ExportPreset, ImportPreset, RenamePreset, SavePreset, SetPreset
from ui.state.chat_settings import ChatSettingsView, PresetView


class PresetMenu:
    """The entries ask over the window of `parent`."""

    def __init__(self, context: WindowContext, parent: QWidget) -> None:
        self._send = context.send
        self._parent = parent

    def fill(self, menu: QMenu, view: ChatSettingsView, presets: tuple[PresetView, ...]) -> None:
        """Append the entries that apply to this conversation."""
        own = next((one for one in presets if one.own and one.id == view.preset), None)
        menu.addSeparator()
        menu.addAction(tr("Reset to the model's values"), partial(self._ask_in_chat, view, SetPreset("balanced")))
        menu.addAction(tr("Save as preset…"), partial(self._ask_to_save, view, presets))
        if own is not None:
            rename = partial(self._ask_to_rename, own, presets)
            menu.addAction(tr("Rename “{name}”…", name=own.name).replace("&", "&&"), rename)
            menu.addAction(tr("Export “{name}”…", name=own.name).replace("&", "&&"), partial(self._ask_to_export, own))
        menu.addAction(tr("Import preset…"), self._ask_to_import)
        if own is not None:
            menu.addSeparator()
            menu.addAction(tr("Delete “{name}”…", name=own.name).replace("&", "&&"), partial(self._ask_to_delete, own))

    def _ask_in_chat(self, view: ChatSettingsView, intent: SetPreset | SavePreset) -> None:
        self._send(InChat(view.conversation, intent))

    def _ask_to_save(self, view: ChatSettingsView, presets: tuple[PresetView, ...]) -> None:
        taken = [one.name for one in presets]
        ask_preset_name(self._parent.window(), "", taken, lambda name: self._ask_in_chat(view, SavePreset(name)))

    def _ask_to_rename(self, preset: PresetView, presets: tuple[PresetView, ...]) -> None:
        others = [one.name for one in presets if one.id != preset.id]
        rename = partial(RenamePreset, preset.id)
        ask_preset_name(self._parent.window(), preset.name, others, lambda name: self._send(rename(name)))

    def _ask_to_export(self, preset: PresetView) -> None:
        export = partial(ExportPreset, preset.id)
        ask_preset_target(self._parent.window(), preset.name, lambda path: self._send(export(path)))

    def _ask_to_import(self) -> None:
        ask_preset_file(self._parent.window(), lambda path: self._send(ImportPreset(path)))

    def _ask_to_delete(self, preset: PresetView) -> None:
        confirm(
            self._parent.window(),
            tr("Delete “{name}”?", name=preset.name),
            tr("Chats that use this preset keep its values."),
            tr("Delete"),
            partial(self._send, DeletePreset(preset.id)),
        )
