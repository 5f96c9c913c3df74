"""A listener, which compares each row of a batch with the row alone."""

from __future__ import annotations

import pytest

from engine.model.loader import LoadedModel
from engine.protocol.messages import Batching
from tests.fakes.decoding import Listener


@pytest.fixture
def listener(model: LoadedModel, batching: Batching) -> Listener:
    return Listener(model.model, model.fresh_caches, batching)
