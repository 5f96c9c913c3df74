"""Splits a model that is being loaded over the machines of a group, by mlx-lm's own rules: each keeps its share.

*tensor*: every machine has a part of each layer's heads, and the parts are added up in each layer. *pipeline*: every
machine has some of the layers, and hands the hidden states to the next; rank 0 has the last layers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from engine.protocol.errors import ModelUnsupported
from resources.language.text import tr

if TYPE_CHECKING:
    import mlx.core as mx

Split = Literal["tensor", "pipeline"]


def split(model: Any, group: mx.distributed.Group, how: Split) -> None:
    """Reduce `model`, whose weights are not evaluated yet, to the share of this machine. Raises ModelUnsupported."""
    try:
        if how == "pipeline":
            _decoder(model).pipeline(group)
        else:
            model.shard(group)
    except (AttributeError, AssertionError, ValueError) as error:
        raise ModelUnsupported(tr("This model cannot be split over several machines.")) from error


def is_pipelined(model: Any) -> bool:
    """Whether this machine has only some of the model's layers."""
    decoder = getattr(getattr(model, "language_model", model), "model", None)
    return getattr(decoder, "pipeline_size", 1) > 1


def _decoder(model: Any) -> Any:
    return getattr(model, "language_model", model).model
