"""A web server for update checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.web import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.fakes.web import Web


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """The server that `HEARTH_UPDATE_URL` names."""
    with served() as web:
        monkeypatch.setenv("HEARTH_UPDATE_URL", web.url("/release.json"))
        yield web
