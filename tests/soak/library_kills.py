"""Kills at any moment: everything that the library acknowledged is there afterwards, and the file is sound.

`run` is the entry point. The killed processes are those of `library_typist`.
"""

from __future__ import annotations

import json
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from storage.library.library import Library
from tests.soak.library_typist import mark

ROOT = Path(__file__).resolve().parents[2]
_NOTHING = mark("")
_HALF_TURNS = """SELECT count(*) FROM message AS said WHERE role = 'user'
    AND NOT EXISTS (SELECT 1 FROM message AS reply WHERE reply.parent = said.id)"""
LONGEST_S = 0.25
"""The seconds of a life. A quarter of them may end before the library is open."""


def run(kills: int, folder: Path, seed: int = 1) -> list[str]:
    """Let `kills` lives use the library in `folder`, each until it is killed. Returns all faults, in words."""
    return witness(kills, folder, seed).problems


def witness(kills: int, folder: Path, seed: int = 1) -> Witness:
    """As `run`, with everything that was recorded."""
    moments = random.Random(seed)  # noqa: S311 - moments, no secrets
    command = [sys.executable, "-m", "tests.soak.library_typist", str(folder)]
    seen = Witness(folder)
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as nursery:
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        for number in range(kills):
            life = {"seed": seed * 100_000 + number, "delay": moments.uniform(0, LONGEST_S), "late": number % 4 > 0}
            nursery.stdin.write(json.dumps(life).encode() + b"\n")
            nursery.stdin.flush()
            seen.watch(nursery.stdout)
            seen.check(number)
        nursery.stdin.close()
    return seen


