"""Recently Deleted: its list, restoring and erasing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from app.conversations.conversations import Conversations
from app.conversations.removal import Trash
from engine.protocol.cache_messages import Forget
from storage.library import search
from storage.library.library import Library
from tests.fakes.library import say
from tests.fakes.tasks import InlineTasks
from tests.unit.app.conftest import Scene

DAY = 24 * 3600 * 1000


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


def _deleted(scene: Scene, title: str) -> str:
    chat = scene.library.conversations.create(title=title).id
    say(scene.library, chat, "Hello", "Good day")
    scene.library.trash.add(chat)
    return chat


def _titles(scene: Scene) -> list[str]:
    return [row.title for row in scene.window.store.deleted.now]


def test_a_chat_is_listed_as_soon_as_it_was_deleted(scene: Scene, chats: Conversations) -> None:
    """Also while a notice offers to undo that. The notice goes when the chat is brought back there."""
    kept = scene.library.conversations.create(title="Kept").id
    chats.removal.delete(kept)
    assert f"undo:{kept}" in scene.window.notices
    chats.trash.show()
    assert [row.id for row in scene.window.store.deleted.now] == [kept]
    chats.trash.undelete((kept,))
    assert f"undo:{kept}" not in scene.window.notices
    assert [row.id for row in scene.window.rows] == [kept]


def test_what_was_deleted_is_listed_with_the_days_it_has(scene: Scene, chats: Conversations) -> None:
    """Thirty days at first, one on the last day. An empty chat that was deleted with its tab is not listed."""
    chat = _deleted(scene, "Old")
    scene.library.trash.add(scene.library.conversations.create().id)
    chats.trash.show()
    assert [(row.id, row.title, row.snippet, row.days_left) for row in scene.window.store.deleted.now] == [
        (chat, "Old", "Good day", 30)
    ]
    moment = scene.library.trash.listed()[-1].updated
    for passed, left in ((DAY, 29), (29 * DAY + 1, 1), (31 * DAY, 0)):
        trash = Trash(chats.chats, lambda now=moment + passed: now)  # type: ignore[misc]  # the default binds the number
        trash.show()
        assert scene.window.store.deleted.now[0].days_left == left


def test_what_comes_back_is_whole(scene: Scene, chats: Conversations) -> None:
    """It is listed again with its cache, and its pin applies again."""
    chat = _deleted(scene, "Old")
    scene.library.trash.restore(chat)
    scene.library.labels.set_pinned(chat, pinned=True)
    scene.library.trash.add(chat)
    chats.trash.undelete((chat,))
    assert _titles(scene) == []
    assert [row.title for row in scene.window.rows] == ["Old"]
    assert scene.engine.sent == []
    assert scene.pins == [(chat,)]


def test_what_is_erased_is_forgotten(scene: Scene, chats: Conversations) -> None:
    """First its messages, then its cache. The others stay."""
    one, two = _deleted(scene, "One"), _deleted(scene, "Two")
    chats.trash.erase((one,))
    assert _titles(scene) == ["Two"]
    assert scene.engine.sent == [Forget(one)]
    chats.trash.undelete((two,))
    assert [row.title for row in scene.window.rows] == ["Two"]


def test_all_can_be_erased_at_once(scene: Scene, chats: Conversations) -> None:
    """Chats that were not deleted stay."""
    scene.library.conversations.create(title="Kept")
    gone = {_deleted(scene, title) for title in ("One", "Two")}
    chats.trash.erase_all()
    assert _titles(scene) == []
    assert {command.conversation for command in scene.engine.sent if isinstance(command, Forget)} == gone
    assert [row.title for row in scene.window.rows] == ["Kept"]


def test_erasing_all_rewrites_the_search_index_once(
    scene: Scene, chats: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large library each rewrite takes seconds, in which nothing can be saved."""
    rewritten: list[object] = []
    monkeypatch.setattr(search, "drop_erased_words", rewritten.append)
    for title in ("One", "Two", "Three"):
        _deleted(scene, title)
    chats.trash.erase_all()
    assert (_titles(scene), len(rewritten)) == ([], 1)


