"""Asks the hub about models, within 20 seconds a question. Blocks, so the window calls it on the network thread.

Raises HubError alone. huggingface_hub is imported with the first question: it takes 0.2 s and 24 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from app.hub import library
from app.hub.found_models import FoundModel
from app.hub.model_page import ModelPage

if TYPE_CHECKING:
    from app.hub.source import Source

MOST_FOUND: Final = 60
_ANSWER_S: Final = 8.0
_CONNECT_S: Final = 5.0
_SECONDS: Final = 20.0


class HubClient:
    """`token` returns the user's token, None for the one that huggingface_hub finds itself (HF_TOKEN, a login)."""

    def __init__(self, token: Callable[[], str | None] = lambda: None) -> None:
        self._token = token

    def search(self, text: str, limit: int = MOST_FOUND) -> tuple[FoundModel, ...]:
        """The most downloaded models for MLX whose names hold these words. Malformed ones are left out."""
        with self._asking() as source:
            return source.search(text, limit)

    def model(self, repository: str, revision: str = "") -> ModelPage:
        """The page of a model at a commit or branch; "" is the newest commit."""
        from app.hub.source import NEWEST

        with self._asking() as source:
            return source.page(repository, revision or NEWEST)

    def read(self, repository: str, revision: str, name: str, largest: int) -> bytes:
        """The content of a small file. Raises HubAnswerUnreadable if it is larger."""
        with self._asking() as source:
            return source.read(repository, revision, name, largest)

    @contextmanager
    def _asking(self) -> Iterator[Source]:
        library.load()
        import httpx2
        from huggingface_hub import constants, get_token

        from app.hub.source import Source

        with library.login():
            known = None if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN else get_token()
            token, timeout = self._token() or known, httpx2.Timeout(_ANSWER_S, connect=_CONNECT_S)
            yield Source(constants.ENDPOINT, token, timeout, _SECONDS)
