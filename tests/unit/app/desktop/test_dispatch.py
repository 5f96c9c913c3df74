"""Every intent of the window leads to its use case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast, get_args, get_type_hints

import pytest
from msgspec import Struct
from PySide6.QtWidgets import QApplication

from app.base.model_names import DEMO
from app.desktop.bootstrap import AppParts
from app.desktop.dispatch import Dispatch
from app.desktop.hearth import Hearth
from app.models.choice import USE
from ui.intents.chat import ChatIntent, InChat, Submit
from ui.intents.intent import Intent
from ui.intents.library import EraseAll
from ui.intents.macs import GroupAgain, RunHere
from ui.intents.models import (
    AnswerAll,
    ChatWith,
    ConfigureModel,
    LookAround,
    PickModel,
    RemoveModel,
    RestartEngine,
    SearchHub,
    ShowModel,
    ShowModels,
)
from ui.intents.notice import Notice
from ui.intents.settings import ClearCaches, SetCaching, SetQuota
from ui.state import models as model_state
from ui.state import preferences as preference_state
from ui.window.main_window import MainWindow

Calls = list[tuple[object, ...]]

APART = (
    RestartEngine,
    AnswerAll,
    GroupAgain,
    RunHere,
    InChat,
    SetQuota,
    SetCaching,
    ClearCaches,
    PickModel,
    ShowModel,
    ConfigureModel,
    ChatWith,
    LookAround,
    ShowModels,
    SearchHub,
    RemoveModel,
)
"""Intents that need more than one call, or more than their own values."""
PARTS = (
    "attention",
    "list",
    "drafts",
    "folders",
    "attached",
    "attachments",
    "tabs",
    "creation",
    "cost",
    "outbox",
    "removal",
    "branch_return",
    "transfer",
    "cancelled",
    "alone",
    "labels",
    "trash",
    "sessions",
    "presenter",
    "settings",
    "presets",
    "prompts",
    "memory",
    "clearing",
    "store_check",
    "lending",
    "copies",
    "turn",
    "earlier",
)
OLDER_COPIES = ("copies.offer_replacement",)


class Recorder:
    """Stands for any part of the app and records every call."""

    model = "m"

    def __init__(self, name: str, calls: Calls) -> None:
        self._name = name
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        inner = Recorder(f"{self._name}.{name}", self._calls)
        return inner if name in PARTS else lambda *values, **named: inner.note(inner, *values, *named.values())

    def note(self, found: Recorder, *values: object) -> Recorder:
        self._calls.append((self._name, *values))
        return found


class Models:
    """Stands for the models of the chats. Each chat has its model already."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def answer(self, _chat: str, act: Callable[[], object]) -> None:
        act()

    def submit(self, *values: str) -> None:
        self._calls.append(("chat_models.submit", *values))

    def edit(self, *values: str) -> None:
        self._calls.append(("chat_models.edit", *values))

    def pick(self, *values: str) -> None:
        self._calls.append(("chat_models.pick", *values))

    def answer_all(self, *values: str) -> None:
        self._calls.append(("chat_models.answer_all", *values))

    def undo_answer_all(self) -> None:
        self._calls.append(("chat_models.undo_answer_all",))


class Parts:
    """A window, and recorders in place of all other parts of the app."""

    def __init__(self, window: MainWindow, calls: Calls) -> None:
        self.window = window
        self.chat_models = Models(calls)
        self._timers = ()
        self._calls = calls

    def __getattr__(self, name: str) -> Recorder:
        return Recorder(name, self._calls)


def example(kind: type[Struct]) -> Any:
    """An intent of this kind, with a value of its own in each field."""
    values = {str: "text", int: 3, bool: True}
    hints = get_type_hints(kind, localns=vars(model_state) | vars(preference_state))
    return kind(*(values.get(hints[name], ("data",)) for name in kind.__struct_fields__))


def values_of(intent: Struct) -> list[object]:
    return flat(getattr(intent, name) for name in intent.__struct_fields__)