def test_old_deletions_go_by_themselves(scene: Scene, tmp_path: Path) -> None:
    """When their days are over, they are erased as if by the user."""
    now = 20_000 * DAY
    with closing(Library.open(tmp_path / "library.sqlite", lambda: now)) as library:
        chats = scene.conversations(tasks=InlineTasks(library))
        trash = Trash(chats.chats, lambda: now)
        chat = library.conversations.create(title="Old").id
        say(library, chat, "Hello", "Good day")
        library.trash.add(chat)
        trash.purge(now)
        assert scene.engine.sent == []
        now += 31 * DAY
        trash.purge(now)
        assert scene.engine.sent == [Forget(chat)]
        assert library.trash.listed() == ()


@pytest.mark.parametrize(
    ("days", "kept"),
    [
        ("start 0, delete 0, start 29, start 30", True),
        ("start 0, delete 0, start 30, start 31", False),
        ("delete 0, start 60", True),  # nothing is known of a start before
        ("start 0, delete 0, start 3650, start 1, start 2", True),  # a jump ahead
        ("start 0, delete 0, start 3650, start 32", False),
        ("start 100, say 100, start 40, delete 40, start 101, start 102", True),  # set back meanwhile
        ("start 100, say 100, start 40, delete 40, start 130, start 131", False),
        ("start 0, delete 0, start -3650, start 1, start 2", True),
        ("start 0, start 3650, delete 3650, start 0, start 1", True),  # deleted in days to come
    ],
)
def test_a_deleted_chat_stays_thirty_days_whatever_the_clock_does(
    scene: Scene,
    days: str,
    kept: bool,  # noqa: FBT001 - a table's column
    tmp_path: Path,
) -> None:
    """A clock that is wrong at one start and right at the next takes none of its days. A chat is erased at the start
    after the one that finds it old enough.
    """
    now, noted = 20_000 * DAY, 0
    with closing(Library.open(tmp_path / "library.sqlite", lambda: now)) as library:
        chats = scene.conversations(tasks=InlineTasks(library))
        trash = Trash(chats.chats, lambda: now)
        chat, other = library.conversations.create(title="Old").id, library.conversations.create(title="Other").id
        for event, _, day in (one.partition(" ") for one in days.split(", ")):
            now = (20_000 + int(day)) * DAY
            match event:
                case "start":
                    trash.purge(noted)
                    noted = now
                case "say":
                    library.messages.begin_turn(other, "words", "model")
                case "delete":
                    library.trash.add(chat)
        assert [one.id for one in library.trash.listed()] == ([chat] if kept else [])


def test_what_is_gone_already_is_told(scene: Scene, chats: Conversations) -> None:
    """Another window may have erased it first."""
    chats.trash.erase(("nothing",))
    assert "error:no_such_conversation" in scene.window.notices
    assert scene.engine.sent == []


@pytest.mark.parametrize("touch", ["draft", "file", "instructions"])
def test_a_chat_without_a_message_is_listed_if_anything_was_written(
    scene: Scene, chats: Conversations, touch: str, tmp_path: Path
) -> None:
    """A user who deletes it by mistake finds it there."""
    chats.creation.new()
    chat = scene.window.opened[-1].id
    (tmp_path / "notes.txt").write_text("notes")
    {
        "draft": lambda: chats.save_draft(chat, "half a thought"),
        "file": lambda: chats.attachments.attach(chat, [str(tmp_path / "notes.txt")]),
        "instructions": lambda: chats.settings.set_system(chat, "Answer like a pirate."),
    }[touch]()
    chats.delete(chat)
    chats.trash.show()
    words = {"draft": "half a thought", "file": "", "instructions": "Answer like a pirate."}
    assert [(row.id, row.snippet) for row in scene.window.store.deleted.now] == [(chat, words[touch])]
