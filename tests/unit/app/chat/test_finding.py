"""Finding words in the part of a chat that is not on the screen, and opening a chat at a hit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.chat.opening import PAGE
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage

if TYPE_CHECKING:
    from app.conversations.conversations import Conversations
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
    return scene.library.transfer.import_all(Archive((ArchivedConversation("Long", messages, words[-1]),)))[0]


def test_hits_above_the_screen_are_counted(scene: Scene, chats: Conversations, long: str) -> None:
    """The whole branch above the first message on the screen is searched, in order."""
    chats.tabs.open(long)
    first = scene.window.messages[long][0].id
    chats.sessions.of(long).find_earlier(("FOX",), first)
    conversation, terms, counts = scene.window.found[-1]
    assert (conversation, terms) == (long, ("FOX",))
    assert [count for _, count in counts] == [1] * (4 * PAGE // 2)
    branch = [message.id for message in scene.library.messages.branch(long)]
    assert [message for message, _ in counts] == branch[: 4 * PAGE : 2]
    chats.sessions.of(long).find_earlier(("zebra",), first)
    assert scene.window.found[-1][2] == ((branch[1], 2),)


def test_the_screen_is_loaded_up_to_a_message(scene: Scene, chats: Conversations, long: str) -> None:
    """A step to a hit far above loads all pages down from it at once."""
    chats.tabs.open(long)
    branch = [message.id for message in scene.library.messages.branch(long)]
    first = scene.window.messages[long][0].id
    chats.sessions.of(long).earlier(first, branch[PAGE + 5])
    assert [view.id for view in scene.window.messages[long]] == branch[PAGE:]
    assert scene.window.earlier[long]


def test_a_chat_opens_at_a_message(scene: Scene, chats: Conversations, long: str) -> None:
    """A search hit opens the chat and asks the tab to go to the message."""
    hit = scene.library.messages.branch(long)[3].id
    chats.tabs.open_at(long, hit, ("no",))
    assert scene.window.opened[-1].id == long
    assert scene.window.found_at == [(long, hit, ("no",))]


def test_a_hit_on_another_branch_makes_that_branch_the_active_one(scene: Scene, chats: Conversations) -> None:
    """Search covers alternatives. The chat opens with the one that has the hit; a later branch stays reachable."""
    messages = (
        ArchivedMessage("q", None, "user", "Which?"),
        ArchivedMessage("old", "q", "assistant", "A zebra"),
        ArchivedMessage("more", "old", "user", "Go on"),
        ArchivedMessage("new", "q", "assistant", "A fox"),
    )
    chat = scene.library.transfer.import_all(Archive((ArchivedConversation("T", messages, "new"),)))[0]
    question = scene.library.messages.branch(chat)[0].id
    old, new = scene.library.messages.alternatives(scene.library.messages.branch(chat)[1].id)
    chats.tabs.open_at(chat, old, ("zebra",))
    assert [view.text for view in scene.window.opened[-1].messages] == ["Which?", "A zebra", "Go on"]
    chats.tabs.open_at(chat, question, ("which",))
    assert [view.text for view in scene.window.opened[-1].messages] == ["Which?", "A zebra", "Go on"]
    chats.tabs.open_at(chat, new, ("fox",))
    assert [view.text for view in scene.window.opened[-1].messages] == ["Which?", "A fox"]


def test_a_hit_that_is_gone_opens_the_chat(scene: Scene, chats: Conversations, long: str) -> None:
    """If the message was removed since the search, the chat opens at its end."""
    chats.tabs.open_at(long, "gone", ("fox",))
    assert scene.window.opened[-1].id == long
