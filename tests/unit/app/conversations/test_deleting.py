"""Deleting chats: it can be undone for a while, and nothing else is lost by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.conversations.list import UNDO_TICKS
from engine.protocol.cache_messages import Forget
from storage.errors import EnvironmentProblem, Problem
from tests.fakes.chats import answered_chat, listed_titles, new_chat

if TYPE_CHECKING:
    from app.conversations.conversations import Conversations
    from tests.unit.app.conftest import Scene


def test_deleted_chat_can_be_taken_back(scene: Scene, chats: Conversations) -> None:
    """Deleting hides a chat at once. Undo restores it with its messages and its cache."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    assert (scene.window.closed, scene.window.rows) == ([conversation], ())
    assert scene.window.notices[f"undo:{conversation}"].action == "Undo"
    chats.list.undo_delete(conversation)
    assert listed_titles(scene) == ["Hello"]
    assert f"undo:{conversation}" not in scene.window.notices
    assert not any(isinstance(command, Forget) for command in scene.engine.sent)


def test_a_notice_names_the_chat_that_was_deleted(scene: Scene, chats: Conversations) -> None:
    """Two deletions can be told apart. Of a long title both ends are shown, as forks differ at the end."""
    titles = ("Plans", "A long title that two chats share from their beginning on (fork)", "")
    made = [scene.library.conversations.create(title=title).id for title in titles]
    for conversation in made:
        chats.removal.delete(conversation)
    assert [scene.window.notices[f"undo:{conversation}"].text for conversation in made] == [
        "“Plans” was deleted.",
        "“A long title that tw…beginning on (fork)” was deleted.",
        "“New chat” was deleted.",
    ]


def test_a_deletion_can_be_undone_if_the_title_cannot_be_read(scene: Scene, chats: Conversations) -> None:
    """The notice names no chat then, but offers Undo."""
    conversation = new_chat(scene, chats)
    scene.tasks.broken = EnvironmentProblem(Problem.VANISHED)
    chats.list.delete(conversation)
    told = scene.window.notices[f"undo:{conversation}"]
    assert (told.text, told.action) == ("The chat was deleted.", "Undo")


def test_undo_reopens_the_tabs_that_were_open(scene: Scene, chats: Conversations) -> None:
    """Also those of several chats that were deleted together, the last one first. A chat without a tab gets none."""
    listed = [scene.library.conversations.create(title=name).id for name in ("One", "Two", "Three")]
    for conversation in listed[:2]:
        chats.tabs.open(conversation)
    chats.delete_all(tuple(listed))
    scene.window.opened.clear()
    chats.removal.undo(listed[0])
    assert [view.id for view in scene.window.opened] == [listed[1], listed[0]]
    assert {row.id for row in scene.window.rows} == set(listed)
    chats.removal.undo(listed[0])
    assert len(scene.window.opened) == 2


def test_a_deleted_chat_is_none_of_those_that_are_there(scene: Scene, chats: Conversations) -> None:
    """From the moment it leaves the list, before the library knows; and again after an undo. A chat with a message has
    the model that answers it.
    """
    kept, deleted = new_chat(scene, chats), new_chat(scene, chats)
    told: list[dict[str, str]] = []
    chats.list.ask_listed(told.append)
    for chat in (kept, deleted):
        chats.sessions.of(chat).submit("Hello")
        answered_chat(scene, chats, chat, "Good day")
    chats.removal.delete(deleted)
    chats.list.ask_listed(told.append)
    chats.list.undo_delete(deleted)
    chats.list.ask_listed(told.append)
    assert told == [{kept: "", deleted: ""}, {kept: "a/model"}, {kept: "a/model", deleted: "a/model"}]


def test_a_deleted_chat_leaves_the_memory_of_the_engine(scene: Scene, chats: Conversations) -> None:
    """When it can no longer be undone: it would count as loaded. Its state on disk stays while it can be restored."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert [sent for sent in scene.engine.sent if isinstance(sent, Forget)] == [Forget(conversation, on_disk=False)]


def test_several_chats_are_deleted_together(scene: Scene, chats: Conversations) -> None:
    """One notice tells how many, and its Undo brings back all of them. Otherwise they are in Recently deleted."""
    made = new_chat(scene, chats), *(scene.library.conversations.create(title=name).id for name in ("Two", "Three"))
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
    slow, quick = new_chat(scene, chats), new_chat(scene, chats)
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


def test_deletion_happens_when_the_time_is_over(scene: Scene, chats: Conversations) -> None:
    """Then the chat is in Recently Deleted and can be restored. Its cache stays until it is erased."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert scene.library.conversations.listed() == ()
    assert [summary.id for summary in scene.library.trash.listed()] == [conversation]
    assert not any(isinstance(command, Forget) and command.on_disk for command in scene.engine.sent)
    assert scene.window.notices == {}


