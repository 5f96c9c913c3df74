"""The transcript as a widget: its theme, its actions, its links, and text of any kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QPoint, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from tests.fakes.documents import runs, shown, texts
from tests.fakes.intents import heard, unasked
from tests.fakes.pages import settle
from tests.fakes.transcripts import ANSWER, DONE, USER, long_history, make, stream
from ui.intents.chat import ChatIntent, Extend, Fork, Regenerate, Step
from ui.state.chat import MessageView
from ui.theme.theme import DARK, LIGHT
from ui.transcript import clicks
from ui.transcript.anchors import AnchorAction, Verb
from ui.transcript.transcript import Transcript


def test_a_new_theme_keeps_the_content(transcript: Transcript) -> None:
    """The colours change, the text does not. A hidden tab changes when it is shown."""
    transcript.replace_message(DONE)
    before, words = shown(transcript.document()), texts(transcript.document())
    transcript.look.set_theme(DARK)
    assert texts(transcript.document()) == words
    assert shown(transcript.document()) != before
    transcript.hide()
    transcript.look.set_theme(LIGHT)
    transcript.show()
    assert shown(transcript.document()) == before


def test_a_new_theme_reaches_a_long_history(qtbot: QtBot) -> None:
    """What is in view changes at once, the others in chunks, and the view stays at the end."""
    transcript, fresh = make(qtbot, *long_history(100)), make(qtbot, *long_history(100))
    fresh.look.set_theme(DARK)
    for one in (transcript, fresh):
        one.show()
        settle(qtbot, one)
    transcript.look.set_theme(DARK)
    assert transcript.writer.is_stale
    settle(qtbot, transcript)
    assert shown(transcript.document()) == shown(fresh.document())
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_a_new_theme_keeps_the_scroll_position(qtbot: QtBot) -> None:
    """Away from the end, the view does not move."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(1000)
    transcript.look.set_theme(DARK)
    settle(qtbot, transcript)
    assert transcript.verticalScrollBar().value() == 1000
    assert len(texts(transcript.document(), "text")) == 100


def test_a_new_theme_reaches_what_is_in_view_first(qtbot: QtBot) -> None:
    """The rest follows in pieces, of which none is long. What is selected stays selected."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(2_000)
    cursor = transcript.textCursor()
    cursor.setPosition(900)
    cursor.setPosition(1_200, QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    transcript.verticalScrollBar().setValue(2_000)
    changed: list[int] = []
    transcript.document().contentsChange.connect(lambda _at, _removed, added: changed.append(added))
    transcript.look.set_theme(DARK)
    blocks = [transcript.cursorForPosition(QPoint(100, y)).block() for y in range(0, 500, 10)]
    assert {run[1] for block in blocks for run in runs(block) if run[0].strip()} <= {DARK.text, DARK.accent}
    assert not transcript.is_settled
    settle(qtbot, transcript)
    assert not transcript.writer.is_stale
    assert max(changed) < 5_000 < sum(changed)
    assert (transcript.textCursor().anchor(), transcript.textCursor().position()) == (900, 1_200)
    assert transcript.verticalScrollBar().value() == 2_000


def test_showing_other_messages_replaces_all(transcript: Transcript) -> None:
    """Nothing of the former messages stays."""
    transcript.show_messages((MessageView("x", "user", "Only this"),))
    assert texts(transcript.document(), "bubble", "text", "footer") == ["Only this"]


@pytest.mark.parametrize(
    ("verb", "number", "intent"),
    [
        ("extend", -1, Extend("a")),
        ("regenerate", -1, Regenerate("a")),
        ("alternatives", 3, Regenerate("a", 3)),
        ("fork", -1, Fork("a")),
        ("step", -1, Step("a", -1)),
    ],
)
def test_actions_carry_their_message(transcript: Transcript, verb: Verb, number: int, intent: ChatIntent) -> None:
    """A click reports the message that it belongs to."""
    reported = heard(transcript)
    transcript.anchorClicked.emit(QUrl(AnchorAction(verb, "a", number).href))
    assert reported == [intent]


def test_the_pencil_starts_an_edit_of_its_message(qtbot: QtBot, transcript: Transcript) -> None:
    """The edit itself is written elsewhere, so that nothing is asked of the app yet."""
    with qtbot.waitSignal(transcript.edit_started) as started, unasked(transcript):
        transcript.anchorClicked.emit(QUrl(AnchorAction("edit", "a").href))
    assert started.args == ["a"]


def test_copying_gives_the_markdown(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clipboard holds the text as the model wrote it, and the icon says "Copied" for a moment."""
    monkeypatch.setattr(clicks, "COPIED_MS", 50)
    transcript = make(qtbot, USER, DONE)
    transcript.show()
    transcript.anchorClicked.emit(QUrl(AnchorAction("copy", "a").href))
    assert QGuiApplication.clipboard().text() == ANSWER
    transcript.anchorClicked.emit(QUrl(AnchorAction("copy", "a", 0).href))
    assert QGuiApplication.clipboard().text() == "def f():\n    return 1\n"
    assert "Copied" in texts(transcript.document(), "code head")[0]
    qtbot.waitUntil(lambda: "Copied" not in texts(transcript.document(), "code head")[0])


