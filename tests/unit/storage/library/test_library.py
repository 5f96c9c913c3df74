"""The library: turns, branches, drafts, deletion, and durability."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from storage.errors import (
    DamagedDatabase,
    EnvironmentProblem,
    MessageClosed,
    NewerVersion,
    NoSuchConversation,
    NoSuchMessage,
    ReplyNotEmpty,
)
from storage.library.library import Library
from tests.fakes.library import Clock, end, say, texts

if TYPE_CHECKING:
    from storage.database import Database

DAY = 24 * 60 * 60 * 1000


def test_a_new_conversation_has_the_given_fields(library: Library) -> None:
    """Every field given at creation is stored; a given title is the user's."""
    made = library.conversations.create("Plans", "Be brief.", "precise", "small")
    assert made == library.conversations.get(made.id)
    assert (made.title, made.titled, made.system, made.preset, made.model) == (
        "Plans",
        True,
        "Be brief.",
        "precise",
        "small",
    )
    assert (made.leaf, made.created, len(made.id)) == (None, made.updated, 32)
    assert (library.conversations.create().titled, library.conversations.create().preset) == (False, "balanced")


def test_a_turn_is_on_disk_when_begin_turn_returns(path: Path) -> None:
    """A process killed right after begin_turn leaves the user's message and the open reply."""
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
        assert library.messages.interrupt_open() == 1
        assert library.messages.branch(found.id)[-1].state == "interrupted"


def test_turns_form_one_branch(library: Library) -> None:
    """Each turn continues the leaf; the reply becomes the leaf and the draft is cleared."""
    chat = library.conversations.create().id
    library.conversations.save_draft(chat, "half a thou")
    say(library, chat, "one", "1")
    turn = library.messages.begin_turn(chat, "two", "m")
    assert texts(library, chat) == ["one", "1", "two", ""]
    assert turn.reply.parent == turn.user.id
    assert library.conversations.get(chat).leaf == turn.reply.id
    assert library.conversations.draft(chat) == ""


def test_alternatives_share_their_question(library: Library) -> None:
    """A second reply to one message is a new branch; the first reply stays in the tree."""
    chat = library.conversations.create().id
    first = say(library, chat, "pick", "red")
    question = library.messages.branch(chat)[0].id
    second = library.messages.begin_alternatives(chat, question, 1, "other")[0]
    assert texts(library, chat) == ["pick", ""]
    assert end(library, second, "blue", "done").model == "other"
    assert texts(library, chat) == ["pick", "blue"]
    assert [summary.id for summary in library.search.find("red")] == [chat]
    assert first != second.id


def test_only_the_users_messages_of_the_same_chat_can_be_answered(library: Library) -> None:
    """begin_alternatives refuses replies, unknown ids and messages of other conversations, and changes nothing."""
    chat, other = library.conversations.create().id, library.conversations.create().id
    reply = say(library, chat, "a", "b")
    question = library.messages.branch(chat)[0].id
    for conversation, parent in ((chat, reply), (chat, "nobody"), (other, question)):
        with pytest.raises(NoSuchMessage):
            library.messages.begin_alternatives(conversation, parent, 1, "m")
    with pytest.raises(NoSuchConversation):
        library.messages.begin_turn("nobody", "text", "m")
    assert texts(library, chat) == ["a", "b"]


def test_a_reply_closes_once(library: Library) -> None:
    """Ending keeps text, state, ledger, usage and error; a second end or a late save changes nothing."""
    reply = library.messages.begin_turn(library.conversations.create().id, "go", "m").reply
    library.messages.save_progress(reply.id, "so f")
    closed = end(library, reply, "so far", "failed", ledger="[1]", usage="{}", error="It broke.")
    assert (closed.content, closed.state, closed.ledger, closed.usage, closed.error) == (
        "so far",
        "failed",
        "[1]",
        "{}",
        "It broke.",
    )
    with pytest.raises(MessageClosed):
        end(library, reply, "late", "done")
    with pytest.raises(MessageClosed):
        library.messages.save_progress(reply.id, "late")
    with pytest.raises(NoSuchMessage):
        library.messages.save_progress("nobody", "late")
    assert library.messages.branch(closed.conversation)[-1] == closed


def test_continue_opens_the_reply_again(library: Library) -> None:
    """A reopened reply keeps text and ledger, loses its error, and can be ended again."""
    chat = library.conversations.create().id
    reply = library.messages.begin_turn(chat, "go", "m").reply
    end(library, reply, "half", "interrupted", ledger="[1]", error="Gone.")
    opened = library.messages.reopen(reply.id)
    assert (opened.state, opened.content, opened.ledger, opened.error) == ("open", "half", "[1]", "")
    assert end(library, reply, "half and half", "done").content == "half and half"
    with pytest.raises(NoSuchMessage):
        library.messages.reopen(library.messages.branch(chat)[0].id)


