"""Recently Deleted: deleting, restoring and erasing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from storage.database import Database
from storage.errors import NoSuchConversation, NoSuchMessage
from storage.library.archive import Archive, ArchivedConversation
from storage.library.library import Library
from storage.library.rows import QueuedText, SavedDraft
from tests.fakes.library import Clock, attach, end, import_all, save, say, texts
from tests.fakes.problems import raising

DAY = 24 * 60 * 60 * 1000


def _on_disk(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.rglob("*") if file.is_file()).lower()


def test_deleted_chats_are_listed_until_they_are_restored(library: Library, clock: Clock) -> None:
    """The last deleted comes first, with its title, text and time of deletion. Restoring brings back text, labels,
    draft and place in the list, and search finds it again.
    """
    first, second = library.conversations.create("First").id, library.conversations.create("Second").id
    say(library, first, "hello", "the newest words")
    library.labels.set_folder(first, folder="work")
    draft = SavedDraft("half", (QueuedText("waits", ("a file",)),), (("a message", "edited"),))
    library.conversations.save_draft(first, draft)
    before = library.conversations.listed()
    library.trash.add(second)
    when = clock.now
    library.trash.add(first)
    rows = library.trash.listed()
    assert [(row.id, row.title) for row in rows] == [(first, "First"), (second, "Second")]
    assert (rows[0].snippet, rows[1].updated) == ("the newest words", when)
    assert library.conversations.listed() == library.search.find("newest") == ()
    library.trash.restore(second)
    library.trash.restore(first)
    assert (library.conversations.listed(), library.trash.listed()) == (before, ())
    assert (texts(library, first), library.conversations.draft(first)) == (["hello", "the newest words"], draft)
    assert [row.id for row in library.search.find("newest")] == [first]
    with pytest.raises(NoSuchConversation):
        library.trash.restore(first)


@pytest.mark.parametrize("way", ["erase", "delete, erase", "delete, purge"])
def test_erased_words_and_files_are_in_no_file(library: Library, path: Path, tmp_path: Path, way: str) -> None:
    """After erasing, no file of the library holds any of the text, whether the chat was deleted before or not."""
    for name, words in (("gone", "quicksilver"), ("kept", "keepsake")):
        tmp_path.joinpath(f"{name}.txt").write_text(f"{words} file " * 50)
        chat = library.conversations.create(f"{name} title").id
        attach(library, chat, tmp_path / f"{name}.txt")
        say(library, chat, f"{words} asked " * 300, f"{words} answered " * 300)
        library.labels.set_tags(chat, [f"{words}tag"])
        waiting, edit = QueuedText(f"{words} waits"), ("message", f"{words} edited")
        library.conversations.save_draft(chat, SavedDraft(f"{words} draft", (waiting,), (edit,)))
    gone = library.search.find("quicksilver")[0].id
    if way.startswith("delete"):
        library.trash.add(gone)
    if way.endswith("purge"):
        library.trash.purge(0)
    else:
        library.trash.erase(gone)
    assert library.search.find("quicksilver") == ()
    content = _on_disk(path)
    assert content.count(b"keepsake") > 600
    assert [word for word in (b"quicksilver", b"uicksilver", b"gone title") if word in content] == []
    with pytest.raises(NoSuchConversation):
        library.trash.erase(gone)


def test_a_sweep_empties_the_log_that_a_kill_left(
    library: Library, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process killed while it erases leaves text in the log; the next start's sweep removes it."""
    chat = library.conversations.create("gone").id
    say(library, chat, "quicksilver " * 300, "answered")
    with monkeypatch.context() as killed:
        killed.setattr(Database, "truncate_log", raising(SystemExit()))
        with pytest.raises(SystemExit):
            library.trash.erase(chat)
    assert b"quicksilver" in _on_disk(path)
    library.trash.sweep(0)
    assert b"quicksilver" not in _on_disk(path)


