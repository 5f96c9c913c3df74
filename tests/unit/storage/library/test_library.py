"""The library: its conversations, their fields and their list."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from storage.database import Database
from storage.errors import SeveralConversations
from storage.library.library import Library
from storage.library.rows import LATEST, QueuedText, SavedDraft, Switches
from tests.fakes.library import Clock, end, say, texts, write
from tests.fakes.steps import cpu_seconds


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


def test_the_first_words_name_the_chat_once(library: Library, chat: str) -> None:
    """An untitled chat takes its title from the first line, cut between words; later turns and user titles do not
    change it.
    """
    say(library, chat, "\n  Tell me about the long history of the lighthouse on the northern shore\nplease", "ok")
    assert library.conversations.get(chat).title == "Tell me about the long history of the lighthouse"
    say(library, chat, "Next", "ok")
    assert library.conversations.get(chat).title.startswith("Tell me")
    library.labels.rename(chat, "Lighthouses")
    named = library.conversations.get(chat)
    assert (named.title, named.titled) == ("Lighthouses", True)
    assert library.conversations.find("Lighthouses") == named
    assert library.conversations.find("lighthouses") is None


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


def test_a_title_that_several_conversations_have_names_none(library: Library) -> None:
    """A question never goes to another conversation than the user means. A title that Hearth gave counts,
    too. A deleted conversation does not.
    """
    named, first_words = library.conversations.create("Tea").id, library.conversations.create().id
    say(library, first_words, "Tea", "ok")
    with pytest.raises(SeveralConversations, match="“Tea”; rename all but one"):
        library.conversations.find("Tea")
    library.trash.add(first_words)
    assert getattr(library.conversations.find("Tea"), "id", None) == named


def test_two_questions_at_once_for_a_new_title_begin_one_chat(library: Library, path: Path) -> None:
    """If two processes ask a chat that neither has yet, both ask the same one, and the title keeps naming it."""
    with closing(Library.open(path)) as other:
        theirs = list[str]()

        def meanwhile() -> int:
            theirs.append(other.conversations.find_or_create("Tea", "", "m").id)
            return 1

        with closing(Library.open(path, meanwhile)) as ours:
            assert ours.conversations.find_or_create("Tea", "Be brief.", "m").id == theirs[0]
    assert [(one.id, one.title) for one in library.conversations.listed()] == [(theirs[0], "Tea")]


def test_a_chat_is_found_by_a_title_that_is_longer_than_one_is_kept(library: Library) -> None:
    """Else each question under that title would begin another chat."""
    chats = {library.conversations.find_or_create("x" * 1500, "", "m").id for _ in range(2)}
    assert len(chats) == 1


def test_the_end_of_an_answer_moves_no_chat(library: Library, clock: Clock) -> None:
    """The list and the hits of a search are in the order of what the user sent last."""
    first, second = library.conversations.create("Tea").id, library.conversations.create("Tea").id
    replies = []
    for chat in (first, second):
        clock.now += 1000
        replies.append(library.messages.begin_turn(chat, "sencha", "m").reply)
    for reply in reversed(replies):
        clock.now += 1000
        end(library, reply, "Yes")
    assert [row.id for row in library.conversations.listed()] == [second, first]
    assert [row.id for row in library.search.find("sencha")] == [second, first]


def test_settings_of_a_conversation_are_kept(library: Library) -> None:
    """Settings change one by one; the model is the last one that answered."""
    chat = library.conversations.create(model="small").id
    library.labels.set_preset(chat, "creative")
    library.labels.switch(chat, thinking=True)
    end(library, library.messages.begin_turn(chat, "hi", "big").reply, "hello")
    kept = library.conversations.get(chat)
    assert (kept.preset, kept.switches.thinking, kept.model) == ("creative", True, "big")


def test_any_text_is_stored_unchanged(library: Library, chat: str) -> None:
    """The text of users and models is stored to the letter. Surrogate halves, which a paste can contain, are joined or
    replaced.
    """
    exact = ("", "x" * 300_000, "line\r\nbreak\t", "👩‍👩‍👧 \u202e rtl", "nul\0inside", "''; DROP TABLE")
    for text in (*exact, "\ud83d\ude00 \ud800"):
        say(library, chat, text, text)
    expected = [text for one in (*exact, "😀 \N{REPLACEMENT CHARACTER}") for text in (one, one)]
    assert texts(library, chat) == expected


def test_odd_rows_never_hide_a_conversation(library: Library, database: Database) -> None:
    """Unknown states and roles, missing leaves, cycles, wrong types and broken text degrade to readable values; all
    messages are still shown.
    """
    chat = library.conversations.create("Odd").id
    say(library, chat, "one", "1")
    say(library, chat, "two", "2")
    database.raw.execute("UPDATE message SET state = 'pondering', role = 'oracle' WHERE content = '2'")
    database.raw.execute("UPDATE message SET content = CAST(x'6f6eff' AS TEXT), created = 'noon' WHERE content = 'one'")
    database.raw.execute("UPDATE conversation SET leaf = 'lost', preset = 'unheard of', updated = x'00'")
    database.raw.execute("UPDATE conversation SET pinned = 'yes', folder = x'616c', tags = 7, switches = 'no'")
    database.raw.execute("""UPDATE conversation SET queue = '[["half a thou', edits = 'edited'""")
    assert [(message.role, message.content, message.state) for message in library.messages.branch(chat)] == [
        ("user", "on\N{REPLACEMENT CHARACTER}", "done"),
        ("assistant", "1", "done"),
        ("user", "two", "done"),
        ("assistant", "2", "done"),
    ]
    assert library.conversations.draft(chat) == SavedDraft("", (QueuedText('[["half a thou'),), (("", "edited"),))
    kept = library.conversations.get(chat)
    assert (kept.preset, kept.pinned, kept.folder, kept.tags) == ("unheard of", True, "al", ("7",))
    assert kept.switches == Switches()
    assert [(row.title, row.folder) for row in library.conversations.listed()] == [("Odd", "al")]
    assert library.labels.folders() == ("al",)
    assert library.messages.begin_turn(chat, "three", "m").user.parent == library.messages.branch(chat)[3].id
    database.raw.execute(
        "UPDATE message SET parent = (SELECT id FROM message WHERE content = 'two') WHERE parent IS NULL"
    )
    assert "three" in texts(library, chat)


@pytest.mark.parametrize(("written", "moment"), [(2**62, LATEST), (-(2**62), 0)])
def test_a_date_that_no_calendar_has_hides_no_chat(
    library: Library, database: Database, written: int, moment: int
) -> None:
    """The nearest date that can be shown stands for it, in lists, in search, in Recently Deleted and in an export."""
    chat = library.conversations.create("Odd").id
    say(library, chat, "one", "1")
    database.raw.execute("UPDATE conversation SET created = ?, updated = ?", (written, written))
    database.raw.execute("UPDATE message SET created = ?", (written,))
    (exported,) = library.transfer.export().conversations
    listed = (*library.conversations.listed(), *library.search.find("Odd"))
    assert [exported.updated, *(one.updated for one in listed)] == [moment] * 3
    assert {exported.created, *(one.created for one in library.messages.branch(chat))} == {moment}
    database.raw.execute("UPDATE conversation SET deleted = ?", (abs(written),))
    assert [one.updated for one in library.trash.listed()] == [LATEST]


def test_a_chat_without_an_id_is_left_out(library: Library, database: Database) -> None:
    """The window cannot name it, and shows the others. An export of all chats has it."""
    library.conversations.create("Odd")
    database.raw.execute("UPDATE conversation SET id = ''")
    kept = library.conversations.create("Kept").id
    assert [one.id for one in library.conversations.listed()] == [kept]
    assert library.search.find("Odd") == ()
    assert {one.title for one in library.transfer.export().conversations} == {"Kept", "Odd"}


def test_two_thousand_conversations_are_listed_within_a_blink(library: Library, database: Database) -> None:
    """Listing 2,000 conversations takes less than 50 ms of processor time."""
    write(database, {f"chat{number} ": ["words " * 400] * 2 for number in range(2000)}, ledger="9," * 2000)
    library.conversations.listed()
    best = min(cpu_seconds(library.conversations.listed) for _ in range(5))
    assert len(library.conversations.listed()) == 2000
    assert best < 0.05
