"""No word of the user is lost, whenever the disk refuses what is saved, and whenever tabs close and open.

Every word is another one. The library is real; its jobs wait until a rule runs them, and may fail at their commit. The
engine answers when a rule says so. Once the disk has room again and the app has quit, the library has each word that
was typed or answered and not deleted.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library
from tests.fakes.tasks import InlineTasks
from tests.fakes.window import FakeTab, FakeWindow
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatView, MessageView

if TYPE_CHECKING:
    from sqlalchemy import Connection

_FULL = EnvironmentProblem(Problem.DISK_FULL)
_TEXTS = (
    *("SELECT content, conversation FROM message", "SELECT reasoning, conversation FROM message"),
    *("SELECT draft, id FROM conversation", "SELECT queue, id FROM conversation"),
    *("SELECT system, id FROM conversation", "SELECT text, '' FROM prompt"),
)
_PLACE = st.integers(0, 5)


class _Tab(FakeTab):
    def give_back(self, words: str) -> None:
        assert isinstance(self._window, _Window)
        self._window.give_back(self._conversation, words)


class _Window(FakeWindow):
    """A message box for each open tab, which saves what is typed as the real one does. `seen` are the chats in the
    order in which they were opened first: that order is the same whenever an example runs.
    """

    def __init__(self, save: Callable[[str, str], object]) -> None:
        super().__init__()
        self.seen = dict[str, None]()
        self._save = save
        self.typed: dict[str, str] = {}
        self._saved: dict[str, str] = {}

    def tab(self, conversation: str) -> FakeTab | None:
        return _Tab(self, conversation) if conversation in self.typed else None

    def open(self, view: ChatView) -> None:
        super().open(view)
        self.seen[view.id] = None
        if view.id not in self.typed:
            self.typed[view.id] = self._saved[view.id] = view.draft

    def remove(self, conversation: str) -> None:
        self.typed.pop(conversation, None)

    def give_back(self, conversation: str, words: str) -> None:
        self.typed[conversation] = "\n\n".join(filter(None, (words, self.typed[conversation])))
        self.save(conversation)

    def save(self, *conversations: str) -> None:
        for conversation in conversations:
            if self.typed.get(conversation, "") != self._saved.get(conversation, ""):
                self._saved[conversation] = self.typed[conversation]
                self._save(conversation, self.typed[conversation])


class WordsMachine(RuleBasedStateMachine):
    """`expected` are the words that must be in the library at the end, with the chats that they are in."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self._numbers = iter(range(1_000_000))
        self.expected: dict[str, str] = {}
        self._streamed: dict[str, str] = {}  # the words of replies, which the library may not have yet
        self._erased: set[str] = set()
        self._systems: dict[str, str] = {}
        self._prompts: dict[str, str] = {}
        self._commits = 0
        self._refused = 0  # commits of three
        self._start()
        for _ in range(2):
            self.chats.creation.new()
            self._run_all()

    def _start(self) -> None:
        self.library = Library.open(Path(self._folder.name) / "library.sqlite")
        self.private = Library.in_memory()
        self._refuse_commits()
        self._note_deletions()
        self.tasks = InlineTasks(self.library)
        self.scene = Scene(self.library, self.tasks, InlineTasks(self.private))
        self.window = self.scene.window = _Window(lambda *saved: self.chats.save_draft(*saved))  # noqa: PLW0108 - the chats come later
        self.chats = self.scene.conversations()
        self.tasks.held = True
        self.chats.start(alone=True, not_readable=lambda _: None)
        self._run_all()

    def _refuse_commits(self) -> None:
        database = self.library.labels._database
        begun = database.transaction

        @contextmanager
        def transaction() -> Iterator[Connection]:
            with begun() as connection:
                before = database.raw.total_changes
                yield connection
                self._commits += database.raw.total_changes > before
                if database.raw.total_changes > before and self._commits % 3 < self._refused:
                    raise _FULL

        vars(database).update(transaction=transaction)

    def _note_deletions(self) -> None:
        turns, trash = self.library.turns, self.library.trash
        remove, restore, erase = turns.remove, turns.restore, trash.erase

        def removed(conversation: str, message: str) -> Any:
            turn = remove(conversation, message)
            for row in turn.messages:
                self._forget(self._words_of(row))
            return turn

        def restored(turn: Any) -> None:
            restore(turn)
            for row in turn.messages:
                self.expected |= dict.fromkeys(self._words_of(row), row["conversation"])

        def erased(*conversations: str) -> None:
            erase(*conversations)
            self._erased.update(conversations)

        vars(turns).update(remove=removed, restore=restored)
        vars(trash).update(erase=erased)

    def _words_of(self, row: Mapping[str, Any]) -> set[str]:
        said = {word for word, reply in self._streamed.items() if reply == row["id"]}
        return said | set(re.findall(r"w\d+x", f"{row['content']} {row['reasoning']}"))

    def _forget(self, words: set[str]) -> None:
        for word in words:
            self.expected.pop(word, None)

    def _there(self) -> set[str]:
        raw = self.library.labels._database.raw
        return {word for query in _TEXTS for text, _ in raw.execute(query) for word in re.findall(r"w\d+x", text or "")}

    def _word(self, conversation: str) -> str:
        word = f"w{next(self._numbers)}x"
        self.expected[word] = conversation
        return word

    def _run_all(self) -> None:
        for _ in range(3000):
            if not self.tasks.waiting:
                return
            self.tasks.run_next()
        raise AssertionError("the jobs of the library never end")

    def _open(self, place: int) -> str:
        opened = list(self.window.typed)
        return opened[place % len(opened)] if opened else ""

    def _any(self, place: int) -> str:
        listed = {row.id for row in self.window.rows}
        found = [chat for chat in self.window.seen if chat in listed]
        return found[place % len(found)] if found else ""

    def _message(self, conversation: str, role: str, place: int) -> MessageView | None:
        shown = [view for view in self.window.messages[conversation] if view.role == role]
        return shown[-1 - place % len(shown)] if shown else None

    # The disk and the library's thread

    @rule(refused=st.integers(0, 3))
    def the_disk_fills_up(self, refused: int) -> None:
        self._refused = refused

    @rule(count=st.sampled_from([1, 2, 5, 3000]))
    def jobs_run(self, count: int) -> None:
        for _ in range(count):
            if self.tasks.waiting:
                self.tasks.run_next()

    @rule()
    def a_second_passes(self) -> None:
        self.chats.tick()

    @rule()
    def an_answer_is_saved(self) -> None:
        self.chats.sessions.jot()

    # The user

    @rule(place=_PLACE, saves=st.booleans())
    def types(self, *, place: int, saves: bool) -> None:
        if not (chat := self._open(place)):
            return
        self.window.typed[chat] = f"{self.window.typed[chat]} {self._word(chat)}".strip()
        if saves:
            self.window.save(chat)

    @rule(place=_PLACE)
    def sends(self, place: int) -> None:
        if not (chat := self._open(place)):
            return
        text, self.window.typed[chat] = self.window.typed[chat] or self._word(chat), ""
        self.chats.sessions.of(chat).submit(text)
        self.window.save(chat)

    @rule(place=_PLACE, at=_PLACE)
    def edits(self, place: int, at: int) -> None:
        chat = self._open(place)
        if chat and (message := self._message(chat, "user", at)) is not None:
            self.chats.sessions.of(chat).edit(message.id, self._word(chat))

    @rule(place=_PLACE, at=_PLACE, more=st.booleans())
    def asks_again(self, *, place: int, at: int, more: bool) -> None:
        chat = self._open(place)
        if chat and (message := self._message(chat, "assistant", at)) is not None:
            session = self.chats.sessions.of(chat)
            (session.extend if more else session.regenerate)(message.id)

    @rule(place=_PLACE)
    def stops(self, place: int) -> None:
        if chat := self._open(place):
            self.chats.sessions.of(chat).stop()

    @rule(place=_PLACE)
    def sends_what_waits(self, place: int) -> None:
        if chat := self._open(place):
            self.chats.sessions.of(chat).outbox.resume()

    @rule(place=_PLACE, at=_PLACE, role=st.sampled_from(["user", "assistant"]))
    def deletes_a_turn(self, place: int, at: int, role: str) -> None:
        chat = self._open(place)
        if chat and (message := self._message(chat, role, at)) is not None:
            self.chats.sessions.of(chat).removal.remove(message.id)

    @rule(place=_PLACE)
    def brings_a_turn_back(self, place: int) -> None:
        if chat := self._open(place):
            self.chats.sessions.of(chat).removal.restore()

    @rule(place=_PLACE)
    def gives_instructions(self, place: int) -> None:
        if not (chat := self._open(place)):
            return
        self.expected.pop(self._systems.get(chat, ""), None)
        self._systems[chat] = word = self._word(chat)
        self.chats.settings.set_system(chat, word)

    @rule(place=_PLACE)
    def saves_a_prompt(self, place: int) -> None:
        self._run_all()  # the list of prompts, from which the next one is taken
        word = changed = self._word("")
        for one in sorted(self.window.store.prompts.now, key=lambda one: one.text)[place : place + 1]:
            self._forget({*re.findall(r"w\d+x", one.text), self._prompts.get(one.id, "")})
            self._prompts[one.id], changed = word, one.id
        self.chats.prompts.save(changed, "name", word)

    # Chats and tabs

    @rule()
    def begins_a_chat(self) -> None:
        self.window.save(*self.window.typed)
        self.chats.creation.begin()

    @rule(place=_PLACE)
    def closes_a_tab(self, place: int) -> None:
        if not (chat := self._open(place)):
            return
        self.window.save(chat)
        self.window.remove(chat)
        self.chats.close_tab(chat)

    @rule(place=_PLACE)
    def opens_a_tab(self, place: int) -> None:
        if chat := self._any(place):
            self.chats.tabs.show(chat)

    @rule(places=st.sets(_PLACE, min_size=1, max_size=3))
    def deletes_chats(self, places: set[int]) -> None:
        self.window.save(*self.window.typed)
        self.chats.delete(*{chat for place in places if (chat := self._any(place))})

    @rule()
    def takes_a_deletion_back(self) -> None:
        undo = [key for key in self.window.notices if key.startswith("undo:")]
        for key in undo[:1]:
            self.chats.removal.undo(key.removeprefix("undo:"))

    @rule(place=_PLACE, erases=st.booleans())
    def looks_into_recently_deleted(self, *, place: int, erases: bool) -> None:
        self.chats.trash.show()
        self._run_all()
        deleted = {row.id for row in self.window.store.deleted.now}
        for chat in [chat for chat in self.window.seen if chat in deleted][place : place + 1]:
            (self.chats.trash.erase if erases else self.chats.trash.undelete)((chat,))

    # The engine

    @rule()
    def the_engine_answers(self) -> None:
        for chat, session in tuple(self.chats.sessions._by_id.items()):
            if session.is_answering and session.turn is not None and session.turn.live():
                word = self._word(chat)
                self._streamed[word] = session.turn.live()[0].id
                self.chats.sessions.engine_event(self.scene.engine.deltas((chat, f" {word}")))

    @rule(reason=st.sampled_from(["stop", "length", "failed"]), place=_PLACE)
    def an_answer_ends(self, reason: Any, place: int) -> None:
        answering = [chat for chat, one in self.chats.sessions._by_id.items() if one.is_answering]
        for chat in answering[place : place + 1]:
            self.chats.sessions.engine_event(self.scene.engine.finished(chat, reason))

    @rule()
    def answers_have_stopped(self) -> None:
        for chat, session in tuple(self.chats.sessions._by_id.items()):
            if session.turn is not None and session.turn._stopping:
                self.chats.sessions.engine_event(self.scene.engine.finished(chat, "cancelled"))

    # The end

    @rule(rests=st.booleans(), stops=st.booleans())
    def quits(self, *, rests: bool, stops: bool) -> None:
        """The disk has room again. The next start has every word."""
        self._quit(rests=rests, stops=stops)
        self._start()

    def _quit(self, *, rests: bool, stops: bool) -> None:
        self._refused = 0
        self.window.save(*self.window.typed)
        if rests:
            self.chats.tick()
            self._run_all()
        self.chats.settle()
        self.chats.sessions.stop_all()
        if stops:
            self.answers_have_stopped()
            self._run_all()
        self.chats.sessions.give_up()
        self._run_all()
        lost = set(self.expected) - self._there()
        assert not [word for word in lost if self.expected[word] not in self._erased]
        self.library.close()
        self.private.close()

    def teardown(self) -> None:
        with self._folder:
            self._quit(rests=False, stops=False)


WordsMachine.TestCase.settings = settings(stateful_step_count=100)
TestNoWordIsLost = pytest.mark.timeout(400)(WordsMachine.TestCase)  # a failure takes minutes to shrink