def test_an_import_from_days_to_come_keeps_no_deleted_chat_longer(library: Library, clock: Clock) -> None:
    """Other programs may date a chat anywhere. A deletion is never dated before the newest chat, because the clock may
    have been set back; so an imported chat is never newer than its import.
    """
    other = library.conversations.create("other").id
    (chat,) = import_all(library, Archive((ArchivedConversation("Far", (), updated=clock.now + 3650 * DAY),)))
    assert [row.title for row in library.conversations.listed()] == ["Far", "other"]
    library.trash.add(other)
    clock.now -= 3650 * DAY
    (old,) = import_all(library, Archive((ArchivedConversation("Old", (), updated=clock.now),)))
    assert library.conversations.get(old).updated < library.conversations.get(chat).updated
    clock.now += 3680 * DAY
    assert library.trash.purge(30 * DAY) == (other,)


def test_purging_takes_only_what_is_old_enough(library: Library, clock: Clock) -> None:
    """Each conversation has thirty days of its own. A reply may end after its chat was deleted, not after it was
    erased, which brings nothing back.
    """
    early, late = library.conversations.create("Early").id, library.conversations.create("Late").id
    reply = library.messages.begin_turn(early, "q", "m").reply
    library.trash.add(early)
    assert library.conversations.find("Early") is None
    assert end(library, reply, "the end", "stopped").content == "the end"
    clock.now += 20 * DAY
    library.trash.add(late)
    clock.now += 10 * DAY
    assert library.trash.purge(30 * DAY) == (early,)
    for late_words in (end, save):
        with pytest.raises(NoSuchMessage):
            late_words(library, reply, "late")
    assert [row.id for row in library.trash.listed()] == [late]
    assert library.trash.purge(0) == (late,)
    assert library.conversations.listed() == library.trash.listed() == ()


USES: list[Callable[[Library, str], object]] = [
    lambda library, chat: library.conversations.get(chat),
    lambda library, chat: library.messages.branch(chat),
    lambda library, chat: library.messages.page(chat, None, 60),
    lambda library, chat: library.messages.begin_turn(chat, "text", "m"),
    lambda library, chat: library.labels.set_pinned(chat, pinned=True),
    lambda library, chat: library.labels.set_folder(chat, folder="x"),
    lambda library, chat: library.labels.set_tags(chat, ["x"]),
    lambda library, chat: library.labels.switch(chat, cached=False),
    lambda library, chat: library.labels.set_preset(chat, "creative"),
    lambda library, chat: library.labels.switch(chat, thinking=True),
    lambda library, chat: library.labels.set_model(chat, "m2"),
    lambda library, chat: library.attachments.detach(chat, "file"),
]


def test_a_deleted_or_unknown_chat_is_refused(library: Library, path: Path) -> None:
    """It is neither read, written in nor labelled, and nothing is stored for it."""
    gone = library.conversations.create().id
    library.trash.add(gone)
    for use, chat in product(USES, (gone, "nobody")):
        with pytest.raises(NoSuchConversation):
            use(library, chat)
    with pytest.raises(NoSuchConversation):
        library.attachments.add("nobody", "real.txt", b"x")
    assert not any(file.is_file() for file in (path.parent / "attachments").rglob("*"))


def test_a_deleted_chat_keeps_its_draft_and_is_deleted_once(library: Library) -> None:
    """Words may be saved late, and files be read late. What is deleted already, or unknown, is no fault, nor when it is
    restored.
    """
    kept, gone = (library.conversations.create(title=title).id for title in ("Kept", "Gone"))
    library.trash.add(gone)
    deleted = library.trash.listed()
    library.conversations.save_draft(gone, SavedDraft("late words"))
    assert library.conversations.draft(gone).typed == "late words"
    added = library.attachments.add(gone, "late.txt", b"x")
    assert library.attachments.of_draft(gone) == (added,)
    assert library.trash.add(gone, "nobody", kept) == {kept: "Kept"}
    assert library.trash.listed()[1].updated == deleted[0].updated
    library.trash.restore(gone, "nobody", kept)
    assert {one.id for one in library.conversations.listed()} == {gone, kept}


def test_several_are_erased_together_or_not_at_all(library: Library) -> None:
    """One unknown id prevents the erasure of all."""
    chats = [library.conversations.create().id for _ in range(3)]
    with pytest.raises(NoSuchConversation):
        library.trash.erase(chats[0], "nobody")
    assert len(library.conversations.listed()) == 3
    library.trash.erase(chats[0], chats[2])
    assert [row.id for row in library.conversations.listed()] == [chats[1]]
