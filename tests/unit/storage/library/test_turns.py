"""Turns that are removed from a conversation and put back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import MessageOpen
from storage.library.library import Library
from storage.library.rows import Message
from tests.fakes.library import attach, end, texts


def _say(library: Library, chat: str, question: str, answer: str) -> tuple[str, str]:
    turn = library.messages.begin_turn(chat, question, "m")
    _end(library, turn.reply, answer)
    return turn.user.id, turn.reply.id


def _end(library: Library, reply: Message, answer: str) -> None:
    end(library, reply, answer, ledger=f"ledger of {answer}")


def _dump(library: Library) -> list[list[tuple[object, ...]]]:
    tables = ("conversation", "message", "attachment")
    raw = library._database.raw
    return [sorted(raw.execute(f"SELECT * FROM {table}").fetchall()) for table in tables]


def test_a_turn_in_the_middle_goes_with_both_its_parts(library: Library) -> None:
    """Named by its question or by its answer. What follows stays, and is found; what is gone is not."""
    for of_answer in (False, True):
        chat = library.conversations.create().id
        _say(library, chat, "first", "one")
        turn = _say(library, chat, "second zebra", "two")
        _say(library, chat, "third", "three")
        library.turns.remove(chat, turn[of_answer])
        assert texts(library, chat) == ["first", "one", "third", "three"]
    assert library.search.find("zebra") == ()


def test_the_first_the_last_and_the_only_turn(library: Library, chat: str) -> None:
    """The branch ends where it can, and an empty chat loses a title that was the question's."""
    turns = [_say(library, chat, f"q{number}", f"a{number}") for number in range(3)]
    library.turns.remove(chat, turns[0][0])
    assert texts(library, chat) == ["q1", "a1", "q2", "a2"]
    library.turns.remove(chat, turns[2][0])
    assert texts(library, chat) == ["q1", "a1"]
    removed = library.turns.remove(chat, turns[1][0])
    assert (texts(library, chat), library.conversations.get(chat).title) == ([], "")
    library.turns.restore(removed)
    assert (texts(library, chat), library.conversations.get(chat).title) == (["q1", "a1"], "q0")


def test_a_turn_stays_while_its_answer_is_written(library: Library, chat: str) -> None:
    """Another process may write it, and could not end it any more."""
    turn = library.messages.begin_turn(chat, "question", "m")
    with pytest.raises(MessageOpen):
        library.turns.remove(chat, turn.user.id)
    _end(library, turn.reply, "answer")
    assert texts(library, chat) == ["question", "answer"]


def test_an_undo_keeps_what_was_changed_since(library: Library, chat: str) -> None:
    """The chat has another title by now, and the model reads from another message on."""
    turns = [_say(library, chat, f"q{number}", f"a{number}") for number in range(3)]
    library.labels.read_from(chat, turns[1][0])
    removed = library.turns.remove(chat, turns[2][0])
    library.labels.rename(chat, "Mine")
    library.labels.read_from(chat, None)
    library.turns.restore(removed)
    owner = library.conversations.get(chat)
    assert (owner.title, owner.reads_from, len(texts(library, chat))) == ("Mine", None, 6)


def test_nothing_of_other_turns_is_lost(library: Library, chat: str) -> None:
    """The turn had two answers, each with a question below it. Both questions follow what stood before it."""
    _say(library, chat, "q1", "a1")
    question, _ = _say(library, chat, "q2", "a2")
    _say(library, chat, "q3", "a3")
    (other,) = library.messages.begin_alternatives(chat, question, 1, "m")
    _end(library, other, "b2")
    shown, _ = _say(library, chat, "r3", "b3")
    library.turns.remove(chat, other.id)
    assert texts(library, chat) == ["q1", "a1", "r3", "b3"]
    library.messages.step(chat, shown, -1)
    assert texts(library, chat) == ["q1", "a1", "q3", "a3"]


