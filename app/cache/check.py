"""CacheCheck: has the engine check what is kept on disk, one part after another, and says what was found. No Qt.

It runs on the window's thread. Each part is asked for when the one before it has been answered, so stopping means to
ask for no more. An engine that starts anew continues with the part that was asked for last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from app.base.ports import Engine, Tasks
from engine.protocol.cache_messages import CacheChecked, CheckCache
from resources.language.text import mark, plural, tr
from storage.library.library import Library
from ui.state.settings import CheckView
from ui.theme.phrases import size

_MOST_NAMED: Final = 3
_NOTHING: Final = mark("Nothing is kept on disk, so there was nothing to check.")


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How a check ended: `how` returns that in words. `titles` are those of the damaged chats: "" for one without a
    title, None for one that was deleted; no tuple until they have been looked up.

    The words are made each time they are shown, because the user may have picked another language.
    """

    how: Callable[[], str]
    strays: int
    titles: tuple[str | None, ...] | None = None

    @property
    def words(self) -> str:
        """The outcome, in the present language."""
        if self.titles is None:
            return self.how()
        strays = plural("A left-over file was removed.", "{count} left-over files were removed.", self.strays)
        return " ".join((self.how(), _found(self.titles), *([strays] if self.strays else [])))


class CacheCheck:
    """One check at a time. `shown` is called after each change of `view`."""

    def __init__(self, tasks: Tasks, engine: Engine, shown: Callable[[], object]) -> None:
        self._progress = CheckView()
        self._outcome: _Outcome | None = None
        self._tasks = tasks
        self._engine = engine
        self._shown = shown
        self._after = ""
        self._damaged: Counter[str] = Counter()
        self._strays = 0

    @property
    def view(self) -> CheckView:
        """The progress of the check, or the outcome of the last one."""
        return self._progress if self._outcome is None else replace(self._progress, text=self._outcome.words)

    def begin(self) -> None:
        """Check what is kept of all conversations."""
        if not self._progress.is_running:
            self._outcome = None
            self._after, self._damaged, self._strays = "", Counter(), 0
            self._change(CheckView(is_running=True))
            self._engine.send(CheckCache())

    def stop(self) -> None:
        """End the check with what was found so far."""
        if self._progress.is_running:
            done = self._progress.done
            self._end(lambda: tr("The check was stopped after {done}.", done=size(done)))

    def connected(self) -> None:
        """An engine has started: ask it for the part that the former one did not answer."""
        if self._progress.is_running:
            self._engine.send(CheckCache(self._after))

    def checked(self, event: CacheChecked) -> None:
        """A part was checked: ask for the next one, or say what was found."""
        if not self._progress.is_running:
            return
        self._damaged.update(event.damaged)
        self._strays += event.strays
        self._after = event.after
        done = self._progress.done + event.checked
        if event.trouble:
            self._end(lambda: tr("The check ended early. {trouble}", trouble=event.trouble))
        elif event.after:
            self._change(replace(self._progress, done=min(done, event.total), total=event.total))
            self._engine.send(CheckCache(event.after))
        else:
            complete = mark("{done} were read again and compared.") if done else _NOTHING
            self._end(lambda: tr(complete, done=size(done)))

    def _end(self, how: Callable[[], str]) -> None:
        """The result names the chats, whose titles are in the library."""
        outcome = self._outcome = _Outcome(how, self._strays)
        nameless = (None,) if self._damaged else ()
        self._change(replace(self._progress, is_running=False))
        self._tasks.run(
            partial(_titles, conversations=frozenset(self._damaged)),
            partial(self._name, outcome),
            lambda _: self._name(outcome, nameless),
        )

    def _name(self, outcome: _Outcome, titles: tuple[str | None, ...]) -> None:
        if self._outcome is outcome:  # no other check has begun meanwhile
            self._outcome = replace(outcome, titles=titles)
            self._shown()

    def _change(self, progress: CheckView) -> None:
        self._progress = progress
        self._shown()


def _titles(library: Library, conversations: Collection[str]) -> tuple[str | None, ...]:
    """The titles of these conversations, or one None if none of them is in the library."""
    listed = [*library.conversations.listed(), *library.trash.listed()]
    titles = tuple(one.title for one in listed if one.id in conversations)
    return titles or ((None,) if conversations else ())


def _found(titles: tuple[str | None, ...]) -> str:
    if not titles:
        return tr("No damage was found.")
    named = [
        tr("a deleted chat") if title is None else tr("“{title}”", title=title or tr("New chat"))
        for title in titles[:_MOST_NAMED]
    ]
    if len(titles) == 1:
        return tr(
            "A damaged part of {title} was removed: the chat is read again when it is answered next.", title=named[0]
        )
    chats, more = ", ".join(named), len(titles) - _MOST_NAMED
    if more > 0:
        chats = plural("{chats} and {count} other chat", "{chats} and {count} other chats", more, chats=chats)
    return tr(
        "Damaged parts were removed. These chats are read again when they are answered next: {chats}.", chats=chats
    )
