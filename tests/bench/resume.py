"""Resuming: time to first token of a conversation restored from disk, beside reading it again and beside mlx-lm's file.

Hearth's side is a whole request to an engine that has just started: rendering, look-up, reading files, prefill of what
is new. mlx-lm's is its own loader, then the same new tokens.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
from mlx_lm.models.cache import load_prompt_cache, make_prompt_cache, save_prompt_cache

from engine.preparation import prepare
from engine.protocol import ChatMessage, Generate, Sampling
from tests.bench.figures import Figure, faster
from tests.bench.life import LONGEST, Life, about

if TYPE_CHECKING:
    from engine.loader import LoadedModel

TITLE = "First token after a restart (ms)"
RUNS = {1024: 5, 4096: 3, 16384: 1}
"""Tokens of the conversation, and how often it is read cold: that takes minutes on a small machine."""
WARM_RUNS = 5
GREEDY = Sampling(temperature=0.0, max_tokens=8)


def measure(model: LoadedModel) -> list[Figure]:
    """Each size against both baselines."""
    unlimited = replace(model, context_limit=0)
    return [figure for tokens, runs in RUNS.items() if tokens <= LONGEST for figure in _at(unlimited, tokens, runs)]


def _at(model: LoadedModel, tokens: int, runs: int) -> list[Figure]:
    said = (ChatMessage("user", about(model, tokens)),)
    with tempfile.TemporaryDirectory() as home:
        life = Life(model, Path(home))
        done = life.ask(Generate("first", "bench", said, GREEDY))
        life.close()
        history = (*said, ChatMessage("assistant", life.text("first"), done.ledger), ChatMessage("user", "And then?"))
        asked = Generate("next", "bench", history, GREEDY)
        warm = [_once(model, Path(home), asked, "disk") for _ in range(WARM_RUNS)]
        cold = [_once(model, Path(home), replace_cached(asked), "none") for _ in range(runs)]
        theirs = _mlx_lm(model, Path(home), asked, done.usage.prompt_tokens)
    ours = statistics.median(warm)
    size = f"{done.usage.prompt_tokens:,} tokens"
    return [
        faster(f"{size}, against reading it again", ours, statistics.median(cold)),
        faster(f"{size}, against load_prompt_cache", ours, theirs),
    ]


def replace_cached(command: Generate) -> Generate:
    """The same request without a cache."""
    return Generate(command.request, command.conversation, command.messages, command.sampling, cached=False)


def _once(model: LoadedModel, home: Path, command: Generate, source: str) -> float:
    life = Life(model, home)
    usage = life.ask(command).usage
    life.close()
    assert usage.cached_from == source, f"measured something else: {usage}"
    return usage.ttft_ms


def _mlx_lm(model: LoadedModel, home: Path, command: Generate, kept: int) -> float:
    """The median time of loading mlx-lm's own file of the first `kept` tokens and feeding it the rest."""
    prompt, _ = prepare(model, command)
    file, caches = str(home / "theirs.safetensors"), make_prompt_cache(model.model)
    for start in range(0, kept, 2048):
        model.model(mx.array([prompt.ids[start : min(start + 2048, kept)]]), cache=caches)
        mx.eval([cache.state for cache in caches])
    save_prompt_cache(file, caches)
    rest = mx.array([prompt.ids[kept:]])
    times = []
    for _ in range(WARM_RUNS):
        began = time.perf_counter()
        mx.eval(mx.argmax(model.model(rest, cache=load_prompt_cache(file))[:, -1, :], axis=-1))
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)
