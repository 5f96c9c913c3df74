"""Runs `hearth models search`: asks the hub and prints what it finds, the models that fit first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from app.base import paths
from app.base.terminal import write, write_lines
from app.cli.models_list import FITS, table
from app.hub.client import HubClient
from app.hub.found_models import found_rows
from app.hub.token import TokenStore
from app.models.fit import memory_now
from ui.state.models import ModelRow, ModelState

_UNUSABLE: Final = "unusable"


def search(words: Sequence[str], limit: int, *, json: bool) -> int:
    """Print the models with these words in their names. With `json`, `bytes` is 0 and `fit` is "unknown" if the hub
    does not tell the size. `note` says why Hearth cannot use the model, "" if it can. Raises HubError.
    """
    models = {model.id: model for model in HubClient(TokenStore(paths.find()).token).search(" ".join(words), limit)}
    rows = found_rows(models.values(), memory_now())
    if not json:
        found = table([(_fit(row), row.id, row.detail.partition(" · ")[2]) for row in rows])
        write_lines(found or ["The hub has no such model for MLX."])
        return 0
    lines = [
        {
            "repository": row.id,
            "revision": models[row.id].revision,
            "bytes": models[row.id].size,
            "fit": row.fit.level.value,
            "licence": models[row.id].licence,
            "downloads": models[row.id].downloads,
            "gated": models[row.id].gated,
            "note": row.note,
        }
        for row in rows
    ]
    write(msgspec.json.encode(lines).decode() + "\n")
    return 0


def _fit(row: ModelRow) -> str:
    return _UNUSABLE if row.state is ModelState.UNUSABLE else FITS[row.fit.level]
