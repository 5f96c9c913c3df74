"""View state of the models: the frozen values that the app sends to the models page, the picker and the welcome page.
No Qt, no engine, no storage. Sizes are in bytes, lengths in tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class FitLevel(StrEnum):
    """Whether a model fits in this machine's memory now."""

    UNKNOWN = "unknown"
    FITS = "fits"
    TIGHT = "tight"
    TOGETHER = "together"
    """Not on this machine alone, but on several."""
    TOO_LARGE = "too_large"


class ModelState(StrEnum):
    """What can be done with a model in a list."""

    READY = "ready"
    INCOMPLETE = "incomplete"
    MISSING = "missing"
    """Its folder is not there."""
    UNUSABLE = "unusable"
    REMOTE = "remote"
    """On the hub, and not on this machine."""


class DownloadState(StrEnum):
    """The progress of a download. DONE and FAILED are final until the user acts."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    VERIFYING = "verifying"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class FitView:
    """The memory that a model takes on this machine: its weights, the caches of the open chats, the other apps, and
    what is left. `longest` is the longest chat that fits, 0 if unknown. `text` is one sentence.
    """

    level: FitLevel = FitLevel.UNKNOWN
    weights: int = 0
    caches: int = 0
    others: int = 0
    free: int = 0
    longest: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class DownloadView:
    """A download. `rate` is in bytes per second, `seconds_left` is None if unknown, `text` says why it failed or
    waits.
    """

    state: DownloadState
    done: int = 0
    total: int = 0
    rate: float = 0.0
    seconds_left: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model in a list. `id` is its folder, or `publisher/name` on the hub. `detail` is one line about it, `figures`
    its part with size and context, and `note` says why it cannot be used and what to do.

    - `name` is its alias if the user gave it one.
    - `chats` counts the chats that it answers, `warm_chats` those whose state of this model is kept. `loaded` is set if
      it is in memory.
    - `wanted` is set for the model of the chats. The next message loads it if it is not loaded.
    - `identity` names its cached state in the engine, "" if it was never loaded.
    - `checking` is set while Hearth examines its files: until then it is not known whether it can be used.
    - `adapter` is set for an adapter, which is listed below its base model.
    - `repository` is where it comes from on the hub, "" if unknown. Downloads are continued and ended by it.
    - `explained` is set if the list says above its rows why the download failed.
    """

    id: str
    name: str
    detail: str = ""
    figures: str = ""
    state: ModelState = ModelState.READY
    fit: FitView = field(default_factory=FitView)
    note: str = ""
    download: DownloadView | None = None
    loaded: bool = False
    checking: bool = False
    wanted: bool = False
    chats: int = 0
    warm_chats: int = 0
    identity: str = ""
    adapter: bool = False
    removable: bool = False
    repository: str = ""
    explained: bool = False


@dataclass(frozen=True, slots=True)
class HeadOffer:
    """A draft head that was published apart from its model: `size` bytes in `repository`. `wanted`: it pays here."""

    repository: str
    size: int
    wanted: bool = False


@dataclass(frozen=True, slots=True)
class ModelDetail:
    """Everything about one model.

    - `layers` holds "attention", "window", "recurrent", "mixed" (attention beside a recurrent state) or "none" for each
      layer, `layers_text` says it in words.
    - `facts` and `technical` are labels with values, shown as they are. `card` is the model card as plain text.
    - `head` can be fetched with the model, for faster answers.
    - `revision` is the commit on the hub that would be fetched.
    - `settled` says that no more is expected of a model on the hub.
    - `about` is a sentence of what the model is good for, `speed` one of how fast it was here; "" if not known.
    """

    row: ModelRow
    publisher: str = ""
    licence: str = ""
    layers: tuple[str, ...] = ()
    layers_text: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    technical: tuple[tuple[str, str], ...] = ()
    card: str = ""
    revision: str = ""
    settings: ModelSettingsView | None = None
    about: str = ""
    speed: str = ""
    head: HeadOffer | None = None
    settled: bool = False


@dataclass(frozen=True, slots=True)
class ModelSettingsView:
    """The settings of one model. `own_name` is its name if the `alias` is "".

    `context_limit` 0, `system` "" and `thinking` None are the model's own. `kv_bits` 0 keeps its cache in full. The
    sampling is the one that a new chat begins with; None is the model's own (`own_temperature`, `own_top_p`), or the
    app's if the model has none. `reasons` is False for a model that cannot reason. `macs` are the ids of the Macs on
    which it runs beside this one, `other_macs` those on which it can, by id and name.
    """

    alias: str = ""
    context_limit: int = 0
    most_context: int = 0
    kv_bits: int = 0
    system: str = ""
    thinking: bool | None = None
    temperature: float | None = None
    top_p: float | None = None
    own_name: str = ""
    own_temperature: float | None = None
    own_top_p: float | None = None
    reasons: bool = True
    macs: tuple[str, ...] = ()
    other_macs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SwitchQuestion:
    """A change of the model that would stop answers. `action` is the text of the button that agrees."""

    text: str
    about: str
    action: str


@dataclass(frozen=True, slots=True)
class LocalModelsView:
    """The models on this machine, and the downloads. `trouble` names the folders that cannot be read. `folders` are the
    user's own, each with the reason if none of its models is listed. `usable` counts the models that can be used, and
    `bytes_` is the size of their weights and of those of their adapters.
    """

    rows: tuple[ModelRow, ...] = ()
    trouble: str = ""
    folders: tuple[tuple[str, str], ...] = ()
    usable: int = 0
    bytes_: int = 0


@dataclass(frozen=True, slots=True)
class HubView:
    """The outcome of a search on the hub. `text` is one sentence if there are no rows or no network. `failed` is set if
    the hub gave no answer: the search can be repeated.
    """

    query: str = ""
    rows: tuple[ModelRow, ...] = ()
    busy: bool = False
    text: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class ModelPick:
    """A recommended model: `label` is "Smart" or "Quick", `id` its repository, `revision` its commit. `model` is the id
    of the model on this machine once it is downloaded, "" before.
    """

    label: str
    id: str
    revision: str
    name: str
    text: str
    size: int
    licence: str = ""
    download: DownloadView | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class WelcomeView:
    """The first run: up to two picks, and a line about the models that are on this machine already ("" if none)."""

    picks: tuple[ModelPick, ...] = ()
    found: str = ""
