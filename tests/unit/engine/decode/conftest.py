"""A listener, which compares each row of a batch with the row alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.decoding import Listener

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.protocol.messages import Batching


@pytest.fixture
def listener(model: LoadedModel, batching: Batching) -> Listener:
    return Listener(model.model, model.fresh_caches, batching)
