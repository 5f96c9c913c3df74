"""Use cases for a whole conversation: it is created, opened, closed, forked, deleted and found."""

from __future__ import annotations

import json

import pytest

from app.chat import views
from app.conversations.conversations import Conversations
from engine.protocol.messages import Deltas, Focus, Warm, Warmed
from engine.protocol.sampling_settings import Sampling
from storage.errors import DamagedDatabase, NoSuchConversation
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.archive_import import ArchiveImport
from storage.library.rows import Conversation, Summary
from tests.fakes.chats import answered_chat, listed_titles, new_chat
from tests.fakes.foreign import DEPTH
from tests.fakes.library import import_all
from tests.unit.app.conftest import Scene
from ui.state.chat import Warmth


def test_a_chat_whose_figures_and_calls_nest_without_end_can_be_used(scene: Scene, chats: Conversations) -> None:
    """A file may bring one. It opens, is answered, and opens again."""
    for deep in ("[" * DEPTH, json.dumps([{"name": "f", "arguments": "[" * DEPTH}])):
        said = (
            ArchivedMessage("0", None, "user", "Hello?"),
            ArchivedMessage("1", "0", "assistant", "Hello!", usage=deep, tool_calls=deep),
        )
        (chat,) = import_all(scene.library, Archive((ArchivedConversation("T", said, leaf="1"),)))
        chats.tabs.open(chat)
        assert [view.text for view in scene.window.opened[-1].messages] == ["Hello?", "Hello!"]
        chats.sessions.of(chat).submit("Again?")
        answered_chat(scene, chats, chat, "Again!")
        chats.tabs.open(chat)
        assert [view.text for view in scene.window.opened[-1].messages] == ["Hello?", "Hello!", "Again?", "Again!"]
    assert scene.window.notices == {}


def test_two_chats_stream_side_by_side(scene: Scene, chats: Conversations) -> None:
    """One event has text for several chats; each gets its own."""
    one, two = new_chat(scene, chats), new_chat(scene, chats)
    chats.sessions.of(one).submit("One")
    chats.sessions.of(two).submit("Two")
    chats.sessions.engine_event(scene.engine.deltas((one, "uno"), (two, "dos")))
    assert scene.window.texts(one)[-1] == ("uno", "open")
    assert scene.window.texts(two)[-1] == ("dos", "open")
    assert chats.sessions.busy


def test_a_chat_that_is_open_is_shown_as_it_is(scene: Scene, chats: Conversations) -> None:
    """Its tab comes to the front, and its text is not written anew: the user stays where he reads. A chat without a tab
    opens.
    """
    chat = new_chat(scene, chats)
    before = len(scene.window.opened)
    chats.tabs.show(chat)
    assert (scene.window.fronted, len(scene.window.opened)) == ([chat], before)
    other = scene.library.conversations.create().id
    chats.tabs.show(other)
    assert (scene.window.fronted, scene.window.opened[-1].id) == ([chat], other)


def test_closing_a_tab_does_not_stop_its_answer(scene: Scene, chats: Conversations) -> None:
    """The answer continues without a tab and is complete when the chat is opened again."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.removal.close(conversation)
    answered_chat(scene, chats, conversation, "Good day")
    assert scene.engine.cancelled == []
    chats.tabs.open(conversation)
    assert [view.text for view in scene.window.opened[-1].messages] == ["Hello", "Good day"]


def test_opening_a_chat_warms_it(scene: Scene, chats: Conversations) -> None:
    """The cache is restored before the next message, and the strip shows how much there was. That waits until the chat
    is painted: a long one takes the library's thread a while to read. A tab that is closed at once is not warmed.
    """
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.close(conversation)
    for closed in (True, False):
        chats.tabs.open(conversation)
        assert not isinstance(scene.engine.sent[-1], Warm)
        if closed:
            chats.removal.close(conversation)
        chats.tabs.tick()
        assert isinstance(scene.engine.sent[-1], Warm) is not closed
    chats.sessions.engine_event(Warmed(conversation, 30, 30, 12.0))
    assert scene.window.statuses[conversation][-1].warmth is Warmth.WARM


def test_restarted_engine_gets_the_open_chats_back(scene: Scene, chats: Conversations) -> None:
    """After a crash the open chats are warmed again."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((conversation, "Go")))
    chats.sessions.engine_lost()
    assert scene.window.texts(conversation)[-1] == ("Go", "interrupted")
    chats.sessions.engine_ready()
    assert isinstance(scene.engine.sent[-1], Warm)


