"""The state of the model that the engine shall have: one value, which callers match on. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from engine.protocol.messages import ModelLoaded
from ui.intents.notice import Notice


@dataclass(frozen=True, slots=True)
class ModelAwaited:
    """No engine is there that could load the model. The next one loads it."""


@dataclass(frozen=True, slots=True)
class ModelLoading:
    """The engine has not answered `pending` loads yet. The last of them is that of the model. `is_cancelling`: the user
    has cancelled it.
    """

    pending: int
    is_cancelling: bool = False


@dataclass(frozen=True, slots=True)
class ModelReady:
    """The model is loaded, so a request would be served now."""

    loaded: ModelLoaded


@dataclass(frozen=True, slots=True)
class ModelResting:
    """The model is not in memory. The next request wakes it."""


@dataclass(frozen=True, slots=True)
class ModelRefused:
    """No model will be loaded, for the reason in the notice. `by_next_engine`: the next engine tries it again.
    Otherwise only the user can ask for that.
    """

    notice: Notice
    by_next_engine: bool = False


ModelState = ModelAwaited | ModelLoading | ModelReady | ModelResting | ModelRefused