def test_a_deleted_chat_that_is_used_again_is_not_deleted(scene: Scene, chats: Conversations) -> None:
    """A new chat uses an untouched one again, also one that was deleted a moment ago. What is written there stays."""
    conversation = new_chat(scene, chats)
    chats.removal.delete(conversation)
    chats.creation.begin()
    assert scene.window.opened[-1].id == conversation
    chats.save_draft(conversation, "half a thought")
    for _ in range(UNDO_TICKS):
        chats.tick()
    assert [row.id for row in scene.window.rows] == [conversation]
    assert scene.library.conversations.draft(conversation) == "half a thought"
    assert scene.window.notices == {}


def test_a_chat_that_was_deleted_with_others_and_is_used_again_is_not_deleted(
    scene: Scene, chats: Conversations
) -> None:
    """The next new chat is the untouched one of them. What is typed there is saved, and the other one is deleted. Until
    then, that can be undone.
    """
    chat, fresh = scene.library.conversations.create(title="Plans").id, new_chat(scene, chats)
    for conversations in ((chat, fresh), (fresh, chat)):
        chats.delete_all(conversations)
        chats.creation.begin()
        assert scene.window.opened[-1].id == fresh
        assert {key: told.text for key, told in scene.window.notices.items()} == {
            f"undo:{chat}": "“Plans” was deleted."
        }
        chats.removal.undo(chat)
        assert [row.id for row in scene.window.rows] == [fresh, chat]
    chats.delete_all((chat, fresh))
    chats.creation.begin()
    chats.save_draft(fresh, "words")
    for _tick in range(UNDO_TICKS):
        chats.tick()
    assert scene.library.conversations.draft(fresh) == "words"
    assert [row.id for row in scene.window.rows] == [fresh]
    assert scene.window.notices == {}


def test_a_list_that_was_read_before_a_deletion_does_not_show_the_chat_again(
    scene: Scene, chats: Conversations
) -> None:
    """The chat is still in the library while the list is read, and it does not come back for good."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    scene.tasks.held = True
    chats.list.refresh()
    for _ in range(UNDO_TICKS):
        chats.tick()
    scene.tasks.let_go()
    assert scene.window.rows == ()


def test_a_chat_that_cannot_be_deleted_counts_as_what_it_is(scene: Scene, chats: Conversations) -> None:
    """What the library has counts, also if another window has erased the chat."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    scene.library.trash.erase(conversation)
    chats.settle()
    assert scene.window.rows == ()
    assert not chats.list.is_being_deleted(conversation)


def test_closing_the_app_completes_deletions(scene: Scene, chats: Conversations) -> None:
    """A deleted chat does not come back at the next start."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    chats.settle()
    assert scene.library.conversations.listed() == ()


def test_deleting_a_busy_chat_stops_it(scene: Scene, chats: Conversations) -> None:
    """Its answer is stopped."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((conversation, "Go")))
    chats.removal.delete(conversation)
    assert len(scene.engine.cancelled) == 1


def test_a_chat_that_is_deleted_while_its_tab_opens_has_none(scene: Scene, chats: Conversations) -> None:
    """What is typed into it would be lost. If the tab is asked for after that, the deletion is undone at once."""
    chat = scene.library.conversations.create(title="Plans").id
    scene.tasks.held = True
    chats.tabs.open(chat)
    chats.delete(chat)
    scene.tasks.let_go()
    assert (chats.tabs.opened, scene.window.opened) == ((), [])
    scene.tasks.held = True
    chats.tabs.open(chat)
    for _ in range(UNDO_TICKS):
        chats.tick()
    scene.tasks.let_go()
    assert chats.tabs.opened == (chat,)
    assert [row.id for row in scene.window.rows] == [chat]


def test_an_untouched_chat_stays_if_its_tab_is_about_to_open(scene: Scene, chats: Conversations) -> None:
    """A new chat was asked for just before the tab of the untouched one was closed."""
    chats.creation.begin()
    chat = scene.window.opened[-1].id
    scene.tasks.held = True
    chats.creation.begin()
    scene.tasks.run_next()
    chats.close_tab(chat)
    scene.tasks.let_go()
    chats.save_draft(chat, "half a thought")
    assert scene.library.conversations.draft(chat) == "half a thought"


def test_a_chat_that_is_deleted_twice_is_undone_once(scene: Scene, chats: Conversations) -> None:
    """A slow library still lists it when the user deletes it again, alone or with others."""
    one, two, three = (scene.library.conversations.create(title=title).id for title in ("One", "Two", "Three"))
    chats.delete_all((one, two))
    chats.delete_all((two, three))
    assert set(scene.window.notices) == {f"undo:{one}", f"undo:{three}"}
    chats.removal.undo(three)
    chats.tabs.open(one)
    chats.list.refresh()
    assert {row.id for row in scene.window.rows} == {one, three}
