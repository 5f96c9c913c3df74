from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import is_a, unasked
from ui.intents.library import ImportAgain, UndoDelete
from ui.intents.notice import Notice
from ui.theme.appearance import appearance
from ui.theme.theme import LIGHT, Reading
from ui.window.main_window import MainWindow
from ui.window.notice_bar import PASSING_MS, NoticeBar, NoticeCard

LONG = "The engine has stopped three times in a minute. " * 3


@pytest.fixture
def bar(qtbot: QtBot) -> NoticeBar:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(800, 500)
    made = NoticeBar(context(), page)
    page.show()
    return made


UNDO, AGAIN = UndoDelete("a"), ImportAgain()


def texts(bar: NoticeBar) -> list[str]:
    cards = [card for card in bar.findChildren(NoticeCard) if card.isVisible()]
    return [card.text.text() for card in sorted(cards, key=lambda card: card.y())]


def test_without_notices_it_is_not_there(bar: NoticeBar) -> None:
    """It covers nothing and catches no click."""
    assert not bar.isVisible()
    bar.show_notice(Notice("k", "text"))
    assert bar.isVisible()
    bar.clear_notice("k")
    assert not bar.isVisible()


def test_the_same_key_takes_the_same_place(bar: NoticeBar) -> None:
    """A second notice with the same key replaces the first card."""
    bar.show_notice(Notice("engine", "stopped"))
    bar.show_notice(Notice("undo", "deleted"))
    bar.show_notice(Notice("engine", "stopped again"))
    QApplication.processEvents()
    assert texts(bar) == ["stopped again", "deleted"]


def test_the_action_is_what_the_notice_carries(bar: NoticeBar, qtbot: QtBot) -> None:
    """The card stays until the app clears it."""
    bar.show_notice(Notice("undo", "deleted", "Undo", intent=UNDO))
    button = bar.findChild(QPushButton, "noticeAction")
    assert button is not None
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(UndoDelete)) as acted:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert acted.args == [UNDO]
    assert bar.keys() == ("undo",)


def test_a_notice_without_action_has_no_button_for_one(bar: NoticeBar) -> None:
    """A button without an effect is not shown."""
    bar.show_notice(Notice("k", "text"))
    assert bar.findChild(QPushButton, "noticeAction") is None


def test_a_card_can_be_put_away(bar: NoticeBar) -> None:
    """Dismissing a card has no other effect."""
    bar.show_notice(Notice("k", "text"))
    card = bar.findChild(NoticeCard)
    assert card is not None
    QTest.mouseClick(card.close_button, Qt.MouseButton.LeftButton)
    assert bar.keys() == ()
    bar.clear_notice("k")


def test_a_card_has_its_height_at_once(bar: NoticeBar) -> None:
    """It is not resized after it was shown."""
    bar.show_notice(Notice("k", "short"))
    bar.show_notice(Notice("l", LONG, "Start again", intent=UNDO))
    height = bar.height()
    QApplication.processEvents()
    layout = bar.layout()
    assert layout is not None
    assert height == bar.height() >= layout.heightForWidth(bar.width())


def test_long_words_wrap_and_are_seen_whole(bar: NoticeBar, qtbot: QtBot) -> None:
    """At first, and when the page becomes narrower."""
    bar.show_notice(Notice("k", LONG, "Start again", intent=UNDO))
    card = bar.findChild(NoticeCard)
    assert card is not None
    page = bar.parentWidget()
    assert page is not None
    for width in (800, 420):
        page.resize(width, 500)
        qtbot.waitUntil(lambda: card.text.height() >= card.text.heightForWidth(card.text.width()) > 0, timeout=1000)
        assert bar.width() <= width


def test_the_second_button_emits_its_own_intent(bar: NoticeBar, qtbot: QtBot) -> None:
    """The second button stands before the first, both below the text. A notice may have the second one only."""
    bar.show_notice(Notice("full", "too long", "Leave out", "Start a new chat", intent=UNDO, other_intent=AGAIN))
    action, other = (bar.findChild(QPushButton, name) for name in ("noticeAction", "noticeOther"))
    assert action is not None
    assert other is not None
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(ImportAgain)) as chosen, unasked(sent(), UndoDelete):
        QTest.mouseClick(other, Qt.MouseButton.LeftButton)
    assert chosen.args == [AGAIN]
    QApplication.processEvents()
    assert other.geometry().right() < action.geometry().left()
    card = bar.findChild(NoticeCard)
    assert card is not None
    assert card.text.geometry().bottom() < action.geometry().top()
    bar.show_notice(Notice("full", "too long", other="Start a new chat", other_intent=AGAIN))
    assert [button.text() for button in bar.findChildren(QPushButton) if button.isVisible()] == ["Start a new chat"]


