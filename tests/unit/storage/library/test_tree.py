"""Branches, alternatives and copies of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storage.database import Database
from storage.errors import NoSuchConversation, NoSuchMessage
from storage.library.library import Library
from storage.library.rows import SavedDraft, Switches, fork_title_from
from tests.fakes.library import alternatives, end, save, say, texts


def _places(library: Library, chat: str) -> list[tuple[int, int]]:
    return [(one.place, one.places) for one in library.messages.branch(chat)]


def test_several_replies_are_begun_together(library: Library, chat: str) -> None:
    """Each is open, the first is active, and each knows its place among the alternatives. The earlier reply stays in
    the tree.
    """
    old = say(library, chat, "pick", "red")
    question = library.messages.branch(chat)[0].id
    fresh = library.messages.begin_alternatives(chat, question, 3, "other")
    assert alternatives(library, old) == [old, *(one.id for one in fresh)]
    assert library.messages.branch(chat)[-1].id == fresh[0].id
    assert _places(library, chat) == [(1, 1), (2, 4)]
    assert {one.state for one in fresh} == {"open"}
    assert end(library, fresh[0], "blue").model == "other"
    assert texts(library, chat) == ["pick", "blue"]
    assert [summary.id for summary in library.search.find("red")] == [chat]


def test_step_shows_the_neighbour_with_its_newest_branch(library: Library, chat: str) -> None:
    """Stepping stays within the alternatives and activates the newest branch below each."""
    red = say(library, chat, "pick", "red")
    say(library, chat, "sure?", "yes")
    library.messages.edit(chat, library.messages.branch(chat)[2].id, "really?", "m")
    question = library.messages.branch(chat)[0].id
    end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "blue")
    assert texts(library, chat) == ["pick", "blue"]
    library.messages.step(chat, library.messages.branch(chat)[-1].id, -1)
    assert texts(library, chat) == ["pick", "red", "really?", ""]
    assert _places(library, chat) == [(1, 1), (1, 2), (2, 2), (1, 1)]
    library.messages.step(chat, red, -7)
    assert texts(library, chat)[1] == "red"
    library.messages.step(chat, red, 7)
    assert texts(library, chat) == ["pick", "blue"]


def test_step_returns_to_the_alternative_that_was_chosen_below(library: Library, chat: str) -> None:
    """Not to the newest one there, however the branch was left: by a step, an edit or other answers."""
    red = say(library, chat, "pick", "red")
    say(library, chat, "sure?", "yes")
    question = library.messages.branch(chat)[2].id
    end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "no")
    library.messages.step(chat, library.messages.branch(chat)[-1].id, -1)
    chosen = ["pick", "red", "sure?", "yes"]
    assert texts(library, chat) == chosen
    (blue,) = library.messages.begin_alternatives(chat, library.messages.branch(chat)[0].id, 1, "m")
    end(library, blue, "blue")
    for _each in range(2):
        library.messages.step(chat, blue.id, -1)
        assert texts(library, chat) == chosen
        library.messages.step(chat, red, 1)
    library.messages.step(chat, blue.id, -1)
    edited = library.messages.edit(chat, library.messages.branch(chat)[0].id, "choose", "m")
    library.messages.step(chat, edited.user.id, -1)
    assert texts(library, chat) == chosen


def test_edit_opens_a_branch_beside_the_old_one(library: Library, chat: str) -> None:
    """The edited message is an alternative; the old branch and the draft stay. Withdrawn, it leads back to the earlier
    branch; its text is put before the draft, and the title stays.
    """
    say(library, chat, "one", "1")
    leaf = say(library, chat, "two", "2")
    library.conversations.save_draft(chat, SavedDraft("half a thou"))
    turn = library.messages.edit(chat, library.messages.branch(chat)[0].id, "uno", "m")
    assert texts(library, chat) == ["uno", ""]
    assert (turn.user.parent, turn.reply.parent) == (None, turn.user.id)
    assert _places(library, chat) == [(2, 2), (1, 1)]
    assert library.conversations.draft(chat).typed == "half a thou"
    library.messages.step(chat, turn.user.id, -1)
    assert texts(library, chat) == ["one", "1", "two", "2"]
    library.messages.step(chat, library.messages.branch(chat)[0].id, 1)
    assert library.messages.withdraw_turn(turn.reply.id, leaf) == "uno"
    assert texts(library, chat) == ["one", "1", "two", "2"]
    assert library.conversations.draft(chat).typed == "uno\n\nhalf a thou"
    assert library.conversations.get(chat).title == "one"


def test_withdrawn_alternative_returns_to_the_branch_before(library: Library, chat: str) -> None:
    """An empty reply is removed alone. The branch that was active before is active again to its end, not the newest;
    without a name it is the newest. If another branch is active meanwhile, it stays.
    """
    red = say(library, chat, "pick", "red")
    sure = say(library, chat, "sure?", "yes")
    question = library.messages.branch(chat)[0].id
    (alone,) = library.messages.begin_alternatives(chat, question, 1, "m")
    assert library.messages.withdraw_turn(alone.id) is None
    assert texts(library, chat) == ["pick", "red", "sure?", "yes"]
    assert library.conversations.draft(chat).typed == ""
    end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "blue")
    library.messages.step(chat, red, 0)
    one, two = library.messages.begin_alternatives(chat, question, 2, "m")
    assert library.messages.withdraw_turn(one.id, sure) is None
    assert texts(library, chat) == ["pick", "red", "sure?", "yes"]
    library.messages.step(chat, red, 1)
    library.messages.withdraw_turn(two.id, sure)
    assert texts(library, chat) == ["pick", "blue"]


def test_fork_copies_the_branch_with_its_ledgers(library: Library) -> None:
    """Text, ledgers, settings, labels and reasoning are copied under new ids, but not the pin. The original is
    unchanged.
    """
    chat = library.conversations.create(system="Be brief.", preset="precise").id
    library.labels.switch(chat, thinking=True)
    library.labels.set_pinned(chat, pinned=True)
    library.labels.set_folder(chat, folder="work")
    library.labels.set_tags(chat, ["x", "y"])
    library.labels.switch(chat, cached=False)
    first = library.messages.begin_turn(chat, "one", "m").reply
    library.messages.end(
        replace(first, content="1", state="done", ledger="[1]", reasoning="hm", tool_calls="[]", thought_ms=40)
    )
    say(library, chat, "two", "2")
    fork = library.messages.fork(chat, first.id)
    copied, original = library.messages.branch(fork.id), library.messages.branch(chat)
    assert (fork.title, fork.system, fork.preset) == ("one (fork)", "Be brief.", "precise")
    assert (fork.pinned, fork.folder, fork.tags) == (False, "work", ("x", "y"))
    assert fork.switches == Switches(thinking=True, cached=False)
    for one, other in zip(copied, original[:2], strict=True):
        assert one == replace(other, id=one.id, parent=one.parent, conversation=fork.id)
    assert not {one.id for one in copied} & {one.id for one in original}
    assert texts(library, chat) == ["one", "1", "two", "2"]
    assert {row.id for row in library.search.find("one")} == {chat, fork.id}


def test_fork_of_an_alternative_that_is_not_shown(library: Library) -> None:
    """A fork can end at any message of the tree; an open reply is copied as stopped."""
    chat = library.conversations.create("Plans").id
    red = say(library, chat, "pick", "red")
    fresh = library.messages.begin_alternatives(chat, library.messages.branch(chat)[0].id, 1, "m")[0]
    save(library, fresh, "bl")
    assert texts(library, library.messages.fork(chat, red).id) == ["pick", "red"]
    cut = library.messages.branch(library.messages.fork(chat, fresh.id).id)[-1]
    assert (cut.content, cut.state) == ("bl", "stopped")


def test_fork_can_begin_later(library: Library, chat: str) -> None:
    """A fork can leave out the start of a branch. Like its origin, it keeps the first message of the prompt, if there
    is one.
    """
    for number in ("1", "2", "3"):
        say(library, chat, f"q{number}", number)
    line = library.messages.branch(chat)
    library.labels.read_from(chat, line[4].id)
    assert library.conversations.get(chat).reads_from == line[4].id
    part = library.messages.fork(chat, line[-1].id, line[2].id)
    copied = library.messages.branch(part.id)
    assert [one.content for one in copied] == ["q2", "2", "q3", "3"]
    assert (copied[0].parent, part.reads_from) == (None, copied[2].id)
    assert library.messages.fork(chat, line[1].id).reads_from is None
    for end_of_it, first in ((line[1].id, line[2].id), ("nobody", None)):
        with pytest.raises(NoSuchMessage):
            library.messages.fork(chat, end_of_it, first)
    with pytest.raises(NoSuchConversation):
        library.messages.fork("nobody", line[1].id)
    library.labels.read_from(chat, None)
    assert library.conversations.get(chat).reads_from is None


@pytest.mark.parametrize(
    ("title", "forked"),
    [
        ("Plans", "Plans (fork)"),
        ("Plans (fork)", "Plans (fork 2)"),
        ("Plans (fork 9)", "Plans (fork 10)"),
        ("", ""),
        ("a\nb", "a\nb (fork)"),
        ("(fork)", "(fork) (fork)"),
    ],
)
def test_forks_are_counted_not_stacked(title: str, forked: str) -> None:
    """A fork of a fork gets a number, and an untitled chat stays untitled."""
    assert fork_title_from(title) == forked


def test_reasoning_is_saved_and_not_searched(library: Library) -> None:
    """Every save stores reasoning and tool calls, and search ignores them."""
    chat = library.conversations.create("Chat").id
    reply = library.messages.begin_turn(chat, "go", "m").reply
    saved = replace(reply, reasoning="zebra", tool_calls='[{"name":"f"}]', thought_ms=12)
    library.messages.save_progress(saved)
    assert library.messages.branch(chat)[-1] == saved
    library.messages.end(replace(library.messages.branch(chat)[-1], content="giraffe", state="done"))
    assert (library.search.find("zebra"), len(library.search.find("giraffe"))) == ((), 1)


def test_a_tool_s_message_reads_as_one(library: Library, chat: str, database: Database) -> None:
    """All three roles are stored."""
    say(library, chat, "a", "b")
    database.raw.execute("UPDATE message SET role = 'tool' WHERE content = 'b'")
    tool = library.messages.branch(chat)[-1]
    assert tool.role == "tool"
    assert library.messages.begin_alternatives(chat, tool.id, 1, "m")[0].role == "assistant"
