"""What a turn writes, and what the model reads."""

from __future__ import annotations

from app.turns import history
from engine.protocol import ChatMessage
from storage.library.rows import Message


def _message(role: str, content: str, state: str = "done", usage: str = "", ledger: str = "") -> Message:
    return Message("m", "c", None, role, content, state, ledger, usage, "", "", 0)  # type: ignore[arg-type]  # rotten rows too


def test_roles_always_take_turns() -> None:
    """A question that was never answered joins the next one, so that no template stumbles over it."""
    branch = [
        _message("user", "One"),
        _message("assistant", "", "failed"),
        _message("user", "Two"),
        _message("assistant", "Yes", ledger="[1]"),
        _message("user", "Three"),
        _message("assistant", "", "open"),
    ]
    assert history("Be brief.", branch) == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "One\n\nTwo"),
        ChatMessage("assistant", "Yes", "[1]"),
        ChatMessage("user", "Three"),
    )
