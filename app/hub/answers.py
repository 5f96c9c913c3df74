"""The HTTP client that asks the hub: it bounds answers, and turns every fault of the network into a HubError.

The hub is untrusted: an answer that has a budget is never decompressed, and has a limit on time and bytes, its
redirects included. There are no retries: the user repeats a search faster than a back-off does, and a download has its
own (`app.hub.fetch.retry`). Runs on any thread. Imports httpx2, so the window imports it on the network thread alone.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from typing import Final

import httpx2
from huggingface_hub import constants

from app.hub.errors import NO_CONNECTION, CommitGone, HubAnswerUnreadable, HubClosed, HubError, HubUnreachable, refusal
from resources.language.sentence import sentence

_REDIRECTS: Final = 5
_making: Final = threading.Lock()
_BAD_CREDENTIALS: Final = "Invalid credentials in Authorization header"
_LONGEST_WAIT: Final = 6
"""Digits of a wait in seconds."""


class Budget:
    """The bytes and the time that one question may still take, over all its requests."""

    def __init__(self, size: int, seconds: float = math.inf) -> None:
        self._left = size
        self._end = time.monotonic() + seconds

    def spend(self, count: int) -> None:
        """Count bytes of an answer. Raises HubUnreachable or HubAnswerUnreadable."""
        self._left -= count
        if self._left < 0:
            raise HubAnswerUnreadable(sentence("The hub's answer is larger than Hearth reads."))
        if time.monotonic() > self._end:
            raise HubUnreachable(sentence("it answers too slowly"))


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


@cache
def client() -> httpx2.Client:
    """The client of this process. A request with the extension `budget` has its answer bounded by that."""
    return httpx2.Client(
        follow_redirects=True,
        max_redirects=_REDIRECTS,
        headers={"Accept-Encoding": "identity"},  # the bytes that are counted are the bytes that come
        event_hooks={"request": [_refuse_offline], "response": [_bound]},
    )


def _refuse_offline(_request: httpx2.Request) -> None:
    if constants.is_offline_mode():
        raise HubClosed(sentence("HF_HUB_OFFLINE is set"))


def _bound(response: httpx2.Response) -> None:
    budget = response.request.extensions.get("budget")
    if budget is None:
        return
    budget.spend(0)
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise HubAnswerUnreadable(sentence("The hub's answer is compressed, which Hearth did not ask for."))
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Counted(response.stream, budget)


@contextmanager
def asking() -> Iterator[httpx2.Client]:
    """Yield the client. Within the context, every error of the network becomes a HubError. HubClosed is one that stays:
    the environment may name a proxy, or certificates, of no use.
    """
    try:
        with _making:
            asker = client()
    except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:  # an ImportError is about SOCKS
        raise HubClosed(
            sentence("the proxy in ALL_PROXY or HTTPS_PROXY (not SOCKS), or the file in SSL_CERT_FILE, cannot be used")
        ) from error
    try:
        yield asker
    except httpx2.TooManyRedirects as error:
        raise HubClosed(sentence("it redirects in circles")) from error
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
        raise HubClosed(sentence("its address is not valid")) from error
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        raise HubUnreachable(sentence(NO_CONNECTION)) from error
    except httpx2.TimeoutException as error:
        raise HubUnreachable(sentence("it does not answer")) from error
    except httpx2.TransportError as error:
        raise HubUnreachable(sentence("the connection broke off")) from error
    except (httpx2.RequestError, httpx2.StreamError) as error:
        raise HubAnswerUnreadable(sentence("The hub's answer cannot be read.")) from error


def refused(response: httpx2.Response) -> HubError:
    """Return the error for an answer that is no success."""
    code = response.headers.get("X-Error-Code", "")
    is_bad_token = response.headers.get("X-Error-Message", "") == _BAD_CREDENTIALS
    if not code and response.status_code == HTTPStatus.UNAUTHORIZED and not is_bad_token:
        code = "RepoNotFound"  # a repository that is missing or private; only newer versions of the hub say so
    if code == "RevisionNotFound":
        return CommitGone(sentence("The hub has no such version of this model."))
    told = response.headers.get("Retry-After", "").strip()
    wait = float(told) if told.isdecimal() and len(told) <= _LONGEST_WAIT else None
    return refusal(response.status_code, code, wait)
