"""LastModel: says once, when a chat is opened, which model answered it last if another one would answer now.

Runs on the window's thread. The notice belongs to its chat and offers to load that model; nothing is switched unasked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from app.models.names import DEMO
from resources.language.text import tr
from ui.state.notice import Notice
from ui.theme.phrases import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.library.rows import Conversation

KEY: Final = "model:last:"
"""A notice about the chat that follows."""
_LONGEST: Final = 60


class NoticeSink(Protocol):
    """Shows notices."""

    def show_notice(self, notice: Notice) -> None:
        """Show a notice. It replaces one with the same key."""

    def clear_notice(self, key: str) -> None:
        """Remove a notice."""


class LastModel:
    """`current` returns the model that would answer now, `name_of` the name of a model."""

    def __init__(self, window: NoticeSink, current: Callable[[], str], name_of: Callable[[str], str]) -> None:
        self._window = window
        self._current = current
        self._name_of = name_of
        self._models: dict[str, str] = {}

    def opened(self, chat: Conversation) -> None:
        """A chat was opened. The built-in model is not missed, and a model whose folder is away cannot be used."""
        model = chat.model
        is_known = self._models.get(chat.id) == model
        self._models[chat.id] = model
        if chat.leaf is None or is_known or model in {"", DEMO, self._current()} or not Path(model).is_dir():
            return
        last, now = (shortened(self._name_of(one), _LONGEST) for one in (model, self._current()))
        text = tr("{last} answered this chat last. {now} answers now.", last=last, now=now)
        self._window.show_notice(Notice(KEY + chat.id, text, tr("Use {last}", last=last), conversation=chat.id))

    def take(self, key: str) -> str:
        """The user wants the model of this notice. Returns it."""
        self._window.clear_notice(key)
        return self._models[key.removeprefix(KEY)]

    def answered(self, conversation: str) -> None:
        """The loaded model has answered the chat, so the notice is out of date."""
        self._window.clear_notice(KEY + conversation)

    def switched(self) -> None:
        """Another model answers from now on: it may be the one that was missed."""
        for conversation, model in self._models.items():
            if model == self._current():
                self._window.clear_notice(KEY + conversation)
