"""The end of an answer, through the real server: what it keeps and what it releases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.sampling_settings import Sampling
from engine.server.open_requests import NOT_KEPT
from engine.turn import events as turn_events
from engine.turn import finish as turns
from tests.fakes.engine_life import Chat, Start


def test_a_request_without_a_commit_releases_its_segments(engine: Start, fail_on: Callable[..., None]) -> None:
    """A failed request and one cancelled before its prefill release their segments: the disk may evict them."""
    fail_on("a")
    failed = engine().live(Chat("a").ask("Hello."))
    assert failed.finished("a1").code == "row_failed"
    assert failed.manager.in_use == frozenset()
    life = engine()

    def stop(event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress) and event.phase == "prefill" and not event.done:
            assert life.manager.in_use, "from the look-up on"
            life.inbox.put(protocol.Cancel("b1"))

    life.live(Chat("b").ask("Hello."), on=stop, stores=0)
    assert life.finished("b1").reason == "cancelled"
    assert life.manager.in_use == frozenset()


def test_segments_of_an_alternative_stay_in_use_until_it_ends(engine: Start) -> None:
    """The disk evicts none of them, although the request that looked them up has ended and its chat was opened
    meanwhile.
    """
    wish = replace(Chat("a").ask("word " * 20, Sampling(seed=5, max_tokens=200)), alternatives=("b1",))
    life, used = engine(), {}

    def look(event: protocol.Event) -> None:
        if isinstance(event, protocol.Progress) and event.request == "b1" and event.phase == "decode":
            life.inbox.put(protocol.Cancel("a1"))
            life.inbox.put(protocol.Warm("a", wish.messages))
        if isinstance(event, protocol.Warmed | protocol.TurnFinished):
            used[getattr(event, "request", "opened")] = life.manager.in_use

    life.live(wish, on=look)
    assert [*used] == ["a1", "opened", "b1"]
    assert used["a1"] == used["opened"] == used["b1"] != frozenset()
    assert life.manager.in_use == frozenset()


def test_a_state_that_cannot_be_kept_costs_the_state_alone(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the commit of a complete answer fails, the answer ends as usual, an event says that its state is not kept, and
    the next turn gets the same answer as without a cache.
    """
    chat = Chat("c")

    def refuse(*_: object) -> None:
        raise MemoryError("no memory for the records")

    with monkeypatch.context() as patch:
        patch.setattr(turns, "commit", refuse)
        life = engine()
        assert chat.turn(life, "Hello there, engine.").reason == "length"
    assert [e.error for e in life.heard(TurnStored)] == [NOT_KEPT]
    assert life.text("c1") == life.cold(chat.asked[0])
    for text in ("Go on, please.", "And now the end."):
        chat.turn(engine(), text)
        assert chat.messages[-1].content == life.cold(chat.asked[-1])


def test_an_end_that_cannot_be_built_is_a_failed_request(engine: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app gets one end of each request, and the answer beside it is not touched."""
    real, failing = turn_events.ended, iter([True])

    def ended(*given: Any) -> protocol.TurnFinished:
        if next(failing, False):
            raise KeyError("a figure")
        return real(*given)

    monkeypatch.setattr(turn_events, "ended", ended)
    one, other = Chat("a").ask("Hello."), Chat("b").ask("Hello.", Sampling(temperature=0.0, max_tokens=20))
    life = engine().live(one, other, stores=1)
    ends = [(end.request, end.reason) for end in life.heard(protocol.TurnFinished)]
    assert sorted(ends) == [("a1", "failed"), ("b1", "length")]
