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
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
from mlx_lm.models.cache import load_prompt_cache, save_prompt_cache

from engine.cache.lookup import restore
from engine.protocol.messages import Sampling, Warm
from engine.turn.prepare import prepare
from tests.bench.chat import had
from tests.bench.figures import Figure, faster
from tests.bench.life import LONGEST, Life, endless, just_loaded
from tests.fakes.long_chat import desk

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from tests.bench.chat import Chat

TITLE = "First token after a restart (ms)"
SIZES = (1024, 4096, 16384)
"""The tokens of the conversation."""

RUNS, WARM_RUNS = 3, 5
LONG_MS = 10_000.0
"""A prefill that takes longer is not repeated. The time that it took at first is used."""

GREEDY = Sampling(temperature=0.0, max_tokens=8)


def measure(model: LoadedModel) -> list[Figure]:
    """Each size compared with both baselines."""
    model = endless(model)
    return [figure for tokens in SIZES if tokens <= LONGEST for figure in _beside(model, had(model, tokens))]


def _beside(model: LoadedModel, chat: Chat) -> list[Figure]:
    theirs = _mlx_lm(model, chat)
    warm = statistics.median(_once(model, chat, cached=True) for _ in range(WARM_RUNS))
    opened = statistics.median(_once(model, chat, cached=True, opened=True) for _ in range(WARM_RUNS))
    parts = statistics.median(_parts(model, chat) for _ in range(WARM_RUNS))
    return [
        faster(f"{chat.size}, against reading it again", warm, _cold(model, chat)),
        faster(f"{chat.size}, against load_prompt_cache", warm, theirs),
        faster(f"{chat.size}, opened before, against load_prompt_cache", opened, theirs),
        faster(f"{chat.size}, against its parts one after another", warm, parts),
    ]


def _cold(model: LoadedModel, chat: Chat) -> float:
    """The time to prefill everything. For long chats: everything but the few new tokens, whose time is negligible."""
    if chat.read_ms > LONG_MS:
        return chat.read_ms
    return statistics.median(_once(model, chat, cached=False) for _ in range(RUNS))


def _once(model: LoadedModel, chat: Chat, *, cached: bool, opened: bool = False) -> float:
    mx.clear_cache()
    with chat.stored() as home:
        life = Life(model, home)
        if opened:
            life.open(Warm("long", chat.messages))
        usage = life.ask(chat.next(GREEDY, cached=cached)).usage
        life.close()
    expected = ("hot" if opened else "disk") if cached else "none"
    assert usage.cached_from == expected, f"measured something else: {usage}"
    return usage.ttft_ms


def _parts(model: LoadedModel, chat: Chat) -> float:
    """The time to render and tokenize the prompt, to look its caches up, read and check them, and to feed the rest."""
    model = just_loaded(model)
    assert model.layout is not None, "what cannot be kept is not measured"
    mx.clear_cache()
    with chat.stored() as home, desk(home) as at:
        began = time.perf_counter()
        prompt, chain = prepare(model, chat.next(GREEDY))
        caches = model.fresh_caches()
        kept = restore(model.layout, at.found(chain, model.layout.needs), caches)
        rest = mx.array([prompt.ids[kept:]])
        mx.eval(mx.argmax(model.model(rest, cache=caches)[:, -1, :], axis=-1))
        return (time.perf_counter() - began) * 1000


def _mlx_lm(model: LoadedModel, chat: Chat) -> float:
    """The time to load mlx-lm's own file of the chat's stored caches, and to feed the rest."""
    prompt, chain = prepare(model, chat.next(GREEDY))
    assert model.layout is not None, "what cannot be kept is not measured"
    caches = model.fresh_caches()
    with chat.stored() as home, desk(home) as at, tempfile.TemporaryDirectory() as folder:
        kept = restore(model.layout, at.found(chain, model.layout.needs), caches)
        assert kept > chat.tokens, "all of it is stored"
        file = str(Path(folder) / "theirs.safetensors")
        save_prompt_cache(file, caches)
        rest = mx.array([prompt.ids[kept:]])
        times = [_loaded_ms(model, file, rest) for _ in range(1 + WARM_RUNS)]
    return statistics.median(times[1:])


def _loaded_ms(model: LoadedModel, file: str, rest: mx.array) -> float:
    mx.clear_cache()
    began = time.perf_counter()
    mx.eval(mx.argmax(model.model(rest, cache=load_prompt_cache(file))[:, -1, :], axis=-1))
    return (time.perf_counter() - began) * 1000
