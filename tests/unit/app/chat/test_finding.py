"""Finding words in the part of a chat that is not on the screen, and opening a chat at a hit."""

from __future__ import annotations

import pytest

from app.chat.opening import PAGE
from app.chat.turn_removal import BRANCHED
from app.conversations.conversations import Conversations
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from tests.fakes.library import alternatives, import_all
from tests.unit.app.conftest import Scene


@pytest.fixture
def long(scene: Scene) -> str:
    """A conversation of five pages. Every question has a fox, and the first answer two zebras in code."""
    words = [f"{speaker}{number}" for number in range(5 * PAGE // 2) for speaker in "qa"]
    texts = {"a0": "Two:\n\n```\nzebra zebra\n```"}
    messages = tuple(
        ArchivedMessage(
            one,
            before,
            "user" if one.startswith("q") else "assistant",
            texts.get(one, f"{one} **fox**" if one.startswith("q") else "no"),
        )
        for before, one in zip((None, *words), words, strict=False)
    )
    return import_all(scene.library, Archive((ArchivedConversation("Long", messages, leaf=words[-1]),)))[0]


def test_hits_above_the_screen_are_counted(scene: Scene, chats: Conversations, long: str) -> None:
    """The whole branch above the first message on the screen is searched, in order."""
    chats.tabs.open(long)
    first = scene.window.messages[long][0].id
    chats.sessions.of(long).earlier.find(("FOX",), first)
    conversation, terms, counts = scene.window.found[-1]
    assert (conversation, terms) == (long, ("FOX",))
    assert [count for _, count in counts] == [1] * (4 * PAGE // 2)
    branch = [message.id for message in scene.library.messages.branch(long)]
    assert [message for message, _ in counts] == branch[: 4 * PAGE : 2]
    chats.sessions.of(long).earlier.find(("zebra",), first)
    assert scene.window.found[-1][2] == ((branch[1], 2),)


def test_the_screen_is_loaded_up_to_a_message(scene: Scene, chats: Conversations, long: str) -> None:
    """A step to a hit far above loads all pages down from it at once."""
    chats.tabs.open(long)
    branch = [message.id for message in scene.library.messages.branch(long)]
    first = scene.window.messages[long][0].id
    chats.sessions.of(long).earlier.show(first, branch[PAGE + 5])
    assert [view.id for view in scene.window.messages[long]] == branch[PAGE:]
    assert scene.window.earlier[long]


def test_a_chat_opens_at_a_message(scene: Scene, chats: Conversations, long: str) -> None:
    """A search hit opens the chat and asks the tab to go to the message."""
    hit = scene.library.messages.branch(long)[3].id
    chats.tabs.open_at(long, hit, ("no",))
    assert scene.window.opened[-1].id == long
    assert scene.window.found_at == [(long, hit, ("no",))]


@pytest.fixture
def branched(scene: Scene) -> str:
    """Two answers to one question. The first one has a fox and a zebra, the second one a fox and a later turn."""
    messages = (
        ArchivedMessage("q", None, "user", "Which?"),
        ArchivedMessage("old", "q", "assistant", "A zebra and a fox"),
        ArchivedMessage("new", "q", "assistant", "A fox"),
        ArchivedMessage("more", "new", "user", "Go on"),
    )
    return import_all(scene.library, Archive((ArchivedConversation("T", messages, leaf="more"),)))[0]


def _shown(scene: Scene, chat: str) -> list[str]:
    return [text for text, _ in scene.window.texts(chat)]


def test_a_hit_on_the_branch_that_is_shown_is_preferred(scene: Scene, chats: Conversations, branched: str) -> None:
    """The branch does not change if it has all words of the search, though the best hit is elsewhere. Nothing is
    said.
    """
    shown = scene.library.messages.branch(branched)[1].id
    old, new = alternatives(scene.library, shown)
    assert new == shown
    chats.tabs.open_at(branched, old, ("A", "FOX"))
    assert _shown(scene, branched) == ["Which?", "A fox", "Go on"]
    assert scene.window.found_at == [(branched, new, ("A", "FOX"))]
    assert scene.window.notices == {}


def test_a_hit_on_another_branch_shows_that_branch_and_the_way_back(
    scene: Scene, chats: Conversations, branched: str
) -> None:
    """A notice says so. Its Undo shows the former branch again, and the next message follows that one."""
    old, _ = alternatives(scene.library, scene.library.messages.branch(branched)[1].id)
    chats.tabs.open_at(branched, old, ("fox", "zebra"))
    assert _shown(scene, branched) == ["Which?", "A zebra and a fox"]
    assert scene.window.found_at == [(branched, old, ("fox", "zebra"))]
    told = scene.window.notices[BRANCHED + branched]
    assert (told.action, told.undoes, told.conversation) == ("Undo", True, branched)
    assert told.text.startswith("What you searched for is in another version")
    chats.sessions.of(branched).branch_return.undo()
    assert _shown(scene, branched) == ["Which?", "A fox", "Go on"]
    assert [one.content for one in scene.library.messages.branch(branched)] == ["Which?", "A fox", "Go on"]
    assert BRANCHED + branched not in scene.window.notices


def test_the_way_back_from_a_hit_stops_no_answer(scene: Scene, chats: Conversations, branched: str) -> None:
    """An answer of the former branch is still written when that branch is shown again."""
    old, _ = alternatives(scene.library, scene.library.messages.branch(branched)[1].id)
    session = chats.sessions.of(branched)
    session.submit("And?")
    chats.tabs.open_at(branched, old, ("zebra",))
    session.branch_return.undo()
    assert scene.engine.cancelled == []
    scene.say(session, "Well")
    assert _shown(scene, branched) == ["Which?", "A fox", "Go on", "And?", "Well"]


def test_a_file_found_on_another_branch_shows_that_branch(scene: Scene, chats: Conversations, branched: str) -> None:
    """The text of no message has its words, so no other hit is preferred."""
    old, _ = alternatives(scene.library, scene.library.messages.branch(branched)[1].id)
    chats.tabs.open_at(branched, old, ())
    assert _shown(scene, branched) == ["Which?", "A zebra and a fox"]
    assert BRANCHED + branched in scene.window.notices


def test_a_hit_that_is_gone_opens_the_chat(scene: Scene, chats: Conversations, long: str) -> None:
    """If the message was removed since the search, the chat opens at its end."""
    chats.tabs.open_at(long, "gone", ("fox",))
    assert scene.window.opened[-1].id == long
