"""The library jobs of a turn, and the prompt that they make."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from app.chat import answer, turn_jobs
from engine.protocol.messages import ChatMessage, ToolCall
from storage.library.library import Library
from storage.library.messages import Messages
from storage.library.rows import Conversation, Message, SavedDraft, Turn
from tests.unit.app.conftest import Scene

CALL = ToolCall("weather", '{"city":"Bergen"}')


def _message(role: str, content: str, state: str = "done", **values: object) -> Message:
    return Message(content or "m", None, role, content, state=state, conversation="c", **values)  # type: ignore[arg-type]  # short to write


def _conversation(system: str = "", reads_from: str | None = None) -> Conversation:
    return Conversation("", "c", system=system, reads_from=reads_from)


def history(conversation: Conversation, branch: tuple[Message, ...]) -> tuple[ChatMessage, ...]:
    """The prompt's messages, of a chat without files."""
    return tuple(said for _, said in turn_jobs._prompt(conversation, branch, {}))


def test_roles_always_take_turns() -> None:
    """A question without an answer joins the next one: some chat templates require alternating roles."""
    branch = (
        _message("user", "One"),
        _message("assistant", "", "failed"),
        _message("user", "Two"),
        _message("assistant", "Yes", ledger="[1]"),
        _message("user", "Three"),
        _message("assistant", "", "open"),
    )
    assert history(_conversation("Be brief."), branch) == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "One\n\nTwo"),
        ChatMessage("assistant", "Yes", "[1]"),
        ChatMessage("user", "Three"),
    )


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_long_row_of_one_speaker_is_joined_at_once(role: str) -> None:
    """An import may have 100,000 in a row. Copying what came before for each held the library for minutes."""
    text = "words " * 60
    begun = time.process_time()
    *_, last = history(_conversation(), (_message("user", "One"), *[_message(role, text)] * 40_000))
    assert time.process_time() - begun < 2  # it took a minute
    assert last.content.count(text) == 40_000


def test_pieces_of_an_imported_reply_are_read_as_one() -> None:
    """Consecutive replies are joined, with their reasoning. A tool call ends a reply."""
    call = answer.encode_calls((CALL,))
    branch = (
        _message("user", "One"),
        _message("assistant", "begun", ledger="[1]", reasoning="first"),
        _message("assistant", "ended", ledger="[2]", reasoning="then", tool_calls=call),
        _message("user", "Two"),
    )
    read = history(_conversation(), branch)
    assert read == (
        ChatMessage("user", "One"),
        ChatMessage("assistant", "begun\n\nended", reasoning="first\n\nthen", tool_calls=(CALL,)),
        ChatMessage("user", "Two"),
    )


def test_a_reply_carries_all_its_channels() -> None:
    """Reasoning and calls are in the prompt with the ledger, tool results follow; raw text of an incomplete call is
    not.
    """
    kept = answer.encode_calls((CALL, ToolCall("", "<tool_call>{")))
    branch = (
        _message("user", "One"),
        _message("assistant", "", ledger="[1]", reasoning="hm", tool_calls=kept),
        _message("tool", "Rain."),
        _message("assistant", "", reasoning="only thought"),
    )
    assert history(_conversation(), branch) == (
        ChatMessage("user", "One"),
        ChatMessage("assistant", "", "[1]", "hm", (CALL,)),
        ChatMessage("tool", "Rain."),
        ChatMessage("assistant", "", reasoning="only thought"),
    )


def test_what_is_left_out_is_not_read() -> None:
    """The system prompt always stays. A mark on another branch leaves nothing out."""
    branch = tuple(_message(role, word) for role, word in (("user", "1"), ("assistant", "2"), ("user", "3")))
    assert history(_conversation("Be brief.", "3"), branch) == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "3"),
    )
    assert len(history(_conversation(reads_from="elsewhere"), branch)) == 3


def test_a_question_of_another_process_leaves_the_draft_as_it_is(scene: Scene, tmp_path: Path) -> None:
    """The window saves words and a file just before that question."""
    chat = scene.library.conversations.create().id
    scene.library.conversations.save_draft(chat, SavedDraft("words"))
    begin = Messages.begin_turn

    def late(*given: Any) -> Turn:
        with closing(Library.open(tmp_path / "library.sqlite")) as window:
            window.conversations.save_draft(chat, SavedDraft("newer words"))
            window.attachments.add(chat, "notes.txt", b"notes")
        return begin(*given)

    with patch.object(Messages, "begin_turn", late):
        turn_jobs.submit(scene.library, chat, turn_jobs.Question("Hello", None), "model")
    assert scene.library.conversations.draft(chat).typed == "newer words"
    assert [file.name for file in scene.library.attachments.of_draft(chat)] == ["notes.txt"]
    assert scene.library.conversations.get(chat).title == "Hello"
