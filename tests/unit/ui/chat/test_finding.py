"""Find in chat: the bar, the marks and the way to a hit."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import heard
from tests.fakes.views import answered, asked
from ui.chat.chat_tab import ChatTab
from ui.intents.chat import FindEarlier, ShowEarlier, Stop
from ui.markdown.spans import OBJECT
from ui.search import matching
from ui.state.chat import ChatView, MessageState, MessageView, ToolView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT, Theme


def made(qtbot: QtBot, *messages: MessageView, earlier: bool = False, theme: Theme = LIGHT) -> ChatTab:
    appearance.turn_to(theme)
    tab = ChatTab(ChatView("a", "A", messages, earlier=earlier), context())
    qtbot.addWidget(tab)
    tab.resize(900, 640)
    with qtbot.waitActive(tab):
        tab.show()
    qtbot.waitUntil(lambda: tab.transcript.is_settled)
    return tab


def find(tab: ChatTab, words: str) -> None:
    tab.finding.begin()
    tab.find_bar.field.selectAll()
    QTest.keyClicks(tab.find_bar.field, words)


def marked(tab: ChatTab) -> str:
    """The text of the current hit."""
    current = tab.transcript.find_marks.current
    assert current is not None
    cursor = tab.transcript.textCursor()
    cursor.setPosition(current[0])
    cursor.setPosition(current[1], cursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def current_top(tab: ChatTab) -> float:
    """Where the current hit is in the view."""
    current = tab.transcript.find_marks.current
    assert current is not None
    return tab.transcript.find_marks.rect(current).top() - tab.transcript.verticalScrollBar().value()


def colours(tab: ChatTab) -> set[str]:
    image = tab.transcript.viewport().grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}


def story(count: int) -> tuple[MessageView, ...]:
    turns = ((asked(f"q{n}", f"Question {n}"), answered(f"r{n}", f"Answer **{n}** with a fox")) for n in range(count))
    return tuple(message for turn in turns for message in turn)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_hits_are_counted_and_marked(qtbot: QtBot, theme: Theme) -> None:
    """The bar counts the hits of the whole chat; all are marked, the current one stronger."""
    tab = made(qtbot, *story(2), theme=theme)
    assert not {theme.found, theme.found_current} & colours(tab)
    find(tab, "FOX")
    assert tab.find_bar.count.text() == "1 of 2"
    assert {theme.found, theme.found_current} <= colours(tab)


def test_return_f3_and_the_buttons_step_around(qtbot: QtBot) -> None:
    """Return goes to the next hit, Shift+Return back, around both ends."""
    tab = made(qtbot, *story(3))
    find(tab, "fox")
    seen = [tab.find_bar.count.text()]
    for _ in range(3):
        QTest.keyClick(tab.find_bar.field, Qt.Key.Key_Return)
        seen.append(tab.find_bar.count.text())
    assert seen == ["1 of 3", "2 of 3", "3 of 3", "1 of 3"]
    QTest.keyClick(tab.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert tab.find_bar.count.text() == "3 of 3"
    tab.find_bar.previous_button.click()
    assert tab.find_bar.count.text() == "2 of 3"
    tab.find_bar.next_button.click()
    assert tab.find_bar.count.text() == "3 of 3"


def test_nothing_found_is_said(qtbot: QtBot) -> None:
    """Words that are not there are said to be missing, and the buttons are off."""
    tab = made(qtbot, *story(1))
    find(tab, "zebra")
    assert tab.find_bar.count.text() == "No hits"
    assert not tab.find_bar.next_button.isEnabled()
    tab.find_bar.field.clear()
    tab.find_bar.field.textEdited.emit("")
    assert tab.find_bar.count.text() == ""


def test_escape_closes_the_bar_and_returns_the_focus(qtbot: QtBot) -> None:
    """Escape ends the search, not the answer, and typing goes to the message box again."""
    tab = made(qtbot, *story(1))
    intents = heard(sent(), Stop)
    find(tab, "fox")
    QTest.keyClick(tab.find_bar.field, Qt.Key.Key_Escape)
    assert tab.find_bar.isHidden()
    assert tab.composer.edit.hasFocus()
    assert not {LIGHT.found, LIGHT.found_current} & colours(tab)
    assert intents == []
    tab.finding.begin()
    tab.transcript.setFocus()
    QTest.keyClick(tab.transcript, Qt.Key.Key_Escape)
    assert tab.find_bar.isHidden()


def test_a_hit_far_above_is_scrolled_to(qtbot: QtBot) -> None:
    """A hit in a message that is not written yet is counted, and the page loads up to it."""
    tab = made(qtbot, asked("old", "A zebra, once"), *story(120))
    tab.transcript.scrolling.to_newest()
    find(tab, "zebra")
    qtbot.waitUntil(lambda: tab.transcript.find_marks.current is not None)
    assert tab.find_bar.count.text() == "1 of 1"
    assert 0 <= current_top(tab) < tab.transcript.viewport().height()


def test_messages_that_are_not_loaded_are_asked_for(qtbot: QtBot) -> None:
    """The app counts the hits above the first message. A step to one of them loads the chat up to it."""
    tab = made(qtbot, *story(3), earlier=True)
    tab.transcript.show_earlier((), earlier=True)
    intents = heard(sent(), FindEarlier, ShowEarlier)
    find(tab, "fox")
    qtbot.waitUntil(lambda: FindEarlier(("fox",), "q0") in intents)
    tab.show_found(("other",), (("x", 9),))
    assert tab.find_bar.count.text() == "1 of 3"
    tab.show_found(("fox",), (("o1", 2), ("o3", 1)))
    assert tab.find_bar.count.text() == "4 of 6"
    QTest.keyClick(tab.find_bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert tab.find_bar.count.text() == "3 of 6"
    assert ShowEarlier("q0", "o3") in intents
    tab.show_earlier((asked("o1", "fox fox"), answered("o2", "no"), asked("o3", "a fox here")), earlier=False)
    qtbot.waitUntil(lambda: tab.transcript.find_marks.current is not None)
    assert tab.find_bar.count.text() == "3 of 6"
    assert tab.transcript.loaded.start == 0
    assert 0 <= current_top(tab) < tab.transcript.viewport().height()


def test_folded_reasoning_unfolds_for_its_hits(qtbot: QtBot) -> None:
    """Folded reasoning is searched too, and opens when its hit is reached."""
    reply = MessageView("m", "assistant", "The answer: a fox.", reasoning="I think: fox", thought="Thought for 2 s")
    tab = made(qtbot, asked("q", "Which animal?"), reply)
    was_folded = tab.transcript.messages[1].is_folded
    find(tab, "fox")
    assert tab.find_bar.count.text() == "2 of 2"
    QTest.keyClick(tab.find_bar.field, Qt.Key.Key_Return)
    assert tab.find_bar.count.text() == "1 of 2"
    assert (was_folded, tab.transcript.messages[1].is_folded) == (True, False)
    assert marked(tab) == "fox"


def test_folded_reasoning_is_searched_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps and new messages do not search it again: it may be long."""
    tab = made(qtbot, asked("q", "fox"), MessageView("m", "assistant", "fox", reasoning="fox " * 9, thought="Thought"))
    searched: list[str] = []
    in_reasoning = matching.in_reasoning

    def searching(view: MessageView, matcher: matching.Matcher) -> int:
        searched.append(view.id)
        return in_reasoning(view, matcher)

    monkeypatch.setattr(matching, "in_reasoning", searching)
    tab.finding.begin_at("m", ("fox",))
    assert tab.find_bar.count.text() == "11 of 11"
    for _ in range(2):
        QTest.keyClick(tab.find_bar.field, Qt.Key.Key_Return)
    tab.add_message(asked("new", "fox"))
    qtbot.waitUntil(lambda: tab.find_bar.count.text() == "2 of 12")
    assert searched.count("m") == 1


