"""The window keeps the user's token and says where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.base import paths
from app.hub.network_thread import NetworkThread
from app.hub.token import TokenPlace, TokenStore
from app.hub.token_setting import FORGOTTEN, KEYCHAIN, TokenSetting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.state import Notice


class Scene:
    """The setting, and what it says."""

    def __init__(self, home: Path) -> None:
        self.store = TokenStore(paths.under(home))
        self.network = NetworkThread()
        self.notices: list[Notice] = []
        self.setting = TokenSetting(self.store, self.network, self.notices.append)

    def keep(self, token: str, qtbot: QtBot) -> str:
        """Keep a token. Returns the notice."""
        self.notices.clear()
        self.setting.keep(token)
        qtbot.waitUntil(lambda: bool(self.notices))
        return self.notices[0].text


@pytest.fixture
def scene(home: Path) -> Iterator[Scene]:
    scene = Scene(home)
    yield scene
    scene.network.close()


def test_the_file_is_named_where_there_is_no_keychain(scene: Scene, qtbot: QtBot) -> None:
    """The user knows where the token lies. An empty token forgets it."""
    file = scene.store.file
    assert scene.keep("hf_x", qtbot) == (
        f"This system has no keychain, so your token is in {file}, which only you can read."
    )
    assert file.exists()
    assert scene.keep("", qtbot) == FORGOTTEN
    assert not file.exists()


def test_the_keychain_is_named(scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """No path is shown."""
    monkeypatch.setattr(scene.store, "keep", lambda _token: TokenPlace.KEYCHAIN)
    assert scene.keep("hf_x", qtbot) == KEYCHAIN


def test_a_refusal_is_shown(scene: Scene, qtbot: QtBot) -> None:
    """In the words of the error; the notice does not repeat the text."""
    told = scene.keep("not a token", qtbot)
    assert told == "This is no token: a token has no spaces and only plain letters."
