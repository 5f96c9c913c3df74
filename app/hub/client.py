"""Asks the hub about models through huggingface_hub. Blocks, so the window calls it on the network thread.

Raises HubError alone. huggingface_hub is imported with the first question: it takes 0.2 s and 24 MB.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import msgspec

from app.hub import library, model_page
from app.hub.errors import HubAnswerUnreadable, HubError
from app.hub.found_model import FoundModel, Listed, found, query
from resources.language.sentence import sentence
from storage.untrusted import MEBIBYTE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from huggingface_hub import HfApi

    from app.hub.model_page import ModelPage

MOST_FOUND: Final = 60
_SECONDS: Final = 20.0
_LARGEST_ANSWER: Final = 16 * MEBIBYTE
_MALFORMED: Final = (AttributeError, KeyError, RecursionError, TypeError, ValueError)
"""What huggingface_hub raises if an answer is not of the promised form."""


class HubClient:
    """`token` returns the user's token, None for the one that huggingface_hub finds itself (HF_TOKEN, a login)."""

    def __init__(self, token: Callable[[], str | None] = lambda: None) -> None:
        self._token = token

    def search(self, text: str, limit: int = MOST_FOUND) -> tuple[FoundModel, ...]:
        """The most downloaded models for MLX whose names hold these words. Malformed ones are left out."""
        with self._asking() as api:
            listed = api.list_models(
                filter="mlx",
                search=query(text) or None,
                sort="downloads",
                limit=limit,
                expand=["downloads", "gated", "pipeline_tag", "safetensors", "sha", "tags"],
            )
            checked = [_found(info) for info in listed]
        return tuple(model for model in checked if model is not None)

    def model(self, repository: str, revision: str = "") -> ModelPage:
        """The page of a model at a commit or branch; "" is the newest commit."""
        with self._asking() as api:
            info = api.model_info(repository, revision=revision or None, files_metadata=True)
            return model_page.page(msgspec.convert(info, model_page.Info, from_attributes=True), info.card_data)

    def read(self, repository: str, revision: str, name: str, largest: int) -> bytes:
        """The content of a small file. Raises HubAnswerUnreadable if it is larger."""
        with self._asking(largest):
            from huggingface_hub import hf_hub_url
            from huggingface_hub.utils import build_hf_headers

            address = hf_hub_url(repository, name, revision=revision)
            return library.session().get(address, headers=build_hf_headers(token=self._token())).content

    @contextmanager
    def _asking(self, largest: int | None = None) -> Iterator[HfApi]:
        """Bound the answers to the questions in this block."""
        library.load()
        from huggingface_hub import HfApi

        from app.hub.bounded_client import Budget, install, spending

        install()
        try:
            with library.login(), spending(Budget(_SECONDS, largest or _LARGEST_ANSWER)):
                yield HfApi(token=self._token())
        except HubError:
            raise
        except _MALFORMED as error:
            raise HubAnswerUnreadable(sentence("The hub's answer cannot be read.")) from error


def _found(info: Any) -> FoundModel | None:
    try:
        return found(msgspec.convert(info, Listed, from_attributes=True))
    except msgspec.ValidationError:
        return None
