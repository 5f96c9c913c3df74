"""Examines a model on the hub without its weights. Blocks, so the window calls it on the network thread.

The files that describe the model go into a temporary folder. The inspector process reads them there: it runs no code of
theirs and has a limit on time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.base import paths
from app.hub import card_text
from app.hub.client import HubClient
from app.hub.model_page import CARD, ModelPage
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectModel
from storage.untrusted import MEBIBYTE

_LARGEST_CARD: Final = MEBIBYTE
_LARGEST_DESCRIPTION: Final = 64 * MEBIBYTE
"""Bytes of all the files together; a tokenizer of 250,000 tokens takes 20 MB."""


def card(client: HubClient, page: ModelPage) -> str:
    """Return the card as plain text, "" for a model without one. Raises HubError."""
    size = page.size(CARD)
    if size > _LARGEST_CARD:
        return card_text.CUT
    if not size:
        return ""
    return card_text.plain(client.read(page.id, page.revision, CARD, _LARGEST_CARD).decode("utf-8", "replace"))


def examined(client: HubClient, page: ModelPage, inspect: Callable[[InspectModel], Inspection]) -> Inspection:
    """Return what the inspector tells. Raises HubError, FolderRefused and what `inspect` raises."""
    left = _LARGEST_DESCRIPTION
    with paths.temporary("model-") as folder:
        for name in page.described_by:
            content = client.read(page.id, page.revision, name, left)
            left -= len(content)
            (folder / name).write_bytes(content)
        return inspect(InspectModel(str(folder), weight_bytes=page.weight_bytes))
