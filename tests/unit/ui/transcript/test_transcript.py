"""The transcript as a widget: streaming, history, following, clicking."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QObject, QPoint, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QMenu

from tests.fakes.documents import shown, texts
from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.pages import settle
from ui.intents.chat import ChatIntent, Extend, Fork, Retry, Step
from ui.state.chat import MessageState, MessageView, ToolView
from ui.theme.theme import DARK, LIGHT
from ui.transcript.anchors import AnchorAction
from ui.transcript.pending_messages import HISTORY_CHARACTERS
from ui.transcript.transcript import FLUSH_MS, Transcript

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPaintEvent
    from pytestqt.qtbot import QtBot

    from ui.theme.theme import Theme
    from ui.transcript.anchors import Verb

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


def make(qtbot: QtBot, *views: MessageView, **how: Any) -> Transcript:
    transcript = Transcript(LIGHT, **how)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages(views)
    return transcript


class Painted(Transcript):
    """Notes how many messages it has at each paint."""

    def __init__(self, theme: Theme) -> None:
        self.painted: list[int] = []
        super().__init__(theme)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self.painted.append(len(self.loaded))
        super().paintEvent(event)


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


def long_history(count: int, text: str = "word " * 30) -> tuple[MessageView, ...]:
    return tuple(MessageView(f"m{at}", "assistant", f"{at} {text}") for at in range(count))


def test_a_streamed_answer_is_shown(qtbot: QtBot, transcript: Transcript) -> None:
    """Text appears without Markdown syntax while the answer is open."""
    stream(qtbot, transcript, "Some **words** here")
    assert texts(transcript.document(), "text") == ["Some words here"]


def test_a_finished_stream_equals_the_message_shown_at_once(qtbot: QtBot, transcript: Transcript) -> None:
    """A tab that streamed the answer and a tab that was opened later show the same."""
    stream(qtbot, transcript, ANSWER)
    transcript.replace_message(DONE)
    fresh = make(qtbot, USER, DONE)
    fresh.show()
    assert shown(transcript.document()) == shown(fresh.document())


def test_many_deltas_are_one_edit(qtbot: QtBot, transcript: Transcript) -> None:
    """The deltas of one frame are written together."""
    with qtbot.waitSignal(transcript.document().contentsChanged):
        for word in ("one ", "two ", "three"):
            transcript.append_delta("a", word)
        assert texts(transcript.document(), "text") == [""]
    assert texts(transcript.document(), "text") == ["one two three"]


def test_a_costly_flush_is_followed_by_a_longer_rest(qtbot: QtBot) -> None:
    """A huge paragraph leaves time for other work."""
    moments = iter([10.0, 10.0, 10.1, 20.0, 20.0, 20.001])
    transcript = make(qtbot, USER, OPEN, clock=lambda: next(moments))
    transcript.show()
    stream(qtbot, transcript, "one")
    assert transcript.rest_ms == 400
    stream(qtbot, transcript, "two")
    assert transcript.rest_ms == FLUSH_MS


def test_a_hidden_tab_catches_up(qtbot: QtBot, transcript: Transcript) -> None:
    """A hidden tab writes nothing. It shows everything when it is shown."""
    hidden = make(qtbot, USER, OPEN)
    stream(qtbot, hidden, ANSWER)
    stream(qtbot, transcript, ANSWER)
    assert texts(hidden.document()) == [""]
    assert hidden.is_settled
    hidden.show()
    assert shown(hidden.document()) == shown(transcript.document())


def test_a_tab_hidden_during_an_answer_catches_up(qtbot: QtBot, transcript: Transcript) -> None:
    """It also shows messages that were added, changed and removed meanwhile."""
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


def test_a_new_theme_keeps_the_content(transcript: Transcript) -> None:
    """The colours change, the text does not. A hidden tab changes when it is shown."""
    transcript.replace_message(DONE)
    before, words = shown(transcript.document()), texts(transcript.document())
    transcript.set_theme(DARK)
    assert texts(transcript.document()) == words
    assert shown(transcript.document()) != before
    transcript.hide()
    transcript.set_theme(LIGHT)
    transcript.show()
    assert shown(transcript.document()) == before


def test_a_new_theme_reaches_a_long_history(qtbot: QtBot) -> None:
    """The newest messages change at once, the others in chunks, and the view stays at the end."""
    transcript, fresh = make(qtbot, *long_history(100)), make(qtbot, *long_history(100))
    fresh.set_theme(DARK)
    for one in (transcript, fresh):
        one.show()
        settle(qtbot, one)
    transcript.set_theme(DARK)
    assert 0 < transcript.loaded.start < 99
    settle(qtbot, transcript)
    assert shown(transcript.document()) == shown(fresh.document())
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_a_new_theme_keeps_the_scroll_position(qtbot: QtBot) -> None:
    """Away from the end, the view does not move."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(1000)
    transcript.set_theme(DARK)
    settle(qtbot, transcript)
    assert transcript.verticalScrollBar().value() == 1000
    assert len(texts(transcript.document(), "text")) == 100


