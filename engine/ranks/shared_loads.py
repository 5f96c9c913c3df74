"""Loads a model on every rank of a group: all of them get it, or none does.

Before the first forward pass the ranks agree that each has built its share, and that all shares are of the same files.
After the last pass they agree that each has loaded the model. So a rank that fails before or after the passes fails the
load of all, and the group continues. A rank that fails between passes ends the group: the others wait in a pass.

The app can cancel a load until the ranks agree on their shares, which is when they have read their weights.

On the MLX thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mlx.utils import tree_flatten

from engine.memory.machine import Machine
from engine.model.identity import WeightDigests, identify, weight_bytes
from engine.model.loader import LoadedModel, Tell, hashed, load_model
from engine.model.split import Way, layer_time, layers_here, split
from engine.protocol.errors import LoadCancelled, ModelError, ModelFailedElsewhere, ModelUnreadable
from engine.protocol.messages import LoadModel, LoadStage
from engine.ranks.follower import Follower
from engine.ranks.lockstep import Leader
from engine.server.model_loads import CANCELLED
from resources.language.text import tr

if TYPE_CHECKING:
    import mlx.core as mx

_BUILT: Final = "shares built"
_LOADED: Final = "models loaded"
_BYTES: Final = "bytes of weights"
_TIMES: Final = "nanoseconds of a layer"
_MOST: Final = 1 << 53
"""What the app shows is a figure that a machine can have."""


def load(  # noqa: PLR0913, PLR0917 # what a load needs comes from the rank, the command and the server
    lockstep: Leader | Follower,
    group: mx.distributed.Group,
    way: Way,
    command: LoadModel,
    digests: WeightDigests,
    tell: Tell,
    find: Callable[[LoadModel], LoadModel],
) -> LoadedModel:
    """Load this rank's share of the model, which `find` finds on this machine. Raises ModelError, also if another rank
    fails.
    """
    attempt = _Attempt(lockstep, tell)

    def reduce(model: Any) -> Any:
        split(model, group, way.how, way.shares)
        return InStep(model, attempt.before_pass)

    machine = Machine(count=group.size(), agree=lockstep.least, reduce=reduce)
    try:
        here = find(command)
        attempt.fingerprint = partial(_fingerprint, here, digests, attempt.tell)
        loaded = load_model(here, digests, attempt.tell, machine)
        own_time = layer_time(loaded.model, loaded.fresh_caches())
        attempt.end()
    except Exception as error:
        attempt.fail(error)
        raise
    return replace(
        loaded,
        command=command,
        identity=loaded.identity.of_share(_name(loaded.model, group, way)),
        shares=lockstep.figures(_BYTES, _bytes(loaded.model), _MOST),
        layer_times=lockstep.figures(_TIMES, own_time, _MOST),
    )


class InStep:
    """A model that calls `before_pass` before each pass, with what tells the pass from others.

    What tells it is the shape of its tokens, and the tokens of a prompt or a draft. The token that a step feeds is
    still being computed.
    """

    def __init__(self, model: Any, before_pass: Callable[[bytes], None]) -> None:
        self._model = model
        self._before_pass = before_pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def __call__(self, tokens: mx.array, *given: Any, **named: Any) -> Any:
        """A pass of the model."""
        known = bytes(memoryview(tokens)) if tokens.shape[-1] > 1 else b""  # type: ignore[arg-type] # it has a buffer
        self._before_pass(repr(tokens.shape).encode() + known)
        return self._model(tokens, *given, **named)


def _name(model: Any, group: mx.distributed.Group, way: Way) -> str:
    """The name of this rank's share: what it stores fits no other share of the model."""
    if way.how == "tensor":
        return f"tensor{group.rank()}of{group.size()}"
    first, last = layers_here(model)
    return f"layers{first}to{last}of{group.size()}"


class _Attempt:
    """What the ranks have agreed on. `_due` names what they agree on next, if anything.

    `fingerprint` gives a number for the model's files.
    """

    fingerprint: Callable[[], int]

    def __init__(self, lockstep: Leader | Follower, tell: Tell) -> None:
        self._lockstep = lockstep
        self._tell = tell
        self._due = _BUILT
        lockstep.abandonable = True

    def tell(self, stage: LoadStage, done: int, total: int) -> None:
        """Report progress. Raises LoadCancelled."""
        self._tell(stage, done, total)
        if self._lockstep.cancelled():
            raise LoadCancelled(tr(CANCELLED))

    def before_pass(self, what: bytes) -> None:
        """Wait until every rank is about to take the same pass: before the first one, until it has its share."""
        if self._due == _BUILT:
            own = self.fingerprint()
            self._agree()
            if not self._lockstep.is_same("model", own):
                raise ModelUnreadable(tr("The machines that run it together do not have the same files of it."))
            self._due = _LOADED
        self._lockstep.before_pass(what)

    def end(self) -> None:
        """This rank has loaded the model."""
        self._agree()

    def fail(self, error: Exception) -> None:
        """This rank has failed. The others learn it when they are as far; until then they can abandon the load."""
        if self._lockstep.abandonable:
            self._lockstep.abandon()
        self._lockstep.abandonable = False
        if self._due:
            if isinstance(error, ModelError) and not isinstance(error, LoadCancelled):
                self._lockstep.report_failure(str(error))
            self._lockstep.least(self._due, 0)
            self._lockstep.abandoned = False
        self._lockstep.heed_cancels()

    def _agree(self) -> None:
        due, self._due = self._due, ""
        agreed, cancelled = self._lockstep.least(due, 1), self._lockstep.cancelled()
        self._lockstep.abandonable = self._lockstep.abandoned = False
        if agreed:
            return
        if cancelled:
            raise LoadCancelled(tr(CANCELLED))
        another = tr("Another of the machines that run it together could not load it.")
        raise ModelFailedElsewhere(self._lockstep.failure() or another)


def _bytes(model: Any) -> int:
    """The bytes of the weights of this rank's share."""
    arrays: list[tuple[str, mx.array]] = tree_flatten(model.parameters())  # type: ignore[assignment] # without a destination
    return sum(array.nbytes for _, array in arrays)


def _fingerprint(command: LoadModel, digests: WeightDigests, tell: Tell) -> int:
    folder, adapter = Path(command.path), Path(command.adapter) if command.adapter else None
    weights = weight_bytes(folder, adapter)
    tell("hashing", 0, weights)
    return int(identify(folder, digests, command.kv_bits, hashed(weights, tell), adapter).model[:15], 16)