class Opener(QObject):
    """Replaces the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def opener() -> Iterator[Opener]:
    made = Opener()
    for scheme in ("https", "file"):
        QDesktopServices.setUrlHandler(scheme, made, "open")  # type: ignore[arg-type]  # Qt refuses the bytes that the stub asks for
    yield made
    for scheme in ("https", "file"):
        QDesktopServices.unsetUrlHandler(scheme)


def test_only_web_links_are_opened(qtbot: QtBot, transcript: Transcript, opener: Opener) -> None:
    """A link to a file is never opened."""
    for address in ("https://a.example/x", "file:///etc/passwd"):
        with qtbot.assertNotEmitted(transcript.link_refused):
            transcript.anchorClicked.emit(QUrl(address))
    assert opener.opened == ["https://a.example/x"]


def test_a_link_that_nothing_opens_is_reported(
    qtbot: QtBot, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a system without a browser."""
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    with qtbot.waitSignal(transcript.link_refused) as refused:
        transcript.anchorClicked.emit(QUrl("https://a.example/x"))
    assert refused.args == ["https://a.example/x"]


@pytest.mark.parametrize(
    "text",
    [
        "<img src='file:///etc/passwd'>![x](file:///etc/passwd)",
        "long " * 20_000,
        "x" * 100_000,
        "> " * 200 + "deep",
        "- " * 30 + "deep",
        "```py\nnever closed\n\n",
        "\0\ufdd0\ufdd1\u2029\ud800",
        "שלום **עולם** `a` 👩\u200d👧\u202e",
        "|a|b|\n|-|-|\n|" + "x" * 5_000,
    ],
    ids=["html", "words", "word", "quotes", "lists", "fence", "controls", "bidi", "table"],
)
def test_hostile_text_is_shown(qtbot: QtBot, transcript: Transcript, text: str) -> None:
    """No text of a model breaks the page, while it streams or at its end."""
    stream(qtbot, transcript, text, 20_000)
    transcript.replace_message(MessageView("a", "assistant", text))
    transcript.grab()
    start, end = transcript.writer.bounds(1)
    assert end > start
    assert end == transcript.document().characterCount() - 1


def test_a_hostile_question_is_shown(qtbot: QtBot) -> None:
    """No text that a user pastes breaks the page."""
    transcript = make(qtbot, MessageView("u", "user", "\0\ufdd0 \ud800\n" + "x" * 100_000))
    transcript.show()
    transcript.grab()
    assert len(texts(transcript.document(), "bubble")[0]) < 1_000
    transcript.unfold("u")
    transcript.grab()
    assert len(texts(transcript.document(), "bubble")[0]) > 100_000


def test_a_screen_reader_can_name_the_parts(transcript: Transcript) -> None:
    """The transcript and its button have accessible names."""
    assert transcript.accessibleName()
    assert transcript.scrolling.newest_button.accessibleName()