def test_the_selection_does_not_grow_with_the_text(qtbot: QtBot, transcript: Transcript) -> None:
    """Text that arrives right after the selection does not join it."""
    stream(qtbot, transcript, "Select me")
    cursor = transcript.textCursor()
    start, end = transcript.writer.bounds(1)
    cursor.setPosition(start)
    cursor.setPosition(end - 1, QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    stream(qtbot, transcript, ", please.\n\nMore.")
    assert transcript.textCursor().selectedText() == "Select me"


def test_the_view_follows_the_end(qtbot: QtBot, transcript: Transcript) -> None:
    """A view at the end stays at the end while the answer grows."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()


def test_the_view_stays_where_the_user_scrolled(qtbot: QtBot, transcript: Transcript) -> None:
    """Away from the end the view does not move, and a button scrolls back."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(bar.maximum() - 41)
    value = bar.value()
    stream(qtbot, transcript, ANSWER * 2, 40)
    assert bar.value() == value
    assert transcript.newest_button.isVisible()
    transcript.newest_button.click()
    assert bar.value() == bar.maximum()
    assert not transcript.newest_button.isVisible()


def test_the_view_follows_within_forty_pixels(qtbot: QtBot, transcript: Transcript) -> None:
    """A small distance to the end still counts as being at the end."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(bar.maximum() - 40)
    stream(qtbot, transcript, ANSWER, 40)
    assert bar.value() == bar.maximum()


def test_the_users_own_message_is_scrolled_to(qtbot: QtBot, transcript: Transcript) -> None:
    """The user sees the message that was just sent."""
    bar = transcript.verticalScrollBar()
    stream(qtbot, transcript, ANSWER * 4, 40)
    bar.setValue(0)
    transcript.add_message(MessageView("u2", "user", "And?"))
    assert bar.value() == bar.maximum()


def test_a_long_history_opens_at_its_end(qtbot: QtBot) -> None:
    """The newest messages are written at once and the others in chunks. The view does not move."""
    transcript = make(qtbot, *long_history(150))
    transcript.show()
    first = texts(transcript.document(), "text")
    assert 0 < len(first) < 150
    assert first[-1].startswith("149 ")
    settle(qtbot, transcript)
    assert [text.split()[0] for text in texts(transcript.document(), "text")] == [str(at) for at in range(150)]
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_the_first_paint_waits_for_what_is_in_view_alone(qtbot: QtBot) -> None:
    """A tall view is full, a low one no more than that. Older messages are written after the paint."""
    for height in (300, 1200):
        transcript = Painted(LIGHT)
        qtbot.addWidget(transcript)
        transcript.show_messages(long_history(150))
        transcript.resize(800, height)
        transcript.show()
        assert 0 < transcript.verticalScrollBar().maximum() < 600
        written = len(transcript.loaded)
        settle(qtbot, transcript)
        assert transcript.painted[0] == written < len(transcript.loaded) == 150


def test_older_messages_do_not_move_the_view(qtbot: QtBot) -> None:
    """Away from the end, the text in view stays at the same height."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() - 300)
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.writer.bounds(98)[0])
    before = transcript.cursorRect(cursor).top()
    settle(qtbot, transcript)
    cursor.setPosition(transcript.writer.bounds(98)[0])
    assert transcript.loaded.start == 0
    assert abs(transcript.cursorRect(cursor).top() - before) <= 1