def flat(values: Iterable[object]) -> list[object]:
    """The values, with those of tuples one by one: a method may take several chats as it takes one."""
    return [part for value in values for part in (value if isinstance(value, tuple) else (value,))]


@pytest.fixture(scope="module")
def wired(qapp: QApplication) -> Iterator[tuple[MainWindow, Calls]]:  # noqa: ARG001 - before any widget
    """A window whose intents lead to recorders, and their calls. It changes by no call, so all tests share it."""
    window, calls = MainWindow(), Calls()
    dispatch = Dispatch(cast("AppParts", Parts(window, calls)))
    window.requested.connect(dispatch.handle)
    yield window, calls
    window.deleteLater()


@pytest.fixture
def window(wired: tuple[MainWindow, Calls]) -> MainWindow:
    return wired[0]


@pytest.fixture
def calls(wired: tuple[MainWindow, Calls]) -> Calls:
    """The calls of this test."""
    wired[1].clear()
    return wired[1]


@pytest.mark.parametrize("kind", [kind for kind in get_args(Intent) if kind not in APART])
def test_an_intent_calls_one_use_case(window: MainWindow, calls: Calls, kind: type) -> None:
    """All its values are passed on, in their order. Erasing also concerns older copies of the library."""
    intent = example(kind)
    window.requested.emit(intent)
    (_name, *values), *rest = calls
    assert [value for value in flat(values) if value != ""] == values_of(intent)
    assert rest == ([OLDER_COPIES] if kind.__name__.startswith("Erase") else [])


@pytest.mark.parametrize("kind", get_args(ChatIntent))
def test_an_intent_in_a_chat_names_the_chat(window: MainWindow, calls: Calls, kind: type) -> None:
    """The conversation comes first: in the same call, or in the one that finds its session."""
    intent = example(kind)
    window.requested.emit(InChat("c", intent))
    assert flat(value for _name, *values in calls for value in values) == ["c", *values_of(intent)]


def test_an_intent_leads_where_it_says(window: MainWindow, calls: Calls) -> None:
    """Three of them by name; the end-to-end stories cover the others."""
    for intent in (InChat("c", Submit("Hello")), PickModel("m"), EraseAll()):
        window.requested.emit(intent)
    assert calls == [
        ("chat_models.submit", "c", "Hello"),
        ("models.note_base", "m"),
        ("chat_models.pick", "", "m"),
        ("conversations.trash.erase_all",),
        OLDER_COPIES,
    ]


def test_a_chat_with_a_model_is_opened_by_the_switch(window: MainWindow, calls: Calls) -> None:
    """Only the switch knows whether the user agrees to it."""
    window.requested.emit(ChatWith("m"))
    base, (name, model, then) = calls
    assert (base, name, model) == (("models.note_base", "m"), "model_switch.pick", "m")
    assert callable(then)
    calls.clear()
    then()
    assert calls == [("conversations.creation.new",)]


def test_a_model_is_removed_unless_it_is_that_of_the_chats(window: MainWindow, calls: Calls) -> None:
    """The downloads are told which one that is, and look for the models again afterwards."""
    window.requested.emit(RemoveModel("/a"))
    ((name, model, wanted, gone),) = calls
    assert (name, model, wanted) == ("downloads.remove", "/a", "m")
    assert callable(gone)
    calls.clear()
    gone()
    assert calls == [("models.refresh",)]


def test_looking_around_leads_to_the_built_in_model(window: MainWindow, calls: Calls) -> None:
    """Also if a pick has been downloaded meanwhile, and has become the model."""
    window.requested.emit(LookAround())
    assert calls == [("model_switch.pick", DEMO), ("welcome.finish",)]


def test_the_models_page_tries_downloads_again(window: MainWindow, calls: Calls) -> None:
    """The network may be back. What the paired Macs have decides what runs on several."""
    window.requested.emit(ShowModels())
    assert calls == [("models.open",), ("macs.presenter.look",), ("downloads.retry",)]


