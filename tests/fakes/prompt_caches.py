"""Prompt cache files as mlx-lm writes them: by the installed release, and in the layout of 0.31."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten, tree_map
from mlx_lm.generate import generate_step
from mlx_lm.models.cache import (
    ArraysCache,
    CacheList,
    ChunkedKVCache,
    QuantizedKVCache,
    RotatingKVCache,
    make_prompt_cache,
    save_prompt_cache,
)
from mlx_lm.utils import load


def read_ahead(folder: Path, text: str, path: Path, system: str = "") -> int:
    """Have mlx-lm prefill `text` with the model in `folder` and write the cache to `path`, as its `cache_prompt` does.

    Returns the number of tokens.
    """
    model, tokenizer, *_ = load(str(folder))
    said = [{"role": "system", "content": system}] if system else []
    said.append({"role": "user", "content": text})
    ids: list[int] = tokenizer.apply_chat_template(said, add_generation_prompt=False, continue_final_message=True)
    caches = make_prompt_cache(model)
    for _ in generate_step(mx.array(ids), model, max_tokens=0, prompt_cache=caches):
        pass
    save_prompt_cache(str(path), caches, {"model": str(folder), "tokenizer_config": "{}"})
    return len(ids)


def save_as_before(path: Path, caches: Sequence[Any], names: Sequence[str] = ()) -> None:
    """Write `caches` in the layout of 0.31: numbers as texts beside the arrays, which are cut to the used part.

    `names`: the names of the classes, if not their own.
    """
    told = list(names) or [type(cache).__name__ for cache in caches]
    beside = [[_beside(cache) for cache in caches], {"made": "by a test"}, told]
    arrays = dict(tree_flatten([_state(cache) for cache in caches]))
    mx.save_safetensors(str(path), arrays, dict(tree_flatten(beside)))


def _beside(cache: Any) -> Any:
    if type(cache) is CacheList:
        return [type(part).__name__ for part in cache.caches], [_beside(part) for part in cache.caches]
    attributes = {
        QuantizedKVCache: ("offset", "group_size", "bits"),
        RotatingKVCache: ("keep", "max_size", "offset", "_idx"),
        ChunkedKVCache: ("chunk_size", "start_position"),
    }.get(type(cache), ())
    return tuple(str(getattr(cache, name)) for name in attributes) or ""


def _state(cache: Any) -> Any:
    if type(cache) is CacheList:
        return [_state(part) for part in cache.caches]
    if type(cache) is ArraysCache:
        return cache.cache
    return tree_map(lambda array: array[..., : cache.offset, :], (cache.keys, cache.values))