def test_interrupting_touches_open_messages_only(library: Library) -> None:
    """At start every open reply becomes interrupted with its saved text; ended replies stay."""
    chat, other = library.conversations.create().id, library.conversations.create().id
    say(library, chat, "a", "done one")
    open_reply = library.messages.begin_turn(other, "b", "m").reply
    library.messages.save_progress(open_reply.id, "half a sent")
    assert library.messages.interrupt_open() == 1
    assert library.messages.interrupt_open() == 0
    assert [message.state for message in library.messages.branch(chat)] == ["done", "done"]
    assert (library.messages.branch(other)[-1].state, library.messages.branch(other)[-1].content) == (
        "interrupted",
        "half a sent",
    )


def test_withdrawing_returns_the_text(library: Library) -> None:
    """A turn stopped before its first word disappears; its text is returned and put before the draft."""
    chat = library.conversations.create().id
    say(library, chat, "first", "1")
    reply = library.messages.begin_turn(chat, "wrong", "m").reply
    library.conversations.save_draft(chat, "typed since")
    assert library.messages.withdraw_turn(reply.id) == "wrong"
    assert texts(library, chat) == ["first", "1"]
    assert library.conversations.draft(chat) == "wrong\n\ntyped since"
    assert library.search.find("wrong") == ()


def test_withdrawing_the_first_turn_leaves_an_untitled_chat(library: Library) -> None:
    """A title made from the withdrawn text is removed; the user's own title stays."""
    for title, expected in (("", ""), ("Mine", "Mine")):
        chat = library.conversations.create(title).id
        library.messages.withdraw_turn(library.messages.begin_turn(chat, "oops", "m").reply.id)
        assert (library.conversations.get(chat).title, library.conversations.get(chat).leaf) == (expected, None)
        assert library.messages.branch(chat) == ()


def test_withdrawing_an_alternative_shows_the_one_before(library: Library) -> None:
    """An empty second reply is removed alone, and the first reply's branch is active to its end."""
    chat = library.conversations.create().id
    say(library, chat, "pick", "red")
    say(library, chat, "sure?", "yes")
    second = library.messages.begin_alternatives(chat, library.messages.branch(chat)[0].id, 1, "m")[0]
    assert library.messages.withdraw_turn(second.id) == ""
    assert texts(library, chat) == ["pick", "red", "sure?", "yes"]
    assert library.conversations.draft(chat) == ""


def test_a_reply_with_words_or_successors_is_not_withdrawn(library: Library) -> None:
    """A reply with text or successors cannot be withdrawn."""
    chat = library.conversations.create().id
    spoken = say(library, chat, "a", "b")
    silent = library.messages.begin_turn(chat, "c", "m").reply
    end(library, silent, "", "failed")
    library.messages.begin_turn(chat, "d", "m")
    for reply in (spoken, silent.id, library.messages.branch(chat)[0].id):
        with pytest.raises(ReplyNotEmpty):
            library.messages.withdraw_turn(reply)
    assert texts(library, chat) == ["a", "b", "c", "", "d", ""]


def test_the_first_words_name_the_chat_once(library: Library) -> None:
    """An untitled chat takes its title from the first line, cut between words; later turns and user titles do not
    change it.
    """
    chat = library.conversations.create().id
    say(library, chat, "\n  Tell me about the long history of the lighthouse on the northern shore\nplease", "ok")
    assert library.conversations.get(chat).title == "Tell me about the long history of the lighthouse on the…"
    say(library, chat, "Next", "ok")
    assert library.conversations.get(chat).title.startswith("Tell me")
    library.labels.rename(chat, "Lighthouses")
    named = library.conversations.get(chat)
    assert (named.title, named.titled) == ("Lighthouses", True)
    assert library.conversations.find("Lighthouses") == named
    assert library.conversations.find("lighthouses") is None


def test_find_takes_the_newest_of_a_name(library: Library) -> None:
    """Of several conversations with one title, `find` returns the last used."""
    older, newer = library.conversations.create("Same").id, library.conversations.create("Same").id
    assert getattr(library.conversations.find("Same"), "id", None) == newer
    say(library, older, "hello", "hi")
    assert getattr(library.conversations.find("Same"), "id", None) == older


def test_the_list_is_newest_first_with_the_newest_words(library: Library) -> None:
    """The order follows use, not creation or renaming; the snippet is the start of the active branch's newest text."""
    first, second = library.conversations.create("First").id, library.conversations.create("Second").id
    say(library, first, "question", "line one\n\nline two")
    library.labels.rename(second, "Renamed")
    assert [(row.id, row.snippet) for row in library.conversations.listed()] == [
        (first, "line one\n\nline two"),
        (second, ""),
    ]
    library.messages.begin_turn(second, "asked just now", "m")
    assert [(row.title, row.snippet) for row in library.conversations.listed()] == [
        ("Renamed", "asked just now"),
        ("First", "line one\n\nline two"),
    ]