def test_a_very_long_history_waits_for_the_user(qtbot: QtBot) -> None:
    """Loading stops at a limit and continues when the user scrolls up."""
    transcript = make(qtbot, *long_history(60, "word " * 2_000))
    transcript.show()
    settle(qtbot, transcript)
    first = transcript.loaded.start
    assert first > 0
    characters = sum(len(transcript.messages.text(index)) for index in transcript.loaded)
    assert HISTORY_CHARACTERS <= characters < HISTORY_CHARACTERS + 20_000
    transcript.verticalScrollBar().setValue(0)
    settle(qtbot, transcript)
    assert transcript.loaded.start < first


def test_a_change_of_a_message_that_is_not_loaded_is_shown_later(qtbot: QtBot) -> None:
    """Changes far above are shown when their messages load."""
    transcript = make(qtbot, *long_history(100))
    transcript.show()
    transcript.replace_message(MessageView("m0", "assistant", "changed"))
    transcript.remove_message("m1")
    settle(qtbot, transcript)
    assert [text.split()[0] for text in texts(transcript.document(), "text")[:2]] == ["changed", "2"]


def test_showing_other_messages_replaces_all(transcript: Transcript) -> None:
    """Nothing of the former messages stays."""
    transcript.show_messages((MessageView("x", "user", "Only this"),))
    assert texts(transcript.document(), "bubble", "text", "footer") == ["Only this"]


