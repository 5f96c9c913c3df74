"""Unexpected errors."""

from __future__ import annotations

import sys

import pytest

from app.desktop import excepthook


def test_an_unexpected_error_is_logged_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    """The log has its traceback, and the callback can tell the user."""
    seen: list[Exception] = []
    error = LookupError("inside")
    with excepthook.installed(seen.append):
        sys.excepthook(LookupError, error, None)
    assert seen == [error]
    assert "LookupError: inside" in caplog.text


def test_the_hook_is_given_back_and_leaves_interrupts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C is not a fault, and the former hook is restored."""
    others: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, _error, _traceback: others.append(kind))
    before = sys.excepthook
    seen: list[Exception] = []
    with excepthook.installed(seen.append):
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert (others, seen) == ([KeyboardInterrupt], [])
    assert sys.excepthook is before
