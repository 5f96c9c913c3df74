"""What the app learns of a model that was loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.output.parser import can_think
from engine.protocol.messages import ModelLoaded

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel


def loaded_event(model: LoadedModel) -> ModelLoaded:
    """The properties of a model that the app shows or acts on."""
    probe = model.template.probe
    return ModelLoaded(
        path=model.path,
        context_limit=model.context_limit,
        uncached=model.uncached,
        history=probe.history,
        batching=model.batching,
        thinks=probe.thinks and can_think(model.tokenizer),
        kv_bits=model.kv_bits,
        untried=model.untried,
        sampling=model.own_sampling,
        identity=model.identity.model,
        shares=model.shares.weight_bytes,
        layer_times=model.shares.layer_times,
    )
