"""What the library holds, as it is shown."""

from __future__ import annotations

from app import views
from storage.library.rows import Message, Summary
from ui.state import MessageState


def _message(role: str, content: str, state: str = "done", usage: str = "", ledger: str = "") -> Message:
    return Message("m", "c", None, role, content, state, ledger, usage, "", "", 0)  # type: ignore[arg-type]  # rotten rows too


def test_odd_rows_are_still_shown() -> None:
    """A state or role that is not known shows the text all the same."""
    assert views.message(_message("narrator", "Once", "asleep")).text == "Once"
    assert views.message(_message("assistant", "Once", "asleep")).state is MessageState.DONE


def test_row_has_local_time_and_a_title() -> None:
    """The sidebar sorts by the user's own days."""
    row = views.row(Summary("c", "", "words", 1_700_000_000_000))
    assert row.title == views.UNTITLED
    assert row.updated.tzinfo is not None
    assert row.updated.timestamp() == 1_700_000_000
