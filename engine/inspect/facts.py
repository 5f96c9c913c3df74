"""Describes a model folder: the facts of an inspection.

On the inspector's main thread, where the limits for chat templates work. Nothing is evaluated and no code of the folder
runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from mlx_lm.models.cache import make_prompt_cache
from msgspec import structs

from engine.inspect import layers, lazy_model, tokenizers
from engine.inspect.lazy_model import Weights
from engine.model.configuration import context_limit, suggested_sampling
from engine.model.draft_head import has_head
from engine.model.folder_checks import building, checked, checked_without_weights, has_media
from engine.model.load_failure import translated
from engine.model.probes import may_share
from engine.model.split import ways
from engine.output.grammars import is_harmony
from engine.prompt.chat_template import ChatTemplate
from engine.prompt.message_format import TemplateProbe
from engine.protocol.inspection import InspectModel, ModelFacts, WindowBytes

_MEDIA_TENSORS: Final = re.compile(r"vision|visual|audio|image|multi_modal|mm_projector", re.IGNORECASE)


def inspected(question: InspectModel) -> ModelFacts:
    """The facts of a model, which the engine's load will confirm. Whether its chats share steps is a prediction: the
    load probes it.

    Raises ModelError.
    """
    folder = Path(question.path)
    with translated(question.path):
        if question.weight_bytes:
            return _of_the_hub(folder, question.weight_bytes)
        return _of_files(folder, Path(question.adapter) if question.adapter else None)


def _of_files(folder: Path, adapter: Path | None) -> ModelFacts:
    config, names = checked(folder, adapter)
    with building(config):
        model = lazy_model.from_files(folder, adapter)
    has_media_part = has_media(config) and any(map(_MEDIA_TENSORS.search, names))
    facts = _facts(folder, config, model, lazy_model.weights_of(model), text_part=has_media_part)
    return structs.replace(facts, draft_head=has_head(facts.model_type, folder))


def _of_the_hub(folder: Path, weight_bytes: int) -> ModelFacts:
    """Of the model's bytes on the hub, those of its text part count, if the configuration says how many."""
    config = checked_without_weights(folder)
    model = lazy_model.from_config(config)
    used = lazy_model.weights_of(model)
    size = min(weight_bytes, used.size) if has_media(config) else weight_bytes
    return _facts(folder, config, model, replace(used, size=size), text_part=has_media(config))


def _facts(folder: Path, config: Mapping[str, Any], model: Any, used: Weights, *, text_part: bool) -> ModelFacts:
    kinds, footprint = layers.measured(model)
    tokenizer = tokenizers.load(folder)
    probe = ChatTemplate(tokenizer).probe
    model_type = str(config.get("model_type"))
    return ModelFacts(
        model_type=model_type,
        parameters=used.parameters,
        weight_bytes=used.size,
        bits=used.bits,
        context_limit=context_limit(config),
        layers=kinds,
        token_bytes=footprint.token_bytes,
        fixed_bytes=footprint.state_bytes,
        windows=tuple(WindowBytes(tokens, size) for tokens, size in footprint.windows),
        shares_steps=may_share(model_type, make_prompt_cache(model)),
        thinks=probe.thinks,
        history=probe.history,
        tool_format=_tool_format(tokenizer, probe),
        text_part=text_part,
        sampling=suggested_sampling(folder),
        splits=ways(model),
    )


def _tool_format(tokenizer: Any, probe: TemplateProbe) -> str:
    """The name of the form in which the model writes calls; empty if it or its template has none."""
    if is_harmony(tokenizer.get_added_vocab()):
        return "harmony"
    if not (probe.tools and tokenizer.has_tool_calling):
        return ""
    return str(tokenizer.init_kwargs["tool_parser_type"])
