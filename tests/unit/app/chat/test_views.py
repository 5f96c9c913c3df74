"""The library's rows as view values."""

from __future__ import annotations

from dataclasses import replace

from app.chat import answer, views
from engine.protocol.messages import ToolCall
from storage.library.rows import Message, Summary
from ui.state.chat import MOST_CALLS, MessageState


def _message(role: str, content: str, state: str = "done", usage: str = "", ledger: str = "") -> Message:
    return Message("m", None, role, content, conversation="c", state=state, ledger=ledger, usage=usage)  # type: ignore[arg-type]  # rotten rows too


def test_odd_rows_are_still_shown() -> None:
    """An unknown state or role does not hide the text."""
    assert views.message(_message("narrator", "Once", "asleep")).text == "Once"
    assert views.message(_message("assistant", "Once", "asleep")).state is MessageState.DONE


def test_a_reply_names_the_model_that_wrote_it() -> None:
    """By its name for people. An imported reply may have none, and a question has none."""
    written = replace(_message("assistant", "Yes"), model="/models/LFM2-2.6B-8bit")
    assert views.message(written).writer == "LFM2 2.6B · 8-bit"
    assert views.message(replace(written, model="")).writer == ""
    assert views.message(replace(written, role="user")).writer == ""


def test_of_very_many_tool_calls_the_first_are_shown() -> None:
    """An imported answer may have any number, and the window lays out a card for each. The others are counted."""
    calls = answer.encode_calls(tuple(ToolCall(f"f{number}", "{}") for number in range(MOST_CALLS + 20)))
    view = views.message(replace(_message("assistant", "x"), tool_calls=calls))
    assert (len(view.tools), view.tools[-1].name, view.more_calls) == (MOST_CALLS, f"f{MOST_CALLS - 1}", 20)


def test_row_has_local_time_and_a_title() -> None:
    """The sidebar groups by local dates."""
    row = views.row(Summary("c", "", "words", 1_700_000_000_000))
    assert row.title == views.untitled()
    assert row.updated.tzinfo is not None
    assert row.updated.timestamp() == 1_700_000_000


def test_thoughts_have_a_line_that_stands_for_them() -> None:
    """For reasoning in progress, timed reasoning and untimed reasoning."""

    def thought(state: str, thought_ms: int) -> str:
        return views.message(replace(_message("assistant", "x", state), reasoning="hm", thought_ms=thought_ms)).thought

    assert thought("open", 0) == "Thinking…"
    assert [thought("done", ms) for ms in (0, 200, 4200, 64_000)] == [
        "Thought",
        "Thought for 1 s",
        "Thought for 4 s",
        "Thought for 1 min 4 s",
    ]
    assert views.message(_message("assistant", "x")).thought == ""
