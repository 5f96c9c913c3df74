"""Steps that take back what they did: a chat, a tab or a turn is there again as it was."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView

from tests.walk import hands
from tests.walk.overlays import is_free
from tests.walk.user import User
from ui.chat.chat_tab import ChatTab
from ui.state.chat import ChatPhase
from ui.transcript.anchors import AnchorAction


def takes_back_a_deleted_chat(user: User) -> None:
    """Delete a chat in the list or by the menu, and use Undo by key or by menu. The chat is listed again."""
    view, action = user.window.sidebar.list, user.window.actions_by_name["delete"]
    is_typing = view.state() is QListView.State.EditingState  # the list stands still while a title is typed
    if not is_free(user) or is_typing or user.window.sidebar.search.text().strip():
        return
    chat = user.chance.choice(sorted(_listed(user)) or [""])
    index = user.window.sidebar.model.index_of(chat)
    if user.chance.random() < 0.5 and action.isEnabled() and (shown := user.window.tabs.current()) in _listed(user):
        user.tell(f"deletes {shown[:6]} by the menu")
        action.trigger()
        _takes_back(user, shown)
    elif index.isValid() and view.isVisible():
        user.tell(f"deletes {chat[:6]} in the list")
        view.setCurrentIndex(index)
        QTest.keyClick(view, Qt.Key.Key_Delete)
        _takes_back(user, chat)


def _takes_back(user: User, chat: str) -> None:
    user.house.until(lambda: chat not in _listed(user), f"{chat} is still listed")
    user.house.until(lambda: user.window.notices.newest_undo() is not None, f"the deletion of {chat} cannot be undone")
    _undoes(user)
    user.house.until(lambda: chat in _listed(user), f"{chat} does not come back")


def _undoes(user: User) -> None:
    """Press the key in the message box or in the list, or use the menu."""
    tab = user.tab()
    fields = [user.window.sidebar.list, *([tab.composer.edit] if tab is not None else [])]
    field = user.chance.choice([one for one in fields if one.isVisible()] or [None])
    user.window.activateWindow()
    if field is None or user.chance.random() < 0.3 or not user.window.isActiveWindow():
        user.tell("undoes by the menu")
        user.window.sidebar.list.setFocus()  # a text field would undo what was typed there
        user.window.actions_by_name["undo"].trigger()
    else:
        user.tell(f"undoes in {hands.name_of(field)}")
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


def _listed(user: User) -> set[str]:
    return {row.id for row in user.window.sidebar.model.known.values()}


def reopens_a_tab(user: User) -> None:
    """Close a tab and reopen it: it stands where it was, with its draft, which the words of edits that were not sent
    have joined. An untouched new chat is not kept.
    """
    window = user.window
    if not is_free(user) or not window.stage.shows_chats():
        return
    user.house.settle()  # an import of a chat that is here already brings that one to the front
    tabs = {chat: tab for chat, tab in user.house.open_tabs().items() if _is_kept(user, chat, tab)}
    if not tabs:
        return
    before, chat = window.tabs.order(), user.chance.choice(list(tabs))
    composer = tabs[chat].composer
    words = {composer.edit.toPlainText(), *composer._draft.edits(composer.edit.toPlainText()).values()}
    user.tell(f"closes {chat[:6]} of {[one[:6] for one in before]}, and reopens it")
    window.chats.close(chat)
    window.actions_by_name["reopen_tab"].trigger()
    user.house.until(
        lambda: window.tabs.order() == (*before, *_new(user, before)), lambda: f"{window.tabs.order()}, {before}"
    )
    user.house.until(lambda: window.tabs.current() in {chat, *_new(user, before)}, "the reopened tab is not in front")
    tab = user.house.open_tabs()[chat]
    user.house.until(
        lambda: all(text.strip() in tab.composer.edit.toPlainText() for text in words),
        lambda: f"{tab.composer.edit.toPlainText()!r}, before {words!r}",
    )


def _new(user: User, before: tuple[str, ...]) -> tuple[str, ...]:
    """The tabs that were opened since. An import that began earlier may open one at any time."""
    return tuple(chat for chat in user.window.tabs.order() if chat not in before)


def _is_kept(user: User, chat: str, tab: ChatTab) -> bool:
    has_words = len(tab.transcript.messages) > 0 or bool(tab.composer.edit.toPlainText())
    is_at_rest = tab.phase is ChatPhase.IDLE and not tab.composer.edited and not tab.composer.queue.rows
    return has_words and is_at_rest and not user.window.tabs.is_private(chat)


def deletes_what_is_edited(user: User) -> None:
    """Write into an earlier message, and delete that message. The edit ends, and its words wait for an undo, which is
    offered until a message that was being sent begins its turn.
    """
    if not is_free(user) or (tab := user.tab()) is None or not tab.isVisible():
        return
    questions = user.scene.messages("user")
    if not questions or tab.phase is not ChatPhase.IDLE or tab.composer.edited:
        return
    question, word = user.one(questions), user.ledger.fresh()
    hands.follow(tab.transcript, AnchorAction("edit", question).href)
    tab.composer.edit.insertPlainText(f" {word} ")
    hands.follow(tab.transcript, AnchorAction("delete", question).href)
    user.house.until(lambda: question not in user.scene.messages(), "the message is still there")
    user.house.until(lambda: tab.composer.edited == "", "a message that is gone is being edited")
    assert word in tab.composer._draft.edits(tab.composer.edit.toPlainText()).get(question, ""), (
        "the words of the edit are lost"
    )
    if user.chance.random() < 0.5 and (now := user.tab()) is tab:  # an import that ends now opens its chat in front
        session = user.house.hearth.conversations.sessions.of(user.window.tabs.current())
        is_busy = session.busy
        if user.window.notices.newest_undo() is None:
            assert now.phase is not ChatPhase.IDLE, "there is no undo, and no turn has begun"
            return
        _undoes(user)
        if is_busy or session.busy:  # a message that waited is being sent: nothing is undone any more
            return
        user.house.until(lambda: question in user.scene.messages(), "the message does not come back")
        hands.follow(tab.transcript, AnchorAction("edit", question).href)
        assert word in tab.composer.edit.toPlainText(), "the words of the edit do not come back"
        user.ledger.write(word, user.scene.chat)
