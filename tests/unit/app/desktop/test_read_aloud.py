"""Reading answers aloud, with programs that stand for the system's voice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.read_aloud import ReadAloud, find_voice
from ui.state.chat import VoiceView
from ui.store import Store

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
    store, file = Store(), tmp_path / "said"
    voice = ReadAloud(store, writing(file))
    assert store.voice.now == VoiceView(is_there=True)
    voice.read("m", "# Größe\n\n**Two** metres.")
    assert store.voice.now == VoiceView(is_there=True, message="m")
    qtbot.waitUntil(lambda: store.voice.now == VoiceView(is_there=True), timeout=10_000)
    assert file.read_text("utf-8") == "Größe Two metres."


def test_it_stops_at_once_and_another_answer_takes_its_place(qtbot: QtBot) -> None:
    """An end of the first voice does not end the second one."""
    store = Store()
    voice, told = ReadAloud(store, ENDLESS), list[str]()
    store.voice.follow(lambda view: told.append(view.message))
    voice.read("a", "one")
    voice.read("b", "two")
    assert told == ["", "a", "", "b"]
    qtbot.waitUntil(lambda: True)
    assert store.voice.now.message == "b"
    voice.stop()
    assert store.voice.now == VoiceView(is_there=True)


@pytest.mark.parametrize("command", [(), ("/no/such/program",)])
def test_without_a_voice_nothing_is_read(qtbot: QtBot, command: tuple[str, ...]) -> None:
    """A program that cannot be started ends like one that has said all."""
    store = Store()
    voice = ReadAloud(store, command)
    assert store.voice.now.is_there is bool(command)
    voice.read("m", "one")
    qtbot.waitUntil(lambda: not store.voice.now.message)


@pytest.mark.usefixtures("qapp")
def test_what_the_program_prints_is_not_kept() -> None:
    """One that printed without end filled the memory."""
    voice = ReadAloud(Store(), ENDLESS)
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
