"""Fetching one small file from a server on this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.updates import fetch
from app.updates.fetch import LARGEST, Fetcher
from tests.fakes.web import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.base.errors import UpdateNotChecked
    from tests.fakes.web import Web


class Asker:
    """Requests a file, waits, and records the outcome."""

    def __init__(self, qtbot: QtBot, patience_s: float = 10.0) -> None:
        self.fetch = Fetcher(patience_s)
        self._qtbot = qtbot
        self.came: list[bytes] = []
        self.faults: list[str] = []

    def ask(self, url: str) -> None:
        self.begin(url)
        self._qtbot.waitUntil(lambda: bool(self.came or self.faults), timeout=10_000)
        assert not self.fetch.is_busy

    def begin(self, url: str) -> None:
        self.came, self.faults = [], []
        self.fetch.begin(url, self.came.append, self._fail)

    def _fail(self, error: UpdateNotChecked) -> None:
        self.faults.append(str(error))


@pytest.fixture
def asker(qtbot: QtBot) -> Iterator[Asker]:
    asker = Asker(qtbot)
    yield asker
    asker.fetch.close()


def test_file_comes_whole(asker: Asker, web: Web) -> None:
    """Every byte arrives, up to the limit, and so does the next file."""
    for body in (b"", b"words", bytes(range(256)) * (LARGEST // 256)):
        web.answers["/a"] = Answer(body)
        asker.ask(web.url("/a"))
        assert (asker.came, asker.faults) == ([body], [])


def test_the_request_says_nothing_about_the_user(asker: Asker, web: Web) -> None:
    """A request says "Hearth" and nothing else: no version, no system, no language, no earlier cookie."""
    web.answers["/a"] = Answer(b"x", headers={"Set-Cookie": "who=you"})
    for _ in range(2):
        asker.ask(web.url("/a"))
    for _, headers in web.asked:
        assert {name.lower(): value for name, value in headers.items()} == {
            "host": f"127.0.0.1:{web.port}",
            "user-agent": "Hearth",
            "accept-encoding": "identity",
            "accept-language": "*",
            "cache-control": "no-cache",
            "pragma": "no-cache",
            "connection": "Keep-Alive",
        }


def test_too_large_a_file_is_left(asker: Asker, web: Web) -> None:
    """One byte too many is refused, and an endless file is not read to its end."""
    web.answers["/one"] = Answer(b"x" * (LARGEST + 1))
    web.answers["/lots"] = Answer(b"x" * (LARGEST * 40))
    for path in ("/one", "/lots"):
        asker.ask(web.url(path))
        assert (asker.came, asker.faults) == ([], ["The file about updates is too large."])


def test_small_file_that_unpacks_to_a_large_one_is_not_unpacked(asker: Asker, web: Web) -> None:
    """The limit counts the bytes on the wire."""
    web.answers["/zip"] = Answer(b"\x1f\x8b not unpacked", headers={"Content-Encoding": "gzip"})
    asker.ask(web.url("/zip"))
    assert (asker.came, asker.faults) == ([b"\x1f\x8b not unpacked"], [])


@pytest.mark.parametrize("status", [204, 304, 404, 500])
def test_a_missing_file_is_reported(asker: Asker, web: Web, status: int) -> None:
    """An error page does not count as the file."""
    web.answers["/a"] = Answer(b"" if status < 400 else b"page", status)
    asker.ask(web.url("/a"))
    assert asker.came == []
    assert len(asker.faults) == 1


def test_a_few_redirects_are_followed(asker: Asker, web: Web) -> None:
    """A redirect is followed; a loop of redirects is not."""
    web.answers["/a"] = Answer(status=302, headers={"Location": "/b"})
    web.answers["/b"] = Answer(b"here")
    asker.ask(web.url("/a"))
    assert asker.came == [b"here"]
    web.answers["/b"] = Answer(status=302, headers={"Location": "/a"})
    asker.ask(web.url("/a"))
    assert (len(asker.faults), asker.came) == (1, [])


@pytest.mark.parametrize(
    "url", ["", "file:///etc/hostname", "ftp://127.0.0.1/x", "data:,x", "http://127.0.0.1:1/x", "::"]
)
def test_only_the_web_is_asked(asker: Asker, url: str) -> None:
    """No address reads a file of this computer, and a refused connection is a normal failure."""
    asker.ask(url)
    assert (asker.came, len(asker.faults)) == ([], 1)


def test_redirect_to_a_file_is_not_followed(asker: Asker, web: Web) -> None:
    """A server cannot make Hearth read a local file."""
    web.answers["/a"] = Answer(status=302, headers={"Location": "file:///etc/hostname"})
    asker.ask(web.url("/a"))
    assert (asker.came, len(asker.faults)) == ([], 1)


def test_patience_ends(qtbot: QtBot, web: Web) -> None:
    """A server that accepts the request and sends nothing is given up."""
    web.answers["/a"] = Answer(held=True)
    asker = Asker(qtbot, patience_s=0.2)
    asker.ask(web.url("/a"))
    assert asker.faults == ["The file about updates cannot be fetched (OperationCanceledError)."]


def test_closing_leaves_nothing_behind(asker: Asker, web: Web, qtbot: QtBot) -> None:
    """After closing, no callback is called."""
    web.answers["/a"] = Answer(held=True)
    asker.begin(web.url("/a"))
    qtbot.waitUntil(lambda: bool(web.asked))
    asker.fetch.close()
    assert (asker.came, asker.faults, asker.fetch.is_busy) == ([], [], False)


def test_address_can_be_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """`HEARTH_UPDATE_URL` replaces the built-in address."""
    monkeypatch.delenv("HEARTH_UPDATE_URL", raising=False)
    assert fetch.address() == fetch.ADDRESS
    assert fetch.ADDRESS.startswith("https://")
    monkeypatch.setenv("HEARTH_UPDATE_URL", "http://127.0.0.1/x")
    assert fetch.address() == "http://127.0.0.1/x"
