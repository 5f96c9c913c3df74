from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionTab
from pytestqt.qtbot import QtBot

from tests.fakes.views import GENERATING
from ui.state.chat import ChatStatus, ChatView
from ui.theme.theme import LIGHT
from ui.window.main_window import MainWindow
from ui.window.tab_strip import TabStrip


@pytest.fixture
def strip(qtbot: QtBot) -> TabStrip:
    made = TabStrip()
    qtbot.addWidget(made)
    for name in ("a", "b"):
        made.add(name, f"Title {name}")
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the ring of the keyboard has the dot's colour
    made.resize(made.sizeHint())
    made.show()
    return made


def cross(strip: TabStrip, conversation: str) -> QPoint:
    return strip.close_rect(strip.index_of(conversation)).center()


def colours(strip: TabStrip, conversation: str) -> set[str]:
    image = strip.grab(strip.tabRect(strip.index_of(conversation))).toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_adding_shows_nothing_by_itself(qtbot: QtBot) -> None:
    """The window decides which tab is current."""
    strip = TabStrip()
    qtbot.addWidget(strip)
    with qtbot.assertNotEmitted(strip.shown):
        strip.add("a", "Title")


def test_without_tabs_it_takes_no_room(strip: TabStrip) -> None:
    """The plus button is where the first tab will be."""
    for name in ("a", "b"):
        strip.remove(name)
    assert strip.sizeHint().width() == 0


def test_the_keyboard_passes_a_row_without_tabs(qtbot: QtBot) -> None:
    """A stop at which nothing is seen would look like a lost focus."""
    strip = TabStrip()
    qtbot.addWidget(strip)
    assert strip.focusPolicy() is Qt.FocusPolicy.NoFocus
    strip.add("a", "Title")
    assert strip.focusPolicy() is Qt.FocusPolicy.TabFocus
    strip.remove("a")
    assert strip.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_a_click_shows(strip: TabStrip, qtbot: QtBot) -> None:
    """The signal carries the conversation, not the index."""
    with qtbot.waitSignal(strip.shown) as shown:
        place = strip.tabRect(1).topLeft() + QPoint(12, 12)
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert shown.args == ["b"]


def test_a_cross_closes_without_showing(strip: TabStrip, qtbot: QtBot) -> None:
    """A background tab can be closed without switching to it. The strip only asks."""
    with qtbot.assertNotEmitted(strip.shown), qtbot.waitSignal(strip.close_requested) as closed:
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, cross(strip, "b"))
    assert closed.args == ["b"]
    assert strip.count() == 2


def test_the_middle_button_closes(strip: TabStrip, qtbot: QtBot) -> None:
    """Anywhere on the tab."""
    with qtbot.waitSignal(strip.close_requested) as closed:
        place = strip.tabRect(0).center()
        QTest.mouseClick(strip, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier, place)
    assert closed.args == ["a"]


def test_a_live_tab_has_a_dot(strip: TabStrip) -> None:
    """The tab of a busy chat has a dot and an accessible name that says so."""
    assert LIGHT.accent not in colours(strip, "b")
    strip.set_status("b", GENERATING)
    assert LIGHT.accent in colours(strip, "b")
    assert LIGHT.accent not in colours(strip, "a")
    assert strip.accessibleTabName(1) == "Title b, answering"
    strip.set_status("b", ChatStatus())
    assert LIGHT.accent not in colours(strip, "b")
    assert strip.accessibleTabName(1) == "Title b"


def test_a_status_of_no_tab_is_ignored(strip: TabStrip) -> None:
    """A conversation without a tab has no dot."""
    strip.set_status("gone", GENERATING)
    assert LIGHT.accent not in colours(strip, "a") | colours(strip, "b")


def test_removing_forgets_the_dot(strip: TabStrip) -> None:
    """A reopened tab starts without a dot."""
    strip.set_status("b", GENERATING)
    strip.remove("b")
    strip.add("b", "Title b")
    assert LIGHT.accent not in colours(strip, "b")


