"""Use cases for a whole conversation: it is created, opened, closed, forked, deleted and found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from app.chat import views
from app.conversations.list import UNDO_TICKS
from engine.protocol.messages import Deltas, Focus, Forget, Sampling, Warm, Warmed
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import Summary
from tests.fakes.foreign import DEPTH
from ui.state.chat import Warmth

if TYPE_CHECKING:
    from pathlib import Path

    from app.conversations.conversations import Conversations
    from storage.library.rows import Conversation
    from tests.unit.app.conftest import Scene


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


def _new(scene: Scene, chats: Conversations) -> str:
    chats.creation.new()
    return scene.window.opened[-1].id


def _titles(scene: Scene) -> list[str]:
    return [row.title for row in scene.window.rows]


def _answer(scene: Scene, chats: Conversations, conversation: str, text: str) -> None:
    chats.sessions.engine_event(scene.engine.deltas((conversation, text)))
    chats.sessions.engine_event(scene.engine.finished(conversation))


def test_new_chat_opens_and_is_listed(scene: Scene, chats: Conversations) -> None:
    """A new chat has a tab and a row at once. Its first message becomes its title."""
    conversation = _new(scene, chats)
    assert _titles(scene) == ["New chat"]
    chats.sessions.of(conversation).submit("A lighthouse story")
    assert _titles(scene) == ["A lighthouse story"]
    assert scene.window.titles[conversation] == "A lighthouse story"


def test_a_chat_whose_figures_and_calls_nest_without_end_can_be_used(scene: Scene, chats: Conversations) -> None:
    """An earlier version may have imported one. It opens, is answered, and opens again."""
    for deep in ("[" * DEPTH, json.dumps([{"name": "f", "arguments": "[" * DEPTH}])):
        said = (
            ArchivedMessage("0", None, "user", "Hello?"),
            ArchivedMessage("1", "0", "assistant", "Hello!", usage=deep, tool_calls=deep),
        )
        (chat,) = scene.library.transfer.import_all(Archive((ArchivedConversation("T", said, "1"),)))
        chats.tabs.open(chat)
        assert [view.text for view in scene.window.opened[-1].messages] == ["Hello?", "Hello!"]
        chats.sessions.of(chat).submit("Again?")
        _answer(scene, chats, chat, "Again!")
        chats.tabs.open(chat)
        assert [view.text for view in scene.window.opened[-1].messages] == ["Hello?", "Hello!", "Again?", "Again!"]
    assert scene.window.notices == {}


def test_chat_can_begin_with_a_draft(scene: Scene, chats: Conversations) -> None:
    """The text is in the message box of a new tab and is not sent."""
    chats.creation.new("Is it warm?")
    assert scene.window.opened[-1].draft == "Is it warm?"
    assert scene.window.opened[-1].messages == ()
    assert _titles(scene) == ["New chat"]


def test_a_draft_that_was_refused_is_saved_within_a_second_of_recovery(scene: Scene, chats: Conversations) -> None:
    """Also if the window closes before that second is over."""
    for later in (chats.tick, chats.settle):
        chat = _new(scene, chats)
        scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
        chats.drafts.save(chat, "half a thought")
        scene.tasks.broken = None
        later()
        assert scene.library.conversations.draft(chat) == "half a thought"


def test_untouched_chat_leaves_no_trace(scene: Scene, chats: Conversations) -> None:
    """Closing the tab of an empty chat deletes it, unless it has a draft."""
    empty, drafted = _new(scene, chats), _new(scene, chats)
    chats.drafts.save(drafted, "half a thought")
    chats.removal.close(empty)
    chats.removal.close(drafted)
    assert [row.id for row in scene.window.rows] == [drafted]


def test_two_chats_stream_side_by_side(scene: Scene, chats: Conversations) -> None:
    """One event has text for several chats; each gets its own."""
    one, two = _new(scene, chats), _new(scene, chats)
    chats.sessions.of(one).submit("One")
    chats.sessions.of(two).submit("Two")
    chats.sessions.engine_event(scene.engine.deltas((one, "uno"), (two, "dos")))
    assert scene.window.texts(one)[-1] == ("uno", "open")
    assert scene.window.texts(two)[-1] == ("dos", "open")
    assert chats.sessions.busy


def test_closing_a_tab_does_not_stop_its_answer(scene: Scene, chats: Conversations) -> None:
    """The answer continues without a tab and is complete when the chat is opened again."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.removal.close(conversation)
    _answer(scene, chats, conversation, "Good day")
    assert scene.engine.cancelled == []
    chats.tabs.open(conversation)
    assert [view.text for view in scene.window.opened[-1].messages] == ["Hello", "Good day"]