def test_settings_of_a_conversation_are_kept(library: Library) -> None:
    """Settings change one by one; the model is the last one that answered; an unknown conversation is an error."""
    chat = library.conversations.create(model="small").id
    library.labels.set_preset(chat, "creative")
    library.labels.set_thinking(chat, thinking=True)
    end(library, library.messages.begin_turn(chat, "hi", "big").reply, "hello")
    kept = library.conversations.get(chat)
    assert (kept.preset, kept.thinking, kept.model) == ("creative", True, "big")
    with pytest.raises(NoSuchConversation):
        library.labels.set_preset("nobody", "creative")
    with pytest.raises(NoSuchConversation):
        library.labels.set_thinking("nobody", thinking=True)


@pytest.mark.parametrize(
    "text", ["", "x" * 300_000, "line\r\nbreak\t", "👩‍👩‍👧 \u202e rtl", "nul\0inside", "''; DROP TABLE"]
)
def test_any_text_is_stored_unchanged(library: Library, text: str) -> None:
    """The text of users and models is stored to the letter."""
    chat = library.conversations.create().id
    say(library, chat, text, text)
    assert texts(library, chat) == [text, text]


def test_broken_unicode_is_mended_not_refused(library: Library) -> None:
    """Surrogate halves, which a paste can contain, are joined or replaced, and the turn is saved."""
    chat = library.conversations.create().id
    say(library, chat, "\ud83d\ude00 and \ud800", "ok")
    assert texts(library, chat)[0] == "😀 and \N{REPLACEMENT CHARACTER}"


def test_deleted_conversations_are_hidden_then_erased(library: Library, clock: Clock) -> None:
    """Deleting hides at once; purging erases what was deleted long enough ago, and returns its ids."""
    chat, kept = library.conversations.create("Gone").id, library.conversations.create("Kept").id
    reply = library.messages.begin_turn(chat, "x", "m").reply
    library.trash.add(chat)
    for use in (library.conversations.get, library.messages.branch, library.conversations.draft, library.trash.add):
        with pytest.raises(NoSuchConversation):
            use(chat)
    assert library.conversations.find("Gone") is None
    assert [row.id for row in library.conversations.listed()] == [kept]
    assert end(library, reply, "the end", "stopped").content == "the end"
    assert library.trash.purge(30 * DAY) == ()
    clock.now += 30 * DAY
    assert library.trash.purge(30 * DAY) == (chat,)
    with pytest.raises(NoSuchMessage):
        library.messages.save_progress(reply.id, "x")


def test_purged_words_are_in_no_file(library: Library, path: Path) -> None:
    """After purging, no byte on disk holds the text or its words in the search index."""
    chat = library.conversations.create("Xylophone").id
    say(library, chat, "quicksilver " * 500, "marzipan " * 500)
    say(library, library.conversations.create("Kept").id, "keepsake " * 50, "ok")
    library.trash.add(chat)
    library.trash.purge(0)
    library.search.find("quick")
    content = b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()
    assert b"keepsake" in content
    assert [word for word in (b"xylophone", b"uicksilver", b"arzipan") if word in content] == []


def test_odd_rows_never_hide_a_conversation(library: Library, path: Path) -> None:
    """Unknown states and roles, missing leaves, cycles, wrong types and broken text degrade; all messages are still
    shown.
    """
    chat = library.conversations.create("Odd").id
    say(library, chat, "one", "1")
    say(library, chat, "two", "2")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE message SET state = 'pondering', role = 'oracle' WHERE content = '2'")
        other.execute("UPDATE message SET content = CAST(x'6f6eff' AS TEXT), created = 'noon' WHERE content = 'one'")
        other.execute("UPDATE conversation SET leaf = 'lost', preset = 'unheard of', updated = x'00'")
    assert [(message.role, message.content, message.state) for message in library.messages.branch(chat)] == [
        ("user", "on\N{REPLACEMENT CHARACTER}", "done"),
        ("assistant", "1", "done"),
        ("user", "two", "done"),
        ("assistant", "2", "done"),
    ]
    assert library.conversations.get(chat).preset == "unheard of"
    assert [row.title for row in library.conversations.listed()] == ["Odd"]
    assert library.messages.begin_turn(chat, "three", "m").user.parent == library.messages.branch(chat)[3].id
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE message SET parent = (SELECT id FROM message WHERE content = 'two') WHERE parent IS NULL")
    assert "three" in texts(library, chat)


