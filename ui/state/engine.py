"""View state of the engine: its process, the loaded model and its memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class EngineState(StrEnum):
    """The state of the engine process."""

    STARTING = "starting"
    LOADING = "loading"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"
    UNLOADED = "unloaded"


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model in the picker. `id` is its folder, `name` its alias if it has one, `detail` one line about it.

    `identity` names its cached state in the engine, "" if it was never loaded. `warm_chats` counts the chats with such
    state.
    """

    id: str
    name: str
    detail: str = ""
    identity: str = ""
    warm_chats: int = 0


@dataclass(frozen=True, slots=True)
class OfferedModels:
    """The models in every picker, and the id of the loaded one."""

    models: tuple[ModelView, ...] = ()
    current: str = ""


@dataclass(frozen=True, slots=True)
class ModelCapabilities:
    """The abilities of the loaded model.

    `thinks` is set if it can reason before it answers. `lines` say in words how its chats are cached, one fact a line.
    `kv_bits` is the precision of its cache; 0 means full precision.
    """

    thinks: bool = False
    lines: tuple[str, ...] = ()
    kv_bits: Literal[0, 4, 8] = 0


@dataclass(frozen=True, slots=True)
class EngineView:
    """The state of the engine. `text` explains a state that lasts. `model` is the model that it is about; ""
    if it is about the process.

    While a model is loaded, `share` is what is done of the present stage, from 0 to 1 (None: unknown). `can_cancel`:
    the user can end the load. `macs` is the number of Macs that run the model of an engine that is READY.
    """

    state: EngineState
    text: str = ""
    share: float | None = None
    model: str = field(default="", kw_only=True)
    can_cancel: bool = field(default=False, kw_only=True)
    macs: int = field(default=1, kw_only=True)


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The figures of the sidebar's footer: memory of the engine and of the machine in bytes, and how many chats are in
    memory.
    """

    used_bytes: int
    total_bytes: int
    warm_chats: int
