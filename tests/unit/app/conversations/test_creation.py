"""New chats: with or without a draft, and one that is as new is used again."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from app.conversations.conversations import Conversations
from storage.errors import EnvironmentProblem, Problem
from tests.fakes.chats import listed_titles, new_chat
from tests.unit.app.conftest import Scene
from ui.state.preferences import Preferences


def test_new_chat_opens_and_is_listed(scene: Scene, chats: Conversations) -> None:
    """A new chat has a tab and a row at once. Its first message becomes its title."""
    conversation = new_chat(scene, chats)
    assert listed_titles(scene) == ["New chat"]
    chats.sessions.of(conversation).submit("A lighthouse story")
    assert listed_titles(scene) == ["A lighthouse story"]
    assert scene.window.titles[conversation] == "A lighthouse story"


def test_chat_can_begin_with_a_draft(scene: Scene, chats: Conversations) -> None:
    """The text is in the message box of a new tab and is not sent."""
    chats.creation.new("Is it warm?")
    assert scene.window.opened[-1].draft == "Is it warm?"
    assert scene.window.opened[-1].messages == ()
    assert listed_titles(scene) == ["New chat"]


def test_a_draft_that_was_refused_is_saved_within_a_second_of_recovery(scene: Scene, chats: Conversations) -> None:
    """Also if the window closes before that second is over."""
    for later in (chats.tick, chats.sessions.stop_all):
        chat = new_chat(scene, chats)
        scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
        chats.save_draft(chat, "half a thought")
        scene.tasks.broken = None
        later()
        assert scene.library.conversations.draft(chat).typed == "half a thought"


def test_untouched_chat_leaves_no_trace(scene: Scene, chats: Conversations) -> None:
    """Closing the tab of an empty chat deletes it, unless it has a draft."""
    empty, drafted = new_chat(scene, chats), new_chat(scene, chats)
    chats.save_draft(drafted, "half a thought")
    chats.removal.close(empty)
    chats.removal.close(drafted)
    assert [row.id for row in scene.window.rows] == [drafted]


@pytest.mark.parametrize("touch", ["file", "instructions", "value", "not_cached"])
def test_a_touched_chat_stays_when_its_tab_closes(
    scene: Scene, chats: Conversations, touch: str, tmp_path: Path
) -> None:
    """Whatever the user gave a chat keeps it, also without a word in the message box."""
    chat = new_chat(scene, chats)
    (tmp_path / "notes.txt").write_text("notes")
    {
        "file": lambda: chats.attachments.attach(chat, [str(tmp_path / "notes.txt")]),
        "instructions": lambda: chats.settings.set_system(chat, "Answer like a pirate."),
        "value": lambda: chats.settings.set_value(chat, "stop", "END"),
        "not_cached": lambda: chats.settings.set_switch(chat, "cached", is_on=False),
    }[touch]()
    chats.removal.close(chat)
    assert [row.id for row in scene.window.rows] == [chat]


def test_a_chat_stays_if_a_text_was_pasted_just_before_its_tab_closes(scene: Scene, chats: Conversations) -> None:
    """It is read behind documents that may take a minute, while the library goes on."""
    chat = new_chat(scene, chats)
    with patch.object(scene.tasks, "read") as reading:
        chats.attachments.attach_text(chat, "half a thought")
    chats.removal.close(chat)
    read, done, _ = reading.call_args.args
    done(read())
    assert [(row.id, row.draft_files) for row in scene.window.rows] == [(chat, 1)]


def test_an_untouched_chat_with_the_users_own_beginning_leaves_no_trace(scene: Scene) -> None:
    """What every new chat begins with touches none of them, neither in the list nor in Recently Deleted."""
    chats = scene.conversations(preferences=lambda: Preferences(system="Be brief."))
    chats.removal.close(new_chat(scene, chats))
    chats.trash.show()
    assert (scene.window.rows, scene.window.store.deleted.now) == ((), ())


def test_new_preferences_reach_the_chats_that_are_still_as_new(scene: Scene) -> None:
    """Private ones too, but none that the user has touched. They are used again, and leave no trace."""
    prefers = Preferences(system="Be brief.")
    chats = scene.conversations(preferences=lambda: prefers)
    own, written, empty = (new_chat(scene, chats) for _ in range(3))
    chats.settings.set_system(own, "Be loud.")
    chats.sessions.of(written).submit("Hello")
    chats.creation.new_private()
    private = scene.window.opened[-1].id
    former, prefers = prefers, Preferences(system="Be kind.", preset="precise")
    chats.follow_preferences(former)
    begun = []
    for chat in (own, written, empty, private):
        chats.settings.show(chat)
        shown = scene.window.store.chat_settings.now
        begun.append((shown.system, shown.preset))
    assert begun == [("Be loud.", "balanced"), ("Be brief.", "balanced"), *[("Be kind.", "precise")] * 2]
    chats.creation.begin()
    assert scene.window.opened[-1].id == empty


@pytest.mark.parametrize("is_late", [False, True])
def test_a_chat_stays_if_its_draft_was_refused(scene: Scene, chats: Conversations, is_late: bool) -> None:  # noqa: FBT001 - a parameter
    """Also if the disk refuses the draft only when the tab is closed already."""
    chat = new_chat(scene, chats)
    scene.tasks.held = is_late
    scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
    chats.save_draft(chat, "half a thought")
    if is_late:
        chats.removal.close(chat)
        scene.tasks.run_next()
    scene.tasks.broken = None
    if not is_late:
        chats.removal.close(chat)
    scene.tasks.let_go()
    chats.tick()
    assert [(row.id, row.draft) for row in scene.window.rows] == [(chat, "half a thought")]


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
        "draft": lambda: chats.save_draft(chat, "half a thought"),
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
    chat = new_chat(scene, chats)
    chats.save_draft(chat, "  half a thought ")
    assert [row.draft for row in scene.window.rows] == ["half a thought"]
    chats.list.refresh()
    assert [row.draft for row in scene.window.rows] == ["half a thought"]
    chats.sessions.of(chat).submit("half a thought")
    assert [row.draft for row in scene.window.rows] == [""]
