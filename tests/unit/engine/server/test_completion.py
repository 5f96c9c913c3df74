"""The end of an answer, through the real server: what it keeps, what it releases, and how it is continued."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.messages import Generate
from engine.protocol.sampling_settings import Sampling
from engine.server.open_requests import NOT_KEPT
from engine.turn import events as turn_events
from engine.turn import finish as turns
from tests.fakes.engine_life import GREEDY, Chat, Start, own_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


def test_cancel_keeps_the_text_and_the_state(engine: Start) -> None:
    """A cancelled answer ends within a step, and the next turn starts from exactly its last token."""
    chat, life = Chat("c"), engine()
    command = chat.ask("Hello.", Sampling(temperature=0.0, max_tokens=500))
    life.live(command, on=life.cancelling("c1", letters=5))
    done = chat.hear(life, command)
    assert done.reason == "cancelled"
    assert done.usage.completion_tokens < 100, "it did not run on to its length"
    following = chat.ask("Go on.")
    usage = engine().live(following).finished(following.request).usage
    assert usage.cached_tokens == done.usage.prompt_tokens + done.usage.completion_tokens


def test_a_continued_answer_is_the_answer_in_one_piece(engine: Start) -> None:
    """A greedy answer that was ended by its length and continued in another life equals the uninterrupted one."""
    whole_command = Chat("w").ask("Hello.", Sampling(temperature=0.0, max_tokens=20))
    whole = engine().live(whole_command).text("w1")
    chat = Chat("c")
    command = chat.ask("Hello.", Sampling(temperature=0.0, max_tokens=7))
    done = chat.hear(engine().live(command), command)
    assert done.reason == "length"
    rest = Generate("c2", "c", tuple(chat.messages), Sampling(temperature=0.0, max_tokens=13))
    life = engine().live(rest)
    assert chat.messages[-1].content + life.text("c2") == whole
    assert life.finished("c2").usage.cached_from == "disk"


def test_the_turn_after_a_continued_answer_starts_at_its_end(engine: Start) -> None:
    """Nothing of a reply made in two pieces is prefilled again."""
    chat = Chat("c")
    first = chat.ask("Hello.")
    life = engine().live(first)
    chat.hear(life, first)
    rest = Generate("c2", "c", tuple(chat.messages), GREEDY)
    life = engine().live(rest)
    begun = chat.messages[-1]
    chat.messages[-1] = replace(begun, content=begun.content + life.text("c2"), ledger=life.finished("c2").ledger)
    following = replace(chat.ask("And then?"), request="c3")
    usage = engine().live(following).finished("c3").usage
    assert usage.miss_cause == ""
    assert usage.prefill_tokens <= own_tokens("And then?") + 1


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
    chat, control = Chat("c"), Chat("c")

    def refuse(*_: object) -> None:
        raise MemoryError("no memory for the records")

    with monkeypatch.context() as patch:
        patch.setattr(turns, "commit", refuse)
        first = chat.ask("Hello there, engine.")
        life = engine().live(first)
    assert chat.hear(life, first).reason == "length"
    assert [e.error for e in life.events if isinstance(e, TurnStored)] == [NOT_KEPT]
    plain = control.ask("Hello there, engine.", cached=False)
    control.hear(engine().live(plain), plain)
    for text in ("Go on, please.", "And now the end."):
        command, cold = chat.ask(text), control.ask(text, cached=False)
        chat.hear(engine().live(command), command)
        control.hear(engine().live(cold), cold)
    assert [m.content for m in chat.messages] == [m.content for m in control.messages]


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
    ends = [event for event in life.events if isinstance(event, protocol.TurnFinished)]
    assert sorted((end.request, end.reason) for end in ends) == [("a1", "failed"), ("b1", "length")]