def test_code_tables_and_tool_calls_are_searched(qtbot: QtBot) -> None:
    """Hits are counted on the page as in the text: everything but labels and buttons."""
    text = "Copy\n\n```python\nfox = 'Copy'\n```\n\n| Copy | b |\n|---|---|\n| fox | Copy |\n"
    tab = made(qtbot, asked("q", "fox"), MessageView("m", "assistant", text, tools=(ToolView("f", '{"a": "Copy"}'),)))
    find(tab, "copy")
    assert tab.find_bar.count.text() == "1 of 5"
    find(tab, "fox")
    assert tab.find_bar.count.text() == "1 of 3"


def test_marks_survive_streaming(qtbot: QtBot) -> None:
    """While an answer is being written, its new hits are counted, and the current hit stays."""
    tab = made(qtbot, asked("q", "fox"), MessageView("r", "assistant", "A fox", MessageState.OPEN))
    find(tab, "fox")
    assert tab.find_bar.count.text() == "1 of 2"
    for word in (" and", " another", " **fo", "x** and", " one more fox"):
        tab.append_delta("r", word)
    qtbot.waitUntil(lambda: tab.find_bar.count.text() == "1 of 4")
    assert marked(tab) == "fox"


def test_selected_words_are_searched_at_once(qtbot: QtBot) -> None:
    """Find begins with what is selected, as on a Mac."""
    tab = made(qtbot, *story(2))
    tab.transcript.find_marks.matcher = type(tab.transcript.find_marks.matcher)(("Answer",))
    start, end = tab.transcript.find_marks.between(0, 10_000)[0]
    cursor = tab.transcript.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
    tab.transcript.setTextCursor(cursor)
    tab.finding.begin()
    assert tab.find_bar.field.text() == "Answer"
    assert tab.find_bar.count.text() == "1 of 2"


