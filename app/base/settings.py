"""The user's settings as one frozen value: their defaults, and reading and writing the file."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec

from app.base.errors import SettingsNotRead, SettingsRefused, reason
from app.base.own_values import OwnValues
from engine.protocol.inspection import Split
from engine.protocol.messages import KvBits, LoadModel
from engine.protocol.sampling_settings import OwnSampling, Sampling
from resources.language.text import tr
from storage.folders import write_durably
from storage.untrusted import MEBIBYTE, MissingFileError, UntrustedDataError, decode_json, read_file, set_aside
from ui.state.preferences import Preferences

LARGEST: Final = 8 * MEBIBYTE
"""Bytes of the file; a thousand open tabs take 35,000."""
_MOST_TABS: Final = 1000
"""How many of the open tabs are read, the last ones. Each of them is looked up at a start."""

_Bytes = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
_Moment = Annotated[int, msgspec.Meta(gt=-(1 << 53), lt=1 << 53)]
"""A clock may stand before 1970. SQLite, Qt and a float can take both."""

_Pixels = Annotated[int, msgspec.Meta(ge=0, lt=1 << 16)]
LONGEST_LAYER: Final = 1 << 40
"""In nanoseconds. A machine that takes longer for a layer of a model is of no use to it."""

_BALANCED: Final = "balanced"
_Number = TypeVar("_Number", int, float)

_log = logging.getLogger(__name__)


def _presets() -> dict[str, Sampling]:
    return {
        "precise": Sampling(temperature=0.0, max_tokens=4096),
        _BALANCED: Sampling(temperature=0.7, max_tokens=4096),
        "creative": Sampling(temperature=1.0, max_tokens=4096),
    }


class ModelSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """The user's settings of one model.

    - `alias` is the name that the user gave it. `base` is the model that an adapter was chosen for.
    - `context_limit` is in tokens; 0 is the model's own. `kv_bits` 0 keeps its cache in full.
    - `system` is the system prompt of chats that have none of their own.
    - `thinking`, `temperature` and `top_p` are those that a chat begins with; None is the app's.
    - `macs` are the certificates of the Macs on which it runs beside this one, by their fingerprints. `split` says how,
      and `shares` how many layers each has, this Mac first; empty for equal shares. `layer_times` are the nanoseconds
      that each took for a layer at the last load; empty before it.
    """

    alias: str = ""
    base: str = ""
    context_limit: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)] = 0
    kv_bits: KvBits = 0
    system: str = ""
    thinking: bool | None = None
    temperature: Annotated[float, msgspec.Meta(ge=0, le=10)] | None = None
    top_p: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    macs: tuple[str, ...] = ()
    split: Split = "pipeline"
    shares: tuple[Annotated[int, msgspec.Meta(ge=1, lt=1 << 16)], ...] = ()
    layer_times: tuple[Annotated[int, msgspec.Meta(ge=1, le=LONGEST_LAYER)], ...] = ()


class OwnPreset(msgspec.Struct, frozen=True, omit_defaults=True):
    """A preset of the user: the sampling values that a chat copies when it takes the preset."""

    name: str
    sampling: OwnValues = OwnValues()


_OWN: Final = ModelSettings()


class Settings(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that Hearth remembers beside the conversations. Sizes are in bytes, `geometry` is base64.

    - `model` is a folder (empty: the built-in demo), `models` has the settings of each model by its folder.
    - `model_folders` are the folders in which the user wants Hearth to look for models.
    - `told_unreadable` are the model folders with damaged files that the user was told of.
    - `presets` are Hearth's three styles, `own_presets` those of the user by id.
    - `preferences` are what the settings change about the window and about new chats.
    - `unload_after` is the time in minutes after which an unused model is unloaded; 0 is never.
    - `cache_quota` is the limit of the caches on disk (None: chosen by free space, see `app.cache.quota`).
    - `cache_enabled`: chats are kept warm on disk.
    - `lends_mac`: other Macs may use this one.
    - `sidebar_width` and `inspector_width`: 0 is the window's own.
    - `folded` are the folders that hide their chats.
    - `tabs` are the conversations that were open, `shown` the one in front.
    - `sides` are two conversations that are shown beside each other, `split_share` is the left one's percentage.
    - `unread` are the conversations with an answer that the user has not seen.
    - `welcoming`: the welcome page was shown, and the user has not left it yet.
    - `offered`: after a download, the user was offered to have that model answer the chats of the built-in one.
    - `broken_starts` is how many starts in a row ended within their first minute without a proper quit.
    - `started` is the clock at the first start of the last day of use, or a day later in a window that stayed open, and
      `noted` the same of the day of use before, in ms, UTC.

    The file holds only what differs from these defaults.
    """

    model: str = ""
    models: dict[str, ModelSettings] = {}
    model_folders: tuple[str, ...] = ()
    told_unreadable: tuple[str, ...] = ()
    unload_after: Annotated[int, msgspec.Meta(ge=0, le=24 * 60)] = 30
    presets: dict[str, Sampling] = msgspec.field(default_factory=_presets)
    own_presets: dict[str, OwnPreset] = {}
    preferences: Preferences = Preferences()
    cache_quota: _Bytes | None = None
    cache_enabled: bool = True
    lends_mac: bool = False
    geometry: str = ""
    sidebar_shown: bool = True
    sidebar_width: _Pixels = 0
    inspector_shown: bool = False
    inspector_width: _Pixels = 0
    folded: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    shown: str = ""
    sides: tuple[str, ...] = ()
    split_share: Annotated[int, msgspec.Meta(ge=0, le=100)] = 50
    unread: tuple[str, ...] = ()
    welcoming: bool = False
    offered: bool = False
    broken_starts: _Bytes = 0
    started: _Moment = 0
    noted: _Moment = 0

    def sampling(self, preset: str) -> Sampling:
        """Return the sampling of a preset; an unknown preset counts as balanced."""
        return self.presets.get(preset) or self.presets.get(_BALANCED) or Sampling()

    def sampling_of(self, preset: str, model: str, own: OwnSampling) -> Sampling:
        """Return the sampling of a preset for a model whose maker suggests `own`.

        The user's settings of the model change the balanced preset, and so does the maker's suggestion as long as the
        preset is Hearth's own. A preset of the user counts as the balanced one here: each chat has a copy of its values
        and applies them over these. The other presets say what the user wants of any model.
        """
        chosen, user = self.sampling(preset), self.of_model(model)
        if preset != _BALANCED and preset in self.presets:
            return chosen
        maker = own if self._follows_maker(preset) else OwnSampling()
        return msgspec.structs.replace(
            chosen,
            temperature=_first(user.temperature, maker.temperature, chosen.temperature),
            top_p=_first(user.top_p, maker.top_p, chosen.top_p),
            top_k=_first(maker.top_k, chosen.top_k),
        )

    def left_to_maker(self, preset: str, model: str) -> frozenset[str]:
        """Return the names of the sampling values that the maker's suggestion decides, if it has one."""
        user = self.of_model(model)
        chosen = {"temperature": user.temperature, "top_p": user.top_p, "top_k": None}
        return frozenset(name for name, value in chosen.items() if value is None and self._follows_maker(preset))

    def _follows_maker(self, preset: str) -> bool:
        is_plain = preset == _BALANCED or preset not in self.presets
        return is_plain and self.sampling(preset) == _presets()[_BALANCED]

    def load_command(self, model: str) -> LoadModel:
        """Return the command that loads a model with the user's settings. An adapter is loaded on its base."""
        own = self.of_model(model)
        adapter = model if own.base else ""
        return LoadModel(own.base or model, own.kv_bits, adapter, own.context_limit)

    def of_model(self, model: str) -> ModelSettings:
        """Return the settings of a model, given by its folder."""
        return self.models.get(model, _OWN)


