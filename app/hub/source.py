"""Asks the hub for models and for a repository's files, and streams them. Blocks; the caller's thread is never the
window's.

The hub is untrusted: an answer that has a budget is never decompressed, and has a limit on time and bytes, its
redirects included. Each read from a connection looks at the time, so headers that come byte by byte end, too. Every
fault of the network becomes a HubError. There are no retries: the user repeats a search faster than a back-off does,
and a download has its own (`app.hub.fetch.progress`). Imports httpx2, so the window imports it on the network thread
alone.

Proxies, HF_ENDPOINT and HF_HUB_OFFLINE count as they do for huggingface_hub. The token goes to the hub's own address
only: a redirect to another one drops it.
"""

from __future__ import annotations

import math
import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from importlib.metadata import version
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import quote, urlencode

import httpcore2
import httpx2
import msgspec
from huggingface_hub import constants, hf_hub_url
from huggingface_hub.utils import build_hf_headers

from app.hub import errors, library
from app.hub.fetch.names import is_commit
from app.hub.fetch.selection import RemoteFile
from app.hub.found_models import FoundModel, Listed, found, query
from app.hub.model_page import ModelPage
from app.models.purpose import told_tags
from resources.language.sentence import sentence
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json

SECONDS: Final = 60.0
_REDIRECT_BYTES: Final = 1 << 16
_REDIRECTS: Final = 5
_making: Final = threading.Lock()
_BAD_CREDENTIALS: Final = "Invalid credentials in Authorization header"
_LONGEST_WAIT: Final = 6
"""Digits of a wait in seconds."""


_until: Final = ContextVar("_until", default=math.inf)
"""When the question of this thread has to be answered, by the monotonic clock."""


class Budget:
    """The bytes and the time that one question may still take, over all its requests."""

    def __init__(self, size: int, seconds: float) -> None:
        self._left = size
        self.until = time.monotonic() + seconds

    def spend(self, count: int) -> None:
        """Count bytes of an answer. Raises HubAnswerUnreadable."""
        self._left -= count
        if self._left < 0:
            raise errors.HubAnswerUnreadable(sentence("The hub's answer is larger than Hearth reads."))


def _patience(seconds: float | None) -> float | None:
    """How long the next read may take. Raises HubUnreachable if the question has taken all its time."""
    left = _until.get() - time.monotonic()
    if left <= 0:
        raise errors.HubUnreachable(sentence("it answers too slowly"))
    return seconds if seconds is None else min(left, seconds)


