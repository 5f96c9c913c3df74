"""The tokens of a pass that were rejected leave nothing in the caches: replay equals feeding only the others."""

from __future__ import annotations

from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache, CacheList, ChunkedKVCache, KVCache, QuantizedKVCache, RotatingKVCache

from engine.cache.codec import codec
from engine.decode.drafts.replay import Replay, can_keep, trims
from engine.memory.machine import Machine
from engine.model.probes import takes_back
from tests.fakes.decoding import ids
from tests.fakes.drafting import NEVER, restorable
from tests.fakes.rigs import Rig

FED = 6


@pytest.mark.parametrize(
    ("caches", "trimmed", "kept"),
    [
        ([KVCache(), CacheList(KVCache(), QuantizedKVCache())], True, True),
        ([KVCache(), ArraysCache(2)], False, True),
        ([CacheList(KVCache(), RotatingKVCache(8))], False, True),
        ([KVCache(), RotatingKVCache(8, keep=2)], False, False),
        ([ArraysCache(2), ChunkedKVCache(8)], False, False),
    ],
)
def test_the_least_able_cache_decides_what_can_be_taken_back(caches: list[Any], *, trimmed: bool, kept: bool) -> None:
    """Also inside another cache."""
    assert (trims(caches), can_keep(caches)) == (trimmed, kept)


def test_a_model_is_probed_for_whether_it_gives_tokens_back(rig: Rig) -> None:
    """A recurrence in a model's own code cannot be replayed, and some windows cannot be refilled."""
    assert takes_back(rig.model, rig.fresh_caches, 250) == (rig.name not in NEVER)


@pytest.mark.parametrize("rig", ["qwen3_5"], indirect=True)
@pytest.mark.parametrize("unable", ["can keep", "takes a step", "takes back"])
def test_no_machine_drafts_if_another_cannot_take_tokens_back(rig: Rig, unable: str) -> None:
    """Machines that have other layers of the model decide alike, whichever step of the probe fails there."""
    other = Machine(agree=lambda name, own: 0 if name == unable else own)
    assert not takes_back(rig.model, rig.fresh_caches, 250, other)


@restorable
@pytest.mark.parametrize("begun", [3, 50], ids=["before a window is full", "after"])
def test_the_kept_tokens_are_there_as_if_the_others_had_never_been_fed(rig: Rig, begun: int) -> None:
    """In bits, however many are kept, and so are all tokens after them."""
    draft = ids(FED, 2)
    for kept in range(1, FED + 1):
        caches, others = rig.fresh_caches(), rig.fresh_caches()
        for either in (caches, others):
            rig.read(either, ids(begun))
        with Replay(caches) as before:
            rig.read(caches, draft)
        before.keep(kept, FED)
        rig.read(others, draft[:kept])
        length = begun + kept
        records, expected = (codec.take(either, 0, length) for either in (caches, others))
        assert expected
        for record, one in expected.items():
            assert one.keys() == records[record].keys()
            assert all(mx.array_equal(array, records[record][part]) for part, array in one.items())
        after = [rig.read(either, ids(1, start)) for start in range(3) for either in (caches, others)]
        assert all(mx.allclose(own, other, atol=1e-5) for own, other in zip(after[::2], after[1::2], strict=True))
