"""The user's settings as one frozen value. Owns their defaults, reading and writing; acting on them is left to all
others.
"""

from __future__ import annotations

import errno
import logging
import os
from typing import TYPE_CHECKING

import msgspec

from app.errors import SettingsRefused, reason
from engine.protocol import KvBits, Sampling

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)


def _presets() -> dict[str, Sampling]:
    return {
        "precise": Sampling(temperature=0.0, max_tokens=4096),
        "balanced": Sampling(temperature=0.7, max_tokens=4096),
        "creative": Sampling(temperature=1.0, max_tokens=4096),
    }


class UpdateMemory(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is remembered of newer versions. `allowed`: the user wants that they are looked for. `checked` is when that
    was done last, `issued` when the newest word about a release that was accepted was signed, both in Unix seconds;
    `skipped` is the version that the user wants to hear no more of.
    """

    allowed: bool = False
    checked: int = 0
    issued: int = 0
    skipped: str = ""


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that Hearth remembers beside the conversations. Sizes in bytes, `geometry` in base64.

    `model` is a folder (empty: the built-in demo). `kv_bits` is the precision of the cache by model. `cache_quota` is
    what the caches may take of the disk (None: by its room, see `app.quota`); where `cache_enabled` is not set, no chat
    is kept warm on disk. `folded` are the folders that hide their chats. `tabs` are the conversations that were open,
    `shown` the one in front. `started` is what the clock said at the last start, or a day later in a
    window that stayed open, in ms, UTC. The file holds only what differs from these defaults.
    """

    model: str = ""
    kv_bits: dict[str, KvBits] = {}
    presets: dict[str, Sampling] = msgspec.field(default_factory=_presets)
    cache_quota: int | None = None
    cache_enabled: bool = True
    geometry: str = ""
    sidebar_shown: bool = True
    folded: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    shown: str = ""
    started: int = 0
    updates: UpdateMemory = UpdateMemory()

    def sampling(self, preset: str) -> Sampling:
        """The sampling of a preset; one that is not known counts as balanced."""
        return self.presets.get(preset) or self.presets.get("balanced") or Sampling()


def load(path: Path) -> Settings:
    """The settings in `path`. A file that cannot be read is kept aside as `.bad`; a missing one means defaults."""
    try:
        return msgspec.json.decode(_content(path), type=Settings)
    except FileNotFoundError:
        return Settings()
    except (OSError, msgspec.DecodeError) as error:
        _log.warning("settings not read, defaults used: %s", error)
        _keep_aside(path)
        return Settings()


def _content(path: Path) -> bytes:
    if path.is_fifo():
        raise OSError(errno.EINVAL, "a pipe would be waited for")
    return path.read_bytes()


def _keep_aside(path: Path) -> None:
    try:
        path.replace(path.with_name(path.name + ".bad"))
    except OSError as error:
        _log.warning("bad settings stay where they are: %s", error)


def save(settings: Settings, path: Path) -> None:
    """Replace the file in one step. Raises SettingsRefused; the old file then stands."""
    fresh = path.with_name(path.name + ".new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(settings), indent=2))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise SettingsRefused(f"The settings cannot be saved: {reason(error)}.") from error