def _first(*values: _Number | None) -> _Number:
    return next(value for value in values if value is not None)


def load(path: Path, tell: Callable[[SettingsNotRead], object]) -> Settings:
    """Return the settings in `path`, or the defaults if there is no file.

    A file that cannot be read is renamed to `.bad`, `tell` is called once with what happened, and the defaults hold.
    """
    try:
        found = decode_json(read_file(path, LARGEST), Settings)
        return msgspec.structs.replace(found, tabs=found.tabs[-_MOST_TABS:])
    except MissingFileError:
        return Settings()
    except UntrustedDataError as error:
        why = tr(
            "Hearth uses its default settings because {name} cannot be read: {error}.", name=path.name, error=error
        )
        try:
            aside = tr("It is now called {name}.", name=set_aside(path).name)
        except OSError as refused:
            aside = tr("It could not be renamed: {reason}.", reason=reason(refused))
        told = SettingsNotRead(f"{why} {aside}")
        _log.info("%s", told)  # a command has no log yet: a warning would be on the terminal twice
        tell(told)
        return Settings()


def save(settings: Settings, path: Path) -> None:
    """Replace the file in one step. Raises SettingsRefused; the old file is then unchanged."""
    content = msgspec.json.format(msgspec.json.encode(settings), indent=2)
    try:
        write_durably(path, path.with_name(path.name + ".new"), content)
    except OSError as error:
        if path.parent.is_dir():
            why = tr("The settings cannot be saved: {reason}.", reason=reason(error))
        else:
            why = tr("The settings cannot be saved: the folder {folder} is no longer there.", folder=path.parent)
        raise SettingsRefused(why) from error