def test_opening_a_chat_warms_it(scene: Scene, chats: Conversations) -> None:
    """The cache is restored before the next message, and the strip shows how much there was. That waits until the chat
    is painted: a long one takes the library's thread a while to read. A tab that is closed at once is not warmed.
    """
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
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
    conversation = _new(scene, chats)
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


def test_deleted_chat_can_be_taken_back(scene: Scene, chats: Conversations) -> None:
    """Deleting hides a chat at once. Undo restores it with its messages and its cache."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    assert (scene.window.closed, scene.window.rows) == ([conversation], ())
    assert scene.window.notices[f"undo:{conversation}"].action == "Undo"
    chats.list.undo_delete(conversation)
    assert _titles(scene) == ["Hello"]
    assert f"undo:{conversation}" not in scene.window.notices
    assert not any(isinstance(command, Forget) for command in scene.engine.sent)


def test_a_deleted_chat_leaves_the_memory_of_the_engine(scene: Scene, chats: Conversations) -> None:
    """When it can no longer be undone: it would count as loaded. Its state on disk stays while it can be restored."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert [sent for sent in scene.engine.sent if isinstance(sent, Forget)] == [Forget(conversation, on_disk=False)]


def test_several_chats_are_deleted_together(scene: Scene, chats: Conversations) -> None:
    """One notice tells how many, and its Undo brings back all of them. Otherwise they are in Recently deleted."""
    made = _new(scene, chats), *(scene.library.conversations.create(title=name).id for name in ("Two", "Three"))
    chats.delete_all(made)
    (told,) = [notice for key, notice in scene.window.notices.items() if key.startswith("undo:")]
    assert (told.text, scene.window.rows) == ("3 chats were deleted.", ())
    chats.list.undo_delete(told.key.removeprefix("undo:"))
    assert {row.id for row in scene.window.rows} == set(made)
    chats.delete_all(made)
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert {summary.id for summary in scene.library.trash.listed()} == set(made)


def test_no_time_passes_for_a_deletion_whose_notice_is_held(scene: Scene, chats: Conversations) -> None:
    """The user has the mouse on Undo, for as long as it takes. Other deletions are carried out."""
    slow, quick = _new(scene, chats), _new(scene, chats)
    for conversation in (slow, quick):
        chats.sessions.of(conversation).submit("Hello")
        chats.list.delete(conversation)
    chats.list.hold(slow, True)  # noqa: FBT003 - a state
    for _ in range(UNDO_TICKS):
        chats.list.tick()
    assert set(scene.window.notices) == {f"undo:{slow}"}
    chats.list.hold(slow, False)  # noqa: FBT003 - a state
    for _ in range(UNDO_TICKS):
        chats.list.tick()
    assert scene.window.notices == {}


def test_several_chats_are_filed_and_pinned(scene: Scene, chats: Conversations) -> None:
    """In one step each, with one new list."""
    made = tuple(scene.library.conversations.create(title=name).id for name in ("One", "Two"))
    chats.labels.file_all(made, " Work ")
    chats.labels.pin_all(made, pinned=True)
    assert {(row.folder, row.pinned) for row in scene.window.rows} == {("Work", True)}


