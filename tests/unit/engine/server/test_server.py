"""The server's commands, with a real tiny model and a real store.

The server runs on the test's own thread. A script answers its events with further commands (tests.fakes.engine_life).
"""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from engine.cache.disk.io_thread import IoThread
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.model.identity import WeightDigests
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CachedConversations,
    CacheSizes,
    Forget,
    ListCached,
    ListCacheSizes,
    ListWarmModels,
    ReportStore,
    SetBudget,
    StoreReport,
    TurnStored,
    WarmModels,
)
from engine.protocol.messages import Deltas, LoadModel, TurnFinished
from engine.server.server import Server
from engine.turn.speculative_prefill import SpeculativePrefill
from storage.segments.store import SegmentStore
from tests.fakes.engine_life import QUOTA, Chat, Engine, Start
from tests.fakes.tiny_models import build

if TYPE_CHECKING:
    from pathlib import Path


def test_a_request_without_a_model_ends(tmp_path: Path) -> None:
    """No request is left without an end."""
    life = Engine(tmp_path, tmp_path / "nowhere")
    life.live(Chat("c").ask("Hello."))
    assert life.finished("c1").code == "no_model"


def test_alternatives_without_a_model_end_too(tmp_path: Path) -> None:
    """Each request of a command has its own end."""
    life = Engine(tmp_path, tmp_path / "nowhere")
    life.live(replace(Chat("c").ask("Hello."), alternatives=("d1", "e1")), ends_on_failure=False)
    assert [life.finished(request).code for request in ("c1", "d1", "e1")] == ["no_model"] * 3


@pytest.mark.parametrize("stopped", ["b1", "b2", "b3"])
def test_one_answer_of_a_deferred_command_can_be_stopped(engine: Start, model_folder: Path, stopped: str) -> None:
    """A command that waits for a new model can be cancelled for each of its requests. The others are answered."""
    second = replace(Chat("b").ask("Hi.", cached=False), alternatives=("b2", "b3"))
    life, left = engine(), {"a1", "b1", "b2", "b3"}
    switch = iter((LoadModel(str(model_folder)), second, protocol.Cancel(stopped)))

    def on(event: protocol.Event) -> None:
        for command in switch if isinstance(event, Deltas) else ():
            life.inbox.put(command)
        if isinstance(event, TurnFinished):
            left.discard(event.request)
        if not left:
            life.inbox.put(protocol.Shutdown())

    life.live(Chat("a").ask("Hello."), on=on, stores=9)
    reasons = {request: life.finished(request).reason for request in ("b1", "b2", "b3")}
    assert reasons == {"b1": "length", "b2": "length", "b3": "length"} | {stopped: "cancelled"}


