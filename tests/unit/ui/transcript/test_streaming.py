"""An answer that arrives in pieces: what is shown, when, and at which cost."""

from __future__ import annotations

import time

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from tests.fakes.documents import shown, texts
from tests.fakes.pages import settle
from tests.fakes.transcripts import ANSWER, DONE, OPEN, USER, make, stream
from ui.state.chat import MessageView, ToolView
from ui.transcript import updates
from ui.transcript.transcript import Transcript
from ui.transcript.updates import FLUSH_MS


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


def test_a_costly_flush_is_followed_by_a_longer_rest(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A huge paragraph leaves time for other work."""
    moments = iter([10.0, 10.0, 10.1, 20.0, 20.0, 20.001])
    monkeypatch.setattr(updates, "perf_counter", lambda: next(moments))
    transcript = make(qtbot, USER, OPEN)
    transcript.show()
    stream(qtbot, transcript, "one")
    assert transcript.updates.rest_ms == 400
    stream(qtbot, transcript, "two")
    assert transcript.updates.rest_ms == FLUSH_MS


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
    more = MessageView("u3", "user", "More")
    transcript.show_branch((USER, DONE, more))
    transcript.show()
    fresh = make(qtbot, USER, DONE, more)
    fresh.show()
    assert shown(transcript.document()) == shown(fresh.document())


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


def test_one_more_word_in_a_long_chat_touches_only_its_message(qtbot: QtBot) -> None:
    """200 messages above cost nothing while the last one grows."""
    history = tuple(
        MessageView(f"m{at}", "assistant", f"{at} words", reasoning="Hm. " * 50, tools=(ToolView("f", "{}"),))
        for at in range(200)
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
        transcript.updates.flush()
        costs.append(time.thread_time() - start)
    assert min(changes) >= transcript.writer.bounds(200)[0] - 1  # the mark that ends the message above
    assert sorted(costs)[20] < 0.02


def test_a_flush_at_20k_characters_is_cheap(qtbot: QtBot, transcript: Transcript) -> None:
    """One more word in a long answer costs only the writing of that word."""
    stream(qtbot, transcript, ANSWER * (20_000 // len(ANSWER)), 2_000)
    costs = []
    for _ in range(30):
        transcript.append_delta("a", "word ")
        start = time.thread_time()
        transcript.updates.flush()
        costs.append(time.thread_time() - start)
    assert sorted(costs)[15] < 0.02
