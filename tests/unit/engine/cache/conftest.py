"""A tiny model with each kind of cache, built once a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes import rigs

if TYPE_CHECKING:
    from tests.fakes.rigs import Rig

_built: dict[str, Rig] = {}


@pytest.fixture(params=rigs.NAMES)
def rig(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rig:
    """Each of the rigs in turn."""
    name = str(request.param)
    if name not in _built:
        _built[name] = rigs.rig(name, tmp_path_factory.mktemp("rigs"))
    return _built[name]
