"""What is remembered beside the conversations, and what a broken file does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from app import settings
from app.errors import SettingsRefused
from app.settings import Settings

if TYPE_CHECKING:
    from app.paths import Paths


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


def test_a_pipe_in_the_place_of_the_settings_is_not_waited_for(places: Paths) -> None:
    """It is kept aside like a broken file."""
    os.mkfifo(places.settings)
    assert settings.load(places.settings) == Settings()
    assert places.settings.with_name("settings.json.bad").is_fifo()


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
