"""The transcript as a widget: streaming, history, following, clicking."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor

from tests.fakes.documents import shown, texts
from ui.state import MessageState, MessageView
from ui.theme import DARK, LIGHT
from ui.transcript import FLUSH_MS, HISTORY_CHARACTERS, Transcript
from ui.transcript_rows import Action

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

ANSWER = """Some **words** and `code`.

- one
- two

```python
def f():
    return 1
```

| a | b |
|---|---|
| 1 | 2 |

The end.
"""
USER = MessageView("u", "user", "Question?")
OPEN = MessageView("a", "assistant", "", MessageState.OPEN)
DONE = MessageView("a", "assistant", ANSWER, footer="9 tokens")


def make(qtbot: QtBot, *views: MessageView) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages(views)
    return transcript


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = make(qtbot, USER, OPEN)
    made.show()
    return made


def stream(qtbot: QtBot, transcript: Transcript, text: str, step: int = 7) -> None:
    for start in range(0, len(text), step):
        transcript.append_delta("a", text[start : start + step])
        if start % (step * 10) == 0:
            settle(qtbot, transcript)
    settle(qtbot, transcript)


def settle(qtbot: QtBot, transcript: Transcript) -> None:
    qtbot.waitUntil(lambda: not transcript._flush_timer.isActive() and not transcript._older_timer.isActive())


def long_history(count: int, text: str = "word " * 30) -> tuple[MessageView, ...]:
    return tuple(MessageView(f"m{at}", "assistant", f"{at} {text}") for at in range(count))


def test_streamed_answer_is_shown(qtbot: QtBot, transcript: Transcript) -> None:
    """Words appear while the answer is open, without markup."""
    stream(qtbot, transcript, "Some **words** here")
    assert texts(transcript.document(), "text") == ["Some words here"]


def test_finished_stream_equals_the_message_shown_at_once(qtbot: QtBot, transcript: Transcript) -> None:
    """A tab that saw the answer arrive and one that was opened later show the same."""
    stream(qtbot, transcript, ANSWER)
    transcript.replace_message(DONE)
    fresh = make(qtbot, USER, DONE)
    fresh.show()
    assert shown(transcript.document()) == shown(fresh.document())


def test_many_deltas_are_one_edit(qtbot: QtBot, transcript: Transcript) -> None:
    """What comes within a frame is written at once, once."""
    with qtbot.waitSignal(transcript.document().contentsChanged):
        for word in ("one ", "two ", "three"):
            transcript.append_delta("a", word)
        assert texts(transcript.document(), "text") == [""]
    assert texts(transcript.document(), "text") == ["one two three"]


def test_a_costly_flush_is_followed_by_a_longer_rest(
    qtbot: QtBot, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A huge paragraph leaves time for everything else."""
    moments = iter([10.0, 10.1, 20.0, 20.001])
    monkeypatch.setattr("ui.transcript.time.perf_counter", lambda: next(moments))
    stream(qtbot, transcript, "one")
    assert transcript._rest_ms == 400
    stream(qtbot, transcript, "two")
    assert transcript._rest_ms == FLUSH_MS


def test_hidden_tab_catches_up(qtbot: QtBot, transcript: Transcript) -> None:
    """While hidden nothing is written; when shown, all is there."""
    hidden = make(qtbot, USER, OPEN)
    stream(qtbot, hidden, ANSWER)
    stream(qtbot, transcript, ANSWER)
    assert texts(hidden.document()) == [""]
    assert not hidden._flush_timer.isActive()
    hidden.show()
    assert shown(hidden.document()) == shown(transcript.document())


def test_tab_hidden_half_way_catches_up(qtbot: QtBot, transcript: Transcript) -> None:
    """Also messages that came, changed and went meanwhile."""
    stream(qtbot, transcript, ANSWER[:30])
    transcript.hide()
    stream(qtbot, transcript, ANSWER[30:])
    transcript.replace_message(DONE)
    transcript.add_message(MessageView("u2", "user", "Never mind"))
    transcript.add_message(MessageView("u3", "user", "More"))
    transcript.remove_message("u2")
    transcript.show()
    fresh = make(qtbot, USER, DONE, MessageView("u3", "user", "More"))
    fresh.show()
    assert shown(transcript.document()) == shown(fresh.document())


