"""Asks the hub about models, within 20 seconds a question. Blocks, so the window calls it on the network thread.

Raises HubError alone, apart from `examined`. huggingface_hub is imported with the first question: it takes 0.2 s and
24 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from app.base import paths
from app.hub import card_text, library
from app.hub.found_models import FoundModel
from app.hub.model_page import CARD, ModelPage
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectModel
from storage.untrusted import MEBIBYTE

if TYPE_CHECKING:
    from app.hub.source import Source

MOST_FOUND: Final = 60
_LARGEST_CARD: Final = MEBIBYTE
_LARGEST_DESCRIPTION: Final = 64 * MEBIBYTE
"""Bytes of all the files together; a tokenizer of 250,000 tokens takes 20 MB."""
_ANSWER_S: Final = 8.0
_CONNECT_S: Final = 5.0
_SECONDS: Final = 20.0


class HubClient:
    """`token` returns the user's token, None for the one that huggingface_hub finds itself (HF_TOKEN, a login)."""

    def __init__(self, token: Callable[[], str | None] = lambda: None) -> None:
        self._token = token

    def search(self, text: str, limit: int = MOST_FOUND) -> tuple[FoundModel, ...]:
        """The most downloaded models for MLX whose names hold these words. Malformed ones are left out."""
        return self._source().search(text, limit)

    def model(self, repository: str, revision: str = "") -> ModelPage:
        """The page of a model at a commit or branch; "" is the newest commit."""
        from app.hub.source import NEWEST

        return self._source().page(repository, revision or NEWEST)

    def card(self, page: ModelPage) -> str:
        """The card of a model as plain text, "" for a model without one."""
        size = page.size(CARD)
        if size > _LARGEST_CARD:
            return card_text.CUT
        if not size:
            return ""
        return card_text.plain(self.read(page.id, page.revision, CARD, _LARGEST_CARD).decode("utf-8", "replace"))

    def examined(self, page: ModelPage, inspect: Callable[[InspectModel], Inspection]) -> Inspection:
        """Examine a model without its weights: the files that describe it go into a temporary folder, where the
        inspector process reads them. It runs no code of theirs and has a limit on time. Raises FolderRefused and what
        `inspect` raises, too.
        """
        left = _LARGEST_DESCRIPTION
        with paths.temporary("model-") as folder:
            for name in page.described_by:
                content = self.read(page.id, page.revision, name, left)
                left -= len(content)
                (folder / name).write_bytes(content)
            return inspect(InspectModel(str(folder), weight_bytes=page.weight_bytes))

    def read(self, repository: str, revision: str, name: str, largest: int) -> bytes:
        """The content of a small file. Raises HubAnswerUnreadable if it is larger."""
        return self._source().read(repository, revision, name, largest)

    def _source(self) -> Source:
        token = library.token(self._token())
        import httpx2
        from huggingface_hub import constants

        from app.hub.source import Source

        return Source(constants.ENDPOINT, token, httpx2.Timeout(_ANSWER_S, connect=_CONNECT_S), _SECONDS)
