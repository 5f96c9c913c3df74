"""CacheCheck: has the engine check what is kept on disk, one part after another, and says what was found. No Qt.

It runs on the window's thread. Each part is asked for when the one before it has been answered, so stopping means to
ask for no more. An engine that starts anew continues with the part that was asked for last.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from engine.protocol.messages import CheckCache
from resources.language.text import mark, plural, tr
from ui.state.settings import CheckView
from ui.theme.phrases import size

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from app.base.ports import Engine, Tasks
    from engine.protocol.messages import CacheChecked
    from storage.library.library import Library

_MOST_NAMED: Final = 3
_NOTHING: Final = mark("Nothing is kept on disk, so there was nothing to check.")
_UNKNOWN: Final = mark("a deleted chat")


class CacheCheck:
    """One check at a time. `shown` is called after each change of `view`."""

    def __init__(self, tasks: Tasks, engine: Engine, shown: Callable[[], object]) -> None:
        self.view = CheckView()
        self._tasks = tasks
        self._engine = engine
        self._shown = shown
        self._after = ""
        self._damaged: Counter[str] = Counter()
        self._strays = 0

    def begin(self, conversation: str) -> None:
        """Check what is kept of a conversation, or of all ("")."""
        if not self.view.is_running:
            self._after, self._damaged, self._strays = "", Counter(), 0
            self._change(CheckView(is_running=True, conversation=conversation))
            self._engine.send(CheckCache(conversation))

    def stop(self) -> None:
        """End the check with what was found so far."""
        if self.view.is_running:
            self._end(tr("The check was stopped after {done}.", done=size(self.view.done)))

    def connected(self) -> None:
        """An engine has started: ask it for the part that the former one did not answer."""
        if self.view.is_running:
            self._engine.send(CheckCache(self.view.conversation, self._after))

    def checked(self, event: CacheChecked) -> None:
        """A part was checked: ask for the next one, or say what was found."""
        if not self.view.is_running or event.conversation != self.view.conversation:
            return
        self._damaged.update(event.damaged)
        self._strays += event.strays
        self._after = event.after
        done = self.view.done + event.checked
        if event.trouble:
            self._end(tr("The check ended early. {trouble}", trouble=event.trouble))
        elif event.after:
            self._change(replace(self.view, done=min(done, event.total), total=event.total))
            self._engine.send(CheckCache(event.conversation, event.after))
        else:
            self._end(tr("{done} were read again and compared.", done=size(done)) if done else tr(_NOTHING))

    def _end(self, how: str) -> None:
        """The result names the chats, whose titles are in the library."""
        self._change(replace(self.view, is_running=False, text=how))
        damaged = frozenset(self._damaged)
        self._tasks.run(
            partial(_titles, conversations=damaged), partial(self._say, how), lambda _: self._say(how, (tr(_UNKNOWN),))
        )

    def _say(self, how: str, titles: tuple[str, ...]) -> None:
        if not self.view.is_running:
            self._change(replace(self.view, text=" ".join(filter(None, (how, _found(titles), _removed(self._strays))))))

    def _change(self, view: CheckView) -> None:
        self.view = view
        self._shown()


def _titles(library: Library, conversations: Collection[str]) -> tuple[str, ...]:
    """The titles of these conversations, as the user knows them."""
    listed = [*library.conversations.listed(), *library.trash.listed()]
    named = [f"“{one.title or tr('New chat')}”" for one in listed if one.id in conversations]
    return tuple(named) or ((tr(_UNKNOWN),) if conversations else ())


def _found(titles: tuple[str, ...]) -> str:
    if not titles:
        return tr("No damage was found.")
    if len(titles) == 1:
        return tr(
            "A damaged part of {title} was removed: the chat is read again when it is answered next.", title=titles[0]
        )
    named, more = ", ".join(titles[:_MOST_NAMED]), len(titles) - _MOST_NAMED
    if more > 0:
        named = plural("{chats} and {count} other chat", "{chats} and {count} other chats", more, chats=named)
    return tr(
        "Damaged parts were removed. These chats are read again when they are answered next: {chats}.", chats=named
    )


def _removed(strays: int) -> str:
    if not strays:
        return ""
    return plural("A left-over file was removed.", "{count} left-over files were removed.", strays)
