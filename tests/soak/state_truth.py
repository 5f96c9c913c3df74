"""The truth about stored state: compares every record with what the bare model computes for the same tokens, cold.

Keys are hashes, so the tokens of each key are recorded when the engine creates it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import mlx.core as mx
import numpy as np

from engine.cache import segment
from engine.cache.codec import codec
from engine.cache.codec.codec import DTYPES
from engine.cache.memory.block import arrays_of
from engine.cache.memory.hot_tier import HotTier
from engine.model.loader import LoadedModel
from storage.segments.store import SegmentStore
from tests.fakes.segments import read

Values = dict[str, np.ndarray[Any, Any]]

_ROUNDING = 2e-4
"""As a share of the largest value: the effect of the order of sums in float32."""
_QUOTA = 1 << 30


class StateTruth:
    """The expected contents of one model's records."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model
        self._ids: dict[str, tuple[int, ...]] = {}
        self._cold: dict[tuple[str, int], dict[str, Values]] = {}

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Record the tokens of every key that is created within the block."""
        chain = segment.key_of

        def noted(parent: str | None, identity: str, ids: Any) -> str:
            key = chain(parent, identity, ids)
            self._ids[key] = (*self._ids.get(parent or "", ()), *ids)
            return key

        with mock.patch.object(segment, "key_of", noted):
            yield

    def wrong_in_memory(self, hot: HotTier) -> list[str]:
        """The faults of the records in the hot tier."""
        problems: list[str] = []
        for key, records in hot.records(self._ids).items():
            for kind, held in records.items():
                arrays = arrays_of(held)
                found = {name: _plain(array) for name, array in arrays.items()}
                problems += self._wrong(f"hot {kind}", key, kind, found)
        return problems

    def wrong_on_disk(self, folder: Path) -> list[str]:
        """The faults of the records in the store at `folder`, and of the store itself."""
        with closing(SegmentStore.open(folder, _QUOTA)) as store:
            problems = [f"store: {name}: {cause}" for name, cause in store.reconcile().items()]
            problems += [f"store damaged: {cause}" for cause in store.verify().causes]
            for stored in store.index.lookup(list(self._ids)):
                for kind, record in stored.records.items():
                    tensors = read(store, record)
                    found = {name: _plain(_array(tensor)) for name, tensor in tensors.items()}
                    problems += self._wrong(f"disk {kind}", stored.key, kind, found)
        return problems

    def _wrong(self, where: str, key: str, kind: str, found: Mapping[str, np.ndarray[Any, Any]]) -> list[str]:
        right = self._cold_records(key, found).get(kind, {})
        if right.keys() != found.keys():
            return [f"{where} of {len(self._ids[key])} tokens: {sorted(found)}, not {sorted(right)}"]
        errors = {name: _difference(found[name], right[name]) for name in right}
        worst = max(errors, key=lambda name: errors[name], default="")
        if errors and not errors[worst] <= _ROUNDING:
            return [f"{where} of {len(self._ids[key])} tokens: {worst} differs by {errors[worst]:.2g}"]
        return []

    def _cold_records(self, key: str, found: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, Values]:
        """The records of a key, computed from its tokens alone."""
        ids = self._ids[key]
        tokens = next((a.shape[2] for name, a in found.items() if not name.rpartition(".")[2].isdigit()), len(ids))
        if (key, tokens) not in self._cold:
            caches = self._model.fresh_caches()
            self._model.model(mx.array([list(ids)]), cache=caches)
            records = codec.take(caches, len(ids) - tokens, len(ids))
            self._cold[key, tokens] = {
                kind: {name: _plain(array) for name, array in arrays.items()} for kind, arrays in records.items()
            }
        return self._cold[key, tokens]


def _array(tensor: Any) -> mx.array:
    raw = mx.array(np.frombuffer(tensor.data, np.uint8).copy())
    return raw.view(DTYPES[tensor.dtype]).reshape(tensor.shape)


def _plain(array: mx.array) -> np.ndarray[Any, Any]:
    """Numbers that can be compared. Packed ones are compared byte by byte."""
    if array.dtype == mx.uint32:
        return np.array(array.view(mx.uint8)).astype(np.int64)
    return np.array(array.astype(mx.float32))


def _difference(found: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> float:
    """The largest difference as a share of the largest value. For packed numbers, a difference of one is rounding."""
    if found.shape != right.shape:
        return float("inf")
    if not right.size:
        return 0.0
    if right.dtype == np.int64:
        return float(max(0, int(np.abs(found - right).max()) - 1))
    return float(np.abs(found - right).max() / max(1e-6, float(np.abs(right).max())))
