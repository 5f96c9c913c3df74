"""The HTTP client that huggingface_hub uses in the window and in commands that only ask: it bounds every answer.

The hub is untrusted: an answer has a limit on time and bytes, is never decompressed, and its faults come as the errors
of this package. There are no retries: the user repeats a search faster than a back-off does. Runs on any
thread. Imports httpx2, so the window imports it on the network thread alone.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

import httpx2
from huggingface_hub import constants, set_client_factory

from app.hub import library
from app.hub.errors import NO_CONNECTION, HubAnswerUnreadable, HubUnreachable
from app.hub.fetch.conversation import refused
from resources.language.sentence import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE: Final = httpx2.Timeout(8.0, connect=5.0)
_REDIRECTS: Final = 5


class Budget:
    """The time and the bytes that one question may still take, over all its requests."""

    def __init__(self, seconds: float, size: int) -> None:
        self._end = time.monotonic() + seconds
        self._left = size

    def spend(self, count: int) -> None:
        """Count bytes of an answer. Raises HubUnreachable or HubAnswerUnreadable."""
        self._left -= count
        if self._left < 0:
            raise HubAnswerUnreadable(sentence("The hub's answer is larger than Hearth reads."))
        if time.monotonic() > self._end:
            raise HubUnreachable(sentence("it answers too slowly"))


_budget: ContextVar[Budget] = ContextVar("budget")
_installing = threading.Lock()


def install() -> None:
    """Make huggingface_hub ask through this client in the whole process. Later calls change nothing. Raises
    HubClosed.
    """
    with _installing:
        if not isinstance(library.session(), BoundedClient):
            set_client_factory(BoundedClient)


@contextmanager
def spending(budget: Budget) -> Iterator[None]:
    """Count every answer in this block against `budget`."""
    token = _budget.set(budget)
    try:
        yield
    finally:
        _budget.reset(token)


class BoundedClient(httpx2.Client):
    """Asks within the current budget."""

    def __init__(self) -> None:
        super().__init__(
            follow_redirects=True,
            max_redirects=_REDIRECTS,
            headers={"Accept-Encoding": "identity"},  # the bytes that are counted are the bytes that come
            event_hooks={"request": [_refuse_offline], "response": [_bound]},
        )

    def send(self, request: httpx2.Request, **options: object) -> httpx2.Response:
        """Send with our own patience: huggingface_hub asks for none. Raises HubError alone."""
        request.extensions["timeout"] = _PATIENCE.as_dict()
        try:
            return super().send(request, **options)  # type: ignore[arg-type]  # the base class's own options
        except httpx2.TooManyRedirects as error:
            raise HubUnreachable(sentence("it redirects in circles")) from error
        except httpx2.TimeoutException as error:
            raise HubUnreachable(sentence("it does not answer")) from error
        except httpx2.ConnectError as error:
            raise HubUnreachable(sentence(NO_CONNECTION)) from error
        except httpx2.UnsupportedProtocol as error:
            raise HubUnreachable(sentence("its address in HF_ENDPOINT is not valid")) from error
        except (httpx2.RequestError, httpx2.StreamError) as error:
            raise HubUnreachable(sentence("the connection broke off")) from error


class _Counted(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            self._budget.spend(len(piece))
            yield piece

    def close(self) -> None:
        self._stream.close()


def _refuse_offline(_request: httpx2.Request) -> None:
    if constants.is_offline_mode():
        raise HubUnreachable(sentence("HF_HUB_OFFLINE is set"))


def _bound(response: httpx2.Response) -> None:
    budget = _budget.get()
    budget.spend(0)
    if response.status_code >= httpx2.codes.BAD_REQUEST:
        raise refused(response)
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise HubAnswerUnreadable(sentence("The hub's answer is compressed, which Hearth did not ask for."))
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Counted(response.stream, budget)
