"""Several starts of `hearth` with one home, each in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from app.base import locks
from app.base.paths import Paths
from app.desktop import home, single_instance
from app.import_export import hearth_json
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.library import Library
from tests.fakes import command
from tests.fakes.preloaded import behind

pytestmark = pytest.mark.usefixtures("preloaded")


def started(places: Paths, *arguments: str) -> subprocess.Popen[bytes]:
    """A window in its own process, once it accepts connections. Its engine repeats the prompt."""
    window = [sys.executable, "-m", "tests.fakes.echo_app", *arguments]
    process = subprocess.Popen(window, cwd=command.ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not single_instance.notify_open_window(places, ()):
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
    return process


@contextmanager
def opened(places: Paths, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A window in its own process. It must end cleanly and print nothing when it is asked to end."""
    process = started(places, *arguments)
    try:
        yield process
    finally:
        process.terminate()
        said, complaint = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")
    assert set(complaint.splitlines()) <= {b"This plugin does not support raise()"}, "the offscreen platform, of itself"


def test_later_starts_hand_their_files_and_links_to_the_open_window(places: Paths, tmp_path: Path) -> None:
    """Each later start ends at once with success. Files become chats, links become drafts, and nothing is sent."""
    file = tmp_path / "trip.hearth"
    message = ArchivedMessage(id="m", parent=None, role="user", content="Where to?")
    file.write_bytes(hearth_json.encode(Archive((ArchivedConversation("Trip", (message,), leaf="m"),))))
    with opened(places, "hearth://new?text=First%20words") as window:
        for arguments in ((), (str(file), "hearth://new?text=Later+words"), (str(file),)):
            result = command.hearth(*arguments)
            assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        assert locks.take_window(places, 0.0) is None, "there is still one window"
        while window.poll() is None and _chats(places)[0] != ["Trip"]:  # a later start does not wait for its file
            with suppress(subprocess.TimeoutExpired):
                window.wait(0.1)
    titles, drafts = _chats(places)
    assert {"First words", "Later words"} <= drafts
    assert titles == ["Trip"]


def _chats(places: Paths) -> tuple[list[str], set[str]]:
    """The titles of the chats with messages, and the drafts of those without."""
    library = Library.open(places.library_file)
    rows = library.conversations.listed()
    drafts = {library.conversations.draft(row.id).typed for row in rows if not library.messages.branch(row.id)}
    titles = [row.title for row in rows if library.messages.branch(row.id)]
    library.close()
    return titles, drafts


def test_an_invalid_argument_is_refused_on_its_own_terminal(places: Paths) -> None:
    """A typing error is one line there, not a notice in the open window."""
    with opened(places):
        result = command.hearth("trip.hearth")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("hearth: There is no file ")
    assert result.stderr.count("\n") == 1


def test_a_start_after_the_window_closed_opens_a_window(places: Paths) -> None:
    """It does not try to reach the closed one."""
    for _ in range(2):
        with opened(places):
            pass
        assert not single_instance.notify_open_window(places, ())


def test_a_start_while_the_window_closes_waits_and_opens(places: Paths) -> None:
    """A window that saves a large cache holds its lock for a while and does not listen any more."""
    lock = locks.take_window(places, 0.0)
    assert lock is not None
    window = [sys.executable, "-m", "tests.fakes.echo_app"]
    with subprocess.Popen(window, cwd=command.ROOT, stderr=subprocess.PIPE) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(home.LOCK_SECONDS + 2)
        lock.close()
        while process.poll() is None and not single_instance.notify_open_window(places, ()):
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
        process.terminate()
        assert process.wait(60) == 0


def test_a_killed_window_does_not_block_the_next_start(places: Paths, tmp_path: Path) -> None:
    """This holds even if an old lock names a process id that another program has now."""
    with started(places) as killed:
        window = behind(killed.pid)
        killed.kill()
    window.wait(60)
    of_another = QLockFile(str(tmp_path / "lock"))
    assert of_another.lock()
    (places.data / "window.lock").write_bytes((tmp_path / "lock").read_bytes())
    assert (places.data / "window.lock").read_text().startswith(f"{os.getpid()}\n")
    with opened(places):
        assert locks.take_window(places, 0.0) is None
