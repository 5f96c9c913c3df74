"""The stores seen from the window: private chats, deletion, files, damage and copies. Everything is real."""

from __future__ import annotations

import errno
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from app.backup.recovery import DONE, KEPT, KEY
from app.base import paths, program, settings
from app.base.program import Program
from app.cache.quota import GIB, MIB, free_on
from app.conversations.attaching import CLOSING_SECONDS
from app.desktop import bootstrap
from storage.library.backups import backups
from storage.library.library import Library
from tests.end2end.conftest import Desk
from tests.soak.small_disk import Mounted, SmallDisk, small_disk
from ui.intents.chat import Attach, InChat, Open
from ui.intents.library import DeleteChats, EraseAll, ExportPrompts, NewPrivateChat, SavePrompt, ShowDeleted, Undelete
from ui.intents.notice import Notice
from ui.intents.settings import (
    ClearCaches,
    MakeBackup,
    RecoverLibrary,
    RestoreBackup,
    SetPreferences,
    ShowStorage,
    UndoRestore,
)
from ui.state.chat import Warmth
from ui.state.library import DeletedRow
from ui.state.settings import StorageView


@pytest.fixture(autouse=True)
def _short(answers: Callable[[int], None]) -> None:
    answers(8)


def _answered(desk: Desk, chat: str, text: str) -> None:
    before = desk.tab(chat).transcript.messages.newest_of("assistant")
    desk.send(chat, text)
    desk.until(
        lambda: (
            desk.is_idle(chat)
            and (now := desk.tab(chat).transcript.messages.newest_of("assistant")) is not None
            and bool(now.footer)
            and (before is None or now.id != before.id)
        )
    )


