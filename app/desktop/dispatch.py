"""Carries out what the user asks of the window: every `Intent` leads to one use case. Runs on the window's thread.

Each match is exhaustive: mypy refuses an intent that no case handles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from app.chat.overflow import FULL
from app.conversations.list import UNDO
from app.desktop.model_choice import USE
from app.engine_client.connection import MODEL_KEY, RESTART_KEY
from app.hub.found_model import is_repository
from app.models.names import DEMO
from app.updates.updates import KEY as UPDATE
from ui import intents, model_intents
from ui.intents import (
    DraftIntent,
    InChat,
    LabelIntent,
    ListIntent,
    ModelIntent,
    NoticeIntent,
    SettingsIntent,
    TabIntent,
    TrashIntent,
    TurnIntent,
    UpdateIntent,
)
from ui.model_intents import DownloadIntent, FindIntent, LoadIntent, LocalModelIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents import ChatIntent, Intent


class Dispatch:
    """One match for each group of intents."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._chats = parts.conversations

    def handle(self, intent: Intent) -> None:
        """Do what the user asks."""
        if isinstance(intent, InChat):
            self._in_chat(intent.conversation, intent.intent)
        elif isinstance(intent, ListIntent):
            self._in_list(intent)
        elif isinstance(intent, TrashIntent):
            self._in_trash(intent)
        elif isinstance(intent, ModelIntent):
            self._model(intent)
        elif isinstance(intent, SettingsIntent):
            self._settings(intent)
        elif isinstance(intent, UpdateIntent):
            self._update(intent)
        elif isinstance(intent, NoticeIntent):
            self._notice(intent)
        else:
            assert_never(intent)

    def _in_chat(self, chat: str, intent: ChatIntent) -> None:
        if isinstance(intent, TurnIntent):
            self._turn(chat, intent)
        elif isinstance(intent, DraftIntent):
            self._draft(chat, intent)
        elif isinstance(intent, LabelIntent):
            self._label(chat, intent)
        elif isinstance(intent, TabIntent):
            self._tab(chat, intent)
        else:
            assert_never(intent)

    def _turn(self, chat: str, intent: TurnIntent) -> None:
        session = self._chats.sessions.of(chat)
        match intent:
            case intents.Submit(text):
                session.submit(text)
            case intents.Stop():
                session.stop()
            case intents.Pause():
                session.pause()
            case intents.Resume():
                session.resume()
            case intents.Extend(message):
                session.extend(message)
            case intents.Retry(message, count):
                session.retry(message, count)
            case intents.Edit(message, text):
                session.edit(message, text)
            case intents.Step(message, by):
                session.step(message, by)
            case intents.ShowEarlier(before):
                session.earlier(before)
            case _:
                assert_never(intent)

    def _draft(self, chat: str, intent: DraftIntent) -> None:
        match intent:
            case intents.SaveDraft(text):
                self._chats.drafts.save(chat, text)
            case intents.Attach(path):
                self._chats.attachments.attach(chat, path)
            case intents.Detach(attachment):
                self._chats.attachments.detach(chat, attachment)
            case _:
                assert_never(intent)

    def _label(self, chat: str, intent: LabelIntent) -> None:
        labels = self._chats.labels
        match intent:
            case intents.Rename(title):
                labels.rename(chat, title)
            case intents.Pin(pinned):
                labels.pin(chat, pinned)
            case intents.MoveToFolder(folder):
                labels.move_to_folder(chat, folder)
            case intents.SetTags(tags):
                labels.set_tags(chat, tags)
            case intents.KeepWarm(cached):
                labels.set_cached(chat, cached)
            case intents.SetThinking(thinking):
                labels.set_thinking(chat, thinking)
            case intents.SetPreset(preset):
                labels.set_preset(chat, preset)
            case _:
                assert_never(intent)

    def _tab(self, chat: str, intent: TabIntent) -> None:
        match intent:
            case intents.Open():
                self._chats.tabs.open(chat)
            case intents.CloseTab():
                self._chats.removal.close(chat)
            case intents.Delete():
                self._chats.removal.delete(chat)
            case intents.Fork(message):
                self._chats.creation.fork(chat, message)
            case intents.Export(path):
                self._chats.transfer.export_file(chat, path)
            case intents.FindWarmModels():
                self._chats.sessions.of(chat).find_warm_models()
            case _:
                assert_never(intent)

    def _in_list(self, intent: ListIntent) -> None:
        chats = self._chats
        match intent:
            case intents.NewChat():
                chats.creation.new()
            case intents.NewPrivateChat():
                chats.creation.new_private()
            case intents.FocusTab(chat):
                chats.tabs.focus(chat)
            case intents.Search(text):
                chats.list.search(text)
            case intents.RenameFolder(folder, to):
                chats.labels.rename_folder(folder, to)
            case intents.Import(path):
                chats.transfer.import_file(path)
            case intents.ExportAll(path):
                chats.transfer.export_file("", path)
            case _:
                assert_never(intent)

    def _in_trash(self, intent: TrashIntent) -> None:
        """Erased words may be in older copies of the library too: offer to replace those, behind the erasing."""
        trash = self._chats.trash
        match intent:
            case intents.ShowDeleted():
                trash.show()
            case intents.Undelete(chat):
                trash.undelete(chat)
            case intents.Erase(chat):
                trash.erase(chat)
                self._parts.stale_copies.offer()
            case intents.EraseAll():
                trash.erase_all()
                self._parts.stale_copies.offer()
            case _:
                assert_never(intent)

    def _model(self, intent: ModelIntent) -> None:
        if isinstance(intent, DownloadIntent):
            self._download(intent)
        elif isinstance(intent, LoadIntent):
            self._load(intent)
        elif isinstance(intent, LocalModelIntent):
            self._local_model(intent)
        else:
            self._find(intent)

    def _find(self, intent: FindIntent) -> None:
        match intent:
            case model_intents.SearchHub(text):
                self._parts.finder.search(text)
                self._parts.hub_token.look()
            case model_intents.ShowModel(model):
                self._show_model(model)
            case model_intents.FinishWelcome():
                self._parts.welcome.finish()
            case model_intents.LookAround():
                self._look_around()
            case _:
                assert_never(intent)

    def _look_around(self) -> None:
        """Return to the built-in model if a downloaded pick has become the model meanwhile. Otherwise pick no model,
        so that a download can still become the model.
        """
        if self._parts.connection.model != DEMO:
            self._parts.model_switch.pick(DEMO)
        self._parts.welcome.finish()

    def _load(self, intent: LoadIntent) -> None:
        switch = self._parts.model_switch
        match intent:
            case model_intents.PickModel(model):
                self._parts.models_on_disk.note_base(model)
                switch.pick(model)
            case model_intents.ChatWith(model):
                self._parts.models_on_disk.note_base(model)
                switch.pick(model, self._chats.creation.new)
            case model_intents.PickKvBits(bits):
                self._parts.workspace.keep_kv_bits(self._parts.connection.model, bits)
                switch.reload()
            case model_intents.UnloadModel():
                switch.unload()
            case model_intents.CancelLoad():
                self._parts.connection.cancel_load()
            case model_intents.ConfirmSwitch():
                switch.confirm()
            case model_intents.KeepAnswering():
                switch.decline()
            case _:
                assert_never(intent)

    def _local_model(self, intent: LocalModelIntent) -> None:
        models = self._parts.models_on_disk
        match intent:
            case model_intents.ShowModels():
                models.presenter.open()
                self._parts.downloads.retry()
            case model_intents.ConfigureModel(model, settings):
                if models.configure(model, settings):
                    self._parts.model_switch.reload()
            case model_intents.AddModelFolder(path):
                models.add_folder(path)
            case model_intents.DropModelFolder(path):
                models.drop_folder(path)
            case model_intents.RevealModel(model):
                models.reveal(model)
            case _:
                assert_never(intent)

    def _download(self, intent: DownloadIntent) -> None:
        parts = self._parts
        match intent:
            case model_intents.Download(repository, revision):
                parts.downloads.request(repository, revision)
            case model_intents.PauseDownload(repository):
                parts.downloads.pause(repository)
            case model_intents.CancelDownload(repository):
                parts.downloads.cancel(repository)
            case model_intents.RemoveModel(model):
                parts.model_removal.remove(model)
            case model_intents.SetHubToken(token):
                parts.hub_token.keep(token)
            case _:
                assert_never(intent)

    def _show_model(self, model: str) -> None:
        """A model on the hub is named publisher/name, one on this machine by its folder."""
        if is_repository(model):
            self._parts.finder.show(model)
        else:
            self._parts.finder.leave()
            self._parts.models_on_disk.presenter.show(model)

    def _settings(self, intent: SettingsIntent) -> None:
        parts = self._parts
        match intent:
            case intents.ShowStorage():
                parts.cache_monitor.show()
            case intents.SetQuota(quota):
                parts.workspace.keep_quota(quota)
                parts.cache_monitor.refresh()
            case intents.SetCaching(enabled):
                parts.workspace.keep_caching(enabled)
                parts.cache_monitor.show()
            case intents.SetUnloadAfter(minutes):
                parts.workspace.keep_unload_after(minutes)
            case intents.ClearCaches():
                parts.cache_monitor.clear()
            case intents.RestoreBackup(backup):
                parts.recovery_flow.restore(backup)
            case intents.Reveal(folder):
                parts.folders.reveal(folder)
            case _:
                assert_never(intent)

    def _update(self, intent: UpdateIntent) -> None:
        updates = self._parts.updates
        match intent:
            case intents.ShowUpdate():
                updates.show()
            case intents.AllowUpdateChecks(allowed):
                updates.allow(allowed)
            case intents.CheckForUpdate():
                updates.check()
            case intents.OpenUpdatePage():
                updates.open_page()
            case intents.SkipUpdate():
                updates.skip()
            case _:
                assert_never(intent)

    def _notice(self, intent: NoticeIntent) -> None:
        match intent:
            case intents.NoticeAction(key):
                self._act(key)
            case intents.NoticeOther(key):
                self._act_otherwise(key)
            case _:
                assert_never(intent)

    def _act(self, key: str) -> None:
        parts = self._parts
        if key.startswith(FULL):
            self._chats.sessions.of(key.removeprefix(FULL)).leave_out()
        elif key.startswith(UNDO):
            self._chats.list.undo_delete(key.removeprefix(UNDO))
        elif key == RESTART_KEY:
            parts.connection.starting()
            parts.engine_process.restart()
        elif key.startswith(USE):
            parts.window.clear_notice(key)
            self._load(model_intents.PickModel(key.removeprefix(USE)))
        elif key == MODEL_KEY:
            parts.model_switch.load_anyway()
        elif key == UPDATE:
            parts.window.dialogs.open_update()
        else:
            parts.recovery_flow.act(key)
            parts.stale_copies.act(key)

    def _act_otherwise(self, key: str) -> None:
        if key.startswith(FULL):
            self._chats.creation.carry_on(key.removeprefix(FULL))
        elif key == UPDATE:
            self._parts.updates.skip()
        else:
            self._parts.recovery_flow.act_otherwise(key)