class Witness:
    """Records what was acknowledged, life after life, and checks it. `deeds` counts the acknowledgements."""

    def __init__(self, folder: Path) -> None:
        self.problems: list[str] = []
        self.deeds = 0
        self._path = folder / "library.sqlite"
        self._said: dict[str, tuple[str, str]] = {}
        """The chat of a message, and the mark of its words."""
        self._drafts: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self._deleted: set[str] = set()
        self._files: dict[str, tuple[str, str]] = {}
        self._will: dict[str, Any] = {}

    def watch(self, told: IO[bytes]) -> None:
        """Record everything that a life reports, to its end."""
        self._will = {}
        for line in told:
            values = json.loads(line)
            if "dead" in values:
                return
            if "fault" in values:
                self.problems.append(values["fault"])
            else:
                self.hear(values)
        self.problems.append("the nursery has ended")

    def hear(self, values: dict[str, Any]) -> None:
        """Record a deed that is about to be done, or was done."""
        if "will" in values:
            self._will = values
            return
        self._will = {}
        self.deeds += 1
        getattr(self, f"_{values.pop('did')}")(**values)

    def forget_what_is_under_way(self) -> None:
        """The deed was refused: no trace of it may exist."""
        self._will = {}

    def _create(self, chat: str, title: str) -> None:
        self._titles[chat], self._drafts[chat] = title, _NOTHING

    def _draft(self, chat: str, text: str) -> None:
        self._drafts[chat] = text

    def _turn(self, chat: str, user: str, text: str, reply: str) -> None:
        self._said[user], self._said[reply] = (chat, text), (chat, _NOTHING)
        self._drafts[chat] = _NOTHING

    def _edit(self, chat: str, user: str, text: str, reply: str) -> None:
        self._said[user], self._said[reply] = (chat, text), (chat, _NOTHING)

    def _grow(self, message: str, text: str) -> None:
        self._said[message] = (self._said[message][0], text)

    _end = _grow

    def _attach(self, chat: str, file: str, text: str) -> None:
        self._files[file] = (chat, text)

    def _title(self, chat: str, title: str) -> None:
        self._titles[chat] = title

    def _delete(self, chat: str) -> None:
        self._deleted.add(chat)

    def _undelete(self, chat: str) -> None:
        self._deleted.discard(chat)

    def _erase(self, chat: str) -> None:
        self._deleted.discard(chat)
        for known in (self._titles, self._drafts):
            known.pop(chat, None)
        self._said = {one: said for one, said in self._said.items() if said[0] != chat}
        self._files = {one: file for one, file in self._files.items() if file[0] != chat}

    def check(self, life: int) -> None:
        """Compare the library on disk with what was acknowledged."""
        if self._path.exists():
            with closing(Library.open(self._path)) as library:
                self.compare(library, f"life {life}")
        elif self._titles:
            self.problems.append(f"life {life}: the library is gone")

    def compare(self, library: Library, when: str) -> None:
        """Compare a library with what was acknowledged. A deed under way is either done or not, nothing in between."""
        found = len(self.problems)
        self._settle_erasure(library)
        self._check_file(library._database.raw)
        self._check_words(library._database.raw)
        self._check_attached(library)
        self.problems[found:] = [f"{when}, {self._will or 'idle'}: {one}" for one in self.problems[found:]]
        self._will = {}

    def _settle_erasure(self, library: Library) -> None:
        chat = self._will.get("chat", "")
        if self._will.get("will") == "erase" and chat not in {one.id for one in library.trash.listed()}:
            self._erase(chat)

    def _check_file(self, raw: sqlite3.Connection) -> None:
        if (verdict := raw.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
            self.problems.append(f"integrity_check: {verdict}")
        if torn := raw.execute("PRAGMA foreign_key_check").fetchall():
            self.problems.append(f"foreign_key_check: {torn}")
        if half := raw.execute(_HALF_TURNS).fetchone()[0]:
            self.problems.append(f"{half} turns are there by half")
        for index in ("title_search", "message_search"):
            raw.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")

    def _check_words(self, raw: sqlite3.Connection) -> None:
        said = {
            one: (chat, mark(text)) for one, chat, text in raw.execute("SELECT id, conversation, content FROM message")
        }
        chats = {
            row[0]: (row[1], mark(row[2]), row[3])
            for row in raw.execute("SELECT id, title, draft, deleted FROM conversation")
        }
        for one, (chat, text) in self._said.items():
            self._expect(f"message {one}", said.get(one), {(chat, text), (chat, self._growing(one, text))})
        for chat in self._titles:
            title, draft, deleted = chats.get(chat, (None, None, None))
            self._expect("title", title, {self._titles[chat], self._changing(chat, "title", "title")})
            known = self._drafts.setdefault(
                chat, draft or _NOTHING
            )  # it may come from a life that was killed before it could report
            self._expect("draft", draft, {known, self._changing(chat, "draft", "text"), *self._sent(chat)})
            if self._will.get("chat") != chat:
                self._expect("deletion", deleted is not None, {chat in self._deleted})
        self._adopt(said, chats)

    def _growing(self, message: str, text: str) -> str:
        return str(self._will["text"]) if self._will.get("message") == message else text

    def _changing(self, chat: str, deed: str, name: str) -> str | None:
        """The state of a chat after `deed`, if that was under way."""
        return str(self._will[name]) if (self._will.get("will"), self._will.get("chat")) == (deed, chat) else None

    def _sent(self, chat: str) -> tuple[str, ...]:
        """A turn clears the draft."""
        return (_NOTHING,) if (self._will.get("will"), self._will.get("chat")) == ("turn", chat) else ()

    def _adopt(self, said: dict[str, tuple[str, str]], chats: dict[str, tuple[Any, ...]]) -> None:
        """Accept what the library holds of a deed under way as its outcome."""
        message, chat = self._will.get("message", ""), self._will.get("chat", "")
        if message in self._said and message in said:
            self._said[message] = said[message]
        if chat in self._titles and chat in chats:
            self._titles[chat], self._drafts[chat], deleted = chats[chat]
            (self._deleted.discard if deleted is None else self._deleted.add)(chat)

    def _check_attached(self, library: Library) -> None:
        for file, (_, text) in list(self._files.items())[-20:]:
            self._expect(f"file {file}", mark(library.attachments.text_of(file)), {text})

    def _expect(self, what: str, found: object, possible: set[Any]) -> None:
        if found not in possible:
            self.problems.append(f"{what} is {str(found)[:60]!r}, not {str(possible)[:120]}")
