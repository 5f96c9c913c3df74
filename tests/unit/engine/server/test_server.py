"""The server's commands, with a real tiny model and a real store.

The server runs on the test's own thread. A script answers its events with further commands (tests.fakes.engine_life).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CacheSizes,
    Forget,
    KeepCached,
    ListCacheSizes,
    ListWarmModels,
    ReportStore,
    SetBudget,
    StoreReport,
    TurnStored,
    WarmModels,
)
from engine.protocol.messages import Deltas, LoadModel
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import alternatives
from engine.server.server import Server
from engine.turn.speculative_prefill import SpeculativePrefill
from tests.fakes.engine_life import QUOTA, Chat, Engine, Start, both, of
from tests.fakes.tiny_models import build


def test_requests_without_a_model_end(tmp_path: Path) -> None:
    """Each request of a command has an end of its own."""
    life = Engine(tmp_path, tmp_path / "nowhere")
    life.live(replace(Chat("c").ask("Hello."), alternatives=("d1", "e1")), ends_on_failure=False)
    assert [life.finished(request).code for request in ("c1", "d1", "e1")] == ["no_model"] * 3


@pytest.mark.parametrize("stopped", ["b1", "b2", "b3"])
def test_one_answer_of_a_deferred_command_can_be_stopped(engine: Start, model_folder: Path, stopped: str) -> None:
    """A command that waits for a new model can be cancelled for each of its requests. The others are answered, each
    with its own seed.
    """
    drawn = Sampling(temperature=1.0, seed=5, max_tokens=12)
    second = replace(Chat("b").ask("Hi.", drawn, cached=False), alternatives=("b2", "b3"))
    life = engine()

    def at(number: int) -> Callable[[protocol.Event], bool]:
        return lambda event: isinstance(event, Deltas) and len(life.heard(Deltas)) == number

    switch = both(life.once(at(1), LoadModel(str(model_folder))), life.once(at(3), protocol.Cancel(stopped)))
    life.live(Chat("a").ask("Hello."), on=switch, then=lambda event: second if at(2)(event) else None, stores=0)
    reasons = {request: life.finished(request).reason for request in ("b1", "b2", "b3")}
    assert reasons == {"b1": "length", "b2": "length", "b3": "length"} | {stopped: "cancelled"}
    answered = [one for one in (second, *alternatives(second)) if one.request != stopped]
    assert [life.text(one.request) for one in answered] == [life.cold(one) for one in answered]


def test_opening_a_chat_never_ends_the_engine(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever fails in prewarming, the outcome is a miss, and the chat is answered."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("in a library")

    monkeypatch.setattr(SpeculativePrefill, "warm", broken)
    chat = Chat("c")
    life = engine().live(chat.ask("Hello."), protocol.Warm("c", tuple(chat.messages)))
    assert [e.miss_cause for e in life.heard(protocol.Warmed)] == ["absent"]
    assert life.finished("c1").reason == "length"


def test_the_store_gets_its_budget_and_reports_what_it_holds(engine: Start) -> None:
    """A report names the size and the quota. The surplus is evicted before the next report."""
    chats = [Chat(name) for name in "ab"]
    engine().live(*[chat.ask(f"Hello {chat.name}.") for chat in chats])
    told: list[protocol.Command] = [ReportStore(), SetBudget(1 << 20, ("a",)), SetBudget(0, ("a",)), SetBudget(0)]
    reports = [report for command in told for report in engine().live(command).heard(StoreReport)]
    assert [r.conversations for r in reports] == [2, 2, 2, 0], "what a pinned one shares stays"
    assert [r.quota_bytes for r in reports] == [QUOTA, 1 << 20, 0, 0]
    assert reports[0].held_bytes == reports[1].held_bytes > reports[2].held_bytes > reports[3].held_bytes == 0
    assert {r.trouble for r in reports} == {""}


def _identity(life: Engine) -> str:
    return life.heard(protocol.ModelLoaded)[0].identity


def _warm_models(life: Engine) -> list[set[str]]:
    return [set(event.identities) for event in life.heard(WarmModels)]


def test_each_model_that_answered_in_a_conversation_is_warm_for_it(tmp_path: Path, engine: Start) -> None:
    """Whichever is loaded now, and no other conversation counts."""
    one = engine().live(Chat("c").ask("Hello."))
    other = Engine(tmp_path, build(tmp_path / "other", "llama")).live(Chat("c").ask("Hello."), Chat("d").ask("Hi."))
    asked = engine().live(*(ListWarmModels(chat) for chat in "cde"))
    assert _warm_models(asked) == [{_identity(one), _identity(other)}, {_identity(other)}, set()]


def test_without_a_disk_chats_are_answered_and_warm_in_memory(tmp_path: Path, model_folder: Path) -> None:
    """A store that cannot be opened costs an answer nothing, and the event after it says why its state is not on disk.
    The model is warm for the chat all the same, and for no other.
    """
    (tmp_path / "segments").write_text("a file where the folder should be")
    blind = Engine(tmp_path, model_folder)
    asking = blind.once(of(TurnStored), ListWarmModels("c"), ListWarmModels("d"))
    ending = blind.once(lambda event: event == WarmModels("d", ()), protocol.Shutdown())
    blind.live(Chat("c").ask("Hello."), on=both(asking, ending), stores=9)
    assert blind.finished("c1").reason == "length"
    assert [bool(event.error) for event in blind.heard(TurnStored)] == [True]
    assert _warm_models(blind) == [{_identity(blind)}, set()]


def test_the_store_tells_what_it_holds(tmp_path: Path, model_folder: Path, engine: Start) -> None:
    """Its conversations, whichever life cached them, and those of the loaded model. The sizes of one or of all; what
    each alone holds and what they share add up. If the disk cannot be read, the answers are empty. What one alone holds
    is erased with it, and also if the app keeps only others.
    """
    engine().live(*[Chat(name).ask(f"Hello {name}.") for name in "ab"])
    life = engine().live(ListCacheSizes("a"), ListCacheSizes(), ListCacheSizes("z"), ReportStore())
    (report,) = life.heard(StoreReport)
    assert {name: sorted(chats) for name, chats in report.identities.items()} == {_identity(life): ["a", "b"]}
    one, both_chats, none = life.heard(CacheSizes)
    (row,) = one.rows
    assert (row.conversation, row.bytes > 0, row.tokens > 0) == ("a", True, True)
    assert {found.conversation for found in both_chats.rows} == {"a", "b"}
    assert min(found.bytes for found in both_chats.rows) > 0
    assert none.rows == ()
    assert row.shared == both_chats.rows[0].shared == both_chats.shared > 0
    assert sum(found.own for found in both_chats.rows) + both_chats.shared == report.held_bytes
    [left] = engine().live(Forget("a"), ListCacheSizes()).heard(CacheSizes)
    assert [found.conversation for found in left.rows] == ["b"]
    [kept] = engine().live(KeepCached(("a", "b")), KeepCached(("a",), of="c"), ListCacheSizes()).heard(CacheSizes)
    assert [found.conversation for found in kept.rows] == ["b"]
    [kept] = engine().live(KeepCached(("a",)), ListCacheSizes()).heard(CacheSizes)
    assert kept.rows == ()
    (tmp_path / "blind").mkdir()
    (tmp_path / "blind" / "segments").write_text("in the way")
    blind = Engine(tmp_path / "blind", model_folder).live(ListCacheSizes("a"))
    assert blind.heard(CacheSizes) == [CacheSizes("a")]


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


def test_the_engine_ends_although_the_command_to_end_failed(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app would wait for it, and then kill it."""
    execute, failures = Server._execute, iter((KeyError("an unknown key"),))

    def failing(server: Server, command: protocol.Command) -> None:
        for error in failures if isinstance(command, protocol.Shutdown) else ():
            raise error
        execute(server, command)

    monkeypatch.setattr(Server, "_execute", failing)
    engine().live(ReportStore())
    assert next(failures, None) is None
