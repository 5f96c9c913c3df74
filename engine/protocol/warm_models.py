"""The question which models could continue a conversation from cached state, and its answer.

The app imports both from `engine.protocol.messages`.
"""

from __future__ import annotations

import msgspec


class ListWarmModels(msgspec.Struct, frozen=True, tag="list_warm_models"):
    """List the models that have cached state of a conversation, on disk or in memory. Answered by WarmModels."""

    conversation: str


class WarmModels(msgspec.Struct, frozen=True, tag="warm_models"):
    """The outcome of ListWarmModels: model identities as in ModelLoaded, in no order. If the store cannot be read now,
    only the loaded model may be among them.
    """

    conversation: str
    identities: tuple[str, ...]
