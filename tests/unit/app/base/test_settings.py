"""The settings file, and what happens if it is damaged."""

from __future__ import annotations

import base64
import os
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from app.base import settings
from app.base.errors import SettingsRefused
from app.base.model_names import default_model
from app.base.paths import Paths
from app.base.settings import ModelSettings, Settings
from app.cache import quota
from engine.protocol.sampling_settings import OwnSampling, Sampling
from tests.fakes.foreign import IN_THE_WAY, flipped, forbid, never
from ui.window.main_window import MainWindow


def test_settings_come_back_as_they_were(places: Paths) -> None:
    """Saved settings are loaded unchanged, and only the owner can read them."""
    kept = Settings(model="/m", tabs=("a", "b"), shown="b", sidebar_shown=False)
    settings.save(kept, places.settings)
    assert settings.load(places.settings, never) == kept
    assert places.settings.stat().st_mode & 0o777 == 0o600


def _loaded(places: Paths) -> tuple[Settings, list[str]]:
    """Return the settings and the errors that the user saw."""
    told: list[str] = []
    return settings.load(places.settings, lambda error: told.append(str(error))), told


_BAD = [
    b"",
    b"{",
    b'{"cache_quota": "much"}',
    b"\xff\xfe",
    b'{"tabs":["\xe4bc"]}',
    b'{"cache_quota":-1}',
    b'{"models":{"/m":{"top_p":2}}}',
]


@pytest.mark.parametrize("content", _BAD)
def test_bad_settings_are_kept_aside(places: Paths, content: bytes) -> None:
    """A damaged file leads to the defaults, is kept under another name, and is reported once."""
    places.settings.write_bytes(content)
    found, told = _loaded(places)
    assert found == Settings()
    assert places.settings.with_name("settings.json.bad").read_bytes() == content
    assert len(told) == 1
    assert told[0].startswith("Hearth uses its default settings because settings.json cannot be read: it ")
    assert told[0].endswith(". It is now called settings.json.bad.")
    assert _loaded(places) == (Settings(), [])


@pytest.mark.parametrize("thing", IN_THE_WAY)
def test_whatever_stands_in_the_place_of_the_settings_is_kept_aside(places: Paths, thing: str) -> None:
    """Loading never blocks and never reads without end. Files that were set aside before stay."""
    places.settings.write_bytes(b"{")
    assert _loaded(places)[1]
    IN_THE_WAY[thing](places.settings)
    found, told = _loaded(places)
    assert (found, len(told)) == (Settings(), 1)
    assert not os.path.lexists(places.settings)
    assert os.path.lexists(f"{places.settings}.bad-2")
    assert places.settings.with_name("settings.json.bad").read_bytes() == b"{"


