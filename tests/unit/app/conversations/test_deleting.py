"""Deleting chats: it can be undone, and nothing else is lost by it."""

from __future__ import annotations

from app.conversations.conversations import Conversations
from engine.protocol.cache_messages import Forget
from storage.errors import EnvironmentProblem, Problem
from tests.fakes.chats import answered_chat, listed_titles, new_chat
from tests.unit.app.conftest import Scene


def test_deleted_chat_can_be_taken_back(scene: Scene, chats: Conversations) -> None:
    """Deleting hides a chat at once. Undo restores it with its messages and its cache."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    assert (scene.window.closed, scene.window.rows) == ([conversation], ())
    assert scene.window.notices[f"undo:{conversation}"].action == "Undo"
    chats.removal.undo(conversation)
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


def test_undo_reopens_the_tabs_that_were_open(scene: Scene, chats: Conversations) -> None:
    """Also those of several chats that were deleted together, the last one first. A chat without a tab gets none."""
    listed = [scene.library.conversations.create(title=name).id for name in ("One", "Two", "Three")]
    for conversation in listed[:2]:
        chats.tabs.open(conversation)
    chats.delete(*listed)
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
    chats.removal.undo(deleted)
    chats.list.ask_listed(told.append)
    assert told == [{kept: "", deleted: ""}, {kept: "a/model"}, {kept: "a/model", deleted: "a/model"}]


def test_several_chats_are_deleted_together(scene: Scene, chats: Conversations) -> None:
    """One notice tells how many, and its Undo brings back all of them. Otherwise they are in Recently deleted."""
    made = new_chat(scene, chats), *(scene.library.conversations.create(title=name).id for name in ("Two", "Three"))
    chats.delete(*made)
    (told,) = [notice for key, notice in scene.window.notices.items() if key.startswith("undo:")]
    assert (told.text, scene.window.rows) == ("3 chats were deleted.", ())
    chats.removal.undo(told.key.removeprefix("undo:"))
    assert {row.id for row in scene.window.rows} == set(made)
    chats.delete(*made)
    assert {summary.id for summary in scene.library.trash.listed()} == set(made)


def test_undo_brings_back_the_rest_of_chats_that_were_deleted_together(scene: Scene, chats: Conversations) -> None:
    """One of them was restored in Recently Deleted before, and another erased there."""
    made = tuple(scene.library.conversations.create(title=name).id for name in ("One", "Two", "Three", "Four"))
    chats.delete(*made)
    chats.trash.undelete((made[1],))
    chats.trash.erase((made[2],))
    chats.removal.undo(made[0])
    assert {row.id for row in scene.window.rows} == {made[0], made[1], made[3]}
    assert scene.window.notices == {}


def test_undo_brings_back_what_is_still_deleted_by_that_act(scene: Scene, chats: Conversations) -> None:
    """A chat that was restored and deleted again has an Undo of its own, which opens its tab."""
    made = tuple(scene.library.conversations.create(title=name).id for name in ("One", "Two"))
    for conversation in made:
        chats.tabs.open(conversation)
    chats.delete(*made)
    chats.trash.undelete(made[1:])
    chats.delete(made[1])
    scene.window.opened.clear()
    chats.removal.undo(made[0])
    assert ({row.id for row in scene.window.rows}, [view.id for view in scene.window.opened]) == ({made[0]}, [made[0]])
    assert set(scene.window.notices) == {f"undo:{made[1]}"}
    chats.removal.undo(made[1])
    assert ({row.id for row in scene.window.rows}, scene.window.notices) == (set(made), {})


def test_undo_says_so_if_no_chat_is_left_to_bring_back(scene: Scene, chats: Conversations) -> None:
    """Another library may have taken the place of the one that they were deleted in."""
    chat = scene.library.conversations.create(title="Plans").id
    chats.delete(chat)
    scene.library.trash.erase(chat)
    chats.removal.undo(chat)
    (told,) = scene.window.notices.values()
    assert told.text == "This conversation is not in Recently Deleted any more."


def test_instructions_that_are_saved_as_their_chat_is_deleted_show_no_error(scene: Scene, chats: Conversations) -> None:
    """The field reports what was typed when its chat goes. The instructions are there again after an undo."""
    chat = scene.library.conversations.create(title="Plans").id
    chats.delete(chat)
    chats.settings.set_system(chat, "Be brief.")
    assert set(scene.window.notices) == {f"undo:{chat}"}
    chats.removal.undo(chat)
    assert scene.library.conversations.get(chat).system == "Be brief."


def test_a_chat_that_is_deleted_while_new_instructions_are_saved_shows_no_error(
    scene: Scene, chats: Conversations
) -> None:
    """Its cache is not restored."""
    chat = scene.library.conversations.create(title="Plans").id
    scene.tasks.held = True
    chats.settings.set_system(chat, "Be brief.")
    chats.delete(chat)
    scene.tasks.let_go()
    assert set(scene.window.notices) == {f"undo:{chat}"}


def test_a_deleted_chat_is_in_recently_deleted_at_once(scene: Scene, chats: Conversations) -> None:
    """It can be restored from there. Its cache stays until it is erased."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    chats.removal.delete(conversation)
    assert scene.library.conversations.listed() == ()
    assert [summary.id for summary in scene.library.trash.listed()] == [conversation]
    assert not any(isinstance(command, Forget) for command in scene.engine.sent)


