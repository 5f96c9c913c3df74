"""The lengths at which a model changes, as published configurations name them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model.configuration import thresholds


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ({}, ()),
        ({"sliding_window": 4096}, (4096,)),
        ({"sliding_window": None, "attention_window_size": 2048}, (2048,)),
        ({"sliding_window": 4096, "use_sliding_window": False, "index_topk": 2048}, (2048,)),
        ({"text_config": {"sliding_window": 512, "attention_chunk_size": 8192}}, (512, 8192)),
        ({"sliding_window": 512, "text_config": {"sliding_window": 512}}, (512,)),
        ({"rope_parameters": {"full": {"deep": {"deeper": {"window_size": 5}}}}}, ()),
        ({"sliding_window": "512", "window_size": True, "index_topk": -1}, ()),
    ],
    ids=str,
)
def test_windows_indexes_and_chunks_are_thresholds(config: dict[str, Any], named: tuple[int, ...]) -> None:
    """Windows, indexes and chunks are found at any depth, each once. Disabled or invalid ones are ignored."""
    assert thresholds(config, 0) == named


@pytest.mark.parametrize(
    ("rotation", "named"),
    [
        ({"rope_type": "llama3"}, ()),
        ({"type": "yarn"}, ()),
        ({"type": "yarn", "llama_4_scaling_beta": 0.1}, (16,)),
        ({"rope_type": "dynamic"}, (16,)),
        ({"type": ["odd"]}, ()),
        ({}, ()),
    ],
    ids=str,
)
def test_a_rotation_is_a_threshold_if_it_changes_with_the_position(
    rotation: dict[str, Any], named: tuple[int, ...]
) -> None:
    """Most scaled rotations are computed once, for all positions."""
    whole = {**rotation, "original_max_position_embeddings": 16}
    assert thresholds({"text_config": {"rope_parameters": whole}}, 0) == named


def test_lengths_beyond_the_context_are_no_thresholds() -> None:
    """Qwen names a window as long as its context."""
    assert thresholds({"sliding_window": 32_768}, 32_768) == ()
    assert thresholds({"sliding_window": 32_767}, 32_768) == (32_767,)