def test_a_read_card_without_buttons_goes_when_the_chat_changes(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it was there long enough to be read. A card with a button stays."""
    now = 100.0
    monkeypatch.setattr("ui.window.notice_bar.monotonic", lambda: now)
    page = QWidget()
    qtbot.addWidget(page)
    bar = NoticeBar(context(), page)
    page.show()
    bar.show_notice(Notice("read", "Only text can go with a message."))
    bar.show_notice(Notice("undo", "deleted", "Undo", intent=UNDO))
    bar.show_notice(Notice("full", "too long", other="Start a new chat", other_intent=AGAIN))
    now += 6
    bar.show_notice(Notice("new", "just come"))
    bar.clear_read()
    assert bar.keys() == ("undo", "full", "new")


def test_a_notice_that_stays_cannot_be_put_away(bar: NoticeBar) -> None:
    """It offers the only way out of a state. It goes when the app clears it."""
    told, buttons = "The library is damaged.", ("Use the copy", "Rescue")
    bar.show_notice(Notice("damaged", told, *buttons, intent=UNDO, other_intent=AGAIN, stays=True))
    card = bar.findChild(NoticeCard)
    assert card is not None
    assert [button.text() for button in card.findChildren(QPushButton) if button.isVisible()] == [
        "Rescue",
        "Use the copy",
    ]
    bar.clear_notice("damaged")
    assert bar.keys() == ()


def test_a_lasting_notice_is_said_once_until_it_is_over(bar: NoticeBar) -> None:
    """The same notice does not make a new card, also not after it was dismissed. Another text does, and so does the
    same one after it was cleared.
    """
    full, read_only = (Notice("refused", text, lasting=True) for text in ("The disk is full.", "It is read-only."))
    bar.show_notice(full)
    card = bar.findChild(NoticeCard)
    assert card is not None
    bar.show_notice(full)
    assert bar.findChildren(NoticeCard) == [card]
    card.close_button.click()
    bar.show_notice(full)
    assert bar.keys() == ()
    bar.show_notice(read_only)
    assert bar.keys() == ("refused",)
    bar.clear_notice("refused")
    assert bar.keys() == ()
    bar.show_notice(read_only)
    assert bar.keys() == ("refused",)


def test_a_word_that_is_wider_than_the_card_is_seen_whole(bar: NoticeBar, qtbot: QtBot) -> None:
    """A file name may be that long; it is wrapped."""
    bar.show_notice(Notice("k", f"“{'a_very_long_name' * 12}.txt” is not a text file."))
    card = bar.findChild(NoticeCard)
    assert card is not None
    qtbot.waitUntil(lambda: card.text.height() > 2.5 * card.text.fontMetrics().height(), timeout=1000)
    assert "\u200b" not in card.accessibleName()


def test_a_notice_about_a_chat_is_shown_while_that_chat_is_in_front(bar: NoticeBar) -> None:
    """Over another chat its words and its buttons would be about the wrong one. It waits for its own chat."""
    bar.turn_to("a")
    bar.show_notice(Notice("full", "This chat is too long", "Leave out", intent=UNDO, conversation="a"))
    bar.show_notice(Notice("disk", "The disk is full"))
    assert bar.keys() == ("full", "disk")
    bar.turn_to("b")
    assert bar.keys() == ("disk",)
    assert texts(bar) == ["The disk is full"]
    bar.clear_notice("disk")
    assert not bar.isVisible()
    bar.turn_to("a")
    assert texts(bar) == ["This chat is too long"]


def test_a_notice_that_came_behind_another_chat_is_not_read_yet(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stays when the user turns to its chat, however long it has waited."""
    now = 100.0
    monkeypatch.setattr("ui.window.notice_bar.monotonic", lambda: now)
    page = QWidget()
    qtbot.addWidget(page)
    bar = NoticeBar(context(), page)
    page.show()
    bar.turn_to("a")
    bar.show_notice(Notice("k", "Only text can go with a message.", conversation="b"))
    now += 60
    bar.turn_to("b")
    bar.clear_read()
    assert bar.keys() == ("k",)


def test_a_card_covers_nothing_of_the_page(qtbot: QtBot) -> None:
    """The page makes room for it, and takes the room back afterwards."""
    page = QWidget()
    qtbot.addWidget(page)
    content = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(content)
    page.resize(800, 500)
    bar = NoticeBar(context(), page)
    page.show()
    bar.show_notice(Notice("k", LONG, "Start again", intent=UNDO))
    qtbot.waitUntil(lambda: bar.geometry().top() > 0, timeout=5000)
    assert bar.geometry().bottom() < content.geometry().top()
    other = QWidget()
    qtbot.addWidget(other)
    bar.move_to(other)
    assert page.contentsMargins().top() == 0
    bar.move_to(page)
    bar.clear_notice("k")
    qtbot.waitUntil(lambda: page.contentsMargins().top() == 0, timeout=2000)


def test_the_buttons_of_the_home_page_stay_under_the_mouse(window: MainWindow, qtbot: QtBot) -> None:
    """A notice that comes or goes while the user points at a button does not move the next button there."""
    button, pages = window.pages.home.findChild(QPushButton, "homeNewChat"), window.pages
    assert button is not None
    window.show()
    before = button.mapTo(window, QPoint())
    window.show_notice(Notice("k", LONG, "Undo", intent=UNDO))
    qtbot.waitUntil(lambda: pages.contentsMargins().top() > window.notices.height(), timeout=5000)
    QApplication.processEvents()
    assert button.mapTo(window, QPoint()) == before


def test_the_page_grows_step_by_step_unless_motion_is_reduced(bar: NoticeBar, qtbot: QtBot) -> None:
    """The text below does not jump."""
    page = bar.parentWidget()
    assert page is not None
    bar.show_notice(Notice("k", LONG))
    assert page.contentsMargins().top() < bar.height()
    qtbot.waitUntil(lambda: page.contentsMargins().top() > bar.height(), timeout=2000)
    bar.clear_notice("k")
    appearance.turn_to(replace(LIGHT, reading=Reading(calm=True)))
    bar.show_notice(Notice("k", LONG))
    assert page.contentsMargins().top() > bar.height()


class Margins(QObject):
    """Lists the room that a page makes for the cards, at each change."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self.seen: list[int] = []
        self._page = page
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Resize:
            self.seen.append(self._page.contentsMargins().top())
        return super().eventFilter(watched, event)


def test_the_page_does_not_jump_if_a_notice_goes_while_the_page_grows(bar: NoticeBar, qtbot: QtBot) -> None:
    """The room shrinks from where it was. The window must not crash."""
    page, growth = bar.parentWidget(), bar.findChild(QVariantAnimation)
    assert page is not None
    assert growth is not None
    for key in "abc":
        bar.show_notice(Notice(key, "deleted", "Undo", intent=UNDO))
    growth.setCurrentTime(2)
    before, margins = page.contentsMargins().top(), Margins(page)
    bar.clear_notice("a")
    assert (page.contentsMargins().top(), margins.seen) == (before, [])
    qtbot.waitUntil(lambda: page.contentsMargins().top() > bar.height(), timeout=2000)
    assert margins.seen == sorted(margins.seen)


def test_five_notices_are_shown_at_most(bar: NoticeBar) -> None:
    """The newest one is among them. Deletions are hidden before errors, and are shown again when there is room."""
    bar.show_notice(Notice("error", "The disk is full."))
    for number in range(16):
        bar.show_notice(Notice(f"undo{number}", f"deleted {number}", "Undo", intent=UNDO, passing=True, undoes=True))
    assert texts(bar) == ["The disk is full.", *(f"deleted {number}" for number in range(12, 16))]
    bar.clear_notice("undo15")
    assert texts(bar) == ["The disk is full.", *(f"deleted {number}" for number in range(11, 15))]
    for number in range(5):
        bar.show_notice(Notice(f"error{number}", f"error {number}"))
    bar.show_notice(Notice("undo15", "deleted 15", "Undo", intent=UNDO, passing=True, undoes=True))
    assert bar.keys() == ("error1", "error2", "error3", "error4", "undo15")
    bar.clear_notice("undo15")
    assert bar.keys() == ("error0", "error1", "error2", "error3", "error4")


def test_a_passing_notice_leaves_by_itself(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it was seen for a while. Others stay."""
    monkeypatch.setattr("ui.window.notice_bar.PASSING_MS", 1)
    page = QWidget()
    qtbot.addWidget(page)
    bar = NoticeBar(context(), page)
    QCursor.setPos(page.screen().geometry().bottomRight())  # a notice under the mouse stays
    page.show()
    bar.show_notice(Notice("hidden", "The chat is copied.", passing=True, conversation="b"))
    bar.show_notice(Notice("error", "The disk is full."))
    bar.show_notice(Notice("done", "3 chats imported.", passing=True))
    qtbot.waitUntil(lambda: bar.keys() == ("error",), timeout=2000)
    bar.turn_to("b")
    assert bar.keys() == ("hidden", "error")
    qtbot.waitUntil(lambda: bar.keys() == ("error",), timeout=2000)


def test_a_passing_notice_with_a_button_stays_longer(bar: NoticeBar) -> None:
    """The user has to decide, too."""
    bar.show_notice(Notice("done", "Done.", passing=True))
    bar.show_notice(Notice("undo", "Deleted.", "Undo", intent=UNDO, passing=True))
    waits = [timer.interval() for card in bar.findChildren(NoticeCard) for timer in card.findChildren(QTimer)]
    assert waits == [PASSING_MS, 3 * PASSING_MS]


def test_a_click_on_a_button_leaves_the_keyboard_where_it_was(bar: NoticeBar, qtbot: QtBot) -> None:
    """And a card that had the keyboard says so when it goes."""
    bar.show_notice(Notice("undo", "deleted", "Undo", intent=UNDO))
    button = bar.findChild(QPushButton, "noticeAction")
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not button.hasFocus()
    button.window().activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    with qtbot.waitSignal(bar.left):
        bar.clear_notice("undo")