def test_a_selected_formula_is_searched_as_it_is_copied(qtbot: QtBot) -> None:
    """The field shows its TeX. In the document an object character stands for it, which a user cannot type."""
    tab = made(qtbot, answered("r", "Energy $E=mc^2$ is nice\nhere, and $E=mc^2$ again"))
    qtbot.waitUntil(lambda: OBJECT in tab.transcript.toPlainText())
    start = tab.transcript.toPlainText().index("Energy")
    tab.transcript.select(start, start + len("Energy ^ is nice_here"))
    tab.finding.begin()
    assert tab.find_bar.field.text() == "Energy $E=mc^2$ is nice here"
    assert tab.find_bar.count.text() == "1 of 1"


def test_the_words_of_a_search_stay_words(qtbot: QtBot) -> None:
    """After the bar was closed, Find and F3 look for each of them again, and not for all of them in a row. What the
    user types then is one phrase.
    """
    tab = made(qtbot, asked("q", "Tell me"), answered("r", "A lamp that is red."))
    tab.find_at("r", ("lamp", "red"))
    for again in (tab.finding.begin, lambda: tab.finding.step(1), tab.finding.begin):
        tab.finding.end()
        again()
        assert (tab.find_bar.field.text(), tab.find_bar.count.text()) == ("lamp red", "1 of 2")
        assert marked(tab) == "lamp"
    find(tab, "lamp rod")
    assert tab.find_bar.count.text() == "No hits"
    find(tab, "lamp red")
    assert tab.find_bar.count.text() == "No hits"


def test_of_a_page_only_the_beginning_is_looked_for(qtbot: QtBot) -> None:
    """Whether it is pasted or was selected: all of it took seconds, and would hardly be found again."""
    tab = made(qtbot, answered("r", "fox " * 2_000))
    QGuiApplication.clipboard().setText("fox " * 10_000)
    tab.finding.begin()
    tab.find_bar.field.paste()
    tab.finding.end()
    tab.transcript.selectAll()
    tab.finding.begin()
    assert len(tab.find_bar.field.text()) == 1_000
    assert set(map(len, tab.transcript.find_marks.matcher.terms)) == {999}


def test_a_hit_without_words_only_leads_to_its_message(qtbot: QtBot) -> None:
    """The words are in a file of that message. Nothing is marked, and a bar with the words before goes."""
    tab = made(qtbot, *story(60))
    find(tab, "fox")
    tab.find_at("q2", ())
    qtbot.waitUntil(lambda: 2 * 2 in tab.transcript.loaded, timeout=5000)

    def is_in_view() -> bool:
        at = tab.transcript.messages.index("q2")
        top = tab.transcript.scrolling.top_of(at or 0) - tab.transcript.verticalScrollBar().value()
        return 0 <= top < tab.transcript.viewport().height()

    qtbot.waitUntil(is_in_view, timeout=5000)
    assert tab.find_bar.isHidden()
    assert tab.transcript.find_marks.current is None