def test_titles_are_shown_as_they_are(strip: TabStrip) -> None:
    """An ampersand is not a shortcut, a line break is not a second line, and an empty title has a substitute."""
    strip.set_title("a", "salt & pepper\nplease")
    strip.set_title("b", "")
    assert [strip.title_of(name) for name in "ab"] == ["salt & pepper please", "New chat"]
    assert strip.title_of("gone") == ""


def test_tabs_have_a_greatest_and_a_least_width(strip: TabStrip) -> None:
    """A long title is limited in width; many tabs scroll instead of vanishing."""
    strip.set_title("a", "x" * 300)
    strip.resize(strip.sizeHint())
    assert 310 < strip.tabRect(0).width() < 330
    strip.resize(200, strip.height())
    assert 100 < strip.minimumTabSizeHint(0).width() < strip.tabSizeHint(0).width()


def test_a_private_tab_looks_and_says_so(strip: TabStrip) -> None:
    """Also in the background. Without a title it is called private."""
    strip.add("p", "Title p", private=True)
    strip.resize(strip.sizeHint())
    assert strip.is_private("p")
    assert not strip.is_private("a")
    assert LIGHT.button_off in colours(strip, "p")
    assert LIGHT.button_off not in colours(strip, "b")
    assert strip.accessibleTabName(strip.index_of("p")) == "Title p, private"
    strip.set_status("p", GENERATING)
    assert strip.accessibleTabName(strip.index_of("p")) == "Title p, private, answering"
    for nothing in ("", "New chat"):
        strip.set_title("p", nothing)
        assert strip.title_of("p") == "Private chat"
    strip.remove("p")
    assert not strip.is_private("p")


def test_the_mark_of_a_private_tab_takes_no_room_from_its_title(strip: TabStrip) -> None:
    """A short title is not elided."""
    strip.add("p", "Title a", private=True)
    assert strip.tabSizeHint(strip.index_of("p")).width() > strip.tabSizeHint(strip.index_of("a")).width()


def test_a_short_tab_takes_no_more_room_than_it_is_wide(strip: TabStrip) -> None:
    """The plus button stands directly behind the tabs."""
    strip.remove("b")
    QApplication.sendEvent(strip, QEvent(QEvent.Type.Leave))
    strip.set_title("a", "Hi")
    assert strip.minimumSizeHint().width() <= strip.tabRect(0).width()