def test_new_theme_keeps_the_content(transcript: Transcript) -> None:
    """Other colours, the same words; hidden ones change when shown."""
    transcript.replace_message(DONE)
    before, words = shown(transcript.document()), texts(transcript.document())
    transcript.set_theme(DARK)
    assert texts(transcript.document()) == words
    assert shown(transcript.document()) != before
    transcript.hide()
    transcript.set_theme(LIGHT)
    transcript.show()
    assert shown(transcript.document()) == before


def test_new_theme_reaches_a_long_history(qtbot: QtBot) -> None:
    """The newest messages change at once, the others soon; the end stays in sight."""
    transcript, fresh = make(qtbot, *long_history(100)), make(qtbot, *long_history(100))
    fresh.set_theme(DARK)
    for one in (transcript, fresh):
        one.show()
        settle(qtbot, one)
    transcript.set_theme(DARK)
    assert 0 < transcript._first < 99
    settle(qtbot, transcript)
    assert shown(transcript.document()) == shown(fresh.document())
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_new_theme_keeps_the_place_that_is_read(qtbot: QtBot) -> None:
    """Away from the end nothing moves."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(1000)
    transcript.set_theme(DARK)
    settle(qtbot, transcript)
    assert transcript.verticalScrollBar().value() == 1000
    assert len(texts(transcript.document(), "text")) == 100


def test_selection_survives_what_is_appended(qtbot: QtBot, transcript: Transcript) -> None:
    """Text that arrives right behind a selection does not join it."""
    stream(qtbot, transcript, "Select me")
    cursor = transcript.textCursor()
    start, end = transcript.sheet.bounds(1)
    cursor.setPosition(start)
    cursor.setPosition(end - 1, QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    stream(qtbot, transcript, ", please.\n\nMore.")
    assert transcript.textCursor().selectedText() == "Select me"


def test_view_follows_the_end(qtbot: QtBot, transcript: Transcript) -> None:
    """At the end it stays at the end."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()


def test_view_stays_where_the_user_scrolled(qtbot: QtBot, transcript: Transcript) -> None:
    """Away from the end nothing moves, and a button leads back."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(bar.maximum() - 41)
    value = bar.value()
    stream(qtbot, transcript, ANSWER * 2, 40)
    assert bar.value() == value
    assert transcript._newest.isVisible()
    transcript._newest.click()
    assert bar.value() == bar.maximum()
    assert not transcript._newest.isVisible()


def test_view_follows_within_forty_pixels(qtbot: QtBot, transcript: Transcript) -> None:
    """A nudge does not count as leaving."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(bar.maximum() - 40)
    stream(qtbot, transcript, ANSWER, 40)
    assert bar.value() == bar.maximum()


def test_own_message_is_scrolled_to(qtbot: QtBot, transcript: Transcript) -> None:
    """Who sends something wants to see it."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(0)
    transcript.add_message(MessageView("u2", "user", "And?"))
    assert bar.value() == bar.maximum()


def test_long_history_opens_at_its_end(qtbot: QtBot) -> None:
    """The newest messages are there at once, the others follow; the view does not move."""
    transcript = make(qtbot, *long_history(150))
    transcript.show()
    first = texts(transcript.document(), "text")
    assert 0 < len(first) < 150
    assert first[-1].startswith("149 ")
    settle(qtbot, transcript)
    assert [text.split()[0] for text in texts(transcript.document(), "text")] == [str(at) for at in range(150)]
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_older_messages_do_not_move_what_is_read(qtbot: QtBot) -> None:
    """Away from the end the same words stay at the same height."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() - 300)
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.sheet.bounds(98)[0])
    before = transcript.cursorRect(cursor).top()
    settle(qtbot, transcript)
    cursor.setPosition(transcript.sheet.bounds(98)[0])
    assert transcript._first == 0
    assert abs(transcript.cursorRect(cursor).top() - before) <= 1


