"""Lives of an engine over one disk, and a model that fails on chosen conversations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from engine.decode import prefill
from engine.decode.last_logits import LastLogits
from engine.schedule.sequence import Sequence
from tests.fakes.engine_life import Engine, Start


@pytest.fixture
def engine(tmp_path: Path, model_folder: Path) -> Start:
    """Starts a new life over the same disk."""
    return partial(Engine, tmp_path, model_folder)


@pytest.fixture
def fail_on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the model fail on the prompts of the given conversations."""

    def fail_on(*conversations: str) -> None:
        def fail(forward: LastLogits, sequence: Sequence, decoding: int) -> prefill.Chunk:
            if sequence.conversation in conversations:
                raise RuntimeError("a kernel gave up")
            return prefill.begin_chunk(forward, sequence, decoding)

        monkeypatch.setattr("engine.server.generation.begin_chunk", fail)

    return fail_on