def _files_with(home: Path, text: str) -> list[Path]:
    return [path for path in home.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_a_private_chat_is_written_nowhere(desk: Desk, home: Path, tmp_path: Path) -> None:
    """Its text, files and cache exist in memory only and go with its tab. Until then it is as warm as others. The other
    chats are stored.
    """
    app = desk.open()
    kept = app.window.tabs.current()
    _answered(desk, kept, "My harmless word is marigold")
    app.window.requested.emit(NewPrivateChat())
    desk.until(lambda: app.window.tabs.current() != kept)
    chat = app.window.tabs.current()
    note = tmp_path / "note.txt"
    note.write_text("belladonna")
    app.window.requested.emit(InChat(chat, Attach((str(note),))))
    desk.until(lambda: bool(desk.tab(chat).composer.attachments.chips()))
    _answered(desk, chat, "My secret word is foxglove")
    _answered(desk, chat, "What is it?")
    status = app.conversations.sessions.of(chat).status
    assert (status.warmth, status.cached_tokens, status.cause) == (Warmth.WARM, status.context_tokens, "")
    app.window.chats.close_anyway(chat)
    desk.close()
    note.unlink()
    assert _files_with(home, "marigold") != []
    assert _files_with(home, "foxglove") == _files_with(home, "belladonna") == []
    assert _files_with(paths.find().segments, kept) != [], "a record names the conversations that use it"
    assert _files_with(home, chat) == _files_with(home, "memory:") == []
    desk.open()
    desk.until(lambda: desk.app.conversations.tabs.opened == (kept,))


def test_a_deleted_chat_is_restored_or_erased(desk: Desk, home: Path) -> None:
    """A restored chat is warm again. After it is erased, no trace of its text or its cache is on disk."""
    app = desk.open()
    deleted: list[tuple[DeletedRow, ...]] = []
    reports: list[StorageView] = []
    app.window.store.deleted.follow(deleted.append)
    app.window.store.storage.follow(reports.append)
    chat = app.window.tabs.current()
    _answered(desk, chat, "My code word is marigold")

    def delete() -> None:
        app.window.requested.emit(DeleteChats((chat,)))
        deleted.clear()
        app.window.requested.emit(ShowDeleted())
        desk.until(lambda: bool(deleted) and [row.id for row in deleted[-1]] == [chat])

    delete()
    app.window.requested.emit(Undelete((chat,)))
    desk.until(lambda: not deleted[-1])
    app.window.requested.emit(InChat(chat, Open()))
    desk.until(lambda: app.window.chats.tab(chat) is not None)
    desk.until(lambda: app.conversations.sessions.of(chat).status.warmth is Warmth.WARM)
    app.window.requested.emit(ShowStorage())
    desk.until(lambda: bool(reports) and reports[-1].held_bytes > 0)
    delete()
    app.window.requested.emit(EraseAll())
    desk.until(lambda: not deleted[-1])

    def is_empty() -> bool:
        app.window.requested.emit(ShowStorage())
        return reports[-1].held_bytes == 0

    desk.until(is_empty)
    desk.close()
    assert _files_with(home, "marigold") == []
    assert list(paths.find().segments.rglob("*.safetensors")) == []


def test_an_attached_file_reaches_the_model(desk: Desk, tmp_path: Path) -> None:
    """Its text is part of the prompt, stays with the message, and is cached like any other."""
    note = tmp_path / "note.txt"
    note.write_text("marigold " * 100)
    app = desk.open()
    chat = app.window.tabs.current()
    app.window.requested.emit(InChat(chat, Attach((str(note),))))
    desk.until(lambda: bool(desk.tab(chat).composer.attachments.chips()))
    _answered(desk, chat, "Read this")
    assert app.conversations.sessions.of(chat).status.context_tokens > 200
    assert desk.tab(chat).composer.attachments.chips() == []
    _answered(desk, chat, "And?")
    assert app.conversations.sessions.of(chat).status.cause == ""
    desk.close()
    note.unlink()
    app = desk.open()
    desk.until(lambda: app.conversations.tabs.opened == (chat,))
    desk.until(lambda: app.conversations.sessions.of(chat).status.warmth is Warmth.WARM)
    question = desk.tab(chat).transcript.messages.newest_of("user")
    assert question is not None


@pytest.mark.usefixtures("echo")
def test_a_damaged_library_is_rescued(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that cannot be opened is never shown as empty. The rescue offered brings its messages back."""
    chat = desk.open().window.tabs.current()
    _answered(desk, chat, "My code word is marigold")
    told = desk.answer(chat).text
    desk.close()
    desk.open()
    desk.until(lambda: bool(backups(paths.find().backups)))
    desk.close()
    library = paths.find().library_file
    damaged = bytearray(library.read_bytes())
    damaged[:100] = bytes(100)
    library.write_bytes(damaged)

    notices: dict[str, Notice] = {}
    monkeypatch.setattr(
        "ui.window.main_window.MainWindow.show_notice", lambda _, notice: notices.update({notice.key: notice})
    )
    app = desk.open_damaged()
    desk.until(lambda: KEY in notices)
    assert notices[KEY].other == "Use the copy"
    app.window.requested.emit(RecoverLibrary())
    desk.until(lambda: KEPT in notices)
    app.window.requested.emit(InChat(chat, Open()))
    desk.until(lambda: app.window.chats.tab(chat) is not None and desk.answer(chat).text == told)
    _answered(desk, chat, "What is my code word?")


@pytest.mark.usefixtures("echo")
def test_a_copy_replaces_the_library(desk: Desk) -> None:
    """The copy replaces newer messages while the app runs, and the chat can continue."""
    chat = desk.open().window.tabs.current()
    _answered(desk, chat, "My code word is marigold")
    desk.close()
    app = desk.open()  # makes the copy of today, as there was none before the first word
    reports: list[StorageView] = []
    app.window.store.storage.follow(reports.append)
    desk.until(lambda: app.conversations.tabs.opened == (chat,))
    before = desk.answer(chat)
    app.window.requested.emit(ShowStorage())
    desk.until(lambda: bool(reports) and bool(reports[-1].backups))
    _answered(desk, chat, "My code word is heather")
    assert desk.answer(chat).id != before.id
    app.window.requested.emit(RestoreBackup(reports[-1].backups[0][0]))
    desk.until(lambda: app.window.chats.tab(chat) is not None and desk.answer(chat).id == before.id)
    _answered(desk, chat, "What is my code word?")


@pytest.mark.usefixtures("echo")
def test_a_copy_shows_nothing_of_the_library_that_it_replaced_and_undo_brings_back_its_tabs(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """The copy was made before the first word, so the one chat that it has counts no token. No chat is asked for that
    it does not have. Undo brings back the tabs in their order, with the same one in front.
    """
    app = desk.open()
    chats = [app.window.tabs.current()]
    app.window.requested.emit(MakeBackup())
    desk.until(lambda: bool(backups(paths.find().backups)))
    for _more in range(3):
        _answered(desk, chats[-1], "My code word is marigold")
        chats.append(desk.new_chat())
    app.window.tabs.sort((chats[2], chats[0], chats[3], chats[1]))
    app.window.tabs.show_tab(chats[3])
    before = app.window.chats.arranged()
    app.window.requested.emit(RestoreBackup(backups(paths.find().backups)[0].name))
    desk.until(lambda: app.window.tabs.order() == (chats[0],))
    assert len(desk.tab(chats[0]).transcript.messages) == 0
    assert app.conversations.sessions.of(chats[0]).status.context_tokens == 0
    desk.until(lambda: DONE in set(app.window.notices.keys()))
    app.window.requested.emit(UndoRestore())
    desk.until(lambda: app.window.chats.arranged() == before)
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == []


def test_a_home_that_is_renamed_is_not_created_a_second_time(desk: Desk) -> None:
    """A running Hearth leaves nothing in the folder's former place, also if its engine starts anew. Its words go into
    the renamed library. Once the folder has its name back, the next start has the chat.
    """
    app = desk.open()
    chat = app.window.tabs.current()
    _answered(desk, chat, "Before")
    desk.until(lambda: chat in paths.find().settings.read_text())  # the open tabs are saved a moment later
    data = paths.find().data
    elsewhere = data.rename(data.with_name("elsewhere"))
    _answered(desk, chat, "Away")
    desk.until(lambda: "cache" in set(app.window.notices.keys()))
    before = app.engine_process.pid
    psutil.Process(before).kill()
    desk.until(lambda: app.engine_process.pid not in {0, before})
    _answered(desk, chat, "Still away")
    _answered(desk, chat, "And still")
    desk.close()
    assert not data.exists()
    elsewhere.rename(data)
    desk.open()
    desk.until(lambda: len(desk.tab(chat).transcript.messages) > 0)
    messages = desk.tab(chat).transcript.messages
    assert [messages[place].text for place in range(0, len(messages), 2)] == [
        "Before",
        "Away",
        "Still away",
        "And still",
    ]


@pytest.mark.usefixtures("echo")
def test_a_start_in_a_new_folder_says_that_the_chats_of_the_former_one_are_missing(desk: Desk) -> None:
    """A folder that was renamed while Hearth was closed has all settings with it. The logs lie elsewhere and stay."""
    app = desk.open()
    _answered(desk, app.window.tabs.current(), "Hello")
    desk.close()
    for entry in paths.find().data.iterdir():
        if entry != paths.find().logs:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    app = desk.open_damaged()
    assert app.window.notices.keys() == ("library:missing",)


def test_a_start_without_the_library_says_that_its_chats_are_missing(desk: Desk) -> None:
    """A home that was used before never looks like a new one. After that start the new library is the user's."""
    app = desk.open()
    assert app.window.notices.keys() == (), "a new home says nothing"
    desk.close()
    shutil.rmtree(paths.find().library)
    app = desk.open_damaged()
    assert app.window.notices.keys() == ("library:missing",)
    desk.until(paths.find().library_file.exists)
    desk.close()
    assert desk.open_damaged().window.notices.keys() == ()


def test_documents_that_are_being_read_do_not_hold_a_closing_window(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library closes after the thread that reads them has ended. What was not read in time is not attached."""
    slow = Program(sys.executable, ("-c", "import time; time.sleep(25)"), tmp_path)
    monkeypatch.setattr(program, "reader", lambda _document: slow)
    chat = desk.open().window.tabs.current()
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.7")
    desk.app.window.requested.emit(InChat(chat, Attach((str(tmp_path / "a.pdf"), str(tmp_path / "b.pdf")))))
    desk.until(lambda: len(desk.tab(chat).composer.attachments.chips()) == 2)
    begun = time.monotonic()
    desk.close()
    assert time.monotonic() - begun < CLOSING_SECONDS + 8
    desk.open()
    assert desk.tab(chat).composer.attachments.chips() == []


def test_quitting_on_a_full_disk_asks_before_words_are_lost(desk: Desk) -> None:
    """An answer and a draft that the full library refuses are in memory alone. They are saved once there is room, and
    the window then closes without a question.
    """
    app = desk.open()
    chat = app.window.tabs.current()
    _answered(desk, chat, "My harmless word is marigold")
    limit = partial(_limit_pages, desk)
    limit(1)
    desk.tab(chat).composer.edit.insertPlainText("A long letter. " * 9000)
    desk.until(lambda: app.conversations.are_refused)
    for _ in range(2):
        app.window.close()
        (box,) = app.window.findChildren(QMessageBox, "question")
        assert (box.text(), app.window.isVisible()) == ("Quit and lose the newest words?", True)
        box.reject()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    limit(1 << 30)
    desk.until(lambda: not app.conversations.are_refused)
    desk.close()
    desk.open()
    desk.until(lambda: desk.tab(chat).composer.edit.toPlainText() == "A long letter. " * 9000)


@pytest.mark.usefixtures("echo")
def test_what_a_full_disk_refuses_can_be_exported(desk: Desk, tmp_path: Path) -> None:
    """To another disk, or copied: an answer and a prompt that are in memory alone."""
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "marigold " * 6000)
    _limit_pages(desk, 1)
    desk.until(lambda: desk.is_idle(chat) and app.conversations.sessions.are_refused)
    assert desk.answer(chat).text.count("marigold") == 6000
    for name in ("one.md", "one.hearth"):
        app.conversations.transfer.export_file((chat,), str(tmp_path / name))
        desk.until((tmp_path / name).exists)
        assert (tmp_path / name).read_text().count("marigold") >= 12_000
    app.conversations.transfer.copy_markdown(chat)
    desk.until(lambda: QApplication.clipboard().text().count("marigold") >= 12_000)
    app.window.requested.emit(SavePrompt("p", "Long", "word " * 30_000))
    app.window.requested.emit(ExportPrompts(str(tmp_path / "prompts.json")))
    desk.until((tmp_path / "prompts.json").exists)
    assert "Long" in (tmp_path / "prompts.json").read_text()
    _limit_pages(desk, 1 << 30)
    desk.until(lambda: not app.conversations.are_refused)


def test_instructions_that_the_disk_refuses_are_lost_after_a_question_only(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are saved once there is room. The arrangement of the window alone is no reason to ask."""
    window = desk.open().window
    with monkeypatch.context() as full:
        full.setattr(settings, "write_durably", _full)
        desk.app.workspace.change(sidebar_width=321)
        assert not window.are_words_refused()
        doctor = replace(window.store.preferences.now, system="Answer as a doctor would.")
        window.requested.emit(SetPreferences(doctor))
        window.close()
        (box,) = window.findChildren(QMessageBox, "question")
        assert (box.text(), window.isVisible()) == ("Quit and lose the newest words?", True)
        box.reject()
    desk.until(lambda: not window.are_words_refused())
    assert settings.load(paths.find().settings, print).preferences.system == "Answer as a doctor would."


def _full(*_arguments: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def disk(
    tmp_path: Path, answers: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, desk: Desk
) -> Iterator[SmallDisk]:
    """A disk of its own for all of Hearth's files. Until it is full, it counts as a large one."""
    with small_disk(tmp_path) as disk:
        if not isinstance(disk, Mounted):
            pytest.skip("no small disk can be mounted here")
        monkeypatch.setenv("HEARTH_HOME", str(disk.folder / "home"))
        monkeypatch.setattr(bootstrap, "free_on", lambda at: free if (free := free_on(at)) < MIB else 100 * GIB)
        answers(8)
        yield disk
        desk.close()


def _records() -> list[Path]:
    return list(paths.find().segments.rglob("*.safetensors"))


def test_a_disk_that_is_suddenly_full_takes_words_again_within_seconds(desk: Desk, disk: SmallDisk) -> None:
    """Hearth gives its caches back as soon as the library refuses a draft."""
    app = desk.open()
    chat = app.window.tabs.current()
    _answered(desk, chat, "My harmless word is marigold. " * 100)
    desk.until(lambda: bool(_records()))
    letter, saved = "A long letter. " * 9000, list[str]()
    disk.fill(0)
    desk.tab(chat).composer.edit.insertPlainText(letter)

    def is_saved() -> bool:
        app.tasks.run(lambda library: library.conversations.draft(chat).typed, saved.append, print)
        return saved[-1:] == [letter] and not app.conversations.are_refused

    desk.until(is_saved)
    assert _records() == []


def test_all_caches_are_freed_without_a_free_byte(desk: Desk, disk: SmallDisk) -> None:
    """Nothing had been refused before, which would have made room."""
    app = desk.open()
    for chat in (app.window.tabs.current(), desk.new_chat()):
        _answered(desk, chat, f"Hello {chat}")
    desk.until(lambda: len(_records()) > 2)
    disk.fill(0)
    app.window.requested.emit(ClearCaches())
    app.conversations.clearing.settle_all()
    desk.until(lambda: _records() == [])


def _limit_pages(desk: Desk, pages: int) -> None:
    """The library takes no more pages than these, or than it has."""

    def limit(library: Library) -> None:
        library._database.raw.execute(f"PRAGMA max_page_count = {pages}").fetchall()

    desk.app.tasks.run(limit, print, print)