def test_the_models_view_begins_at_what_is_left(library: Library, chat: str) -> None:
    """If the first message that the model reads is removed, the next question is the first."""
    turns = [_say(library, chat, f"q{number}", f"a{number}") for number in range(3)]
    library.labels.read_from(chat, turns[1][0])
    removed = library.turns.remove(chat, turns[1][1])
    assert library.conversations.get(chat).reads_from == turns[2][0]
    library.turns.restore(removed)
    assert library.conversations.get(chat).reads_from == turns[1][0]


def test_files_come_back_with_their_turn(library: Library, chat: str, tmp_path: Path) -> None:
    """Also if the library has tidied its files since."""
    (tmp_path / "note.txt").write_text("attached")
    attach(library, chat, tmp_path / "note.txt")
    question, _ = _say(library, chat, "q", "a")
    removed = library.turns.remove(chat, question)
    library.trash.sweep(0)
    attach(library, chat, tmp_path / "note.txt")
    library.attachments.detach(chat, library.attachments.of_draft(chat)[0].id)
    library.turns.restore(removed)
    (file,) = library.messages.branch(chat)[0].attachments
    assert library.attachments.text_of(file.id) == "attached"
    assert [row.id for row in library.search.find("attached")] == [chat]


def test_a_turn_comes_back_after_other_chats_went_on(library: Library, chat: str, tmp_path: Path) -> None:
    """Also if it was the newest of the library: SQLite gives the numbers of its rows to the next ones."""
    (tmp_path / "note.txt").write_text("attached")
    question, _ = _say(library, chat, "q1", "a1")
    attach(library, chat, tmp_path / "note.txt")
    question, _ = _say(library, chat, "q2", "a2")
    _end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "b2")
    removed = library.turns.remove(chat, question)
    other = library.conversations.create().id
    attach(library, other, tmp_path / "note.txt")
    _say(library, other, "other", "chat")
    library.turns.restore(removed)
    assert (texts(library, chat), texts(library, other)) == (["q1", "a1", "q2", "b2"], ["other", "chat"])
    shown = library.messages.branch(chat)
    assert (shown[-1].place, [file.name for file in shown[2].attachments]) == (2, ["note.txt"])
    assert {row.id for row in library.search.find("attached")} == {chat, other}


@given(
    st.lists(st.tuples(st.sampled_from(["say", "again", "edit", "step"]), st.integers(0, 9)), max_size=12), st.data()
)
def test_undo_brings_everything_back(steps: list[tuple[str, int]], data: st.DataObject) -> None:
    """In any tree. Between the two, each message has a parent that is there, and roles take turns."""
    library = Library.in_memory()
    chat = library.conversations.create().id
    _say(library, chat, "q", "a")
    for action, number in steps:
        line = library.messages.branch(chat)
        one = line[number % len(line)]
        question = one if one.role == "user" else line[number % len(line) - 1]
        if action == "say":
            _say(library, chat, f"q{number}", f"a{number}")
        elif action == "again":
            _end(library, library.messages.begin_alternatives(chat, question.id, 1, "m")[0], f"b{number}")
        elif action == "edit":
            _end(library, library.messages.edit(chat, question.id, f"e{number}", "m").reply, f"c{number}")
        else:
            library.messages.step(chat, one.id, -1)
    before = _dump(library)
    shown = library.messages.branch(chat)
    removed = library.turns.remove(chat, shown[data.draw(st.integers(0, len(shown) - 1))].id)
    roles = {row[0]: row[1] for row in library._database.raw.execute("SELECT id, role FROM message")}
    for role, parent in library._database.raw.execute("SELECT role, parent FROM message"):
        assert parent is None or roles[parent] != role
    assert [one.role for one in library.messages.branch(chat)][::2] == ["user"] * (
        len(library.messages.branch(chat)) // 2
    )
    library.turns.restore(removed)
    assert _dump(library) == before
    library.close()
