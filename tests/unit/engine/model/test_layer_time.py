"""The time of a layer: measured on this machine alone, and without a trace in the model."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import make_prompt_cache

from engine.model.split import LONGEST_SECONDS, STEPS, layer_time, split
from tests.conformance.ranks import families
from tests.fakes.lone_rank import lone_rank

PIPELINES = sorted(
    family for family, ways in families.SPLIT.items() if "pipeline" in ways and family not in families._REFUSED
)


class Clock:
    """Steps take the given times, in nanoseconds, and all further ones the last of them. `taken` counts the steps."""

    def __init__(self, *steps: int) -> None:
        self._steps = list(steps)
        self._now = 0
        self.taken = 0

    def __call__(self) -> int:
        """As time.perf_counter_ns."""
        return self._now

    def step(self) -> None:
        """A step passes."""
        self.taken += 1
        self._now += self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]


def built(family: str) -> Any:
    module = import_module(f"mlx_lm.models.{family}")
    return module.Model(module.ModelArgs.from_dict(families.configuration(family)))


@pytest.mark.sweep(12)
@pytest.mark.parametrize("family", PIPELINES)
@pytest.mark.parametrize("rank", [0, 1])
def test_each_rank_of_a_pipeline_measures_its_layers_without_the_others(family: str, rank: int) -> None:
    """The other rank does not exist here. Afterwards the model is part of the pipeline as before."""
    model = built(family)
    split(model, lone_rank(rank, 2), "pipeline")
    decoder = getattr(model, "language_model", model).model
    assert layer_time(model, make_prompt_cache(model)) > 0
    assert (decoder.pipeline_rank, decoder.pipeline_size) == (rank, 2)


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_machine_that_has_a_part_of_every_layer_has_no_time_for_a_layer(ranks: int) -> None:
    """Nor has one that has the whole model: nothing could be divided otherwise."""
    model = built("llama")
    if ranks > 1:
        split(model, lone_rank(0, ranks), "tensor")
    assert layer_time(model, make_prompt_cache(model)) == 0


def measured(monkeypatch: pytest.MonkeyPatch, *steps: int) -> tuple[int, int]:
    """The time of a layer if the steps of two layers take so long, and the number of steps."""
    model, clock = built("qwen3_moe"), Clock(*steps)
    split(model, lone_rank(0, 2), "pipeline", (2, 2))
    evaluate = mx.eval

    def eval_(*arrays: Any) -> None:
        evaluate(*arrays)
        clock.step()

    monkeypatch.setattr(mx, "eval", eval_)
    return layer_time(model, make_prompt_cache(model), clock), clock.taken


def test_the_first_step_does_not_count_and_the_least_disturbed_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first step prepares kernels, and other programs only make a step longer."""
    assert measured(monkeypatch, 1, 900, 800, 600, 700) == (300, 1 + STEPS)


def test_a_slow_machine_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A load does not wait long for a figure."""
    long = int(LONGEST_SECONDS * 1e9)
    assert measured(monkeypatch, 1, long // 2) == (long // 4, 3)
    assert measured(monkeypatch, 4 * long) == (2 * long, 2)
