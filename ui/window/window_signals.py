"""WindowSignals: owns what the window says to the app, by name and in plain values; who says it is the window's parts'.

Where a signal is about a conversation, that comes first.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMainWindow


class WindowSignals(QMainWindow):
    """The window's mouth."""

    # the conversation list
    new_chat_requested = Signal()
    private_chat_requested = Signal()
    chat_opened = Signal(str)
    rename_requested = Signal(str, str)
    delete_requested = Signal(str)
    pin_changed = Signal(str, bool)
    folder_changed = Signal(str, str)  # "" takes it out of its folder
    folder_renamed = Signal(str, str)  # a folder, and its name from now on; "" takes all out of it
    tags_changed = Signal(str, str)  # separated by commas
    cached_changed = Signal(str, bool)
    search_changed = Signal(str)
    deleted_requested = Signal()  # asks for show_deleted
    undelete_requested = Signal(str)
    erase_requested = Signal(str)
    erase_all_requested = Signal()
    import_requested = Signal(str)  # a path
    export_requested = Signal(str, str)  # "" for all chats, and a path whose suffix says what is written

    # tabs
    tab_shown = Signal(str)
    tab_closed = Signal(str)
    submitted = Signal(str, str)
    stop_requested = Signal(str)
    pause_requested = Signal(str)
    resume_requested = Signal(str)
    continue_requested = Signal(str, str)
    retry_requested = Signal(str, str)
    alternatives_requested = Signal(str, str, int)
    edit_requested = Signal(str, str, str)
    fork_requested = Signal(str, str)
    step_requested = Signal(str, str, int)
    earlier_requested = Signal(str, str)  # the first message shown; asks for show_earlier
    draft_changed = Signal(str, str)
    attach_requested = Signal(str, str)  # a path
    detach_requested = Signal(str, str)  # an attachment
    thinking_changed = Signal(str, bool)
    preset_picked = Signal(str, str)

    # the engine, the settings and the window itself
    model_picked = Signal(str)
    kv_bits_picked = Signal(int)
    settings_requested = Signal()  # asks for show_storage
    quota_changed = Signal(object)  # bytes, more than Qt's own int holds; 0 lets Hearth choose
    caching_changed = Signal(bool)
    caches_clear_requested = Signal()
    backup_restore_requested = Signal(str)
    reveal_requested = Signal(str)  # "data", "logs" or "backups"
    updates_requested = Signal()  # asks for show_update
    updates_allowed_changed = Signal(bool)
    update_check_requested = Signal()
    update_page_requested = Signal()
    update_skip_requested = Signal()
    notice_acted = Signal(str)
    notice_other = Signal(str)
    closing = Signal()
