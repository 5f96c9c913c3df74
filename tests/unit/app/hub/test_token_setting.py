"""The window keeps the user's token and says where it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base import paths
from app.base.background import Background
from app.hub.token import TokenPlace, TokenStore
from app.hub.token_setting import TokenSetting
from ui.intents.notice import Notice
from ui.store import Store


class Scene:
    """The setting, and what it says."""

    def __init__(self, home: Path) -> None:
        self.store = Store()
        self.tokens = TokenStore(paths.under(home))
        self.network = Background("network")
        self.notices: list[Notice] = []
        self.places: list[str] = []
        self.repeated: list[int] = []
        self.store.token_place.follow(self.places.append)
        self.places.clear()  # the default
        self.setting = TokenSetting(self.tokens, self.network, self, lambda: self.repeated.append(1))

    def show_notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    def clear_notice(self, key: str) -> None:
        self.notices = [notice for notice in self.notices if notice.key != key]

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
    file = scene.tokens.file
    assert scene.keep("hf_x", qtbot) == (
        f"This system has no keychain, so your token is in {file}, which only you can read."
    )
    assert file.exists()
    assert scene.keep("", qtbot) == "Hearth has forgotten your token."
    assert not file.exists()


def test_the_keychain_is_named(scene: Scene, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """No path is shown."""
    monkeypatch.setattr(scene.tokens, "keep", lambda _token: TokenPlace.KEYCHAIN)
    assert scene.keep("hf_x", qtbot) == "Your token is in the system's keychain."


def test_a_refusal_is_shown(scene: Scene, qtbot: QtBot) -> None:
    """In the words of the error; the notice does not repeat the text."""
    told = scene.keep("not a token", qtbot)
    assert told == "This is no token: a token has no spaces and only plain letters."


def test_the_window_shows_that_a_token_is_kept(scene: Scene, qtbot: QtBot) -> None:
    """From the first look on, which is the only one: a keychain may ask the user."""
    scene.tokens.keep("hf_x")
    for _ in range(2):
        scene.setting.look()
    qtbot.waitUntil(lambda: bool(scene.places))
    assert scene.keep("", qtbot) == "Hearth has forgotten your token."
    assert scene.places == ["a file that only you can read", ""]


def test_a_token_that_is_kept_is_told(scene: Scene, qtbot: QtBot) -> None:
    """What failed without it can be repeated. A token that is forgotten or refused repeats nothing."""
    for token in ("not a token", "", "hf_x"):
        scene.keep(token, qtbot)
    assert scene.repeated == [1]