def test_two_thousand_conversations_are_listed_within_a_blink(library: Library, database: Database) -> None:
    """Listing 2,000 conversations takes less than 50 ms of processor time."""
    number = count()
    rows = [
        (f"c{index}", f"Chat {index}", f"m{next(number)}", f"m{next(number)}", "words " * 400) for index in range(2000)
    ]
    with database.transaction() as connection:
        for chat, title, question, reply, words in rows:
            connection.exec_driver_sql(
                "INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, leaf, draft,"
                " thinking) VALUES (?, ?, 0, '', 'balanced', '', 1, 1, ?, '', 0)",
                (chat, title, reply),
            )
            for identifier, parent, role in ((question, None, "user"), (reply, question, "assistant")):
                connection.exec_driver_sql(
                    "INSERT INTO message (id, conversation, parent, role, state, content, usage, error, model,"
                    " created, reasoning, tool_calls, thought_ms, ledger)"
                    " VALUES (?, ?, ?, ?, 'open', ?, '', '', '', 1, '', '', 0, ?)",
                    (identifier, chat, parent, role, words, "9," * 2000),
                )
    library.conversations.listed()
    best = min(_processor_time(library) for _ in range(5))
    assert len(library.conversations.listed()) == 2000
    assert best < 0.05


def _processor_time(library: Library) -> float:
    began = time.thread_time()
    library.conversations.listed()
    return time.thread_time() - began


def test_backups_are_throttled_checked_and_rolled(library: Library, clock: Clock, tmp_path: Path) -> None:
    """One backup a day is made, ten are kept, and each opens as a library with all text."""
    folder = tmp_path / "backups"
    chat = library.conversations.create("Kept").id
    first = library.backups.make_daily(folder)
    assert first is not None
    assert library.backups.make_daily(folder) is None
    for day in range(11):
        say(library, chat, f"day {day}", "ok")
        clock.now += DAY
        assert library.backups.make_daily(folder) is not None
    assert len(list(folder.iterdir())) == 10
    assert not first.exists()
    with closing(Library.open(max(folder.iterdir()), clock)) as copied:
        assert texts(copied, chat) == texts(library, chat)


def test_a_clock_set_back_does_not_stop_backups(library: Library, clock: Clock, tmp_path: Path) -> None:
    """A backup dated in the future does not count as the last one."""
    assert library.backups.make_daily(tmp_path / "backups") is not None
    clock.now -= 400 * DAY
    assert library.backups.make_daily(tmp_path / "backups") is not None


def test_a_damaged_library_is_never_shown_as_empty(path: Path) -> None:
    """Opening an emptied, zeroed or newer file raises the matching error."""
    Library.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerVersion):
        Library.open(path)
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(DamagedDatabase):
        Library.open(path)
    path.write_bytes(b"")
    with pytest.raises(DamagedDatabase):
        Library.open(path)


def test_rot_inside_the_file_is_reported(path: Path, clock: Clock) -> None:
    """Damaged pages raise DamagedDatabase instead of shortening the list."""
    with closing(Library.open(path, clock)) as library:
        for number in range(300):
            library.conversations.create(f"Chat {number} " + "x" * 200)
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    with pytest.raises(DamagedDatabase), closing(Library.open(path, clock)) as library:
        library.conversations.listed()


def test_a_library_may_be_opened_on_one_thread_and_used_on_another(path: Path) -> None:
    """The thread that uses the library may differ from the one that opened it."""
    library = Library.open(path)
    with ThreadPoolExecutor(1) as worker:
        chat = worker.submit(library.conversations.create, "Elsewhere").result().id
        assert [row.id for row in worker.submit(library.conversations.listed).result()] == [chat]
        worker.submit(library.close).result()


def test_two_processes_may_use_one_library(path: Path) -> None:
    """A second connection sees the first one's commits, and both can write in turn."""
    with closing(Library.open(path)) as window, closing(Library.open(path)) as terminal:
        chat = window.conversations.create("Shared").id
        say(terminal, chat, "from the terminal", "ok")
        say(window, chat, "from the window", "ok")
        assert texts(terminal, chat) == ["from the terminal", "ok", "from the window", "ok"]


def test_a_full_disk_keeps_what_was_there_and_recovers(library: Library, database: Database) -> None:
    """A turn that cannot be written leaves nothing; once there is room, the next one succeeds."""
    chat = library.conversations.create().id
    say(library, chat, "before", "ok")
    pages = database.raw.execute("PRAGMA page_count").fetchone()[0]
    database.raw.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    with pytest.raises(EnvironmentProblem, match="disk is full"):
        library.messages.begin_turn(chat, "x" * 500_000, "m")
    assert texts(library, chat) == ["before", "ok"]
    database.raw.execute("PRAGMA max_page_count = 1000000").fetchall()
    say(library, chat, "after", "ok")
    assert texts(library, chat) == ["before", "ok", "after", "ok"]