@pytest.mark.parametrize(
    ("verb", "number", "intent"),
    [
        ("continue", -1, Extend("a")),
        ("retry", -1, Retry("a")),
        ("alternatives", 3, Retry("a", 3)),
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


def think(qtbot: QtBot, transcript: Transcript, text: str) -> None:
    transcript.append_delta("a", text, "reasoning")
    settle(qtbot, transcript)


def test_reasoning_streams_above_the_answer_and_folds_when_that_begins(qtbot: QtBot, transcript: Transcript) -> None:
    """The answer's first word already appears under the folded line."""
    think(qtbot, transcript, "Let me *think*.")
    assert texts(transcript.document(), "thought", "text") == ["Thinking…\u2009\ufffc", "Let me think."]
    transcript.append_delta("a", "Yes")
    transcript.append_delta("a", "!")
    settle(qtbot, transcript)
    assert texts(transcript.document(), "thought", "text") == ["Thought for 1 s\u2009\ufffc", "Yes!"]


def test_a_fold_opens_and_closes_where_it_was_clicked(qtbot: QtBot) -> None:
    """Toggling twice restores the page. The clicked line does not move, even at the end of the page."""
    views = (*long_history(20), MessageView("a", "assistant", "Yes.", reasoning="Hm.\n\n" * 40))
    transcript = make(qtbot, *views)
    transcript.show()
    settle(qtbot, transcript)
    before, value = shown(transcript.document()), transcript.verticalScrollBar().value()
    fold = QUrl(AnchorAction("fold", "a").href)
    transcript.anchorClicked.emit(fold)
    assert texts(transcript.document(), "text").count("Hm.") == 40
    assert transcript.verticalScrollBar().value() == value
    assert not transcript.is_following
    transcript.anchorClicked.emit(fold)
    assert (shown(transcript.document()), transcript.verticalScrollBar().value()) == (before, value)
    assert transcript.is_following


def test_reasoning_in_view_is_not_folded(qtbot: QtBot, transcript: Transcript) -> None:
    """If the user scrolled up to read it, it stays open and the answer grows below."""
    think(qtbot, transcript, "Hm.\n\n" * 60)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    value = bar.value()
    stream(qtbot, transcript, "Yes.")
    assert bar.value() == value
    assert texts(transcript.document(), "text")[-2:] == ["Hm.", "Yes."]


def test_reasoning_below_the_view_folds_without_moving_it(qtbot: QtBot) -> None:
    """Text far above stays in place."""
    transcript = make(qtbot, *long_history(30), OPEN)
    transcript.show()
    settle(qtbot, transcript)
    think(qtbot, transcript, "Hm.\n\n" * 60)
    transcript.verticalScrollBar().setValue(200)
    stream(qtbot, transcript, "Yes.")
    assert transcript.verticalScrollBar().value() == 200
    assert "Hm." not in texts(transcript.document(), "text")


def test_streamed_reasoning_equals_the_message_shown_at_once(qtbot: QtBot, transcript: Transcript) -> None:
    """This holds for every channel, folded and open."""
    done = replace(DONE, reasoning=ANSWER, thought="Thought for 4 s", tools=(ToolView("f", "{}"),))
    for start in range(0, len(ANSWER), 9):
        transcript.append_delta("a", ANSWER[start : start + 9], "reasoning")
    settle(qtbot, transcript)
    stream(qtbot, transcript, ANSWER)
    transcript.append_delta("a", "<call>", "tool")
    settle(qtbot, transcript)
    transcript.replace_message(done)
    fresh = make(qtbot, USER, done)
    fresh.show()
    for _ in range(2):
        assert shown(transcript.document()) == shown(fresh.document())
        for one in (transcript, fresh):
            one.anchorClicked.emit(QUrl(AnchorAction("fold", "a").href))


def test_code_of_reasoning_and_answer_is_copied_separately(transcript: Transcript) -> None:
    """Each card copies its own code."""
    code = "```\n{}\n```"
    transcript.replace_message(replace(DONE, text=code.format("yes"), reasoning=code.format("hm")))
    transcript.anchorClicked.emit(QUrl(AnchorAction("fold", "a").href))
    hrefs = {run[3] for block in shown(transcript.document()) for run in block[3] if block[0] == "code head"} - {""}
    copied = set()
    for href in hrefs:
        transcript.anchorClicked.emit(QUrl(href))
        copied.add(QGuiApplication.clipboard().text())
    assert copied == {"yes\n", "hm\n"}


def branch(count: int, *views: MessageView) -> tuple[MessageView, ...]:
    return (*long_history(count), *views)


def test_another_branch_keeps_shared_messages_in_place(qtbot: QtBot) -> None:
    """This holds wherever the user has scrolled to in the part that is replaced."""
    long = MessageView("x", "assistant", "first\n\n" + "word " * 600, place=1, places=2)
    transcript = make(qtbot, *branch(30, long))
    transcript.show()
    settle(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.value() - 300)
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.writer.bounds(29)[0])
    before = transcript.cursorRect(cursor).top()
    other = MessageView("y", "assistant", "second\n\n" + "word " * 900, place=2, places=2)
    transcript.show_branch(branch(30, other))
    cursor.setPosition(transcript.writer.bounds(29)[0])
    assert transcript.cursorRect(cursor).top() == before
    fresh = make(qtbot, *branch(30, other))
    fresh.show()
    settle(qtbot, fresh)
    assert shown(transcript.document()) == shown(fresh.document())


def test_a_shorter_branch_ends_at_its_end(qtbot: QtBot) -> None:
    """Nothing is below the last message, and the view follows new text."""
    transcript = make(qtbot, *branch(30), MessageView("x", "assistant", "word " * 900))
    transcript.show()
    settle(qtbot, transcript)
    transcript.show_branch((*branch(30), OPEN))
    bar = transcript.verticalScrollBar()
    assert (bar.value(), transcript.is_following) == (bar.maximum(), True)
    stream(qtbot, transcript, ANSWER * 3)
    assert bar.value() == bar.maximum()


@pytest.mark.parametrize("kept", [0, 5, 60], ids=["nothing", "what is not loaded", "nearly all"])
def test_any_branch_equals_the_same_messages_shown_at_once(qtbot: QtBot, kept: int) -> None:
    """This holds if the branches part in history that is not loaded, and for a hidden transcript."""
    history = long_history(61)
    other = (*history[:kept], *(replace(view, id=f"o{view.id}") for view in history[kept:60]))
    transcript, hidden, fresh = make(qtbot, *history), make(qtbot, *history), make(qtbot, *other)
    transcript.show()
    for one in (transcript, hidden):
        one.show_branch(other)
    hidden.show()
    fresh.show()
    for one in (transcript, hidden, fresh):
        settle(qtbot, one)
    assert shown(transcript.document()) == shown(fresh.document()) == shown(hidden.document())


def test_more_alternatives_are_offered_on_a_right_click(qtbot: QtBot, transcript: Transcript) -> None:
    """The menu opens over the icon that regenerates, and nowhere else."""
    transcript.replace_message(DONE)
    for href in (AnchorAction("fork", "a").href, "https://a.example"):
        transcript.pointer.menu_requested.emit(href, QPoint(0, 0))
    assert not transcript.findChildren(QMenu)
    transcript.pointer.menu_requested.emit(AnchorAction("alternatives", "a", 1).href, QPoint(0, 0))
    (menu,) = transcript.findChildren(QMenu)
    with qtbot.waitSignal(transcript.requested, check_params_cb=is_a(Retry)) as asked:
        next(action for action in menu.actions() if action.text() == "3 alternatives").trigger()
    assert asked.args == [Retry("a", 3)]
    menu.close()


def test_one_more_word_in_a_long_chat_touches_only_its_message(qtbot: QtBot) -> None:
    """500 messages above cost nothing while the last one grows."""
    history = tuple(
        MessageView(f"m{at}", "assistant", f"{at} words", reasoning="Hm. " * 50, tools=(ToolView("f", "{}"),))
        for at in range(500)
    )
    transcript = make(qtbot, *history, OPEN)
    transcript.show()
    settle(qtbot, transcript, timeout=30_000)
    assert transcript.loaded.start == 0
    changes: list[int] = []
    transcript.document().contentsChange.connect(lambda at, _removed, _added: changes.append(at))
    costs = []
    for word in range(40):
        transcript.append_delta("a", "word ", "reasoning" if word < 20 else "answer")
        start = time.thread_time()
        transcript.flush()
        costs.append(time.thread_time() - start)
    assert min(changes) >= transcript.writer.bounds(500)[0] - 1  # the mark that ends the message above
    assert sorted(costs)[20] < 0.02


def test_copying_gives_the_markdown(qtbot: QtBot) -> None:
    """The clipboard holds the text as the model wrote it, and the icon says "Copied" for a moment."""
    transcript = make(qtbot, USER, DONE, copied_ms=50)
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
    with qtbot.waitSignal(transcript.link_opened) as reported:
        transcript.anchorClicked.emit(QUrl("https://a.example/x"))
    assert reported.args == ["https://a.example/x"]
    with qtbot.assertNotEmitted(transcript.link_opened):
        transcript.anchorClicked.emit(QUrl("file:///etc/passwd"))
    assert opener.opened == ["https://a.example/x"]


def test_a_link_that_nothing_opens_is_reported(
    qtbot: QtBot, transcript: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a system without a browser."""
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    with qtbot.waitSignal(transcript.link_refused) as refused, qtbot.assertNotEmitted(transcript.link_opened):
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


def test_a_flush_at_20k_characters_is_cheap(qtbot: QtBot, transcript: Transcript) -> None:
    """One more word in a long answer costs only the writing of that word."""
    stream(qtbot, transcript, ANSWER * (20_000 // len(ANSWER)), 2_000)
    costs = []
    for _ in range(30):
        transcript.append_delta("a", "word ")
        start = time.thread_time()
        transcript.flush()
        costs.append(time.thread_time() - start)
    assert sorted(costs)[15] < 0.02


def test_a_screen_reader_can_name_the_parts(transcript: Transcript) -> None:
    """The transcript and its button have accessible names."""
    assert transcript.accessibleName()
    assert transcript.newest_button.accessibleName()
