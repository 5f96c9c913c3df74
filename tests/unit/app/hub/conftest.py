"""The loopback hub, and this process led to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from huggingface_hub import set_client_factory
from huggingface_hub.utils._http import default_client_factory

from tests.fakes.hub.server import serving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fakes.hub.server import Hub


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that this process and its children ask."""
    with serving() as hub:
        hub.lead(monkeypatch)
        yield hub
    set_client_factory(default_client_factory)
