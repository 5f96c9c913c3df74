"""ChatModels: each open chat keeps the model that answered it, and is answered by it again.

It runs on the window's thread. The engine holds one model at a time. A chat's model is loaded when the chat is sent to,
not when it is opened.

Invariants:
- A chat that was answered keeps its model, the built-in one too, until the user changes it.
- No answer of another chat is stopped, and no message that waits is sent to another model, before the user agrees.
- A message that waits for that decision is in the chat's queue, so it survives a crash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from app.base.errors import StillAnswering
from app.base.model_names import DEMO
from app.conversations.chats import Chats
from app.engine_client.connection import EngineConnection
from app.engine_client.model_switch import ModelSwitch
from engine.protocol.errors import LoadCancelled
from engine.protocol.messages import Event, ModelFailed, ModelLoaded
from resources.language.text import mark, plural, tr
from storage.library.library import Library
from storage.library.rows import Conversation
from ui.intents.models import UndoAnswerAll
from ui.intents.notice import undo_notice

ANSWERED: Final = "model:answered"
"""The notice that offers to undo that a model answers the chats of the built-in one."""
_BUSY = mark("Another chat is being answered by another model. Wait for its end; the new words are in the message box.")


@dataclass(eq=False)
class ChatModels:
    """The tabs show the model of their chat. A chat without a model of its own follows the loaded one. `chats` keep
    the models of the chats.
    """

    _connection: EngineConnection
    _switch: ModelSwitch
    _chats: Chats
    _own: dict[str, str] = field(init=False, default_factory=dict)
    _changed: tuple[frozenset[str], str] = field(init=False, default=(frozenset(), ""))

    def opened(self, chat: Conversation) -> None:
        """A chat was opened. A model whose folder is away cannot answer."""
        if chat.leaf is not None and chat.model and chat.id not in self._own and Path(chat.model).is_dir():
            self._own[chat.id] = chat.model
        self._show(chat.id)

    def leave_library(self) -> None:
        """Another library has replaced the one on disk: its chats say which model answered them. The models of private
        chats, whose tabs are still open, stay.
        """
        tabs = self._chats.window.chats
        self._own = {chat: model for chat, model in self._own.items() if tabs.tab(chat) is not None}

    def pick(self, chat: str, model: str) -> None:
        """The user picked a model for the chat in front ("" for no chat): load it, after a question if that stops
        answers.
        """
        self._switch.pick(model, partial(self._note, chat, model))

    def ask_built_in(self, then: Callable[[bool], object]) -> None:
        """Call back whether the built-in model answers a chat of the library."""
        tasks = self._chats.kept.tasks
        tasks.run(lambda library: DEMO in library.conversations.models().values(), then, lambda _error: then(False))  # noqa: FBT003 - the answer

    def answer_all(self, model: str) -> None:
        """Let a model answer the chats of the built-in one, private ones too, and offer to undo that."""
        self._chats.run("", partial(_change, former=DEMO, model=model), partial(self._answers_all, model))

    def _answers_all(self, model: str, changed: frozenset[str]) -> None:
        changed |= {chat for chat, own in self._own.items() if own == DEMO}
        self._changed = changed, model
        for chat in changed:
            self._note(chat, model)
        told = plural(
            "{name} answers {count} chat of the built-in model from now on.",
            "{name} answers {count} chats of the built-in model from now on.",
            len(changed),
            name=self._connection.name_of(model),
        )
        self._chats.window.show_notice(undo_notice(ANSWERED, told, UndoAnswerAll()))

    def undo_answer_all(self) -> None:
        """Let the built-in model answer these chats again, except those that have another model by now."""
        self._chats.window.clear_notice(ANSWERED)
        changed, model = self._changed
        for chat in changed:
            if self._own.get(chat) == model:
                self._note(chat, DEMO)
        self._chats.run("", partial(_change, former=model, model=DEMO, among=changed))

    def submit(self, chat: str, text: str) -> None:
        """Send a message to the chat's model."""
        session = self._chats.sessions.of(chat)
        if session.busy:
            session.submit(text)  # it waits there, whatever becomes of the model
        elif self._must_ask(chat):
            session.outbox.add(text)
            session.outbox.pause()
            self._with_model(chat, session.outbox.resume)
        else:
            self._with_model(chat, partial(session.submit, text))

    def edit(self, chat: str, message: str, text: str, without: tuple[str, ...] = ()) -> None:
        """Replace a message. Its new text is not taken while another chat is being answered by another model."""
        session = self._chats.sessions.of(chat)
        if session.busy:
            session.edit(message, text, without)
        elif self._must_ask(chat):
            session.presenter.show_error(StillAnswering(tr(_BUSY)))
            session.outbox.aside.give_back(text)
        else:
            self._with_model(chat, partial(session.edit, message, text, without))

    def answer(self, chat: str, act: Callable[[], object]) -> None:
        """Do what has the model answer in this chat, once its own model is the wanted one."""
        if self._chats.sessions.of(chat).busy:
            act()
        else:
            self._with_model(chat, act)

    def engine_event(self, event: Event) -> None:
        """A model that cannot be loaded answers no chat: its chats follow the loaded one again. A load that the user
        cancelled changes nothing. A model that is loaded answers the messages that wait.
        """
        if isinstance(event, ModelLoaded) and event.path == self._connection.model:
            for chat in self._chats.sessions.waiting():
                self._note(chat, event.path)
        if isinstance(event, ModelFailed) and event.code != LoadCancelled.code:
            for chat in [chat for chat, model in self._own.items() if model == event.path]:
                del self._own[chat]
                self._show(chat)

    def _must_ask(self, chat: str) -> bool:
        return not self.is_wanted(chat) and self._chats.sessions.busy

    def is_wanted(self, chat: str) -> bool:
        """Whether the model that the engine has or loads is the chat's own. Another one may not prefill the chat."""
        return self._model_of(chat) == self._connection.model

    def _with_model(self, chat: str, act: Callable[[], object]) -> None:
        model = self._model_of(chat)

        def go() -> None:
            self._note(chat, model)
            act()

        if model == self._connection.model:
            go()
        else:
            self._switch.pick_to_send(model, go)

    def _model_of(self, chat: str) -> str:
        return self._own.get(chat, self._connection.model)

    def _note(self, chat: str, model: str) -> None:
        if chat:
            self._own[chat] = model
            self._show(chat)

    def _show(self, chat: str) -> None:
        if (tab := self._chats.window.chats.tab(chat)) is not None:
            own = self._own.get(chat, "")
            tab.show_model(own, self._connection.name_of(own) if own else "")


def _change(library: Library, former: str, model: str, among: frozenset[str] | None = None) -> frozenset[str]:
    """Let a model answer the chats of another one, or those `among` them. Returns their ids."""
    models = library.conversations.models()
    found = frozenset(chat for chat, own in models.items() if own == former and (among is None or chat in among))
    for chat in found:
        library.labels.set_model(chat, model)
    return found
