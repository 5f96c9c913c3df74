"""What the golden library holds, and how one is made: `python -m tests.golden.library.told FOLDER`.

It writes `vN.sqlite`, N being the version of the schema. A released library is never made again: its file was written
by the code of its version, and stays.
"""

from __future__ import annotations

import shutil
import sys
from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from storage.library.library import Library
from storage.library.rows import Message, MessageState, QueuedText, SavedDraft
from storage.library.schema import SCHEMA
from tests.fakes.library import Clock


def _say(library: Library, chat: str, text: str, **reply: Any) -> tuple[Message, Message]:
    """A question and its reply with these columns."""
    turn = library.messages.begin_turn(chat, text, "small")
    return turn.user, _end(library, turn.reply, **reply)


def _end(library: Library, reply: Message, state: MessageState = "done", **columns: Any) -> Message:
    return library.messages.end(replace(reply, state=state, **columns))


def _lighthouses(library: Library) -> None:
    """A chat with two answers to its first question, and another branch from an edit of that question."""
    chat = library.conversations.create("Lighthouses", "Be brief.", "precise", "small").id
    asked, _ = _say(
        library,
        chat,
        "Who keeps the light at the café?",
        content="A keeper kept it.",
        reasoning="Let me think of islands.",
        tool_calls='[{"name":"weather","arguments":{"place":"Skye"}}]',
        usage='{"prompt_tokens":3}',
        ledger="[1,2,3]",
    )
    (other,) = library.messages.begin_alternatives(chat, asked.id, 1, "large")
    _end(library, other, "stopped", content="Nobody: it is a lamp now 🕯")
    _say(library, chat, "And before?", content="A bell.", ledger="[4]")
    edited = library.messages.edit(chat, asked.id, "Who kept the light?", "small")
    _end(library, edited.reply, content="She did.")
    library.labels.switch(chat, thinking=True)
    library.conversations.save_draft(chat, SavedDraft("half a thought"))


def _garden(library: Library) -> None:
    """A chat whose last answer is being written, before a message that waits and an edit, and a fork of it with labels
    and an attached file.
    """
    chat = library.conversations.create(model="small").id
    _, first = _say(library, chat, "Plan the garden\nwith beans", content="Beans, then peas.")
    failed, _ = _say(library, chat, "And the failed one?", state="failed", error="The engine could not do this.")
    library.labels.read_from(chat, failed.id)
    fork = library.messages.fork(chat, first.id).id
    library.labels.set_pinned(fork, pinned=True)
    library.labels.set_folder(fork, folder="Garden")
    library.labels.set_tags(fork, ("spring", "beans"))
    library.labels.switch(fork, cached=False)
    library.attachments.add(fork, "seeds.txt", b"beans and peas")
    open_reply = library.messages.begin_turn(chat, "Still writing?", "small").reply
    library.messages.save_progress(replace(open_reply, content="As far as"))
    library.conversations.save_draft(chat, SavedDraft("typed", (QueuedText("Next"),), ((failed.id, "Edited"),)))


def _letters(library: Library) -> None:
    """A chat with letters that the search folds, sets apart or leaves out."""
    chat = library.conversations.create(
        "Ёлка, λόγος, \uff21\uff22\uff23, it\u2019s \u201con\u2011line\u201d, `x`", model="small"
    ).id
    library.labels.set_tags(chat, ("Überblick",))
    library.attachments.add(chat, "cities.txt", "Vorüberlegung 我住在北京市中心".encode())
    _say(
        library,
        chat,
        "Самолёт, xxÜBERxx, H₂O, ½, हिन्दी, cafe\u0301",
        content="我住在北京市中心 한국어를 昨日スシ食べた ｶﾅ שָׁלוֹם مَرْحَبًا it\u2019s \u2018so\u2019",
    )
    picture = b64encode(bytes(range(256)) * 2).decode()
    _say(library, chat, "A pier?", content=f"![pier](data:image/png;base64,{picture}) as asked")


def main(folder: Path) -> None:
    """Write the library into `folder`."""
    with TemporaryDirectory() as room:
        path = Path(room) / "library.sqlite"
        with closing(Library.open(path, Clock())) as library:
            _lighthouses(library)
            _garden(library)
            _letters(library)
            gone = library.conversations.create("Gone", model="small").id
            _say(library, gone, "delete me", content="deleted")
            library.trash.add(gone)
            library.prompts.save("", "Explain", "Explain {topic} to a gardener.")
        shutil.copyfile(path, folder / f"v{SCHEMA.version}.sqlite")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
