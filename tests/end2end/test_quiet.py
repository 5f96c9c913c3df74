"""What a chat says beside its words: by mouse, with the real engine."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from tests.end2end.conftest import Desk
from tests.fakes.pages import anchor_point, span_point
from ui.state.chat import MessageState
from ui.transcript.anchors import AnchorAction


def test_stop_alone_ends_an_answer_and_continue_goes_on_with_it(desk: Desk) -> None:
    """While an answer is written, its one button stops it. Then nothing but the badge and the tokens is on the page,
    and the rate in their tip.
    """
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "Tell me a story")
    desk.until(lambda: desk.is_generating(chat) and len(desk.answer(chat).text) > 20)
    tab = desk.tab(chat)
    desk.until(lambda: tab.strip.note.text.endswith("tok/s"))
    buttons = tab.composer.findChildren(QAbstractButton)
    assert [one.toolTip() for one in buttons if "Stop" in one.toolTip() and one.isVisible()] == ["Stop"]
    assert not [one for one in buttons if "Pause" in one.text()]
    QTest.mouseClick(tab.composer.button, Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).state is MessageState.STOPPED)
    stopped = desk.answer(chat)
    desk.until(lambda: tab.transcript.is_settled)
    assert tab.strip.note.text == ""
    assert stopped.rate in tab.strip.toolTip()
    assert "tok/s" not in tab.transcript.toPlainText()
    figures = span_point(tab.transcript, stopped.footer.split(" ")[0])
    assert tab.transcript.pointer.tip_at(figures).splitlines()[-1] == stopped.rate != ""
    link = anchor_point(tab.transcript, AnchorAction("extend", stopped.id).href)
    QTest.mouseClick(tab.transcript.viewport(), Qt.MouseButton.LeftButton, pos=link)
    desk.until(lambda: len(desk.answer(chat).text) > len(stopped.text))
    assert desk.answer(chat).text.startswith(stopped.text)
