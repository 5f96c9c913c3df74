"""Every signal of the window leads to its use case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Signal

from app.engine_line import RESTART_KEY
from app.wiring import Rooms, Wiring
from ui.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot


LEADS: list[tuple[str, tuple[object, ...], str]] = [
    ("new_chat_requested", (), "new"),
    ("chat_opened", ("c",), "open"),
    ("tab_shown", ("c",), "shown"),
    ("tab_closed", ("c",), "closed"),
    ("submitted", ("c", "text"), "submit"),
    ("stop_requested", ("c",), "stop"),
    ("continue_requested", ("c", "m"), "extend"),
    ("retry_requested", ("c", "m"), "retry"),
    ("alternatives_requested", ("c", "m", 3), "alternatives"),
    ("edit_requested", ("c", "m", "text"), "edit"),
    ("fork_requested", ("c", "m"), "fork"),
    ("step_requested", ("c", "m", -1), "step"),
    ("pause_requested", ("c",), "pause"),
    ("resume_requested", ("c",), "resume"),
    ("thinking_changed", ("c", True), "set_thinking"),
    ("draft_changed", ("c", "text"), "save_draft"),
    ("rename_requested", ("c", "title"), "rename"),
    ("delete_requested", ("c",), "delete"),
    ("search_changed", ("text",), "list.search"),
    ("preset_picked", ("c", "creative"), "set_preset"),
]
OTHERS = {"model_picked", "kv_bits_picked", "notice_acted", "notice_other", "closing"}


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
    names = ("conversations", "line", "bridge", "desk", "farewell")
    rooms: dict[str, Any] = {name: Recorder(name, calls) for name in names}
    rooms["conversations"].list = Recorder("conversations.list", calls)
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
    assert calls == [(f"conversations.{call}", *values)]


def test_every_signal_of_the_window_is_known_here() -> None:
    """Nothing that the window can say falls on deaf ears."""
    signals = {name for name, value in vars(MainWindow).items() if isinstance(value, Signal)}
    assert signals == OTHERS | {signal for signal, _values, _call in LEADS}


def test_picked_model_is_kept_and_used(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """The choice lasts beyond this run."""
    window.model_picked.emit("m")
    assert calls == [("desk.keep_model", "m"), ("line.use", "m")]


def test_picked_precision_is_kept_and_used(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """It is the loaded model's own, which is loaded anew with it."""
    window.kv_bits_picked.emit(8)
    assert calls == [("desk.keep_kv_bits", "m", 8), ("line.reload",)]


def test_notices_lead_where_they_say(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """Undo brings the chat back, restart the engine; a full chat has two ways out."""
    window.notice_acted.emit("undo:c")
    window.notice_acted.emit(RESTART_KEY)
    assert calls == [("conversations.list.undo_delete", "c"), ("line.starting",), ("bridge.restart",)]
    calls.clear()
    window.notice_acted.emit("context:c")
    window.notice_other.emit("context:c")
    window.notice_other.emit("undo:c")
    assert calls == [("conversations.leave_out", "c"), ("conversations.carry_on", "c")]


def test_closing_keeps_the_desk_before_the_farewell(window: MainWindow, calls: list[tuple[object, ...]]) -> None:
    """What is open is written down while it is still open."""
    window.closing.emit()
    assert [call[0] for call in calls] == ["desk.clear", "farewell.begin"]
