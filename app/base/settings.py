"""The user's settings as one frozen value. Owns their defaults, reading and writing; acting on them is left to all
others.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from app.base.errors import SettingsNotRead, SettingsRefused, reason
from engine.protocol.messages import KvBits, Sampling
from storage.foreign import MEBIBYTE, ForeignError, MissingFileError, decode_json, read_file, set_aside

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGEST: Final = 8 * MEBIBYTE
"""Bytes of the file; a thousand open tabs take 35,000."""

_Bytes = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
_Moment = Annotated[int, msgspec.Meta(gt=-(1 << 53), lt=1 << 53)]
"""A clock may stand before 1970. SQLite, Qt and a float can take both."""

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
    checked: _Moment = 0
    issued: _Moment = 0
    skipped: str = ""


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that Hearth remembers beside the conversations. Sizes in bytes, `geometry` in base64.

    `model` is a folder (empty: the built-in demo). `kv_bits` is the precision of the cache by model. `cache_quota` is
    what the caches may take of the disk (None: by its room, see `app.cache.quota`); where `cache_enabled` is not set,
    no chat is kept warm on disk. `folded` are the folders that hide their chats. `tabs` are the conversations that were
    open, `shown` the one in front. `started` is what the clock said at the last start, or a day later in a window that
    stayed open, in ms, UTC. The file holds only what differs from these defaults.
    """

    model: str = ""
    kv_bits: dict[str, KvBits] = {}
    presets: dict[str, Sampling] = msgspec.field(default_factory=_presets)
    cache_quota: _Bytes | None = None
    cache_enabled: bool = True
    geometry: str = ""
    sidebar_shown: bool = True
    folded: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    shown: str = ""
    started: _Moment = 0
    updates: UpdateMemory = UpdateMemory()

    def sampling(self, preset: str) -> Sampling:
        """The sampling of a preset; one that is not known counts as balanced."""
        return self.presets.get(preset) or self.presets.get("balanced") or Sampling()


def load(path: Path, tell: Callable[[SettingsNotRead], object]) -> Settings:
    """The settings in `path`; a missing file means the defaults.

    So does a file that cannot be read. It is set aside as `.bad`, and `tell` is called once with what happened.
    """
    try:
        return decode_json(read_file(path, LARGEST), Settings)
    except MissingFileError:
        return Settings()
    except ForeignError as error:
        why = f"Hearth uses its default settings because {path.name} cannot be read: {error}."
        told = SettingsNotRead(f"{why} {_put_aside(path)}")
        _log.info("%s", told)  # a command has no log yet: a warning would be on the terminal twice
        tell(told)
        return Settings()


def _put_aside(path: Path) -> str:
    try:
        return f"It is now called {set_aside(path).name}."
    except OSError as error:
        return f"It could not be renamed: {reason(error)}."


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
