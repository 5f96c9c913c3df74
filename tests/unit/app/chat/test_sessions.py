"""Every event reaches the session of its conversation."""

from __future__ import annotations

from dataclasses import replace

from app.chat.sessions import Sessions
from engine.protocol.cache_messages import ListWarmModels, TurnStored, WarmModels
from engine.protocol.messages import Progress, Warmed
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatPhase, Warmth


def test_events_reach_their_own_session_alone(scene: Scene) -> None:
    """Progress of one chat does not change another."""
    sessions = Sessions(lambda _: scene.ports())
    one, two = (scene.library.conversations.create().id for _ in "ab")
    for chat in (one, two):
        sessions.of(chat).submit("Hello")
    sessions.engine_event(Progress(scene.engine.request_of(one).request, one, "prefill", 1, 2))
    assert sessions.of(one).status.phase is ChatPhase.PREFILL
    assert sessions.of(two).status.phase is ChatPhase.QUEUED


def test_the_warm_models_are_asked_for_whenever_they_change(scene: Scene) -> None:
    """After an answer was cached and after the cache was restored, also during a turn. The answer marks its own tab."""
    sessions = Sessions(lambda _: scene.ports())
    one, two = (scene.library.conversations.create().id for _ in "ab")
    for event in (TurnStored(one), Warmed(two, 0, 10, 0.0, "absent")):
        sessions.engine_event(event)
        assert scene.engine.sent == [], "the chat is not open"
    sessions.of(one).submit("Hello")
    sessions.of(two)
    for event in (TurnStored(one), Warmed(one, 0, 10, 0.0, "absent"), Warmed(two, 10, 10, 1.0)):
        sessions.engine_event(event)
    assert scene.engine.sent[1:] == [ListWarmModels(one), ListWarmModels(one), ListWarmModels(two)]
    sessions.engine_event(WarmModels(two, ("a", "b")))
    assert scene.window.warm_models == {two: {"a", "b"}}


def test_turns_in_memory_tell_nothing_of_the_disk(scene: Scene) -> None:
    """While the disk is full, a private chat is kept all the same. That is not the end of the trouble with the disk."""
    stored = list[str]()
    sessions = Sessions(lambda _: replace(scene.ports(), stored=stored.append))
    for event in (TurnStored("a", "full"), TurnStored("p", on_disk=False), TurnStored("p", "no", on_disk=False)):
        sessions.engine_event(event)
    assert stored == ["full"]


def test_events_for_unknown_chats_are_ignored(scene: Scene) -> None:
    """Events for an unknown conversation create no session and raise no error."""
    sessions = Sessions(lambda _: scene.ports())
    sessions.engine_event(Warmed("stranger", 10, 10, 1.0))
    assert scene.window.statuses == {}
    assert sessions.of("stranger").status.warmth is Warmth.UNKNOWN


def test_all_are_told_of_the_engine(scene: Scene) -> None:
    """When the engine is ready, all waiting turns are sent; when it dies, all sent ones are interrupted."""
    scene.engine.ready = False
    sessions = Sessions(lambda _: scene.ports())
    chats = [scene.library.conversations.create().id for _ in "abc"]
    for chat in chats:
        sessions.of(chat).submit("Hello")
    scene.engine.ready = True
    sessions.engine_ready()
    assert [request.conversation for request in scene.engine.requests] == chats
    sessions.engine_lost()
    assert not sessions.busy
    assert {scene.library.messages.branch(chat)[-1].state for chat in chats} == {"interrupted"}
