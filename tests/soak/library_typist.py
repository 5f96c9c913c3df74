"""Uses a library without end, until it is killed. `library_kills` starts and kills these processes.

Each line of input is one life, as JSON: its `seed`, and the `delay` in seconds until it is killed, counted from its
start or (`late`) from the opening of the library. The output says what the life is about to do (`will`) and, once the
library has returned, that it was done (`did`); at the end `dead`.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from storage.library.library import Library
from storage.library.rows import SavedDraft
from tests.fakes.library import attach

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
CHATS = 6


def mark(text: str) -> str:
    """A short mark that identifies `text`, whatever its length."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def tell(**values: Any) -> None:
    """Write one line, short enough for an atomic write to the pipe: no kill can cut it."""
    os.write(1, json.dumps(marked(values)).encode() + b"\n")


def marked(values: dict[str, Any]) -> dict[str, Any]:
    """The values to report, with marks instead of texts."""
    return values | {"text": mark(values["text"])} if "text" in values else values


class Typist:
    """One life: types, sends, streams, edits, attaches, deletes, and continues what an earlier life left."""

    def __init__(self, folder: Path, seed: int, tell: Callable[..., object] = tell) -> None:
        self._tell = tell
        self._random = random.Random(seed)  # noqa: S311 - deeds, no secrets
        self._seed = seed
        self._count = 0
        self._now = 1_700_000_000_000 + seed % 10_000 * DAY_MS
        self._folder = folder
        self.library = Library.open(folder / "library.sqlite", self._clock)
        self.library.messages.interrupt_open()
        self.library.trash.sweep(self._now)

    def _clock(self) -> int:
        """An hour passes with every look, so that copies of the library are made too."""
        self._now += HOUR_MS
        return self._now

    def live(self) -> None:
        """Act without end."""
        while True:
            self.act()

    def act(self) -> None:
        """One deed."""
        acts = (self.type, self.type, self.talk, self.talk, self.edit, self.attach, self.label, self.delete, self.copy)
        act: Callable[[str], None] = self._random.choice(acts)
        act(self._chat())

    def _chat(self) -> str:
        chats = self.library.conversations.listed()
        if len(chats) < CHATS:
            title = self._words(3)
            self._tell(will="create", title=title)
            made = self.library.conversations.create(title=title).id
            self._tell(did="create", chat=made, title=title)
            return made
        return self._random.choice(chats).id

    def _words(self, most: int = 200) -> str:
        self._count += 1
        return f"{self._seed}.{self._count} " + "word " * self._random.randrange(most)

    def type(self, chat: str) -> None:
        """Type a few strokes, each of which is saved."""
        for _ in range(self._random.randrange(1, 4)):
            text = self._words()
            self._tell(will="draft", chat=chat, text=text)
            self.library.conversations.save_draft(chat, SavedDraft(text))
            self._tell(did="draft", chat=chat, text=text)

    def talk(self, chat: str) -> None:
        """Send a turn and stream its answer."""
        text = self._words()
        self._tell(will="turn", chat=chat, text=text)
        turn = self.library.messages.begin_turn(chat, text, "model")
        self._tell(did="turn", chat=chat, user=turn.user.id, text=text, reply=turn.reply.id)
        self._stream(turn.reply)

    def edit(self, chat: str) -> None:
        """Replace a message by another text, if there is one."""
        mine = [said for said in self.library.messages.branch(chat) if said.role == "user"]
        if mine:
            text = self._words()
            self._tell(will="edit", chat=chat, text=text)
            turn = self.library.messages.edit(chat, self._random.choice(mine).id, text, "model")
            self._tell(did="edit", chat=chat, user=turn.user.id, text=text, reply=turn.reply.id)
            self._stream(turn.reply)

    def _stream(self, reply: Any) -> None:
        text = ""
        for _ in range(self._random.randrange(5)):
            text += self._words(2000)
            self._tell(will="grow", message=reply.id, text=text)
            messages = self.library.messages
            messages.save_progress(replace(reply, content=text), synced=self._random.random() < 0.5)
            self._tell(did="grow", message=reply.id, text=text)
        text += "the end"
        self._tell(will="end", message=reply.id, text=text)
        self.library.messages.end(replace(reply, content=text, state="done", ledger="[1, 2]" * 500))
        self._tell(did="end", message=reply.id, text=text)

    def attach(self, chat: str) -> None:
        """Add a file to the draft."""
        content = self._words()
        path = self._folder / "notes.txt"
        path.write_text(content)
        self._tell(will="attach", chat=chat)
        made = attach(self.library, chat, path)
        self._tell(did="attach", chat=chat, file=made.id, text=content)

    def label(self, chat: str) -> None:
        """Change a title, a folder, tags, a pin."""
        title = self._words(3)
        self._tell(will="title", chat=chat, title=title)
        self.library.labels.rename(chat, title)
        self._tell(did="title", chat=chat, title=title)
        self.library.labels.set_folder(chat, folder="Folder")
        self.library.labels.set_tags(chat, ("one", "two"))
        self.library.labels.set_pinned(chat, pinned=self._random.random() < 1 / 2)

    def delete(self, chat: str) -> None:
        """Move a chat to Recently Deleted, and back, or erase it."""
        self._tell(will="delete", chat=chat)
        self.library.trash.add(chat)
        self._tell(did="delete", chat=chat)
        if self._random.random() < 2 / 3:
            self._tell(will="undelete", chat=chat)
            self.library.trash.restore(chat)
            self._tell(did="undelete", chat=chat)
        else:
            self._tell(will="erase", chat=chat)
            self.library.trash.erase(chat)
            self._tell(did="erase", chat=chat)

    def copy(self, _chat: str) -> None:
        """Make the copy of the day."""
        self.library.backups.make_daily(self._folder / "backups")


def main() -> None:
    """Start lives one after the other, each as its own process, and kill each when its time is over."""
    folder = Path(sys.argv[1])
    for line in sys.stdin:
        life = json.loads(line)
        ready, open_now = os.pipe()
        child = os.fork()
        if child == 0:
            _live(folder, life["seed"], open_now)
        os.close(open_now)
        if life["late"]:
            os.read(ready, 1)
        os.close(ready)
        Event().wait(life["delay"])
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        tell(dead=True)


def _live(folder: Path, seed: int, open_now: int) -> None:
    try:
        typist = Typist(folder, seed)
        os.close(open_now)
        typist.live()
    except Exception as error:  # noqa: BLE001 - any fault is a finding: it is reported, and the run fails
        tell(fault=f"{type(error).__name__}: {error}")
    os._exit(1)


if __name__ == "__main__":
    main()
