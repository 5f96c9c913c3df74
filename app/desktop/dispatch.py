"""Carries out what the user asks of the window: every `Intent` leads to one use case. Runs on the window's thread.

Each match is exhaustive: mypy refuses an intent that no case handles.
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from app.base.model_names import DEMO
from app.desktop.bootstrap import AppParts
from app.hub.fetch.names import is_repository
from app.models.choice import USE
from ui.intents import chat, chat_settings, library, macs, models, settings
from ui.intents.chat import ChatIntent, InChat
from ui.intents.intent import Intent, LibraryIntent
from ui.intents.macs import MacsIntent
from ui.intents.models import ModelIntent
from ui.intents.settings import SettingsIntent
from ui.intents.voice import ReadAloud, StopReading


class Dispatch:
    """One match for each topic."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._chats = parts.conversations

    def handle(self, intent: Intent) -> None:
        """Do what the user asks."""
        if isinstance(intent, InChat):
            self._in_chat(intent.conversation, intent.intent)
        elif isinstance(intent, LibraryIntent):
            self._library(intent)
        elif isinstance(intent, ModelIntent):
            self._models(intent)
        elif isinstance(intent, MacsIntent):
            self._macs(intent)
        elif isinstance(intent, SettingsIntent):
            self._settings(intent)
        elif isinstance(intent, ReadAloud):
            self._parts.read_aloud.read(intent.message, intent.text)
        elif isinstance(intent, StopReading):
            self._parts.read_aloud.stop()
        else:
            assert_never(intent)

    def _in_chat(self, conversation: str, intent: ChatIntent) -> None:
        """The chat's own model answers. It may have to be loaded first."""
        chats, session = self._chats, partial(self._chats.sessions.of, conversation)
        own_model, answer = self._parts.chat_models, partial(self._parts.chat_models.answer, conversation)
        match intent:
            case chat.Submit(text):
                own_model.submit(conversation, text)
            case chat.Edit(message, text, without):
                own_model.edit(conversation, message, text, without)
            case chat.Extend(message):
                answer(lambda: session().extend(message))
            case chat.Regenerate(message, count):
                answer(lambda: session().regenerate(message, count))
            case chat.SendQueuedNow(message):
                answer(lambda: session().send_now(message))
            case chat.SendQueued():
                answer(session().outbox.resume)
            case chat.EditQueued(message):
                session().outbox.edit(message)
            case chat.DropQueued(message):
                session().outbox.drop(message)
            case chat.Stop():
                session().stop()
            case chat.DeleteTurn(message):
                session().removal.remove(message)
            case chat.UndoDeleteTurn():
                session().removal.restore()
            case chat.ReturnToBranch():
                session().branch_return.undo()
            case chat.ReadAll():
                session().read_all()
            case chat.LeaveOut():
                answer(session().leave_out)
            case chat.CarryOn():
                chats.creation.carry_on(conversation)
            case chat.Step(message, by):
                session().step(message, by)
            case chat.ShowEarlier(before, until):
                session().earlier.show(before, until)
            case chat.FindEarlier(terms, before):
                session().earlier.find(terms, before)
            case chat.ShowFile(attachment):
                chats.attachments.show_file(conversation, attachment)
            case chat.SaveFile(attachment, path):
                chats.attachments.save_file(conversation, attachment, path)
            case chat.SaveDraft(text, edits):
                chats.save_draft(conversation, text, edits)
            case chat.CountDraft(text, message, without):
                session().cost.count(text, message, without)
            case chat.Attach(paths):
                chats.attachments.attach(conversation, paths)
            case chat.AttachPicture():
                chats.attachments.attach_picture(conversation)
            case chat.AttachText(text):
                chats.attachments.attach_text(conversation, text)
            case chat.Detach(attachment):
                chats.attachments.detach(conversation, attachment)
            case chat.Rename(title):
                chats.labels.rename(conversation, title)
            case chat.MoveToFolder(folder):
                chats.labels.move_to_folder(conversation, folder=folder)
            case chat.SetTags(tags):
                chats.labels.set_tags(conversation, tags)
            case chat.Open():
                chats.tabs.show(conversation)
            case chat.OpenAt(message, terms):
                chats.tabs.open_at(conversation, message, terms)
            case chat.CloseTab():
                chats.close_tab(conversation)
            case chat.Fork(message):
                chats.creation.fork(conversation, message)
            case chat.CopyAsMarkdown():
                chats.transfer.copy_markdown(conversation)
            case chat.FindWarmModels():
                session().find_warm_models()
            case chat_settings.ShowChatSettings():
                chats.inspect(conversation)
            case chat_settings.HideChatSettings():
                chats.memory.leave(conversation)
            case chat_settings.ClearMemory():
                chats.clearing.begin(conversation)
            case chat_settings.UndoClearMemory():
                chats.clearing.undo(conversation)
            case chat_settings.SetSystem(text):
                chats.settings.set_system(conversation, text)
            case chat_settings.SetPreset(preset):
                chats.settings.set_preset(conversation, preset)
            case chat_settings.SetValue(name, text):
                chats.settings.set_value(conversation, name, text)
            case chat_settings.SetSwitch(name, is_on):
                chats.settings.set_switch(conversation, name, is_on)
            case chat_settings.SavePreset(name):
                chats.settings.save_preset(conversation, name)
            case _:
                assert_never(intent)

    def _library(self, intent: LibraryIntent) -> None:
        """Erased words may be in older copies of the library too: offer to replace those, behind the erasing."""
        parts, chats = self._parts, self._chats
        match intent:
            case library.NewChat():
                chats.creation.begin()
            case library.NewPrivateChat():
                chats.creation.new_private()
            case library.FocusTab(conversation):
                chats.tabs.focus(conversation)
            case library.ArrangeTabs(conversations, shown, sides):
                parts.workspace.keep_tabs(conversations, shown, sides)
            case library.Attend(conversations, is_active):
                chats.attention.attend(conversations, is_active)
            case library.OpenLast(conversation):
                chats.tabs.open(conversation)
            case library.RenameFolder(folder, to):
                chats.labels.rename_folder(folder, to)
            case library.RemoveFolder(folder):
                chats.labels.remove_folder(folder)
            case library.UndoFolder(folder):
                chats.labels.undo_folder(folder)
            case library.Import(path):
                chats.transfer.import_file(path)
            case library.CancelImport():
                chats.transfer.cancelled.set()
            case library.ImportAgain():
                chats.transfer.import_again()
            case library.DeleteChats(conversations):
                chats.delete(*conversations)
            case library.UndoDelete(conversation):
                chats.removal.undo(conversation)
            case library.PinChats(conversations, pinned):
                chats.labels.pin(*conversations, pinned=pinned)
            case library.FileChats(conversations, folder):
                chats.labels.move_to_folder(*conversations, folder=folder)
            case library.ExportChats(conversations, path):
                chats.transfer.export_file(conversations, path)
            case library.Search(text):
                chats.list.search(text)
            case library.LookUp(text):
                chats.list.look_up(text)
            case library.ShowDeleted():
                chats.trash.show()
            case library.Undelete(conversations):
                chats.trash.undelete(conversations)
            case library.Erase(conversations):
                chats.trash.erase(conversations)
                parts.copies.offer_replacement()
            case library.EraseAll():
                chats.trash.erase_all()
                parts.copies.offer_replacement()
            case chat_settings.RenamePreset(preset, name):
                chats.settings.presets.rename(preset, name)
            case chat_settings.DeletePreset(preset):
                chats.settings.presets.delete(preset)
            case chat_settings.ExportPreset(preset, path):
                chats.settings.presets.export_file(preset, path)
            case chat_settings.ImportPreset(path):
                chats.settings.presets.import_file(path)
            case library.SavePrompt(prompt, name, text):
                chats.prompts.save(prompt, name, text)
            case library.DeletePrompt(prompt):
                chats.prompts.delete(prompt)
            case library.ImportPrompts(path):
                chats.prompts.import_file(path)
            case library.ExportPrompts(path):
                chats.prompts.export_file(path)
            case _:
                assert_never(intent)

    def _models(self, intent: ModelIntent) -> None:
        parts, here = self._parts, self._parts.models
        match intent:
            case models.PickModel(model):
                parts.window.clear_notice(USE + model)
                here.note_base(model)
                parts.chat_models.pick(parts.window.tabs.current(), model)
            case models.AnswerAll(model):
                parts.window.clear_notice(USE + model)
                here.note_base(model)
                parts.chat_models.answer_all(model)
            case models.UndoAnswerAll():
                parts.chat_models.undo_answer_all()
            case models.ChatWith(model):
                here.note_base(model)
                parts.model_switch.pick(model, self._chats.creation.new)
            case models.FreeModel():
                parts.model_switch.unload()
            case models.LoadAnyway():
                parts.model_switch.load_anyway()
            case models.RestartEngine():
                parts.connection.starting()
                parts.engine_process.restart()
            case models.StopLoading():
                parts.connection.cancel_load()
            case models.ConfirmSwitch():
                parts.model_switch.confirm()
            case models.KeepAnswering():
                parts.model_switch.decline()
            case models.SearchHub(text):
                parts.finder.search(text)
                parts.hub_token.look()
            case models.ShowModel(model):
                if is_repository(model):  # on the hub, and not the folder of a model on this machine
                    parts.finder.show(model)
                else:
                    parts.finder.leave()
                    here.show(model)
            case models.FinishWelcome():
                parts.welcome.finish()
            case models.LookAround():
                # A downloaded pick may have become the model meanwhile. Otherwise one still can: pick no model.
                if parts.connection.model != DEMO:
                    parts.model_switch.pick(DEMO)
                parts.welcome.finish()
            case models.ShowModels():
                here.open()
                parts.macs.presenter.look()
                parts.downloads.retry()
            case models.ConfigureModel(model, view):
                # A model that was kept on this Mac after a loss returns to its other Macs with its settings.
                was_kept = parts.hosting.follow(model) and model == parts.connection.model
                if here.configure(model, view) or was_kept:
                    parts.model_switch.reload()
                parts.macs.offer_copy(model)
            case models.AddModelFolder(path):
                here.add_folder(path)
            case models.DropModelFolder(path):
                here.drop_folder(path)
            case models.RevealModel(model):
                parts.folders.reveal_model(model)
            case models.Download(repository, revision, head):
                parts.downloads.request(repository, revision, head)
            case models.PauseDownload(repository):
                parts.downloads.pause(repository)
            case models.CancelDownload(repository):
                parts.downloads.cancel(repository)
            case models.RemoveModel(model):
                parts.downloads.remove(model, parts.connection.model, here.refresh)
            case models.SetHubToken(token):
                parts.hub_token.keep(token)
            case _:
                assert_never(intent)

    def _macs(self, intent: MacsIntent) -> None:
        own, connection, hosting = self._parts.macs, self._parts.connection, self._parts.hosting
        match intent:
            case macs.ShowMacs():
                own.presenter.look_around()
            case macs.LetOthersUse(on):
                own.lend(on)
            case macs.NewPairingCode():
                own.lending.new_code()
            case macs.PairMac(code, address):
                own.presenter.pair(code, address)
            case macs.UnpairMac(mac):
                own.presenter.unpair(mac)
            case macs.UnpairLeader(mac):
                own.presenter.unpair_leader(mac)
            case macs.CopyToMac(model):
                own.copies.begin(model)
            case macs.StopCopy(model):
                own.copies.stop(model)
            case macs.GroupAgain():
                hosting.follow(connection.model)
                connection.use(connection.model)
            case macs.RunHere():
                hosting.alone.add(connection.model)
                connection.use(connection.model)
            case _:
                assert_never(intent)

    def _settings(self, intent: SettingsIntent) -> None:
        parts = self._parts
        match intent:
            case settings.ShowStorage():
                parts.cache_monitor.show()
            case settings.SetQuota(quota):
                parts.workspace.change(cache_quota=quota or None)
                parts.cache_monitor.refresh()
            case settings.SetCaching(enabled):
                parts.workspace.change(cache_enabled=enabled)
                parts.cache_monitor.show()
                parts.conversations.show_settings()
            case settings.ClearCaches():
                parts.conversations.clearing.begin()
            case settings.UndoClearCaches():
                parts.conversations.clearing.undo()
            case settings.CheckCaches():
                parts.cache_monitor.store_check.begin()
            case settings.StopCheck():
                parts.cache_monitor.store_check.stop()
            case settings.RemoveArrived():
                parts.cache_monitor.remove_arrived()
            case settings.RestoreBackup(backup):
                parts.recovery_flow.restore(backup)
            case settings.UndoRestore():
                parts.recovery_flow.undo()
            case settings.RecoverLibrary(way):
                parts.recovery_flow.act(way)
            case settings.ReplaceCopies():
                parts.copies.replace()
            case settings.MakeBackup():
                parts.copies.make()
            case settings.SetUnloadAfter(minutes):
                parts.workspace.keep_unload_after(minutes)
            case settings.SetPreferences(preferences):
                parts.workspace.keep_preferences(preferences)
            case settings.Reveal(folder):
                parts.folders.reveal(folder)
            case _:
                assert_never(intent)
