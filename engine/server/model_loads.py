"""Loads one model in place of another, decides which of them goes first, and reports to the app.

On the MLX thread. A load blocks the server's loop, so it looks at the inbox itself: only that way can the app end it.
"""

from __future__ import annotations

import logging
import queue
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from engine.memory.footprint import load_order
from engine.memory.machine import Machine
from engine.model.identity import WeightDigests, weight_bytes
from engine.model.load_failure import meaning
from engine.model.loader import LoadedModel, Tell
from engine.output.parser import divides_reasoning
from engine.protocol import messages as protocol
from engine.protocol.errors import LoadCancelled, ModelError
from resources.language.text import mark, tr

Load = Callable[[protocol.LoadModel, WeightDigests, Tell], LoadedModel]

log = logging.getLogger(__name__)

T = TypeVar("T")

CANCELLED = mark("Its load was cancelled.")

_REPORT_SECONDS = 0.5
"""A stage of a load is reported when it begins, and this often within it."""

_UNKNOWN: Final = 1 << 53

Inbox = queue.SimpleQueue["protocol.Command | Callable[[], None]"]


class Arrivals:
    """The messages that have arrived in the inbox. A load looks through it without executing anything."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._seen: deque[protocol.Command | Callable[[], None]] = deque()

    def take(self, *, wait: bool) -> protocol.Command | Callable[[], None]:
        """The next message. Raises queue.Empty if there is none and the caller does not wait."""
        return self._seen.popleft() if self._seen else self._inbox.get(block=wait)

    def has_any(self, kind: type[protocol.Command]) -> bool:
        """Whether a command of this kind is waiting."""
        while not self._inbox.empty():
            self._seen.append(self._inbox.get())
        return any(isinstance(message, kind) for message in self._seen)


class ModelLoads:
    """Runs the loads that the server decides on, and emits their progress and failures."""

    def __init__(
        self,
        load: Load,
        digests: WeightDigests,
        arrivals: Arrivals,
        machine: Machine,
        emit: Callable[[protocol.Event], None],
    ) -> None:
        self._load = load
        self._digests = digests
        self._arrivals = arrivals
        self._machine = machine
        self._emit = emit

    def must_go_first(self, old: LoadedModel, hot_bytes: int, command: protocol.LoadModel) -> bool:
        """Whether the old model and `hot_bytes` of its caches must be released before the new one is loaded: on all
        machines that run it together, or on none. Those that have its files elsewhere learn their size.
        """
        needed = self._machine.agree("bytes to load", _bytes_at(command) or _UNKNOWN)
        return not self._machine.agree("both models fit", not self._must_go(old, hot_bytes, command, needed))

    def _must_go(self, old: LoadedModel, hot_bytes: int, command: protocol.LoadModel, needed: int) -> bool:
        if needed == _UNKNOWN:  # the load itself says which file is missing
            return False
        count = self._machine.count
        order = load_order(needed // count, self._machine.free_bytes(), old.weight_bytes + hot_bytes)
        return order == "after" or (order == "never" and (command.anyway or count > 1))  # its share may be a small one

    def load(
        self, command: protocol.LoadModel, assemble: Callable[[LoadedModel], T], *, again: bool = False
    ) -> T | None:
        """What `assemble` makes of the model that `command` names. None after a failure, which is emitted. The edge of
        a load: whatever libraries raise about a foreign model folder must not end the engine.

        `again`: it is the model that was released for another one. The cancel that ended the other load does not end
        this one, and a failure is emitted as ModelUnloaded.
        """
        failed = protocol.ModelUnloaded if again else protocol.ModelFailed
        reported: tuple[protocol.LoadStage | None, float] = None, 0.0

        def tell(stage: protocol.LoadStage, done: int, total: int) -> None:
            nonlocal reported
            now = time.monotonic()
            if stage != reported[0] or now - reported[1] >= _REPORT_SECONDS:
                reported = stage, now
                self._emit(protocol.LoadProgress(command.subject, stage, done, total))
            if not again and self._arrivals.has_any(protocol.CancelLoad):
                raise LoadCancelled(tr(CANCELLED))

        try:
            return assemble(self._load(command, self._digests, tell))
        except ModelError as error:
            log.warning("%s was not loaded: %s", command.subject, error)
            self._emit(failed(command.subject, error.code, str(error)))
        except Exception as error:
            log.exception("loading %s", command.subject)
            meant = meaning(error)
            self._emit(failed(command.subject, meant.code, str(meant)))
        return None


def _bytes_at(command: protocol.LoadModel) -> int:
    """The size of the weights that `command` names; 0 if they are not there."""
    try:
        return weight_bytes(Path(command.path), Path(command.adapter) if command.adapter else None)
    except OSError:
        return 0


def loaded_event(model: LoadedModel) -> protocol.ModelLoaded:
    """What the app learns of a model that was loaded."""
    probe = model.template.probe
    return protocol.ModelLoaded(
        path=model.path,
        context_limit=model.context_limit,
        uncached=model.uncached,
        thinks=probe.thinks and divides_reasoning(model.tokenizer),
        kv_bits=model.kv_bits,
        sampling=model.own_sampling,
        identity=model.identity.model,
        shares=model.shares,
        layer_times=model.layer_times,
        head=model.head_state,
    )
