"""Messages of the library: turns and branches, replies that close, open again or are withdrawn."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from storage.errors import MessageClosed, NoSuchMessage, ReplyNotEmpty
from storage.library.library import Library
from storage.library.rows import QueuedText, SavedDraft
from tests.fakes.library import end, save, say, texts


def test_a_turn_is_on_disk_when_begin_turn_returns(path: Path) -> None:
    """A process killed right after begin_turn leaves the user's message and the open reply. At start the open reply
    becomes interrupted, and nothing else.
    """
    script = (
        "import os, signal, sys; from pathlib import Path; from storage.library.library import Library\n"
        "library = Library.open(Path(sys.argv[1]))\n"
        "library.messages.begin_turn(library.conversations.create('Kill').id, 'still here?', 'm')\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(path)], check=False, cwd=Path.cwd())
    assert ended.returncode == -signal.SIGKILL
    with closing(Library.open(path)) as library:
        found = library.conversations.find("Kill")
        assert found is not None
        assert [(message.role, message.content, message.state) for message in library.messages.branch(found.id)] == [
            ("user", "still here?", "done"),
            ("assistant", "", "open"),
        ]
        assert (library.messages.interrupt_open(), library.messages.interrupt_open()) == (1, 0)
        assert [message.state for message in library.messages.branch(found.id)] == ["done", "interrupted"]


def test_what_kept_state_saved_is_added_up(library: Library) -> None:
    """Of all chats, and since a time. Figures that an import or a fault has spoilt count as none."""
    chat = library.conversations.create().id
    for usage in ("", "{", "[]", '{"wait":3}', '{"wait":{"saved_ms":"1"}}', '{"wait":{"saved_ms":-7}}'):
        end(library, library.messages.begin_turn(chat, "a", "m").reply, "b", usage=usage)
    end(library, library.messages.begin_turn(chat, "a", "m").reply, "b", usage='{"wait":{"saved_ms":1e300}}')
    assert library.messages.saved_ms() == 0.0
    for saved in (1500, 20.5):
        last = end(
            library, library.messages.begin_turn(chat, "a", "m").reply, "b", usage=f'{{"wait":{{"saved_ms":{saved}}}}}'
        )
    assert library.messages.saved_ms() == 1520.5
    assert library.messages.saved_ms(last.created) < 1520.5
    assert library.messages.saved_ms(last.created + 1) == 0.0
    library.messages.fork(chat, last.id)
    assert library.messages.saved_ms() == 1520.5, "a copy of an answer saves nothing more"


ACTS: list[tuple[Callable[[Library, str, str], object], bool]] = [
    (lambda library, chat, message: library.messages.begin_alternatives(chat, message, 1, "m"), False),
    (lambda library, chat, message: library.messages.edit(chat, message, "x", "m"), False),
    (lambda library, chat, message: library.messages.step(chat, message, 1), True),
    (lambda library, chat, message: library.messages.page(chat, message, 60), True),
    (lambda library, chat, message: library.turns.remove(chat, message), True),
    (lambda library, chat, message: library.labels.read_from(chat, message), True),
]
"""What is done to a message, and whether a reply will do."""


def test_a_message_that_is_not_of_the_chat_is_refused(library: Library) -> None:
    """Unknown messages and those of other chats are refused, and replies can be neither answered nor edited. Nothing
    changes.
    """
    chat, other = library.conversations.create().id, library.conversations.create().id
    reply = say(library, chat, "a", "b")
    question = library.messages.branch(chat)[0].id
    before = library.transfer.export(), library.conversations.listed()
    for act, takes_replies in ACTS:
        wrong = [(other, question), (other, reply), (chat, "nobody")]
        for conversation, message in wrong if takes_replies else [*wrong, (chat, reply)]:
            with pytest.raises(NoSuchMessage):
                act(library, conversation, message)
    assert (library.transfer.export(), library.conversations.listed()) == before
    assert texts(library, chat) == ["a", "b"]


def test_a_reply_closes_once(library: Library, chat: str) -> None:
    """Ending keeps text, state, ledger, usage and error; a second end or a late save changes nothing. A reopened reply
    keeps text and ledger, loses its error, and can be ended again.
    """
    reply = library.messages.begin_turn(chat, "go", "m").reply
    save(library, reply, "so f")
    closed = end(library, reply, "so far", "failed", ledger="[1]", usage="{}", error="It broke.")
    ending = (closed.content, closed.state, closed.ledger, closed.usage, closed.error)
    assert ending == ("so far", "failed", "[1]", "{}", "It broke.")
    with pytest.raises(MessageClosed):
        end(library, reply, "late", "done")
    with pytest.raises(MessageClosed):
        save(library, reply, "late")
    with pytest.raises(NoSuchMessage):
        save(library, replace(reply, id="nobody"), "late")
    assert library.messages.branch(chat)[-1] == closed
    opened = library.messages.reopen(reply.id)
    assert (opened.state, opened.content, opened.ledger, opened.error) == ("open", "so far", "[1]", "")
    assert end(library, reply, "so far and on", "done").content == "so far and on"
    with pytest.raises(NoSuchMessage):
        library.messages.reopen(library.messages.branch(chat)[0].id)


def test_withdrawing_returns_the_text(library: Library) -> None:
    """A turn, which clears the draft, disappears if it is stopped before its first word; its text is returned and put
    before what was typed. A title made from the text of the first turn is removed with it; the user's own title stays.
    """
    for title in ("", "Mine"):
        chat = library.conversations.create(title).id
        library.messages.withdraw_turn(library.messages.begin_turn(chat, "oops", "m").reply.id)
        assert (library.conversations.get(chat).title, library.conversations.get(chat).leaf) == (title, None)
        assert library.messages.branch(chat) == ()
    library.conversations.save_draft(chat, SavedDraft("half a thou"))
    say(library, chat, "first", "1")
    assert library.conversations.draft(chat).typed == ""
    reply = library.messages.begin_turn(chat, "wrong", "m").reply
    waiting = (QueuedText("next"),)
    library.conversations.save_draft(chat, SavedDraft("typed since", waiting))
    assert library.messages.withdraw_turn(reply.id) == "wrong"
    assert texts(library, chat) == ["first", "1"]
    assert library.conversations.draft(chat) == SavedDraft("wrong\n\ntyped since", waiting)
    assert library.search.find("wrong") == ()


def test_a_reply_with_words_or_successors_is_not_withdrawn(library: Library, chat: str) -> None:
    """A reply with text, reasoning or successors cannot be withdrawn."""
    spoken = say(library, chat, "a", "b")
    silent = library.messages.begin_turn(chat, "c", "m").reply
    end(library, silent, "", "failed")
    thinking = library.messages.begin_turn(chat, "d", "m").reply
    library.messages.save_progress(replace(thinking, reasoning="zebra"))
    for reply in (spoken, silent.id, thinking.id, library.messages.branch(chat)[0].id):
        with pytest.raises(ReplyNotEmpty):
            library.messages.withdraw_turn(reply)
    assert texts(library, chat) == ["a", "b", "c", "", "d", ""]
