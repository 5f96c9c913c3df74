"""Steps that copy: the clipboard has what was meant."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.walk import hands
from tests.walk.overlays import is_free
from tests.walk.scene import LONG_CHAT
from tests.walk.user import User
from ui.intents.library import Import
from ui.state.chat import ChatPhase
from ui.transcript.anchors import AnchorAction

_MARK = re.compile(r"[wl]\d+x")
"""A word of the ledger, or one of the long chat."""
_CONTROL = Qt.KeyboardModifier.ControlModifier


def copies_a_message(user: User) -> None:
    """Use the icon that copies a question or an answer: the clipboard has its text."""
    if is_free(user) and (tab := user.tab()) is not None and tab.isVisible():
        href = {AnchorAction("copy", message).href: message for message in user.scene.messages()}
        if found := [one for one in hands.anchors(tab.transcript) if one in href]:
            link = user.one(found)
            hands.follow(tab.transcript, link)
            copied, text = QGuiApplication.clipboard().text(), tab.transcript.messages.text_of(href[link])
            assert copied.split() == text.replace("\0", "").split(), f"{copied!r} was copied, not {text!r}"


def imports_a_long_chat(user: User) -> None:
    """Import a chat that is longer than what a page loads."""
    if is_free(user):
        user.tell("imports the long chat")
        user.window.requested.emit(Import(user.scene.path(LONG_CHAT)))


def copies_a_chat(user: User) -> None:
    """Select all of the chat in front and copy it: the clipboard has every question, also those not on the page."""
    if not is_free(user) or (tab := user.tab()) is None or not tab.isVisible():
        return
    if tab.phase is not ChatPhase.IDLE or not len(tab.transcript.messages):
        return
    user.tell("copies all of the chat")
    marks = [_MARK.findall(question) for question in user.house.questions(user.scene.chat)]
    wanted = {words[0] for words in marks if words}  # a long question is shortened on the page
    QGuiApplication.clipboard().setText("")
    user.window.activateWindow()
    tab.transcript.setFocus()  # the keys would act on the message box
    QTest.keyClick(tab.transcript, Qt.Key.Key_A, _CONTROL)
    QTest.keyClick(tab.transcript, Qt.Key.Key_C, _CONTROL)
    user.house.until(lambda: not wanted - _copied(), lambda: f"{wanted - _copied()} were not copied")


def _copied() -> set[str]:
    return set(_MARK.findall(QGuiApplication.clipboard().text()))
