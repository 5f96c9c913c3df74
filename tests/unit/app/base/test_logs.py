"""The log files: their place, their mode and their size."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.base import logs
from app.base.paths import Paths


def test_logs_go_to_two_files_of_the_owner(places: Paths) -> None:
    """Hearth and the engine have separate files, which only the owner can read."""
    with logs.written(places.logs, "test"):
        logging.getLogger("app.anything").info("about us")
        logs.ENGINE.info("about it")
    ours, engines = places.logs / "test.log", places.logs / "test-engine.log"
    assert "about us" in ours.read_text()
    assert "about it" not in ours.read_text()
    assert engines.read_text() == "about it\n"
    assert ours.stat().st_mode & 0o777 == 0o600


def test_logs_do_not_grow_for_ever(places: Paths) -> None:
    """Old records make room for new ones."""
    with logs.written(places.logs, "test", 1000):
        for number in range(200):
            logging.getLogger("app.anything").info("record %d of many", number)
    files = sorted(places.logs.glob("test.log*"))
    assert len(files) == 4
    assert sum(file.stat().st_size for file in files) <= 4000


def test_a_log_that_cannot_be_written_does_not_disturb_the_app(places: Paths) -> None:
    """On a full disk records are dropped and nothing is printed. Later records are written again."""
    script = (
        "import logging, resource; from app.base import logs, paths\n"
        "def room(size): resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))\n"
        "with logs.written(paths.find().logs, 'test'):\n"
        "    log = logging.getLogger('app.anything')\n"
        "    log.info('before'); room(0); log.info('lost'); room(resource.RLIM_INFINITY); log.info('after'); room(0)\n"
        "    log.info('lost at the end')\n"
    )
    root = Path(__file__).resolve().parents[4]
    ended = subprocess.run([sys.executable, "-c", script], cwd=root, env=os.environ, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    written = (places.logs / "test.log").read_text()
    assert "before" in written
    assert "after" in written


def to_dead_ends(places: Paths, capsys: pytest.CaptureFixture[str]) -> str:
    """Log while the files cannot be written, and return what is printed."""
    with logs.written(places.logs, "test"):
        for _ in range(3):
            logging.getLogger("app.anything").info("about us")
            logs.ENGINE.info("about it")
    return capsys.readouterr().err


@pytest.mark.parametrize("kind", ["fifo", "read fifo", "folder", "socket", "/dev/full", "/dev/null"])
def test_a_log_that_is_not_a_file_does_not_disturb_the_app(
    places: Paths, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """Logging neither waits for it nor writes to it; one line says so."""
    log, reader, at_it = places.logs / "test.log", None, socket.socket(socket.AF_UNIX)
    match kind:
        case "fifo" | "read fifo":
            os.mkfifo(log)
            reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK) if kind == "read fifo" else None
        case "folder":
            log.mkdir()
        case "socket":
            at_it.bind(str(log))
        case _:
            log.symlink_to(kind)
    said = to_dead_ends(places, capsys)
    assert said.startswith(f"hearth: Nothing is logged to {log}: ")
    assert said.count("\n") == 1
    assert (places.logs / "test-engine.log").read_text() == "about it\n" * 3
    at_it.close()
    if reader is not None:
        assert os.read(reader, 10) == b""
        os.close(reader)


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_a_log_that_leads_to_a_file_of_the_user_is_not_written(
    places: Paths, capsys: pytest.CaptureFixture[str], link: Callable[[Path, Path], None]
) -> None:
    """It would have records added, and another mode."""
    mine = places.data / "mine"
    mine.write_text("mine")
    mine.chmod(0o644)
    link(places.logs / "test.log", mine)
    assert to_dead_ends(places, capsys).startswith(f"hearth: Nothing is logged to {places.logs / 'test.log'}: ")
    assert (mine.read_text(), mine.stat().st_mode & 0o777) == ("mine", 0o644)


def test_a_folder_without_logs_does_not_disturb_the_app(places: Paths, capsys: pytest.CaptureFixture[str]) -> None:
    """If a file stands in place of the folder, there is one line for each log."""
    places.logs.rmdir()
    places.logs.touch()
    assert to_dead_ends(places, capsys).count("\n") == 2


def test_an_older_log_becomes_the_owners_own(places: Paths) -> None:
    """Its mode is corrected."""
    (places.logs / "test.log").touch(0o666)
    with logs.written(places.logs, "test"):
        logging.getLogger("app.anything").info("about us")
    assert (places.logs / "test.log").stat().st_mode & 0o777 == 0o600
