"""The parts of real models: what the ranks of a split model hold joins to what a whole model holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load_model

from engine.cache.codec import codec
from engine.cache.codec.codec import Layout
from engine.cache.disk import dtypes
from engine.model.split import split
from engine.model.trial import PROMPT_TOKENS, KvQuantization
from engine.ranks.division import Rank, WholeModel
from engine.ranks.part import join
from tests.conformance import folder
from tests.fakes.threaded_group import ThreadedGroup, on_each_rank

if TYPE_CHECKING:
    from pathlib import Path

    from engine.protocol.inspection import Split
    from engine.protocol.messages import KvBits

IDS = [(7 * i * i + 3 * i) % 90 for i in range(PROMPT_TOKENS + 7)]
ROUNDING = 2e-4


def records(model: Any, quantization: KvQuantization) -> dict[str, dict[str, Any]]:
    """The records of a prompt."""
    caches = quantization.packed(make_prompt_cache(model))
    mx.eval(model(mx.array([IDS]), cache=caches))
    taken = codec.take(caches, 0, len(IDS))
    return {str(kind): dtypes.to_tensors(arrays) for kind, arrays in taken.items()}


def quantization_of(model: Any, bits: KvBits) -> KvQuantization:
    caches = make_prompt_cache(model)
    model(mx.array([IDS]), cache=caches)
    return KvQuantization.fitting(caches, bits)


def share(path: Path, how: Split, bits: KvBits, group: ThreadedGroup) -> tuple[Any, dict[str, dict[str, Any]]]:
    """The part of one rank, and its records."""
    model: Any = load_model(path, lazy=True)[0]
    quantization = quantization_of(model, bits)
    whole = WholeModel.of(model, bits)
    split(model, group, how)  # type: ignore[arg-type] # a group of threads
    held = records(model, quantization)
    caches = quantization.packed(make_prompt_cache(model))
    model(mx.array([IDS]), cache=caches)
    layout = Layout.of(caches)
    assert layout is not None
    return whole.part(model, layout, quantization.bits, Rank(how, group.rank(), group.size())), held


CASES = [
    ("llama", "tensor", 2, 0),
    ("llama", "tensor", 2, 8),
    ("qwen3_5", "tensor", 2, 0),
    ("qwen3_5", "pipeline", 2, 0),
    ("deepseek_v3", "tensor", 2, 0),
    ("deepseek_v3", "pipeline", 2, 0),
    ("kimi_k3", "tensor", 2, 0),
]


@pytest.mark.parametrize(("family", "how", "ranks", "bits"), CASES)
def test_the_shares_of_a_split_model_join_to_what_the_whole_model_holds(
    family: str, how: Split, ranks: int, bits: KvBits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the bit if layers are split, within rounding if heads are; and each rank gets its own bits back."""
    path = folder.build(family, tmp_path / "model")
    alone: Any = load_model(path)[0]
    expected = records(alone, quantization_of(alone, bits))
    shares = on_each_rank(ranks, lambda group: share(path, how, bits, group), monkeypatch)
    assert all(part is not None for part, _ in shares)
    for kind, tensors in expected.items():
        whole = join(kind, [(part, held[kind]) for part, held in shares if kind in held])
        assert whole.keys() == tensors.keys()
        for name, tensor in tensors.items():
            assert (whole[name].dtype, whole[name].shape) == (tensor.dtype, tensor.shape)
        assert_alike(whole, tensors, exact=how == "pipeline")
        for part, held in shares:
            again = part.cut(kind, whole)
            assert {name: bytes(one.data) for name, one in again.items()} == {
                name: bytes(one.data) for name, one in held.get(kind, {}).items()
            }


def assert_alike(whole: Any, expected: Any, *, exact: bool) -> None:
    """The same numbers, or nearly. Packed numbers that differ in a bit are not near each other."""
    ours, theirs = (dtypes.to_arrays(record) for record in (whole, expected))
    for name, array in theirs.items():
        if exact:
            assert mx.array_equal(ours[name], array), name
        elif array.dtype != mx.uint32:
            assert mx.allclose(ours[name], array, rtol=ROUNDING, atol=ROUNDING), name