def test_settings_of_another_owner_are_kept_aside(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user reads why the defaults hold."""
    settings.save(Settings(model="/m"), places.settings)
    forbid(places.settings, monkeypatch)
    found, told = _loaded(places)
    assert found == Settings()
    assert "Hearth has no permission to read it" in told[0]
    assert places.settings.with_name("settings.json.bad").exists()


def test_settings_that_cannot_be_set_aside_are_reported_too(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The start continues with the defaults."""
    places.settings.write_bytes(b"{")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.rename", refuse)
    found, told = _loaded(places)
    assert found == Settings()
    assert told[0].startswith("Hearth uses its default settings")
    assert "It could not be renamed: " in told[0]
    assert places.settings.read_bytes() == b"{"


_FULL = Settings(
    model="/models/ä/Qwen3.5-4B-4bit",
    models={"/models/b": ModelSettings(kv_bits=4, system="Be brief.", thinking=True, top_p=0.9)},
    model_folders=("/Volumes/Big/models",),
    presets={"precise": Sampling(temperature=0.0, max_tokens=4096, stop=("\n",))},
    cache_quota=5 << 30,
    cache_enabled=False,
    geometry="AdnQywADAAA=",
    sidebar_shown=False,
    folded=("Work",),
    tabs=("0123456789abcdef",),
    shown="0123456789abcdef",
    started=1_790_000_000_000,
)


def test_one_changed_bit_anywhere_never_stops_the_start(places: Paths, qtbot: QtBot) -> None:
    """Each flipped bit is reported, or gives settings that every part of the start accepts."""
    window = MainWindow()
    qtbot.addWidget(window)
    settings.save(_FULL, places.settings)
    refused = 0
    for content in flipped(places.settings.read_bytes()):
        places.settings.write_bytes(content)
        found, told = _loaded(places)
        refused += len(told)
        places.settings.with_name("settings.json.bad").unlink(missing_ok=True)
        assert Path(default_model(found.model)).is_dir()
        assert quota.quota(found.cache_quota, 1 << 40, 0) >= 0
        assert found.sampling("balanced").max_tokens
        with suppress(ValueError):
            window.restoreGeometry(base64.b64decode(found.geometry))
    assert refused > 100, "the check sees damage"


def test_settings_of_another_version_are_read(places: Paths) -> None:
    """Unknown or missing fields do no harm."""
    places.settings.write_bytes(b'{"model": "/m", "colour": "green"}')
    assert settings.load(places.settings, never) == Settings(model="/m")


def test_of_countless_tabs_the_last_are_opened(places: Paths) -> None:
    """Another program may have written them. A start with 100,000 took minutes."""
    written = tuple(f"{number:016x}" for number in range(100_000))
    settings.save(Settings(tabs=written, shown=written[-1]), places.settings)
    assert settings.load(places.settings, never) == Settings(tabs=written[-1000:], shown=written[-1])


def test_settings_that_cannot_be_saved_leave_the_old(places: Paths) -> None:
    """A failed save is reported and destroys nothing."""
    settings.save(Settings(model="/old"), places.settings)
    places.settings.with_name("settings.json.new").mkdir()
    with pytest.raises(SettingsRefused):
        settings.save(Settings(model="/new"), places.settings)
    assert settings.load(places.settings, never).model == "/old"


def test_presets_are_three_temperatures() -> None:
    """Precise is greedy, creative is hot, and an unknown preset counts as balanced."""
    table = Settings()
    assert [table.sampling(name).temperature for name in ("precise", "balanced", "creative")] == [0.0, 0.7, 1.0]
    assert table.sampling("of old") == table.sampling("balanced")


_OWN = OwnSampling(0.6, 0.95, 20)


def test_the_makers_sampling_is_the_balanced_one() -> None:
    """What the user sets for a model goes first, then what its maker suggests, then Hearth's preset."""
    mine = ModelSettings(temperature=0.2)
    table = Settings(models={"/mine": mine})
    plain = table.sampling("balanced")
    assert table.sampling_of("balanced", "/other", _OWN) == replace(plain, temperature=0.6, top_p=0.95, top_k=20)
    assert table.sampling_of("balanced", "/mine", _OWN) == replace(plain, temperature=0.2, top_p=0.95, top_k=20)
    assert table.sampling_of("balanced", "/other", OwnSampling()) == plain
    assert table.sampling_of("balanced", "/other", OwnSampling(temperature=0.0)).temperature == 0.0


def test_what_the_maker_decides_is_not_known_before_the_model_is() -> None:
    """It is what no setting of the user decides, in Hearth's balanced preset alone."""
    table = Settings(models={"/mine": ModelSettings(temperature=0.2)})
    assert table.left_to_maker("balanced", "/other") == {"temperature", "top_p", "top_k"}
    assert table.left_to_maker("balanced", "/mine") == {"top_p", "top_k"}
    assert table.left_to_maker("0123456789ab", "/mine") == {"top_p", "top_k"}
    assert table.left_to_maker("precise", "/other") == frozenset()
    edited = Settings(presets={"balanced": Sampling(temperature=0.9)})
    assert edited.left_to_maker("balanced", "/other") == frozenset()


def test_other_presets_and_the_users_own_hold_for_every_model() -> None:
    """The user chose precise or creative answers, or wrote another balanced preset into the file."""
    table = Settings(models={"/mine": ModelSettings(temperature=0.2)})
    for preset in ("precise", "creative"):
        assert table.sampling_of(preset, "/mine", _OWN) == table.sampling(preset)
    edited = Settings(presets={"balanced": Sampling(temperature=0.9)})
    assert edited.sampling_of("balanced", "/other", _OWN) == Sampling(temperature=0.9)


def test_a_preset_of_the_user_leaves_unset_values_to_the_model() -> None:
    """Its own values are in the chat. A deleted preset and one of another computer are the same."""
    table = Settings(models={"/mine": ModelSettings(temperature=0.2)})
    for model in ("/mine", "/other"):
        assert table.sampling_of("0123456789ab", model, _OWN) == table.sampling_of("balanced", model, _OWN)
