"""A server to ask for updates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.web import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fakes.web import Web


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """The one that `HEARTH_UPDATE_URL` names."""
    with served() as web:
        monkeypatch.setenv("HEARTH_UPDATE_URL", web.url("/release.json"))
        yield web
