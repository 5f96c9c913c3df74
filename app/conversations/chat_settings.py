"""ChatSettings: the instructions, switches and sampling values of one conversation, saved and shown at each change. No
Qt.

A change holds from the next turn on. Instructions are words of the user: if the library refuses them, they stay on the
screen, and are saved again until the library accepts them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import msgspec

from app.base.errors import ValueRefused, refusal
from app.base.own_values import OwnValues
from app.base.ports import Ports
from app.chat.saves import NewestSaves
from app.conversations.chats import Chats
from app.conversations.presets import BALANCED, Presets
from engine.protocol.sampling_settings import Sampling
from storage.errors import NoSuchConversation
from storage.library.library import Library
from storage.library.rows import Conversation
from ui.state.chat_settings import ChatSettingsView, SamplingView
from ui.state.preferences import Preferences


class ChatSettings:
    """`presets` are the user's. `systems` are the instructions that the library did not take yet."""

    def __init__(self, chats: Chats, presets: Presets) -> None:
        self._chats = chats
        self.presets = presets

        def job(conversation: str, text: str) -> Callable[[Library], Conversation]:
            return _changing(conversation, lambda library: library.labels.set_system(conversation, text))

        def saved(conversation: str, _: str, chat: Conversation) -> None:
            self.show_chat(chat)
            chats.sessions.warm(conversation)

        def refused(_: str, error: Exception) -> None:
            """Those of a chat that was just deleted are saved, but cannot be shown."""
            if not isinstance(error, NoSuchConversation):
                chats.window.show_notice(refusal(error))

        self.systems = NewestSaves(lambda chat: chats.of(chat).tasks, job, saved, refused)

    def show(self, conversation: str) -> None:
        """Show the settings as they are now."""
        self._chats.run(conversation, lambda library: library.conversations.get(conversation), self.show_chat)

    def show_chat(self, chat: Conversation, refused: tuple[str, str] = ("", "")) -> None:
        """Show the settings of a conversation that was just loaded, with the newest instructions."""
        ports, chat = self._chats.of(chat.id), replace(chat, system=self.systems.get(chat.id, chat.system))
        self._chats.window.store.chat_settings.put(_view(chat, ports, self.presets.words(chat), refused))

    def set_system(self, conversation: str, text: str) -> None:
        """Give a conversation its own instructions."""
        self.systems.put(conversation, text.strip())

    def untouched(self, library: Library, only: str = "") -> Conversation | None:
        """The newest chat that is as a new one begins, on the library's thread. With `only`, that one or none."""
        return library.conversations.untouched(*self.beginning(self._chats.kept.preferences()), only)

    def beginning(self, prefers: Preferences) -> tuple[str, str, str]:
        """The instructions, the preset and its values with which a new chat begins."""
        return prefers.system, prefers.preset, self.presets.values(prefers.preset).encoded()

    def begin_again(self, conversation: str, former: Preferences) -> None:
        """Give a chat what new chats begin with now, if it is still as they began with the `former` preferences."""
        before, now = self.beginning(former), self.beginning(self._chats.kept.preferences())

        def job(library: Library) -> Conversation | None:
            if library.conversations.untouched(*before, conversation) is None:
                return None
            library.labels.set_system(conversation, now[0])
            library.labels.set_preset(conversation, *now[1:])
            return library.conversations.get(conversation)

        def show(chat: Conversation | None) -> None:
            if chat is not None:
                self.show_chat(chat)

        if before != now:
            self._chats.run(conversation, job, show)

    def set_switch(self, conversation: str, name: str, is_on: bool) -> None:  # noqa: FBT001 - a signal's value
        """Turn one of a conversation's switches on or off. Most change its prompt. The cache of a conversation that may
        not be cached any more is dropped.
        """

        def switched(chat: Conversation) -> None:
            self.show_chat(chat)
            if name == "cached" and not is_on:
                self._chats.sessions.of(conversation).forget()
            else:
                self._chats.sessions.warm(conversation)

        job = _changing(conversation, lambda library: library.labels.switch(conversation, **{name: is_on}))
        self._chats.change(conversation, job, switched)

    def set_preset(self, conversation: str, preset: str) -> None:
        """Sample the next answers with a preset."""
        values = self.presets.values(preset).encoded()
        job = _changing(conversation, lambda library: library.labels.set_preset(conversation, preset, values))
        self._chats.run(conversation, job, self.show_chat)

    def set_value(self, conversation: str, name: str, text: str) -> None:
        """Set one sampling value to what the user typed, or say why that is not possible."""

        def job(library: Library) -> tuple[Conversation, tuple[str, str]]:
            chat = library.conversations.get(conversation)
            try:
                values = OwnValues.of(chat.sampling).changed(name, text)
            except ValueRefused as error:
                return chat, (name, str(error))
            library.labels.set_preset(conversation, chat.preset, values.encoded())
            return library.conversations.get(conversation), ("", "")

        self._chats.run(conversation, job, lambda found: self.show_chat(*found))

    def save_preset(self, conversation: str, name: str) -> None:
        """Save the values of a conversation as a preset, which it uses from then on."""

        def save(chat: Conversation) -> None:
            """The preset holds every value that the chat has, also the model's: the user saves what the pane shows."""
            ports = self._chats.of(chat.id)
            shown = OwnValues.all_of(ports.sampling(chat))
            if preset := self.presets.save(name, msgspec.structs.replace(shown, **dict.fromkeys(ports.unknown(chat)))):
                self.set_preset(chat.id, preset)

        self._chats.run(conversation, lambda library: library.conversations.get(conversation), save)


def _changing(conversation: str, job: Callable[[Library], object]) -> Callable[[Library], Conversation]:
    """The job, and then the conversation as it is."""

    def changed(library: Library) -> Conversation:
        job(library)
        return library.conversations.get(conversation)

    return changed


def _view(chat: Conversation, ports: Ports, preset_words: str, refused: tuple[str, str]) -> ChatSettingsView:
    plain = replace(chat, preset=BALANCED, sampling="")  # as if it left everything to the model
    return ChatSettingsView(
        chat.id,
        chat.system,
        ports.model_settings().system,
        chat.preset,
        preset_words,
        sampling_view(ports.sampling(chat), ports.unknown(chat)),
        sampling_view(ports.sampling(plain), ports.unknown(plain)),
        OwnValues.of(chat.sampling).names,
        thinking=chat.switches.thinking,
        folder=chat.folder,
        tags=chat.tags,
        pinned=chat.pinned,
        cached=chat.switches.cached,
        on_disk=ports.on_disk(),
        private=ports.private,
        refused=refused,
    )


def sampling_view(sampling: Sampling, unknown: frozenset[str]) -> SamplingView:
    """The values as the window shows them, without those that are not known yet."""
    values = {one.name: getattr(sampling, one.name) for one in fields(SamplingView)}
    return SamplingView(**values | dict.fromkeys(unknown))