def test_deletion_happens_when_the_time_is_over(scene: Scene, chats: Conversations) -> None:
    """Then the chat is in Recently Deleted and can be restored. Its cache stays until it is erased."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert scene.library.conversations.listed() == ()
    assert [summary.id for summary in scene.library.trash.listed()] == [conversation]
    assert not any(isinstance(command, Forget) and command.on_disk for command in scene.engine.sent)
    assert scene.window.notices == {}


def test_a_deleted_chat_that_is_used_again_is_not_deleted(scene: Scene, chats: Conversations) -> None:
    """A new chat uses an untouched one again, also one that was deleted a moment ago. What is written there stays."""
    conversation = _new(scene, chats)
    chats.removal.delete(conversation)
    chats.creation.begin()
    assert scene.window.opened[-1].id == conversation
    chats.drafts.save(conversation, "half a thought")
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert [row.id for row in scene.window.rows] == [conversation]
    assert scene.library.conversations.draft(conversation) == "half a thought"
    assert scene.window.notices == {}


def test_a_list_that_was_read_before_a_deletion_does_not_show_the_chat_again(
    scene: Scene, chats: Conversations
) -> None:
    """The chat is still in the library while the list is read, and it does not come back for good."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    scene.tasks.held = True
    chats.list.refresh()
    for _ in range(UNDO_TICKS):
        chats.tick()
    scene.tasks.let_go()
    assert scene.window.rows == ()


def test_a_chat_that_cannot_be_deleted_counts_as_what_it_is(scene: Scene, chats: Conversations) -> None:
    """What the library has counts, also if another window has erased the chat."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    scene.library.trash.erase(conversation)
    chats.settle()
    assert scene.window.rows == ()
    assert not chats.list.is_being_deleted(conversation)


def test_closing_the_app_completes_deletions(scene: Scene, chats: Conversations) -> None:
    """A deleted chat does not come back at the next start."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    chats.settle()
    assert scene.library.conversations.listed() == ()


def test_deleting_a_busy_chat_stops_it(scene: Scene, chats: Conversations) -> None:
    """Its answer is stopped."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((conversation, "Go")))
    chats.removal.delete(conversation)
    assert len(scene.engine.cancelled) == 1


def test_search_lists_what_matches_until_it_is_cleared(scene: Scene, chats: Conversations) -> None:
    """Every later refresh uses the search."""
    for text in ("About lighthouses", "About rivers"):
        conversation = _new(scene, chats)
        chats.sessions.of(conversation).submit(text)
        _answer(scene, chats, conversation, "Yes")
    chats.list.search("rivers")
    chats.list.refresh()
    assert _titles(scene) == ["About rivers"]
    chats.list.search("")
    assert len(scene.window.rows) == 2


def test_rename_shows_everywhere(scene: Scene, chats: Conversations) -> None:
    """Tab and list have the new title at once."""
    conversation = _new(scene, chats)
    chats.labels.rename(conversation, "Mine")
    assert scene.window.titles[conversation] == "Mine"
    assert _titles(scene) == ["Mine"]


def test_start_marks_broken_answers(scene: Scene, chats: Conversations) -> None:
    """A reply that a crash cut off is shown as interrupted. If another process may be writing it, it stays open."""
    conversation = scene.library.conversations.create(title="Old").id
    scene.library.messages.begin_turn(conversation, "Hello", "m")
    faults: list[Exception] = []
    chats.start(alone=False, not_readable=faults.append)
    assert scene.library.messages.branch(conversation)[-1].state == "open"
    chats.start(alone=True, not_readable=faults.append)
    assert scene.library.messages.branch(conversation)[-1].state == "interrupted"
    assert _titles(scene) == ["Old"]
    assert faults == []


def test_library_that_cannot_be_read_is_not_shown_as_empty(scene: Scene, chats: Conversations) -> None:
    """The recovery gets the error, and the list stays as it is."""
    scene.window.rows = before = (views.row(Summary("c", "Old", "", 0)),)
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
    one, two = _new(scene, chats), _new(scene, chats)
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
    conversation = _new(scene, chats)
    chats.settings.set_preset(conversation, "creative")
    chats.sessions.of(conversation).submit("Hello")
    assert asked[-1] == "creative"


def test_fork_opens_a_copy_with_all_words_so_far(scene: Scene, chats: Conversations) -> None:
    """Also of an answer in progress, which continues. The copy is warmed and listed."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((conversation, "Good")))
    chats.creation.fork(conversation, scene.library.messages.branch(conversation)[-1].id)
    opened = scene.window.opened[-1]
    assert [(view.text, view.state.value) for view in opened.messages] == [("Hello", "done"), ("Good", "stopped")]
    chats.tick()
    assert isinstance(scene.engine.sent[-1], Warm)
    assert _titles(scene) == ["Hello (fork)", "Hello"]
    assert scene.window.texts(conversation)[-1] == ("Good", "open")


