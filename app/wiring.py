"""Which signal leads where: the window to the conversations and the engine's line. Owns connections only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.chat_list import UNDO
from app.context import FULL
from app.engine_line import RESTART_KEY

if TYPE_CHECKING:
    from app.conversations import Conversations
    from app.desk import Desk
    from app.engine_bridge import EngineBridge
    from app.engine_line import EngineLine
    from app.farewell import Farewell
    from ui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Rooms:
    """The parts of the app with a window."""

    window: MainWindow
    conversations: Conversations
    line: EngineLine
    bridge: EngineBridge
    desk: Desk
    farewell: Farewell


class Wiring(QObject):
    """Connects the rooms for as long as it lives, and gives them the beat of a second."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__()
        self._rooms = rooms
        self._second = QTimer(self, interval=1000)
        self._second.timeout.connect(rooms.conversations.tick)
        self._second.start()
        self._connect_conversations()
        self._connect_app()
        rooms.line.serve(rooms.conversations)

    def _connect_conversations(self) -> None:
        window, conversations = self._rooms.window, self._rooms.conversations
        window.new_chat_requested.connect(conversations.new)
        window.chat_opened.connect(conversations.open)
        window.tab_shown.connect(conversations.shown)
        window.tab_closed.connect(conversations.closed)
        window.submitted.connect(conversations.submit)
        window.stop_requested.connect(conversations.stop)
        window.continue_requested.connect(conversations.extend)
        window.retry_requested.connect(conversations.retry)
        window.alternatives_requested.connect(conversations.alternatives)
        window.edit_requested.connect(conversations.edit)
        window.fork_requested.connect(conversations.fork)
        window.step_requested.connect(conversations.step)
        window.pause_requested.connect(conversations.pause)
        window.resume_requested.connect(conversations.resume)
        window.thinking_changed.connect(conversations.set_thinking)
        window.draft_changed.connect(conversations.save_draft)
        window.rename_requested.connect(conversations.rename)
        window.delete_requested.connect(conversations.delete)
        window.search_changed.connect(conversations.list.search)
        window.preset_picked.connect(conversations.set_preset)

    def _connect_app(self) -> None:
        window = self._rooms.window
        window.model_picked.connect(self._use_model)
        window.kv_bits_picked.connect(self._use_kv_bits)
        window.notice_acted.connect(self._act)
        window.notice_other.connect(self._act_otherwise)
        window.closing.connect(self._close)

    def _use_model(self, model: str) -> None:
        self._rooms.desk.keep_model(model)
        self._rooms.line.use(model)

    def _use_kv_bits(self, bits: int) -> None:
        self._rooms.desk.keep_kv_bits(self._rooms.line.model, bits)
        self._rooms.line.reload()

    def _act(self, key: str) -> None:
        if key.startswith(FULL):
            self._rooms.conversations.leave_out(key.removeprefix(FULL))
        elif key.startswith(UNDO):
            self._rooms.conversations.list.undo_delete(key.removeprefix(UNDO))
        elif key == RESTART_KEY:
            self._rooms.line.starting()
            self._rooms.bridge.restart()

    def _act_otherwise(self, key: str) -> None:
        if key.startswith(FULL):
            self._rooms.conversations.carry_on(key.removeprefix(FULL))

    def _close(self) -> None:
        self._second.stop()
        self._rooms.desk.clear(self._rooms.conversations)
        self._rooms.farewell.begin()