def test_a_search_shows_whether_a_token_is_kept(window: MainWindow, calls: Calls) -> None:
    """Gated models are among those that it finds."""
    window.requested.emit(SearchHub("tiny"))
    assert calls == [("finder.search", "tiny"), ("hub_token.look",)]


def test_a_model_on_the_hub_is_told_from_one_on_this_machine(window: MainWindow, calls: Calls) -> None:
    """A folder is a path, and a repository is publisher/name. The detail of one replaces that of the other."""
    window.requested.emit(ShowModel("one/model"))
    window.requested.emit(ShowModel("/models/one/model"))
    assert calls == [
        ("finder.show", "one/model"),
        ("finder.leave",),
        ("models.show", "/models/one/model"),
    ]


def test_settings_of_the_loaded_model_load_it_again(window: MainWindow, calls: Calls) -> None:
    """They are saved first."""
    view = model_state.ModelSettingsView(kv_bits=8)
    window.requested.emit(ConfigureModel("m", view))
    assert calls == [
        ("hosting.follow", "m"),
        ("models.configure", "m", view),
        ("model_switch.reload",),
        ("macs.offer_copy", "m"),
    ]


def test_a_lost_group_is_tried_again_or_left(window: MainWindow, calls: Calls) -> None:
    """The first button of its notice asks for all machines again, the second one for this Mac alone."""
    window.requested.emit(GroupAgain())
    window.requested.emit(RunHere())
    assert calls == [
        ("hosting.follow", "m"),
        ("connection.use", "m"),
        ("hosting.alone.add", "m"),
        ("connection.use", "m"),
    ]


def test_picked_limits_last_beyond_this_run(window: MainWindow, calls: Calls) -> None:
    """They are saved before they are applied. A quota may be more than four gigabytes."""
    window.requested.emit(SetQuota(20 << 30))
    window.requested.emit(SetCaching(enabled=False))
    assert calls == [
        ("workspace.change", 20 << 30),
        ("cache_monitor.refresh",),
        ("workspace.change", False),
        ("cache_monitor.show",),
        ("conversations.show_settings",),
    ]


def test_all_memory_is_cleared_where_it_is_open_and_on_disk(window: MainWindow, calls: Calls) -> None:
    """After some seconds, in which it can be undone."""
    window.requested.emit(ClearCaches())
    assert calls == [("conversations.clearing.begin",)]


def test_the_user_restarts_an_engine_that_ended_too_often(window: MainWindow, calls: Calls) -> None:
    """The window says so at once."""
    window.requested.emit(RestartEngine())
    assert calls == [("connection.starting",), ("engine_process.restart",)]


def test_an_offer_goes_once_it_is_accepted(window: MainWindow, calls: Calls) -> None:
    """A downloaded model is used, or answers the chats of the built-in one. The base of an adapter is saved."""
    for intent, call in (
        (PickModel("/m"), ("chat_models.pick", "", "/m")),
        (AnswerAll("/m"), ("chat_models.answer_all", "/m")),
    ):
        calls.clear()
        window.show_notice(Notice(f"{USE}/m", "It is here.", "Use it", intent=intent))
        window.requested.emit(intent)
        assert (calls, window.notices.keys()) == ([("models.note_base", "/m"), call], ())


def test_closing_saves_the_workspace_before_the_shutdown(window: MainWindow, calls: Calls) -> None:
    """The open tabs are saved while they are still open."""
    Hearth._close(cast("Hearth", Parts(window, calls)))
    assert [call[0] for call in calls] == [
        "downloads.close",
        "finder.close",
        "inspector.close",
        "models.close",
        "images.close",
        "read_aloud.stop",
        "colours.close",
        "macs.close",
        "workspace.clear",
        "conversations.settle",
        "shutdown.begin",
        "copies.end",
        "conversations.trash.end",
    ]
