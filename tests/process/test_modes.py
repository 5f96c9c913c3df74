"""Only the owner can access Hearth's files, whatever the umask of the process is."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from app.base import paths, settings
from app.base.settings import Settings
from app.desktop import single_instance
from tests.fakes import command


@pytest.fixture
def permissive() -> Iterator[None]:
    """A shell that lets everybody access the files that its programs create."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(home: Path) -> dict[str, str]:
    """The kind of every folder, file and socket, and what users other than the owner may do with it."""
    found = {}
    for path in (home, *home.rglob("*")):
        with suppress(FileNotFoundError):  # SQLite's logs come and go
            mode = path.lstat().st_mode
            found[str(path.relative_to(home))] = f"{stat.S_IFMT(mode):o} {stat.S_IMODE(mode) & 0o077:03o}"
    return found


@pytest.mark.usefixtures("permissive", "preloaded")
def test_only_the_owner_can_access_what_hearth_writes(model: Path, home: Path) -> None:
    """This holds for files, folders, locks, logs and the socket, after an answer on the command line and while a window
    is open.
    """
    places = paths.under(home)
    words = ("ask", "--model", str(model), "--max-tokens", "4", "--conversation", "a", "Hi")
    subprocess.run(command.command(*words), cwd=command.ROOT, check=True, capture_output=True)
    settings.save(msgspec.structs.replace(Settings(), model=str(model)), places.settings)
    with subprocess.Popen(command.command(), cwd=command.ROOT, stderr=subprocess.DEVNULL) as window:
        while window.poll() is None and not single_instance.notify_open_window(places, ()):
            with suppress(subprocess.TimeoutExpired):
                window.wait(0.1)
        found = modes(home)
        window.terminate()
    found |= modes(home)
    written = {"segments/weights.json", "window.lock", "engine.lock", "window.bell", "logs/ask.log", "settings.json"}
    assert written <= found.keys()
    assert {name: mode for name, mode in found.items() if not mode.endswith(" 000")} == {}