def test_fork_of_a_message_that_is_gone_is_told(scene: Scene, chats: Conversations) -> None:
    """A notice is shown and no tab opens."""
    conversation = _new(scene, chats)
    chats.creation.fork(conversation, "nothing")
    assert "error:no_such_message" in scene.window.notices
    assert len(scene.window.opened) == 1


def test_what_the_user_does_to_a_turn_reaches_its_session(scene: Scene, chats: Conversations) -> None:
    """Alternatives, steps, edits, pauses and continuations."""
    conversation = _new(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    _answer(scene, chats, conversation, "One")
    question, reply = scene.library.messages.branch(conversation)
    chats.sessions.of(conversation).retry(reply.id, 2)
    chats.sessions.of(conversation).pause()
    assert len(scene.engine.held) == 2
    for number in range(2):
        chats.sessions.engine_event(Deltas((scene.engine.row(conversation, "More", number=number),)))
        chats.sessions.engine_event(scene.engine.finished(conversation, "length", number=number))
    chats.sessions.of(conversation).step(reply.id, 2)
    assert [view.place for view in scene.window.messages[conversation]] == [1, 3]
    chats.sessions.of(conversation).extend(scene.library.messages.branch(conversation)[-1].id)
    chats.sessions.of(conversation).resume()
    chats.sessions.of(conversation).stop()
    chats.sessions.engine_event(scene.engine.finished(conversation, "cancelled"))
    chats.settings.set_thinking(conversation, True)  # noqa: FBT003 - as the signal brings it
    chats.sessions.of(conversation).edit(question.id, "Hi")
    assert scene.engine.requests[-1].thinking
    assert scene.engine.requests[-1].messages[-1].content == "Hi"


def test_an_untouched_chat_is_used_again(scene: Scene, chats: Conversations) -> None:
    """Empty chats do not pile up: a new chat is the one that has nothing yet, whichever tab is in front."""
    chats.creation.begin()
    first = scene.window.opened[-1].id
    chats.creation.begin()
    assert scene.window.opened[-1].id == first
    assert len(scene.window.rows) == 1


@pytest.mark.parametrize("touch", ["draft", "message", "title", "tag", "pin", "file"])
def test_a_touched_chat_is_not_used_again(scene: Scene, chats: Conversations, touch: str, tmp_path: Path) -> None:
    """Whatever the user gave a chat keeps it."""
    chats.creation.begin()
    chat = scene.window.opened[-1].id
    (tmp_path / "notes.txt").write_text("notes")
    {
        "draft": lambda: chats.drafts.save(chat, "half a thought"),
        "message": lambda: chats.sessions.of(chat).submit("Hello"),
        "title": lambda: chats.labels.rename(chat, "Mine"),
        "tag": lambda: chats.labels.set_tags(chat, "work"),
        "pin": lambda: chats.labels.pin(chat, pinned=True),
        "file": lambda: chats.attachments.attach(chat, [str(tmp_path / "notes.txt")]),
    }[touch]()
    chats.creation.begin()
    assert scene.window.opened[-1].id != chat


def test_a_draft_is_shown_in_its_row(scene: Scene, chats: Conversations) -> None:
    """At once, and again when the list is loaded. A sent draft is gone."""
    chat = _new(scene, chats)
    chats.drafts.save(chat, "  half a thought ")
    assert [row.draft for row in scene.window.rows] == ["half a thought"]
    chats.list.refresh()
    assert [row.draft for row in scene.window.rows] == ["half a thought"]
    chats.sessions.of(chat).submit("half a thought")
    assert [row.draft for row in scene.window.rows] == [""]


def test_messages_are_looked_up_without_a_change_of_the_list(scene: Scene, chats: Conversations) -> None:
    """The palette shows hits in messages; the sidebar keeps its list. A chat that is being deleted has no hits."""
    chat = _new(scene, chats)
    chats.sessions.of(chat).submit("A lighthouse story")
    chats.list.look_up("lighthouse")
    words, rows = scene.window.looked_up
    assert (words, [row.id for row in rows]) == ("lighthouse", [chat])
    assert len(scene.window.rows) == 1
    chats.list.delete(chat)
    chats.list.look_up("lighthouse")
    assert scene.window.looked_up == ("lighthouse", ())
