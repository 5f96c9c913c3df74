"""The loader: a model folder to a model that can answer. Owns the checks before and the words after a failed load."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import mlx.core as mx
import psutil
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load

from engine.cache.codec import Layout, leaves
from engine.errors import ModelMissing, ModelTooLarge, ModelUnreadable
from engine.identity import Identity, WeightDigests, identify, weight_bytes
from engine.memory import in_words, load_shortfall
from engine.template import ChatTemplate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

_ALONE = frozenset({"afm7", "deepseek_v41", "gpt_bigcode", "llama4", "minimax_m3_vl", "plamo3"})
"""Model types whose rows change with their company in mlx-lm 0.32.2, as they count the padding of others."""


@dataclass(frozen=True)
class LoadedModel:
    """A model with all that depends on it. `context_limit` in tokens, 0 where the model does not say.

    `alone` tells that its rows must not be merged; `layout` how its caches are kept (None: they cannot be).
    """

    path: str
    name: str
    model: Any
    tokenizer: Any
    template: ChatTemplate
    identity: Identity
    context_limit: int
    weight_bytes: int
    alone: bool
    layout: Layout | None

    def fresh_caches(self) -> list[Any]:
        """Empty caches, one a layer."""
        caches: list[Any] = make_prompt_cache(self.model)
        return caches

    def encode(self, text: str) -> list[int]:
        """Text to ids with nothing added around it."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids

    @property
    def uncached(self) -> str:
        """Why conversations with this model cannot be kept warm, in words; empty where they can."""
        return "" if self.layout else "This model keeps a kind of state that Hearth cannot store yet."


def load_model(path: str, digests: WeightDigests) -> LoadedModel:
    """Load the model in the folder `path`.

    Raises ModelMissing, ModelUnreadable, ModelTooLarge or NoChatTemplate. Must run on the thread that will step it.
    """
    folder = Path(path)
    config = _read_config(folder)
    weights = weight_bytes(folder)
    _refuse_too_large(weights, psutil.virtual_memory().available)
    model, tokenizer = _told(lambda: _load(folder))
    caches = _told(lambda: _tried(model))
    return LoadedModel(
        path=path,
        name=folder.name,
        model=model,
        tokenizer=tokenizer,
        template=ChatTemplate(tokenizer),
        identity=_told(lambda: identify(folder, digests)),
        context_limit=_context_limit(config),
        weight_bytes=weights,
        alone=str(config.get("model_type")) in _ALONE or not _mergeable(caches),
        layout=Layout.of(caches),
    )


def _read_config(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise ModelMissing(f"There is no model folder at {folder}.")
    if not any(folder.glob("*.safetensors")):
        raise ModelUnreadable(f"{folder} holds no safetensors weights.")
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelUnreadable(f"The model's config.json cannot be read: {error}") from error
    if not isinstance(config, dict):
        raise ModelUnreadable("The model's config.json is not an object.")
    return config


def _refuse_too_large(weights: int, available: int) -> None:
    if load_shortfall(weights, available):
        raise ModelTooLarge(
            f"The model's weights take {in_words(weights)}, and {in_words(available)} of memory are free now."
        )


def _load(folder: Path) -> tuple[Any, Any]:
    model, tokenizer, *_ = load(str(folder))
    mx.eval(model.parameters())
    return model, tokenizer


def _tried(model: Any) -> list[Any]:
    """Caches that have seen one token: the proof that the model runs, and the measure of what its records look like."""
    caches: list[Any] = make_prompt_cache(model)
    mx.eval(model(mx.array([[0]]), cache=caches))
    mx.eval([leaf.state for _, leaf in leaves(caches)])
    return caches


def _told(read: Callable[[], T]) -> T:
    """mlx-lm and transformers raise whatever a broken file led to: all of these mean that it is not a model we read."""
    try:
        return read()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, ImportError) as error:
        raise ModelUnreadable(f"The model cannot be loaded: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _context_limit(config: dict[str, Any]) -> int:
    for part in (config, config.get("text_config")):
        if isinstance(part, dict) and isinstance(limit := part.get("max_position_embeddings"), int):
            return limit
    return 0


def _mergeable(caches: Sequence[Any]) -> bool:
    return all(
        _mergeable(cache.caches) if hasattr(cache, "caches") else hasattr(type(cache), "merge") for cache in caches
    )
