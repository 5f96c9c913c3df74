"""Every signal of the window leads to its use case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Signal

from app.desktop.wiring import Rooms, Wiring
from app.engine_client.connection import RESTART_KEY
from ui.window.main_window import MainWindow
from ui.window.window_signals import WindowSignals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot


LEADS: list[tuple[str, tuple[object, ...], str]] = [
    ("new_chat_requested", (), "conversations.new"),
    ("private_chat_requested", (), "conversations.new_private"),
    ("chat_opened", ("c",), "conversations.open"),
    ("tab_shown", ("c",), "conversations.shown"),
    ("tab_closed", ("c",), "conversations.closed"),
    ("fork_requested", ("c", "m"), "conversations.fork"),
    ("draft_changed", ("c", "text"), "conversations.save_draft"),
    ("delete_requested", ("c",), "conversations.delete"),
    ("search_changed", ("text",), "conversations.list.search"),
    ("attach_requested", ("c", "/file"), "conversations.files.attach"),
    ("detach_requested", ("c", "a"), "conversations.files.detach"),
    ("import_requested", ("/file",), "conversations.transfer.bring"),
    ("export_requested", ("c", "/file.md"), "conversations.transfer.take"),
    ("submitted", ("c", "text"), "conversations.talk.submit"),
    ("stop_requested", ("c",), "conversations.talk.stop"),
    ("continue_requested", ("c", "m"), "conversations.talk.extend"),
    ("retry_requested", ("c", "m"), "conversations.talk.retry"),
    ("alternatives_requested", ("c", "m", 3), "conversations.talk.alternatives"),
    ("edit_requested", ("c", "m", "text"), "conversations.talk.edit"),
    ("step_requested", ("c", "m", -1), "conversations.talk.step"),
    ("pause_requested", ("c",), "conversations.talk.pause"),
    ("resume_requested", ("c",), "conversations.talk.resume"),
    ("earlier_requested", ("c", "m"), "conversations.talk.earlier"),
    ("rename_requested", ("c", "title"), "conversations.labels.rename"),
    ("pin_changed", ("c", True), "conversations.labels.pin"),
    ("folder_changed", ("c", "Work"), "conversations.labels.put_into"),
    ("folder_renamed", ("Work", "Office"), "conversations.labels.rename_folder"),
    ("tags_changed", ("c", "a, b"), "conversations.labels.tag"),
    ("cached_changed", ("c", False), "conversations.labels.keep_warm"),
    ("thinking_changed", ("c", True), "conversations.labels.set_thinking"),
    ("preset_picked", ("c", "creative"), "conversations.labels.set_preset"),
    ("deleted_requested", (), "conversations.trash.show"),
    ("undelete_requested", ("c",), "conversations.trash.undelete"),
    ("erase_requested", ("c",), "conversations.trash.erase"),
    ("erase_all_requested", (), "conversations.trash.erase_all"),
    ("settings_requested", (), "keeper.show"),
    ("caches_clear_requested", (), "keeper.clear"),
    ("backup_restore_requested", ("b",), "rescuing.restore"),
    ("reveal_requested", ("logs",), "folders.reveal"),
    ("updates_requested", (), "updates.show"),
    ("updates_allowed_changed", (True,), "updates.allow"),
    ("update_check_requested", (), "updates.check"),
    ("update_page_requested", (), "updates.open_page"),
    ("update_skip_requested", (), "updates.skip"),
]
OTHERS = {
    "model_picked",
    "kv_bits_picked",
    "quota_changed",
    "caching_changed",
    "notice_acted",
    "notice_other",
    "closing",
}
PARTS = ("list", "files", "transfer", "talk", "labels", "trash")


class Recorder:
    """Any room: every call on it is written down."""

    model = "m"

    def __init__(self, name: str, calls: list[tuple[object, ...]]) -> None:
        self._name = name
        self._calls = calls

    def __getattr__(self, method: str) -> Callable[..., None]:
        return lambda *values: self._calls.append((f"{self._name}.{method}", *values))


@pytest.fixture
def calls() -> list[tuple[object, ...]]:
    return []


@pytest.fixture
def window(qtbot: QtBot, calls: list[tuple[object, ...]]) -> Iterator[MainWindow]:
    window = MainWindow()
    qtbot.addWidget(window)
    names = ("conversations", "line", "bridge", "desk", "farewell", "keeper", "rescuing", "folders", "updates")
    rooms: dict[str, Any] = {name: Recorder(name, calls) for name in names}
    for part in PARTS:
        setattr(rooms["conversations"], part, Recorder(f"conversations.{part}", calls))
    wiring = Wiring(Rooms(window, **rooms))
    calls.clear()
    yield window
    wiring.deleteLater()


@pytest.mark.parametrize(("signal", "values", "call"), LEADS)
def test_signal_leads_to_its_use_case(
    window: MainWindow, calls: list[tuple[object, ...]], signal: str, values: tuple[object, ...], call: str
) -> None:
    """One signal, one call, the same values."""
    getattr(window, signal).emit(*values)
    assert calls == [(call, *values)]


def test_every_signal_of_the_window_is_known_here() -> None:
    """Nothing that the window can say falls on deaf ears."""
    signals = {name for name, value in vars(WindowSignals).items() if isinstance(value, Signal)}
    signals |= {name for name, value in vars(MainWindow).items() if isinstance(value, Signal)}
    assert signals == OTHERS | {signal for signal, _values, _call in LEADS}


def test_picked_model_is_used_and_not_kept_yet(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """The choice lasts beyond this run once the model has loaded, which the line tells."""
    window.model_picked.emit("m")
    assert calls == [("line.use", "m")]


def test_picked_precision_is_kept_and_used(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """It is the loaded model's own, which is loaded anew with it."""
    window.kv_bits_picked.emit(8)
    assert calls == [("desk.keep_kv_bits", "m", 8), ("line.reload",)]


def test_what_caches_may_take_is_kept_and_told(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """The engine obeys at once; a switch is seen in the settings at once."""
    window.quota_changed.emit(5 * 2**30)
    window.caching_changed.emit(False)  # noqa: FBT003 - as the signal brings it
    assert calls == [
        ("desk.keep_quota", 5 * 2**30),
        ("keeper.refresh",),
        ("desk.keep_caching", False),
        ("keeper.show",),
    ]


def test_notices_lead_where_they_say(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """Undo brings the chat back, restart the engine; a full chat has two ways out."""
    window.notice_acted.emit("undo:c")
    window.notice_acted.emit(RESTART_KEY)
    assert calls == [("conversations.list.undo_delete", "c"), ("line.starting",), ("bridge.restart",)]
    calls.clear()
    window.notice_acted.emit("context:c")
    window.notice_other.emit("context:c")
    assert calls == [("conversations.talk.leave_out", "c"), ("conversations.carry_on", "c")]
    calls.clear()
    window.notice_acted.emit("update")
    window.notice_other.emit("update")
    assert calls == [("updates.show",), ("updates.skip",)]
    calls.clear()
    window.notice_acted.emit("rescue:x")
    window.notice_other.emit("rescue:x")
    assert calls == [("rescuing.act", "rescue:x"), ("rescuing.act_otherwise", "rescue:x")]


def test_closing_keeps_the_desk_before_the_farewell(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """What is open is written down while it is still open."""
    window.closing.emit()
    assert [call[0] for call in calls] == ["updates.close", "desk.clear", "farewell.begin"]
