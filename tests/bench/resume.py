"""Resuming: the time to the first token of a conversation restored from disk, compared with prefilling it again and
with mlx-lm's file.

Hearth's side is a whole request to an engine that has just started: rendering, look-up, reading files, and prefill of
the new tokens. mlx-lm's side is its own loader, of a file with the same caches, then the same new tokens. Both begin
without buffers that MLX could use again, as after a restart.

A request of a chat that was opened before is measured too: the window lets the engine read a chat when it is opened,
before the user has written. And the parts of a request, one after another, without the engine's loop: what a request
takes at least, if none of them is done beside another.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import mlx.core as mx
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache

from engine.cache.codec import codec
from engine.model.loader import LoadedModel
from engine.turn.prepare import prepare
from tests.bench.chat import GREEDY, Chat, had
from tests.bench.figures import Figure, faster
from tests.bench.life import LONGEST, endless, just_loaded
from tests.fakes.long_chat import desk

TITLE = "First token after a restart (ms)"
SIZES = (1024, 4096, 16384)
"""The tokens of the conversation."""

RUNS = 5


def measure(model: LoadedModel) -> list[Figure]:
    """Each size compared with both baselines."""
    model = endless(model)
    return [figure for tokens in SIZES if tokens <= LONGEST for figure in _beside(model, had(model, tokens))]


def _beside(model: LoadedModel, chat: Chat) -> list[Figure]:
    theirs = _mlx_lm(model, chat)
    warm = _later(chat.first_token_ms)
    opened = _later(partial(chat.first_token_ms, opened=True))
    parts = _later(partial(_parts, model, chat))
    return [
        faster(f"{chat.size}, against reading it again", warm, chat.cold_ms),
        faster(f"{chat.size}, against load_prompt_cache", warm, theirs),
        faster(f"{chat.size}, opened before, against load_prompt_cache", opened, theirs),
        faster(f"{chat.size}, against its parts one after another", warm, parts),
    ]


def _later(act: Callable[[], float]) -> float:
    """The median of the times that `act` returns, apart from the first, which warms up."""
    return statistics.median([act() for _ in range(1 + RUNS)][1:])


def _parts(model: LoadedModel, chat: Chat) -> float:
    """The time to render and tokenize the prompt, to look its caches up, read and check them, and to feed the rest."""
    model = just_loaded(model)
    assert model.layout is not None, "what cannot be kept is not measured"
    mx.clear_cache()
    with chat.stored() as home, desk(home) as at:
        began = time.perf_counter()
        prompt, chain = prepare(model, chat.next(GREEDY))
        caches = model.fresh_caches()
        kept = codec.restore(model.layout, caches, at.found(chain, model.layout.needs).pieces)
        rest = mx.array([prompt.ids[kept:]])
        mx.eval(mx.argmax(model.model(rest, cache=caches)[:, -1, :], axis=-1))
        return (time.perf_counter() - began) * 1000


def _mlx_lm(model: LoadedModel, chat: Chat) -> float:
    """The time to load mlx-lm's own file of the chat's stored caches, and to feed the rest."""
    prompt, chain = prepare(model, chat.next(GREEDY))
    assert model.layout is not None, "what cannot be kept is not measured"
    caches = model.fresh_caches()
    with chat.stored() as home, desk(home) as at, tempfile.TemporaryDirectory() as folder:
        kept = codec.restore(model.layout, caches, at.found(chain, model.layout.needs).pieces)
        assert kept > chat.tokens, "all of it is stored"
        file = str(Path(folder) / "theirs.safetensors")
        save_prompt_cache(file, caches)
        rest = mx.array([prompt.ids[kept:]])
        return _later(partial(_loaded_ms, model, file, rest))


def _loaded_ms(model: LoadedModel, file: str, rest: mx.array) -> float:
    mx.clear_cache()
    began = time.perf_counter()
    mx.eval(mx.argmax(model.model(rest, cache=load_prompt_cache(file))[:, -1, :], axis=-1))
    return (time.perf_counter() - began) * 1000
