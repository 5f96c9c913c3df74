"""Where things lie, who may use them, what is remembered and what is logged."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app import locks, logs, paths, settings
from app.errors import FolderRefused, SettingsRefused
from app.settings import Settings

if TYPE_CHECKING:
    from app.paths import Paths


@pytest.fixture
def places() -> Paths:
    places = paths.find()
    paths.prepare(places)
    return places


def test_home_holds_everything(home: Path, places: Paths) -> None:
    """HEARTH_HOME moves all data, and nothing lies outside it."""
    assert all(
        place.is_relative_to(home)
        for place in (places.library_file, places.segments, places.logs, places.models, places.settings)
    )


def test_without_home_the_platform_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default data lies where the system keeps it, under Hearth's name."""
    monkeypatch.delenv("HEARTH_HOME")
    assert paths.find().data.name == "Hearth"


def test_folders_are_for_the_owner_alone(places: Paths) -> None:
    """Nobody else on the machine can list or read conversations."""
    for folder in (places.data, places.library, places.segments, places.logs, places.models):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A file where the home should be is one sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderRefused, match="cannot use the folder"):
        paths.prepare(paths.under(tmp_path / "file" / "home"))


def test_settings_come_back_as_they_were(places: Paths) -> None:
    """What is saved is read again, and only the owner can."""
    kept = Settings(model="/m", tabs=("a", "b"), shown="b", sidebar_shown=False)
    settings.save(kept, places.settings)
    assert settings.load(places.settings) == kept
    assert places.settings.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"{", b'{"cache_quota": "much"}', b"\xff\xfe"])
def test_bad_settings_are_kept_aside(places: Paths, content: bytes) -> None:
    """A broken file means defaults, and is there to look at."""
    places.settings.write_bytes(content)
    assert settings.load(places.settings) == Settings()
    assert places.settings.with_name("settings.json.bad").read_bytes() == content


def test_settings_of_another_version_are_read(places: Paths) -> None:
    """Fields that are not known or not there do no harm."""
    places.settings.write_bytes(b'{"model": "/m", "colour": "green"}')
    assert settings.load(places.settings) == Settings(model="/m")


def test_settings_that_cannot_be_saved_leave_the_old(places: Paths) -> None:
    """A failed save is told and destroys nothing."""
    settings.save(Settings(model="/old"), places.settings)
    places.settings.with_name("settings.json.new").mkdir()
    with pytest.raises(SettingsRefused):
        settings.save(Settings(model="/new"), places.settings)
    assert settings.load(places.settings).model == "/old"


def test_presets_are_three_temperatures() -> None:
    """Precise is greedy, creative is hot, and an unknown preset counts as balanced."""
    table = Settings()
    assert [table.sampling(name).temperature for name in ("precise", "balanced", "creative")] == [0.0, 0.7, 1.0]
    assert table.sampling("of old") == table.sampling("balanced")


def test_one_window_and_one_engine(places: Paths) -> None:
    """Each lock is held once, and free again afterwards; they do not exclude each other."""
    window, engine = locks.take_window(places), locks.take_engine(places, 0.0)
    assert window is not None
    assert engine is not None
    assert locks.take_window(places) is None
    assert locks.take_engine(places, 0.0) is None
    window.unlock()
    again = locks.take_window(places)
    assert again is not None
    again.unlock()
    engine.unlock()


def test_lock_of_a_dead_process_is_free(places: Paths) -> None:
    """A crash never locks anyone out."""
    script = (
        "import os, signal; from app import locks, paths;"
        "lock = locks.take_window(paths.find()); print(lock is not None, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    root = Path(__file__).resolve().parents[3]
    dead = subprocess.run([sys.executable, "-c", script], cwd=root, env=os.environ, capture_output=True, check=False)
    assert dead.stdout.strip() == b"True"
    lock = locks.take_window(places)
    assert lock is not None
    lock.unlock()


def test_logs_go_to_two_files_of_the_owner(places: Paths) -> None:
    """What Hearth does and what the engine says are kept apart, and only the owner reads them."""
    with logs.written(places.logs, "test"):
        logging.getLogger("app.anything").info("about us")
        logs.ENGINE.info("about it")
    ours, engines = places.logs / "test.log", places.logs / "test-engine.log"
    assert "about us" in ours.read_text()
    assert "about it" not in ours.read_text()
    assert engines.read_text() == "about it\n"
    assert ours.stat().st_mode & 0o777 == 0o600


def test_logs_do_not_grow_for_ever(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old records make room for new ones."""
    monkeypatch.setattr(logs, "_BYTES", 1000)
    with logs.written(places.logs, "test"):
        for number in range(200):
            logging.getLogger("app.anything").info("record %d of many", number)
    files = sorted(places.logs.glob("test.log*"))
    assert len(files) == 4
    assert sum(file.stat().st_size for file in files) <= 4000
