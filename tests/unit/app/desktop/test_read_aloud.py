"""Reading answers aloud, with programs that stand for the system's voice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.read_aloud import ReadAloud, find_voice
from tests.fakes.window import FakeWindow
from ui.state.chat import VoiceView

ENDLESS = (sys.executable, "-c", "import sys, time; sys.stdin.read(); time.sleep(600)")


def writing(file: Path) -> tuple[str, ...]:
    """A voice that writes what it reads to a file."""
    return (
        sys.executable,
        "-c",
        f"import sys, pathlib; pathlib.Path({str(file)!r}).write_bytes(sys.stdin.buffer.read())",
    )


def test_an_answer_is_read_without_its_markdown(qtbot: QtBot, tmp_path: Path) -> None:
    """The window knows which message is read, and when the voice has ended."""
    window, file = FakeWindow(), tmp_path / "said"
    store, voice = window.store, ReadAloud(window, writing(file))
    assert store.voice.now == VoiceView()
    voice.read("m", "# Größe\n\n**Two** metres.")
    assert store.voice.now == VoiceView("m")
    qtbot.waitUntil(lambda: store.voice.now == VoiceView(), timeout=10_000)
    assert file.read_text("utf-8") == "Größe Two metres."


def test_it_stops_at_once_and_another_answer_takes_its_place(qtbot: QtBot) -> None:
    """An end of the first voice does not end the second one."""
    window, told = FakeWindow(), list[str]()
    store, voice = window.store, ReadAloud(window, ENDLESS)
    store.voice.follow(lambda view: told.append(view.message))
    voice.read("a", "one")
    voice.read("b", "two")
    assert told == ["", "a", "", "b"]
    qtbot.waitUntil(lambda: True)
    assert store.voice.now.message == "b"
    voice.stop()
    assert store.voice.now == VoiceView()


@pytest.mark.parametrize("command", [(), ("/no/such/program",)])
def test_without_a_voice_nothing_is_read(qtbot: QtBot, command: tuple[str, ...]) -> None:
    """A notice says what to do. A program that cannot be started ends like one that has said all."""
    window = FakeWindow()
    voice = ReadAloud(window, command)
    voice.read("m", "one")
    qtbot.waitUntil(lambda: not window.store.voice.now.message)
    told = [notice.text for notice in window.notices.values()]
    assert told == ([] if command else ["This computer has no voice. Install “espeak-ng”, then open Hearth again."])


@pytest.mark.usefixtures("qapp")
def test_what_the_program_prints_is_not_kept() -> None:
    """One that printed without end filled the memory."""
    voice = ReadAloud(FakeWindow(), ENDLESS)
    voice.read("m", "one")
    assert not voice._process.isReadable()
    voice.stop()


def test_the_first_program_that_is_there_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """That of a Mac comes first."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_voice() == ()
    for name in ("espeak-ng", "say"):
        (tmp_path / name).touch(0o755)
        assert find_voice()[0] == name
