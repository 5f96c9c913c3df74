"""Carries out the intents in one conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ui.intents import chat as chat_intents
from ui.intents import chat_settings, queue
from ui.intents.chat import (
    AnswerIntent,
    ContextIntent,
    DraftIntent,
    LabelIntent,
    ReadingIntent,
    TabIntent,
    TurnIntent,
)
from ui.intents.chat_settings import ChatSettingsIntent
from ui.intents.queue import QueueIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.chat import ChatIntent


class ChatDispatch:
    """One match for each group of intents in one conversation."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._chats = parts.conversations

    def handle(self, chat: str, intent: ChatIntent) -> None:
        """Do what the user asks in a conversation."""
        if isinstance(intent, AnswerIntent):
            self._answer(chat, intent)
        elif isinstance(intent, TurnIntent):
            self._turn(chat, intent)
        elif isinstance(intent, ContextIntent):
            self._fit(chat, intent)
        elif isinstance(intent, ReadingIntent):
            self._read(chat, intent)
        elif isinstance(intent, DraftIntent):
            self._draft(chat, intent)
        elif isinstance(intent, QueueIntent):
            self._queue(chat, intent)
        elif isinstance(intent, LabelIntent):
            self._label(chat, intent)
        elif isinstance(intent, TabIntent):
            self._tab(chat, intent)
        elif isinstance(intent, ChatSettingsIntent):
            self._set(chat, intent)
        else:
            assert_never(intent)

    def _answer(self, chat: str, intent: AnswerIntent) -> None:
        """The chat's own model answers. It may have to be loaded first."""
        models, sessions = self._parts.chat_models, self._chats.sessions
        match intent:
            case chat_intents.Submit(text):
                models.submit(chat, text)
            case chat_intents.Edit(message, text, without):
                models.edit(chat, message, text, without)
            case chat_intents.Extend(message):
                models.answer(chat, lambda: sessions.of(chat).extend(message))
            case chat_intents.Retry(message, count):
                models.answer(chat, lambda: sessions.of(chat).retry(message, count))
            case queue.SendQueuedNow(message):
                models.answer(chat, lambda: sessions.of(chat).send_now(message))
            case queue.SendQueued():
                models.answer(chat, sessions.of(chat).outbox.resume)
            case _:
                assert_never(intent)

    def _turn(self, chat: str, intent: TurnIntent) -> None:
        session = self._chats.sessions.of(chat)
        match intent:
            case chat_intents.Stop():
                session.stop()
            case chat_intents.PauseAnswer():
                session.pause()
            case chat_intents.ResumeAnswer():
                session.resume()
            case chat_intents.DeleteTurn(message):
                session.removal.remove(message)
            case _:
                assert_never(intent)

    def _fit(self, chat: str, intent: ContextIntent) -> None:
        match intent:
            case chat_intents.ReadAll():
                self._chats.sessions.of(chat).read_all()
            case chat_intents.LeaveOut():
                self._parts.chat_models.answer(chat, self._chats.sessions.of(chat).leave_out)
            case chat_intents.CarryOn():
                self._chats.creation.carry_on(chat)
            case _:
                assert_never(intent)

    def _read(self, chat: str, intent: ReadingIntent) -> None:
        sessions = self._chats.sessions
        match intent:
            case chat_intents.Step(message, by):
                sessions.of(chat).step(message, by)
            case chat_intents.ShowEarlier(before, until):
                sessions.of(chat).earlier(before, until)
            case chat_intents.FindEarlier(terms, before):
                sessions.of(chat).find_earlier(terms, before)
            case chat_intents.ShowFile(attachment):
                self._chats.attached.show(chat, attachment)
            case chat_intents.SaveFile(attachment, path):
                self._chats.attached.save(chat, attachment, path)
            case _:
                assert_never(intent)

    def _queue(self, chat: str, intent: QueueIntent) -> None:
        session = self._chats.sessions.of(chat)
        match intent:
            case queue.EditQueued(message):
                session.outbox.edit(message)
            case queue.DropQueued(message):
                session.outbox.drop(message)
            case _:
                assert_never(intent)

    def _draft(self, chat: str, intent: DraftIntent) -> None:
        match intent:
            case chat_intents.SaveDraft(text, edits):
                self._chats.save_draft(chat, text, edits)
            case chat_intents.CountDraft(text, message, without):
                self._chats.sessions.of(chat).cost.count(text, message, without)
            case chat_intents.Attach(paths):
                self._chats.attachments.attach(chat, paths)
            case chat_intents.AttachPicture():
                self._chats.attachments.attach_picture(chat)
            case chat_intents.AttachText(text):
                self._chats.attachments.attach_text(chat, text)
            case chat_intents.Detach(attachment):
                self._chats.attachments.detach(chat, attachment)
            case _:
                assert_never(intent)

    def _label(self, chat: str, intent: LabelIntent) -> None:
        labels = self._chats.labels
        match intent:
            case chat_intents.Rename(title):
                labels.rename(chat, title)
            case chat_intents.Pin(pinned):
                labels.pin(chat, pinned=pinned)
            case chat_intents.MoveToFolder(folder):
                labels.move_to_folder(chat, folder=folder)
            case chat_intents.SetTags(tags):
                labels.set_tags(chat, tags)
            case _:
                assert_never(intent)

    def _tab(self, chat: str, intent: TabIntent) -> None:
        match intent:
            case chat_intents.Open():
                self._chats.tabs.show(chat)
            case chat_intents.OpenAt(message, terms):
                self._chats.tabs.open_at(chat, message, terms)
            case chat_intents.CloseTab():
                self._chats.close_tab(chat)
            case chat_intents.Delete():
                self._chats.delete(chat)
            case chat_intents.Fork(message):
                self._chats.creation.fork(chat, message)
            case chat_intents.Export(path):
                self._chats.transfer.export_file(chat, path)
            case chat_intents.CopyAsMarkdown():
                self._chats.transfer.copy_markdown(chat)
            case chat_intents.FindWarmModels():
                self._chats.sessions.of(chat).find_warm_models()
            case _:
                assert_never(intent)

    def _set(self, chat: str, intent: ChatSettingsIntent) -> None:
        settings = self._chats.settings
        match intent:
            case chat_settings.ShowChatSettings():
                self._chats.inspect(chat)
            case chat_settings.HideChatSettings():
                self._chats.memory.leave(chat)
            case chat_settings.ClearMemory():
                self._chats.memory.clear(chat)
                self._parts.cache_monitor.show()
            case chat_settings.SetSystem(text):
                settings.set_system(chat, text)
            case chat_settings.SetSwitch(name, is_on):
                settings.set_switch(chat, name, is_on)
            case chat_settings.SetPreset(preset):
                settings.set_preset(chat, preset)
            case chat_settings.SetValue(name, text):
                settings.set_value(chat, name, text)
            case chat_settings.SavePreset(name):
                settings.save_preset(chat, name)
            case _:
                assert_never(intent)
