"""The greeting of an empty chat."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from resources import DEMO_MODEL
from resources.language import catalogue, text
from resources.language.formats import FORMATS
from ui.chat.greeting import Greeting


def test_what_becomes_of_a_private_chat_is_seen_whole(qtbot: QtBot) -> None:
    """Also in the smallest window, in which it takes two lines."""
    greeting = Greeting()
    qtbot.addWidget(greeting)
    greeting.set_private(True)
    greeting.resize(448, 340)
    greeting.show()
    text = greeting.explanation
    assert text.width() <= 448
    assert text.height() >= text.heightForWidth(text.width()) > text.fontMetrics().height()


def test_examples_are_there_whole_or_not_at_all(qtbot: QtBot) -> None:
    """They are hidden in a window that is too low, and shown again when there is room."""
    page = QWidget()
    qtbot.addWidget(page)
    greeting = Greeting(page)
    page.show()
    for height, shown in ((340, True), (150, False), (240, True)):
        greeting.resize(448, height)
        buttons = [button for button in greeting.findChildren(QPushButton) if button.isVisible()]
        assert bool(buttons) is shown
        assert all(0 <= button.y() <= greeting.height() - button.height() for button in buttons)


def test_no_example_is_cut_at_the_side(qtbot: QtBot) -> None:
    """In the narrow half of two chats they take its width, and one that needs more is not shown."""
    page = QWidget()
    qtbot.addWidget(page)
    greeting = Greeting(page)
    page.show()
    shown = []
    for width in (700, 345, 200):
        greeting.resize(width, 400)
        buttons = [button for button in greeting.findChildren(QPushButton) if button.isVisible()]
        edges = [button.mapTo(greeting, button.rect().topLeft()).x() for button in buttons]
        assert all(0 <= left <= width - button.width() for left, button in zip(edges, buttons, strict=True))
        assert all(button.width() >= button.sizeHint().width() for button in buttons)
        shown.append(len(buttons))
    assert shown[0] == 3
    assert shown[1] >= 1


def test_all_examples_are_equally_wide(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if one of them needs more room than the others, as in another language."""
    monkeypatch.setattr("ui.chat.greeting.EXAMPLES", ("Why?", "Tell me a story " * 6))
    greeting = Greeting()
    qtbot.addWidget(greeting)
    greeting.resize(1000, 400)
    greeting.show()
    short, long = greeting.findChildren(QPushButton)
    assert short.width() == long.width() >= long.sizeHint().width()


def test_the_built_in_model_gets_its_examples_in_english(qtbot: QtBot) -> None:
    """It reads no other language. A click asks what the button says."""
    text.install(text.Language("de", catalogue.read("de"), FORMATS["de"]))
    greeting = Greeting()
    qtbot.addWidget(greeting)
    button = greeting.findChild(QPushButton, "example0")
    assert button is not None
    picked: list[str] = []
    greeting.example_picked.connect(picked.append)
    for model in ("/models/a", str(DEMO_MODEL)):
        greeting.set_model(model, 1)
        button.click()
    text.install(text.Language())
    assert picked == ["Was kann Hearth?", "What can Hearth do?"]