def test_a_list_that_was_read_before_a_deletion_does_not_show_the_chat_again(
    scene: Scene, chats: Conversations
) -> None:
    """The list was read while the chat was in the library, and is delivered afterwards."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    answered_chat(scene, chats, conversation, "Good day")
    shown: list[int] = []
    scene.window.store.conversations.follow(lambda rows: shown.append(len(rows)))
    shown.clear()
    scene.tasks.held = True
    chats.list.refresh()
    chats.removal.delete(conversation)
    scene.tasks.let_go()
    assert shown == [0]


def test_deleting_a_busy_chat_stops_it(scene: Scene, chats: Conversations) -> None:
    """Its answer is stopped."""
    conversation = new_chat(scene, chats)
    chats.sessions.of(conversation).submit("Hello")
    chats.sessions.engine_event(scene.engine.deltas((conversation, "Go")))
    chats.removal.delete(conversation)
    assert len(scene.engine.cancelled) == 1


def test_a_chat_that_is_deleted_while_its_tab_opens_has_none(scene: Scene, chats: Conversations) -> None:
    """What is typed into it would be lost."""
    chat = scene.library.conversations.create(title="Plans").id
    scene.tasks.held = True
    chats.tabs.open(chat)
    chats.delete(chat)
    scene.tasks.let_go()
    assert (chats.tabs.opened, scene.window.opened) == ((), [])


def test_a_deleted_question_without_an_answer_is_not_lost(scene: Scene, chats: Conversations) -> None:
    """It is withdrawn when the answer is stopped, and is in the message box after an undo. No error is shown."""
    chat = new_chat(scene, chats)
    chats.sessions.of(chat).submit("Hello")
    chats.delete(chat)
    chats.sessions.engine_event(scene.engine.finished(chat, "cancelled"))
    assert set(scene.window.notices) == {f"undo:{chat}"}
    chats.removal.undo(chat)
    assert scene.window.opened[-1].draft == "Hello"


def test_a_refused_draft_does_not_take_the_place_of_a_deleted_question(scene: Scene, chats: Conversations) -> None:
    """The message box was emptied as the question was sent, and the disk took that late."""
    chat = new_chat(scene, chats)
    chats.sessions.of(chat).submit("Hello")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    chats.save_draft(chat, "")
    scene.tasks.broken = None
    chats.delete(chat)
    chats.sessions.engine_event(scene.engine.finished(chat, "cancelled"))
    chats.tick()
    assert scene.library.conversations.draft(chat).typed == "Hello"


def test_a_chat_that_cannot_be_deleted_stays(scene: Scene, chats: Conversations) -> None:
    """The disk is full, and a notice says so. The chat stays in the list, and its tab opens again."""
    chat = scene.library.conversations.create(title="Plans").id
    chats.tabs.open(chat)
    scene.tasks.held = True
    chats.delete(chat)
    assert scene.window.closed == [chat]
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.tasks.run_next()
    scene.tasks.broken, scene.tasks.held = None, False
    scene.tasks.let_go()
    assert set(scene.window.notices) == {"refused"}
    chats.list.refresh()
    assert ([row.id for row in scene.window.rows], chats.tabs.opened) == ([chat], (chat,))


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
    assert scene.library.conversations.draft(chat).typed == "half a thought"


def test_a_chat_that_is_deleted_twice_is_undone_once(scene: Scene, chats: Conversations) -> None:
    """A slow library still lists it when the user deletes it again, alone or with others."""
    one, two, three = (scene.library.conversations.create(title=title).id for title in ("One", "Two", "Three"))
    chats.delete(one, two)
    chats.delete(two, three)
    assert set(scene.window.notices) == {f"undo:{one}", f"undo:{three}"}
    chats.removal.undo(three)
    chats.removal.undo(three)
    assert {row.id for row in scene.window.rows} == {three}
    chats.removal.undo(one)
    assert {row.id for row in scene.window.rows} == {one, two, three}
