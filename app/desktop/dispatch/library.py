"""Carries out the intents about all conversations, about Recently Deleted and about the user's presets."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ui.intents import chat_settings, library, prompts
from ui.intents.chat_settings import PresetIntent
from ui.intents.library import ChosenIntent, ListIntent, SearchIntent
from ui.intents.prompts import PromptIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.intent import LibraryIntent
    from ui.intents.library import TrashIntent


class LibraryDispatch:
    """One match for the list of conversations, one for its search, one for Recently Deleted, and one for presets."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._chats = parts.conversations

    def handle(self, intent: LibraryIntent) -> None:
        """Do what the user asks of the conversations."""
        if isinstance(intent, ListIntent):
            self._in_list(intent)
        elif isinstance(intent, PromptIntent):
            self._prompt(intent)
        elif isinstance(intent, SearchIntent):
            self._search(intent)
        elif isinstance(intent, ChosenIntent):
            self._with_chosen(intent)
        elif isinstance(intent, PresetIntent):
            self._preset(intent)
        else:
            self._in_trash(intent)

    def _in_list(self, intent: ListIntent) -> None:
        chats = self._chats
        match intent:
            case library.NewChat():
                chats.creation.begin()
            case library.NewPrivateChat():
                chats.creation.new_private()
            case library.FocusTab(chat):
                chats.tabs.focus(chat)
            case library.ArrangeTabs(conversations, shown, sides):
                self._parts.workspace.keep_tabs(conversations, shown, sides)
            case library.Attend(conversations, is_active):
                chats.attention.attend(conversations, is_active)
            case library.RenameFolder(folder, to):
                chats.folders.rename(folder, to)
            case library.RemoveFolder(folder):
                chats.folders.remove(folder)
            case library.Import(path):
                chats.transfer.import_file(path)
            case library.ExportAll(path):
                chats.transfer.export_file("", path)
            case _:
                assert_never(intent)

    def _prompt(self, intent: PromptIntent) -> None:
        chats = self._chats
        match intent:
            case prompts.SavePrompt(prompt, name, text):
                chats.prompts.save(prompt, name, text)
            case prompts.DeletePrompt(prompt):
                chats.prompts.delete(prompt)
            case prompts.ImportPrompts(path):
                chats.prompts.import_file(path)
            case prompts.ExportPrompts(path):
                chats.prompts.export_file(path)
            case _:
                assert_never(intent)

    def _with_chosen(self, intent: ChosenIntent) -> None:
        chats = self._chats
        match intent:
            case library.DeleteChats(conversations):
                chats.delete(*conversations)
            case library.PinChats(conversations, pinned):
                chats.labels.pin(*conversations, pinned=pinned)
            case library.FileChats(conversations, folder):
                chats.labels.move_to_folder(*conversations, folder=folder)
            case library.ExportChats(conversations, path):
                chats.transfer.export_chosen(conversations, path)
            case _:
                assert_never(intent)

    def _search(self, intent: SearchIntent) -> None:
        match intent:
            case library.Search(text):
                self._chats.list.search(text)
            case library.LookUp(text):
                self._chats.list.look_up(text)
            case _:
                assert_never(intent)

    def _in_trash(self, intent: TrashIntent) -> None:
        """Erased words may be in older copies of the library too: offer to replace those, behind the erasing."""
        trash = self._chats.trash
        match intent:
            case library.ShowDeleted():
                trash.show()
            case library.Undelete(chosen):
                trash.undelete(chosen)
            case library.Erase(chosen):
                trash.erase(chosen)
                self._parts.stale_copies.offer()
            case library.EraseAll():
                trash.erase_all()
                self._parts.stale_copies.offer()
            case _:
                assert_never(intent)

    def _preset(self, intent: PresetIntent) -> None:
        presets = self._chats.settings.presets
        match intent:
            case chat_settings.RenamePreset(preset, name):
                presets.rename(preset, name)
            case chat_settings.DeletePreset(preset):
                presets.delete(preset)
            case chat_settings.ExportPreset(preset, path):
                presets.export_file(preset, path)
            case chat_settings.ImportPreset(path):
                presets.import_file(path)
            case _:
                assert_never(intent)
