"""Carries out the actions of notices, which are named by their keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from app.backup.recovery import KEPT
from app.chat.overflow import FULL
from app.chat.turn_removal import BRANCHED, DELETED
from app.conversations.chat_folders import EMPTIED
from app.conversations.removal import UNDO
from app.conversations.transfer import TRANSFER
from app.desktop.workspace import UNOPENED
from app.engine_client.chat_models import ANSWERED
from app.engine_client.connection import MODEL_KEY, RESTART_KEY
from app.engine_client.group import GROUP_KEY
from app.macs.copies import COPY
from app.models.choice import ANSWER_ALL, USE
from app.models.presenter import DROPPED
from ui.intents.settings import NoticeAction, NoticeOther

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.desktop.wiring import AppParts
    from ui.intents.settings import NoticeIntent


class NoticeDispatch:
    """One match for the first action of a notice, and one for the second."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._chats = parts.conversations
        self._by_key: dict[str, Callable[[], object]] = {
            TRANSFER: parts.conversations.transfer.cancel_or_import_again,
            MODEL_KEY: parts.model_switch.load_anyway,
            KEPT: partial(parts.folders.reveal, "replaced"),
        }

    def handle(self, intent: NoticeIntent) -> None:
        """Do what the button of a notice says."""
        match intent:
            case NoticeAction(key):
                self._act(key)
            case NoticeOther(key):
                self._act_otherwise(key)
            case _:
                assert_never(intent)

    def _act(self, key: str) -> None:
        parts = self._parts
        if key.startswith(FULL):
            chat = key.removeprefix(FULL)
            parts.chat_models.answer(chat, lambda: self._chats.sessions.of(chat).leave_out())
        elif key.startswith((DELETED, BRANCHED, UNDO, EMPTIED, ANSWERED)):
            self._undo(key)
        elif key == RESTART_KEY:
            parts.connection.starting()
            parts.engine_process.restart()
        elif key.startswith((USE, ANSWER_ALL)):
            self._use(key)
        elif key.startswith(DROPPED):
            parts.models.add_folder(key.removeprefix(DROPPED))
        elif key.startswith(UNOPENED):
            parts.window.clear_notice(key)
            self._chats.tabs.open(key.removeprefix(UNOPENED))
        elif (act := self._by_key.get(key)) is not None:
            act()
        else:
            self._act_on_macs(key)
            parts.recovery_flow.act(key)
            parts.stale_copies.act(key)

    def _undo(self, key: str) -> None:
        chats = self._chats
        if key.startswith(DELETED):
            chats.sessions.of(key.removeprefix(DELETED)).removal.restore()
        elif key.startswith(BRANCHED):
            chats.sessions.of(key.removeprefix(BRANCHED)).branch_return.undo()
        elif key.startswith(EMPTIED):
            chats.folders.undo(key.removeprefix(EMPTIED))
        elif key == ANSWERED:
            self._parts.chat_models.undo_answer_all()
        else:
            chats.removal.undo(key.removeprefix(UNDO))

    def _act_on_macs(self, key: str) -> None:
        parts = self._parts
        if key == GROUP_KEY:
            parts.hosting.follow(parts.connection.model)
            parts.connection.use(parts.connection.model)
        elif key.startswith(COPY):
            parts.macs.copies.act(key)

    def _act_otherwise(self, key: str) -> None:
        if key.startswith(FULL):
            self._chats.creation.carry_on(key.removeprefix(FULL))
        elif key.startswith(USE):
            self._answer_all(key.removeprefix(USE))
            self._parts.window.clear_notice(key)
        elif key == GROUP_KEY:
            self._parts.hosting.keep_here(self._parts.connection.model)
            self._parts.connection.use(self._parts.connection.model)
        else:
            self._parts.recovery_flow.act_otherwise(key)

    def _use(self, key: str) -> None:
        self._parts.window.clear_notice(key)
        if key.startswith(ANSWER_ALL):
            self._answer_all(key.removeprefix(ANSWER_ALL))
            return
        model = key.removeprefix(USE)
        self._parts.models.note_base(model)
        self._parts.chat_models.pick(self._parts.window.chats.current(), model)

    def _answer_all(self, model: str) -> None:
        self._parts.models.note_base(model)
        self._parts.chat_models.answer_all(model)
