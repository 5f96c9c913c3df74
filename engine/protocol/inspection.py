"""The messages of the inspector process, which describes a model without loading its weights."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.protocol.sampling_settings import OwnSampling

Split = Literal["tensor", "pipeline"]
"""How a model is split: each machine has a part of every layer, or all of some layers."""

LayerKind = Literal["attention", "window", "recurrent", "mixed", "none"]
"""A layer keeps of a conversation: all keys and values, those of a window, a state of constant size, keys and values
beside such a state, or nothing.
"""


class InspectModel(msgspec.Struct, frozen=True, tag="inspect_model"):
    """Describe the model in the folder `path`. Answered by ModelInspected or InspectionFailed.

    If `adapter` is not empty, it is an adapter folder for this model. With `weight_bytes` the folder holds only the
    configuration, tokenizer and template of a model on the hub; its weights take that many bytes. `language` is that of
    the answer's sentence.
    """

    path: str
    adapter: str = ""
    weight_bytes: int = 0
    language: str = "en"


class WindowBytes(msgspec.Struct, frozen=True):
    """Layers that together take `token_bytes` a token, but only for the last `tokens` tokens."""

    tokens: int
    token_bytes: int


class ModelFacts(msgspec.Struct, frozen=True):
    """A model, from its configuration and the headers of its weights. Sizes are in bytes.

    - `bits` is the quantisation of the weights (0: none), `context_limit` is in tokens (0: unknown).
    - `layers` has one kind for each layer.
    - A conversation of n tokens takes `fixed_bytes + n * token_bytes + sum(min(n, w.tokens) * w.token_bytes)`.
      `fixed_bytes` is the size of a checkpoint: the states of constant size.
    - `shares_steps`: the chats of this model decode together.
    - `thinks`, `history` and `tool_format` describe the chat template ("" as the format: no tool calls).
    - `text_part`: the checkpoint also reads images or sound; Hearth uses its text part only.
    - `draft_head`: whether the folder has the model's draft head. None if the family of the model has no heads, and for
      a model on the hub, of which only the description is here.
    - `sampling` is that of generation_config.json.
    - `splits` are the ways in which the model can run on several machines, the better one first.
    """

    model_type: str
    parameters: int
    weight_bytes: int
    bits: float
    context_limit: int
    layers: tuple[LayerKind, ...]
    token_bytes: int
    fixed_bytes: int
    windows: tuple[WindowBytes, ...] = ()
    shares_steps: bool = True
    thinks: bool = False
    history: Literal["kept", "stripped", "rewritten"] = "kept"
    tool_format: str = ""
    text_part: bool = False
    draft_head: bool | None = None
    sampling: OwnSampling = OwnSampling()
    splits: tuple[Split, ...] = ()


class ModelInspected(msgspec.Struct, frozen=True, tag="model_inspected"):
    """The outcome of InspectModel."""

    path: str
    facts: ModelFacts
    adapter: str = ""


class InspectionFailed(msgspec.Struct, frozen=True, tag="inspection_failed"):
    """The model cannot be used. `code` and `message` are those of ModelFailed; `message` is a sentence about "it"."""

    path: str
    code: str
    message: str
    adapter: str = ""