def test_a_search_hit_opens_the_bar_at_its_message(qtbot: QtBot) -> None:
    """A hit of the sidebar's search goes to its message, with each of its words marked."""
    tab = made(qtbot, *story(60))
    tab.find_at("r2", ("answer", "fox"))
    qtbot.waitUntil(lambda: tab.transcript.find_marks.current is not None)
    assert marked(tab) == "Answer"
    assert tab.find_bar.field.text() == "answer fox"
    assert tab.find_bar.count.text() == "5 of 120"
    assert 0 <= current_top(tab) < tab.transcript.viewport().height()


OWL = (
    "Slowly the night came.\n\n"
    "Viktor asked the old **owl** for help, and then for bread, water, a bed, a song, a map and a boat.\n\n"
    "The owl knew an old lamp."
)


@pytest.mark.parametrize(("terms", "count", "line"), [(("owl",), "2 of 3", 2), (("owl", "lamp"), "3 of 4", 4)])
def test_a_search_hit_opens_at_the_words_that_the_list_showed(
    qtbot: QtBot, terms: tuple[str, ...], count: str, line: int
) -> None:
    """A whole word comes before the same letters inside a word, and words that stand together before others."""
    tab = made(qtbot, asked("q", "Tell me"), answered("r", OWL))
    tab.find_at("r", terms)
    assert tab.find_bar.count.text() == count
    current = tab.transcript.find_marks.current
    assert current is not None
    text = tab.transcript.document().findBlock(current[0]).text()
    assert text == OWL.replace("*", "").splitlines()[line]


def test_the_bar_moves_no_text(qtbot: QtBot) -> None:
    """The bar comes and goes above the transcript, and the text in view stays where it is on the screen."""
    tab = made(qtbot, *story(20))
    bar = tab.transcript.verticalScrollBar()
    bar.setValue(300)

    def top() -> int:
        cursor = tab.transcript.textCursor()
        cursor.setPosition(tab.transcript.writer.bounds(8)[0])
        return tab.transcript.viewport().mapTo(tab, tab.transcript.cursorRect(cursor).topLeft()).y()

    before = top()
    tab.finding.begin()
    qtbot.waitUntil(tab.find_bar.isVisible)
    assert top() == before
    tab.finding.end()
    assert top() == before
    assert bar.value() == 300


def test_no_hits_is_said_only_when_all_are_counted(qtbot: QtBot) -> None:
    """While the app counts the hits of what is not loaded, the bar says that it searches."""
    tab = made(qtbot, *story(2), earlier=True)
    said = heard(sent(), FindEarlier)
    find(tab, "badger")
    assert tab.find_bar.count.text() == "Searching…"
    qtbot.waitUntil(lambda: bool(said))
    tab.show_found(("badger",), ())
    assert tab.find_bar.count.text() == "No hits"
    find(tab, "wolf")
    tab.show_found(("badger",), ())
    assert tab.find_bar.count.text() == "Searching…"
    tab.show_found(("wolf",), (("e1", 2),))
    assert tab.find_bar.count.text().endswith("of 2")


def test_a_way_that_takes_long_has_a_sign(qtbot: QtBot) -> None:
    """To a hit above what is loaded, until it is in view."""
    tab = made(qtbot, *story(2), earlier=True)
    find(tab, "badger")
    tab.show_found(("badger",), (("e1", 1),))
    qtbot.waitUntil(tab.transcript.busy_sign.isVisible)
    tab.show_earlier((asked("e1", "A badger?"),), earlier=False)
    qtbot.waitUntil(tab.transcript.busy_sign.isHidden)
    assert marked(tab) == "badger"


def test_only_what_changed_is_counted_again(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a long chat, a new message costs no search through all others."""
    tab = made(qtbot, *story(30))
    find(tab, "fox")
    counted: list[int] = []
    between = tab.transcript.find_marks.between

    def counting(start: int, end: int) -> list[tuple[int, int]]:
        counted.append(start)
        return between(start, end)

    monkeypatch.setattr(tab.transcript.find_marks, "between", counting)
    tab.add_message(asked("new", "Where is the fox?"))
    qtbot.waitUntil(lambda: tab.find_bar.count.text().endswith("of 31"))
    assert len(counted) < 6
