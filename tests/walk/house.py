"""The whole app on a home of its own, as the walk uses it: it opens, closes, and says what it shows and what it has."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import TypeVar

import psutil
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.base import paths
from app.base.library_thread import LibraryThread
from app.desktop.hearth import Hearth
from app.desktop.home import settle
from storage.library.library import Library
from tests.walk.ledger import Ledger, words_of
from ui.chat.chat_tab import ChatTab
from ui.intents.chat import CloseTab, DeleteTurn, DropQueued, Edit, InChat, Submit
from ui.intents.intent import Intent
from ui.intents.library import DeleteChats, Erase, EraseAll
from ui.intents.settings import RestoreBackup, UndoRestore
from ui.state.chat import ChatPhase, MessageState
from ui.window.main_window import MainWindow

T = TypeVar("T")

PATIENCE_S = 12.0
RESCUE = "rescue"
"""The name of the walk's own timer."""
_GLOBAL = ("formulas", "images", "network", "asyncio", "Dummy", "pydevd", "Thread-")
"""Threads that serve the whole process, or that end when they like."""


class BrokenPromise(AssertionError):  # noqa: N818 # a verdict of a test
    """A promise of the window does not hold."""


class House:
    """A home, and its window while it is open. `asked` counts every kind of intent that the window emitted. It
    `is_waiting` while it lets the window work until something has happened.
    """

    def __init__(self, ledger: Ledger, asked: Counter[str]) -> None:
        self._ledger = ledger
        self._asked = asked
        self._stack = ExitStack()
        self._hearth: Hearth | None = None
        self._threads = _threads()
        self._children = _children()
        self._timers = _active_timers()
        self._windows = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
        self.ended_edits: set[str] = set()
        self.is_waiting = False
        self._heard: dict[str, ChatTab] = {}

    @property
    def is_open(self) -> bool:
        """Whether there is a window."""
        return self._hearth is not None

    @property
    def hearth(self) -> Hearth:
        """The running app."""
        assert self._hearth is not None
        return self._hearth

    @property
    def window(self) -> MainWindow:
        """Its window."""
        return self.hearth.window

    def open(self) -> None:
        """Open the window, and wait until the last tabs are in it."""
        window = MainWindow()
        window.requested.connect(self._listen)
        self._hearth = Hearth(settle(paths.find(), self._stack), window)
        self._hearth.start()
        window.resize(1280, 840)  # as on most screens
        self._heard = {}
        self.until(lambda: window.tabs.current() != "" or window.stage.shows_welcome(), "no tab opens")
        self.settle()

    def close(self) -> None:
        """Close the window, and see that nothing of it is left."""
        self._ledger.give_up_chats(chat for chat in self.window.tabs.order() if self.window.tabs.is_private(chat))
        try:
            self.window.leaving.leave()
            self.until(lambda: self.hearth.over, "the window does not end")
        finally:
            self._take_away()
        self._look_for_leftovers()

    def _take_away(self) -> None:
        """Leave nothing of the window to what runs next in this process, also if it did not end."""
        hearth, self._hearth = self.hearth, None
        if not hearth.over:
            hearth.engine_process._process.close()
            for tasks in (hearth.tasks, hearth.private_tasks):
                with suppress(RuntimeError):  # this one was closed before the fault
                    tasks.close()
        self._stack.close()
        hearth.window.hide()
        hearth.window.deleteLater()

    def _look_for_leftovers(self) -> None:
        self.until(lambda: not _threads() - self._threads, lambda: f"threads are left: {_threads() - self._threads}")
        self.until(lambda: not _children() - self._children, lambda: f"processes are left: {_children()}")
        self.until(lambda: not self.new_timers(), lambda: f"timers are left: {self.new_timers()}")
        windows = [repr(one) for one in self._new_windows()]
        _check(not windows, f"windows are left: {windows}")

    def new_timers(self) -> list[str]:
        """The active timers that were not there before."""
        timers = [one for one in _active_timers() if one not in self._timers]
        return [f"{one.parent()} {one.interval()} ms" for one in timers]

    def _new_windows(self) -> list[QWidget]:
        return [one for one in QApplication.topLevelWidgets() if one.isVisible() and one not in self._windows]

    def kill_engine(self) -> bool:
        """Kill the engine's process, if there is one."""
        pid = self.hearth.engine_process.pid
        if not pid:
            return False
        psutil.Process(pid).kill()
        return True

    # --- time

    def until(self, condition: Callable[[], bool], otherwise: str | Callable[[], str]) -> None:
        """Let the window work until the condition holds."""
        deadline = time.monotonic() + PATIENCE_S
        self.is_waiting = True
        try:
            while not condition():
                if time.monotonic() > deadline:
                    told = otherwise if isinstance(otherwise, str) else otherwise()
                    raise BrokenPromise(f"{told}; the window says {self._notices()}")
                _spin(10)
        finally:
            self.is_waiting = False

    def _notices(self) -> list[str]:
        return [notice.text for notice in self.window.notices.notices()] if self.is_open else []

    def work(self, milliseconds: int) -> None:
        """Let the window work for about this long."""
        _spin(milliseconds)

    def settle(self) -> None:
        """Let the library do all that it was asked, with the files that are read for it, and the window show it."""
        tasks = (self.hearth.tasks, self.hearth.private_tasks)
        threads = [thread for one in tasks for thread in (one._beside, one._thread)]
        for _ in range(50):
            for thread in threads:
                thread.submit(int).result(PATIENCE_S)
            QApplication.processEvents()
            coming = sum(len(one._deliveries._calls) for one in tasks)
            if not coming and not any(thread._work_queue.qsize() for thread in threads):
                return

    # --- what it has

    def open_tabs(self) -> dict[str, ChatTab]:
        """The open chats, from left to right."""
        chats = self.window.chats
        found = {chat: chats.tab(chat) for chat in chats.tabs.order()}
        return {chat: tab for chat, tab in found.items() if tab is not None}

    def texts(self) -> Iterator[str]:
        """Every text of the library and of the window."""
        for tasks in (self.hearth.tasks, self.hearth.private_tasks):
            yield from self._ask(_drafts, tasks)
        yield from self.sent()
        yield self.composed()

    def sent(self) -> Iterator[str]:
        """Every message, also those that wait, and edits that are put by."""
        for tasks in (self.hearth.tasks, self.hearth.private_tasks):
            yield from self._ask(_messages, tasks)
        for tab in self.open_tabs().values():
            yield tab.composer._draft._behind or ""
            yield from tab.composer._draft.edits(tab.composer.edit.toPlainText()).values()
            yield from (row.message.text for row in tab.composer.queue.rows)

    def questions(self, chat: str) -> list[str]:
        """The texts of the user's messages in the library, on the branch that is shown."""
        tasks = self.hearth.private_tasks if self.window.tabs.is_private(chat) else self.hearth.tasks
        return self._ask(partial(_questions, chat=chat), tasks)

    def lost(self) -> dict[str, str]:
        """The words that are nowhere."""
        return self._ledger.lost("\n".join(self.texts()))

    def composed(self) -> str:
        """The words in all message boxes, which the user may change."""
        return "\n".join(tab.composer.edit.toPlainText() for tab in self.open_tabs().values())

    # --- what it promises

    def check(self) -> None:
        """See that no word is lost, and that the window shows what the library has."""
        self.settle()
        if self.lost():
            self.until(lambda: not self.lost(), lambda: f"lost words: {self.lost()}")
        if self._differences():
            self.until(self._agrees, lambda: f"the window differs from the library: {self._differences()}")

    def _agrees(self) -> bool:
        self.settle()
        return not self._differences()

    def _differences(self) -> list[str]:
        return [*self._list_differences(), *self._tab_differences(), *self._page_differences()]

    def _list_differences(self) -> list[str]:
        chats, shown = self.hearth.conversations, self.window.sidebar.model.known.values()
        if self.window.sidebar.search.text().strip() or chats.list._search or self.window.sidebar.list.is_editing:
            return []
        listed = self._ask(lambda library: library.conversations.listed())
        wanted = {one.id: one.title for one in listed}
        seen = {
            row.id: row.title if wanted.get(row.id) else "" for row in shown
        }  # one without a title has words for that
        return [] if seen == wanted else [f"the list is {seen}, the library {wanted}"]

    def _tab_differences(self) -> list[str]:
        window, kept = self.window, self.hearth.workspace._arranged
        order = tuple(chat for chat in window.tabs.order() if not window.tabs.is_private(chat))
        found = [] if kept is None or kept[0] == order else [f"tabs {order}, kept {kept[0]}"]
        known = set(self.hearth.conversations.tabs.opened)
        if known != set(order):
            found.append(f"tabs {order}, known {known}")
        if window.tabs.order() and window.chats.tab(window.tabs.current()) is None:
            found.append("the tab in front has no page")
        return found

    def _page_differences(self) -> list[str]:
        found = []
        for chat, tab in self.open_tabs().items():
            if not self.window.tabs.is_private(chat) and tab.phase is ChatPhase.IDLE:
                branch = self._ask(partial(_branch, chat=chat))
                messages = tab.transcript.messages
                views = [messages[place].view for place in range(len(messages))]
                seen = [(view.id, messages[place].text) for place, view in enumerate(views)]
                kept = branch[-len(seen) :] if tab.transcript.has_earlier else branch
                if seen != kept and not any(view.state is MessageState.OPEN for view in views):
                    gone, extra = [one for one in kept if one not in seen], [one for one in seen if one not in kept]
                    found.append(f"chat {chat} shows {len(seen)} messages, without {gone}, and besides {extra}")
        return found

    def _ask(self, job: Callable[[Library], T], tasks: LibraryThread | None = None) -> T:
        tasks = tasks or self.hearth.tasks
        return tasks._thread.submit(tasks._do, job).result(PATIENCE_S)

    # --- what it hears

    def _listen(self, intent: Intent) -> None:
        """Follow what the user asks: which words are new, and which are thrown away."""
        inner = intent.intent if isinstance(intent, InChat) else intent
        self._asked[type(inner).__name__] += 1
        self._follow_edits()
        match intent:
            case InChat(chat, Submit(text)) | InChat(chat, Edit(_, text)):
                self._ledger.write(text, chat)
            case InChat(chat, DropQueued(message)):
                self._ledger.give_up(words_of(self._queued(chat, message)))
            case InChat(chat, DeleteTurn()):
                self._ledger.give_up_chats([chat])
            case InChat(chat, CloseTab()) if self._is_lost(chat):
                self._ledger.give_up_chats([chat])
            case DeleteChats(chosen):
                self._ledger.give_up_chats(filter(self._is_lost, chosen))
            case Erase(chosen):
                self._ledger.give_up_chats(chosen)
            case EraseAll():
                self._ledger.give_up_chats(self.kept(deleted=True))
            case RestoreBackup() | UndoRestore():
                self._ledger.give_up_chats(self.kept() | self.kept(deleted=True))

    def _is_lost(self, chat: str) -> bool:
        """Whether nothing of a chat stays once its tab is closed or it is deleted."""
        return self.window.tabs.is_private(chat) or chat not in self.kept()

    def _queued(self, chat: str, message: str) -> str:
        tab = self.window.chats.tab(chat)
        rows = tab.composer.queue.rows if tab is not None else []
        return next((row.message.text for row in rows if row.message.id == message), "")

    def kept(self, *, deleted: bool = False) -> set[str]:
        """The chats of the library, or those that were deleted from it."""
        condition = "deleted IS NOT NULL" if deleted else "deleted IS NULL"
        with closing(sqlite3.connect(f"file:{paths.find().library_file}?mode=ro", uri=True)) as database:
            return {chat for (chat,) in database.execute(f"SELECT id FROM conversation WHERE {condition}")}

    def _follow_edits(self) -> None:
        """Notice when an edit ends: its words may be thrown away."""
        for chat, tab in self.open_tabs().items():
            if self._heard.get(chat) is not tab:
                self._heard[chat] = tab
                tab.composer.edit_ended.connect(lambda chat=chat: self.ended_edits.add(chat))