def test_shown_tab_is_served_first(scene: Scene, chats: Conversations) -> None:
    """The engine gets the conversation of the tab in front."""
    chats.tabs.focus("c1")
    assert scene.engine.sent == [Focus("c1")]


def test_several_chats_are_filed_and_pinned(scene: Scene, chats: Conversations) -> None:
    """In one step each, with one new list."""
    made = tuple(scene.library.conversations.create(title=name).id for name in ("One", "Two"))
    chats.labels.move_to_folder(*made, folder=" Work ")
    chats.labels.pin(*made, pinned=True)
    assert {(row.folder, row.pinned) for row in scene.window.rows} == {("Work", True)}


def test_search_lists_what_matches_until_it_is_cleared(scene: Scene, chats: Conversations) -> None:
    """Every later refresh uses the search."""
    for text in ("About lighthouses", "About rivers"):
        conversation = new_chat(scene, chats)
        chats.sessions.of(conversation).submit(text)
        answered_chat(scene, chats, conversation, "Yes")
    chats.list.search("rivers")
    chats.list.refresh()
    assert listed_titles(scene) == ["About rivers"]
    chats.list.search("")
    assert len(scene.window.rows) == 2


def test_rename_shows_everywhere(scene: Scene, chats: Conversations) -> None:
    """Tab and list have the new title at once, and so have the notification about an answer and the question whether
    it shall be stopped.
    """
    conversation = new_chat(scene, chats)
    chats.labels.rename(conversation, "Mine")
    assert scene.window.titles[conversation] == "Mine"
    assert chats.sessions.of(conversation).presenter.shown_title == "Mine"
    assert listed_titles(scene) == ["Mine"]


def test_start_marks_broken_answers(scene: Scene, chats: Conversations) -> None:
    """A reply that a crash cut off is shown as interrupted, and an import is erased. If another process may be writing
    them, they stay.
    """
    conversation = scene.library.conversations.create(title="Old").id
    scene.library.messages.begin_turn(conversation, "Hello", "m")
    running = ArchiveImport(Archive((ArchivedConversation("Half"),)), again=True)
    assert not scene.library.transfer.import_next(running)
    faults: list[Exception] = []
    chats.start(alone=False, not_readable=faults.append)
    assert scene.library.messages.branch(conversation)[-1].state == "open"
    chats.start(alone=True, not_readable=faults.append)
    assert scene.library.messages.branch(conversation)[-1].state == "interrupted"
    with pytest.raises(NoSuchConversation):
        scene.library.transfer.import_next(running)
    assert listed_titles(scene) == ["Old"]
    assert faults == []


def test_library_that_cannot_be_read_is_not_shown_as_empty(scene: Scene, chats: Conversations) -> None:
    """The recovery gets the error, and the list stays as it is."""
    before = (views.row(Summary("c", "Old", "", 0)),)
    scene.window.store.conversations.put(before)
    scene.tasks.broken = DamagedDatabase("The database is damaged.")
    faults: list[Exception] = []
    chats.start(alone=True, not_readable=faults.append)
    assert faults == [scene.tasks.broken]
    assert scene.window.rows == before


def test_chat_that_is_gone_is_said_once_and_not_shown(scene: Scene, chats: Conversations) -> None:
    """Opening a chat that another process erased shows a notice; a tab of the last run is skipped silently."""
    chats.tabs.reopen("nothing")
    assert scene.window.notices == {}
    chats.tabs.open("nothing")
    assert "error:no_such_conversation" in scene.window.notices
    assert scene.window.opened == []


def test_app_that_closes_keeps_every_answer(scene: Scene, chats: Conversations) -> None:
    """Answers are stopped, also those whose end the engine does not report in time."""
    one, two = new_chat(scene, chats), new_chat(scene, chats)
    chats.sessions.of(one).submit("One")
    chats.sessions.of(two).submit("Two")
    chats.sessions.engine_event(scene.engine.deltas((one, "uno"), (two, "dos")))
    chats.sessions.stop_all()
    chats.sessions.engine_event(scene.engine.finished(one, "cancelled"))
    chats.sessions.give_up()
    assert not chats.sessions.busy
    assert [scene.library.messages.branch(chat)[-1].state for chat in (one, two)] == ["stopped", "stopped"]


