"""The notice about the model that answered a chat last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.desktop.last_model import KEY, LastModel
from app.models.names import DEMO
from storage.library.rows import Conversation
from tests.fakes.window import FakeWindow

CHAT = Conversation("c", "Fox", titled=False, system="", preset="balanced", model="", created=0, updated=0, leaf="m")


@pytest.fixture
def window() -> FakeWindow:
    return FakeWindow()


@pytest.fixture
def current() -> list[str]:
    """The model that answers now is the last one here."""
    return ["/models/now"]


@pytest.fixture
def last(window: FakeWindow, current: list[str]) -> LastModel:
    return LastModel(window, lambda: current[-1], lambda model: Path(model).name)


def test_a_chat_names_the_model_that_answered_it_last(window: FakeWindow, last: LastModel, tmp_path: Path) -> None:
    """Once for each chat, and only in that chat. The button leads to that model."""
    chat = replace(CHAT, model=str(tmp_path))
    last.opened(chat)
    notice = window.notices[KEY + "c"]
    assert notice.text == f"{tmp_path.name} answered this chat last. now answers now."
    assert (notice.action, notice.conversation) == (f"Use {tmp_path.name}", "c")
    assert last.take(KEY + "c") == str(tmp_path)
    assert window.notices == {}
    last.opened(chat)
    assert window.notices == {}


@pytest.mark.parametrize("model", ["", DEMO, "/models/now", "/models/away"])
def test_nothing_is_said_if_nothing_can_be_done(window: FakeWindow, last: LastModel, model: str) -> None:
    """The same model, the built-in one, and one that is not on this computer any more."""
    last.opened(replace(CHAT, model=model))
    assert window.notices == {}


def test_nothing_is_said_of_a_chat_without_an_answer(window: FakeWindow, last: LastModel, tmp_path: Path) -> None:
    """It has no model yet."""
    last.opened(replace(CHAT, model=str(tmp_path), leaf=None))
    assert window.notices == {}


def test_the_notice_goes_when_it_is_no_longer_true(
    window: FakeWindow, last: LastModel, current: list[str], tmp_path: Path
) -> None:
    """After an answer, and when that model answers again."""
    for name in "ab":
        last.opened(replace(CHAT, id=name, model=str(tmp_path)))
    last.answered("a")
    assert list(window.notices) == [KEY + "b"]
    last.switched()
    assert list(window.notices) == [KEY + "b"]
    current.append(str(tmp_path))
    last.switched()
    assert window.notices == {}