def _messages(library: Library) -> list[str]:
    return _column(library, "SELECT content FROM message")


def _drafts(library: Library) -> list[str]:
    return _column(library, "SELECT draft || queue || edits FROM conversation")


def _column(library: Library, statement: str) -> list[str]:
    with library.conversations._database.transaction() as connection:
        return [text for (text,) in connection.exec_driver_sql(statement)]


def _branch(library: Library, chat: str) -> list[tuple[str, str]]:
    return [(message.id, message.content) for message in library.messages.branch(chat)]


def _questions(library: Library, chat: str) -> list[str]:
    return [message.content for message in library.messages.branch(chat) if message.role == "user"]


def _active_timers() -> list[QTimer]:
    """Timers of parts that still exist. What a worker's last outcome refers to is deleted once that has arrived."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    timers = [one for one in gc.get_objects() if isinstance(one, QTimer) and shiboken6.isValid(one)]
    return [one for one in timers if one.isActive() and one.objectName() != RESCUE]


def _threads() -> set[str]:
    return {thread.name for thread in threading.enumerate() if not thread.name.startswith(_GLOBAL)}


def _children() -> set[int]:
    return {child.pid for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE}


def _spin(milliseconds: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def _check(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - what is checked
    if not holds:
        raise BrokenPromise(otherwise)