def test_opening_a_chat_never_ends_the_engine(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails in prewarming, the outcome is a miss, and the chat is answered."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("in a library")

    monkeypatch.setattr(SpeculativePrefill, "warm", broken)
    chat = Chat("c")
    life = engine().live(chat.ask("Hello."), protocol.Warm("c", tuple(chat.messages)))
    assert [e.miss_cause for e in life.events if isinstance(e, protocol.Warmed)] == ["absent"]
    assert life.finished("c1").reason == "length"


def test_the_store_gets_its_budget_and_reports_what_it_holds(engine: Start) -> None:
    """A report names the size and the quota. The surplus is evicted before the next report."""
    chats = [Chat(name) for name in "ab"]
    engine().live(*[chat.ask(f"Hello {chat.name}.") for chat in chats])
    told: list[protocol.Command] = [
        ReportStore(),
        SetBudget(1 << 20, ("a",)),
        SetBudget(0, ("a",)),
        SetBudget(0),
    ]
    lives = [engine().live(command) for command in told]
    reports = [e for life in lives for e in life.events if isinstance(e, StoreReport)]
    assert [r.conversations for r in reports] == [2, 2, 2, 0], "what a pinned one shares stays"
    assert [r.quota_bytes for r in reports] == [QUOTA, 1 << 20, 0, 0]
    assert reports[0].held_bytes == reports[1].held_bytes > reports[2].held_bytes > reports[3].held_bytes == 0
    assert {r.trouble for r in reports} == {""}


def test_the_report_has_the_conversations_of_the_loaded_model(engine: Start) -> None:
    """The app can say how many chats are warm for a model that it has loaded before."""
    engine().live(*[Chat(name).ask(f"Hello {name}.") for name in "ab"])
    events = engine().live(ReportStore()).events
    (loaded,) = (event for event in events if isinstance(event, protocol.ModelLoaded))
    (report,) = (event for event in events if isinstance(event, StoreReport))
    assert {name: sorted(chats) for name, chats in report.identities.items()} == {loaded.identity: ["a", "b"]}


def _identity(life: Engine) -> str:
    return next(event.identity for event in life.events if isinstance(event, protocol.ModelLoaded))


def _warm_models(life: Engine) -> list[set[str]]:
    return [set(event.identities) for event in life.events if isinstance(event, WarmModels)]


def test_each_model_that_answered_in_a_conversation_is_warm_for_it(tmp_path: Path, engine: Start) -> None:
    """Whichever is loaded now, and no other conversation counts."""
    one = engine().live(Chat("c").ask("Hello."))
    other = Engine(tmp_path, build(tmp_path / "other", "llama")).live(Chat("c").ask("Hello."), Chat("d").ask("Hi."))
    asked = engine().live(*(ListWarmModels(chat) for chat in "cde"))
    assert _warm_models(asked) == [{_identity(one), _identity(other)}, {_identity(other)}, set()]


def test_a_model_is_warm_for_what_is_in_memory_alone(tmp_path: Path, model_folder: Path) -> None:
    """The disk may be slow or away. Another conversation is cold."""
    (tmp_path / "segments").write_text("in the way")
    blind = Engine(tmp_path, model_folder)

    def on(event: protocol.Event) -> None:
        if isinstance(event, TurnStored):
            for chat in "cd":
                blind.inbox.put(ListWarmModels(chat))
        if event == WarmModels("d", ()):
            blind.inbox.put(protocol.Shutdown())

    blind.live(Chat("c").ask("Hello."), on=on, stores=9)
    assert _warm_models(blind) == [{_identity(blind)}, set()]


def test_the_store_lists_the_cached_conversations(tmp_path: Path, model_folder: Path, engine: Start) -> None:
    """Each conversation is listed once, whichever life cached it. The list is empty if the disk cannot be read."""
    engine().live(*[Chat(name).ask(f"Hello {name}.") for name in "ab"])
    assert CachedConversations(("a", "b")) in engine().live(ListCached()).events
    assert CachedConversations(("b",)) in engine().live(Forget("a"), ListCached()).events
    (tmp_path / "blind").mkdir()
    (tmp_path / "blind" / "segments").write_text("in the way")
    blind = Engine(tmp_path / "blind", model_folder).live(ListCached())
    assert CachedConversations(()) in blind.events


def test_the_sizes_of_chats_and_of_what_they_share_are_all_that_is_held(engine: Start) -> None:
    """Two chats with one system prompt share its segment. What each alone holds, and what they share, add up."""
    engine().live(*[Chat(name).ask(f"Hello {name}.") for name in "ab"])
    life = engine().live(ListCacheSizes(), ReportStore())
    sizes = next(event for event in life.events if isinstance(event, CacheSizes))
    held = next(event.held_bytes for event in life.events if isinstance(event, StoreReport))
    assert sizes.shared == sizes.rows[0].shared > 0
    assert sum(row.own for row in sizes.rows) + sizes.shared == held


def test_the_sizes_of_caches_are_told(tmp_path: Path, model_folder: Path, engine: Start) -> None:
    """Of one conversation with the places at which it could begin, or of all of them without; nothing if the disk
    cannot be read.
    """
    engine().live(*[Chat(name).ask(f"Hello {name}.") for name in "ab"])
    life = engine().live(ListCacheSizes("a"), ListCacheSizes(), ListCacheSizes("z"))
    one, both, none = (event for event in life.events if isinstance(event, CacheSizes))
    (row,) = one.rows
    assert (row.conversation, row.bytes > 0, row.places[-1]) == ("a", True, row.tokens)
    assert {found.conversation: found.places for found in both.rows} == {"a": (), "b": ()}
    assert min(*both.written.values(), *(found.bytes for found in both.rows)) > 0
    assert none.rows == ()
    assert row.shared == next(found.shared for found in both.rows if found.conversation == "a")
    (tmp_path / "blind").mkdir()
    (tmp_path / "blind" / "segments").write_text("in the way")
    blind = Engine(tmp_path / "blind", model_folder).live(ListCacheSizes("a"))
    assert CacheSizes("a") in blind.events


def test_an_outcome_goes_to_the_request_that_waits_for_it(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure between the inbox and the outcome would leave the request open for ever. A command fails with an
    answer.
    """
    handle = Server._handle

    def failing(self: Server, message: Any) -> None:
        assert not callable(message), "an outcome"
        handle(self, message)

    monkeypatch.setattr(Server, "_handle", failing)
    command = Chat("a").ask("Hello.")
    assert engine().live(command).finished(command.request).reason == "length"


def test_the_engine_ends_although_the_command_to_end_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app would wait for it, and then kill it."""
    execute, failures = Server._execute, iter((KeyError("an unknown key"),))

    def failing(server: Server, command: protocol.Command) -> None:
        for error in failures:
            raise error
        execute(server, command)

    monkeypatch.setattr(Server, "_execute", failing)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    manager = CacheManager(IoThread(lambda: SegmentStore.open(tmp_path / "segments", QUOTA)), HotTier(QUOTA), inbox.put)
    inbox.put(protocol.Shutdown())
    Server(inbox, lambda _event: None, manager, WeightDigests(tmp_path / "weights.json")).run()
    assert next(failures, None) is None
