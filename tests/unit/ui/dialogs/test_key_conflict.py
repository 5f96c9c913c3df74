"""Which keys an action can have."""

from __future__ import annotations

import pytest

from ui.dialogs import key_conflict
from ui.dialogs.key_conflict import conflict


@pytest.mark.parametrize(("is_mac", "held"), [(True, "Hold ⌘, ⌃ or ⌥ with it."), (False, "Hold Ctrl or Alt with it.")])
def test_a_letter_alone_is_needed_to_write(monkeypatch: pytest.MonkeyPatch, is_mac: bool, held: str) -> None:  # noqa: FBT001 - as the table says
    """The advice names the keys of this keyboard."""
    monkeypatch.setattr(key_conflict, "MAC", is_mac)
    assert conflict("new_chat", "J", ()).endswith(held)
    assert conflict("new_chat", "Ctrl+J", ()) == ""
