"""Replay: takes back the rejected tokens of a draft without another forward pass. On the MLX thread.

A growing cache is trimmed. A sliding window is bound to its arrays of before, and gets the keys and values of the kept
tokens again. A recurrent state cannot go back either. So a pass over a draft is recorded: what each convolution and
each recurrence of a layer received. Only these run again, over the kept tokens, from the state before the pass.

`install` changes one loaded model so that it can be recorded: mlx-lm's functions for a recurrence are replaced by name
in the model's modules, and the convolutions get another class. Outside a recorded pass both do what they did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from inspect import signature
from typing import Any, Self

import mlx.core as mx
from mlx.nn.layers.convolution import Conv1d
from mlx_lm.models.gated_delta import gated_delta_update
from mlx_lm.models.ssm import ssm_update

from engine.cache.codec.codec import kinds
from engine.decode.ragged_attention import replace_function

_PER_TOKEN = {
    gated_delta_update: ("q", "k", "v", "a", "b", "mask"),
    ssm_update: ("hidden_states", "B", "C", "dt", "mask"),
}
"""mlx-lm's recurrences, and those of their arguments that have an item for each token, on the second axis."""


@dataclass(frozen=True, slots=True)
class _Recurrence:
    """A call of a recurrence, which returned `state`."""

    update: Callable[..., tuple[mx.array, mx.array]]
    arguments: dict[str, Any]
    state: mx.array

    def over(self, tokens: int) -> mx.array:
        """The state after the first `tokens` tokens."""
        per_token = [name for name in _PER_TOKEN[self.update] if self.arguments.get(name) is not None]
        _, state = self.update(**self.arguments | {name: self.arguments[name][:, :tokens] for name in per_token})
        return state


class _Recording:
    """What the convolutions and the recurrences of a pass received, in the order of the layers."""

    def __init__(self) -> None:
        self.convolved = deque[mx.array]()
        """Each with the window before the pass in front, shape (1, window + tokens, channels)."""
        self.recurrences = deque[_Recurrence]()

    def state(self, held: mx.array, tokens: int) -> mx.array:
        """What a cache would hold in the place of `held` after the first `tokens` tokens. Raises LookupError if the
        next convolution was not that of `held`.
        """
        if self.recurrences and self.recurrences[0].state is held:
            return self.recurrences.popleft().over(tokens)
        received = self.convolved.popleft()
        window = held.shape[1]
        if received.shape[1] <= window or received.shape[::2] != held.shape[::2]:
            raise LookupError("the convolutions of this model do not follow the order of its caches")
        return mx.contiguous(received[:, tokens : tokens + window])


_RECORDING: ContextVar[_Recording | None] = ContextVar("recording", default=None)


def trims(caches: Sequence[Any]) -> bool:
    """Whether all of these caches are trimmed, so that nothing of the model is needed to take tokens back."""
    return all(kind.is_trimmed for _, kind in kinds(caches))


def can_keep(caches: Sequence[Any]) -> bool:
    """Whether the classes of these caches allow to take tokens back. Recurrent states need the model's hooks, too."""
    return all(kind.is_trimmed or kind.is_refilled or kind.has_slots for _, kind in kinds(caches))


class Replay:
    """The caches of a row alone, before a pass over several tokens. The pass takes place inside a `with` statement."""

    def __init__(self, caches: Sequence[Any]) -> None:
        self._kinds = [kind for _, kind in kinds(caches)]
        self._before = [dict(vars(kind.leaf)) for kind in self._kinds]
        self._recording = _Recording()

    def __enter__(self) -> Self:
        self._token = _RECORDING.set(self._recording)
        return self

    def __exit__(self, *_: object) -> None:
        _RECORDING.reset(self._token)

    def keep(self, kept: int, fed: int) -> None:
        """Of the `fed` tokens of the pass, keep the first `kept`, at least one. Only once.

        The logits of the pass must be evaluated before: else a machine of a pipeline waits here for what another one
        has not sent.
        """
        made = []
        for kind, before in zip(self._kinds, self._before, strict=True) if kept < fed else ():
            leaf = kind.leaf
            if kind.is_trimmed:
                leaf.trim(fed - kept)
            elif kind.has_slots:
                leaf.cache = [held if held is None else self._recording.state(held, kept) for held in leaf.cache]
                made.append(leaf.cache)
            else:
                newest = [array[..., -fed:, :][..., :kept, :] for array in (leaf.keys, leaf.values)]
                vars(leaf).update(before)
                leaf.update_and_fetch(*newest)
                made.append([leaf.keys, leaf.values])
        mx.async_eval(made)  # type: ignore[no-untyped-call] # the stub lacks this signature


def install(model: Any) -> None:
    """Let passes of this model be recorded."""
    for update in _PER_TOKEN:
        replace_function(model, update, _recorded(update))
    for part in model.modules():
        if type(part) is Conv1d:
            part.__class__ = _RecordedConv1d


@cache
def _recorded(update: Callable[..., tuple[mx.array, mx.array]]) -> Callable[..., tuple[mx.array, mx.array]]:
    """A function of mlx-lm for a recurrence, whose calls are recorded."""
    parameters = signature(update)

    def recorded(*given: Any, **named: Any) -> tuple[mx.array, mx.array]:
        out, state = update(*given, **named)
        if recording := _RECORDING.get():
            recording.recurrences.append(_Recurrence(update, parameters.bind(*given, **named).arguments, state))
        return out, state

    return recorded


class _RecordedConv1d(Conv1d):
    """A convolution whose input is recorded."""

    def __call__(self, received: mx.array) -> mx.array:
        if recording := _RECORDING.get():
            recording.convolved.append(received)
        convolved: mx.array = super().__call__(received)  # type: ignore[no-untyped-call] # mlx does not type it
        return convolved
