"""A long chat opens with its end, and loads the rest on request."""

from __future__ import annotations

import pytest

from app.chat import turn_jobs
from app.chat.opening import PAGE
from app.conversations.conversations import Conversations
from engine.protocol.messages import Warm
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from tests.fakes.library import import_all, say
from tests.unit.app.conftest import Scene


@pytest.fixture
def long(scene: Scene) -> str:
    """A conversation of three pages. The last one is short."""
    words = [f"{speaker}{number}" for number in range(PAGE + PAGE // 4) for speaker in "qa"]
    messages = tuple(
        ArchivedMessage(one, before, "user" if one.startswith("q") else "assistant", one)
        for before, one in zip((None, *words), words, strict=False)
    )
    return import_all(scene.library, Archive((ArchivedConversation("Long", messages, leaf=words[-1]),)))[0]


def _texts(scene: Scene, chat: str) -> list[str]:
    return [view.text for view in scene.window.messages[chat]]


def test_only_the_end_is_shown_and_all_is_read(scene: Scene, chats: Conversations, long: str) -> None:
    """The tab opens before the whole chat is loaded for its cache, and the prompt is complete."""
    scene.tasks.held = True
    chats.tabs.open(long)
    assert scene.window.opened == []
    scene.tasks.let_go()
    view = scene.window.opened[-1]
    assert (len(view.messages), view.earlier) == (PAGE, True)
    assert view.messages[-1].text == f"a{PAGE + PAGE // 4 - 1}"
    chats.tick()
    scene.tasks.let_go()
    warm = scene.engine.sent[-1]
    assert isinstance(warm, Warm)
    assert len(warm.messages) == 2 * (PAGE + PAGE // 4)


def test_the_rest_comes_page_by_page(scene: Scene, chats: Conversations, long: str) -> None:
    """Each message comes once and in order, and then the window knows that there are no more."""
    chats.tabs.open(long)
    for left in (True, False):
        chats.sessions.of(long).earlier.show(scene.window.messages[long][0].id)
        assert scene.window.earlier[long] is left
    assert _texts(scene, long) == [message.content for message in scene.library.messages.branch(long)]


def test_a_chat_that_is_opened_again_while_more_is_loaded_has_no_gap(
    scene: Scene, chats: Conversations, long: str
) -> None:
    """It begins anew with its newest messages. What was requested above the former first one is not above these."""
    chats.tabs.open(long)
    first = scene.window.messages[long][0].id
    for question in ("One", "Two"):
        chats.sessions.of(long).submit(question)
        chats.sessions.engine_event(scene.engine.deltas((long, "Yes")))
        chats.sessions.engine_event(scene.engine.finished(long))
    scene.tasks.held = True
    chats.tabs.open(long)
    chats.sessions.of(long).earlier.show(first)
    scene.tasks.let_go()
    branch = [message.content for message in scene.library.messages.branch(long)]
    assert _texts(scene, long) == branch[-2 * PAGE :]


def test_a_turn_brings_nothing_in_that_was_not_shown(scene: Scene, chats: Conversations, long: str) -> None:
    """After an answer, an alternative or an edit, the screen begins with the same message."""
    chats.tabs.open(long)
    first = scene.window.messages[long][0].id
    chats.sessions.of(long).submit("More")
    chats.sessions.engine_event(scene.engine.deltas((long, "Yes")))
    chats.sessions.engine_event(scene.engine.finished(long))
    assert len(scene.engine.requests[-1].messages) == 2 * (PAGE + PAGE // 4) + 1
    chats.sessions.of(long).regenerate(scene.window.messages[long][-1].id)
    assert scene.window.messages[long][0].id == first
    chats.sessions.engine_event(scene.engine.deltas((long, "No")))
    chats.sessions.engine_event(scene.engine.finished(long))
    chats.sessions.of(long).step(scene.window.messages[long][-1].id, -1)
    assert (scene.window.messages[long][0].id, len(_texts(scene, long))) == (first, PAGE + 2)
    chats.sessions.of(long).edit(first, "Other")
    assert _texts(scene, long)[-2:] == ["Other", ""]
    assert scene.window.earlier[long]


def test_what_is_left_out_is_marked_above_too(scene: Scene, chats: Conversations, long: str) -> None:
    """The first message in the context may be on an earlier page."""
    branch = scene.library.messages.branch(long)
    scene.library.labels.read_from(long, branch[10].id)
    chats.tabs.open(long)
    assert not any(view.out_of_context for view in scene.window.messages[long])
    for _ in range(2):
        chats.sessions.of(long).earlier.show(scene.window.messages[long][0].id)
    assert [view.out_of_context for view in scene.window.messages[long]] == [place < 10 for place in range(len(branch))]


def test_a_page_of_a_message_that_is_gone_is_told(scene: Scene, chats: Conversations, long: str) -> None:
    """The error is shown and the screen stays as it is."""
    chats.tabs.open(long)
    before = _texts(scene, long)
    chats.sessions.of(long).earlier.show("nothing")
    assert "error:no_such_message" in scene.window.notices
    assert _texts(scene, long) == before


@pytest.mark.parametrize(("limit", "most"), [("MOST_WARMED", 149), ("MOST_WARMED_CHARS", 429)])
def test_a_very_long_chat_is_not_read_ahead(
    scene: Scene, chats: Conversations, long: str, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    """An imported chat may have a hundred thousand messages. It opens at once, also when a model is loaded, and after a
    step to another branch. Its next message is sent with all of it.
    """
    monkeypatch.setattr(turn_jobs, limit, most)
    with monkeypatch.context() as patch:
        patch.setattr(turn_jobs, "read", pytest.fail)
        chats.tabs.open(long)
        chats.tick()
        chats.tabs.warm_all()
    session = chats.sessions.of(long)
    session.step(scene.branch(session)[-1].id, 1)
    assert scene.engine.sent == []
    session.submit("More")
    assert len(scene.engine.requests[-1].messages) == 2 * (PAGE + PAGE // 4) + 1


def test_the_tab_in_front_is_warmed_first(scene: Scene, chats: Conversations, long: str) -> None:
    """When the app starts, and when a model is loaded."""
    other = scene.session().id
    say(scene.library, other, "One", "Two")
    chats.tabs.open(long)
    chats.tabs.open(other)
    chats.tabs.focus(other)
    for warm in (chats.tick, chats.tabs.warm_all):
        scene.engine.sent.clear()
        warm()
        assert [one.conversation for one in scene.engine.sent if isinstance(one, Warm)] == [other, long]


def test_a_chat_that_is_gone_before_it_is_warmed_is_no_fault(scene: Scene, chats: Conversations, long: str) -> None:
    """No error is shown."""
    scene.tasks.held = True
    chats.tabs.open(long)
    scene.library.messages.page(long, None, 1)
    scene.tasks.run(lambda library: library.trash.erase(long), lambda _: None, lambda _: None)
    scene.tasks.let_go()
    assert scene.window.notices == {}
    assert scene.engine.sent == []