def test_very_long_history_waits_for_the_user(qtbot: QtBot) -> None:
    """Loading stops at a limit and goes on when the user scrolls up."""
    transcript = make(qtbot, *long_history(60, "word " * 2_000))
    transcript.show()
    settle(qtbot, transcript)
    first = transcript._first
    assert first > 0
    assert HISTORY_CHARACTERS <= transcript._shown_characters < HISTORY_CHARACTERS + 20_000
    transcript.verticalScrollBar().setValue(0)
    settle(qtbot, transcript)
    assert transcript._first < first


def test_change_of_a_message_that_is_not_loaded_is_shown_later(qtbot: QtBot) -> None:
    """What is far above does not get lost."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    transcript.replace_message(MessageView("m0", "assistant", "changed"))
    transcript.remove_message("m1")
    settle(qtbot, transcript)
    assert [text.split()[0] for text in texts(transcript.document(), "text")[:2]] == ["changed", "2"]


def test_showing_others_replaces_all(transcript: Transcript) -> None:
    """Nothing of the former messages stays."""
    transcript.show_messages((MessageView("x", "user", "Only this"),))
    assert texts(transcript.document(), "bubble", "text", "footer") == ["Only this"]


@pytest.mark.parametrize("verb", ["continue", "retry"])
def test_offers_ask_with_the_message(qtbot: QtBot, transcript: Transcript, verb: str) -> None:
    """Continue and Try again name the reply they stand under."""
    transcript.replace_message(MessageView("a", "assistant", "Some", MessageState.INTERRUPTED))
    hrefs = [run[3] for block in shown(transcript.document()) for run in block[3]]
    href = next(href for href in hrefs if href.startswith(f"hearth:{verb}"))
    with qtbot.waitSignal(getattr(transcript, f"{verb}_requested")) as asked:
        transcript.anchorClicked.emit(QUrl(href))
    assert asked.args == ["a"]


def test_copy_gives_the_markdown_and_says_so(transcript: Transcript) -> None:
    """The clipboard holds what the model wrote."""
    transcript.replace_message(DONE)
    transcript.anchorClicked.emit(QUrl(Action("copy", "a").href))
    assert QGuiApplication.clipboard().text() == ANSWER
    transcript.anchorClicked.emit(QUrl(Action("copy", "a", 0).href))
    assert QGuiApplication.clipboard().text() == "def f():\n    return 1\n"
    assert "Copied" in texts(transcript.document(), "code head")[0]
    transcript._forget_copied()
    assert "Copied" not in texts(transcript.document(), "code head")[0]


class Opener(QObject):
    """Stands for the system's browser."""

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
    """A file is never opened, whatever a text says."""
    with qtbot.waitSignal(transcript.link_opened) as told:
        transcript.anchorClicked.emit(QUrl("https://a.example/x"))
    assert told.args == ["https://a.example/x"]
    with qtbot.assertNotEmitted(transcript.link_opened):
        transcript.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert opener.opened == ["https://a.example/x"]


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
    """Nothing a model writes breaks the page, while it streams or at the end."""
    stream(qtbot, transcript, text, 20_000)
    transcript.replace_message(MessageView("a", "assistant", text))
    transcript.grab()
    start, end = transcript.sheet.bounds(1)
    assert end > start
    assert end == transcript.document().characterCount() - 1


def test_hostile_question_is_shown(qtbot: QtBot) -> None:
    """Nor anything a user pastes."""
    transcript = make(qtbot, MessageView("u", "user", "\0\ufdd0 \ud800\n" + "x" * 100_000))
    transcript.show()
    transcript.grab()
    assert len(texts(transcript.document(), "bubble")[0]) > 100_000


def test_a_flush_at_20k_characters_is_cheap(qtbot: QtBot, transcript: Transcript) -> None:
    """One more word in a long answer costs what the word costs."""
    stream(qtbot, transcript, ANSWER * (20_000 // len(ANSWER)), 2_000)
    costs = []
    for _ in range(30):
        transcript._messages.append("a", "word ")
        start = time.thread_time()
        transcript._flush()
        costs.append(time.thread_time() - start)
    assert sorted(costs)[15] < 0.02


def test_accessible(transcript: Transcript) -> None:
    """A screen reader hears what the parts are."""
    assert transcript.accessibleName()
    assert transcript._newest.accessibleName()
