"""The other ways to start `hearth`, and its tour, each in its own process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from app.base import locks, paths, settings
from app.base.paths import Paths
from app.base.settings import Settings
from engine.protocol.sampling_settings import Sampling
from tests.fakes import command
from tests.fakes.foreign import never


@pytest.mark.usefixtures("preloaded")
def test_a_second_window_is_a_sentence(places: Paths) -> None:
    """Two windows never share a home. If the first one does not end, the second one says so and exits with status 2."""
    lock = locks.take_window(places, 0.0)
    assert lock is not None
    result = _refused()
    lock.close()
    said = "Hearth was closed and is still saving. Start it again in a minute."
    assert (result.returncode, result.stdout, result.stderr.splitlines()[-1]) == (2, f"{said}\n", f"hearth: {said}")


@pytest.mark.usefixtures("preloaded")
def test_a_home_that_cannot_be_used_is_a_sentence(places: Paths) -> None:
    """A person who started Hearth by its icon sees no terminal."""
    (places.data / "window.lock").mkdir()
    result = _refused()
    said = f"Hearth cannot write to the folder {places.data}: something stands in the place of window.lock."
    assert (result.returncode, result.stdout, result.stderr.splitlines()[-1]) == (2, f"{said}\n", f"hearth: {said}")


def _refused() -> subprocess.CompletedProcess[str]:
    """A start without a terminal. It prints what its message box says."""
    window = [sys.executable, "-m", "tests.fakes.impatient_window"]
    return subprocess.run(window, cwd=command.ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_an_unknown_argument_is_one_line() -> None:
    """The line says how to get help."""
    result = command.hearth("--nonsense")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert "hearth --help" in result.stderr


_QUIT_BY_THE_SYSTEM = """
from PySide6.QtCore import QTimer
from app.desktop import launch
make = launch.Application
def made():
    application = make()
    QTimer.singleShot(300, application, application.quit)
    return application
launch.Application = made
raise SystemExit(launch.run())
"""


def test_quitting_by_the_system_saves_as_closing_does(model: Path, places: Paths) -> None:
    """The Dock and a logout end Qt's loop at once. Hearth still ends its engine and stores its open tabs."""
    settings.save(msgspec.structs.replace(Settings(), model=str(model)), places.settings)
    result = subprocess.run(
        [sys.executable, "-c", _QUIT_BY_THE_SYSTEM], cwd=command.ROOT, capture_output=True, timeout=60, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert settings.load(places.settings, never).geometry
    assert "the engine ended with status 0" in (places.logs / "hearth.log").read_text()


_FILE_DIALOG = """
import sys
import shiboken6
from PySide6.QtWidgets import QWidget
from app.desktop.launch import Application
from ui.widgets.file_dialog import FileDialog
application = Application()
window = QWidget()
dialog = FileDialog(window, "Attach", sys.argv[1])
dialog.show()
application.processEvents()
dialog.done(0)
shiboken6.delete(dialog)
"""


def test_a_file_dialog_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Qt would note the folder outside of the home, also that of a private chat."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "secret").mkdir()
    shown = [sys.executable, "-c", _FILE_DIALOG, str(tmp_path / "secret")]
    subprocess.run(shown, cwd=command.ROOT, capture_output=True, timeout=60, check=True)
    assert not [*(tmp_path / "config").rglob("*")]


@pytest.mark.usefixtures("preloaded")
def test_the_self_test_uses_a_temporary_home() -> None:
    """The built-in model answers through every part of Hearth, and nothing stays on disk."""
    result = command.hearth("self-test")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("self-test passed: ")
    assert not paths.find().data.exists()


def test_the_tour_shows_chats_and_resumes_them(model: Path, tmp_path: Path, places: Paths) -> None:
    """It makes pictures of every scene in light and dark, prints the figures of every answer, and restores all chats
    after a relaunch.
    """
    short = dict.fromkeys(Settings().presets, Sampling(temperature=0.0, max_tokens=48))
    settings.save(msgspec.structs.replace(Settings(), model=str(model), presets=short), places.settings)
    tour = [sys.executable, "-m", "tests.tour", str(tmp_path / "pictures")]
    result = subprocess.run(tour, cwd=command.ROOT, capture_output=True, text=True, timeout=100, check=False)
    assert result.returncode == 0, result.stderr
    scenes = ("0-welcome", "1-two-at-once", "2-answered", "3-relaunched", "4-resumed", "5-models")
    expected = {f"{scene}-{appearance}.png" for scene in scenes for appearance in ("light", "dark")}
    assert {picture.name for picture in (tmp_path / "pictures").iterdir()} == expected
    assert result.stdout.count("first token after") == 9
    assert result.stdout.count("tokens restored from disk in") == 4
