"""The model that the engine shall have, and how its state changes. Pure: each step returns a new value.

Says in words, too, how it is loaded, that it is not loaded, and what it can do once it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.base.errors import engine_words, load_words
from app.base.ports import ModelAwaited, ModelLoading, ModelReady, ModelRefused, ModelResting, ModelState
from engine.protocol import messages
from engine.protocol.errors import LoadCancelled, ModelStuck, ModelUnstable
from resources.language.text import mark, tr
from ui.intents.notice import Notice
from ui.state.engine import EngineState, EngineView, ModelCapabilities
from ui.theme.phrases import unloaded_line


@dataclass(frozen=True, slots=True)
class WantedModel:
    """`path` is the folder of the model.

    - `former` is the model that the engine loaded last. It returns if the wanted one cannot be loaded. `in_memory`: the
      engine still has it.
    - `is_picked`: the user picked the model, and that is remembered once it has loaded.
    - `anyway`: the user wants it loaded even if it does not fit into the free memory.
    - `failed` is the model that could not be loaded, so that this one is wanted again.
    """

    path: str
    state: ModelState = field(default_factory=ModelAwaited)
    former: messages.ModelLoaded | None = None
    in_memory: bool = False
    is_picked: bool = False
    anyway: bool = False
    failed: str = ""

    @property
    def pending(self) -> int:
        """The loads that the engine has not answered."""
        return self.state.pending if isinstance(self.state, ModelLoading) else 0

    @property
    def is_being_cancelled(self) -> bool:
        """Whether the user has cancelled its load."""
        return isinstance(self.state, ModelLoading) and self.state.is_cancelling

    @property
    def is_given_up(self) -> bool:
        """Whether only a request or the user will have it loaded."""
        return self.is_being_cancelled or isinstance(self.state, ModelRefused | ModelResting)

    def asked(self, *, of_engine: bool) -> WantedModel:
        """Its load is sent to the engine, or waits for one."""
        return replace(self, state=ModelLoading(self.pending + 1) if of_engine else ModelAwaited())

    def answered(self) -> WantedModel:
        """A load led to a model or to an error. A model that returns after a failed load was not requested."""
        left = max(0, self.pending - 1)
        is_loading = isinstance(self.state, ModelLoading)
        return replace(self, state=ModelLoading(left, self.is_being_cancelled and left > 0)) if is_loading else self

    def loaded(self, event: messages.ModelLoaded) -> WantedModel:
        """The engine has loaded a model. It is ready if it is the wanted one and the user did not change that since."""
        is_ready = event.path == self.path and not self.pending and not isinstance(self.state, ModelResting)
        return replace(self, former=event, in_memory=True, state=ModelReady(event) if is_ready else self.state)

    def load_failed(self, code: str) -> WantedModel:
        """The engine could not load the wanted model. The former one returns. A stuck engine has ended: the next one
        loads that model, unless the same one got stuck.
        """
        is_stuck = code == ModelStuck.code
        is_again = self.former is not None and self.former.path == self.path
        known = replace(self, in_memory=self.in_memory and not (is_stuck and is_again))
        return known.returned(failed="" if code == LoadCancelled.code else self.path, has_engine=not is_stuck)

    def returned(self, *, failed: str = "", has_engine: bool = True) -> WantedModel:
        """The former model, or else this one, is wanted again. It rests if the engine does not have it."""
        path = self.former.path if self.former is not None else self.path
        state: ModelState = ModelResting()
        if self.in_memory and self.former is not None:
            state = ModelReady(self.former) if has_engine else ModelAwaited()
        return WantedModel(path, state, self.former, self.in_memory, failed=failed)

    def given_up(self, event: messages.ModelUnloaded, notice: Notice) -> WantedModel:
        """The engine has freed a model by itself. The next request tries it again, unless it failed at its answers."""
        known = replace(self, former=None, in_memory=False)
        if event.path != self.path or not isinstance(self.state, ModelReady):
            return known
        is_unstable = event.code == ModelUnstable.code
        return replace(known, state=ModelRefused(notice) if is_unstable else ModelResting(), failed=self.path)

    def disconnected(self, *, by_app: bool) -> WantedModel:
        """The engine's process has ended. A load that may have crashed it for want of memory is not tried again without
        the check.
        """
        is_held = isinstance(self.state, ModelLoading | ModelReady)
        return replace(
            self,
            state=ModelAwaited() if is_held else self.state,
            in_memory=False,
            anyway=self.anyway and (by_app or not isinstance(self.state, ModelLoading)),
        )


_STAGES: dict[messages.LoadStage, str] = {
    "checking": mark("checking its files"),
    "building": mark("building it"),
    "reading": mark("reading its weights"),
    "trying": mark("trying it"),
    "hashing": mark("comparing its weights"),
    "waiting": mark("waiting for the other Macs"),
    "rendering": mark("trying its chat template"),
}


def state_view(name: str, wanted: WantedModel) -> EngineView:
    """Return the state of an engine between two of its events."""
    match wanted.state:
        case ModelRefused(notice):
            return EngineView(EngineState.FAILED, notice.text, model=wanted.path)
        case ModelReady(loaded):
            return EngineView(EngineState.READY, model=loaded.path, macs=max(1, len(loaded.shares)))
        case ModelResting() if wanted.failed == wanted.path:
            text = tr("{name} could not be loaded · the next message tries it again", name=name)
            return EngineView(EngineState.UNLOADED, text, model=wanted.path)
        case ModelResting():
            return EngineView(EngineState.UNLOADED, unloaded_line(name), model=wanted.path)
        case _:
            return EngineView(EngineState.LOADING, tr("Loading {name}…", name=name), model=wanted.path)


def load_view(name: str, event: messages.LoadProgress) -> EngineView:
    """Return the progress of a load. The user can cancel it."""
    share = event.done / event.total if event.total else None
    stage = tr(_STAGES[event.stage])
    text = tr("Loading {name} · {stage}", name=name, stage=stage)
    if share is not None:
        text = tr("Loading {name} · {stage} · {percent:.0f}%", name=name, stage=stage, percent=100 * share)
    return EngineView(EngineState.LOADING, text, share, can_cancel=True)


def gone_words(name: str, event: messages.ModelUnloaded) -> str:
    """Say why the engine has given up a model."""
    if event.code == ModelUnstable.code:
        return engine_words(event.code, event.message)
    return load_words(name, event.code, event.message)


def cancelled_words(name: str) -> str:
    """Say why a message that waited for a model was not sent."""
    return tr("Loading {name} was cancelled.", name=name)


_UNUSED_HEAD: dict[messages.HeadState, str] = {
    "unfit": mark("Faster answers: the draft head in its folder does not fit."),
    "no_memory": mark("Faster answers: too little memory was free for its draft head."),
}
"""Why a model does without the draft head that its card promises."""


def model_capabilities(event: messages.ModelLoaded, wanted: messages.KvBits) -> ModelCapabilities:
    """Return the capabilities of a model. `wanted` is the precision that the user asked for its cache."""
    lines = (
        tr(_UNUSED_HEAD[event.head]) if event.head in _UNUSED_HEAD else "",
        event.uncached,
        tr("What it read is kept in {kv_bits} bits a value.", kv_bits=event.kv_bits) if event.kv_bits else "",
        tr("What it read cannot be kept in {wanted} bits a value, so it is kept in full.", wanted=wanted)
        if wanted and not event.kv_bits
        else "",
    )
    return ModelCapabilities(event.thinks, tuple(line for line in lines if line), event.kv_bits)