class _Stream(httpcore2.NetworkStream):
    """A connection that keeps to the time of the question that reads from it."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._stream.read(max_bytes, _patience(timeout))
        except httpcore2.ReadTimeout:
            _patience(None)
            raise

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _patience(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Network(httpcore2.SyncBackend):
    def connect_tcp(self, host: str, port: int, timeout: float | None = None, *more: Any, **options: Any) -> _Stream:
        return _Stream(super().connect_tcp(host, port, _patience(timeout), *more, **options))


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
    made = httpx2.Client(
        follow_redirects=True,
        max_redirects=_REDIRECTS,
        headers={"Accept-Encoding": "identity"},  # the bytes that are counted are the bytes that come
        event_hooks={"request": [_refuse_offline], "response": [_bound]},
    )
    for transport in (made._transport, *made._mounts.values()):  # noqa: SLF001 - only its pools have a place for it
        if isinstance(transport, httpx2.HTTPTransport):
            transport._pool._network_backend = _Network()  # noqa: SLF001 - as above
    return made


def _refuse_offline(_request: httpx2.Request) -> None:
    if constants.is_offline_mode():
        raise errors.HubClosed(sentence("HF_HUB_OFFLINE is set"))


def _bound(response: httpx2.Response) -> None:
    budget = response.request.extensions.get("budget")
    if budget is None and response.has_redirect_location:  # the client reads it whole before it follows
        budget = Budget(_REDIRECT_BYTES, SECONDS)
    if budget is None:
        return
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise errors.HubAnswerUnreadable(sentence("The hub's answer is compressed, which Hearth did not ask for."))
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Counted(response.stream, budget)


@contextmanager
def asking(until: float) -> Iterator[httpx2.Client]:
    """Yield the client, whose answers may come until a time. Within the context, every error of the network becomes a
    HubError. HubClosed is one that stays: the environment may name a proxy, or certificates, of no use.
    """
    try:
        with _making:
            asker = client()
    except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:  # an ImportError is about SOCKS
        raise errors.HubClosed(
            sentence("the proxy in ALL_PROXY or HTTPS_PROXY (not SOCKS), or the file in SSL_CERT_FILE, cannot be used")
        ) from error
    before = _until.set(until)
    try:
        yield asker
    except httpx2.TooManyRedirects as error:
        raise errors.HubClosed(sentence("it redirects in circles")) from error
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
        raise errors.HubClosed(sentence("its address is not valid")) from error
    except (httpx2.ConnectError, httpx2.ProxyError) as error:
        raise errors.HubUnreachable(sentence(errors.NO_CONNECTION)) from error
    except httpx2.TimeoutException as error:
        raise errors.HubUnreachable(sentence("it does not answer")) from error
    except httpx2.TransportError as error:
        raise errors.HubUnreachable(sentence("the connection broke off")) from error
    except (httpx2.RequestError, httpx2.StreamError) as error:
        raise errors.HubAnswerUnreadable(sentence("The hub's answer cannot be read.")) from error
    finally:
        _until.reset(before)


def refused(response: httpx2.Response) -> errors.HubError:
    """Return the error for an answer that is no success."""
    code = response.headers.get("X-Error-Code", "")
    is_bad_token = response.headers.get("X-Error-Message", "") == _BAD_CREDENTIALS
    if not code and response.status_code == HTTPStatus.UNAUTHORIZED and not is_bad_token:
        code = "RepoNotFound"  # a repository that is missing or private; only newer versions of the hub say so
    if code == "RevisionNotFound":
        return errors.CommitGone(sentence("The hub has no such version of this model."))
    told = response.headers.get("Retry-After", "").strip()
    wait = float(told) if told.isdecimal() and len(told) <= _LONGEST_WAIT else None
    return errors.refusal(response.status_code, code, wait)


NEWEST: Final = "main"
_LARGEST: Final = 4 * MEBIBYTE
"""Bytes of an answer; a listing of ten thousand files takes 3 MB. With ten times as many, the window would stop."""
_LONGEST_LICENCE: Final = 200
_SPAN: Final = re.compile(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18})")
_FIELDS: Final = ("downloads", "gated", "pipeline_tag", "safetensors", "sha", "tags")
"""The fields of a line of a search."""
T = TypeVar("T")
_Size = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]


class RangeRefused(errors.HubBusy):
    """The hub refuses to continue the file at this position."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """The bytes of a file from `start` on. `total` is the size of the whole file, None if the hub does not say."""

    start: int
    total: int | None
    pieces: Iterator[bytes]


class _Lfs(msgspec.Struct):
    sha256: str
    size: _Size


class _Sibling(msgspec.Struct):
    rfilename: str
    size: _Size | None = None
    blobId: str = ""  # noqa: N815 - the hub's name
    lfs: _Lfs | None = None


class _Info(msgspec.Struct):
    sha: str
    siblings: tuple[_Sibling, ...]
    tags: tuple[str, ...] | None = None
    gated: bool | str | None = None
    cardData: dict[str, Any] | None = None  # noqa: N815 - the hub's name


class Source:
    """The hub at `endpoint`. `timeout` is the patience for each byte, `seconds` that for a whole answer, or for the
    head of one with a file.
    """

    def __init__(
        self, endpoint: str, token: str | None, timeout: float | httpx2.Timeout, seconds: float = SECONDS
    ) -> None:
        self.endpoint = endpoint.rstrip("/")
        library.load()
        self._token = token
        self._timeout = timeout
        self._seconds = seconds

    def search(self, text: str, limit: int) -> tuple[FoundModel, ...]:
        """The most downloaded models for MLX whose names hold these words. Malformed ones are left out."""
        asked = {"filter": "mlx", "search": query(text), "sort": "downloads", "limit": limit, "expand": _FIELDS}
        address = f"{self.endpoint}/api/models?{urlencode({k: v for k, v in asked.items() if v}, doseq=True)}"
        lines: list[dict[str, Any]] = []
        budget = Budget(_LARGEST, self._seconds)
        while address.startswith(f"{self.endpoint}/") and len(lines) < limit:  # the token is for the hub alone
            content, address = self._get(address, budget)
            lines += _decoded(content, list[dict[str, Any]])
        return tuple(model for line in lines[:limit] if (model := _found(line)) is not None)

    def page(self, repository: str, revision: str) -> ModelPage:
        """The model at a revision, with the commit that it names now. Raises HubError."""
        url = f"{self.endpoint}/api/models/{repository}/revision/{quote(revision, safe='')}?blobs=true"
        content, _ = self._get(url, Budget(_LARGEST, self._seconds))
        info = _decoded(content, _Info)
        if not is_commit(info.sha):
            raise errors.HubAnswerUnreadable(
                sentence("The hub does not tell the commit of {repository}.", repository=repository)
            )
        if is_commit(revision) and info.sha != revision:
            raise errors.CommitGone(sentence("The hub has no such version of this model."))
        tags, files = told_tags(info.tags or (), (info.cardData or {}).get("language")), map(_file, info.siblings)
        return ModelPage(repository, info.sha, _licence(info), bool(info.gated), tuple(files), tags)

    def read(self, repository: str, commit: str, path: str, largest: int) -> bytes:
        """The content of a file of a commit. Raises HubAnswerUnreadable if it is larger than `largest`."""
        url = hf_hub_url(repository, path, revision=commit, endpoint=self.endpoint)
        return self._get(url, Budget(largest, self._seconds))[0]

    def _get(self, url: str, budget: Budget) -> tuple[bytes, str]:
        """Return an answer, and the address of its next page; "" if there is none. Raises HubError."""
        told = {"budget": budget}
        with (
            asking(budget.until) as client,
            client.stream("GET", url, headers=self._headers(), timeout=self._timeout, extensions=told) as response,
        ):
            if response.status_code != HTTPStatus.OK:
                raise refused(response)
            return response.read(), response.links.get("next", {}).get("url", "")

    @contextmanager
    def file(self, repository: str, commit: str, path: str, start: int) -> Iterator[Incoming]:
        """A file of a commit from the byte `start` on, or from its beginning if the hub continues no file.

        Raises HubError, also while the pieces come, and RangeRefused if the file ends before `start`.
        """
        url = hf_hub_url(repository, path, revision=commit, endpoint=self.endpoint)
        headers = self._headers() | ({"Range": f"bytes={start}-"} if start else {})
        until = time.monotonic() + self._seconds
        with asking(until) as client, client.stream("GET", url, headers=headers, timeout=self._timeout) as response:
            _until.set(math.inf)
            if response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                raise RangeRefused(sentence("The hub does not continue {path}.", path=path))
            if response.status_code not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
                raise refused(response)
            first, total = self._span(response, start)
            yield Incoming(first, total, response.iter_bytes())

    def _headers(self) -> dict[str, str]:
        return build_hf_headers(token=self._token or False, library_name="hearth", library_version=version("hearth"))

    def _span(self, response: httpx2.Response, start: int) -> tuple[int, int | None]:
        """The first byte of the answer, and the size of the whole file."""
        if response.status_code == HTTPStatus.OK:
            length = response.headers.get("Content-Length", "")
            coded = "Content-Encoding" in response.headers
            return 0, int(length) if length.isdecimal() and not coded else None
        span = _SPAN.fullmatch(response.headers.get("Content-Range", ""))
        if span is None or int(span[1]) != start:
            raise RangeRefused(sentence("The hub sends another part of a file than Hearth asked for."))
        return start, int(span[2])


def _decoded(content: bytes, kind: type[T]) -> T:
    try:
        return decode_json(content, kind)
    except UntrustedDataError as error:
        raise errors.HubAnswerUnreadable(
            sentence("The hub's answer cannot be read. A login page of the network may be in between.")
        ) from error


def _found(line: dict[str, Any]) -> FoundModel | None:
    try:
        return found(msgspec.convert(line, Listed))
    except msgspec.ValidationError:
        return None


def _file(sibling: _Sibling) -> RemoteFile:
    if sibling.lfs is None:
        return RemoteFile(sibling.rfilename, sibling.size or 0, sibling.blobId)
    if sibling.size not in (None, sibling.lfs.size):
        raise errors.WrongSize(
            sentence(
                "The hub tells two sizes of {rfilename}, so Hearth does not download it.", rfilename=sibling.rfilename
            )
        )
    return RemoteFile(sibling.rfilename, sibling.lfs.size, sibling.lfs.sha256)


def _licence(info: _Info) -> str:
    """The licence in the card, or else in the tags, without control characters, which a terminal would obey."""
    card = info.cardData or {}
    named = card.get("license_name") if card.get("license") == "other" else None
    told = named or card.get("license")
    if isinstance(told, list):
        told = ", ".join(str(name) for name in told)
    tagged = next((tag.removeprefix("license:") for tag in info.tags or () if tag.startswith("license:")), "")
    return "".join(filter(str.isprintable, str(told or tagged)[:_LONGEST_LICENCE]))
