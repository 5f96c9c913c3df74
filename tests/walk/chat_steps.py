"""Steps in a chat: any intent of the window, the message box and the page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.walk import hands
from tests.walk.ledger import words_of
from tests.walk.overlays import is_free
from tests.walk.user import User
from tests.walk.values import IN_A_CHAT, IN_A_TAB, MADE, MADE_IN_A_CHAT, options
from ui.intents.chat import InChat, Stop
from ui.transcript.anchors import AnchorAction


def asks(user: User) -> None:
    """Emit any intent, with values of what is there."""
    if not is_free(user):
        return
    for _ in range(10):
        kind = user.chance.choice(user.chance.choice((MADE, MADE_IN_A_CHAT)))
        chats = user.chats(with_tab=kind in IN_A_TAB) if kind in IN_A_CHAT else [""]
        if not chats:
            return
        chat = user.chance.choice([*chats, *chats, *[user.window.tabs.current() or chats[0]] * 6])
        user.scene.chat = chat
        possible = options(kind, user.scene)
        if all(len(values) for values in possible.values()):
            intent = kind(**{name: user.chance.choice(list(values)) for name, values in possible.items()})
            user.tell(f"asks {intent!r:.200} in {chat[:6]}")
            user.window.requested.emit(InChat(chat, intent) if kind in IN_A_CHAT else intent)
            return


def writes(user: User) -> None:
    """Type a message into the box in front."""
    if is_free(user) and (tab := user.tab()) is not None and tab.isVisible():
        user.edits = True
        text = user.chance.choice(user.scene.sentences())
        user.tell(f"writes {text[:40]!r}")
        tab.composer.edit.setFocus()
        if user.chance.random() < 0.5 and text.isascii() and len(text) < 60:
            QTest.keyClicks(tab.composer.edit, text)
        else:
            tab.composer.edit.insertPlainText(text)
        user.ledger.write("\n".join(words_of(tab.composer.edit.toPlainText())), user.window.tabs.current())
        if user.chance.random() < 0.4:
            sends(user)


def sends(user: User) -> None:
    """Press Return in the message box, or its button."""
    if is_free(user) and (tab := user.tab()) is not None and tab.isVisible():
        user.tell(f"sends {tab.composer.edit.toPlainText()[:40]!r}")
        if user.chance.random() < 0.5:
            QTest.keyClick(tab.composer.edit, Qt.Key.Key_Return)
        elif tab.composer.button.isEnabled():
            hands.click(tab.composer.button)


def uses_the_page(user: User) -> None:
    """Use a link of the transcript: copy, regenerate, edit, fork, step, fold."""
    if is_free(user) and (tab := user.tab()) is not None and tab.isVisible():
        found = hands.anchors(tab.transcript)
        if found:
            hands.follow(tab.transcript, user.one(found))


def stops_or_continues(user: User) -> None:
    """Stop the answer in front, or continue one that has not ended."""
    if not is_free(user) or (tab := user.tab()) is None or not tab.isVisible():
        return
    user.scene.chat = chat = user.window.tabs.current()
    if user.house.hearth.conversations.sessions.of(chat).busy:
        user.tell("stops the answer")
        user.window.requested.emit(InChat(chat, Stop()))
    elif found := user.scene.unfinished():
        user.tell("continues the answer")
        hands.follow(tab.transcript, AnchorAction("extend", found[-1]).href)