def drag(strip: TabStrip, conversation: str, to: int, *, drop: bool = True) -> None:
    """Press on a tab, move the mouse to the column `to`, and release it there."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    start = strip.tabRect(strip.index_of(conversation)).center()
    QTest.mousePress(strip, left, none, start)
    for step in range(1, 11):
        point = QPointF(start.x() + (to - start.x()) * step / 10, start.y())
        place = strip.mapToGlobal(point)
        move = QMouseEvent(QEvent.Type.MouseMove, point, place, Qt.MouseButton.NoButton, left, none)
        QApplication.sendEvent(strip, move)
    if drop:
        QTest.mouseRelease(strip, left, none, QPoint(to, start.y()))


def test_a_tab_is_moved_by_dragging(strip: TabStrip, qtbot: QtBot) -> None:
    """Its neighbours make room while it is held. The order is announced once, at the end."""
    strip.add("c", "Title c")
    strip.resize(strip.sizeHint())
    strip.show_tab("a")
    with qtbot.assertNotEmitted(strip.shown), qtbot.waitSignal(strip.moved):
        drag(strip, "a", strip.width())
    assert strip.order() == ("b", "c", "a")
    assert strip.current() == "a"
    drag(strip, "a", 0)
    assert strip.order() == ("a", "b", "c")


def test_a_short_slip_of_the_mouse_moves_nothing(strip: TabStrip, qtbot: QtBot) -> None:
    """A click with an unsteady hand shows the tab."""
    with qtbot.assertNotEmitted(strip.moved):
        drag(strip, "b", strip.tabRect(1).center().x() + 3)
    assert strip.current() == "b"


@pytest.mark.parametrize("drop", [True, False])
def test_qt_knows_of_no_press(strip: TabStrip, *, drop: bool) -> None:
    """It would keep the index of the pressed tab when others are removed, and crash when one is moved after that."""
    drag(strip, "b", strip.tabRect(1).right(), drop=drop)
    option = QStyleOptionTab()
    strip.initStyleOption(option, strip.index_of("b"))
    assert not option.state & QStyle.StateFlag.State_Sunken
    strip.remove("a")
    strip.add("c", "Third")
    strip.sort(("c", "b"))
    assert strip.order() == ("c", "b")


def test_a_held_tab_is_put_down_if_another_comes_to_the_front(strip: TabStrip, qtbot: QtBot) -> None:
    """A new chat may take its room in the row. What the mouse does then moves no tab and drops none on the pages."""
    strip.add("c", "Title c")
    strip.resize(strip.sizeHint())
    strip.show_tab("a")
    drag(strip, "a", strip.tabRect(1).right(), drop=False)
    with qtbot.waitSignal(strip.moved):
        strip.show_tab("c")
    order, left, none = strip.order(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    strip.setTabVisible(strip.index_of("a"), False)  # noqa: FBT003 - Qt knows no name for it
    point = QPointF(5.0, 5.0)
    move = QMouseEvent(QEvent.Type.MouseMove, point, strip.mapToGlobal(point), Qt.MouseButton.NoButton, left, none)
    with qtbot.assertNotEmitted(strip.dragged_off), qtbot.assertNotEmitted(strip.dropped_off):
        QApplication.sendEvent(strip, move)
        QTest.mouseRelease(strip, left, none, QPoint(5, strip.height() + 300))
    assert (strip.order(), strip.current()) == (order, "c")


def test_a_held_tab_is_painted_under_the_mouse(strip: TabStrip) -> None:
    """The user sees what is being moved, also between two places."""
    strip.resize(strip.sizeHint())
    strip.show_tab("a")
    place = strip.tabRect(1).center()
    drag(strip, "a", place.x(), drop=False)
    assert strip.grab().toImage().pixelColor(place.x(), 4).name() == LIGHT.selected_tab


def test_the_current_tab_is_moved_by_key(strip: TabStrip, qtbot: QtBot) -> None:
    """As far as the row goes."""
    strip.show_tab("a")
    with qtbot.waitSignal(strip.moved):
        strip.move_current(1)
    with qtbot.assertNotEmitted(strip.moved):
        strip.move_current(1)
    assert strip.order() == ("b", "a")


def test_tabs_without_room_are_hidden_whole(strip: TabStrip, qtbot: QtBot) -> None:
    """No label is cut. The row says how many are hidden, and the current tab is always among the visible ones."""
    for name in "cdefgh":
        strip.add(name, f"A rather long title {name}")
    with qtbot.waitSignal(strip.fitted):
        strip.resize(400, strip.height())
    assert strip.hidden() > 0
    for name in strip.order():
        strip.show_tab(name)
        rects = [strip.tabRect(i) for i in range(strip.count()) if strip.isTabVisible(i)]
        assert rects[-1].right() <= 400
        assert strip.isTabVisible(strip.currentIndex())
    strip.resize(strip.sizeHint())
    assert strip.hidden() == 0


def test_few_tabs_have_the_width_of_their_titles(strip: TabStrip) -> None:
    """Nothing is cut while the row has room."""
    titles = ("A chat about the many letters", "Tea", "What a fox eats")
    for name, title in zip("abc", titles, strict=True):
        if name == "c":
            strip.add("c", title)
        strip.set_title(name, title)
    strip.resize(strip.sizeHint())
    assert tuple(map(strip.shown_text, range(3))) == titles


def test_many_tabs_shrink_together(strip: TabStrip, qtbot: QtBot) -> None:
    """A short title stays whole. The current tab has room for its cross beside as much text as the others have. A click
    on a tab moves only those between it and the current one before. A row that is too narrow cuts no tab off.
    """
    for name in "cdef":
        strip.add(name, f"A chat about the many letters {name}")
    strip.add("p", "Private chat", private=True)
    strip.resize(900, strip.height())
    widths = {one: strip.tabRect(strip.index_of(one)).width() for one in strip.order()}
    assert all(124 <= widths[one] < strip.tabSizeHint(strip.index_of(one)).width() for one in "cdef")
    room = [strip.close_rect(index).left() - strip.tabRect(index).left() - 17 for index in (0, 1)]
    assert [strip.shown_text(index, room[index]) for index in (0, 1)] == ["Title a", "Title b"]
    assert sum(widths.values()) == 900
    assert [widths[one] for one in "ab"] == [strip.tabSizeHint(index).width() for index in (0, 1)]
    assert max(widths[one] for one in "cdefp") - min(widths[one] for one in "cdefp") <= 1
    before = [strip.tabRect(index) for index in range(strip.count())]
    strip.show_tab("d")
    shown = {index: strip.tabRect(index).width() for index in range(2, strip.count())}
    assert max(shown, key=lambda index: shown[index]) == 3
    assert 19 <= shown[3] - max(width for index, width in shown.items() if index != 3) <= 21
    strip.show_tab("f")
    after = [strip.tabRect(index) for index in range(strip.count())]
    strip.show_tab("d")
    moved = [index for index in range(strip.count()) if abs(strip.tabRect(index).left() - after[index].left()) > 1]
    assert moved == [4, 5]
    assert strip.tabRect(3).contains(after[3])
    strip.show_tab("a")
    assert [strip.tabRect(index) for index in range(strip.count())] == before
    strip.resize(140, strip.height())
    qtbot.waitUntil(lambda: strip.hidden() == strip.count() - 1)
    assert strip.tabRect(strip.currentIndex()).width() <= 140


def test_tabs_with_different_titles_look_different(strip: TabStrip) -> None:
    """Where there is no room for a whole title, its beginning goes that others share."""
    titles = {
        "a": "How to plant tomatoes in the garden in spring",
        "b": "How to plant tomatoes in the garden in autumn",
        "c": "How to plant tomatoes in the garden",
        "d": "Kartoffelpflanzenschutzmittelverordnung Eins",
        "e": "Kartoffelpflanzenschutzmittelverordnung Zwei",
        "f": "https://example.com/a/very/long/address/of/a/page/1",
        "g": "https://example.com/a/very/long/address/of/a/page/2",
        "h": "How to plant tomatoes in the garden in spring",
    }
    for name, title in titles.items():
        if name > "b":
            strip.add(name, title)
        strip.set_title(name, title)
    for width in (2000, 1500, 1250, 1000):
        strip.resize(width, strip.height())
        shown = {name: strip.shown_text(strip.index_of(name)) for name in titles}
        assert strip.hidden() == 0
        assert all(shown[name].endswith("spring") for name in "ah"), "the same title in the current tab and another one"
        assert len({shown[name] for name in "abcdefg"}) == len(titles) - 1, shown


def test_no_tab_moves_while_the_pointer_closes_one_after_the_other(strip: TabStrip) -> None:
    """The cross of the next tab comes to where the last one was. When the pointer leaves, the tabs share the room."""
    for name in "cdef":
        strip.add(name, f"A chat about the many letters {name}")
    strip.set_title("a", "Another chat about the many letters")
    strip.set_title("b", "A third chat about the many letters")
    strip.resize(800, strip.height())
    QApplication.sendEvent(strip, QEvent(QEvent.Type.Enter))
    place, before = cross(strip, "b"), [strip.tabRect(index) for index in range(strip.count())]
    for name in "bcd":
        assert strip.close_rect(strip.index_of(name)).contains(place)
        strip.remove(name)
        assert [strip.tabRect(index) for index in range(strip.count())] == before[: strip.count()]
        assert strip.sizeHint().width() == strip.width()
    QApplication.sendEvent(strip, QEvent(QEvent.Type.Leave))
    assert all(strip.tabRect(index).width() > before[0].width() for index in range(strip.count()))


def test_a_right_click_requests_the_menu_of_that_tab(strip: TabStrip, qtbot: QtBot) -> None:
    """Also of a tab in the background, which it does not show."""
    place = strip.tabRect(1).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, strip.mapToGlobal(place))
    with qtbot.assertNotEmitted(strip.shown), qtbot.waitSignal(strip.menu_requested) as asked:
        QApplication.sendEvent(strip, event)
    assert asked.args is not None
    assert asked.args[0] == "b"


def test_a_tab_with_a_new_answer_is_marked(strip: TabStrip) -> None:
    """With a dot of another colour than that of a busy tab, and in its accessible name."""
    strip.set_unread(frozenset({"b"}))
    assert LIGHT.success in colours(strip, "b")
    assert strip.accessibleTabName(1) == "Title b, new answer"
    strip.set_status("b", GENERATING)
    assert strip.accessibleTabName(1) == "Title b, answering"
    strip.set_status("b", ChatStatus())
    strip.set_unread(frozenset())
    assert LIGHT.success not in colours(strip, "b")


def test_a_dot_moves_no_cross(strip: TabStrip) -> None:
    """An answer that begins or ends must not move what the mouse is about to click."""
    before = cross(strip, "a"), cross(strip, "b"), strip.sizeHint()
    strip.set_status("a", GENERATING)
    assert (cross(strip, "a"), cross(strip, "b"), strip.sizeHint()) == before
    strip.set_status("a", ChatStatus())
    strip.set_unread(frozenset({"a"}))
    assert (cross(strip, "a"), cross(strip, "b"), strip.sizeHint()) == before


def test_a_neighbour_without_room_comes_to_the_front_when_the_current_tab_closes(strip: TabStrip) -> None:
    """Some tab is always current."""
    strip.resize(60, strip.height())
    strip.show_tab("b")
    assert strip.hidden() == 1
    strip.remove("b")
    assert strip.current() == "a"
    assert strip.hidden() == 0


def test_a_tab_that_leaves_the_row_says_where_it_is(strip: TabStrip, qtbot: QtBot) -> None:
    """So that it can be dropped beside another chat."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    start = strip.tabRect(1).center()
    below = QPoint(start.x(), strip.height() + 200)
    QTest.mousePress(strip, left, none, start)
    with qtbot.waitSignal(strip.dragged_off) as held:
        place = strip.mapToGlobal(QPointF(below))
        move = QMouseEvent(QEvent.Type.MouseMove, QPointF(below), place, Qt.MouseButton.NoButton, left, none)
        QApplication.sendEvent(strip, move)
    with qtbot.waitSignal(strip.dropped_off) as dropped:
        QTest.mouseRelease(strip, left, none, below)
    assert held.args == dropped.args == ["b", strip.mapToGlobal(below)]


def test_no_tab_is_cut_at_the_edge(window: MainWindow) -> None:
    """Qt scrolls the row for the moment in which a new tab has no room. The row then stands at its beginning again."""
    window.show()
    names = ("Hi", "A chat about tea", "A chat about the number forty-two", "Zz", "Prefix cache for shared prompts")
    for number in range(12):
        window.chats.open(ChatView(f"t{number}", f"{names[number % 5]} {number}"))
        for width in (1400, 914, 720):
            window.resize(width, 600)
            QApplication.processEvents()
            shown = [index for index in range(window.tabs.count()) if window.tabs.isTabVisible(index)]
            assert window.tabs.tabRect(shown[0]).left() == 0
            assert window.tabs.currentIndex() in shown