def test_preset_decides_how_the_next_answer_is_drawn(scene: Scene) -> None:
    """The preset is stored with the chat."""
    asked: list[str] = []

    def sampling(chat: Conversation) -> Sampling:
        asked.append(chat.preset)
        return Sampling()

    chats = scene.conversations(sampling=sampling)
    conversation = new_chat(scene, chats)
    chats.settings.set_preset(conversation, "creative")
    chats.sessions.of(conversation).submit("Hello")
    assert asked[-1] == "creative"


def test_fork_opens_a_copy_with_all_words_so_far(scene: Scene, chats: Conversations) -> None:
    """Also of an answer in progress, which continues. The copy is warmed and listed."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((conversation, "Good")))
    chats.creation.fork(conversation, scene.library.messages.branch(conversation)[-1].id)
    opened = scene.window.opened[-1]
    assert [(view.text, view.state.value) for view in opened.messages] == [("Hello", "done"), ("Good", "stopped")]
    chats.tick()
    assert isinstance(scene.engine.sent[-1], Warm)
    assert listed_titles(scene) == ["Hello (fork)", "Hello"]
    assert scene.window.texts(conversation)[-1] == ("Good", "open")


def test_fork_of_a_message_that_is_gone_is_told(scene: Scene, chats: Conversations) -> None:
    """A notice is shown and no tab opens."""
    conversation = new_chat(scene, chats)
    chats.creation.fork(conversation, "nothing")
    assert "error:no_such_message" in scene.window.notices
    assert len(scene.window.opened) == 1


def test_what_the_user_does_to_a_turn_reaches_its_session(scene: Scene, chats: Conversations) -> None:
    """Alternatives, steps, edits and continuations."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "One")
    question, reply = scene.library.messages.branch(conversation)
    chats.sessions.of(conversation).regenerate(reply.id, 2)
    for number in range(2):
        chats.sessions.engine_event(Deltas((scene.engine.row(conversation, "More", number=number),)))
        chats.sessions.engine_event(scene.engine.finished(conversation, "length", number=number))
    chats.sessions.of(conversation).step(reply.id, 2)
    assert [view.place for view in scene.window.messages[conversation]] == [1, 3]
    chats.sessions.of(conversation).extend(scene.library.messages.branch(conversation)[-1].id)
    chats.sessions.of(conversation).stop()
    chats.sessions.engine_event(scene.engine.finished(conversation, "cancelled"))
    chats.settings.set_switch(conversation, "thinking", is_on=True)
    chats.sessions.of(conversation).edit(question.id, "Hi")
    assert scene.engine.requests[-1].thinking
    assert scene.engine.requests[-1].messages[-1].content == "Hi"


def test_messages_are_looked_up_without_a_change_of_the_list(scene: Scene, chats: Conversations) -> None:
    """The palette shows hits in messages; the sidebar keeps its list. A deleted chat has no hits."""
    chat = new_chat(scene, chats)
    chats.sessions.of(chat).submit("A lighthouse story")
    chats.list.look_up("lighthouse")
    words, rows = scene.window.store.looked_up.now
    assert (words, [row.id for row in rows]) == ("lighthouse", [chat])
    assert len(scene.window.rows) == 1
    chats.removal.delete(chat)
    chats.list.look_up("lighthouse")
    assert scene.window.store.looked_up.now == ("lighthouse", ())


def test_loads_of_the_list_that_wait_are_one(scene: Scene, chats: Conversations) -> None:
    """A hundred files that are attached ask for the list a hundred times, and thousands of chats take a while to list.
    It is shown once, as it is behind the last change.
    """
    chat = new_chat(scene, chats)
    scene.tasks.held = True
    for number in range(20):
        chats.labels.rename(chat, f"Title {number}")
    shown: list[object] = []
    stop = scene.window.store.conversations.follow(shown.append)
    shown.clear()
    scene.tasks.let_go()
    stop()
    assert len(shown) == 1
    assert listed_titles(scene) == ["Title 19"]


def test_a_start_with_a_damaged_library_shows_no_notice_for_each_tab(scene: Scene, chats: Conversations) -> None:
    """The list says once what is wrong, and what can be done. A tab that the user opens says it, too."""
    chat = scene.library.conversations.create(title="Plans").id
    scene.tasks.broken = DamagedDatabase("It is damaged.")
    chats.tabs.reopen(chat)
    assert scene.window.notices == {}
    chats.tabs.open(chat)
    assert set(scene.window.notices) == {"error:damaged_database"}
    assert not chats.tabs.is_opening(chat)
