"""The ends of a process that speaks the protocol."""

from __future__ import annotations

import io
import logging
import os

import pytest

from engine.process.pipe import emitter, lines
from engine.protocol.framing import decode_event
from engine.protocol.messages import Pong


def test_a_message_is_one_line_and_leaves_at_once() -> None:
    """The app reads it without waiting for the next one."""
    read, written = os.pipe()
    with os.fdopen(written, "wb") as out, os.fdopen(read, "rb", buffering=0) as pipe:
        emitter(out)(Pong())
        assert decode_event(pipe.read(1000)) == Pong()


def test_messages_to_an_app_that_has_ended_are_dropped(caplog: pytest.LogCaptureFixture) -> None:
    """The process ends by itself soon. The log names the message."""

    class Broken(io.BytesIO):
        def flush(self) -> None:
            raise BrokenPipeError

    with caplog.at_level(logging.INFO):
        emitter(Broken())(Pong())
    assert "Pong was not sent" in caplog.text


def test_lines_end_with_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line may arrive in parts; what has no end is not a line."""
    parts = [b"one\ntw", b"o\nthr", b""]
    monkeypatch.setattr(os, "read", lambda _fd, _size: parts.pop(0))
    assert list(lines()) == [b"one", b"two"]
