"""Stored tensors as arrays again."""

from __future__ import annotations

from collections.abc import Mapping

import mlx.core as mx
import numpy as np

from engine.cache.codec.cache_classes import Arrays
from engine.cache.codec.codec import DTYPES
from storage.segments.records import Tensor


def to_arrays(tensors: Mapping[str, Tensor]) -> Arrays:
    """The tensors as arrays of their own memory."""
    return {name: _numbers(tensor).view(DTYPES[tensor.dtype]) for name, tensor in tensors.items()}


def _numbers(tensor: Tensor) -> mx.array:
    plain = np.dtype(f"u{DTYPES[tensor.dtype].size}")
    return mx.array(np.frombuffer(tensor.data, plain).reshape(tensor.shape))
