"""The inspector's facts about models of published sizes, compared with the memory that the loaded models then use.

    python -m tests.bench.agreement [SIZE ...] [--bits 4] [--tokens 8192]

Without a SIZE: all of `tests.bench.published`. The families of `tests.fakes.tiny_models` are sizes too, for a CPU. Each
model is written with random weights to a temporary folder, which takes as much disk as its weights. The figures are
those of MLX's allocator: the baseline of each line is the loaded model. Returns 1 if one of them is off by more than
5 %.

A cache allocates room for 256 tokens at once, so it is measured when that room is full, after `tokens` and after half
as many. The last of them is a step of one token, as in an answer: a sliding window drops its surplus there. The chunked
layers of Llama 4 also have such room, which is more than a tiny window.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import make_prompt_cache

from engine.cache.codec import codec
from engine.inspect.facts import inspected
from engine.memory.footprint import GROWTH_TOKENS
from engine.model.identity import WeightDigests
from engine.model.loader import load_model
from engine.protocol.inspection import InspectModel, ModelFacts
from engine.protocol.messages import LoadModel
from storage.segments.records import RecordKind
from tests.bench import published
from tests.bench.figures import Figure, table
from tests.bench.life import on_cpu
from tests.fakes import tiny_models

_CHUNK = 2048
_TOLERANCE = 0.05
_KB = 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each model."""
    options = _options(arguments)
    if on_cpu():
        mx.disable_compile()  # with a compiler MLX would build its CPU kernels at run time, which takes seconds
    off = 0
    for name in options.sizes or published.SIZES:
        with tempfile.TemporaryDirectory() as home:
            folder = Path(home) / "model"
            folder.mkdir()
            _write(name, folder, options.bits)
            mx.clear_cache()
            figures = list(_compared(folder, options.tokens))
        print(f"\n{table(_title(name, options), figures)}", flush=True)
        off += sum(abs(figure.ratio - 1) > _TOLERANCE for figure in figures)
    print(f"\n{off} figures are off by more than {_TOLERANCE:.0%}")
    return 1 if off else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.agreement")
    parser.add_argument("sizes", nargs="*", choices=[*published.SIZES, *tiny_models.CONFIGS, []], metavar="SIZE")
    parser.add_argument("--bits", type=int, default=0, choices=[0, 4, 8], help="quantise the weights (0: bfloat16)")
    parser.add_argument("--tokens", type=int, default=8192, help=f"a multiple of {2 * GROWTH_TOKENS}")
    options = parser.parse_args(arguments)
    if options.tokens % (2 * GROWTH_TOKENS):
        parser.error(f"--tokens must be a multiple of {2 * GROWTH_TOKENS}")
    return options


def _title(name: str, options: argparse.Namespace) -> str:
    return f"{name}{f', {options.bits} bits' if options.bits else ''}, {options.tokens:,} tokens"


def _write(name: str, folder: Path, bits: int) -> None:
    if name in published.SIZES:
        published.write(name, folder, bits)
    else:
        tiny_models.build(folder, name)


def _compared(folder: Path, tokens: int) -> Iterator[Figure]:
    began = time.perf_counter()
    facts = inspected(InspectModel(str(folder)))
    print(f"inspected in {time.perf_counter() - began:.2f} s: {facts}")
    before = mx.get_active_memory()
    loaded = load_model(LoadModel(str(folder)), WeightDigests(folder / "digests"))
    yield _figure("weights", facts.weight_bytes, mx.get_active_memory() - before)
    caches = make_prompt_cache(loaded.model)
    empty = mx.get_active_memory()
    at_half, at_end = (_active_after(loaded.model, caches, tokens // 2) - empty for _ in range(2))
    yield _figure("each token", facts.token_bytes, 2 * (at_end - at_half) / tokens)
    yield _figure("a checkpoint", facts.fixed_bytes, _checkpoint_bytes(caches, tokens))
    yield _figure("a conversation", _conversation_bytes(facts, tokens), at_end)


def _figure(name: str, told: float, used: float) -> Figure:
    return Figure(name, told / _KB, "kB", used / _KB, told / used if used else float(told == used))


def _active_after(model: Any, caches: list[Any], tokens: int) -> int:
    """The bytes of all arrays after so many more tokens."""
    for start in range(0, tokens - 1, _CHUNK):
        _run(model, caches, min(_CHUNK, tokens - 1 - start))
    _run(model, caches, 1)
    mx.synchronize()  # a GPU frees the buffers of a step after its last kernel has run
    return mx.get_active_memory()


def _run(model: Any, caches: list[Any], tokens: int) -> None:
    logits = model(mx.ones((1, tokens), mx.int32), cache=caches)
    mx.eval(logits, [leaf.state for _, leaf in codec.leaves(caches)])


def _checkpoint_bytes(caches: list[Any], tokens: int) -> int:
    """The bytes of the record of states, which a checkpoint adds to keys and values."""
    return codec.size_of(codec.take(caches, tokens - 1, tokens).get(RecordKind.STATE, {}))


def _conversation_bytes(facts: ModelFacts, tokens: int) -> int:
    windows = sum(min(tokens, window.tokens) * window.token_bytes for window in facts.windows)
    return facts.fixed_bytes + tokens * facts.token_bytes + windows


if __name__ == "__main__":
    sys.exit(main())
