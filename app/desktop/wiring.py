"""Which signal leads where: the window to the conversations and the engine's line. Owns connections only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.chat.overflow import FULL
from app.conversations.list import UNDO
from app.engine_client.connection import RESTART_KEY
from app.updates.updates import KEY as UPDATE

if TYPE_CHECKING:
    from app.backup.recovery_flow import Rescuing
    from app.cache.monitor import Storekeeper
    from app.conversations.conversations import Conversations
    from app.desktop.folders import Folders
    from app.desktop.shutdown import Farewell
    from app.desktop.workspace import Desk
    from app.engine_client.connection import EngineLine
    from app.engine_client.process import EngineBridge
    from app.updates.updates import Updates
    from ui.window.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Rooms:
    """The parts of the app with a window."""

    window: MainWindow
    conversations: Conversations
    line: EngineLine
    bridge: EngineBridge
    desk: Desk
    farewell: Farewell
    keeper: Storekeeper
    rescuing: Rescuing
    folders: Folders
    updates: Updates


class Wiring(QObject):
    """Connects the rooms for as long as it lives, and gives them the beat of a second."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__()
        self._rooms = rooms
        self._second = QTimer(self, interval=1000)
        self._second.timeout.connect(rooms.conversations.tick)
        self._second.start()
        self._second.timeout.connect(rooms.keeper.tick)
        self._second.timeout.connect(rooms.updates.tick)
        self._connect_chats()
        self._connect_labels()
        self._connect_talk()
        self._connect_app()
        self._connect_updates()
        rooms.line.serve(rooms.conversations)
        rooms.line.keep(rooms.keeper)

    def _connect_chats(self) -> None:
        window, conversations = self._rooms.window, self._rooms.conversations
        window.new_chat_requested.connect(conversations.new)
        window.private_chat_requested.connect(conversations.new_private)
        window.chat_opened.connect(conversations.open)
        window.tab_shown.connect(conversations.shown)
        window.tab_closed.connect(conversations.closed)
        window.delete_requested.connect(conversations.delete)
        window.fork_requested.connect(conversations.fork)
        window.draft_changed.connect(conversations.save_draft)
        window.search_changed.connect(conversations.list.search)
        window.attach_requested.connect(conversations.files.attach)
        window.detach_requested.connect(conversations.files.detach)
        window.import_requested.connect(conversations.transfer.bring)
        window.export_requested.connect(conversations.transfer.take)

    def _connect_labels(self) -> None:
        window, labels, trash = self._rooms.window, self._rooms.conversations.labels, self._rooms.conversations.trash
        window.rename_requested.connect(labels.rename)
        window.pin_changed.connect(labels.pin)
        window.folder_changed.connect(labels.put_into)
        window.folder_renamed.connect(labels.rename_folder)
        window.tags_changed.connect(labels.tag)
        window.cached_changed.connect(labels.keep_warm)
        window.thinking_changed.connect(labels.set_thinking)
        window.preset_picked.connect(labels.set_preset)
        window.deleted_requested.connect(trash.show)
        window.undelete_requested.connect(trash.undelete)
        window.erase_requested.connect(trash.erase)
        window.erase_all_requested.connect(trash.erase_all)

    def _connect_talk(self) -> None:
        window, talk = self._rooms.window, self._rooms.conversations.talk
        window.submitted.connect(talk.submit)
        window.stop_requested.connect(talk.stop)
        window.continue_requested.connect(talk.extend)
        window.retry_requested.connect(talk.retry)
        window.alternatives_requested.connect(talk.alternatives)
        window.edit_requested.connect(talk.edit)
        window.step_requested.connect(talk.step)
        window.pause_requested.connect(talk.pause)
        window.resume_requested.connect(talk.resume)
        window.earlier_requested.connect(talk.earlier)

    def _connect_app(self) -> None:
        window, rooms = self._rooms.window, self._rooms
        window.model_picked.connect(rooms.line.use)
        window.kv_bits_picked.connect(self._use_kv_bits)
        window.settings_requested.connect(rooms.keeper.show)
        window.quota_changed.connect(self._use_quota)
        window.caching_changed.connect(self._use_caching)
        window.caches_clear_requested.connect(rooms.keeper.clear)
        window.backup_restore_requested.connect(rooms.rescuing.restore)
        window.reveal_requested.connect(rooms.folders.reveal)
        window.notice_acted.connect(self._act)
        window.notice_other.connect(self._act_otherwise)
        window.closing.connect(self._close)

    def _connect_updates(self) -> None:
        window, updates = self._rooms.window, self._rooms.updates
        window.updates_requested.connect(updates.show)
        window.updates_allowed_changed.connect(updates.allow)
        window.update_check_requested.connect(updates.check)
        window.update_page_requested.connect(updates.open_page)
        window.update_skip_requested.connect(updates.skip)

    def _use_kv_bits(self, bits: int) -> None:
        self._rooms.desk.keep_kv_bits(self._rooms.line.model, bits)
        self._rooms.line.reload()

    def _use_quota(self, quota: int) -> None:
        self._rooms.desk.keep_quota(quota)
        self._rooms.keeper.refresh()

    def _use_caching(self, enabled: bool) -> None:  # noqa: FBT001 - a signal's value
        self._rooms.desk.keep_caching(enabled)
        self._rooms.keeper.show()

    def _act(self, key: str) -> None:
        if key.startswith(FULL):
            self._rooms.conversations.talk.leave_out(key.removeprefix(FULL))
        elif key.startswith(UNDO):
            self._rooms.conversations.list.undo_delete(key.removeprefix(UNDO))
        elif key == RESTART_KEY:
            self._rooms.line.starting()
            self._rooms.bridge.restart()
        elif key == UPDATE:
            self._rooms.window.sheets.open_update()
        else:
            self._rooms.rescuing.act(key)

    def _act_otherwise(self, key: str) -> None:
        if key.startswith(FULL):
            self._rooms.conversations.carry_on(key.removeprefix(FULL))
        elif key == UPDATE:
            self._rooms.updates.skip()
        else:
            self._rooms.rescuing.act_otherwise(key)

    def _close(self) -> None:
        self._second.stop()
        self._rooms.updates.close()
        self._rooms.desk.clear(self._rooms.conversations)
        self._rooms.farewell.begin()
